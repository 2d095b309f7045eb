// Recordings that were broken off, by a kill, by a full disk, or cut off afterwards: each opens, exports and replays to the
// last second whose rows are whole, or says what is wrong with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <random>
#include <thread>

#include "app/recorder.h"
#include "assets/export/demo_reader.h"
#include "assets/recording/episode.h"
#include "assets/recording/recorded_run.h"
#include "tests/app/program_run.h"
#include "tests/support/full_disk.h"
#include "tests/support/long_runs.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Clock = std::chrono::steady_clock;

/// Soft on rigid, rigid on rigid by surfaces of pressure: every table has rows.
constexpr const char* kScene = R"(title: whatever a recording has
time: {dt_ms: 2, duration: 1000}
grid: {spacing: 0.05}
materials: {gel: {model: fixed_corotated, E: 1e4, nu: 0.3, density: 1000}}
deformables:
  cube: {material: gel, shape: box, size: [0.1, 0.1, 0.1], position: [1, 0, 0.055], sampling: {count: [3, 3, 3]}}
bodies:
  floor: {shapes: [{shape: plane}]}
  box: {base: free, mass: 1, position: [0, 0, 0.15], rpy_deg: [20, 30, 0], shapes: [{shape: box, size: [0.2, 0.2, 0.2]}], replicate: {count: 2, offset: [0.21, 0, 0.3]}}
)";

/// At most the last second is missing.
constexpr auto kLast = std::chrono::seconds(1);

/// What the child that records tells the one that watches it.
struct Told {
  static constexpr std::size_t kMax = std::size_t{1} << 18;
  std::atomic<std::uint64_t> added = 0;  ///< the last step that was taken
  std::atomic<bool> wasRefused = false;
  std::array<std::atomic<Clock::duration::rep>, kMax> when{};  ///< each step was

  void add(std::uint64_t step) {
    when[step % kMax] = Clock::now().time_since_epoch().count();
    added = step;
  }
  /// Between a step and the last one.
  Clock::duration since(std::uint64_t step) const {
    return Clock::duration(when[added % kMax] - when[step % kMax]);
  }
  /// The last step that was taken so long before the last one; 0: none was.
  std::uint64_t aSecondBefore() const {
    std::uint64_t step = added;
    while (step > 0 && since(step) <= kLast) --step;
    return step;
  }
};

/// Records until nobody takes the steps any more, with a command every seventh step.
[[noreturn]] void recordForEver(const std::string& scene, const fs::path& file, Told& told) {
  app::SceneOptions options;
  options.scene = scene;
  options.quiet = true;
  options.stepper.threads = 1;
  auto run = app::openRun(options);
  auto recorder = app::Recorder::begin(file, **run, 30, {});
  std::vector<Command> commands;
  for (std::uint64_t step = 0; recorder.ok() && (*recorder)->add(**run, commands);) {
    told.add(step++);
    commands.clear();
    if (step % 7 == 0)
      commands = {SetParameter{"contact.friction", {0.1 + 0.01 * static_cast<double>(step % 50)}}};
    if (!(*run)->step(commands, (*recorder)->detailOf(step))) break;
  }
  told.wasRefused = true;
  _exit(0);  // as a program ends: nothing is closed
}

class BrokenOff : public testing::ProgramTest {
 protected:
  BrokenOff() : told_(*new (mapped()) Told) { std::ofstream(folder_ / "all.yaml") << kScene; }
  ~BrokenOff() override { munmap(&told_, sizeof told_); }

  static void* mapped() {
    return mmap(nullptr, sizeof(Told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  }

  /// Records in a process of its own. @param first  what that does before
  pid_t record(const std::function<void()>& first) {
    told_.added = 0;
    told_.wasRefused = false;
    for (const char* name : {"r.h5", "r.h5.part"}) fs::remove(path(name));
    const pid_t child = fork();
    if (child != 0) return child;
    first();
    recordForEver(path("all.yaml"), path("r.h5"), told_);
  }

  /// Reads all that a recording has. @return what is wrong with it, or nothing
  static std::string faultIn(const fs::path& file) {
    const auto opened = assets::RecordedRun::open(file);
    if (!opened) return opened.error().message();
    const assets::RecordingReader& recording = (*opened)->recording();
    const std::uint64_t first = recording.firstStep(), last = recording.lastStep();
    for (std::uint64_t step = first; step <= last; ++step) {
      const auto read = (*opened)->read(step, Detail::Particles);
      if (!read) return "step " + std::to_string(step) + ": " + read.error().message();
      if (std::abs((*read)->time - 0.002 * static_cast<double>(step)) > 1e-6)
        return "step " + std::to_string(step) + " is of " + std::to_string((*read)->time) + " s";
      const auto state = recording.keyframeBefore(step);
      if (step % 50 == 0 && !state) return state.error().message();
    }
    const auto pairs = recording.pairs();
    if (!pairs) return pairs.error().message();
    for (const ContactPair& pair : *pairs)
      if (const auto values = recording.pairValues(pair, 0, first, last + 1); !values)
        return values.error().message();
    const auto marks = recording.marks();
    return marks ? "" : marks.error().message();
  }

  /// Whether what the child has recorded lacks more than its last second.
  std::string lossOf() {
    const auto opened = assets::RecordingReader::open(path("r.h5"));
    if (!opened) return "";  // faultIn() says so
    const std::uint64_t last = (*opened)->lastStep(), least = told_.aSecondBefore();
    losses_.push_back(last < told_.added ? told_.since(last) : Clock::duration(0));
    return last >= least ? "" : "it has " + std::to_string(last) + " steps of " + std::to_string(least);
  }
  /// What is wrong with what the child has recorded, or nothing.
  std::string fault() {
    if (const std::string said = faultIn(path("r.h5")); !said.empty()) return said;
    if (const std::string said = lossOf(); !said.empty()) return said;
    return faultOfProgram();
  }
  /// All that it had was of its last second.
  bool isTooYoung(const std::string& fault) const {
    return fault.find("before its first step") != std::string::npos && told_.since(0) <= kLast;
  }
  void printLosses() {
    if (losses_.empty()) return;
    std::sort(losses_.begin(), losses_.end());
    const auto at = [this](std::size_t percent) {
      const auto rank = percent * (losses_.size() - 1) / 100;
      return static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(losses_[rank]).count());
    };
    std::printf("lost before the last step: median %d, 90 %% below %d, at most %d ms\n", at(50), at(90),
                at(100));
  }

  /// The real program reads it to its end, and the same comes out again.
  std::string faultOfProgram() const {
    const Outcome exported =
        run("export r.h5 --csv o.csv --contacts c.csv --bodies b.csv --npz o.npz --quiet");
    if (exported.status != 0) return "export: " + exported.err;
    const Outcome replayed = run("replay r.h5 --check");
    if (replayed.status != 0) return "replay: " + replayed.err;
    const std::uint64_t rows = testing::lineCount(testing::readText(folder_ / "o.csv"));
    const std::string all = "all " + std::to_string(rows - 2) + " steps are equal, bit for bit";
    return replayed.out.find(all) != std::string::npos ? "" : "replay: " + replayed.out + " of " + all;
  }

  /// @param least  milliseconds before the kill, at least   @param first  what the child does before it records
  void kill(
      int count, unsigned seed, int least, int most, const std::function<void()>& first = [] {}) {
    std::mt19937 random(seed);
    int whole = 0, none = 0;
    for (int i = 0; i < count; ++i) {
      const pid_t child = record(first);
      while (told_.added == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::this_thread::sleep_for(
          std::chrono::milliseconds(std::uniform_int_distribution<>(least, most)(random)));
      ::kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
      const std::string said = fault();
      if (isTooYoung(said)) {
        ++none;
        continue;
      }
      EXPECT_EQ(said, "") << "kill " << i << ", " << told_.added << " steps";
      whole += said.empty() ? 1 : 0;
    }
    std::printf("%d of %d killed recordings are whole up to their last second, %d had no whole step yet\n",
                whole, count, none);
    printLosses();
  }

  /// Every write refused from some byte on.
  void fill(int count, unsigned seed, double least, double most) {
    std::mt19937 random(seed);
    int whole = 0, none = 0;
    for (int i = 0; i < count; ++i) {
      const auto bytes = static_cast<std::uint64_t>(
          std::pow(10, std::uniform_real_distribution<>(std::log10(least), std::log10(most))(random)));
      const auto refused = i % 2 == 0 ? testing::Refused::EveryWrite : testing::Refused::Growth;
      const pid_t child = record([&] { testing::fillDisk(path("r.h5"), bytes, refused); });
      waitpid(child, nullptr, 0);
      EXPECT_TRUE(told_.wasRefused) << "full at " << bytes;
      EXPECT_FALSE(fs::exists(path("r.h5.part"))) << "full at " << bytes;
      if (!fs::exists(path("r.h5"))) {  // it was never begun, and said so
        EXPECT_EQ(told_.added, 0u) << "full at " << bytes;
        ++none;
        continue;
      }
      const std::string said = fault();
      if (isTooYoung(said)) {
        ++none;
        continue;
      }
      EXPECT_EQ(said, "") << "full at " << bytes << ", " << told_.added << " steps, refusal "
                          << (i % 2 == 0 ? "of every write" : "of growth");
      whole += said.empty() ? 1 : 0;
    }
    std::printf("%d of %d recordings on full disks are whole, %d had no room for their first step\n", whole,
                count, none);
    printLosses();
  }

  /// Bytes taken away from the end of a file: an error that names it, or what is whole.
  void cut(const fs::path& file, int count, unsigned seed,
           const std::function<std::string(const fs::path&)>& faultOf) {
    std::mt19937 random(seed);
    int whole = 0;
    for (int i = 0; i < count; ++i) {
      const fs::path part = folder_ / ("cut" + file.extension().string());
      fs::copy_file(file, part, fs::copy_options::overwrite_existing);
      fs::resize_file(part,
                      std::uniform_int_distribution<std::uintmax_t>(0, fs::file_size(file) - 1)(random));
      const std::string fault = faultOf(part);
      whole += fault.empty() ? 1 : 0;
      if (fault.empty()) continue;
      EXPECT_THAT(fault, HasSubstr(part.string())) << fs::file_size(part);
      EXPECT_THAT(fault, HasSubstr("; ")) << "what to do";
    }
    std::printf("%s: %d of %d cut files open with what is whole, the others say what is wrong\n",
                file.filename().c_str(), whole, count);
  }

  Told& told_;
  std::vector<Clock::duration> losses_;
};

TEST_F(BrokenOff, RecordingsOfKilledProgramsAreWholeUpToTheirLastSecond) {
  kill(3, 58, 0, 3500);
}

TEST_F(BrokenOff, RecordingsOfKilledProgramsAreWholeUpToTheirLastSecondFullRun) {
  SLIPSTICK_SKIP_UNLESS_LONG();
  kill(200, 2026, 0, 4000);
}

/// Which takes seconds for what is written twice a second: steps wait for it.
TEST_F(BrokenOff, RecordingsOnASlowDiskAreWholeUpToTheirLastSecond) {
  kill(2, 59, 2500, 5000, [&] { testing::slowDisk(path("r.h5"), std::chrono::milliseconds(20)); });
}

TEST_F(BrokenOff, RecordingsOnAFullDiskAreWholeUpToTheirLastSecond) {
  fill(10, 58, 5e4, 8e5);
}

TEST_F(BrokenOff, RecordingsOnAFullDiskAreWholeUpToTheirLastSecondFullRun) {
  SLIPSTICK_SKIP_UNLESS_LONG();
  fill(200, 2026, 3e4, 5e6);
}

TEST_F(BrokenOff, RecordingsCutOffAfterwardsSaySo) {
  ASSERT_EQ(run("run all.yaml --duration 0.4 --record r.h5").status, 0);
  const int count = std::getenv("SLIPSTICK_LONG_TESTS") ? 200 : 20;
  cut(path("r.h5"), count, 1, [](const fs::path& file) { return faultIn(file); });
  cut(path("r.h5"), count, 2, [](const fs::path& file) {
    const assets::Episode episode = assets::episodeIn(file);
    return episode.broken ? episode.broken->message() : "";
  });
  fs::resize_file(path("r.h5"), fs::file_size(path("r.h5")) - 1);
  EXPECT_THAT(run("replay r.h5").err, HasSubstr("it is cut off: "));
  const pid_t child = record([] {});  // one that was killed, cut as well
  while (told_.added == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  ::kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  cut(path("r.h5"), count, 3, [](const fs::path& file) { return faultIn(file); });
}

}  // namespace
}  // namespace slipstick
