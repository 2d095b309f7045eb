// What the dialogs about files of a run have in common: rows, a line that says what will be, and a way on.
#pragma once

#include <QDialog>
#include <QGridLayout>
#include <QPushButton>
#include <QTimer>

#include "ui/choices.h"
#include "ui/controls.h"
#include "ui/export_range.h"

namespace slipstick::ui {

/// Which stretch of the run: a list, and two times that may be typed.
class RangeFields : public QWidget {
  Q_OBJECT

 public:
  explicit RangeFields(QWidget* parent = nullptr);
  RangeChoice choice() const;
  void setChoice(const RangeChoice& choice);
  /// Shows what the choice means now.
  void refresh(const RunTimes& times);
  ChoiceList& list() { return *list_; }
  NumberField& from() { return *from_; }
  NumberField& to() { return *to_; }

 Q_SIGNALS:
  void changed();

 private:
  RangeKind kind() const { return static_cast<RangeKind>(list_->currentIndex()); }
  void enter();
  ChoiceList* list_;
  NumberField *from_, *to_;
};

class ExportDialog : public QDialog {
  Q_OBJECT

 public:
  ExportDialog(const QString& title, const QString& action, QWidget* parent);
  QString summary() const { return summary_->text(); }
  bool hasError() const { return hasError_; }
  QPushButton& exportButton() { return *export_; }

 Q_SIGNALS:
  void exportWanted();

 protected:
  QLabel* addHeading(const QString& text);
  /// @param explanation  a tooltip of its name and of what has none of its own
  QHBoxLayout* addRow(const QString& name, const std::vector<QWidget*>& widgets, const QString& explanation);
  /// Hides or shows what addRow() gave.
  void setRowShown(QHBoxLayout* row, bool shown);
  /// A number that refresh() follows.
  /// @param name       for people who cannot see it
  /// @param onEntered  before that, when a person has typed one
  NumberField* numberField(const QString& name, double value, std::function<void()> onEntered = {});
  Field* textField(const QString& name, const QString& placeholder);
  QLabel* unit(const QString& text);
  QPushButton& closeButton() { return *close_; }
  /// Below the rows. @param further  buttons of its own, before those that every dialog has
  void addFooter(const std::vector<QWidget*>& further = {});
  /// For destructors: what is being typed is committed when its field goes, and nobody is there to take it.
  void letGo();
  /// What would be written, or why nothing can be.
  virtual void refresh() = 0;
  void say(const QString& summary);
  void sayError(const Error& error);
  void keyPressEvent(QKeyEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void commitAndExport();
  struct Row {
    QHBoxLayout* layout;
    QWidget* label;
  };
  QGridLayout* grid_;
  std::vector<Row> rows_;
  QLabel* summary_;
  QPushButton *export_, *close_;
  bool hasError_ = false;
  QTimer timer_;  ///< the run goes on while the dialog is open
};

}  // namespace slipstick::ui
