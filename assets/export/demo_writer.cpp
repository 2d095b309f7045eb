#include "assets/export/demo_writer.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>

#include "assets/export/demo_actions.h"
#include "assets/export/demo_observations.h"
#include "assets/limits.h"
#include "assets/recording/episode.h"
#include "assets/recording/hdf5_file.h"
#include "assets/recording/recorded_run.h"
#include "assets/shipped.h"
#include "engine/compile/task_reset.h"
#include "engine/facts/observables.h"
#include "engine/foundation/number_text.h"
#include "engine/foundation/output_claim.h"
#include "engine/runtime/task_watch.h"

namespace slipstick::assets {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::uint64_t kRows = 256;  // that are read, and written, at a time
/// What Isaac Lab writes, and robomimic's number of Gym: neither simulates the scene again, both only train.
constexpr int kEnvironmentType = 2;

hdf5::Handle newGroup(hid_t where, const std::string& name) {
  return {H5Gcreate2(where, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
}

/// Fields of a demonstration, in the order of the enum.
enum Field { States, Actions, Deltas, Asked, Rewards, Dones, Hashes, PictureSteps };
std::vector<hdf5::Field> fieldsOf(std::size_t observables, std::size_t effectors, bool hasPictures) {
  using hdf5::Number;
  std::vector<hdf5::Field> fields = {
      {"states", Number::F64, {observables}, "", "observables by data/state_names"},
      {"actions",
       Number::F64,
       {EffectorAction::kNumbers * effectors},
       "m, 1, 1",
       "per effector: goal x, y, z, qw, qx, qy, qz of the tool frame in the world, closing 0 to 1"},
      {"actions_delta",
       Number::F64,
       {7 * effectors},
       "m, rad, 1",
       "per effector: goal less that of the sample before: position, rotation vector in the world; closing "
       "-1 to 1"},
      {"actions_asked",
       Number::U8,
       {effectors},
       "",
       "bits: 1 the goal was asked for, 2 so was the closing, 4 another posture was"},
      {"rewards", Number::F64, {}, "", "1 from where the task has succeeded"},
      {"dones", Number::U8, {}, "", "1 from where the task has succeeded, and at the last sample"},
      {"state_hash", Number::U64, {}, "", "of the whole state of the simulation at the sample"}};
  if (hasPictures)
    fields.push_back({"picture_step",
                      Number::U64,
                      {},
                      "",
                      "that the sample's pictures show: its own, or the last before it with particles"});
  return fields;
}

/// The observations of a sample, and after them its pictures.
std::vector<hdf5::Field> withPictures(std::vector<hdf5::Field> fields, const DemoPictures& pictures) {
  using Number = DemoPictureField::Number;
  for (const DemoPictureField& picture : pictures.fields()) {
    hdf5::Field& field = fields.emplace_back();
    field.name = picture.name;
    field.number = picture.number == Number::U8    ? hdf5::Number::U8
                   : picture.number == Number::U16 ? hdf5::Number::U16
                                                   : hdf5::Number::F32;
    for (const int length : {picture.height, picture.width, picture.channels})
      field.shape.push_back(static_cast<std::size_t>(length));
    field.unit = picture.unit;
    field.meaning = picture.meaning;
    field.chunkRows = 1;  // who trains reads single samples, in any order
  }
  return fields;
}

/// One recording on its way into the file.
class DemoFile {
 public:
  DemoFile(const RecordedRun& run, const Episode& episode, const DemoOptions& options)
      : run_(run),
        recording_(run.recording()),
        episode_(episode),
        options_(options),
        model_(run.model()),
        observables_(observablesOf(*model_)),
        track_(model_, recording_.commands()),
        stride_(strideOf(*model_, options)) {
    if (model_->task) watch_.emplace(model_);
  }

  static std::uint64_t strideOf(const Model& model, const DemoOptions& options) {
    if (!options.rate) return 1;
    return static_cast<std::uint64_t>(std::max(1.0, std::round(1 / (*options.rate * model.time.dt))));
  }

  std::uint64_t samples() const {
    const std::uint64_t steps = recording_.stepCount() - 1;
    return (steps + stride_ - 1) / stride_;
  }
  bool succeeded() const { return succeeded_; }
  const std::string& notExact() const { return notExact_; }
  /// Whose contacts the recording does not have.
  std::size_t numbSamples() const { return numbSamples_; }
  std::vector<std::string> stateNames() const {
    std::vector<std::string> names;
    for (const Observable& observable : observables_)
      if (!observable.isWallTime) names.push_back(observable.column());
    return names;
  }

  Result<void> write(hid_t data, const std::string& name, const DemoObservations& observations,
                     const std::function<bool(double)>& goesOn) {
    if (Result<void> ok = table_.create(
            data, name, "one row per sample",
            fieldsOf(stateNames().size(), model_->effectors.size(), options_.pictures != nullptr));
        !ok)
      return ok;
    if (Result<void> ok =
            now_.create(data, name + "/obs", "before the action",
                        options_.pictures ? withPictures(observations.fields(), *options_.pictures)
                                          : observations.fields());
        !ok)
      return ok;
    if (Result<void> ok = next_.create(data, name + "/next_obs", "at the next sample", observations.fields());
        !ok)
      return ok;
    if (Result<void> ok = putSteps(observations, goesOn); !ok) return ok;
    const hdf5::Handle demo(H5Gopen2(data, name.c_str(), H5P_DEFAULT), H5Gclose);
    return writeFacts(demo.id());
  }

 private:
  Result<void> putSteps(const DemoObservations& observations, const std::function<bool(double)>& goesOn) {
    const std::uint64_t first = recording_.firstStep(), last = recording_.lastStep();
    for (std::uint64_t from = first; from <= last; from += kRows) {
      const std::uint64_t to = std::min(from + kRows, last + 1);
      const Result<std::vector<double>> values = recording_.values(from, to);
      const Result<std::vector<std::uint64_t>> hashes = recording_.hashes(from, to);
      if (!values) return values.error();
      if (!hashes) return hashes.error();
      for (std::uint64_t step = from; step < to; ++step) {
        const auto row = std::span(*values).subspan((step - from) * observables_.size(), observables_.size());
        if (Result<void> ok = putStep(step, row, (*hashes)[step - from], observations); !ok) return ok;
        const double done = static_cast<double>(step + 1 - first) / static_cast<double>(last + 1 - first);
        if (goesOn && !goesOn(done))
          return Error{ErrorCode::Cancelled, "the export was ended", episode_.file.string(), ""};
      }
      for (hdf5::Table* table : {&table_, &now_, &next_})
        if (Result<void> ok = flush(*table, to > last); !ok) return ok;
    }
    return {};
  }

  /// Datasets of a table end together only once all samples are there.
  static Result<void> flush(hdf5::Table& table, bool isLast) {
    return isLast || table.waitingBytes() > (std::size_t{8} << 20) ? table.flush() : Result<void>();
  }

  Result<void> putStep(std::uint64_t step, std::span<const double> values, std::uint64_t hash,
                       const DemoObservations& observations) {
    const std::uint64_t first = recording_.firstStep(), last = recording_.lastStep();
    Snapshot snapshot = snapshotFrom(model_, observables_, values);
    snapshot.step = step;
    if (watch_) watch_->add(snapshot);
    const bool isSample = (step - first) % stride_ == 0 && step < last;
    if (options_.tactile && (isSample || step == last))
      if (Result<void> ok = readContacts(snapshot); !ok) return ok;
    // Its observations are the next ones of the sample before, and so are those of the end.
    if (step > first && (isSample || step == last)) {
      observations.put(snapshot, next_);
      putEnd(step == last);
    }
    if (step == last) finalHash_ = hash;
    if (!isSample) return {};
    observations.put(snapshot, now_);
    sample_ = {};
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!observables_[i].isWallTime) sample_.state.push_back(values[i]);
    sample_.hash = hash;
    takeActions(track_.at(step, snapshot), snapshot);
    return options_.pictures ? putPictures(step, observations.fields().size()) : Result<void>();
  }

  Result<void> readContacts(Snapshot& snapshot) {
    Result<std::vector<Contact>> contacts = recording_.contactsAt(snapshot.step);
    if (!contacts) return contacts.error();
    snapshot.contacts = std::move(*contacts);
    const auto isTouched = [](const Wrench& wrench) { return !wrench.force.isZero(0); };
    if (snapshot.contacts.empty() &&
        std::any_of(snapshot.contactWrench.begin(), snapshot.contactWrench.end(), isTouched))
      ++numbSamples_;
    return {};
  }

  /// Into the fields from the first of pictures on.
  Result<void> putPictures(std::uint64_t step, std::size_t field) {
    const std::uint64_t shown = run_.shownStepBefore(step);
    if (shown != pictureStep_) {
      const Result<std::shared_ptr<const Snapshot>> snapshot = run_.read(shown, Detail::Particles);
      if (!snapshot) return snapshot.error();
      pictures_ = options_.pictures->draw(*snapshot);
      pictureStep_ = shown;
    }
    for (const DemoPicture& picture : pictures_)
      std::visit([&](const auto& numbers) { now_.put(field++, numbers.data(), numbers.size()); }, picture);
    sample_.pictureStep = shown;
    return flush(now_, false);
  }

  /// What came of a sample.
  void putEnd(bool isLast) {
    succeeded_ = succeeded_ || (watch_ && watch_->outcome() == TaskOutcome::Succeeded);
    if (isLast && episode_.outcome != EpisodeOutcome::Open)
      succeeded_ = episode_.outcome == EpisodeOutcome::Success;
    table_.put(States, sample_.state.data(), sample_.state.size());
    table_.put(Actions, sample_.actions.data(), sample_.actions.size());
    table_.put(Deltas, sample_.deltas.data(), sample_.deltas.size());
    table_.put(Asked, sample_.asked.data(), sample_.asked.size());
    table_.put<double>(Rewards, succeeded_ ? 1 : 0);
    table_.put<std::uint8_t>(Dones, succeeded_ || isLast ? 1 : 0);
    table_.put<std::uint64_t>(Hashes, sample_.hash);
    if (options_.pictures) table_.put<std::uint64_t>(PictureSteps, sample_.pictureStep);
  }

  void takeActions(const std::vector<EffectorAction>& actions, const Snapshot& snapshot) {
    const auto append = [](std::vector<double>& to, std::initializer_list<double> numbers) {
      to.insert(to.end(), numbers);
    };
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const EffectorAction& a = actions[i];
      append(sample_.actions, {a.p.x(), a.p.y(), a.p.z(), a.R.w(), a.R.x(), a.R.y(), a.R.z(), a.closing});
      sample_.asked.push_back(a.asked);
      const Pose start = effectorPose(*model_, i, snapshot);
      const Vec3 p = before_.empty() ? start.p : before_[i].p;
      const Quat R = before_.empty() ? Quat(start.R) : before_[i].R.normalized();
      const Eigen::AngleAxisd turn(a.R.normalized() * R.conjugate());
      const Vec3 shift = a.p - p, rotation = turn.angle() * turn.axis();
      append(sample_.deltas,
             {shift.x(), shift.y(), shift.z(), rotation.x(), rotation.y(), rotation.z(), 2 * a.closing - 1});
    }
    before_ = actions;
  }

  Result<void> writeFacts(hid_t demo) {
    const std::uint64_t first = recording_.firstStep();
    notExact_ = whyNotExact(recording_.commands(), first, recording_.lastStep(), stride_);
    if (first > 0) notExact_ = "it begins in the middle of a run";
    if (hashOf(*recording_.tuningAt(first)) != hashOf(model_->tuning))
      notExact_ = "numbers of the scene were changed before it began";
    const Result<std::string> text = recording_.sceneText();
    if (!text) return text.error();
    json robots = json::object();
    for (const RobotSpec& robot : model_->scene->robots) {
      const fs::path& file = robot.description.file;
      if (file.empty()) continue;
      const Result<std::string> urdf = readTextFile(file, limits::kXmlBytes);
      if (!urdf) return urdf.error();
      robots[file.filename().string()] = *urdf;
    }
    const json modelFile = {{"scene", *text}, {"robots", robots}};
    const std::pair<const char*, std::int64_t> whole[] = {
        {"num_samples", static_cast<std::int64_t>(samples())},
        {"success", succeeded_ ? 1 : 0},
        {"steps_per_sample", static_cast<std::int64_t>(stride_)},
        {"steps", static_cast<std::int64_t>(recording_.stepCount() - 1)},
        {"replays_exactly", notExact_.empty() ? 1 : 0}};
    for (const auto& [name, number] : whole)
      if (Result<void> ok = hdf5::writeInteger(demo, name, number); !ok) return ok;
    if (model_->task && model_->task->seed)
      if (Result<void> ok = hdf5::writeInteger(demo, "seed", static_cast<std::int64_t>(*model_->task->seed));
          !ok)
        return ok;
    if (Result<void> ok = hdf5::writeHash(demo, "final_state_hash", finalHash_); !ok) return ok;
    const std::pair<const char*, std::string> texts[] = {
        {"model_file", modelFile.dump(-1, ' ', false, json::error_handler_t::replace)},
        {"scene", model_->name},
        {"outcome", std::string(nameOf(episode_.outcome))},
        {"operator_note", episode_.note},
        {"recording", episode_.file.filename().string()},
        {"method", recording_.method()},
        {"backend", model_->nodeCount() > 0 ? recording_.backend() : ""},
        {"runs_on", recording_.runsOn()}};
    for (const auto& [name, value] : texts)
      if (Result<void> ok = hdf5::writeText(demo, name, value); !ok) return ok;
    if (options_.pictures)
      for (const auto& [name, value] : options_.pictures->facts())
        if (Result<void> ok = hdf5::writeText(demo, name, value); !ok) return ok;
    return hdf5::writeNumber(demo, "sample_period_s", static_cast<double>(stride_) * model_->time.dt);
  }

  const RecordedRun& run_;
  const RecordingReader& recording_;
  const Episode& episode_;
  const DemoOptions& options_;
  std::shared_ptr<const Model> model_;
  Observables observables_;
  ActionTrack track_;
  std::uint64_t stride_;
  std::optional<TaskWatch> watch_;
  hdf5::Table table_, now_, next_;
  /// The latest one, until it is known what came of it.
  struct Sample {
    std::vector<double> state, actions, deltas;
    std::vector<std::uint8_t> asked;
    std::uint64_t hash = 0, pictureStep = 0;
  } sample_;
  std::optional<std::uint64_t> pictureStep_;  ///< of the latest pictures
  std::vector<DemoPicture> pictures_;
  std::size_t numbSamples_ = 0;
  std::vector<EffectorAction> before_;
  bool succeeded_ = false;
  std::uint64_t finalHash_ = 0;
  std::string notExact_;
};

/// What all demonstrations of a file share.
class Collection {
 public:
  Collection(const fs::path& out, const DemoOptions& options) : out_(out), options_(options) {}

  Result<void> begin() {
    Result<OutputClaim> claim = OutputClaim::take(out_);
    if (!claim) return claim.error();
    if (!claim->isOrdinary())
      return Error{ErrorCode::FileUnwritable, "demonstrations cannot be written into a pipe or a device",
                   out_.string(), "name a file"};
    claim_.emplace(std::move(*claim));
    const hdf5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V110);  // long attributes
    file_ = {H5Fcreate(claim_->written().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose};
    if (file_.ok()) data_ = newGroup(file_.id(), "data");
    if (data_.ok()) return {};
    return unwritable();
  }

  Result<void> add(const Episode& episode, std::size_t index, std::size_t count) {
    const Result<std::shared_ptr<const RecordedRun>> opened =
        RecordedRun::open(episode.file, nullptr, options_.methods);
    if (!opened) {
      report_.notices.push_back(episode.file.string() + ": left out: " + opened.error().what);
      return {};
    }
    const RecordedRun& run = **opened;
    const RecordingReader& recording = run.recording();
    if (recording.stepCount() < 2) {
      report_.notices.push_back(episode.file.string() + ": left out: it has no step");
      return {};
    }
    if (options_.pictures)
      if (Result<void> ok = options_.pictures->begin(run.model()); !ok) return ok;
    DemoFile demo(run, episode, options_);
    if (Result<void> ok = share(demo, recording, episode); !ok) return ok;
    const std::string name = "demo_" + std::to_string(report_.demos);
    Result<DemoObservations> observations =
        DemoObservations::of(recording.model(), options_.observations, options_.tactile);
    if (!observations) return observations.error();
    const auto goesOn = [&](double done) {
      return !options_.goesOn ||
             options_.goesOn((static_cast<double>(index) + done) / static_cast<double>(count));
    };
    if (Result<void> ok = demo.write(data_.id(), name, *observations, goesOn); !ok) return ok;
    if (!demo.notExact().empty())
      report_.notices.push_back(episode.file.string() +
                                ": its actions do not replay exactly: " + demo.notExact());
    if (demo.numbSamples() > 0)
      report_.notices.push_back(episode.file.string() + ": tactile images of " +
                                std::to_string(demo.numbSamples()) +
                                " steps are empty: the recording does not have their contacts");
    report_.demos += 1;
    report_.samples += demo.samples();
    report_.successes += demo.succeeded() ? 1 : 0;
    if (demo.succeeded()) successes_.push_back(name);
    seeds_.push_back(episode.seed ? json(*episode.seed) : json(nullptr));
    return {};
  }

  void leaveOut(const Episode& episode, const std::string& why) {
    report_.notices.push_back(episode.file.string() + ": left out: " + why);
  }

  Result<DemoReport> finish() {
    if (report_.demos == 0)
      return Error{ErrorCode::InvalidValue, "there is no demonstration to export", out_.string(),
                   report_.notices.empty() ? "record some first" : report_.notices.front()};
    const json environment = {
        {"env_name", scene_},
        {"env_type", kEnvironmentType},
        {"type", kEnvironmentType},
        {"env_kwargs", {{"scene", scene_}, {"seeds", seeds_}, {"program", options_.program}}}};
    for (const Result<void>& ok :
         {hdf5::writeInteger(data_.id(), "total", static_cast<std::int64_t>(report_.samples)),
          hdf5::writeText(data_.id(), "env_args", environment.dump()),
          hdf5::writeText(data_.id(), "state_names", json(stateNames_).dump()),
          hdf5::writeText(data_.id(), "effectors", json(effectors_).dump()), writeMasks()})
      if (!ok) return ok.error();
    data_.close();
    if (!file_.close()) return unwritable();
    if (Result<void> named = claim_->commit(); !named) return named.error();
    return report_;
  }

 private:
  /// One network is trained on all of them: their numbers must mean the same.
  Result<void> share(const DemoFile& demo, const RecordingReader& recording, const Episode& episode) {
    const Model& model = *recording.model();
    std::vector<std::string> effectors;
    for (const Effector& effector : model.effectors) effectors.push_back(effector.name);
    std::vector<std::string> pictures;
    if (options_.pictures)
      for (const DemoPictureField& field : options_.pictures->fields()) pictures.push_back(field.name);
    if (effectors.empty())
      return Error{ErrorCode::Unsupported, "the scene has no effector, so there are no actions",
                   episode.file.string(),
                   "use slipstick export for its numbers, or put an arm into the scene"};
    if (report_.demos == 0) {
      scene_ = model.name;
      stateNames_ = demo.stateNames();
      effectors_ = effectors;
      pictures_ = pictures;
      return {};
    }
    if (stateNames_ == demo.stateNames() && effectors_ == effectors && pictures_ == pictures) return {};
    return Error{ErrorCode::InvalidValue,
                 "its scene has other things, effectors or cameras than those of '" + scene_ + "'",
                 episode.file.string(), "export recordings of one scene at a time"};
  }

  /// Which are for training and which for validation is drawn, but always in the same way.
  Result<void> writeMasks() {
    std::vector<std::size_t> order(report_.demos);
    std::iota(order.begin(), order.end(), std::size_t{0});
    SeededDraw draw(0);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draw.next() % i]);
    const auto train =
        static_cast<std::size_t>(std::round(options_.train * static_cast<double>(report_.demos)));
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(train));
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(train), order.end());
    std::vector<std::string> names[2];
    for (std::size_t i = 0; i < order.size(); ++i)
      names[i < train ? 0 : 1].push_back("demo_" + std::to_string(order[i]));
    const hdf5::Handle mask = newGroup(file_.id(), "mask");
    for (const Result<void>& ok :
         {hdf5::writeTexts(mask.id(), "train", names[0]), hdf5::writeTexts(mask.id(), "valid", names[1]),
          hdf5::writeTexts(mask.id(), "success", successes_)})
      if (!ok) return ok;
    return {};
  }

  Error unwritable() const {
    return {ErrorCode::FileUnwritable, "the demonstrations cannot be written: " + hdf5::lastError(),
            out_.string(), "choose a folder that you may write to, with room on its disk"};
  }

  fs::path out_;
  std::optional<OutputClaim> claim_;
  const DemoOptions& options_;
  hdf5::Handle file_, data_;
  DemoReport report_;
  std::string scene_;
  std::vector<std::string> stateNames_, effectors_, pictures_, successes_;
  json seeds_ = json::array();
};

}  // namespace

Result<DemoReport> exportDemos(const std::vector<fs::path>& recordings, const fs::path& out,
                               const DemoOptions& options) {
  hdf5::begin();
  Collection collection(out, options);
  if (Result<void> ok = collection.begin(); !ok) return ok.error();
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    const Episode episode = episodeIn(recordings[i]);
    if (episode.broken) {
      collection.leaveOut(episode, episode.broken->what);
    } else if (episode.outcome == EpisodeOutcome::Discarded) {
      collection.leaveOut(episode, "it was discarded");
    } else if (Result<void> ok = collection.add(episode, i, recordings.size()); !ok) {
      return ok.error();
    }
  }
  return collection.finish();
}

}  // namespace slipstick::assets
