#include "ui/log_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QTime>
#include <cmath>
#include <memory>

#include "ui/icons.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

enum Role { kLevel = Qt::UserRole, kTime };
constexpr int kMaxLines = 2000;

struct LevelLook {
  const char* icon;
  QColor Theme::*color;
  const char* word;
};
constexpr std::array<LevelLook, 3> kLevels = {
    {{"info", &Theme::faint, QT_TRANSLATE_NOOP("LogPanel", "info")},
     {"warning", &Theme::bookmark, QT_TRANSLATE_NOOP("LogPanel", "warning")},
     {"error", &Theme::error, QT_TRANSLATE_NOOP("LogPanel", "error")}}};

const LevelLook& lookOf(LogLevel level) {
  return kLevels[static_cast<std::size_t>(level)];
}
LogLevel levelOf(const QListWidgetItem& item) {
  return static_cast<LogLevel>(item.data(kLevel).toInt());
}

constexpr int kTextLeft = 100, kMargin = 12;

/// Breaks between words where it can, inside long paths where it must.
void layOut(QTextLayout& layout, qreal width) {
  QTextOption option;
  option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  layout.setTextOption(option);
  layout.beginLayout();
  qreal y = 0;
  for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
    line.setLineWidth(width);
    line.setPosition({0, y});
    y += line.height();
  }
  layout.endLayout();
}

class LinePainter : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QTextLayout layout(index.data().toString(), monoFont());
    const int width = static_cast<const QListView*>(option.widget)->viewport()->width();
    layOut(layout, std::max(120, width - kTextLeft - kMargin));
    return {120, static_cast<int>(std::ceil(layout.boundingRect().height())) + 6};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Theme& t = theme();
    const auto level = static_cast<LogLevel>(index.data(kLevel).toInt());
    const LevelLook& look = lookOf(level);
    const QPointF corner = option.rect.topLeft() + QPoint(kMargin, 3);
    painter->save();
    if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, t.selection);
    painter->setFont(monoFont());
    painter->setPen(t.faint);
    painter->drawText(QRectF(corner, QSizeF(70, 20)), Qt::AlignLeft | Qt::AlignTop,
                      index.data(kTime).toString());
    painter->drawPixmap(corner + QPointF(64, 0), iconPixmap(look.icon, t.*look.color));
    painter->setPen(level == LogLevel::Error ? t.text : t.secondary);
    QTextLayout layout(index.data().toString(), monoFont());
    layOut(layout, option.rect.width() - kTextLeft - kMargin);
    layout.draw(painter, corner + QPointF(kTextLeft - kMargin, 0));
    painter->restore();
  }
};

/// Copies and selects by the usual keys, which the window has for others.
class LogList : public QListWidget {
 public:
  std::function<void()> copy;

 protected:
  bool event(QEvent* event) override {
    if (event->type() == QEvent::ShortcutOverride) {
      const auto* key = static_cast<QKeyEvent*>(event);
      if (key->matches(QKeySequence::Copy) || key->matches(QKeySequence::SelectAll)) {
        event->accept();
        return true;
      }
    }
    return QListWidget::event(event);
  }
  void keyPressEvent(QKeyEvent* event) override {
    event->matches(QKeySequence::Copy) ? copy() : QListWidget::keyPressEvent(event);
  }
};

}  // namespace

// ---------------------------------------------------------------------------------------------- LevelButton

LevelButton::LevelButton(LogLevel level, QWidget* parent) : QAbstractButton(parent), level_(level) {
  setCheckable(true);
  setChecked(true);
  setFocusPolicy(Qt::TabFocus);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAttribute(Qt::WA_Hover);
  const QString word = LogPanel::tr(lookOf(level).word);
  setToolTip(LogPanel::tr("Show or hide messages of the level \"%1\"").arg(word));
  setCount(0);
}

void LevelButton::setCount(int count) {
  count_ = count;
  setText(QString::number(count));
  setAccessibleName(LogPanel::tr("%1: %2 messages").arg(LogPanel::tr(lookOf(level_).word)).arg(count));
  updateGeometry();
  update();
}

QSize LevelButton::sizeHint() const {
  return {34 + static_cast<int>(std::ceil(tabularWidth(QFontMetricsF(font()), text()))), 25};
}

void LevelButton::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(hasFocus() ? QPen(t.accent, 1.5) : Qt::NoPen);
  painter.setBrush(underMouse() ? t.hover : isChecked() ? t.raised : t.panel);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
  const LevelLook& look = lookOf(level_);
  const bool isLoud = count_ > 0 && isChecked();
  painter.setOpacity(isChecked() ? 1 : 0.55);
  painter.drawPixmap(QPointF(7, (height() - 16) / 2.0),
                     iconPixmap(look.icon, isLoud ? t.*look.color : t.faint));
  painter.setPen(isLoud && level_ == LogLevel::Error ? t.error : isChecked() ? t.text : t.faint);
  drawTabular(painter, QRectF(27, 0, width() - 30, height()), Qt::AlignLeft, text());
}

void LevelButton::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return click();
  QAbstractButton::keyPressEvent(event);
}

// ------------------------------------------------------------------------------------------------- LogPanel

LogPanel::LogPanel(Session& session, QWidget* parent) : Panel(tr("Log"), "log", parent) {
  connect(&session.messages(), &Messages::told, this, &LogPanel::add);
  buildHeader();
  buildList();
}

void LogPanel::buildHeader() {
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    levels_[i] = new LevelButton(static_cast<LogLevel>(i));
    addToHeader(levels_[i]);
    connect(levels_[i], &QAbstractButton::toggled, this, &LogPanel::applyFilter);
  }
  filter_ = new Field(tr("filter"));
  filter_->setFixedWidth(96);
  filter_->setClearButtonEnabled(true);
  addToHeader(filter_);
  connect(filter_, &QLineEdit::textChanged, this, &LogPanel::applyFilter);
  auto* copies = new FlatButton("copy", {});
  copies->setQuiet(true);
  copies->setToolTip(tr("Copy the selected lines, or all that are shown (Ctrl+C in the list)"));
  copies->setAccessibleName(tr("Copy the log"));
  connect(copies, &QAbstractButton::clicked, this, &LogPanel::copy);
  addToHeader(copies);
  auto* clears = new FlatButton("clear", {});
  clears->setQuiet(true);
  clears->setToolTip(tr("Clear the log"));
  clears->setAccessibleName(tr("Clear the log"));
  connect(clears, &QAbstractButton::clicked, this, &LogPanel::clear);
  addToHeader(clears);
}

void LogPanel::buildList() {
  auto* list = new LogList;
  list->copy = [this] { copy(); };
  list_ = list;
  list_->setItemDelegate(new LinePainter(list_));
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setAccessibleName(tr("Log"));
  list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setResizeMode(QListView::Adjust);
  // Whatever moves the end away: a line that is added, a panel that takes room, words that are filtered.
  QScrollBar* bar = list_->verticalScrollBar();
  connect(bar, &QScrollBar::valueChanged, this, [this, bar](int at) { follows_ = at >= bar->maximum() - 4; });
  connect(bar, &QScrollBar::rangeChanged, this, [this, bar](int, int most) {
    if (follows_) bar->setValue(most);
  });
  setWidget(list_);
}

bool LogPanel::matches(const QListWidgetItem& item) const {
  return levels_[static_cast<std::size_t>(levelOf(item))]->isChecked() &&
         item.text().contains(filter_->text().trimmed(), Qt::CaseInsensitive);
}

void LogPanel::applyFilter() {
  for (int i = 0; i < list_->count(); ++i) {
    QListWidgetItem* item = list_->item(i);
    item->setHidden(!matches(*item));
    if (item->isHidden()) item->setSelected(false);
  }
}

void LogPanel::add(LogLevel level, const QString& text) {
  auto* item = new QListWidgetItem(text);
  item->setData(kLevel, static_cast<int>(level));
  item->setData(kTime, QTime::currentTime().toString("HH:mm:ss"));
  item->setToolTip(text);
  list_->addItem(item);
  item->setHidden(!matches(*item));
  LevelButton& button = levelButton(level);
  button.setCount(button.count() + 1);
  if (list_->count() > kMaxLines) trim();
}

/// The oldest goes, errors last.
void LogPanel::trim() {
  for (int row = 0; row < list_->count(); ++row)
    if (levelOf(*list_->item(row)) != LogLevel::Error) return remove(row);
  remove(0);
}

void LogPanel::remove(int row) {
  const std::unique_ptr<QListWidgetItem> item(list_->takeItem(row));
  LevelButton& button = levelButton(levelOf(*item));
  button.setCount(button.count() - 1);
}

void LogPanel::clear() {
  list_->clear();
  for (LevelButton* button : levels_) button->setCount(0);
}

QString LogPanel::text() const {
  QStringList lines;
  const bool onlySelected = !list_->selectedItems().isEmpty();
  for (int i = 0; i < list_->count(); ++i) {
    const QListWidgetItem& item = *list_->item(i);
    if (onlySelected ? item.isSelected() : !item.isHidden())
      lines << item.data(kTime).toString() + "  " + tr(lookOf(levelOf(item)).word) + "  " + item.text();
  }
  return lines.join('\n');
}

void LogPanel::copy() {
  QGuiApplication::clipboard()->setText(text());
}

}  // namespace slipstick::ui
