// Demonstrations that were broken off, by a kill or by a full disk: what stood there stays, or what is new is whole. One
// that was cut off afterwards says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <random>
#include <thread>

#include "assets/export/demo_reader.h"
#include "assets/export/demo_writer.h"
#include "tests/app/program_run.h"
#include "tests/support/full_disk.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class BrokenDemos : public testing::ProgramTest {
 protected:
  BrokenDemos() {
    std::ofstream(folder_ / "reach.yaml") << R"(title: an arm beside a puck
time: {dt_ms: 10, duration: 2}
bodies:
  table: {shapes: [{name: top, shape: plane}]}
  puck: {base: free, mass: 0.5, position: [0.6, 0.3, 0.05], shapes: [{name: ball, shape: sphere, radius: 0.05}]}
robots:
  arm: {urdf: arm7, joints: {joint_2: 0.5, joint_4: -1.2, joint_6: 1.2}}
)";
    EXPECT_EQ(run("run reach.yaml --duration 0.5 --record a.h5").status, 0);
    EXPECT_EQ(run("run reach.yaml --duration 0.2 --record b.h5").status, 0);
    EXPECT_EQ(run("demos a.h5 --out old.hdf5 --quiet").status, 0);
  }

  Result<assets::DemoReport> write() const {
    assets::DemoOptions options;
    options.program = "a test";
    return assets::exportDemos({path("a.h5"), path("b.h5")}, path("d.hdf5"), options);
  }
  /// Writes over an old file, in a process of its own. @param first  what that does before
  pid_t writeElsewhere(const std::function<void()>& first) const {
    fs::copy_file(path("old.hdf5"), path("d.hdf5"), fs::copy_options::overwrite_existing);
    const pid_t child = fork();
    if (child != 0) return child;
    first();
    const Result<assets::DemoReport> written = write();
    if (!written) std::ofstream(path("said")) << written.error().message();
    _exit(written ? 0 : 1);
  }
  bool isOld() const { return testing::readText(path("d.hdf5")) == testing::readText(path("old.hdf5")); }
  /// Both demonstrations can be driven again.
  void expectNew(const std::string& when) const {
    for (const auto& [name, steps] : {std::pair{"demo_0", 50u}, std::pair{"demo_1", 20u}}) {
      const Result<assets::Demo> demo = assets::readDemo(path("d.hdf5") + ":" + name);
      ASSERT_TRUE(demo) << when << ": " << demo.error().message();
      EXPECT_EQ(demo->steps, steps) << when;
      EXPECT_EQ(demo->samples.size(), steps) << when;
    }
  }
  static int count() { return std::getenv("SLIPSTICK_LONG_TESTS") ? 200 : 10; }

  /// How long it takes to write them [µs].
  int duration() const {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(write());
    const auto passed = std::chrono::steady_clock::now() - start;
    return static_cast<int>(std::chrono::duration_cast<std::chrono::microseconds>(passed).count());
  }
};

TEST_F(BrokenDemos, OfAKilledProgramAreTheOldOnesOrWholeAndTheNextRunTakesTheirPlace) {
  std::mt19937 random(52);
  int old = 0, left = 0;
  const int most = duration();
  for (int i = 0; i < count(); ++i) {
    const pid_t child = writeElsewhere([] {});
    std::this_thread::sleep_for(
        std::chrono::microseconds(std::uniform_int_distribution<>(0, most * 5 / 4)(random)));
    ::kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const std::string when = "kill " + std::to_string(i);
    left += fs::exists(path("d.hdf5.part")) ? 1 : 0;
    old += isOld() ? 1 : 0;
    if (!isOld()) expectNew(when);
    const Result<assets::DemoReport> next = write();
    ASSERT_TRUE(next) << when << ": " << next.error().message();
    expectNew(when + ", the next one");
    EXPECT_FALSE(fs::exists(path("d.hdf5.part"))) << when;
  }
  EXPECT_GT(left, 0) << "none was killed while it wrote";
  std::printf("%d killed: %d left the old file, %d of them a .part; the others are whole\n", count(), old,
              left);
}

TEST_F(BrokenDemos, OnAFullDiskLeaveTheOldOnesAndSayWhy) {
  ASSERT_TRUE(write());
  const double whole = static_cast<double>(fs::file_size(path("d.hdf5")));
  std::mt19937 random(53);
  for (int i = 0; i < count(); ++i) {
    const auto bytes = static_cast<std::uint64_t>(whole * std::uniform_real_distribution<>(0, 1)(random));
    const auto refused = i % 2 == 0 ? testing::Refused::EveryWrite : testing::Refused::Growth;
    const pid_t child = writeElsewhere([&] { testing::fillDisk(path("d.hdf5"), bytes, refused); });
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << "full at " << bytes << ": " << status;
    EXPECT_THAT(testing::readText(path("said")), HasSubstr("d.hdf5")) << "full at " << bytes;
    EXPECT_THAT(testing::readText(path("said")), HasSubstr("disk")) << "full at " << bytes;
    EXPECT_TRUE(isOld()) << "full at " << bytes;
    EXPECT_FALSE(fs::exists(path("d.hdf5.part"))) << "full at " << bytes;
    fs::remove(path("said"));
  }
}

TEST_F(BrokenDemos, CutOffAfterwardsSaySo) {
  std::mt19937 random(54);
  constexpr std::uintmax_t kHead = 48;  // what says how long the file is
  const std::uintmax_t whole = fs::file_size(path("old.hdf5"));
  for (int i = 0; i < count(); ++i) {
    fs::copy_file(path("old.hdf5"), path("cut.hdf5"), fs::copy_options::overwrite_existing);
    const auto bytes =
        i == 0 ? whole - 1 : std::uniform_int_distribution<std::uintmax_t>(0, whole - 1)(random);
    fs::resize_file(path("cut.hdf5"), bytes);
    const Result<assets::Demo> demo = assets::readDemo(path("cut.hdf5") + ":demo_0");
    ASSERT_FALSE(demo) << bytes;
    EXPECT_THAT(demo.error().message(), HasSubstr("cut.hdf5")) << bytes;
    EXPECT_NE(demo.error().remedy, "") << bytes;
    if (bytes > kHead) {
      EXPECT_THAT(demo.error().what, HasSubstr("it is cut off: ")) << bytes;
    }
  }
  const Outcome driven = run("run reach.yaml --actions cut.hdf5:demo_0");
  EXPECT_EQ(driven.status, 1);
  EXPECT_EQ(testing::lineCount(driven.err), 1u) << driven.err;
}

/// No poses, of a file whose demonstration drives nothing: without them the states are those that were recorded.
TEST_F(BrokenDemos, AThousandActionsThatAreNoneAreLeftOutAndCounted) {
  ASSERT_EQ(run("run reach.yaml --duration 10 --record long.h5 --threads 1 --quiet").status, 0);
  ASSERT_EQ(run("demos long.h5 --out long.hdf5 --quiet").status, 0);
  const std::string lines =
      "import h5py; f = h5py.File('long.hdf5', 'r+')['data/demo_0']; a = f['actions'][:]; nan = "
      "float('nan'); "
      "a[0::4, 0] = nan; a[1::4, 2] = float('inf'); a[2::4, 3:7] = 0; a[3::4, 4] = nan; f['actions'][:] = a; "
      "f['actions_asked'][:] = 1; assert len(a) == 1000";
  ASSERT_EQ(std::system(("cd '" + folder_.string() + "' && /usr/bin/python3 -c \"" + lines + "\"").c_str()),
            0);
  const Outcome driven = run("run reach.yaml --actions long.hdf5:demo_0");
  EXPECT_EQ(driven.status, 0) << driven.err;
  EXPECT_THAT(driven.err,
              HasSubstr("commands that could not be applied, and were left out: 1000; the last: "));
  EXPECT_THAT(driven.out, HasSubstr("demo_0: all 1001 states are equal, bit for bit"));
}

}  // namespace
}  // namespace slipstick
