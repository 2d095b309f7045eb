#include "ui/shown_moment.h"

#include <algorithm>
#include <cmath>

namespace slipstick::ui {

ShownMoment::ShownMoment(OpenRun& run, Messages& messages) : run_(run), messages_(messages) {
  connect(&run_, &OpenRun::published, this, &ShownMoment::refresh);
}

void ShownMoment::leave() {
  lookedAt_.reset();
  sharedBranches_.clear();
}

void ShownMoment::begin() {
  jumps_ = 0;
  live_ = true;
  shown_ = presented_ = run_.simulation().latest();
  const std::shared_ptr<const StoredRun>& stored = run_.stored();
  if (!stored) return;
  lookedAt_ = stored;
  live_ = false;
  shown_ = presented_ = stored->at(stored->status().firstStored);
}

bool ShownMoment::isRobotViewer() const {
  return run_.isOpen() && model()->controllers.empty() && model()->deformables.empty() &&
         model()->robots.size() == 1 && model()->robots.front().isHeld;
}

// While the simulation goes back, its newest step is one that is about to be left: it must not flash up.
void ShownMoment::refresh() {
  if (!run_.isOpen()) return;
  Q_EMIT refreshing();
  const RunStatus now = run_.status();
  if (now.goingBack) return;
  if (now.jumps != jumps_) {
    jumps_ = now.jumps;
    lookedAt_.reset();
    live_ = true;
  }
  if (live_) show(run_.simulation().latest());
  Q_EMIT refreshed();
}

void ShownMoment::show(std::shared_ptr<const Snapshot> snapshot) {
  if (snapshot == shown_) return;
  const std::shared_ptr<const Model> before = model();
  shown_ = std::move(snapshot);
  if (model() != before) Q_EMIT modelReplaced(*before);
  Q_EMIT shownChanged();
}

void ShownMoment::setPresented(std::shared_ptr<const Snapshot> snapshot) {
  if (snapshot == presented_) return;
  presented_ = std::move(snapshot);
  Q_EMIT presentedChanged();
}

const RunSource& ShownMoment::source() const {
  if (lookedAt_) return *lookedAt_;
  return run_.simulation();
}

std::shared_ptr<const RunSource> ShownMoment::sharedSource() {
  return !run_.isOpen() || lookedAt_ ? lookedAt_ : sharedBranch(run_.status().branch);
}

/// The same object each time: readers know by it that they have read it before.
std::shared_ptr<const RunSource> ShownMoment::sharedBranch(BranchId branch) {
  if (!run_.isOpen()) return nullptr;
  if (run_.stored() && branch == StoredRun::kBranch) return run_.stored();
  std::shared_ptr<const RunSource>& shared = sharedBranches_[branch];
  if (!shared) shared = run_.simulation().branch(branch);
  return shared;
}

std::vector<BranchFacts> ShownMoment::branches() const {
  if (!run_.isOpen()) return {};
  std::vector<BranchFacts> all = run_.simulation().branches();
  if (const std::shared_ptr<const StoredRun>& stored = run_.stored()) {
    const RunStatus status = stored->status();
    all.insert(all.begin(),
               {StoredRun::kBranch, std::nullopt, status.firstStored, status.lastStep,
                tr("recording %1").arg(QString::fromStdString(stored->name())).toStdString(), false});
  }
  return all;
}

double ShownMoment::timeOf(std::uint64_t step) const {
  return run_.isOpen() ? static_cast<double>(step) * model()->time.dt : 0;
}

void ShownMoment::lookAtStep(std::uint64_t step) {
  if (!run_.isOpen()) return;
  // The newest step of a run that rests is where it goes on from; what was added to it since is in no step yet.
  if (!lookedAt_ && !run_.status().playing && step >= source().status().lastStep) return goLive();
  live_ = false;
  show(source().at(step));
  Q_EMIT run_.statusChanged();
}

void ShownMoment::lookAtTime(double time) {
  if (run_.isOpen())
    lookAtStep(static_cast<std::uint64_t>(std::llround(std::max(0.0, time) / model()->time.dt)));
}

void ShownMoment::goLive() {
  if (!run_.isOpen()) return;
  lookedAt_.reset();
  live_ = true;
  refresh();
  Q_EMIT run_.statusChanged();
}

void ShownMoment::lookAtEnd() {
  if (!run_.isOpen()) return;
  lookedAt_ ? lookAtStep(lookedAt_->status().lastStep) : goLive();
}

void ShownMoment::lookAtBranch(BranchId branch) {
  if (!run_.isOpen() || branch == shownBranch()) return;
  if (branch == run_.status().branch) return goLive();
  std::shared_ptr<const RunSource> found =
      run_.stored() && branch == StoredRun::kBranch ? run_.stored() : run_.simulation().branch(branch);
  if (!found) return;
  lookedAt_ = std::move(found);
  lookAtEnd();
}

void ShownMoment::renameBranch(BranchId branch, const QString& name) {
  if (!run_.isOpen()) return;
  if (const Result<void> done = run_.simulation().renameBranch(branch, name.toStdString()); !done)
    Q_EMIT messages_.failed(done.error());
  Q_EMIT run_.statusChanged();
}

void ShownMoment::deleteBranch(BranchId branch) {
  if (!run_.isOpen()) return;
  if (const Result<void> done = run_.simulation().deleteBranch(branch); !done)
    Q_EMIT messages_.failed(done.error());
  if (source().status().gone) return goLive();
  Q_EMIT run_.statusChanged();
}

}  // namespace slipstick::ui
