#include "assets/recording/live_recorder.h"

#include <algorithm>

#include "engine/foundation/guarded.h"

namespace slipstick::assets {

namespace fs = std::filesystem;

namespace {

RecordingFacts factsOf(const RecorderOptions& options, const Computes& computes, const State& first) {
  RecordingFacts facts;
  facts.program = options.program;
  facts.framesPerSecond = options.framesPerSecond;
  facts.packagePaths = options.packagePaths;
  facts.method = computes.method;
  facts.backend = computes.backend;
  facts.runsOn = computes.runsOn;
  facts.reproduces = computes.reproduces;
  facts.firstStep = first.step;
  facts.softFields = specsOf(first.soft.fields);
  facts.tuning = first.tuning;
  return facts;
}

/// On the disk so far.
std::uint64_t bytesOf(const fs::path& file) {
  std::error_code missing;
  const std::uintmax_t bytes = fs::file_size(file, missing);
  return missing ? 0 : bytes;
}

}  // namespace

LiveRecorder::LiveRecorder(fs::path file, RecorderOptions options)
    : file_(std::move(file)), options_(std::move(options)) {}

/// What is there of another recording stays, but for the file that was asked for.
fs::path LiveRecorder::nextFile() const {
  if (stretches_.empty()) return file_;
  for (std::size_t number = stretches_.size() + 1;; ++number) {
    fs::path file = file_;
    file.replace_filename(file_.stem().string() + "-" + std::to_string(number) + file_.extension().string());
    std::error_code unknown;
    if (!fs::exists(file, unknown)) return file;
  }
}

template <class Work>
void LiveRecorder::take(const Work& work) {
  Result<void> taken = guarded(ErrorCode::FileUnwritable, file_.native(), work);
  if (taken) return;
  const std::scoped_lock lock(mutex_);
  isFinished_ = true;
  for (const auto& stretch : stretches_) stretch->writer->end();
  if (ended_) ended_ = std::move(taken);
}

void LiveRecorder::begin(std::shared_ptr<const Snapshot> first, std::shared_ptr<const Keyframe> keyframe,
                         const Computes& computes) {
  take([&] {
    RecordingFacts facts = factsOf(options_, computes, keyframe->state);
    const std::scoped_lock lock(mutex_);
    if (isFinished_) return;
    if (!stretches_.empty()) stretches_.back()->writer->end();
    auto stretch = std::make_unique<Stretch>();
    stretch->file = nextFile();
    stretch->writer = RecordingWriter::begin(stretch->file, first->model, std::move(facts));
    stretches_.push_back(std::move(stretch));
    dt_ = first->model->time.dt;
  });
  add(std::move(first), {}, std::move(keyframe));
}

bool LiveRecorder::wantsKeyframe(std::uint64_t step) const {
  const std::scoped_lock lock(mutex_);
  return !isFinished_ && !stretches_.empty() && stretches_.back()->writer->keyframeDue(step);
}

void LiveRecorder::add(std::shared_ptr<const Snapshot> snapshot, std::span<const Command> applied,
                       std::shared_ptr<const Keyframe> keyframe) {
  take([&] {
    RecordingWriter* writer = nullptr;
    {
      const std::scoped_lock lock(mutex_);
      if (isFinished_ || stretches_.empty()) return;
      writer = stretches_.back()->writer.get();
      ++stretches_.back()->steps;
    }
    const std::uint64_t step = snapshot->step;
    RecordedStep recorded{std::move(snapshot), {applied.begin(), applied.end()}};
    recorded.hasFrame = writer->frameDue(step);
    if (writer->keyframeDue(step)) recorded.keyframe = std::move(keyframe);
    (void)writer->add(std::move(recorded));  // status() tells
  });
}

RunRecorder::Status LiveRecorder::status() const {
  Status status;
  const std::scoped_lock lock(mutex_);
  for (const auto& stretch : stretches_) {
    status.files.push_back(stretch->file.string());
    status.seconds += static_cast<double>(std::max<std::uint64_t>(stretch->steps, 1) - 1) * dt_;
    status.bytes += bytesOf(stretch->file);
    status.droppedFrames += stretch->writer->droppedFrames();
    if (const Result<void> ok = stretch->writer->status(); !ok && !status.error) status.error = ok.error();
  }
  if (!ended_ && !status.error) status.error = ended_.error();
  return status;
}

RunRecorder::Status LiveRecorder::finish() {
  std::vector<RecordingWriter*> writers;
  {
    const std::scoped_lock lock(mutex_);
    isFinished_ = true;
    for (const auto& stretch : stretches_) writers.push_back(stretch->writer.get());
  }
  for (RecordingWriter* writer : writers) (void)writer->finish();
  return status();
}

// ---------------------------------------------------------------------------------------------- the past

namespace {

/// Steps of a stretch as they are remembered.
class Past {
 public:
  Past(const RunSource& run, const RunStretch& stretch, RecordingWriter& writer)
      : run_(run), stretch_(stretch), writer_(writer), marks_(run.marks(stretch.first)) {
    const RunColumns columns = run.columns();
    for (const RunColumns::Part& part : columns.parts())
      if (part.end > stretch.first) parts_.push_back(part);
  }

  /// To be asked for in their order.
  RecordedStep at(std::uint64_t step) {
    RecordedStep recorded;
    isFrameDue_ |= writer_.frameDue(step);
    const auto stored = isFrameDue_ ? run_.at(step) : run_.contactsAt(step);
    if (stored->step == step) {
      recorded.snapshot = stored;
      recorded.hasFrame = std::exchange(isFrameDue_, false);
    } else {
      recallNumbers(step, recorded);
    }
    const std::vector<StampedCommand>& commands = stretch_.commands;
    for (; command_ < commands.size() && commands[command_].step < step; ++command_)
      recorded.applied.push_back(commands[command_].command);
    recorded.keyframe = keyframeOf(step);
    return recorded;
  }

 private:
  /// Of a step without a snapshot.
  void recallNumbers(std::uint64_t step, RecordedStep& recorded) const {
    const auto part = std::find_if(parts_.begin(), parts_.end(),
                                   [step](const RunColumns::Part& p) { return step < p.end; });
    const ColumnStore& columns = *part->columns;
    std::vector<double> values(columns.observables()->size());
    for (std::size_t i = 0; i < values.size(); ++i) columns.read(i, step, {&values[i], 1});
    const TimelineMark& mark = marks_[step - stretch_.first];
    recorded.snapshot = factsOf(mark, stretch_.keyframes.front()->model, *columns.observables(), values);
    recorded.hasContacts = false;
    recorded.values = std::move(values);
    recorded.slipping = static_cast<std::uint32_t>(mark.slipping);
    std::vector<PairRow>& rows = recorded.pairs.emplace();
    for (const ContactPair& pair : columns.pairs()) {
      PairRow row{pair};
      for (std::size_t i = 0; i < row.values.size(); ++i)
        columns.readPair(pair, i, step, {&row.values[i], 1});
      if (std::any_of(row.values.begin(), row.values.end(), [](double value) { return value != 0; }))
        rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end(), [](const PairRow& a, const PairRow& b) { return a.pair < b.pair; });
  }

  /// No more of them than a recording of a live run has; not all that it would have are kept.
  std::shared_ptr<const Keyframe> keyframeOf(std::uint64_t step) {
    const std::vector<std::shared_ptr<const Keyframe>>& kept = stretch_.keyframes;
    isKeyframeDue_ |= writer_.keyframeDue(step);
    while (keyframe_ < kept.size() && kept[keyframe_]->state.step < step) ++keyframe_;
    const bool isKept = keyframe_ < kept.size() && kept[keyframe_]->state.step == step;
    if (!isKept || !isKeyframeDue_) return nullptr;
    isKeyframeDue_ = false;
    return kept[keyframe_];
  }

  const RunSource& run_;
  const RunStretch& stretch_;
  RecordingWriter& writer_;
  std::vector<TimelineMark> marks_;
  std::vector<RunColumns::Part> parts_;
  std::size_t command_ = 0, keyframe_ = 0;
  bool isFrameDue_ = false, isKeyframeDue_ = false;
};

}  // namespace

Result<void> recordPast(const fs::path& file, const RunSource& run, const SimulationThread::End& end,
                        const RecorderOptions& options, const std::stop_token& stop) {
  const Keyframe& first = *end.stretch.keyframes.front();
  Result<std::unique_ptr<RecordingWriter>> writer =
      RecordingWriter::create(file, first.model, factsOf(options, end.computes, first.state));
  if (!writer) return writer.error();
  Result<void> written;
  Past past(run, end.stretch, **writer);
  for (std::uint64_t step = end.stretch.first; written && step <= end.stretch.last; ++step) {
    written = stop.stop_requested()
                  ? Result<void>(Error{ErrorCode::Cancelled, "the recording was given up", file.string(), ""})
                  : (*writer)->add(past.at(step));
  }
  const Result<void> finished = (*writer)->finish();
  if (written) written = finished;
  std::error_code ignored;
  if (!written) fs::remove(file, ignored);
  return written;
}

}  // namespace slipstick::assets
