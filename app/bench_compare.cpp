#include "app/bench_compare.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "app/bench_window.h"
#include "app/exit_status.h"
#include "app/progress.h"
#include "app/rigid_bench.h"
#include "app/servant.h"
#include "engine/foundation/number_text.h"

namespace slipstick::app {

namespace {

/// Steps of a turn: milliseconds in which caches are one's own again.
constexpr int kStepsPerTurn = 5, kRigidStepsPerTurn = 50;
constexpr std::string_view kReady = "ready";

/// What one of the two programs has said so far.
struct Side {
  Servant servant;
  std::vector<double> walls = {};  ///< [s]
  double contacts = 0;             ///< sum over steps

  /// @return whether it took its turn
  bool turn(int steps) {
    const std::optional<std::string> answer = servant.ask(std::to_string(steps));
    if (!answer) return false;
    const nlohmann::json words = nlohmann::json::parse(*answer, nullptr, false);
    if (!words.is_array() || words.size() != static_cast<std::size_t>(steps)) return false;
    for (const nlohmann::json& step : words) {
      if (!step.is_object()) return false;
      walls.push_back(step.value("wall_s", 0.0));
      contacts += step.value("contacts", 0.0);
    }
    return true;
  }
  double mean_ms() const {
    double sum = 0;
    for (const double wall : walls) sum += wall;
    return 1e3 * sum / static_cast<double>(walls.size());
  }
  double median_ms() const {
    std::vector<double> sorted = walls;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2),
                     sorted.end());
    return 1e3 * sorted[sorted.size() / 2];
  }
  double meanContacts() const { return contacts / static_cast<double>(walls.size()); }
};

Error noTurns(const std::string& program, const std::string& scene) {
  return {ErrorCode::Unsupported, "does not take turns on " + scene, program,
          isRigidBench(scene)
              ? "it must be a slipstick whose `bench --help` says that --compare takes rigid scenes"
              : "it must be a slipstick whose `bench --help` knows --compare, and the scene must run in it"};
}

Result<Side> startSide(const std::string& program, const Comparison& comparison) {
  const StepperOptions& s = comparison.stepper;
  std::vector<std::string> arguments = {"bench",
                                        comparison.scene,
                                        "--turns",
                                        "--from",
                                        significant(comparison.from, 17),
                                        "--backend",
                                        s.backend,
                                        "--threads",
                                        std::to_string(s.threads)};
  if (!s.method.empty()) arguments.insert(arguments.end(), {"--method", s.method});
  Result<Servant> servant = Servant::start(program, arguments);
  if (!servant) return servant.error();
  Side side{std::move(*servant)};
  // One after the other: what is simulated before the window must not disturb anybody either.
  if (side.servant.listen() != kReady) return noTurns(program, comparison.scene);
  return side;
}

std::string ownProgram() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

}  // namespace

void printComparisonHeading(const std::string& program) {
  std::printf("by turns of %d steps (rigid: %d) with %s\n\n%-18s %8s %10s %10s %8s %10s %10s %8s %11s %11s\n",
              kStepsPerTurn, kRigidStepsPerTurn, program.c_str(), "scene", "from [s]", "old ms", "new ms",
              "ratio", "old p50", "new p50", "ratio", "contacts", "old's");
}

Result<nlohmann::ordered_json> compareWindow(const Comparison& comparison) {
  Result<Side> old = startSide(comparison.program, comparison);
  if (!old) return old.error();
  Result<Side> now = startSide(ownProgram(), comparison);
  if (!now) return now.error();
  const int longest = isRigidBench(comparison.scene) ? kRigidStepsPerTurn : kStepsPerTurn;
  for (int done = 0, turn = 0; done < comparison.steps; done += longest, ++turn) {
    if (InterruptWatch::requested()) return cancelledLoad(comparison.scene);
    const int steps = std::min(longest, comparison.steps - done);
    Side* const first = turn % 2 == 0 ? &*old : &*now;  // neither always follows the other
    Side* const second = turn % 2 == 0 ? &*now : &*old;
    for (Side* const side : {first, second})
      if (!side->turn(steps))
        return noTurns(side == &*old ? comparison.program : ownProgram(), comparison.scene);
  }
  const double ratio = old->mean_ms() / now->mean_ms(), middle = old->median_ms() / now->median_ms();
  std::printf("%-18s %8s %10s %10s %8s %10s %10s %8s %11s %11s\n",
              std::filesystem::path(comparison.scene).stem().c_str(), fixed(comparison.from, 2).c_str(),
              significant(old->mean_ms(), 4).c_str(), significant(now->mean_ms(), 4).c_str(),
              fixed(ratio, 2).c_str(), significant(old->median_ms(), 4).c_str(),
              significant(now->median_ms(), 4).c_str(), fixed(middle, 2).c_str(),
              fixed(now->meanContacts(), 0).c_str(), fixed(old->meanContacts(), 0).c_str());
  std::fflush(stdout);
  const auto sideRow = [](const Side& side) {
    return nlohmann::ordered_json{{"ms_per_step", {{"mean", side.mean_ms()}, {"p50", side.median_ms()}}},
                                  {"contacts_mean", side.meanContacts()}};
  };
  return nlohmann::ordered_json{{"scene", comparison.scene}, {"from_s", comparison.from},
                                {"steps", comparison.steps}, {"old", sideRow(*old)},
                                {"new", sideRow(*now)},      {"ratio", {{"mean", ratio}, {"p50", middle}}}};
}

namespace {

/// One step of a servant.
struct Step {
  double wall = 0;  ///< [s]
  std::size_t contacts = 0;
};

/// @param take  takes a step: a Result<Step>
template <class Take>
int serve(const Take& take) {
  std::cout << kReady << std::endl;
  for (int steps = 0; std::cin >> steps;) {
    nlohmann::json answer = nlohmann::json::array();
    for (int i = 0; i < steps; ++i) {
      const Result<Step> step = take();
      if (!step) return fail(step.error());
      answer.push_back({{"wall_s", step->wall}, {"contacts", step->contacts}});
    }
    std::cout << answer.dump() << std::endl;
  }
  return kSuccess;
}

}  // namespace

int serveTurns(const std::string& scene, double from, const StepperOptions& stepper) {
  if (isRigidBench(scene)) {
    Result<RigidWindow> window = RigidWindow::open(scene);
    if (!window) return fail(window.error());
    return serve([&]() -> Result<Step> {
      const double wall = window->step();
      return Step{wall, window->points()};
    });
  }
  Result<BenchWindow> window = BenchWindow::open(scene, from, stepper);
  if (!window) return fail(window.error());
  return serve([&]() -> Result<Step> {
    const Result<double> wall = window->step();
    if (!wall) return wall.error();
    return Step{*wall, window->run().snapshot().contacts.size()};
  });
}

}  // namespace slipstick::app
