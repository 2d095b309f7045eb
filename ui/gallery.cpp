#include "ui/gallery.h"

#include <QDir>
#include <QFileInfo>
#include <QKeyEvent>
#include <QScrollBar>
#include <algorithm>
#include <cstdlib>

#include "ui/drop_hint.h"
#include "ui/gallery_page.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

/// Cards of recent files: as many as one glance takes; the menu has more.
constexpr std::size_t kMaxRecent = 12;

CardContent cardOf(const StudioServices::SceneEntry& entry, bool isRobot) {
  CardContent content;
  content.opens = QString::fromStdString(isRobot ? entry.file : entry.name);
  content.name = QString::fromStdString(entry.name);
  content.title = QString::fromStdString(entry.title);
  content.detail = QString::fromStdString(entry.subject);
  content.picture = QString::fromStdString(entry.picture);
  content.icon = isRobot ? "robot" : "scene";
  return content;
}

/// "~/scenes"
QString shortFolder(const QString& file) {
  const QString folder = QFileInfo(file).absolutePath(), home = QDir::homePath();
  return folder == home || folder.startsWith(home + "/") ? "~" + folder.mid(home.size()) : folder;
}

bool isShipped(const StudioServices& services, const QFileInfo& file) {
  const auto isIt = [&](const auto& entry) { return QFileInfo(QString::fromStdString(entry.file)) == file; };
  return std::any_of(services.shippedScenes.begin(), services.shippedScenes.end(), isIt) ||
         std::any_of(services.shippedRobots.begin(), services.shippedRobots.end(), isIt);
}

CardContent cardOf(const KnownFile& known, const KnownFiles& all, const StudioServices& services) {
  const QFileInfo info(known.file);
  CardContent content;
  content.opens = known.file;
  content.name = info.fileName();
  content.title = known.title.isEmpty() ? info.completeBaseName() : known.title;
  content.detail = isShipped(services, info) ? Gallery::tr("shipped") : shortFolder(known.file);
  content.picture = all.pictureOf(known.file);
  content.icon = info.suffix().startsWith('y') ? "scene" : "robot";
  content.isRecent = true;
  content.isMissing = !info.exists();
  return content;
}

}  // namespace

Gallery::Gallery(const StudioServices& services, KnownFiles& known, QWidget* parent)
    : QScrollArea(parent), services_(services), known_(known) {
  setObjectName("gallery");
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
  back_ = new FlatButton("back", {});
  open_ = new FlatButton("folder", tr("Open a file…"));
  search_ = new Field(tr("Search"));
  search_->setAccessibleName(tr("Search the gallery"));
  search_->setClearButtonEnabled(true);
  search_->installEventFilter(this);
  page_ = new GalleryPage(tr("Choose a scene, or drop a file here: %1").arg(openableWords(services_)),
                          {back_, open_, search_});
  for (const auto& entry : services_.shippedScenes)
    page_->add(QString::fromStdString(entry.subject), addCard(cardOf(entry, false)));
  for (const auto& entry : services_.shippedRobots)
    page_->add(QString::fromStdString(entry.subject), addCard(cardOf(entry, true)));
  open_->show();
  search_->show();
  back_->hide();
  setWidget(page_);
  connect(open_, &FlatButton::clicked, this, &Gallery::openWanted);
  connect(back_, &FlatButton::clicked, this, &Gallery::left);
  connect(search_, &QLineEdit::textChanged, this, &Gallery::filter);
  connect(&known_, &KnownFiles::changed, this, [this] {
    isRecentStale_ = true;
    if (isVisible()) fillRecent();
  });
}

void Gallery::setWayBack(const QString& scene) {
  back_->setVisible(!scene.isEmpty());
  back_->setText(tr("Back to %1").arg(scene));
  back_->setToolTip(tr("Esc"));
  page_->arrange();
}

std::vector<GalleryCard*> Gallery::cards() const {
  return page_->shown();
}

GalleryCard* Gallery::addCard(CardContent content) {
  auto* card = new GalleryCard(std::move(content), nullptr);
  connect(card, &GalleryCard::clicked, this, [this, card] {
    if (!card->content().isMissing) Q_EMIT chosen(card->content().opens);
  });
  connect(card, &GalleryCard::moved, this, [this, card](Qt::Key to) { moveFocus(*card, to); });
  // Forgetting removes the card that says so: not while it does.
  connect(
      card, &GalleryCard::forgotten, this, [this, file = card->content().opens] { known_.forget(file); },
      Qt::QueuedConnection);
  return card;
}

void Gallery::fillRecent() {
  if (!std::exchange(isRecentStale_, false)) return;
  const auto* focused = qobject_cast<GalleryCard*>(QApplication::focusWidget());
  const bool hadFocus = focused && focused->content().isRecent;
  std::vector<GalleryCard*> recent;
  for (const KnownFile& known : known_.files()) {
    if (recent.size() == kMaxRecent) break;
    recent.push_back(addCard(cardOf(known, known_, services_)));
  }
  page_->setRecent(std::move(recent));
  filter();
  if (hadFocus && !cards().empty()) focusCard(*cards().front());
}

void Gallery::filter() {
  page_->filter(search_->text().simplified());
}

/// To the nearest card of the next row, or the next one in the row.
void Gallery::moveFocus(const GalleryCard& from, Qt::Key to) {
  const std::vector<GalleryCard*> all = cards();
  const auto at = std::find(all.begin(), all.end(), &from);
  if (at == all.end()) return;
  const auto index = at - all.begin();
  const auto last = std::ssize(all) - 1;
  if (to == Qt::Key_Home) return focusCard(*all.front());
  if (to == Qt::Key_End) return focusCard(*all.back());
  if (to == Qt::Key_Left)
    return focusCard(*all[static_cast<std::size_t>(std::max<std::ptrdiff_t>(index - 1, 0))]);
  if (to == Qt::Key_Right) return focusCard(*all[static_cast<std::size_t>(std::min(index + 1, last))]);
  const bool down = to == Qt::Key_Down;
  GalleryCard* best = nullptr;
  for (GalleryCard* card : all) {
    const int away = down ? card->y() - from.y() : from.y() - card->y();
    if (away <= 0) continue;
    const auto rank = [&](const GalleryCard& c) {
      return std::pair(std::abs(c.y() - from.y()), std::abs(c.x() - from.x()));
    };
    if (!best || rank(*card) < rank(*best)) best = card;
  }
  if (best) return focusCard(*best);
  if (!down) search_->setFocus(Qt::TabFocusReason);
}

void Gallery::focusCard(GalleryCard& card) {
  card.setFocus(Qt::TabFocusReason);
  ensureWidgetVisible(&card, 0, 6 * kSpace);
}

// Letters search, arrows and Return are for the card; the window's keys for the picture have no meaning here.
bool Gallery::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto& key = static_cast<const QKeyEvent&>(*event);
    const bool isPlain = !(key.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier));
    const bool types = isPlain && !key.text().isEmpty() && key.text()[0].isPrint();
    if (isForFocus(key) || types || key.matches(QKeySequence::Find)) {
      event->accept();
      return true;
    }
  }
  return QScrollArea::event(event);
}

void Gallery::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Find)) return search_->setFocus(Qt::ShortcutFocusReason);
  if (!event->text().isEmpty() && event->text()[0].isPrint() && event->key() != Qt::Key_Space) {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->setText(event->text());
    return;
  }
  QScrollArea::keyPressEvent(event);
}

bool Gallery::eventFilter(QObject* watched, QEvent* event) {
  if (watched == search_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape) {
      if (search_->text().isEmpty()) Q_EMIT left();
      search_->clear();
      return true;
    }
    const bool opens = key == Qt::Key_Return || key == Qt::Key_Enter;
    if ((opens || key == Qt::Key_Down) && !cards().empty()) {
      opens ? cards().front()->click() : focusCard(*cards().front());
      return true;
    }
  }
  return QScrollArea::eventFilter(watched, event);
}

void Gallery::showEvent(QShowEvent* event) {
  QScrollArea::showEvent(event);
  // Files come and go while it is not looked at.
  isRecentStale_ = true;
  fillRecent();
  takeFocus();
}

void Gallery::takeFocus() {
  const std::vector<GalleryCard*> all = cards();
  all.empty() ? search_->setFocus(Qt::TabFocusReason) : focusCard(*all.front());
}

}  // namespace slipstick::ui
