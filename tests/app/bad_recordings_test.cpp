// Malformed commands in a recording: they are left out, counted and said; it opens, replays and is gone on from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "app/recorder.h"
#include "app/scene_run.h"
#include "app/stepping.h"
#include "assets/recording/recorded_run.h"
#include "engine/runtime/simulation_thread.h"
#include "tests/app/program_run.h"
#include "tests/support/bad_commands.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kCount = 1000;
constexpr std::uint64_t kSteps = 20;

class BadRecordings : public testing::ProgramTest {
 protected:
  /// A run in which a person sets a number at the sixth step. @param beside  what the file says was done at each step, too
  void record(const std::function<std::vector<Command>(std::uint64_t)>& beside) const {
    app::SceneOptions options;
    options.scene = path("drop.yaml");
    options.quiet = true;
    options.stepper.threads = 1;
    const auto run = app::openRun(options);
    ASSERT_TRUE(run) << run.error().message();
    const auto recorder = app::Recorder::begin(path("r.h5"), **run, 30, {});
    ASSERT_TRUE(recorder) << recorder.error().message();
    ASSERT_TRUE((*recorder)->add(**run, {}));
    for (std::uint64_t step = 1; step <= kSteps; ++step) {
      std::vector<Command> commands;
      if (step == 6) commands = {SetParameter{"gravity.x", {1}}};
      ASSERT_TRUE((*run)->step(commands, (*recorder)->detailOf(step)));
      std::vector<Command> written = beside(step);
      written.insert(written.begin() + static_cast<std::ptrdiff_t>(written.size() / 2), commands.begin(),
                     commands.end());
      ASSERT_TRUE((*recorder)->add(**run, written));
    }
    ASSERT_TRUE((*recorder)->finish());
  }
  /// @param good  how many commands can be applied
  void expectLeftOut(std::size_t good) const {
    const auto opened = assets::RecordedRun::open(path("r.h5"));
    ASSERT_TRUE(opened) << opened.error().message();
    EXPECT_EQ((*opened)->recording().commands().size(), good);
    EXPECT_EQ((*opened)->recording().dropped().count, kCount);
    EXPECT_EQ((*opened)->status().dropped.count, kCount);
    const Outcome replayed = run("replay r.h5 --check");
    EXPECT_EQ(replayed.status, 0) << replayed.err;
    EXPECT_THAT(replayed.out, HasSubstr("all 20 steps are equal, bit for bit"));
    EXPECT_THAT(replayed.err,
                HasSubstr("commands that could not be applied, and were left out: 1000; the last: "));
    EXPECT_EQ(testing::lineCount(replayed.err), 1u) << replayed.err;
    expectGoneOnFrom(*opened);
  }
  static void expectGoneOnFrom(const std::shared_ptr<const assets::RecordedRun>& recorded) {
    const MakeStepper make = [](std::shared_ptr<const Model> model) {
      return app::stepping().makeStepper(std::move(model), {.threads = 1});
    };
    const auto run = SimulationThread::create(recorded->model(), make).value();
    run->resumeFrom(recorded, 15);
    run->waitUntilIdle();
    EXPECT_EQ(run->status().error, "");
    run->runUntil(0.1);
    run->waitUntilIdle();
    for (const TimelineMark& mark : run->marks())
      EXPECT_EQ(mark.stateHash, recorded->mark(mark.step)->stateHash) << mark.step;
    EXPECT_EQ(run->latest()->step, kSteps);
  }
  /// Changes the open recording `f`.
  void python(const std::string& lines) const {
    const std::string command =
        "cd '" + folder_.string() +
        "' && /usr/bin/python3 -c \"import h5py, numpy; f = h5py.File('r.h5', 'r+'); " + lines + "\"";
    ASSERT_EQ(std::system(command.c_str()), 0) << lines;
  }
};

TEST_F(BadRecordings, CommandsThatTheSceneCannotHaveAreLeftOut) {
  constexpr std::size_t kAtOnce = kCount / (kSteps / 2);
  record([](std::uint64_t step) {
    return step % 2 == 0 ? testing::badCommands(kAtOnce, static_cast<unsigned>(step))
                         : std::vector<Command>();
  });
  expectLeftOut(1);
}

TEST_F(BadRecordings, CommandsThatAreNoTextOfAnyAreLeftOut) {
  record([](std::uint64_t step) {
    return step == 6 ? std::vector<Command>(kCount, SetParameter{"gravity.x", {1}}) : std::vector<Command>();
  });
  // All but the one in the middle become bytes, halves of texts, or keys of no command.
  python(
      "t = f['commands/text']; all = t[:]; good = all[500].copy(); n, m = all.shape; "
      "all[:] = numpy.random.default_rng(52).integers(1, 256, (n, m)); all[:, -1] = 0; "
      "all[::3] = good; all[::3, 9:] = 0; "
      "fly = numpy.frombuffer(b'{\\\"fly\\\": 1}', 'u1'); all[1::3] = 0; all[1::3, :len(fly)] = fly; "
      "all[500] = good; t[:] = all");
  expectLeftOut(1);
}

/// Numbers that were in force at the start of the recording, which is a recording's own list.
TEST_F(BadRecordings, SettingsOfItsStartAreLeftOut) {
  record([](std::uint64_t) { return std::vector<Command>(); });
  python(
      "del f['scene/settings']; "
      "f['scene'].create_dataset('settings', data=['{\\\"set\\\": \\\"no.such\\\", \\\"value\\\": [1]}', "
      "'x'] * 500, "
      "dtype=h5py.string_dtype())");
  expectLeftOut(1);
}

/// A terminal obeys what begins with U+001B or U+009B: it clears itself, or types.
const std::string kOrder = "\x1b[2J\xc2\x9b";

void expectNoOrder(const std::string& said) {
  for (const char* begin : {"\x1b", "\xc2\x9b"})
    EXPECT_EQ(said.find(begin), std::string::npos) << "in " << said.size() << " bytes";
}

TEST_F(BadRecordings, WhatTheirCommandsSayIsShortAndNoOrderToATerminal) {
  record([](std::uint64_t step) {
    return step == 8 ? std::vector<Command>{SetParameter{kOrder + std::string(100'000, 'a'), {1}}}
                     : std::vector<Command>();
  });
  const auto opened = assets::RecordedRun::open(path("r.h5"));
  ASSERT_TRUE(opened) << opened.error().message();
  const DroppedCommands dropped = (*opened)->status().dropped;
  EXPECT_EQ(dropped.count, 1u);
  EXPECT_LT(dropped.why.size(), 400u);
  expectNoOrder(dropped.why);
  const Outcome replayed = run("replay r.h5");
  EXPECT_EQ(replayed.status, 0) << replayed.err;
  EXPECT_THAT(replayed.err, HasSubstr("were left out: 1; the last: "));
  EXPECT_LT(replayed.err.size(), 600u);
  expectNoOrder(replayed.err);
}

TEST_F(BadRecordings, NorIsWhatTheySayOfThemselves) {
  record([](std::uint64_t) { return std::vector<Command>(); });
  python("f['scene'].attrs.create('name', 'dr' + chr(27) + '[2Jop', dtype=h5py.string_dtype())");
  const Outcome replayed = run("replay r.h5");
  EXPECT_THAT(replayed.out, HasSubstr("dr [2Jop: all 20 steps are equal"));
  expectNoOrder(replayed.out);
  python(
      "f.attrs.create('program', 'S' + chr(27) + chr(155), dtype=h5py.string_dtype()); "
      "f.attrs['version'] = 1e6");
  const Outcome newer = run("replay r.h5");
  EXPECT_THAT(newer.err, HasSubstr("open it with a newer Slipstick"));
  expectNoOrder(newer.err);
}

/// Commands of the network come as they are.
TEST_F(BadRecordings, NorIsWhatIsSaidOfALiveRun) {
  ::testing::internal::CaptureStderr();
  app::sayDropped(Model(), {1, kOrder + std::string(100'000, 'a')});
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr("left out: 1; the last:  [2J  aaa"));
  expectNoOrder(said);
  EXPECT_LT(said.size(), 600u);
}

/// Who draws a slider for an hour sets a number a hundred thousand times: not all numbers are kept for each of them.
TEST_F(BadRecordings, NumbersThatAreSetOftenTakeLittleMemory) {
  constexpr int kAtOnce = 60;
  record([](std::uint64_t step) {
    std::vector<Command> commands;
    for (int i = 1; i <= kAtOnce; ++i)
      commands.push_back(SetParameter{"gravity.y", {100 * static_cast<double>(step) + i}});
    return commands;
  });
  const auto opened = assets::RecordedRun::open(path("r.h5"));
  ASSERT_TRUE(opened) << opened.error().message();
  const assets::RecordingReader& recording = (*opened)->recording();
  ASSERT_EQ(recording.commands().size(), kSteps * kAtOnce + 1);
  std::vector<std::weak_ptr<const Tuning>> seen;
  for (std::uint64_t step = 0; step <= kSteps; ++step) {
    const std::shared_ptr<const Tuning> tuning = recording.tuningAt(step);
    EXPECT_EQ(tuning->gravity.y(), step == 0 ? 0 : 100 * static_cast<double>(step) + kAtOnce) << step;
    EXPECT_EQ(tuning->gravity.x(), step < 6 ? 0 : 1) << step;
    EXPECT_EQ(recording.tuningAt(step), tuning) << "nobody has set another number";
    seen.push_back(tuning);
  }
  EXPECT_EQ(recording.tuningAt(3)->gravity.y(), 300 + kAtOnce) << "also of an earlier step";
  const auto isKept = [](const std::weak_ptr<const Tuning>& tuning) { return !tuning.expired(); };
  EXPECT_LE(std::count_if(seen.begin(), seen.end(), isKept), 2);
}

TEST_F(BadRecordings, AStateThatHoldsWhatIsNotThereIsAnError) {
  record([](std::uint64_t) { return std::vector<Command>(); });
  const auto fault = [&](const std::string& pulls, const std::string& twists, const std::string& drives,
                         const std::string& goals) {
    python(
        "import json; e = f['keyframes/extra']; "
        "text = json.dumps(dict(pulls=" +
        pulls + ", twists=" + twists + ", drives=" + drives + ", goals=" + goals +
        ")).encode(); e[0] = list(text) + [0] * (e.shape[1] - len(text))");
    const auto opened = assets::RecordedRun::open(path("r.h5"));
    if (!opened) return opened.error().what;
    const auto departure = (*opened)->departureFor(5);
    return departure ? std::string() : departure.error().what;
  };
  EXPECT_EQ(fault("[]", "[]", "[]", "[]"), "");
  const std::string zero = "[0, 0, 0]", one = "[1, 0, 0, 0]";
  for (const char* body : {"1000", "-7", "0"})
    EXPECT_THAT(fault("[dict(body=" + std::string(body) + ", particle=-1, point=" + zero + ", goal=" + zero +
                          ", frequency=20)]",
                      "[]", "[]", "[]"),
                HasSubstr("holds or drives what its scene does not have"))
        << body;
  EXPECT_THAT(fault("[]", "[dict(body=2, goal=[0, 0, 0, 0], frequency=20)]", "[]", "[]"), HasSubstr("holds"));
  EXPECT_THAT(fault("[]", "[]", "[dict(joint=1000, goal=0, q=0, v=0)]", "[]"), HasSubstr("holds"));
  EXPECT_THAT(fault("[]", "[]", "[]",
                    "[dict(effector=3, position=" + zero + ", quaternion=" + one +
                        ", q=[], v=[], home=[], detour=[], grips=False, closing=0, closed=0)]"),
              HasSubstr("holds"));
}

}  // namespace
}  // namespace slipstick
