// The contact solve by itself, as Markdown tables: every solver on the problems of consecutive substeps of the tasks,
// recorded where their contact is busiest, and on stiff synthetic layers; at three tolerances, cold and warm.
//
//   benchmark_contact [--threads N] [--substeps N] [NAME…]      a task, or layer_1, layer_9, …; default: all
//
// Cold starts at free motion. Warm starts, as the product does, at what the same contacts, by particle and geometry,
// got in the substep before; of layers, which have no substep before, at the solution's own impulses.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "app/bench_window.h"
#include "engine/foundation/number_text.h"
#include "engine/mpm/contact/last_impulses.h"
#include "engine/mpm/thread_team.h"
#include "tests/benchmarks/contact_recording.h"
#include "tests/engine/contact/synthetic_layer.h"

using namespace slipstick;
using namespace slipstick::mpm;

namespace {

constexpr std::array kLayerSides = {1, 3, 10, 32, 71};
constexpr std::array kTolerances = {5e-2, 1e-3, 1e-5};

struct NamedSolver {
  const char* name;
  ContactSolverName solver;
};
constexpr std::array kSolvers = {NamedSolver{"quasi_newton", ContactSolverName::QuasiNewton},
                                 NamedSolver{"majorized_anderson", ContactSolverName::MajorizedAnderson},
                                 NamedSolver{"contact_newton", ContactSolverName::ContactNewton}};

/// Problems that follow each other, or one of a layer.
struct Series {
  std::string name;
  std::vector<RecordedProblem<float>> problems;
  bool layer = false;

  double mean(double (*of)(const ContactProblem<float>&)) const {
    double sum = 0;
    for (const RecordedProblem<float>& p : problems) sum += of(p.problem);
    return sum / static_cast<double>(problems.size());
  }
  double contacts() const {
    return mean([](const ContactProblem<float>& p) { return static_cast<double>(p.contacts.size()); });
  }
  double nodes() const {
    return mean([](const ContactProblem<float>& p) { return static_cast<double>(p.mass.size()); });
  }
};

/// A layer of side² contacts with k = 1e5 N/m and d = 100 s/m.
Series stiffLayer(int side) {
  SyntheticLayer layer;
  layer.side = side;
  layer.stiffness = 1e5;
  layer.dissipation = 100;
  Series series{"layer_" + std::to_string(side * side), {}, true};
  series.problems.emplace_back().problem = syntheticLayer<float>(layer);
  return series;
}

/// Insensitive to the moments that a shared machine spends elsewhere.
double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// All problems of a series, each solved once.
struct Replay {
  std::vector<int> iterations;
  std::vector<double> times;  ///< of solves [s]
  int converged = 0;

  double meanIterations() const {
    double sum = 0;
    for (const int n : iterations) sum += n;
    return sum / static_cast<double>(iterations.size());
  }
  int maxIterations() const { return *std::max_element(iterations.begin(), iterations.end()); }
  /// Median over the solves of time per iteration, set-up included [s].
  double iterationTime() const {
    std::vector<double> each;
    for (std::size_t i = 0; i < times.size(); ++i) each.push_back(times[i] / std::max(1, iterations[i]));
    return median(each);
  }
  double solveTime() const { return median(times); }  ///< [s]
};

/// Passes over all (contact, node) pairs of a solve: gathers J v and scatters Jᵀγ. Counted from the algorithm, not in
/// the solver: one each to judge the start and to report the end (gather), per iterate one to step (scatter) and
/// per step one to move (gather); of a Newton step two more, for the reduction to contact space; of a warm start two,
/// to try it. Left out: the second gather of a step under boundaries, which touches few nodes, Newton steps of
/// first-order solvers that have lost their patience, and the gather that refreshes J v every 32 iterations.
double gridPasses(ContactSolverName solver, double iterations, bool warm) {
  const int perIteration = solver == ContactSolverName::ContactNewton ? 4 : 2;
  return 3 + perIteration * iterations + (warm ? 2 : 0);
}

class Replayer {
 public:
  explicit Replayer(ThreadTeam& team) : solver_(&team) {}

  Replay replay(Series& series, const ContactSolverSettings& settings, bool warm) {
    return series.layer ? repeatLayer(series.problems.front(), settings, warm)
                        : replayTask(series.problems, settings, warm);
  }

 private:
  Replay replayTask(std::vector<RecordedProblem<float>>& problems, const ContactSolverSettings& settings,
                    bool warm) {
    Replay replay;
    LastImpulses<float> last;
    for (RecordedProblem<float>& p : problems) {
      const auto guess = [&](std::size_t c) {
        return last.of(p.detected[c].particle, p.detected[c].geometry);
      };
      for (std::size_t c = 0; c < p.detected.size(); ++c)
        p.problem.contacts[c].guess = warm ? guess(c) : V3<float>{0, 0, 0};
      solve(p.problem, settings, replay);
      last.forget();
      for (std::size_t c = 0; c < p.detected.size(); ++c)
        last.add(p.detected[c].particle, p.detected[c].geometry, solution_.gamma[c]);
    }
    return replay;
  }

  Replay repeatLayer(RecordedProblem<float>& p, const ContactSolverSettings& settings, bool warm) {
    constexpr int kRepetitions = 5;
    for (ContactPoint<float>& point : p.problem.contacts) point.guess = {0, 0, 0};
    if (warm) {
      solver_.solve(p.problem, settings, solution_);
      for (std::size_t c = 0; c < p.problem.contacts.size(); ++c)
        p.problem.contacts[c].guess = solution_.gamma[c];
    }
    Replay replay;
    for (int i = 0; i < kRepetitions; ++i) solve(p.problem, settings, replay);
    return replay;
  }

  void solve(ContactProblem<float>& problem, const ContactSolverSettings& settings, Replay& replay) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    solver_.solve(problem, settings, solution_);
    replay.times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    replay.iterations.push_back(solution_.iterations);
    replay.converged += solution_.converged;
  }

  ContactSolver<float> solver_;
  ContactSolution<float> solution_;
};

std::string cells(const Replay& replay, ContactSolverName solver, bool warm) {
  const double iterations = replay.meanIterations();
  const double share = replay.converged / static_cast<double>(replay.iterations.size());
  return fixed(iterations, 1) + " (" + std::to_string(replay.maxIterations()) + ") | " +
         fixed(gridPasses(solver, iterations, warm), 0) + " | " + fixed(1e6 * replay.iterationTime(), 1) +
         " | " + fixed(1e6 * replay.solveTime(), 0) + " | " + fixed(100 * share, 0);
}

/// Whether a solver exists for so many contacts: above the limit, contact_newton would be majorized_anderson.
bool suits(const NamedSolver& solver, const Series& series) {
  return solver.solver != ContactSolverName::ContactNewton || series.contacts() <= kMaxNewtonContacts;
}

std::string titleOf(const Series& series) {
  return series.name + " (" + fixed(series.contacts(), 0) + ", " + fixed(series.nodes(), 0) + ")";
}

void printTimes(Series& series, ThreadTeam& team) {
  Replayer replayer(team);
  for (const NamedSolver& solver : kSolvers) {
    if (!suits(solver, series)) continue;
    for (const double tolerance : kTolerances) {
      ContactSolverSettings settings;
      settings.solver = solver.solver;
      settings.relativeTolerance = tolerance;
      const Replay cold = replayer.replay(series, settings, false);
      const Replay warm = replayer.replay(series, settings, true);
      std::printf("| %s | %s | %s | %s | %s |\n", titleOf(series).c_str(), solver.name,
                  significant(tolerance).c_str(), cells(cold, solver.solver, false).c_str(),
                  cells(warm, solver.solver, true).c_str());
      std::fflush(stdout);
    }
  }
}

/// Largest differences between the solutions of two solvers.
struct Difference {
  int problems = 0, compared = 0;  ///< compared: both have converged
  double potential = 0;            ///< |ℓ_a − ℓ_b| over what contact lowers ℓ by
  double velocity = 0;  ///< ‖v_a − v_b‖ over what contact changes v by, ‖v_a − v*‖; masses as weights

  void add(const ContactProblem<float>& problem, const ContactSolution<float>& a,
           const ContactSolution<float>& b) {
    ++problems;
    if (!a.converged || !b.converged) return;
    ++compared;
    const double gain = double(a.potentialAtFreeMotion) - double(a.potential);
    if (gain > 0) potential = std::max(potential, std::abs(double(a.potential) - double(b.potential)) / gain);
    double between = 0, changed = 0;
    for (std::size_t n = 0; n < problem.mass.size(); ++n) {
      between += weighted(problem.mass[n], a.v[n] - b.v[n]);
      changed += weighted(problem.mass[n], a.v[n] - problem.vStar[n]);
    }
    if (changed > 0) velocity = std::max(velocity, std::sqrt(between / changed));
  }

 private:
  static double weighted(float mass, const V3<float>& v) { return double(mass) * double(dot(v, v)); }
};

/// Every twentieth problem, cold, at the finest tolerance, and with time for slow solvers to get there.
/// @return a row per solver but the first, which the others are compared with
std::vector<std::string> compareMinimisers(Series& series, ThreadTeam& team) {
  constexpr std::size_t kStride = 20;
  ContactSolverSettings settings;
  settings.relativeTolerance = kTolerances.back();
  settings.maxIterations = 5000;
  ContactSolver<float> solver(&team);
  const auto solveCold = [&](RecordedProblem<float>& p, ContactSolverName name) {
    for (ContactPoint<float>& point : p.problem.contacts) point.guess = {0, 0, 0};
    settings.solver = name;
    ContactSolution<float> solution;
    solver.solve(p.problem, settings, solution);
    return solution;
  };
  std::array<Difference, kSolvers.size()> differences;
  for (std::size_t i = 0; i < series.problems.size(); i += kStride) {
    RecordedProblem<float>& p = series.problems[i];
    const ContactSolution<float> first = solveCold(p, kSolvers[0].solver);
    for (std::size_t s = 1; s < kSolvers.size(); ++s)
      if (suits(kSolvers[s], series)) differences[s].add(p.problem, first, solveCold(p, kSolvers[s].solver));
  }
  std::vector<std::string> rows;
  for (std::size_t s = 1; s < kSolvers.size(); ++s) {
    const Difference& d = differences[s];
    if (d.problems == 0) continue;
    const auto largest = [&](double value) { return d.compared > 0 ? scientific(value, 1) : "–"; };
    rows.push_back("| " + titleOf(series) + " | " + kSolvers[s].name + " | " + std::to_string(d.compared) +
                   " of " + std::to_string(d.problems) + " | " + largest(d.potential) + " | " +
                   largest(d.velocity) + " |");
  }
  return rows;
}

struct Options {
  int threads = 1;
  std::size_t substeps = 200;
  std::vector<std::string> names;

  bool wants(const std::string& name) const {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  }
};

std::optional<Options> parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word != "--threads" && word != "--substeps") {
      options.names.push_back(word);
      continue;
    }
    const std::optional<double> number = ++i < argc ? parseNumber(argv[i]) : std::nullopt;
    if (!number || !(*number >= 1 && *number <= ThreadTeam::kMaxThreads * 10)) return {};
    if (word == "--threads")
      options.threads = std::min(static_cast<int>(*number), ThreadTeam::kMaxThreads);
    else
      options.substeps = static_cast<std::size_t>(*number);
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<Options> options = parse(argc, argv);
  if (!options) {
    std::fprintf(stderr, "usage: benchmark_contact [--threads N] [--substeps N] [NAME…]\n");
    return 2;
  }
  ThreadTeam team(options->threads);
  const FlushDenormals flush;
  std::printf(
      "| problems (contacts, nodes) | solver | ε_r | cold: iterations, mean (most) | passes | µs/iteration | "
      "µs/solve | converged [%%] | warm: iterations | passes | µs/iteration | µs/solve | converged [%%] |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  std::vector<std::string> differences;
  const auto run = [&](Series& series) {
    printTimes(series, team);
    for (std::string& row : compareMinimisers(series, team)) differences.push_back(std::move(row));
  };
  for (const std::string& task : app::tableTasks()) {
    if (!options->wants(task)) continue;
    Result<std::vector<RecordedProblem<float>>> record =
        recordContacts(task, *app::knownTask(task)->busiest, options->substeps);
    if (!record) {
      std::fprintf(stderr, "%s\n", record.error().message().c_str());
      return 1;
    }
    Series series{task, std::move(*record)};
    run(series);
  }
  for (const int side : kLayerSides) {
    Series layer = stiffLayer(side);
    if (options->wants(layer.name)) run(layer);
  }
  std::printf("\n| problems | quasi_newton and | both converged | ℓ | v |\n|---|---|---|---|---|\n");
  for (const std::string& row : differences) std::printf("%s\n", row.c_str());
  return 0;
}
