#include "app/recorder.h"

#include <iostream>

namespace slipstick::app {

Result<std::unique_ptr<Recorder>> Recorder::begin(const std::filesystem::path& file, HeadlessRun& run,
                                                  double framesPerSecond,
                                                  std::vector<std::filesystem::path> packagePaths) {
  const Stepper& stepper = run.stepper();
  assets::RecordingFacts facts;
  facts.program = "slipstick " SLIPSTICK_VERSION;
  facts.method = stepper.method();
  facts.backend = stepper.backendName();
  facts.runsOn = stepper.runsOn();
  facts.reproduces = stepper.reproduces();
  State first;
  stepper.save(first);
  facts.softFields = specsOf(first.soft.fields);
  facts.framesPerSecond = framesPerSecond;
  facts.packagePaths = std::move(packagePaths);
  Result<std::unique_ptr<assets::RecordingWriter>> writer =
      assets::RecordingWriter::create(file, run.model(), std::move(facts));
  if (!writer) return writer.error();
  std::unique_ptr<Recorder> recorder(new Recorder(std::move(*writer)));
  if (Result<void> observed = run.observe(recorder->detailOf(run.snapshot().step)); !observed)
    return observed.error();
  return recorder;
}

Detail Recorder::detailOf(std::uint64_t step) {
  frameDue_ = writer_->frameDue(step);
  return frameDue_ ? Detail::Particles : Detail::Facts;
}

Result<void> Recorder::add(const HeadlessRun& run, std::span<const Command> applied) {
  assets::RecordedStep step{
      std::make_shared<const Snapshot>(run.snapshot()), {applied.begin(), applied.end()}, nullptr, frameDue_};
  if (writer_->keyframeDue(run.snapshot().step)) {
    auto keyframe = std::make_shared<Keyframe>();
    keyframe->model = run.model();
    keyframe->backend = run.stepper().backendName();
    run.stepper().save(keyframe->state);
    step.keyframe = std::move(keyframe);
  }
  if (Result<void> added = writer_->add(std::move(step)); !added) return added;
  return writer_->catchUp();
}

Result<void> Recorder::finish() {
  const Result<void> finished = writer_->finish();
  if (const std::uint64_t dropped = writer_->droppedFrames(); dropped > 0)
    std::cerr << "slipstick: the disk was too slow: " << dropped
              << " pictures were left out of the recording; every step is there\n";
  return finished;
}

}  // namespace slipstick::app
