// Tasks on the command line, and the recordings of tries at them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "assets/recording/episode.h"
#include "assets/recording/recording_reader.h"
#include "tests/app/program_run.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using assets::Episode;
using nlohmann::json;
using ::testing::HasSubstr;

/// A ball that falls for half a second, from a place that is drawn.
class Tasks : public testing::ProgramTest {
 protected:
  Tasks() {
    std::ofstream(folder_ / "fall.yaml") << R"(title: a ball falls
time: {dt_ms: 10, duration: 0.5}
bodies:
  ball: {base: free, mass: 1, position: [0, 0, 1], shapes: [{name: all, shape: sphere, radius: 0.05}]}
task:
  text: Let the ball fall by half a metre.
  time_limit: 0.4
  reset:
    - {name: ball, position: {x: [-0.2, 0.2], z: [0, 0.1]}}
  success:
    - {observable: ball.z, below: 0.8, for: 0.05}
  failure:
    - {observable: ball.x, above: 10}
)";
  }
  json reportOf(const std::string& arguments) {
    const Outcome outcome = run("run fall.yaml --report r.json " + arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return json::parse(testing::readText(folder_ / "r.json"));
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
};

TEST_F(Tasks, ARunReportsItsSeedAndWhatCameOfIt) {
  const json task = reportOf("--seed 12")["task"];
  EXPECT_EQ(task["seed"], 12);
  EXPECT_EQ(task["outcome"], "success");
  EXPECT_GT(task["time_s"], 0.2);
  EXPECT_LT(task["time_s"], 0.4);
  const json test = task["conditions"]["success"][0];
  EXPECT_EQ(test["observable"], "ball.z");
  EXPECT_EQ(test["below"], 0.8);
  EXPECT_TRUE(test["above"].is_null());
  EXPECT_TRUE(test["met"]);
  EXPECT_LT(test["value"], 0.8);
  EXPECT_FALSE(task["conditions"]["failure"][0]["holds"]);
}

TEST_F(Tasks, TheSameSeedIsTheSameRunAndAnotherOneAnother) {
  const std::string a = reportOf("--seed 1")["state_hash"], again = reportOf("--seed 1")["state_hash"];
  EXPECT_EQ(a, again);
  EXPECT_NE(a, reportOf("--seed 2")["state_hash"]);
  const json plain = reportOf("");
  EXPECT_NE(a, plain["state_hash"]);
  EXPECT_TRUE(plain["task"]["seed"].is_null());
}

TEST_F(Tasks, TimeThatRunsOutIsSaidAndTheRunGoesOn) {
  const json report = reportOf("--set task.success.0.below=-5");
  EXPECT_EQ(report["task"]["outcome"], "timeout");
  EXPECT_EQ(report["task"]["why"], "0.4 s are over");
  EXPECT_NEAR(report["task"]["time_s"].get<double>(), 0.4, 1e-9);
  EXPECT_EQ(report["steps"], 50);
  EXPECT_EQ(reportOf("--set task.failure.0.above=-1 --quiet")["task"]["outcome"], "failure");
}

TEST_F(Tasks, ASeedThatIsNoneIsRefused) {
  EXPECT_EQ(run("run fall.yaml --seed -1").status, 2);
  const Outcome half = run("run fall.yaml --seed 1.5");
  EXPECT_EQ(half.status, 2);
  EXPECT_THAT(half.err, HasSubstr("whole number"));
  const Outcome without = run("run drop.yaml --seed 1");
  EXPECT_EQ(without.status, 1);
  EXPECT_THAT(without.err, HasSubstr("no task"));
}

TEST_F(Tasks, CheckListsTheTaskAndItsTests) {
  const Outcome text = run("check fall.yaml");
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("task, within 0.4 s: Let the ball fall by half a metre."));
  EXPECT_THAT(text.out, HasSubstr("reset of 'ball': x -200 to 200 mm, z 0 to 100 mm"));
  EXPECT_THAT(text.out, HasSubstr("success: ball.z below 800 mm for 0.05 s"));
  const json report = json::parse(run("check fall.yaml --json").out);
  EXPECT_EQ(report["task"]["time_limit_s"], 0.4);
  EXPECT_EQ(report["task"]["reset"][0]["x_m"][1], 0.2);
  EXPECT_EQ(report["task"]["success"][0]["below"], 0.8);
  const Outcome wrong = run("check fall.yaml --set task.success.0.observable=bell.z");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'ball.z'?"));
}

TEST_F(Tasks, ARecordedTryOpensByItselfWithTheSceneThatWasDrawn) {
  ASSERT_EQ(run("run fall.yaml --seed 5 --record e.h5").status, 0);
  fs::remove(folder_ / "fall.yaml");
  const auto opened = assets::RecordingReader::open(path("e.h5"));
  ASSERT_TRUE(opened) << opened.error().message();
  const Model& model = *(*opened)->model();
  ASSERT_TRUE(model.task);
  EXPECT_EQ(model.task->seed, 5u);
  const double x = model.initialQ[0];
  EXPECT_NE(x, 0) << "it lies where it was drawn";
  EXPECT_LE(std::abs(x), 0.2);
  EXPECT_EQ(run("replay e.h5 --check").status, 0);
}

TEST_F(Tasks, TheListOfAFolderHasEachTryWithItsOutcome) {
  fs::create_directory(folder_ / "tries");
  ASSERT_EQ(run("run fall.yaml --seed 1 --record tries/a.h5").status, 0);
  ASSERT_EQ(run("run fall.yaml --record tries/b.h5 --set task.success.0.below=-5").status, 0);
  ASSERT_EQ(run("run drop.yaml --record tries/c.h5").status, 0);
  write("tries/notes.txt", "not a recording");
  const Result<std::vector<Episode>> list = assets::episodesIn(folder_ / "tries");
  ASSERT_TRUE(list) << list.error().message();
  ASSERT_EQ(list->size(), 3u);
  const Episode &a = (*list)[0], &b = (*list)[1], &c = (*list)[2];
  EXPECT_FALSE(a.broken);
  EXPECT_EQ(a.file.filename(), "a.h5");
  EXPECT_EQ(a.scene, "fall");
  EXPECT_EQ(a.seed, 1u);
  EXPECT_EQ(a.outcome, EpisodeOutcome::Success);
  EXPECT_EQ(a.steps, 51u);
  EXPECT_NEAR(a.length, 0.5, 1e-9);
  EXPECT_EQ(a.created.size(), 20u);
  EXPECT_FALSE(b.seed);
  EXPECT_EQ(b.outcome, EpisodeOutcome::Timeout);
  EXPECT_EQ(c.outcome, EpisodeOutcome::Open) << "a scene without a task";
  EXPECT_FALSE(assets::episodesIn(folder_ / "nowhere"));
}

TEST_F(Tasks, OutcomesAndNotesAreSetAndReplaced) {
  ASSERT_EQ(run("run fall.yaml --record e.h5").status, 0);
  const fs::path file = path("e.h5");
  ASSERT_TRUE(assets::setOutcome(file, EpisodeOutcome::Discarded));
  ASSERT_TRUE(assets::setNote(file, "knocked the table"));
  EXPECT_EQ(assets::episodeIn(file).outcome, EpisodeOutcome::Discarded);
  EXPECT_EQ(assets::episodeIn(file).note, "knocked the table");
  ASSERT_TRUE(assets::setOutcome(file, EpisodeOutcome::Failure));
  ASSERT_TRUE(assets::setNote(file, ""));
  EXPECT_EQ(assets::episodeIn(file).outcome, EpisodeOutcome::Failure);
  EXPECT_EQ(assets::episodeIn(file).note, "");
  EXPECT_EQ(run("replay e.h5 --check").status, 0) << "nothing else has changed";
  write("text.h5", "no recording at all");
  const Result<void> refused = assets::setOutcome(path("text.h5"), EpisodeOutcome::Success);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("not a recording"));
  EXPECT_EQ(testing::readText(path("text.h5")), "no recording at all");
}

TEST_F(Tasks, CopiesNeverReplaceOthers) {
  ASSERT_EQ(run("run fall.yaml --record e.h5").status, 0);
  const fs::path all = folder_ / "all";
  const Result<fs::path> first = assets::copyEpisode(path("e.h5"), all);
  ASSERT_TRUE(first) << first.error().message();
  EXPECT_EQ(*first, all / "e.h5");
  EXPECT_TRUE(fs::exists(path("e.h5")));
  const Result<fs::path> second = assets::copyEpisode(path("e.h5"), all);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->filename(), "e-2.h5");
  EXPECT_EQ(*assets::copyEpisode(*second, all), *second) << "it is there already";
  EXPECT_EQ(assets::episodesIn(all)->size(), 2u);
  write("file", "no folder");
  const Result<fs::path> refused = assets::copyEpisode(path("e.h5"), path("file"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::FileUnwritable);
}

TEST_F(Tasks, PicturesLieInTheRecordingAndHarmNothing) {
  ASSERT_EQ(run("run fall.yaml --record e.h5").status, 0);
  const fs::path file = path("e.h5");
  ASSERT_TRUE(assets::picturesIn(file));
  EXPECT_TRUE(assets::picturesIn(file)->empty());
  const std::vector<assets::EpisodePicture> three = {
      {0, "first"}, {0.1, std::string("se\0cond", 7)}, {0.2, ""}};
  const std::vector<assets::EpisodePicture> one = {{0.3, std::string(3000, 'x')}};
  for (const auto& pictures : {three, one}) {
    const Result<void> set = assets::setPictures(file, pictures);
    ASSERT_TRUE(set) << set.error().message();
    const auto read = assets::picturesIn(file);
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(*read, pictures);
  }
  EXPECT_EQ(run("replay e.h5 --check").status, 0);
  EXPECT_FALSE(assets::picturesIn(path("nothing.h5")));
}

TEST_F(Tasks, BrokenFilesAreListedWithTheReasonAndTheOthersAreThere) {
  ASSERT_EQ(run("run fall.yaml --seed 3 --record good.h5").status, 0);
  write("empty.h5", "");
  write("text.h5", "this is a text");
  const std::string whole = testing::readText(path("good.h5"));
  write("cut.h5", whole.substr(0, whole.size() / 3));
  ASSERT_EQ(
      std::system(("/usr/bin/python3 -c \"import h5py; h5py.File('" + path("other.h5") + "', 'w')['x'] = 1\"")
                      .c_str()),
      0);
  const Result<std::vector<Episode>> list = assets::episodesIn(folder_);
  ASSERT_TRUE(list);
  ASSERT_EQ(list->size(), 5u);
  EXPECT_FALSE((*list)[0].broken) << "whole ones come first";
  EXPECT_EQ((*list)[0].seed, 3u);
  for (std::size_t i = 1; i < list->size(); ++i) {
    const Episode& episode = (*list)[i];
    ASSERT_TRUE(episode.broken) << episode.file;
    EXPECT_THAT(episode.broken->message(), HasSubstr(episode.file.filename().string()));
  }
}

TEST_F(Tasks, ATryWhoseProgramWasKilledIsListedAsOpenWithWhatItHas) {
  const std::string command = "cd '" + folder_.string() + "' && exec '" + testing::program().string() +
                              "' run fall.yaml --record k.h5 --duration 100000 --quiet";
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  std::uint64_t steps = 0;
  for (int i = 0; i < 200 && steps < 100; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (fs::exists(path("k.h5"))) steps = assets::episodeIn(path("k.h5")).steps;
  }
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  const Episode episode = assets::episodeIn(path("k.h5"));
  EXPECT_FALSE(episode.broken) << episode.broken->message();
  EXPECT_GE(episode.steps, 100u);
  EXPECT_EQ(episode.outcome, EpisodeOutcome::Open);
  const Result<void> set = assets::setOutcome(path("k.h5"), EpisodeOutcome::Success);
  ASSERT_FALSE(set);
  EXPECT_THAT(set.error().message(), HasSubstr("killed"));
  EXPECT_FALSE(assets::episodeIn(path("k.h5")).broken) << "the attempt has not harmed it";
  EXPECT_FALSE(assets::setPictures(path("k.h5"), {}));
}

}  // namespace
}  // namespace slipstick
