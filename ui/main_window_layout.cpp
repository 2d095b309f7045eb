// Where everything in the window is: docks, gallery, and what comes back the next time.
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSettings>
#include <QVBoxLayout>
#include <map>

#include "render/selection_names.h"
#include "ui/broken_habits.h"
#include "ui/main_window.h"
#include "ui/scene_document.h"
#include "ui/scene_look.h"
#include "ui/theme.h"
#include "ui/window_place.h"

namespace slipstick::ui {
namespace {

/// Of what Qt keeps of docks; which ones there are may change without it.
constexpr int kLayoutVersion = 4;

/// Qt makes a bar of tabs where docks share a place, and gives it no name.
class TabNames : public QObject {
 public:
  using QObject::QObject;
  bool eventFilter(QObject* window, QEvent* event) override {
    // A child that was just added is not yet what it will be.
    if (event->type() == QEvent::ChildAdded)
      QMetaObject::invokeMethod(
          window,
          [window] {
            for (auto* tabs : window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
              tabs->setAccessibleName(MainWindow::tr("Panels in one place"));
          },
          Qt::QueuedConnection);
    return QObject::eventFilter(window, event);
  }
};

QString textOf(const QJsonObject& json) {
  return QString::fromUtf8(QJsonDocument(json).toJson(QJsonDocument::Compact));
}

QJsonObject jsonIn(const QVariant& stored) {
  return QJsonDocument::fromJson(stored.toString().toUtf8()).object();
}

}  // namespace

void MainWindow::buildDocks() {
  installEventFilter(new TabNames(this));
  // Restoring a layout while docks glide to their places makes Qt 6.4 delete their items twice: a scene that has just been
  // loaded brings its layout at any moment.
  setAnimated(false);
  for (const PanelKind& kind : panelKinds()) {
    Panel* panel = kind.make(session_);
    panels_.push_back(panel);
    placePanel(panels_.size() - 1);
    connect(panel, &Panel::wanted, this, [this, panel](bool wanted) { showPanel(*panel, wanted); });
  }

  timeline_ = new Timeline(session_);
  auto* content = new QWidget;
  content->setAutoFillBackground(true);
  content->setBackgroundRole(QPalette::Base);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(timeline_);
  status_ = new StatusLine(session_);
  column->addWidget(status_);
  bottom_ = new QDockWidget;
  bottom_->setObjectName("timeline");
  bottom_->setFeatures(QDockWidget::NoDockWidgetFeatures);
  bottom_->setTitleBarWidget(new QWidget);
  bottom_->setWidget(content);
  content->setFixedHeight(content->sizeHint().height());
  addDockWidget(Qt::BottomDockWidgetArea, bottom_);
  setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);

  hideDocks();  // without a scene the panels have nothing to show
}

/// At the end of its column, or as a tab on the one before it.
void MainWindow::placePanel(std::size_t index) {
  const PanelKind& kind = panelKinds()[index];
  panels_[index]->setFloating(false);
  addDockWidget(kind.area, panels_[index]);
  if (kind.share == 0) tabifyDockWidget(panels_[index - 1], panels_[index]);
}

// Shares of the window that leave the picture more than half of its width.
void MainWindow::arrangeDocks() {
  const std::map<Qt::DockWidgetArea, int> widths = {
      {Qt::LeftDockWidgetArea, std::max(width() / 6, 264)},
      {Qt::RightDockWidgetArea, std::min(width() * 33 / 100, 560)}};
  QList<QDockWidget*> docks;
  QList<int> dockWidths, heights;
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    const PanelKind& kind = panelKinds()[i];
    if (kind.share == 0) continue;
    docks << panels_[i];
    dockWidths << widths.at(kind.area);
    heights << height() * kind.share / 100;
  }
  resizeDocks(docks, dockWidths, Qt::Horizontal);
  resizeDocks(docks, heights, Qt::Vertical);
}

/// As a panel asks for itself: raised above those that share its place. What a person opened stays.
void MainWindow::showPanel(Panel& panel, bool shown) {
  const bool wasWanted = wanted_.contains(&panel);
  shown ? (void)wanted_.insert(&panel) : (void)wanted_.erase(&panel);
  if (shown != panel.isHidden() || (!shown && !wasWanted) || isGalleryShown()) return;
  panel.setVisible(shown);
  if (!shown) return;
  arrangeDocks();
  panel.raise();
}

void MainWindow::hideDocks() {
  for (Panel* panel : panels_) panel->hide();
  bottom_->hide();
}

/// As they were before the gallery hid them; the first time as they were left, or else as they are made.
void MainWindow::showDocks() {
  if (std::exchange(isArranged_, true)) return (void)restoreLayout(std::exchange(layoutBehindGallery_, {}));
  resetLayout();
  if (remember_) restoreLayout(jsonIn(QSettings("slipstick", "studio").value("layout")));
}

void MainWindow::resetLayout() {
  if (isGalleryShown()) return;
  hiddenPanels_.clear();
  for (Panel* panel : panels_) {
    panel->setFloating(false);
    removeDockWidget(panel);
  }
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    placePanel(i);
    panels_[i]->setVisible(panelKinds()[i].startsVisible || wanted_.contains(panels_[i]));
  }
  bottom_->show();
  arrangeDocks();
}

QJsonObject MainWindow::layoutAsJson() const {
  if (isGalleryShown()) return layoutBehindGallery_;
  QJsonArray names;
  for (const Panel* panel : panels_) names.append(panel->objectName());
  return {{"docks", QString::fromLatin1(saveState(kLayoutVersion).toBase64())},
          {"panels", names},
          {"width", width()}};
}

bool MainWindow::restoreLayout(const QJsonObject& layout) {
  const QByteArray docks = QByteArray::fromBase64(layout["docks"].toString().toLatin1());
  // A dock that is being dragged has a gap in the layout, which Qt would restore over.
  if (qobject_cast<QDockWidget*>(QWidget::mouseGrabber())) return false;
  if (docks.isEmpty() || !restoreState(docks, kLayoutVersion)) return false;
  hiddenPanels_.clear();
  const QJsonArray names = layout["panels"].toArray();
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    if (names.contains(panels_[i]->objectName())) continue;
    placePanel(i);
    panels_[i]->setVisible(panelKinds()[i].startsVisible || wanted_.contains(panels_[i]));
  }
  bottom_->show();
  // Panels as wide as in a larger window would leave too little of the picture.
  if (width() < layout["width"].toInt()) arrangeDocks();
  return true;
}

// ------------------------------------------------------------------------------------------- the gallery

void MainWindow::showGallery() {
  if (isGalleryShown()) return;
  keepLook();
  layoutBehindGallery_ = layoutAsJson();
  hideDocks();
  gallery_->setWayBack(sceneChip_->text());
  pages_->setCurrentWidget(gallery_);
}

void MainWindow::leaveGallery() {
  if (!isGalleryShown() || !session_.isOpen()) return;
  pages_->setCurrentWidget(viewport_);
  showDocks();
  viewport_->setFocus();
}

// ---------------------------------------------------------------------------------- from one start to the next

void MainWindow::restoreHabits() {
  for (const Error& error : brokenHabits()) onFailed(error);
  const QSettings settings("slipstick", "studio");
  setAppearance(settings.value("light").toBool() ? Appearance::Light : Appearance::Dark);
  restoreGeometry(settings.value("geometry").toByteArray());
  keepOnScreens(*this);
  connect(qApp, &QGuiApplication::screenRemoved, this, [this] {
    keepOnScreens(*this);
    for (Panel* panel : panels_)
      if (panel->isFloating()) keepOnScreens(*panel);
  });
  session_.focus().setView(viewOf(jsonIn(settings.value("view")), session_.focus().view()));
  connect(&session_.focus(), &Focus::viewChanged, this, [this] {
    QSettings("slipstick", "studio").setValue("view", textOf(jsonOf(session_.focus().view())));
  });
  // The layout is taken when the first scene opens, for the gallery shows no panels.
}

void MainWindow::keepHabits() {
  keepLook();
  QSettings settings("slipstick", "studio");
  settings.setValue("geometry", saveGeometry());
  if (isArranged_ && hiddenPanels_.empty()) settings.setValue("layout", textOf(layoutAsJson()));
}

QString MainWindow::lookedAtFile() {
  if (session_.run().stored()) return QString::fromStdString(session_.run().stored()->file());
  const QString saved = session_.document().file();
  if (!saved.isEmpty()) return saved;
  const std::string& file = session_.model()->file;
  return file.empty() ? QString()
                      : QDir::cleanPath(QFileInfo(QString::fromStdString(file)).absoluteFilePath());
}

/// How the open scene looks, for the next time.
void MainWindow::keepLook() {
  if (!remember_ || !session_.isOpen()) return;
  QJsonObject look{
      {"camera", jsonOf(viewport_->camera())},
      {"view", jsonOf(session_.focus().view())},
      {"follows", viewport_->isFollowing()},
      {"selected", QString::fromStdString(uniqueNameOf(*session_.model(), session_.focus().selection()))}};
  if (hiddenPanels_.empty()) look["layout"] = layoutAsJson();
  known_.keepLook(lookedAtFile(), look, viewport_->sceneImage());
}

void MainWindow::restoreLook() {
  parallel_->setChecked(viewport_->camera().parallel);
  const KnownFile* known = known_.find(lookedAtFile());
  if (!known || known->look.isEmpty()) return;
  const QJsonObject look = known->look;
  restoreLayout(look["layout"].toObject());
  session_.focus().setView(viewOf(look["view"].toObject(), session_.focus().view()));
  viewport_->setCamera(cameraOf(look["camera"].toObject(), viewport_->camera()));
  parallel_->setChecked(viewport_->camera().parallel);
  following_->setChecked(look["follows"].toBool());
  // What was selected may be gone from the file since.
  if (const auto selected =
          render::selectionNamed(*session_.model(), look["selected"].toString().toStdString());
      selected)
    session_.focus().select(*selected);
}

void MainWindow::resetView() {
  session_.focus().setView({});
  following_->setChecked(false);
  parallel_->setChecked(false);
  viewport_->resetCamera();
}

// ------------------------------------------------------------------------------------------- the panels

void MainWindow::focusNextPanel(int direction) {
  if (isGalleryShown()) return gallery_->takeFocus();
  std::vector<QWidget*> stops = {viewport_};
  for (Panel* panel : panels_)
    if (panel->isVisible() && !panel->visibleRegion().isEmpty()) stops.push_back(panel);
  stops.push_back(timeline_);
  const QWidget* focused = QApplication::focusWidget();
  const auto at = std::find_if(stops.begin(), stops.end(), [focused](const QWidget* stop) {
    return stop == focused || stop->isAncestorOf(focused);
  });
  const auto count = static_cast<int>(stops.size());
  int stop = at == stops.end() ? 0 : static_cast<int>(at - stops.begin());
  for (int tried = 0; tried < count; ++tried) {
    stop = (stop + direction + count) % count;
    QWidget* next = stops[static_cast<std::size_t>(stop)];
    if (auto* panel = qobject_cast<Panel*>(next)) {
      if (panel->takeFocus()) return;
      continue;
    }
    (next == timeline_ ? static_cast<QWidget*>(&timeline_->playButton()) : next)
        ->setFocus(Qt::TabFocusReason);
    return;
  }
}

void MainWindow::togglePanels() {
  if (!session_.isOpen() || isGalleryShown()) return;
  if (!hiddenPanels_.empty()) {
    for (Panel* panel : std::exchange(hiddenPanels_, {})) panel->show();
    return;
  }
  for (Panel* panel : panels_) {
    if (panel->isHidden()) continue;
    panel->hide();
    hiddenPanels_.push_back(panel);
  }
}

}  // namespace slipstick::ui
