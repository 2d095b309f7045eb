// slipstick export: what a run was, as tables, arrays and geometry for other programs, in one walk through it.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "app/export_outputs.h"
#include "app/progress.h"
#include "app/verbs.h"
#include "app/walk_of.h"
#include "engine/foundation/number_text.h"

namespace slipstick::app {

namespace {

using Reads = ExportOutput::Reads;

/// Hands the steps of a run to outputs that wait for them.
class Walker {
 public:
  Walker(RunWalk& run, std::vector<ExportOutput>& outputs) : run_(run) {
    for (ExportOutput& output : outputs) waiting_.push_back({&output});
  }

  /// To the end, to Ctrl+C or to the first failure.
  Result<void> walk() {
    while (const std::optional<std::uint64_t> step = nextStep()) {
      if (InterruptWatch::requested()) return handFirst(*step);
      for (const Reads reads : {Reads::Contacts, Reads::Particles})
        if (const Result<void> handed = hand(*step, reads); !handed) return handed;
    }
    isWhole_ = true;
    return {};
  }
  bool isWhole() const { return isWhole_; }

 private:
  struct Waiting {
    ExportOutput* output = nullptr;
    std::size_t next = 0;                    ///< into its steps
    std::optional<std::uint64_t> last = {};  ///< that was shown to it
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
    return reads == Reads::Particles ? run_.goTo(step) : run_.contactsAt(step);
  }

  /// To all that are due, unless Ctrl+C came before the step was reached.
  Result<void> hand(std::uint64_t step, Reads reads) {
    const auto isDue = [&](const Waiting& w) { return w.isDue(step, reads); };
    if (std::none_of(waiting_.begin(), waiting_.end(), isDue)) return {};
    const Result<std::shared_ptr<const Snapshot>> snapshot = show(step, reads);
    if (!snapshot) return snapshot.error();
    if (InterruptWatch::requested() && (*snapshot)->step < step) return {};
    for (Waiting& w : waiting_)
      if (isDue(w))
        if (const Result<void> added = add(w, **snapshot); !added) return added;
    return {};
  }

  /// What keeps particles of some steps only shows the same ones again.
  Result<void> add(Waiting& w, const Snapshot& snapshot) {
    ++w.next;
    if (w.last && *w.last >= snapshot.step) return {};
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
  std::vector<Waiting> waiting_;
  bool isWhole_ = false;
};

bool needsParticles(const ExportOptions& options) {
  return options.geometry || options.gltf || options.npz;
}

/// @return the exit status; names of whole files go to stdout
int finish(const std::vector<ExportOutput>& outputs, bool quiet) {
  int status = kSuccess;
  for (const ExportOutput& output : outputs) {
    if (!output.finish) continue;
    const Result<void> finished = output.finish();
    if (!finished)
      status = fail(finished.error());
    else if (!quiet)
      std::printf("%s\n", output.name.c_str());
  }
  return status;
}

}  // namespace

int exportRun(const ExportOptions& options) {
  if (const Result<void> writable = checkExports(options); !writable) return fail(writable.error());
  const InterruptWatch interrupt;
  double reached = 0;
  std::optional<Progress> progress;
  const Result<std::unique_ptr<RunWalk>> run =
      walkOf(options.source, needsParticles(options) ? Detail::Particles : Detail::Facts,
             [&](const Snapshot& snapshot) {
               reached = snapshot.time;
               if (progress) progress->update(reached);
               return !InterruptWatch::requested();
             });
  if (!run) return fail(run.error());
  const double to = options.to.value_or((*run)->timeOf((*run)->lastStep()));
  const double from = options.from.value_or((*run)->timeOf((*run)->firstStep()));
  if (const Result<void> inside = checkTimes(**run, "--to", from, to); !inside) return fail(inside.error());
  Result<std::vector<ExportOutput>> outputs = openExports(options, **run);
  if (!outputs) return fail(outputs.error());

  Walker walker(**run, *outputs);
  progress.emplace(to, options.source.quiet);
  const Result<void> walked = walker.walk();
  progress.reset();
  // Also after a failure: it shows how it came about.
  const int finished = finish(*outputs, options.source.quiet);
  if (!walked) return fail(walked.error());
  if (walker.isWhole() || finished != kSuccess) return finished;
  InterruptWatch::say(
      (*run)->model()->name + ": stopped early at " + fixed(reached, 3) + " s of " + significant(to) + " s",
      "what was reached until then is written");
  return InterruptWatch::status();
}

}  // namespace slipstick::app
