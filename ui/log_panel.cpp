#include "ui/log_panel.h"

#include <QPainter>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <QTime>
#include <cmath>

#include "ui/icons.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

enum Role { kLevel = Qt::UserRole, kTime };
constexpr int kMostLines = 2000;

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
    const bool bad = level == LogLevel::Error, odd = level == LogLevel::Warning;
    const QPointF corner = option.rect.topLeft() + QPoint(kMargin, 3);
    painter->save();
    painter->setFont(monoFont());
    painter->setPen(t.faint);
    painter->drawText(QRectF(corner, QSizeF(70, 20)), Qt::AlignLeft | Qt::AlignTop,
                      index.data(kTime).toString());
    painter->drawPixmap(corner + QPointF(64, 0), iconPixmap(bad   ? "error"
                                                            : odd ? "warning"
                                                                  : "info",
                                                            bad   ? t.error
                                                            : odd ? t.bookmark
                                                                  : t.faint));
    painter->setPen(bad ? t.text : t.secondary);
    QTextLayout layout(index.data().toString(), monoFont());
    layOut(layout, option.rect.width() - kTextLeft - kMargin);
    layout.draw(painter, corner + QPointF(kTextLeft - kMargin, 0));
    painter->restore();
  }
};

}  // namespace

LogPanel::LogPanel(Session& session, QWidget* parent) : Panel(tr("Log"), "log", parent) {
  connect(&session, &Session::told, this, &LogPanel::add);
  filter_ = new Field(tr("filter"));
  filter_->setFixedWidth(112);
  filter_->setClearButtonEnabled(true);
  addToHeader(filter_);
  list_ = new QListWidget;
  list_->setItemDelegate(new LinePainter(list_));
  list_->setSelectionMode(QAbstractItemView::NoSelection);
  list_->setFocusPolicy(Qt::TabFocus);
  list_->setAccessibleName(tr("Log"));
  list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setResizeMode(QListView::Adjust);
  setWidget(list_);
  connect(filter_, &QLineEdit::textChanged, this, [this] {
    for (int i = 0; i < list_->count(); ++i) list_->item(i)->setHidden(!matches(*list_->item(i)));
  });
}

bool LogPanel::matches(const QListWidgetItem& item) const {
  return item.text().contains(filter_->text().trimmed(), Qt::CaseInsensitive);
}

void LogPanel::add(LogLevel level, const QString& text) {
  auto* item = new QListWidgetItem(text);
  item->setData(kLevel, static_cast<int>(level));
  item->setData(kTime, QTime::currentTime().toString("HH:mm:ss"));
  item->setToolTip(text);
  list_->addItem(item);
  item->setHidden(!matches(*item));
  if (list_->count() > kMostLines) delete list_->takeItem(0);
  list_->scrollToBottom();
}

}  // namespace slipstick::ui
