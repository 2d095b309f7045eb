// The numbers of the open scene that a person changes while it runs; values are in force from the next step on.
#pragma once

#include <QObject>
#include <map>
#include <memory>
#include <string>

#include "engine/model/parameters.h"
#include "ui/commands.h"
#include "ui/messages.h"
#include "ui/shown_moment.h"

class QUndoStack;

namespace slipstick::ui {

class NumberEditor : public QObject {
  Q_OBJECT

 public:
  NumberEditor(OpenRun& run, const ShownMoment& moment, Commands& commands, QUndoStack& undo,
               Messages& messages);

  /// Before another scene is shown.
  void clear() { edits_.clear(); }
  /// Of a scene that has just been opened, at the step shown.
  void begin();
  /// Another model: what was edited stays so where it has something of that name.
  void follow();
  /// The numbers in force at the step shown of a recording, with what the person has changed here since.
  void followStored();
  /// A branch continues with the values that the inspector shows, whatever was in force at its first step.
  void postAll();

  const Tuning& tuning() const { return tuning_; }  ///< what the inspector shows
  /// What stands at a path of engine/model/parameters.h; empty: nothing there, what is further out decides.
  ParameterValue parameter(const std::string& path) const;
  double friction(int geometry) const;
  /// Undoable; failed() says why where the value cannot be.
  /// @param gesture  edits of one path with the same number are undone together; 0: alone
  void editParameter(const std::string& path, const ParameterValue& value, int gesture = 0);
  /// The same without a way back: what ParameterEdit does.
  void applyParameter(const std::string& path, const ParameterValue& value);

 Q_SIGNALS:
  void applied();  ///< by a person; settingsChanged() follows
  void settingsChanged();

 private:
  OpenRun& run_;
  const ShownMoment& moment_;
  Commands& commands_;
  QUndoStack& undo_;
  Messages& messages_;
  Tuning tuning_;
  std::shared_ptr<const Tuning> storedTuning_;  ///< of the step shown of a recording
  struct NumberEdit {
    ParameterValue value;
    std::shared_ptr<const Model> model;  ///< that its path belongs to
  };
  std::map<std::string, NumberEdit> edits_;  ///< by path
};

}  // namespace slipstick::ui
