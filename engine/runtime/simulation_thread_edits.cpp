// How the simulation thread edits the scene that it runs.
#include <utility>

#include "engine/compile/compile.h"
#include "engine/compile/method_change.h"
#include "engine/model/step_failure.h"
#include "engine/runtime/simulation_thread_impl.h"

namespace slipstick {

SimulationThread::Impl::PendingEdit SimulationThread::Impl::takeEdit() noexcept {
  const std::scoped_lock lock(mutex);
  PendingEdit first = std::move(edits.front());
  edits.pop_front();
  return first;
}

void SimulationThread::Impl::doEdit() {
  PendingEdit pending = takeEdit();
  const auto where = [] { return std::string("edit of the scene"); };
  try {
    pending.done.set_value(apply(pending.edit));
  } catch (const StepFailure& failure) {
    answer(pending.done, [&] { return failure.error(); });
    return backendFailed(failure.error(), where);
  } catch (...) {
    answer(pending.done, [&] {
      return Error{ErrorCode::SimulationFailed, wordsOfException(), where(), "make it smaller, or try again"};
    });
  }
  tellReaders();
}

/// A scene as a model, with readers and whoever waits knowing how far that is.
Result<CompiledScene> SimulationThread::Impl::compiled(const Scene& scene, const std::string& method) {
  const auto progress = std::make_shared<LoadProgress>();
  const auto show = [this](std::shared_ptr<LoadProgress> what) noexcept {
    {
      const std::scoped_lock lock(mutex);
      compiling = std::move(what);
    }
    tellReaders();
  };
  struct Shown {
    const decltype(show)& change;
    ~Shown() { change(nullptr); }
  };
  show(progress);
  const Shown shown{show};
  return compile(scene, {.progress = progress.get(), .method = method});
}

/// The live run goes on from the newest step as another model sees it.
void SimulationThread::Impl::changeModel(LiveRun next) {
  Start start = startOf(std::move(next), nullptr);
  start.snapshot->branch = record->newest()->branch;
  record->changeModel(start.snapshot);
  become(std::move(start));
}

/// Nothing changes before everything that can fail has succeeded.
Result<void> SimulationThread::Impl::apply(const SceneEdit& edit) {
  if (!live.model->scene)
    return Error{ErrorCode::Unsupported, "this model has no scene that could be edited", live.model->name,
                 "open a scene file"};
  Result<Scene> scene = edited(*live.model->scene, edit);
  if (!scene) return scene.error();
  const std::string& method = live.model->solver.method;
  Result<CompiledScene> changed = compiled(*scene, method);
  if (!changed) return changed.error();
  Result<std::shared_ptr<const Model>> model = withMethod(changed->model, method);
  if (!model) return model.error();
  if (gone) throw StepFailure(*gone);
  Result<LiveRun> next = live.as(std::move(*model));
  if (!next) return next.error();
  changeModel(std::move(*next));
  return {};
}

}  // namespace slipstick
