// The open scene as one window sees it. A session owns its parts, each of which does one thing, and tells them when
// another scene or model is there.
#pragma once

#include <QObject>
#include <QUndoStack>
#include <memory>

#include "ui/body_names.h"
#include "ui/commands.h"
#include "ui/focus.h"
#include "ui/joint_driver.h"
#include "ui/messages.h"
#include "ui/method_advice.h"
#include "ui/number_editor.h"
#include "ui/open_run.h"
#include "ui/pin_board.h"
#include "ui/scene_editor.h"
#include "ui/scene_opener.h"
#include "ui/shown_moment.h"
#include "ui/studio.h"
#include "ui/time_marks.h"
#include "ui/transport.h"

namespace slipstick::ui {

class Companions;
class Driving;
class EpisodeList;
class Episodes;
class Exports;
class PlotList;
class Playback;
class RunReader;
class RunRecording;
class SceneDocument;
class TaskDraws;

class Session : public QObject {
  Q_OBJECT

 public:
  explicit Session(StudioServices services, QObject* parent = nullptr);
  ~Session() override;

  const StudioServices& services() const { return services_; }
  bool isOpen() const { return run_.isOpen(); }
  /// Of the step shown; null when no scene is open.
  std::shared_ptr<const Model> model() const { return moment_.model(); }

  Messages& messages() { return messages_; }
  SceneOpener& opener() { return *opener_; }
  const SceneOpener& opener() const { return *opener_; }
  /// To be asked; what changes it are the parts below.
  const OpenRun& run() const { return run_; }

  // ---- time
  ShownMoment& moment() { return moment_; }
  const ShownMoment& moment() const { return moment_; }
  Transport& transport() { return *transport_; }
  const Transport& transport() const { return *transport_; }
  Playback& playback() { return *playback_; }  ///< of what is stored
  TimeMarks& marks() { return marks_; }
  const TimeMarks& marks() const { return marks_; }
  RunReader& reader() { return *reader_; }
  MethodAdvice& methods() { return *methods_; }
  const MethodAdvice& methods() const { return *methods_; }

  Companions& companions() { return *companions_; }  ///< runs that step beside the simulation
  const Companions& companions() const { return *companions_; }

  // ---- editing
  QUndoStack& undoStack() { return undo_; }
  NumberEditor& numbers() { return *numbers_; }
  const NumberEditor& numbers() const { return *numbers_; }
  SceneEditor& editor() { return *editor_; }
  const SceneEditor& editor() const { return *editor_; }
  Commands& commands() { return commands_; }
  JointDriver& joints() { return *joints_; }
  SceneDocument& document() { return *document_; }

  // ---- looking
  Focus& focus() { return focus_; }
  const Focus& focus() const { return focus_; }
  const BodyNames& names() const { return names_; }
  PinBoard& pinBoard() { return *pinBoard_; }
  const PinBoard& pinBoard() const { return *pinBoard_; }
  PlotList& plots() { return *plots_; }

  // ---- what goes to files, and arms
  Exports& exports() { return *exports_; }
  RunRecording& recording() { return *recording_; }  ///< of the simulation, into a file
  Driving& driving() { return *driving_; }           ///< of arms by hand
  Episodes& episodes() { return *episodes_; }        ///< tries at the scene's task
  EpisodeList& episodeList() { return *episodeList_; }
  TaskDraws& draws() { return *draws_; }  ///< of the task's reset

 private:
  void connectExports();
  void adopt(OpenedScene scene);
  void forget();
  void sayAll();
  void adoptModel(const Model& before);

  StudioServices services_;
  Messages messages_;
  OpenRun run_;
  ShownMoment moment_;
  BodyNames names_;
  Focus focus_;
  TimeMarks marks_;
  Commands commands_;
  QUndoStack undo_;
  std::unique_ptr<NumberEditor> numbers_;
  std::unique_ptr<Playback> playback_;
  std::unique_ptr<Transport> transport_;
  std::unique_ptr<JointDriver> joints_;
  std::unique_ptr<TaskDraws> draws_;
  std::unique_ptr<MethodAdvice> methods_;
  std::unique_ptr<Companions> companions_;
  std::unique_ptr<SceneDocument> document_;
  std::unique_ptr<SceneOpener> opener_;
  std::unique_ptr<Exports> exports_;
  std::unique_ptr<EpisodeList> episodeList_;
  std::unique_ptr<RunRecording> recording_;
  std::unique_ptr<Driving> driving_;
  std::unique_ptr<Episodes> episodes_;
  std::unique_ptr<SceneEditor> editor_;
  std::unique_ptr<RunReader> reader_;
  std::unique_ptr<PlotList> plots_;  ///< those of pins go with them
  std::unique_ptr<PinBoard> pinBoard_;
};

}  // namespace slipstick::ui
