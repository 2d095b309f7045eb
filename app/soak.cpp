// slipstick soak: hours of scenes that are opened, played, edited, taken back and closed, by dice.
#include <malloc.h>
#include <unistd.h>
#include <memory>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <thread>

#include "app/exit_status.h"
#include "app/number_option.h"
#include "app/progress.h"
#include "app/scene_options.h"
#include "app/stepping.h"
#include "app/verb.h"
#include "app/word_option.h"
#include "assets/recording/live_recorder.h"
#include "assets/scene_io.h"
#include "engine/foundation/number_text.h"
#include "engine/foundation/process_memory.h"
#include "engine/runtime/simulation_thread.h"

// Of the sanitizers' runtimes, where the program is built with one.
extern "C" {
std::size_t __sanitizer_get_current_allocated_bytes() __attribute__((weak));
void __sanitizer_purge_allocator() __attribute__((weak));
void __tsan_flush_memory() __attribute__((weak));
}

namespace slipstick::app {

namespace {

struct SoakOptions {
  std::vector<std::string> scenes;  ///< empty: all shipped scenes
  double minutes = 60;
  double secondsPerScene = 5;  ///< wall time that each is open
  std::uint64_t seed = 1;      ///< of the dice
  StepperOptions stepper;
};

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::size_t kHistoryBudget = std::size_t{64} << 20;  // [bytes]
constexpr double kLongestPause_s = 0.2;                        // of wall time between two actions
constexpr double kMemoryGrowth = 0.05;                         // of the median after the first rounds

/// What the program holds and what the system has given it for that [MiB].
struct MemoryUse {
  double inUse = 0, resident = 0;
  double marks = 0;  ///< resident beside that, of ThreadSanitizer's
};

/// Gives back what is free, and with sanitizers what they remember of what was freed, which is most of what they have.
void giveBack() {
  trimHeap();
  if (__sanitizer_purge_allocator) __sanitizer_purge_allocator();
  if (__tsan_flush_memory) __tsan_flush_memory();
}

/// ThreadSanitizer's marks: half as much as every address that the heap has ever had, whatever is free again. It gives back
/// none of them. Where they lie is fixed, see its tsan_platform.h. [bytes]
std::size_t residentMarks() {
  constexpr std::uintptr_t kBegin = 0x300000000000, kEnd = 0x340000000000;
  return __tsan_flush_memory ? residentBetween(kBegin, kEnd) : 0;
}

MemoryUse memoryUse() {
  giveBack();
  const struct ::mallinfo2 heap = ::mallinfo2();
  const std::size_t inUse = __sanitizer_get_current_allocated_bytes
                                ? __sanitizer_get_current_allocated_bytes()
                                : heap.uordblks + heap.hblkhd;
  constexpr double kMiB = 1 << 20;
  const double resident = static_cast<double>(processMemory().resident) / kMiB,
               marks = static_cast<double>(residentMarks()) / kMiB;
  return {static_cast<double>(inUse) / kMiB, resident - marks, marks};
}

std::string textOf(const MemoryUse& use) {
  std::string text = fixed(use.inUse, 1) + " MiB in use, " + fixed(use.resident, 0) + " MiB resident";
  return use.marks > 0 ? text + " and " + fixed(use.marks, 0) + " MiB of ThreadSanitizer's marks" : text;
}

/// Numbers of one seed, the same on every machine.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t count) {
    return count == 0 ? 0 : static_cast<std::size_t>(engine_() % count);
  }
  double between(double lower, double upper) {
    return lower + (upper - lower) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  Vec3 around(const Vec3& center, double reach) {
    return center + Vec3(between(-reach, reach), between(-reach, reach), between(-reach, reach));
  }

 private:
  std::mt19937_64 engine_;
};

/// What has been done, by name.
using Counts = std::map<std::string, std::size_t>;

/// One scene that is open, and what may be done with it.
class Visit {
 public:
  Visit(std::shared_ptr<const Model> model, std::unique_ptr<SimulationThread> thread, Dice& dice,
        Counts& counts)
      : model_(std::move(model)), thread_(std::move(thread)), dice_(dice), counts_(counts) {
    thread_->setHistoryBudget(kHistoryBudget);
    thread_->setSpeed(INFINITY);
  }

  ~Visit() {
    if (recorder_) record();
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

  /// One action, and a look at what came of it, as a window looks.
  void act() {
    constexpr std::array kActions = {
        std::pair{"play", &Visit::play},        std::pair{"play", &Visit::play},
        std::pair{"pause", &Visit::pause},      std::pair{"step", &Visit::step},
        std::pair{"number", &Visit::setNumber}, std::pair{"number", &Visit::setNumber},
        std::pair{"pull", &Visit::pull},        std::pair{"let go", &Visit::letGo},
        std::pair{"drive", &Visit::drive},      std::pair{"goal", &Visit::goal},
        std::pair{"add", &Visit::add},          std::pair{"remove", &Visit::remove},
        std::pair{"reset", &Visit::reset},      std::pair{"resume", &Visit::resume},
        std::pair{"forget", &Visit::forget},    std::pair{"record", &Visit::record}};
    const auto& [name, action] = kActions[dice_.below(kActions.size())];
    ++counts_[name];
    (this->*action)();
    std::this_thread::sleep_for(Seconds(dice_.between(0, kLongestPause_s)));
    look();
  }

 private:
  std::shared_ptr<const Model> model() const { return thread_->latest()->model; }

  void play() { thread_->play(); }
  void pause() { thread_->pause(); }
  void step() { thread_->stepOnce(); }

  /// From half to twice what it is, or anywhere in a small range.
  void setNumber() {
    const auto now = model();
    if (now->parameters.empty()) return;
    const Parameter& parameter = now->parameters[dice_.below(now->parameters.size())];
    ParameterValue value = valueOf(parameter, now->tuning);
    for (double& x : value) {
      x = x == 0 ? dice_.between(0, 1) : x * std::exp2(dice_.between(-1, 1));
      x = std::clamp(isWhole(parameter, now->tuning) ? std::round(x) : x, parameter.kind->range.lower,
                     parameter.kind->range.upper);
    }
    if (!value.empty()) post(SetParameter{parameter.path, value}, now);
  }

  void pull() {
    const auto now = model();
    const auto snapshot = thread_->latest();
    if (now->nodeCount() > 0 && dice_.below(2) == 0) {
      const std::size_t particle = dice_.below(now->nodeCount());
      if (particle >= snapshot->particles.size()) return;
      const Vec3 x = snapshot->particles[particle].cast<double>();
      post(Pull{.particle = static_cast<std::int32_t>(particle), .goal_W = dice_.around(x, 0.2)}, now);
    } else if (now->tree.bodies.size() > 1) {
      const std::size_t body = 1 + dice_.below(now->tree.bodies.size() - 1);
      post(Pull{.body = static_cast<std::int32_t>(body), .goal_W = dice_.around(snapshot->X_WB[body].p, 0.2)},
           now);
    }
  }

  void letGo() {
    const auto now = model();
    post(Release{}, now);
    if (!now->effectors.empty())
      post(LetGo{static_cast<std::int32_t>(dice_.below(now->effectors.size()))}, now);
  }

  void drive() {
    const auto now = model();
    if (now->tree.joints.empty()) return;
    const auto joint = static_cast<std::int32_t>(dice_.below(now->tree.joints.size()));
    if (canDrive(*now, joint)) post(DriveJoint{joint, dice_.between(-1, 1)}, now);
  }

  void goal() {
    const auto now = model();
    if (now->effectors.empty()) return;
    const auto effector = static_cast<std::int32_t>(dice_.below(now->effectors.size()));
    const auto body = static_cast<std::size_t>(now->effectors[static_cast<std::size_t>(effector)].chain.body);
    post(Goal{.effector = effector, .p = dice_.around(thread_->latest()->X_WB[body].p, 0.3)}, now);
    post(Grip{effector, dice_.between(0, 1)}, now);
  }

  /// A ball or a box of a hand's size.
  void add() {
    const double size = dice_.between(0.02, 0.06);
    const Shape shape =
        dice_.below(2) == 0 ? Shape(shape::Sphere{size}) : Shape(shape::Box{Vec3::Constant(size)});
    Result<RobotSpec> body = floatingBody(
        "soak", shape, 500, Pose::translation(dice_.around(Vec3(0, 0, 0.8), 0.3)), Color::Ones());
    if (body) (void)thread_->edit(SpawnBody{std::move(*body), true});
  }

  /// Only what was added, so that something of the scene is left.
  void remove() {
    const auto now = model();
    std::vector<std::string> added;
    for (const Robot& robot : now->robots)
      if (robot.name.starts_with("soak")) added.push_back(robot.name);
    if (!added.empty()) (void)thread_->edit(Remove{added[dice_.below(added.size())]});
  }

  void reset() { thread_->reset(); }

  void resume() {
    const std::vector<BranchFacts> branches = thread_->branches();
    const BranchFacts& branch = branches[dice_.below(branches.size())];
    const auto source = thread_->branch(branch.id);
    if (!source) return;
    const RunStatus status = source->status();
    const std::uint64_t first = status.firstStored,
                        count = status.lastStep + 1 - std::min(first, status.lastStep);
    thread_->resumeFrom(branch.id, first + dice_.below(static_cast<std::size_t>(count)));
    if (dice_.below(4) == 0) thread_->cancelGoingBack();
  }

  void forget() {
    const std::vector<BranchFacts> branches = thread_->branches();
    const BranchFacts& branch = branches[dice_.below(branches.size())];
    (void)thread_->renameBranch(branch.id, "soak " + std::to_string(counts_["forget"]));
    (void)thread_->deleteBranch(branch.id);
  }

  /// Begins to record, or ends and throws away what was recorded.
  void record() {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("slipstick_soak_" + std::to_string(::getpid()));
    std::error_code ignored;
    if (recorder_) {
      thread_->setSink(nullptr);
      (void)recorder_->finish();
      recorder_.reset();
      fs::remove_all(folder, ignored);
      return;
    }
    fs::create_directories(folder, ignored);
    recorder_ = std::make_shared<assets::LiveRecorder>(folder / "run.h5", assets::RecorderOptions{});
    thread_->setSink(recorder_);
  }

  void post(const Command& command, const std::shared_ptr<const Model>& model) {
    if (!thread_->post(command, model)) ++counts_["refused"];
  }

  void look() {
    const RunStatus status = thread_->status();
    if (!status.error.empty()) ++counts_["stopped by a step"];
    (void)thread_->at(dice_.below(status.lastStep + 1));
    (void)thread_->contactsAt(dice_.below(status.lastStep + 1));
    (void)thread_->marks(status.lastStep / 2);
    (void)thread_->columns();
  }

  std::shared_ptr<const Model> model_;
  std::unique_ptr<SimulationThread> thread_;
  std::shared_ptr<assets::LiveRecorder> recorder_;
  Dice& dice_;
  Counts& counts_;
};

/// All scenes once.
class Round {
 public:
  Round(const SoakOptions& options, Dice& dice, Counts& counts)
      : options_(options), dice_(dice), counts_(counts) {}

  Result<void> visit(const std::string& scene, Clock::time_point end) {
    Result<assets::LoadedModel> loaded =
        assets::loadModel(scene, {.overrides = {}, .packagePaths = {}, .methods = stepping().table()});
    if (!loaded) return loaded.error();
    auto thread = SimulationThread::create(loaded->model, [&](std::shared_ptr<const Model> model) {
      return stepping().makeStepper(std::move(model), options_.stepper);
    });
    if (!thread) return thread.error();
    ++counts_["open"];
    Visit open(loaded->model, std::move(*thread), dice_, counts_);
    const Clock::time_point leave = std::min(
        end, Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(options_.secondsPerScene)));
    while (Clock::now() < leave && !InterruptWatch::requested()) open.act();
    return {};
  }

 private:
  const SoakOptions& options_;
  Dice& dice_;
  Counts& counts_;
};

std::string textOf(const Counts& counts) {
  std::string text;
  for (const auto& [name, count] : counts)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name;
  return text;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

/// The last third of the rounds beside the second: what grows without end shows there, what is kept once does not.
bool isFlat(const char* what, const std::vector<double>& MiB) {
  const auto third = static_cast<std::ptrdiff_t>(MiB.size() / 3);
  const double before = median({MiB.begin() + third, MiB.begin() + 2 * third}),
               after = median({MiB.end() - third, MiB.end()});
  std::printf("memory %s: %s MiB in the second third of the rounds, %s MiB in the last: %+.1f %%\n", what,
              fixed(before, 1).c_str(), fixed(after, 1).c_str(), 100 * (after / before - 1));
  return after <= before * (1 + kMemoryGrowth);
}

Result<void> checkMemory(const std::vector<MemoryUse>& rounds) {
  if (rounds.size() < 6) {
    std::printf("memory: %zu rounds are too few to say whether it grows\n", rounds.size());
    return {};
  }
  std::vector<double> inUse, resident;
  for (const MemoryUse& round : rounds) inUse.push_back(round.inUse), resident.push_back(round.resident);
  const bool holdsMore = !isFlat("in use", inUse), takesMore = !isFlat("resident", resident);
  if (!holdsMore && !takesMore) return {};
  return Error{ErrorCode::SimulationFailed, "memory grows by more than 5 %", "soak",
               "run it again under heaptrack"};
}

int soak(const SoakOptions& options) {
  const InterruptWatch interrupt;
  std::vector<std::string> scenes = options.scenes;
  if (scenes.empty())
    for (const assets::ShippedScene& scene : assets::shippedScenes()) scenes.push_back(scene.name);
  Dice dice(options.seed);
  Counts counts;
  std::vector<MemoryUse> rounds;
  const Clock::time_point start = Clock::now();
  const auto end = start + std::chrono::duration_cast<Clock::duration>(Seconds(60 * options.minutes));
  while (Clock::now() < end && !InterruptWatch::requested()) {
    for (const std::string& scene : scenes) {
      if (Clock::now() >= end || InterruptWatch::requested()) break;
      if (const Result<void> visited = Round(options, dice, counts).visit(scene, end); !visited)
        return fail(visited.error());
    }
    rounds.push_back(memoryUse());
    std::printf("round %zu, %s min: %s\n", rounds.size(),
                fixed(Seconds(Clock::now() - start).count() / 60, 1).c_str(), textOf(rounds.back()).c_str());
    std::fflush(stdout);
  }
  std::printf("seed %s: %s\n", std::to_string(options.seed).c_str(), textOf(counts).c_str());
  if (const Result<void> flat = checkMemory(rounds); !flat) return fail(flat.error());
  return InterruptWatch::requested() ? InterruptWatch::status() : kSuccess;
}

VerbAction offer(CLI::App& verb) {
  const auto options = std::make_shared<SoakOptions>();
  const auto seed = std::make_shared<std::optional<double>>();
  verb.add_option("scenes", options->scenes, "default: all shipped scenes, one after the other")
      ->type_name(kScene);
  addNumber(verb, "--minutes", options->minutes, {{0, 1e5, true}, "min"}, "how long");
  addNumber(verb, "--per-scene", options->secondsPerScene, {{0, 1e5, true}, "s"},
            "how long each is open [s]");
  addNumber(verb, "--seed", *seed, {{0, static_cast<double>(kLargestSeed), false}, ""}, "of the dice");
  addStepper(verb, options->stepper);
  return [options, seed] {
    if (*seed) options->seed = static_cast<std::uint64_t>(**seed);
    return soak(*options);
  };
}

}  // namespace

Verb soakVerb() {
  return {"soak", "Open, play, edit, take back and close scenes by dice, for hours; status 3 if memory grows",
          offer};
}

}  // namespace slipstick::app
