#include "engine/runtime/source_walk.h"

#include <algorithm>
#include <utility>

#include "engine/foundation/number_text.h"

namespace slipstick {

SourceWalk::SourceWalk(std::shared_ptr<const RunSource> source, std::shared_ptr<const Model> model)
    : source_(std::move(source)), model_(std::move(model)), columns_(source_->columns()) {
  const RunStatus status = source_->status();
  first_ = status.firstStored;
  last_ = std::max(first_, status.lastStep);
}

Result<std::shared_ptr<const Snapshot>> SourceWalk::show(std::uint64_t step, Read read) {
  step = std::clamp(step, first_, last_);
  const RunSource& source = *source_;
  std::shared_ptr<const Snapshot> nearest = (source.*read)(step);
  // It lies after the step: what lies before it is further off. Looking ever further back finds that soon.
  for (std::uint64_t back = 1; nearest->step > step; back *= 2) {
    const std::uint64_t earlier = step - std::min(back, step - first_);
    std::shared_ptr<const Snapshot> before = (source.*read)(earlier);
    if (before->step <= step) {
      nearest = std::move(before);
      break;
    }
    if (earlier == first_) break;
  }
  // What is gone shows what it showed last, whatever it is asked for.
  if (const RunStatus status = source.status(); status.gone) {
    const std::string where = "step at " + significant(timeOf(step)) + " s";
    if (!status.error.empty()) return Error{ErrorCode::Unsupported, status.error, where, ""};
    return Error{ErrorCode::Unsupported, "the branch was deleted meanwhile", where, "choose another branch"};
  }
  shownStep_ = nearest->step;
  notKept_ += nearest->step != step;
  return nearest;
}

Result<std::shared_ptr<const Snapshot>> SourceWalk::goTo(std::uint64_t step) {
  return show(step, &RunSource::at);
}

Result<std::shared_ptr<const Snapshot>> SourceWalk::contactsAt(std::uint64_t step) {
  return show(step, &RunSource::contactsAt);
}

Result<std::shared_ptr<const Snapshot>> SourceWalk::factsAt(std::uint64_t step) {
  step = std::clamp(step, first_, last_);
  Result<std::shared_ptr<const Snapshot>> kept = contactsAt(step);
  if (!kept || (*kept)->step == step || (*kept)->model != model_) return kept;
  if (std::shared_ptr<const Snapshot> facts = fromColumns(step)) return facts;
  return kept;
}

std::shared_ptr<const Snapshot> SourceWalk::fromColumns(std::uint64_t step) {
  if (step < blockBegin_ || step >= blockEnd_) readColumns(step);
  if (step < blockBegin_ || step >= blockEnd_) return nullptr;
  std::vector<double> values;
  for (const std::vector<double>& column : block_) values.push_back(column[step - blockBegin_]);
  const std::optional<TimelineMark> mark = source_->mark(step);
  if (!mark) return nullptr;
  shownStep_ = step;
  return factsOf(*mark, model_, observables_, values);
}

void SourceWalk::readColumns(std::uint64_t from) {
  if (observables_.empty()) observables_ = observablesOf(*model_);
  block_.clear();
  blockBegin_ = std::max(from, columns_.firstStep());
  blockEnd_ = std::min(from + kBlock, columns_.endStep());
  if (blockBegin_ >= blockEnd_) return;
  for (const Observable& observable : observables_)
    block_.push_back(columns_.values(observable.name, blockBegin_, blockEnd_));
}

double SourceWalk::largestForce() const {
  const std::optional<TimelineMark> mark = source_->mark(shownStep_);
  return mark ? mark->largestForce : 0;
}

}  // namespace slipstick
