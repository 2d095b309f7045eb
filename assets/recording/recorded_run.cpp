#include "assets/recording/recorded_run.h"

#include <algorithm>
#include <cmath>

namespace slipstick::assets {
namespace {

/// What each column of a recording is in a model of this program. One that it does not know is only read.
std::shared_ptr<const Observables> observablesFor(const RecordingReader& reader) {
  Observables known = observablesOf(*reader.model());
  auto observables = std::make_shared<Observables>();
  for (const RecordingReader::Column& column : reader.columns()) {
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const Observable& o) { return o.name == column.name; });
    observables->push_back(found != known.end() ? std::move(*found)
                                                : Observable{column.name, column.unit,
                                                             [](const Snapshot&) { return std::nan(""); }});
  }
  return observables;
}

/// NaN where the file cannot be read any more.
void put(const Result<std::vector<double>>& read, std::span<double> values) {
  if (read)
    std::copy(read->begin(), read->end(), values.begin());
  else
    std::fill(values.begin(), values.end(), std::nan(""));
}

class RecordedColumns final : public ColumnStore {
 public:
  RecordedColumns(std::shared_ptr<const RecordedRun> run, std::shared_ptr<const Observables> observables)
      : run_(std::move(run)), observables_(std::move(observables)) {}

  const std::shared_ptr<const Observables>& observables() const override { return observables_; }
  std::uint64_t firstStep() const override { return run_->recording().firstStep(); }
  std::uint64_t endStep() const override { return run_->recording().lastStep() + 1; }
  void read(std::size_t observable, std::uint64_t from, std::span<double> values) const override {
    put(run_->recording().column(observable, from, from + values.size()), values);
  }
  std::vector<ContactPair> pairs() const override {
    const Result<std::vector<ContactPair>> pairs = run_->recording().pairs();
    return pairs ? *pairs : std::vector<ContactPair>();
  }
  void readPair(const ContactPair& pair, std::size_t quantity, std::uint64_t from,
                std::span<double> values) const override {
    put(run_->recording().pairValues(pair, quantity, from, from + values.size()), values);
  }
  std::string pairName(const ContactPair& pair) const override { return sidesOf(*run_->model(), pair); }

 private:
  std::shared_ptr<const RecordedRun> run_;
  std::shared_ptr<const Observables> observables_;
};

}  // namespace

Result<std::shared_ptr<const RecordedRun>> RecordedRun::open(const std::filesystem::path& file,
                                                             LoadProgress* progress,
                                                             std::shared_ptr<const AllMethodRows> methods) {
  Result<std::unique_ptr<RecordingReader>> reader = RecordingReader::open(file, progress, std::move(methods));
  if (!reader) return reader.error();
  std::shared_ptr<RecordedRun> run(new RecordedRun(absolute(file), std::move(*reader)));
  // From here on there is always something to show.
  const Result<std::shared_ptr<const Snapshot>> first =
      run->read(run->reader_->firstStep(), Detail::Particles);
  if (!first) return first.error();
  run->shown_.push_back(*first);
  return std::shared_ptr<const RecordedRun>(std::move(run));
}

RecordedRun::RecordedRun(std::filesystem::path file, std::unique_ptr<RecordingReader> reader)
    : file_(std::move(file)), reader_(std::move(reader)), observables_(observablesFor(*reader_)) {}

std::uint64_t RecordedRun::within(std::uint64_t step) const {
  return std::clamp(step, reader_->firstStep(), reader_->lastStep());
}

std::uint64_t RecordedRun::shownStepBefore(std::uint64_t step) const {
  const std::vector<std::uint64_t>& frames = reader_->frames();
  if (model()->nodeCount() == 0) return within(step);
  const auto after = std::upper_bound(frames.begin(), frames.end(), step);
  return after == frames.begin() ? frames.front() : *std::prev(after);
}

std::uint64_t RecordedRun::shownStep(std::uint64_t step) const {
  const std::uint64_t before = shownStepBefore(step);
  const std::vector<std::uint64_t>& frames = reader_->frames();
  const auto after = std::lower_bound(frames.begin(), frames.end(), step);
  if (model()->nodeCount() == 0 || after == frames.end() || step < before) return before;
  return step - before <= *after - step ? before : *after;
}

Result<std::shared_ptr<const Snapshot>> RecordedRun::read(std::uint64_t step, Detail detail) const {
  const Result<std::vector<double>> values = reader_->values(step, step + 1);
  if (!values) return values.error();
  Result<std::vector<Contact>> contacts = reader_->contactsAt(step);
  if (!contacts) return contacts.error();
  const TimelineMark bare{step, static_cast<double>(step) * model()->time.dt};
  const std::shared_ptr<Snapshot> snapshot =
      factsOf(mark(step).value_or(bare), model(), *observables_, *values);
  snapshot->contacts = std::move(*contacts);
  snapshot->branch = kBranch;
  if (detail == Detail::Facts) return std::shared_ptr<const Snapshot>(snapshot);
  const std::vector<std::uint64_t>& frames = reader_->frames();
  const auto frame = std::lower_bound(frames.begin(), frames.end(), step);
  if (frame != frames.end() && *frame == step)
    if (Result<void> ok = reader_->readFrame(static_cast<std::size_t>(frame - frames.begin()), *snapshot);
        !ok)
      return ok.error();
  return std::shared_ptr<const Snapshot>(snapshot);
}

/// What was shown last stays where the file gives nothing any more.
std::shared_ptr<const Snapshot> RecordedRun::readOrKeep(std::uint64_t step, Detail detail) const {
  Result<std::shared_ptr<const Snapshot>> snapshot = read(step, detail);
  const std::lock_guard lock(mutex_);
  if (snapshot) return *snapshot;
  error_ = file_.string() + ": " + snapshot.error().message();
  return shown_.back();
}

std::shared_ptr<const Snapshot> RecordedRun::at(std::uint64_t step) const {
  step = shownStep(step);
  {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(shown_.begin(), shown_.end(), [&](const auto& s) { return s->step == step; });
    if (found != shown_.end()) {
      std::rotate(found, found + 1, shown_.end());
      return shown_.back();
    }
  }
  std::shared_ptr<const Snapshot> snapshot = readOrKeep(step, Detail::Particles), dropped;
  const std::lock_guard lock(mutex_);
  if (shown_.size() == kKept) {
    dropped = std::move(shown_.front());
    shown_.erase(shown_.begin());
  }
  shown_.push_back(snapshot);
  return snapshot;
}

std::shared_ptr<const Snapshot> RecordedRun::contactsAt(std::uint64_t step) const {
  return readOrKeep(within(step), Detail::Facts);
}

const std::vector<TimelineMark>& RecordedRun::allMarks() const {
  std::call_once(marksRead_, [this] {
    Result<std::vector<TimelineMark>> marks = reader_->marks();
    if (marks) {
      marks_ = std::move(*marks);
      return;
    }
    const std::lock_guard lock(mutex_);
    error_ = file_.string() + ": " + marks.error().message();
  });
  return marks_;
}

std::optional<TimelineMark> RecordedRun::mark(std::uint64_t step) const {
  const std::vector<TimelineMark>& marks = allMarks();
  if (step < reader_->firstStep() || step - reader_->firstStep() >= marks.size()) return std::nullopt;
  return marks[step - reader_->firstStep()];
}

std::vector<TimelineMark> RecordedRun::marks(std::uint64_t from) const {
  const std::vector<TimelineMark>& marks = allMarks();
  const std::uint64_t skipped = from > reader_->firstStep() ? from - reader_->firstStep() : 0;
  if (skipped >= marks.size()) return {};
  return {marks.begin() + static_cast<std::ptrdiff_t>(skipped), marks.end()};
}

RunColumns RecordedRun::columns() const {
  auto columns = std::make_shared<const RecordedColumns>(shared_from_this(), observables_);
  const std::uint64_t begin = columns->firstStep(), end = columns->endStep();
  return RunColumns({{std::move(columns), begin, end}});
}

RunStatus RecordedRun::status() const {
  RunStatus status;
  status.finished = true;
  status.lastStep = reader_->lastStep();
  status.firstStored = reader_->firstStep();
  status.branch = kBranch;
  status.runsOn = reader_->runsOn();
  status.dropped = reader_->dropped();
  const std::lock_guard lock(mutex_);
  status.error = error_;
  status.gone = !error_.empty();
  return status;
}

Result<Departure> RecordedRun::departureFor(std::uint64_t step) const {
  // One step earlier than needed where possible, so that the step's contacts are computed again.
  Result<State> state = reader_->keyframeBefore(step > reader_->firstStep() ? step - 1 : step);
  if (!state) return state.error();
  const Result<std::vector<std::uint64_t>> hash = reader_->hashes(step, step + 1);
  if (!hash) return hash.error();
  Departure departure;
  for (const StampedCommand& stamped : reader_->commands())
    if (stamped.step >= state->step && stamped.step < step) departure.commands.push_back(stamped);
  departure.keyframe =
      std::make_shared<const Keyframe>(Keyframe{model(), std::move(*state), reader_->backend()});
  departure.step = step;
  departure.stateHash = hash->front();
  departure.runsOn = reader_->reproduces() ? reader_->runsOn() : "";
  return departure;
}

// ---- to walk through

Result<std::shared_ptr<const Snapshot>> RecordedWalk::show(std::uint64_t step, Detail detail) {
  if (hasEnded_) return shown_;
  Result<std::shared_ptr<const Snapshot>> read =
      run_->read(std::clamp(step, firstStep(), lastStep()), detail);
  if (!read) return read;
  shown_ = *read;
  hasEnded_ = !onStep_(*shown_);
  return shown_;
}

double RecordedWalk::largestForce() const {
  const std::optional<TimelineMark> mark = shown_ ? run_->mark(shown_->step) : std::nullopt;
  return mark ? mark->largestForce : 0;
}

}  // namespace slipstick::assets
