#include "app/export_data.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "app/export_outputs.h"
#include "app/walk_of.h"
#include "engine/foundation/number_text.h"

namespace slipstick::app {

namespace {

using assets::ExportOutput;
using Reads = ExportOutput::Reads;

/// Hands the steps of a run to outputs that wait for them.
class Walker {
 public:
  Walker(RunWalk& run, std::vector<ExportOutput>& outputs, const std::stop_token& stop,
         const std::function<void(double)>& onReached)
      : run_(run), stop_(stop), onReached_(onReached) {
    for (ExportOutput& output : outputs) waiting_.push_back({&output});
  }

  /// To the end, until it is stopped, or to the first failure.
  Result<void> walk() {
    while (const std::optional<std::uint64_t> step = nextStep()) {
      if (stop_.stop_requested()) return handFirst(*step);
      for (const Reads reads : {Reads::Facts, Reads::Contacts, Reads::Particles})
        if (const Result<void> handed = hand(*step, reads); !handed) return handed;
    }
    isWhole_ = true;
    return {};
  }
  bool isWhole() const { return isWhole_; }
  double reached() const { return reached_; }  ///< [s]

  /// Which files have fewer steps than were asked for.
  std::vector<std::string> notices() const {
    std::vector<std::string> notices;
    for (const Waiting& w : waiting_)
      if (w.repeated > 0 && !w.output->isSampled)
        notices.push_back(w.output->name + " has contacts of " + std::to_string(w.next - w.repeated) +
                          " of " + std::to_string(w.next) +
                          " steps: those of the others are not kept in history any more");
    return notices;
  }

 private:
  struct Waiting {
    ExportOutput* output = nullptr;
    std::size_t next = 0;                    ///< into its steps
    std::optional<std::uint64_t> last = {};  ///< that was shown to it
    std::size_t repeated = 0;                ///< of its steps: another one was there in their place
    bool isDue(std::uint64_t step, Reads reads) const {
      return output->reads == reads && next < output->steps.size() && output->steps[next] == step;
    }
  };

  std::optional<std::uint64_t> nextStep() const {
    std::optional<std::uint64_t> step;
    for (const Waiting& w : waiting_)
      if (w.next < w.output->steps.size())
        step = std::min(step.value_or(w.output->steps[w.next]), w.output->steps[w.next]);
    return step;
  }

  Result<std::shared_ptr<const Snapshot>> show(std::uint64_t step, Reads reads) {
    Result<std::shared_ptr<const Snapshot>> shown = reads == Reads::Particles  ? run_.goTo(step)
                                                    : reads == Reads::Contacts ? run_.contactsAt(step)
                                                                               : run_.factsAt(step);
    if (!shown) return shown;
    if ((*shown)->model && (*shown)->model != run_.model())
      return Error{ErrorCode::Unsupported, "the scene was edited during these times",
                   "step at " + significant((*shown)->time) + " s",
                   "export up to there, and from there on into other files"};
    reached_ = (*shown)->time;
    if (onReached_) onReached_(reached_);
    return shown;
  }

  /// To all that are due, unless it was stopped before the step was reached.
  Result<void> hand(std::uint64_t step, Reads reads) {
    const auto isDue = [&](const Waiting& w) { return w.isDue(step, reads); };
    if (std::none_of(waiting_.begin(), waiting_.end(), isDue)) return {};
    const Result<std::shared_ptr<const Snapshot>> snapshot = show(step, reads);
    if (!snapshot) return snapshot.error();
    if (stop_.stop_requested() && (*snapshot)->step < step) return {};
    for (Waiting& w : waiting_)
      if (isDue(w))
        if (const Result<void> added = add(w, **snapshot); !added) return added;
    return {};
  }

  /// What keeps particles of some steps only shows the same ones again.
  Result<void> add(Waiting& w, const Snapshot& snapshot) {
    ++w.next;
    if (w.last && *w.last >= snapshot.step) {
      ++w.repeated;
      return {};
    }
    w.last = snapshot.step;
    const Result<void> added = w.output->add(snapshot);
    if (!added) giveUp(w.output->name);
    return added;
  }

  /// What could not be written is not made whole.
  void giveUp(const std::string& name) {
    for (Waiting& w : waiting_)
      if (w.output->name == name) w.output->finish = {};
  }

  /// Geometry of no moment at all would be a file that shows nothing: it has the step that was reached on the way to
  /// this one.
  Result<void> handFirst(std::uint64_t step) {
    for (Waiting& w : waiting_) {
      if (!w.output->isSampled || w.next > 0) continue;
      const Result<std::shared_ptr<const Snapshot>> snapshot = show(step, w.output->reads);
      if (!snapshot) return snapshot.error();
      if (const Result<void> added = add(w, **snapshot); !added) return added;
    }
    return {};
  }

  RunWalk& run_;
  const std::stop_token& stop_;
  const std::function<void(double)>& onReached_;
  std::vector<Waiting> waiting_;
  double reached_ = 0;
  bool isWhole_ = false;
};

void finish(const std::vector<ExportOutput>& outputs, DataReport& report) {
  for (const ExportOutput& output : outputs) {
    if (!output.finish) continue;
    const Result<void> finished = output.finish();
    if (finished)
      report.written.push_back(output.name);
    else
      report.errors.push_back(finished.error());
  }
}

}  // namespace

Result<DataReport> exportData(RunWalk& run, const DataOutputs& options, const std::stop_token& stop,
                              const std::function<void(double)>& onReached) {
  if (const Result<void> writable = checkExports(options); !writable) return writable.error();
  const double to = options.to.value_or(run.timeOf(run.lastStep()));
  const double from = options.from.value_or(run.timeOf(run.firstStep()));
  if (const Result<void> inside = checkTimes(run, "--to", from, to); !inside) return inside.error();
  Result<std::vector<ExportOutput>> outputs = openExports(options, run);
  if (!outputs) return outputs.error();

  Walker walker(run, *outputs, stop, onReached);
  const Result<void> walked = walker.walk();
  DataReport report;
  report.isWhole = walker.isWhole();
  report.reached = walker.reached();
  report.notices = walker.notices();
  finish(*outputs, report);  // also after a failure: it shows how it came about
  if (!walked) report.errors.push_back(walked.error());
  return report;
}

}  // namespace slipstick::app
