#include "assets/recording/recording_writer.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>

#include "assets/recording/command_json.h"
#include "assets/recording/episode.h"
#include "assets/recording/hdf5_file.h"
#include "assets/recording/prefix_driver.h"
#include "assets/recording/recorded_contacts.h"
#include "assets/recording/recorded_numbers.h"
#include "assets/recording/recorded_patches.h"
#include "assets/recording/recorded_scene.h"
#include "assets/recording/recorded_soft_fields.h"
#include "assets/recording/recording_format.h"
#include "engine/foundation/guarded.h"
#include "engine/foundation/output_claim.h"
#include "engine/foundation/require.h"
#include "engine/model/method_choice.h"
#include "engine/model/parameters.h"
#include "engine/runtime/block_codes.h"
#include "engine/runtime/columns.h"
#include "engine/runtime/force_range.h"

namespace slipstick::assets {

using namespace recording;
namespace fs = std::filesystem;

namespace {

/// A crash loses what came after the last flush. Steps wait until a chunk of them is full, if that is soon.
constexpr auto kFlushPeriod = std::chrono::milliseconds(500);
/// Who waits for the disk lets no step wait longer: the rest of the second is for a thread that does not get its turn.
constexpr auto kLongestWait = std::chrono::milliseconds(700);
constexpr auto kWakePeriod = std::chrono::milliseconds(100);
constexpr std::size_t kFlushBytes = std::size_t{1} << 20;
/// Steps wait for the disk beyond this, and frames are left out beyond the half of it.
constexpr std::size_t kMaxWaiting = std::size_t{256} << 20;
/// Keyframes, per simulated second at most, about.
constexpr double kKeyframeBytesPerSecond = 1 << 20;

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&time, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

/// Filled up with zeros, or an error where it is too long.
Result<void> putText(hdf5::Table& table, std::size_t field, const std::string& text, std::size_t size) {
  if (text.size() > size)
    return Error{ErrorCode::Unsupported, "this is longer than a recording can hold", text.substr(0, 60),
                 "pull and drive fewer things at a time"};
  std::vector<std::uint8_t> bytes(size, 0);
  std::copy(text.begin(), text.end(), bytes.begin());
  table.put(field, bytes.data(), bytes.size());
  return {};
}

/// To 64 levels within the range of a block: a scale of colours shows no more, and it takes a third less space.
void coarsen(codes::Colors& colors) {
  constexpr int kLevels = 64;
  const float step = 255.0f / (kLevels - 1);
  for (codes::Code8& code : colors.codes)
    code = static_cast<codes::Code8>(std::lround(static_cast<float>(code) / step));
  for (codes::Range& range : colors.blocks) range.step *= step;
}

/// Why a method steps a scene that names none, or what is wrong with the one that it or the command line names; else empty.
std::string choiceOf(const Model& model, const std::string& method) {
  const FrozenMotion worst = worstFrozenMotion(model);
  if (const auto warning = frozenWarning(model, worst, method, {})) return *warning;
  const bool isChosen = isChosenFor(model) && method == model.solver.method;
  return isChosen ? choiceInWords(model, worst, method, {}) : std::string();
}

}  // namespace

/// The open file with its tables.
class RecordingWriter::File {
 public:
  static Result<std::unique_ptr<File>> create(const fs::path& file, std::shared_ptr<const Model> model,
                                              const RecordingFacts& facts);
  /// @param since  when it was added
  Result<void> put(const RecordedStep& step, Clock::time_point since);
  /// Since when the oldest step waits that is not on the disk.
  std::optional<Clock::time_point> oldest() const {
    return waitingSince_.empty() ? std::nullopt : std::optional(waitingSince_.front());
  }
  bool isFull();
  bool isDue();
  enum class Part { FullChunks, All };
  /// FullChunks: if there is one of steps, others go on waiting for theirs to be full.
  Result<void> flush(Part part);
  Result<void> close();
  void abandon() noexcept {
    for (hdf5::Table* table : tables()) table->abandon();
    file_.abandon();
  }

 private:
  Result<void> begin(const RecordingFacts& facts);
  Result<void> writeTask();
  Result<void> makeTables(const Sizes& sizes);
  std::vector<std::string> settingsOf(const RecordingFacts& facts) const;
  Result<void> release();
  Result<void> toDisk();
  void putCommand(const Command& command, std::uint64_t step);
  void putStep(const RecordedStep& step, Clock::time_point since);
  void putFrame(const Snapshot& snapshot);
  Result<void> putKeyframe(const State& state);
  /// Steps are the last.
  std::array<hdf5::Table*, 11> tables() noexcept {
    const auto [polygons, vertices, patches] = patches_.tables();
    return {polygons,   vertices,   patches,  &contacts_,  &pairs_, &frames_,
            &commands_, &impulses_, &memory_, &keyframes_, &steps_};
  }

  fs::path target_;
  std::optional<OutputClaim> claim_;  ///< whose name it has once there is all that an empty recording has
  hdf5::Handle file_;
  std::shared_ptr<const Observables> observables_;
  std::shared_ptr<const Model> model_;
  hdf5::Table steps_, contacts_, pairs_, frames_, commands_, keyframes_, impulses_, memory_;
  std::size_t softFieldCount_ = 0;
  ContactColumns contactColumns_;
  PatchWriter patches_;
  ForceRange forces_;
  Lattice lattice_{0};
  std::vector<Lattice::Place> lastPlaces_;
  std::deque<Clock::time_point> waitingSince_;  ///< per step that is not written yet
};

Result<std::unique_ptr<RecordingWriter::File>> RecordingWriter::File::create(
    const fs::path& file, std::shared_ptr<const Model> model, const RecordingFacts& facts) {
  auto made = std::make_unique<File>();
  made->model_ = std::move(model);
  made->target_ = file;
  Result<OutputClaim> claim = OutputClaim::take(file);
  if (!claim) return claim.error();
  if (!claim->isOrdinary())
    return Error{ErrorCode::FileUnwritable, "a recording cannot be written into a pipe or a device",
                 file.string(), "name a file"};
  made->claim_.emplace(std::move(*claim));
  const hdf5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110);
  SIM_REQUIRE(hdf5::writeInOrderOrNotAtAll(access.id()), hdf5::lastError());
  made->file_ = {H5Fcreate(made->claim_->written().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()),
                 H5Fclose};
  if (!made->file_.ok())
    return Error{ErrorCode::FileUnwritable, "the recording cannot be written: " + hdf5::lastError(),
                 file.string(), "choose a folder that you may write to"};
  if (Result<void> ok = made->begin(facts); !ok) return ok.error();
  if (Result<void> ok = made->release(); !ok) return ok.error();
  return made;
}

Result<void> RecordingWriter::File::begin(const RecordingFacts& facts) {
  const Model& model = *model_;
  const hid_t root = file_.id();
  const std::pair<const char*, std::string> texts[] = {{"format", kFormat},
                                                       {"program", facts.program},
                                                       {"created", now()},
                                                       {"method", facts.method},
                                                       {"backend", facts.backend},
                                                       {"runs_on", facts.runsOn},
                                                       {"method_choice", choiceOf(model, facts.method)}};
  for (const auto& [name, text] : texts)
    if (Result<void> ok = hdf5::writeText(root, name, text); !ok) return ok;
  const std::pair<const char*, double> numbers[] = {{"version", kVersion},
                                                    {"time_step", model.time.dt},
                                                    {"frames_per_second", facts.framesPerSecond},
                                                    {"first_step", static_cast<double>(facts.firstStep)},
                                                    {"lattice", Lattice::of(model).spacing()},
                                                    {"reproduces", facts.reproduces ? 1 : 0}};
  for (const auto& [name, number] : numbers)
    if (Result<void> ok = hdf5::writeNumber(root, name, number); !ok) return ok;
  if (Result<void> ok = writeTask(); !ok) return ok;
  if (Result<void> ok = writeRecordedScene(root, model, facts.packagePaths); !ok) return ok;
  if (Result<void> ok = hdf5::writeTexts(root, "scene/settings", settingsOf(facts)); !ok) return ok;
  observables_ = std::make_shared<const Observables>(observablesOf(model));
  lattice_ = Lattice::of(model);
  if (Result<void> ok = hdf5::writeText(root, kSoftFields, textOf(facts.softFields)); !ok) return ok;
  return makeTables(Sizes::of(model, observables_->size(), facts.softFields));
}

/// What makes it an episode; see episode.h.
Result<void> RecordingWriter::File::writeTask() {
  if (!model_->task) return {};
  if (const auto& seed = model_->task->seed)
    if (Result<void> ok = hdf5::writeNumber(file_.id(), "task_seed", static_cast<double>(*seed)); !ok)
      return ok;
  return hdf5::writeText(file_.id(), "outcome", std::string(nameOf(EpisodeOutcome::Open)));
}

Result<void> RecordingWriter::File::makeTables(const Sizes& sizes) {
  const hid_t root = file_.id();
  softFieldCount_ = sizes.softFields.size();
  contactColumns_ = ContactColumns::of(*model_);
  for (const Result<void>& made :
       {steps_.create(root, steps::kGroup, "one row per step, from first_step on", steps::fields(sizes)),
        contacts_.create(root, contacts::kGroup, "one row per contact of every step",
                         contacts::fields(contactColumns_)),
        pairs_.create(root, recording::pairs::kGroup, "one row per step and pair of bodies that touch",
                      recording::pairs::fields(contactColumns_)),
        frames_.create(root, frames::kGroup, "particles, for pictures", frames::fields(sizes)),
        commands_.create(root, commands::kGroup, "what a person did", commands::fields()),
        keyframes_.create(root, keyframes::kGroup, "whole states to go on from", keyframes::fields(sizes)),
        impulses_.create(root, impulses::kGroup, "contact impulses of keyframes", impulses::fields()),
        memory_.create(root, memory::kGroup, "what the method remembers in keyframes", memory::fields())})
    if (!made) return made;
  Result<PatchWriter> patches = PatchWriter::create(root);
  if (!patches) return patches.error();
  patches_ = std::move(*patches);
  std::vector<std::string> names, units;
  for (const Observable& observable : *observables_) {
    names.push_back(observable.name);
    units.push_back(observable.unit);
  }
  if (Result<void> ok = hdf5::writeTexts(root, "steps/columns", names); !ok) return ok;
  return hdf5::writeTexts(root, "steps/units", units);
}

/// What is in force at its first step and differs from the scene.
std::vector<std::string> RecordingWriter::File::settingsOf(const RecordingFacts& facts) const {
  std::vector<std::string> settings;
  if (!facts.tuning) return settings;
  for (const Parameter& parameter : model_->parameters) {
    const ParameterValue value = valueOf(parameter, *facts.tuning);
    if (value != valueOf(parameter, model_->tuning))
      settings.push_back(textOf(SetParameter{parameter.path, value}));
  }
  return settings;
}

/// From here on the file can be read while it is written, and after whatever ends that.
Result<void> RecordingWriter::File::release() {
  if (H5Fstart_swmr_write(file_.id()) >= 0 && H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) >= 0)
    return claim_->commit();
  return Error{ErrorCode::FileUnwritable, "the recording cannot be begun: " + hdf5::lastError(),
               target_.string(), "choose a folder that you may write to, with enough space left"};
}

Result<void> RecordingWriter::File::put(const RecordedStep& step, Clock::time_point since) {
  for (const Command& command : step.applied) {
    putCommand(command, step.snapshot->step - 1);
  }
  const Snapshot& snapshot = *step.snapshot;
  if (step.hasContacts) putContacts(snapshot.contacts, contactColumns_, contacts_);
  putPairs(step.pairs ? *step.pairs : pairRowsOf(*model_, snapshot.contacts), contactColumns_, pairs_);
  putStep(step, since);
  if (step.hasFrame) putFrame(snapshot);
  return step.keyframe ? putKeyframe(step.keyframe->state) : Result<void>();
}

/// A text that fills its row goes on in the next one.
void RecordingWriter::File::putCommand(const Command& command, std::uint64_t step) {
  std::string text = textOf(command);
  text.resize((text.size() / commands::kTextBytes + 1) * commands::kTextBytes, '\0');
  for (std::size_t at = 0; at < text.size(); at += commands::kTextBytes) {
    commands_.put<std::uint64_t>(commands::Step, step);
    commands_.put(commands::Text, reinterpret_cast<const std::uint8_t*>(text.data() + at),
                  commands::kTextBytes);
  }
}

void RecordingWriter::File::putStep(const RecordedStep& step, Clock::time_point since) {
  const Snapshot& snapshot = *step.snapshot;
  std::vector<double> values = step.values ? *step.values : valuesOf(*observables_, snapshot);
  for (double& value : values) value = rounded(value);
  const auto slips = [](const Contact& contact) { return contact.mode == ContactMode::Slip; };
  steps_.put(steps::Values, values.data(), values.size());
  steps_.put<std::uint64_t>(steps::Hash, snapshot.stateHash);
  steps_.put<std::uint32_t>(steps::Health, snapshot.report.health);
  steps_.put<std::uint64_t>(steps::ContactEnd, contacts_.rows());
  steps_.put<std::uint8_t>(steps::HasContacts, step.hasContacts ? 1 : 0);
  steps_.put<std::uint32_t>(steps::Slipping,
                            step.slipping.value_or(static_cast<std::uint32_t>(
                                std::count_if(snapshot.contacts.begin(), snapshot.contacts.end(), slips))));
  steps_.put<std::uint64_t>(steps::PairEnd, pairs_.rows());
  waitingSince_.push_back(since);
  steps_.put<double>(steps::LargestForce, forces_.update(snapshot, model_.get()));
}

void RecordingWriter::File::putFrame(const Snapshot& snapshot) {
  const bool isWhole = frames_.rows() % frames::kWholeEvery == 0;
  frames_.put<std::uint64_t>(frames::Step, snapshot.step);
  frames_.put<std::uint8_t>(frames::IsWhole, isWhole ? 1 : 0);
  patches_.put(snapshot.patches);
  frames_.put<std::uint64_t>(frames::PatchEnd, patches_.end());
  std::vector<Lattice::Place> places = lattice_.encode(snapshot.particles);
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis)
      frames_.put<std::uint32_t>(frames::Places,
                                 zigzag(places[i][axis] - (isWhole ? 0 : lastPlaces_[i][axis])));
  lastPlaces_ = std::move(places);
  for (const auto color : frames::kColors) {
    codes::Colors packed = codes::pack(snapshot.*color);
    coarsen(packed);
    frames_.put(frames::Colors, packed.codes.data(), packed.codes.size());
    frames_.put(frames::ColorRanges, reinterpret_cast<const float*>(packed.blocks.data()),
                2 * packed.blocks.size());
  }
}

Result<void> RecordingWriter::File::putKeyframe(const State& state) {
  namespace t = keyframes;
  const auto numbers = [this](std::size_t field, const double* data, std::size_t count) {
    keyframes_.put(field, data, count);
  };
  const auto list = [&](std::size_t field, const std::vector<Vec3>& entries) {
    numbers(field, reinterpret_cast<const double*>(entries.data()), 3 * entries.size());
  };
  keyframes_.put<std::uint64_t>(t::Step, state.step);
  numbers(t::Q, state.q.data(), static_cast<std::size_t>(state.q.size()));
  numbers(t::V, state.v.data(), static_cast<std::size_t>(state.v.size()));
  numbers(t::ControllerQ, state.controllerQ.data(), static_cast<std::size_t>(state.controllerQ.size()));
  const SoftState& soft = state.soft;
  list(t::X, soft.x);
  list(t::Velocity, soft.v);
  SIM_REQUIRE(soft.fields.size() == softFieldCount_, soft.fields.size());
  for (std::size_t i = 0; i < soft.fields.size(); ++i)
    numbers(t::SoftFields + i, soft.fields[i].values.data(), soft.fields[i].values.size());
  for (const ContactImpulse& impulse : soft.contacts) {
    const std::int32_t key[] = {impulse.node, impulse.geometry};
    impulses_.put(recording::impulses::Key, key, 2);
    impulses_.put(recording::impulses::Impulse, impulse.impulse.data(), 3);
  }
  for (const State::Memory& remembered : state.memory)
    for (Eigen::Index i = 0; i < remembered.values.size(); ++i) {
      if (Result<void> ok =
              putText(memory_, recording::memory::Name, remembered.name, recording::memory::kNameBytes);
          !ok)
        return ok;
      memory_.put<double>(recording::memory::Value, remembered.values[i]);
    }
  keyframes_.put<std::uint64_t>(t::ImpulseEnd, impulses_.rows());
  keyframes_.put<std::uint64_t>(t::MemoryEnd, memory_.rows());
  return putText(keyframes_, t::Extra, textOfGrips(state), t::kExtraBytes);
}

bool RecordingWriter::File::isFull() {
  std::size_t bytes = 0;
  for (const hdf5::Table* table : tables()) bytes += table->waitingBytes();
  return bytes > kFlushBytes;
}

bool RecordingWriter::File::isDue() {
  if (steps_.writtenRows() == 0 && steps_.rows() > 0) return true;  // there is something to open from then on
  return isFull() || (oldest() && Clock::now() - *oldest() >= kFlushPeriod);
}

/// What steps refer to is on the disk before they are: HDF5 writes its tables in an order of its own, and a disk that fills up
/// in between would leave steps without their contacts.
Result<void> RecordingWriter::File::flush(Part part) {
  const bool onlyFull = part == Part::FullChunks &&
                        steps_.rows() / steps::kChunkRows > steps_.writtenRows() / steps::kChunkRows;
  for (hdf5::Table* table : tables()) {
    if (table == &steps_)
      if (Result<void> ok = toDisk(); !ok) return ok;
    if (Result<void> ok = table->flush(onlyFull && table == &steps_ ? steps::kChunkRows : 1); !ok)
      return Error{ok.error().code, ok.error().what, target_.string() + ", " + ok.error().where,
                   ok.error().remedy};
  }
  while (waitingSince_.size() > steps_.rows() - steps_.writtenRows()) waitingSince_.pop_front();
  return toDisk();
}

Result<void> RecordingWriter::File::toDisk() {
  if (H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) >= 0) return {};
  return Error{ErrorCode::FileUnwritable, "the recording cannot be written on: " + hdf5::lastError(),
               target_.string(), "free some space on the disk; what was written before can be opened"};
}

Result<void> RecordingWriter::File::close() {
  if (Result<void> ok = flush(Part::All); !ok) return ok;
  for (hdf5::Table* table : tables()) *table = {};  // a dataset that is open keeps its file open
  if (file_.close()) return {};
  return Error{ErrorCode::FileUnwritable, "the recording could not be closed: " + hdf5::lastError(),
               target_.string(), "free some space on the disk; what was written before can be opened"};
}

// ------------------------------------------------------------------------------------------- the writer

Result<std::unique_ptr<RecordingWriter>> RecordingWriter::create(const fs::path& file,
                                                                 std::shared_ptr<const Model> model,
                                                                 RecordingFacts facts) {
  std::unique_ptr<RecordingWriter> writer = begin(file, std::move(model), std::move(facts));
  {
    std::unique_lock lock(writer->mutex_);
    writer->changed_.wait(lock, [&] { return writer->isOpen_ || !writer->ended_; });
  }
  if (Result<void> ok = writer->status(); !ok) return ok.error();
  return writer;
}

std::unique_ptr<RecordingWriter> RecordingWriter::begin(const fs::path& file,
                                                        std::shared_ptr<const Model> model,
                                                        RecordingFacts facts) {
  return std::unique_ptr<RecordingWriter>(new RecordingWriter(file, std::move(model), std::move(facts)));
}

RecordingWriter::RecordingWriter(fs::path file, std::shared_ptr<const Model> model, RecordingFacts facts)
    : path_(std::move(file)), model_(std::move(model)), facts_(std::move(facts)), next_(facts_.firstStep) {
  constexpr double kBytesPerParticle = 27 * sizeof(double);
  const double seconds =
      std::max(1.0, kBytesPerParticle * static_cast<double>(model_->nodeCount()) / kKeyframeBytesPerSecond);
  keyframeSpacing_ = static_cast<std::uint64_t>(std::max(1.0, std::round(seconds / model_->time.dt)));
  thread_ = std::jthread([this] { loop(); });
}

RecordingWriter::~RecordingWriter() {
  end();  // and the thread is waited for
}

bool RecordingWriter::frameDue(std::uint64_t step) {
  const auto frameOf = [this](std::uint64_t s) {
    return std::floor(static_cast<double>(s) * model_->time.dt * facts_.framesPerSecond + 1e-6);
  };
  // Without particles a frame is small: surfaces of contacts, of every step.
  const bool isRare = model_->nodeCount() > 0;
  if (isRare && step > facts_.firstStep && frameOf(step) == frameOf(step - 1)) return false;
  const std::lock_guard lock(mutex_);
  if (waitingBytes_ <= kMaxWaiting / 2) return true;
  ++droppedFrames_;
  return false;
}

bool RecordingWriter::keyframeDue(std::uint64_t step) const {
  return (step - facts_.firstStep) % keyframeSpacing_ == 0;
}

std::size_t RecordingWriter::bytesOf(const RecordedStep& step) {
  return step.snapshot->byteCount() + (step.keyframe ? step.keyframe->byteCount() : 0);
}

Result<void> RecordingWriter::add(RecordedStep step) {
  Result<void> added = guarded(ErrorCode::FileUnwritable, path_.native(), [&]() -> Result<void> {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !ended_ || waitingBytes_ < kMaxWaiting; });
    if (!ended_) return ended_;
    SIM_REQUIRE(step.snapshot->step == next_, step.snapshot->step, next_);
    const std::size_t bytes = bytesOf(step);
    waiting_.push_back({std::move(step), Clock::now()});
    waitingBytes_ += bytes;
    ++next_;
    changed_.notify_all();
    return {};
  });
  if (!added)  // no step may be missing
    endWith(errorOrItsShortForm(ErrorCode::FileUnwritable, [&] { return added.error(); }));
  return added;
}

Result<void> RecordingWriter::catchUp() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !ended_ || !isLate(); });
  return ended_;
}

bool RecordingWriter::isLate() const {
  if (!heldSince_ && waiting_.empty()) return false;
  return Clock::now() - (heldSince_ ? *heldSince_ : waiting_.front().since) > kLongestWait;
}

/// The first error stays.
void RecordingWriter::endWith(Result<void>&& status) noexcept {
  const std::lock_guard lock(mutex_);
  if (ended_ && !status) ended_ = std::move(status);
  heldSince_.reset();
  ends_ = true;
  changed_.notify_all();
}

void RecordingWriter::end() {
  const std::lock_guard lock(mutex_);
  ends_ = true;
  changed_.notify_all();
}

Result<void> RecordingWriter::finish() {
  end();
  if (thread_.joinable()) thread_.join();
  return status();
}

Result<void> RecordingWriter::status() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

Result<void> RecordingWriter::open() {
  hdf5::begin();
  Result<std::unique_ptr<File>> opened = File::create(path_, model_, facts_);
  if (!opened) return opened.error();
  file_ = std::move(*opened);
  const std::lock_guard lock(mutex_);
  isOpen_ = true;
  changed_.notify_all();
  return {};
}

void RecordingWriter::loop() {
  Result<void> status = guarded(ErrorCode::FileUnwritable, path_.native(), [this] { return write(); });
  if (!status && file_) file_->abandon();
  file_.reset();  // which may take long: not while somebody asks for the status
  endWith(std::move(status));
}

Result<void> RecordingWriter::write() {
  Result<void> status = open();
  while (status) {
    std::deque<Waiting> taken;
    std::size_t bytes = 0;
    {
      std::unique_lock lock(mutex_);
      const Clock::time_point due = heldSince_ ? *heldSince_ + kFlushPeriod : Clock::now() + kWakePeriod;
      changed_.wait_until(lock, due, [this] { return ends_ || !waiting_.empty(); });
      if (ends_ && waiting_.empty()) break;
      taken.swap(waiting_);
      bytes = waitingBytes_;
      if (!heldSince_ && !taken.empty()) heldSince_ = taken.front().since;
    }
    status = take(taken);
    const std::lock_guard lock(mutex_);
    waitingBytes_ -= bytes;
    heldSince_ = file_->oldest();
    changed_.notify_all();
  }
  return status ? file_->close() : status;
}

/// A long queue is not flushed as a whole: while that lasts the first of it would be late.
Result<void> RecordingWriter::take(std::deque<Waiting>& taken) {
  for (; !taken.empty(); taken.pop_front()) {
    if (Result<void> ok = file_->put(taken.front().step, taken.front().since); !ok) return ok;
    if (!file_->isFull()) continue;
    if (Result<void> ok = file_->flush(File::Part::FullChunks); !ok) return ok;
  }
  return file_->isDue() ? file_->flush(File::Part::FullChunks) : Result<void>();
}

}  // namespace slipstick::assets
