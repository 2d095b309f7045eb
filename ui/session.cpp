#include "ui/session.h"

#include "ui/companions.h"
#include "ui/driving.h"
#include "ui/episode_list.h"
#include "ui/episodes.h"
#include "ui/exports.h"
#include "ui/playback.h"
#include "ui/plot_list.h"
#include "ui/run_reader.h"
#include "ui/run_recording.h"
#include "ui/scene_document.h"
#include "ui/task_draws.h"

namespace slipstick::ui {

Session::Session(StudioServices services, QObject* parent)
    : QObject(parent),
      services_(std::move(services)),
      moment_(run_, messages_),
      names_(moment_),
      focus_(moment_, messages_),
      marks_(moment_),
      commands_(run_, moment_, messages_),
      numbers_(std::make_unique<NumberEditor>(run_, moment_, commands_, undo_, messages_)),
      playback_(std::make_unique<Playback>(*this)),
      transport_(std::make_unique<Transport>(services_, run_, moment_, *numbers_, *playback_, messages_)),
      joints_(std::make_unique<JointDriver>(moment_, commands_, *transport_, messages_)),
      draws_(std::make_unique<TaskDraws>(run_, *transport_)),
      methods_(std::make_unique<MethodAdvice>(services_, run_, moment_, *numbers_, *transport_, messages_)),
      companions_(
          std::make_unique<Companions>(services_, run_, *methods_, *numbers_, *transport_, messages_)),
      document_(std::make_unique<SceneDocument>(*this)),
      opener_(std::make_unique<SceneOpener>(services_, run_, *document_, messages_,
                                            [this](OpenedScene scene) { adopt(std::move(scene)); })),
      exports_(std::make_unique<Exports>()),
      episodeList_(std::make_unique<EpisodeList>(services_, run_, *exports_, messages_)),
      recording_(std::make_unique<RunRecording>(*this, run_)),
      driving_(std::make_unique<Driving>(*this, run_)),
      episodes_(std::make_unique<Episodes>(*this)),
      editor_(std::make_unique<SceneEditor>(services_, run_, moment_, focus_, undo_, *draws_, messages_)),
      reader_(std::make_unique<RunReader>()),
      plots_(std::make_unique<PlotList>()),
      pinBoard_(std::make_unique<PinBoard>(moment_, names_, focus_, *plots_, messages_)) {
  connect(playback_.get(), &Playback::changed, &run_, &OpenRun::statusChanged);
  connect(transport_.get(), &Transport::wentOnOnCpu, this,
          [this] { opener_->setMakeStepper(services_.makeCpuStepper); });
  connect(&moment_, &ShownMoment::modelReplaced, this, &Session::adoptModel);
  // Before all others, who read the numbers when they hear of the step.
  connect(&moment_, &ShownMoment::shownChanged, numbers_.get(), &NumberEditor::followStored);
  connectExports();
  connect(recording_.get(), &RunRecording::changed, episodes_.get(), &Episodes::follow);
  connect(&run_, &OpenRun::statusChanged, episodes_.get(), &Episodes::follow);
}

Session::~Session() {
  undo_.clear();  // while all who hear of it are there
}

void Session::connectExports() {
  connect(exports_.get(), &Exports::written, this, [this](const QString& file, const QString& note) {
    messages_.tell(LogLevel::Info, tr("wrote %1").arg(file) + (note.isEmpty() ? QString() : ": " + note));
  });
  connect(exports_.get(), &Exports::stopped, this,
          [this](const QString& file) { messages_.tell(LogLevel::Info, tr("%1 was given up").arg(file)); });
  connect(exports_.get(), &Exports::failed, &messages_, &Messages::failed);
}

void Session::adopt(OpenedScene scene) {
  recording_->stop();
  if (isOpen()) run_.simulation().setPilot(nullptr);
  run_.replace(std::move(scene.simulation));
  forget();
  run_.setStored(std::move(scene.stored));
  moment_.begin();
  numbers_->begin();
  names_.begin(opener_->notices());
  // The scene of a recording has no file here: saving it asks for one.
  document_->begin(run_.stored() ? std::string() : model()->file, scene.read);
  numbers_->followStored();
  focus_.begin();
  driving_->begin();
  episodes_->open();
  opener_->sayOpened();
  methods_->begin(opener_->notices());
  sayAll();
}

/// What belongs to the scene before.
void Session::forget() {
  editor_->clear();
  numbers_->clear();
  focus_.clear();
  moment_.leave();
  marks_.clear();
  companions_->clear();
  pinBoard_->clear();
  plots_->clear();
  playback_->stop();
  transport_->begin();
}

void Session::sayAll() {
  Q_EMIT focus_.selectionChanged();
  Q_EMIT marks_.ghostChanged();
  Q_EMIT pinBoard_->pinsChanged();
  Q_EMIT marks_.rangeChanged();
  Q_EMIT companions_->changed();
  Q_EMIT numbers_->settingsChanged();
  Q_EMIT moment_.shownChanged();
  Q_EMIT run_.statusChanged();
}

// What was selected or edited stays so where the other model has something of its name.
void Session::adoptModel(const Model& before) {
  names_.follow();
  focus_.follow(before);
  pinBoard_->follow(before);
  numbers_->follow();
  methods_->lookSoon();
  Q_EMIT moment_.modelChanged();
  Q_EMIT focus_.selectionChanged();
}

}  // namespace slipstick::ui
