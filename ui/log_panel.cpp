#include "ui/log_panel.h"

#include <QPainter>
#include <QStyledItemDelegate>
#include <QTime>

#include "ui/icons.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

enum Role { kLevel = Qt::UserRole, kTime };
constexpr int kMostLines = 2000;

class LinePainter : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const int width = std::max(120, static_cast<const QWidget*>(option.widget)->width() - 122);
    const QRect text =
        QFontMetrics(monoFont()).boundingRect(QRect(0, 0, width, 10000), kWrap, index.data().toString());
    return {120, text.height() + 6};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Theme& t = theme();
    const auto level = static_cast<LogPanel::Level>(index.data(kLevel).toInt());
    const bool bad = level == LogPanel::Level::Error, odd = level == LogPanel::Level::Warning;
    painter->save();
    painter->setFont(monoFont());
    const QRect rect = option.rect.adjusted(12, 3, -12, -3);
    painter->setPen(t.faint);
    painter->drawText(rect, Qt::AlignLeft | Qt::AlignTop, index.data(kTime).toString());
    painter->drawPixmap(QPointF(rect.left() + 64, rect.top()), iconPixmap(bad   ? "error"
                                                                          : odd ? "warning"
                                                                                : "info",
                                                                          bad   ? t.error
                                                                          : odd ? t.bookmark
                                                                                : t.faint));
    painter->setPen(bad ? t.text : t.secondary);
    painter->drawText(rect.adjusted(88, 0, 0, 0), kWrap, index.data().toString());
    painter->restore();
  }

 private:
  static constexpr int kWrap =
      int(Qt::AlignLeft) | int(Qt::AlignTop) | int(Qt::TextWrapAnywhere) | int(Qt::TextWordWrap);
};

}  // namespace

LogPanel::LogPanel(QWidget* parent) : Panel(tr("Log"), "log", parent) {
  filter_ = new Field(tr("filter"));
  filter_->setFixedWidth(112);
  filter_->setClearButtonEnabled(true);
  addToHeader(filter_);
  list_ = new QListWidget;
  list_->setItemDelegate(new LinePainter(list_));
  list_->setSelectionMode(QAbstractItemView::NoSelection);
  list_->setFocusPolicy(Qt::NoFocus);
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

void LogPanel::add(Level level, const QString& text) {
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
