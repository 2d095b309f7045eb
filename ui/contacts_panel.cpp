#include "ui/contacts_panel.h"

#include <QApplication>
#include <QFileDialog>
#include <QHeaderView>
#include <QMouseEvent>
#include <QPainter>
#include <QSaveFile>
#include <QStyledItemDelegate>
#include <cmath>

#include "ui/icons.h"
#include "ui/plot_drag.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kRowHeight = 25;
constexpr int kLeastPairWidth = 92;
constexpr int kPinWidth = 20;          // at the end of the name
constexpr int kMarkWidth = 38;         // a contact's mark and the margins around the name
constexpr double kFontScale = 0.95;    // rows
constexpr double kTitleScale = 0.915;  // as the style sheet sets column titles
constexpr int kRefreshPeriod_ms = 80;  // faster cannot be read

class RowPainter : public QStyledItemDelegate {
 public:
  RowPainter(Session& session, const ContactTable& table, QObject* parent)
      : QStyledItemDelegate(parent), session_(session), table_(table) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Theme& t = theme();
    const ContactRow& row = table_.row(index.row());
    painter->save();
    if (isSelected(row)) {
      QColor ground = row.mode == ContactMode::Slip ? t.slip : t.stick;
      ground.setAlphaF(0.18f);
      painter->fillRect(option.rect, ground);
    }
    if (row.isPinned && (index.row() + 1 == table_.rowCount() || !table_.row(index.row() + 1).isPinned))
      painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), t.line);
    QRectF rect = QRectF(option.rect).adjusted(6, 0, -6, 0);
    painter->setFont(textFont(row.isSum ? 600 : 400, kFontScale));
    painter->setPen(index.column() == ContactTable::Point || row.count == 0 ? t.faint : t.text);
    QString text = index.data().toString();
    if (index.column() == ContactTable::Pair) {
      const auto* view = static_cast<const QTableView*>(option.widget);
      if (row.isSum && view->isColumnHidden(ContactTable::Point)) text += tr(" (%1)").arg(row.count);
      const auto mark = row.mode == ContactMode::Stick  ? ContactMark::Stick
                        : row.mode == ContactMode::Slip ? ContactMark::Slip
                                                        : ContactMark::Open;
      drawContactMark(*painter, QPointF(rect.left() + 10, rect.center().y()), mark);
      rect.setLeft(rect.left() + 24);
      if (row.isPinned || (option.state & QStyle::State_MouseOver)) {
        rect.setRight(rect.right() - kPinWidth + 6);
        const QColor ink = row.isPinned ? t.bookmark : t.faint;
        painter->drawPixmap(QPointF(option.rect.right() - kPinWidth, rect.center().y() - 7.5),
                            iconPixmap("pin", ink, 15));
      }
      const QFontMetricsF metrics(painter->font());
      drawTabular(*painter, rect, Qt::AlignLeft, metrics.elidedText(text, Qt::ElideRight, rect.width()));
    } else {
      drawTabular(*painter, rect, Qt::AlignRight, text);
    }
    painter->restore();
  }

 private:
  bool isSelected(const ContactRow& row) const {
    const auto& selection = session_.focus().selection();
    return selection == (row.isSum ? render::Selection(row.pair) : render::Selection(row.key));
  }

  Session& session_;
  const ContactTable& table_;
};

render::Selection selectionOf(const ContactRow& row) {
  if (row.body) return render::SelectedBody{*row.body};
  if (row.isSum) return row.pair;
  return row.key;
}

}  // namespace

ContactsPanel::ContactsPanel(Session& session, QWidget* parent)
    : Panel(tr("Contacts"), "contacts", parent), session_(session), table_(new ContactTable(session, this)) {
  build();
  refreshTimer_.setSingleShot(true);
  connect(&refreshTimer_, &QTimer::timeout, this, &ContactsPanel::refresh);
  connect(&session_.moment(), &ShownMoment::shownChanged, this, [this] {
    if (!refreshTimer_.isActive()) refreshTimer_.start(kRefreshPeriod_ms);
  });
  connect(&session_.focus(), &Focus::selectionChanged, this, &ContactsPanel::follow);
  // A new scene may have fewer bodies than the rows still name.
  connect(&session_.opener(), &SceneOpener::opened, this, &ContactsPanel::refresh);
  connect(&session_.moment(), &ShownMoment::modelChanged, this, &ContactsPanel::refresh);
  connect(&session_.pinBoard(), &PinBoard::pinsChanged, this, &ContactsPanel::refresh);
}

void ContactsPanel::build() {
  auto* filter = new Field(tr("filter"));
  filter->setFixedWidth(112);
  filter->setClearButtonEnabled(true);
  auto* save = new FlatButton("export", {});
  save->setToolTip(tr("Export the contacts shown as CSV"));
  save->setAccessibleName(tr("Export the contacts"));
  addToHeader(filter);
  addToHeader(save);
  connect(filter, &QLineEdit::textChanged, this, [this](const QString& text) {
    table_->setFilter(text);
    refresh();
  });
  connect(save, &FlatButton::clicked, this, &ContactsPanel::exportCsv);

  buildTable();
  connect(view_, &QTableView::clicked, this, &ContactsPanel::click);
  connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& row) {
            if (view_->hasFocus() && row.isValid()) selectRow(row);
          });
  setWidget(view_);
  setMinimumWidth(380);
}

void ContactsPanel::buildTable() {
  view_ = new QTableView;
  view_->setModel(table_);
  view_->setItemDelegate(new RowPainter(session_, *table_, view_));
  view_->setShowGrid(false);
  view_->setMouseTracking(true);
  view_->viewport()->installEventFilter(this);
  view_->setSelectionMode(QAbstractItemView::NoSelection);
  view_->setFocusPolicy(Qt::TabFocus);
  view_->setTabKeyNavigation(false);
  view_->setAccessibleName(tr("Contacts"));
  view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  view_->verticalHeader()->hide();
  view_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  view_->verticalHeader()->setDefaultSectionSize(kRowHeight);
  sizeColumns();
}

void ContactsPanel::sizeColumns() {
  QHeaderView* header = view_->horizontalHeader();
  header->setSectionResizeMode(QHeaderView::Fixed);
  header->setSectionResizeMode(ContactTable::Pair, QHeaderView::Stretch);
  header->setMinimumSectionSize(44);
  const QFontMetricsF metrics(textFont(400, kFontScale)), titles(textFont(400, kTitleScale));
  const auto fit = [&](ContactTable::Column column, const QString& widest) {
    const QString title = table_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    const qreal width = std::max(tabularWidth(metrics, widest), titles.horizontalAdvance(title));
    view_->setColumnWidth(column, static_cast<int>(std::ceil(width)) + 13);
    numbersWidth_ += view_->columnWidth(column);
  };
  fit(ContactTable::Point, "-0.000, 0.000, 0.000");
  fit(ContactTable::NormalForce, "00.00");
  fit(ContactTable::FrictionForce, "00.00");
  fit(ContactTable::Depth, "0.000");
  fit(ContactTable::SlipSpeed, "000.00");
  header->setSortIndicator(ContactTable::NormalForce, Qt::DescendingOrder);
  view_->setSortingEnabled(true);
}

void ContactsPanel::resizeEvent(QResizeEvent* event) {
  Panel::resizeEvent(event);
  fitPoint();
}

/// The view says which cell was clicked, not where in it. Rows can be dragged into the plots.
bool ContactsPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::MouseButtonPress)
    pressedAt_ = static_cast<QMouseEvent*>(event)->position().toPoint();
  if (event->type() == QEvent::MouseMove) {
    const auto* move = static_cast<QMouseEvent*>(event);
    const QPoint at = move->position().toPoint();
    const QModelIndex pressed = view_->indexAt(pressedAt_);
    if ((move->buttons() & Qt::LeftButton) && pressed.isValid() &&
        (at - pressedAt_).manhattanLength() >= QApplication::startDragDistance()) {
      dragPlots(*view_, plotsOf(table_->pinOf(table_->row(pressed.row())), *session_.model()));
      return true;
    }
  }
  return Panel::eventFilter(watched, event);
}

/// Where names and points do not both fit, the names stay: the point is also in the inspector.
void ContactsPanel::fitPoint() {
  const QFontMetricsF metrics(textFont(600, kFontScale));
  qreal widest = kLeastPairWidth;
  for (int i = 0; i < table_->rowCount() && (table_->row(i).isSum || table_->row(i).isPinned); ++i)
    widest = std::max(widest, tabularWidth(metrics, table_->pairName(table_->row(i))) + kMarkWidth);
  view_->setColumnHidden(ContactTable::Point, width() < numbersWidth_ + static_cast<int>(std::ceil(widest)));
}

void ContactsPanel::refresh() {
  table_->refresh();
  fitPoint();
  if (!session_.moment().shown()) return;
  const int shown = table_->contacts(), all = shown + table_->hidden();
  setSubtitle(tr("%1 · %2 stick · %3 slip")
                  .arg(table_->hidden() > 0 ? tr("%1 of %2").arg(shown).arg(all) : QString::number(shown))
                  .arg(table_->sticking())
                  .arg(table_->slipping()));
}

void ContactsPanel::follow() {
  if (const auto* contact = std::get_if<ContactKey>(&session_.focus().selection())) {
    const int row = table_->find(*contact);
    if (row >= 0) view_->scrollTo(table_->index(row, 0));
  }
  view_->viewport()->update();
}

void ContactsPanel::click(const QModelIndex& index) {
  const ContactRow& row = table_->row(index.row());
  const QRect cell = view_->visualRect(index);
  if (index.column() == ContactTable::Pair && pressedAt_.x() > cell.right() - kPinWidth)
    return session_.pinBoard().togglePin(table_->pinOf(row));
  const render::Selection selection = selectionOf(row);
  // A second click lets go.
  session_.focus().select(selection == session_.focus().selection() ? render::Selection() : selection);
}

void ContactsPanel::selectRow(const QModelIndex& index) {
  session_.focus().select(selectionOf(table_->row(index.row())));
}

void ContactsPanel::exportCsv() {
  const auto shown = session_.moment().shown();
  if (!shown) return;
  const QString proposal = QString("contacts-%1.csv").arg(shown->time, 0, 'f', 3);
  const QString file = QFileDialog::getSaveFileName(this, tr("Export contacts"), proposal, tr("CSV (*.csv)"));
  if (file.isEmpty()) return;
  QSaveFile out(file);
  if (out.open(QIODevice::WriteOnly) && out.write(contactsAsCsv(*shown->model, *shown)) >= 0 && out.commit())
    session_.messages().tell(LogLevel::Info, tr("wrote %1").arg(file));
  else
    Q_EMIT session_.messages().failed(Error{ErrorCode::FileUnwritable, out.errorString().toStdString(),
                                            file.toStdString(), "choose a folder that you may write to"});
}

}  // namespace slipstick::ui
