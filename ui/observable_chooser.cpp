#include "ui/observable_chooser.h"

#include <QKeyEvent>
#include <QVBoxLayout>

#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {

ObservableChooser::ObservableChooser(std::vector<RunColumns::Name> names, QWidget* parent)
    : QWidget(parent, Qt::Popup), names_(std::move(names)) {
  setAttribute(Qt::WA_DeleteOnClose);
  setAccessibleName(tr("values of this run"));
  setAutoFillBackground(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kSpace, kSpace, kSpace, kSpace);
  column->setSpacing(kSpace);
  filter_ = new Field(tr("filter, such as contact or energy"));
  filter_->setAccessibleName(tr("filter"));
  list_ = new QListWidget;
  list_->setAccessibleName(tr("values"));
  list_->setUniformItemSizes(true);
  column->addWidget(filter_);
  column->addWidget(list_, 1);
  for (const RunColumns::Name& name : names_) list_->addItem(toQString(name.column()));
  list_->setCurrentRow(0);
  filter_->installEventFilter(this);
  filter_->setFocus();
  connect(filter_, &QLineEdit::textChanged, this, &ObservableChooser::applyFilter);
  connect(list_, &QListWidget::itemActivated, this, &ObservableChooser::choose);
}

/// Words in any order: "rol f z" finds roller.contact.fz.
void ObservableChooser::applyFilter(const QString& text) {
  const QStringList words = text.split(' ', Qt::SkipEmptyParts);
  int first = -1;
  for (int i = 0; i < list_->count(); ++i) {
    const bool shown = std::all_of(words.begin(), words.end(), [&](const QString& word) {
      return list_->item(i)->text().contains(word, Qt::CaseInsensitive);
    });
    list_->item(i)->setHidden(!shown);
    if (shown && first < 0) first = i;
  }
  list_->setCurrentRow(first);
}

void ObservableChooser::choose(const QListWidgetItem* item) {
  if (!item) return;
  Q_EMIT chosen(names_[static_cast<std::size_t>(list_->row(item))]);
  close();
}

/// Up and down walk the list while one types.
bool ObservableChooser::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
      choose(list_->currentItem());
      return true;
    }
    if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown) {
      QCoreApplication::sendEvent(list_, event);
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace slipstick::ui
