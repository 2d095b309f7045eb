// What the simulation thread does in a step of a live run beside the solve: the time from the end of one solve to the
// start of the next, with the new step's snapshot, facts and place in the history between them.
//   beside_solve/EDGE   a cube of EDGE³ particles: the median of steps that follow each other; keyframes are rarer
// thread [ms]: the same in time of the thread itself, without the others that look at particles for it.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/mpm/backend.h"
#include "engine/runtime/simulation_thread.h"
#include "engine/step/stepper.h"
#include "tests/benchmarks/free_cube.h"
#include "tests/support/async_on.h"

using namespace slipstick;

namespace {

/// [s]
struct Moment {
  double wall = 0, thread = 0;

  static Moment now() {
    timespec own{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &own);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now().time_since_epoch();
    return {wall.count(), static_cast<double>(own.tv_sec) + 1e-9 * static_cast<double>(own.tv_nsec)};
  }
};

/// The time between solves.
class Gaps {
 public:
  void solveBegins() {
    const Moment now = Moment::now();
    const std::scoped_lock lock(mutex_);
    if (!ended_) return;
    wall_.push_back(now.wall - ended_->wall);
    thread_.push_back(now.thread - ended_->thread);
  }
  void solveEnds() {
    const std::scoped_lock lock(mutex_);
    ended_ = Moment::now();
  }
  /// Nobody steps: the next solve follows none.
  void forget() {
    const std::scoped_lock lock(mutex_);
    ended_.reset();
    wall_.clear();
    thread_.clear();
  }
  Moment median() const {
    const std::scoped_lock lock(mutex_);
    return {median(wall_), median(thread_)};
  }

 private:
  static double median(std::vector<double> values) {
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  }

  mutable std::mutex mutex_;
  std::optional<Moment> ended_;
  std::vector<double> wall_, thread_;
};

/// The CPU's, with its steps watched.
class WatchedBackend final : public mpm::Backend {
 public:
  WatchedBackend(const std::shared_ptr<const Model>& model, std::shared_ptr<Gaps> gaps)
      : backend_(mpm::makeCpuBackend(model, 0)), gaps_(std::move(gaps)) {}

  std::string_view name() const override { return backend_->name(); }
  std::string runsOn() const override { return backend_->runsOn(); }
  void tune(std::shared_ptr<const Model> model) override { backend_->tune(std::move(model)); }
  void restore(const mpm::ParticleState& particles) override { backend_->restore(particles); }
  void save(mpm::ParticleState& particles) const override { backend_->save(particles); }
  void advance(const mpm::StepInput& input, double dt, SoftOutcome& result) override {
    gaps_->solveBegins();
    backend_->advance(input, dt, result);
    gaps_->solveEnds();
  }
  void accept() noexcept override { backend_->accept(); }
  const SoftFacts& facts() const override { return backend_->facts(); }
  void look(SoftView& view) override { backend_->look(view); }

 private:
  std::unique_ptr<mpm::Backend> backend_;
  std::shared_ptr<Gaps> gaps_;
};

/// With steps that are solved soon, but take longer than all that is done beside them.
std::shared_ptr<const Model> quickCube(int edge) {
  const auto model = std::make_shared<Model>(*freeCube(edge));
  model->time.dt *= 4.0 / model->time.substeps;
  model->time.substeps = 4;
  return model;
}

void besideSolve(benchmark::State& state) {
  constexpr int kWarmUp = 64, kSteps = 17;
  /// So that keyframes, of about 300 bytes per particle, soon lie farther apart than the steps of a median.
  constexpr std::size_t kHistoryBytes = 8 * 300;
  const auto model = quickCube(static_cast<int>(state.range(0)));
  const auto gaps = std::make_shared<Gaps>();
  const auto make = [&](std::shared_ptr<const Model> seen) -> Result<std::unique_ptr<Stepper>> {
    return testing::asyncOn(seen, std::make_unique<WatchedBackend>(seen, gaps));
  };
  const std::unique_ptr<SimulationThread> run = SimulationThread::create(model, make).value();
  run->setHistoryBudget(kHistoryBytes * model->nodeCount());
  double time = 0, thread = 0;
  const auto advance = [&](int steps) {
    gaps->forget();
    run->runUntil(time += steps * model->time.dt);
    run->waitUntilIdle();
    return gaps->median();
  };
  advance(kWarmUp);
  for (auto _ : state) {
    const Moment gap = advance(kSteps);
    state.SetIterationTime(gap.wall);
    thread += gap.thread;
  }
  state.counters["particles"] = static_cast<double>(model->nodeCount());
  state.counters["thread [ms]"] = 1e3 * thread / static_cast<double>(state.iterations());
}

BENCHMARK(besideSolve)
    ->Name("beside_solve")
    ->Arg(27)
    ->Arg(58)
    ->UseManualTime()
    ->Iterations(3)
    ->Unit(benchmark::kMillisecond);

}  // namespace
