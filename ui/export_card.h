// A card at the lower edge of the picture while a file is written: which, how far, a way out; then where it is.
#pragma once

#include <QTimer>

#include "ui/controls.h"
#include "ui/exports.h"
#include "ui/floating_card.h"

namespace slipstick::ui {

/// It lies over the picture and moves nothing. What was written stays on it for a while, with a button that opens it.
class ExportCard : public FloatingCard {
  Q_OBJECT

 public:
  /// @param over  what it lies over and belongs to
  ExportCard(Exports& exports, QWidget* over);
  QString title() const { return title_->text(); }
  QString detail() const { return detail_->text(); }
  FlatButton& cancelButton() { return *cancel_; }
  FlatButton& openButton() { return *open_; }
  FlatButton& folderButton() { return *folder_; }
  FlatButton& closeButton() { return *close_; }

 private:
  void build();
  void follow();
  void showWritten(const QString& file, const QString& note);
  void showButtons(bool isWriting);

  Exports& exports_;
  QString written_;  ///< the file that it tells of; empty while one is written
  ThemedLabel *title_, *detail_;
  FlatButton *cancel_, *open_, *folder_, *close_;
  QTimer patience_;  ///< what is quick does not flash
  QTimer goes_;      ///< what was written has been seen
};

}  // namespace slipstick::ui
