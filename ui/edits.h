// What a person can undo: edits of the running scene.
#pragma once

#include <QUndoCommand>

#include "ui/session.h"

namespace slipstick::ui {

class ParameterEdit : public QUndoCommand {
 public:
  ParameterEdit(Session& session, std::string path, ParameterValue value)
      : session_(session),
        path_(std::move(path)),
        before_(session.parameter(path_)),
        after_(std::move(value)) {
    setText(QString::fromStdString(path_));
  }
  void redo() override { session_.applyParameter(path_, after_); }
  void undo() override { session_.applyParameter(path_, before_); }

 private:
  Session& session_;
  std::string path_;
  ParameterValue before_, after_;
};

}  // namespace slipstick::ui
