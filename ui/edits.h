// What a person can undo: edits of the running scene.
#pragma once

#include <QUndoCommand>
#include <memory>
#include <string>
#include <utility>

#include "ui/number_editor.h"
#include "ui/scene_editor.h"

namespace slipstick::ui {

/// A number that joins what is edited in one go, of the whole program: an undo never joins two of them.
inline int nextGesture() {
  static int last = 0;
  return ++last;
}

class ParameterEdit : public QUndoCommand {
 public:
  /// @param gesture  edits of one path in one gesture are undone together; 0: alone
  ParameterEdit(NumberEditor& numbers, std::string path, ParameterValue value, int gesture)
      : numbers_(numbers),
        path_(std::move(path)),
        before_(numbers.parameter(path_)),
        after_(std::move(value)),
        gesture_(gesture) {
    setText(QString::fromStdString(path_));
  }
  void redo() override { numbers_.applyParameter(path_, after_); }
  void undo() override { numbers_.applyParameter(path_, before_); }
  int id() const override { return gesture_ == 0 ? -1 : gesture_; }
  bool mergeWith(const QUndoCommand* next) override {
    const auto* edit = dynamic_cast<const ParameterEdit*>(next);
    if (!edit || edit->path_ != path_) return false;
    after_ = edit->after_;
    setObsolete(after_ == before_);
    return true;
  }

 private:
  NumberEditor& numbers_;
  std::string path_;
  ParameterValue before_, after_;
  int gesture_;
};

/// Something has come, gone, or been made other.
class StructureEdit : public QUndoCommand {
 public:
  using Place = SceneEditor::BodyPlace;
  /// @param before, after  the scene as its author has it; `after` is there already
  /// @param place  of a body that was removed: where it comes back to
  StructureEdit(SceneEditor& editor, const QString& what, std::shared_ptr<const Scene> before,
                std::shared_ptr<const Scene> after, Place place)
      : editor_(editor), before_(std::move(before)), after_(std::move(after)), place_(std::move(place)) {
    setText(what);
  }
  void redo() override {
    if (std::exchange(isDone_, true)) editor_.become(after_);
  }
  void undo() override { editor_.become(before_, place_); }

 private:
  SceneEditor& editor_;
  std::shared_ptr<const Scene> before_, after_;
  Place place_;
  bool isDone_ = false;
};

}  // namespace slipstick::ui
