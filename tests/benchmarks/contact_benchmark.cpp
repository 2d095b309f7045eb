// Time of one contact solve, its iterations, and the time per iteration and contact: problems recorded in the
// shipped tasks and stiff synthetic layers, each solver, three tolerances, from free motion ("cold") and from the
// solution's own impulses ("warm": what a perfect memory of the substep before would give).
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "engine/mpm/thread_team.h"
#include "tests/engine/contact/recorded_problem.h"
#include "tests/engine/contact/synthetic_layer.h"

using namespace slipstick;
using namespace slipstick::mpm;

namespace {

struct Case {
  std::string name;
  int side = 0;  ///< of a synthetic layer; 0: the name is that of a recorded task
};

RecordedProblem<float> problemOf(const Case& c) {
  if (c.side == 0) return recordedProblem<float>(c.name);
  SyntheticLayer layer;
  layer.side = c.side;
  layer.stiffness = 1e5;
  layer.dissipation = 100;
  RecordedProblem<float> r;
  r.problem = syntheticLayer<float>(layer);
  return r;
}

void solve(benchmark::State& state, const Case& c, const ContactSolverSettings& settings, bool warm) {
  RecordedProblem<float> recorded = problemOf(c);
  ContactProblem<float>& problem = recorded.problem;
  const char* const threads = std::getenv("SLIPSTICK_BENCHMARK_THREADS");
  ThreadTeam team(threads != nullptr ? std::max(1, std::atoi(threads)) : 1);
  ContactSolver<float> solver(&team);
  ContactSolution<float> solution;
  if (warm) {
    solver.solve(problem, settings, solution);
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) problem.contacts[i].guess = solution.gamma[i];
  }
  for (auto _ : state) solver.solve(problem, settings, solution);
  const double contacts = static_cast<double>(problem.contacts.size());
  const double passes = std::max(1, solution.iterations);
  state.counters["contacts"] = contacts;
  state.counters["nodes"] = static_cast<double>(problem.mass.size());
  state.counters["iterations"] = solution.iterations;
  state.counters["converged"] = solution.converged;
  using benchmark::Counter;
  const double rounds = static_cast<double>(state.iterations());
  state.counters["s/iteration"] = Counter(passes * rounds, Counter::kIsRate | Counter::kInvert);
  state.counters["s/iteration/contact"] =
      Counter(passes * contacts * rounds, Counter::kIsRate | Counter::kInvert);
}

const int kRegistered = [] {
  const std::vector<Case> cases = {{"dough_rolling"}, {"box_bagging"}, {"laundry"},  {"tshirt_folding"},
                                   {"shake"},         {"layer", 1},    {"layer", 3}, {"layer", 10},
                                   {"layer", 32},     {"layer", 71}};
  const std::vector<std::pair<std::string, ContactSolverName>> solvers = {
      {"quasi_newton", ContactSolverName::QuasiNewton},
      {"majorized_anderson", ContactSolverName::MajorizedAnderson},
      {"contact_newton", ContactSolverName::ContactNewton}};
  for (const Case& c : cases)
    for (const auto& [name, solver] : solvers)
      for (const double tolerance : {5e-2, 1e-3, 1e-5})
        for (const bool warm : {false, true}) {
          ContactSolverSettings settings;
          settings.solver = solver;
          settings.relativeTolerance = tolerance;
          const std::string size = c.side > 0 ? "_" + std::to_string(c.side * c.side) : "";
          const std::string label = "contact/" + c.name + size + '/' + name + '/' +
                                    (tolerance > 1e-2   ? "5e-2"
                                     : tolerance > 1e-4 ? "1e-3"
                                                        : "1e-5") +
                                    (warm ? "/warm" : "/cold");
          benchmark::RegisterBenchmark(label.c_str(), [=](benchmark::State& s) {
            solve(s, c, settings, warm);
          })->Unit(benchmark::kMicrosecond);
        }
  return 0;
}();

}  // namespace
