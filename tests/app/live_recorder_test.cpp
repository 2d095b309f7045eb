// Recordings of a simulation that somebody works with: they replay as it went, and a simulation goes on from them.
#include "assets/recording/live_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/stepping.h"
#include "assets/recording/recorded_run.h"
#include "assets/scene_io.h"
#include "engine/runtime/source_walk.h"
#include "tests/app/program_run.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class LiveRecordings : public testing::ProgramTest {
 protected:
  LiveRecordings() {
    StepperOptions options;
    options.threads = 1;
    makeStepper = [options](std::shared_ptr<const Model> of) {
      return app::stepping().makeStepper(std::move(of), options);
    };
    model = assets::loadModel(path("drop.yaml"), {}).value().model;
    owner = SimulationThread::create(model, makeStepper).value();
  }

  SimulationThread& simulation() { return *owner; }
  void runTo(double time) {
    simulation().runUntil(time);
    simulation().waitUntilIdle();
    ASSERT_EQ(simulation().status().error, "");
  }
  void resumeFrom(BranchId branch, std::uint64_t step) {
    simulation().resumeFrom(branch, step);
    simulation().waitUntilIdle();
    ASSERT_EQ(simulation().status().error, "");
  }
  std::shared_ptr<assets::LiveRecorder> record(const std::string& file) {
    auto recorder = std::make_shared<assets::LiveRecorder>(path(file), options());
    simulation().setSink(recorder);
    simulation().waitUntilIdle();
    return recorder;
  }
  static assets::RecorderOptions options() { return {"a test", 30, {}}; }
  std::shared_ptr<const assets::RecordedRun> open(const std::string& file) const {
    auto opened = assets::RecordedRun::open(path(file));
    EXPECT_TRUE(opened) << opened.error().message();
    return opened ? *opened : nullptr;
  }
  void expectReplays(const std::string& file, std::uint64_t steps) const {
    const Outcome replayed = run("replay " + file + " --check --threads 1");
    EXPECT_EQ(replayed.status, 0) << replayed.err;
    EXPECT_THAT(replayed.out, HasSubstr("all " + std::to_string(steps) + " steps are equal, bit for bit"));
  }
  int puck() const { return model->findBody("puck"); }

  MakeStepper makeStepper;
  std::shared_ptr<const Model> model;
  std::unique_ptr<SimulationThread> owner;
};

TEST_F(LiveRecordings, ReplayWhatAPersonDidWhileTheyWereMade) {
  runTo(0.05);
  ASSERT_TRUE(simulation().post(SetParameter{"gravity.z", {-3}}));
  runTo(0.1);
  const auto recorder = record("r.h5");
  runTo(0.15);
  Pull pull;
  pull.body = puck();
  pull.goal_W = {1, 1, 1};
  ASSERT_TRUE(simulation().post(pull));
  ASSERT_TRUE(simulation().post(SetParameter{"materials.gel.E", {2e4}}));
  runTo(0.3);
  ASSERT_TRUE(simulation().post(Release{}));
  runTo(0.4);
  const RunRecorder::Status status = recorder->finish();
  ASSERT_FALSE(status.error) << status.error->message();
  EXPECT_THAT(status.files, ElementsAre(path("r.h5")));
  EXPECT_NEAR(status.seconds, 0.3, 1e-9);
  EXPECT_EQ(status.bytes, fs::file_size(path("r.h5")));
  runTo(0.45);  // nothing is taken any more

  const auto recorded = open("r.h5");
  ASSERT_TRUE(recorded);
  EXPECT_EQ(recorded->recording().firstStep(), 20u);
  EXPECT_EQ(recorded->recording().lastStep(), 80u);
  for (std::uint64_t step = 20; step <= 80; ++step)
    ASSERT_EQ(recorded->mark(step)->stateHash, simulation().mark(step)->stateHash) << step;
  EXPECT_EQ(recorded->tuningAt(25)->gravity.z(), -3);
  const auto stiffness = [&](std::uint64_t step) {
    return valueOf(*recorded->model(), "materials.gel.E", *recorded->tuningAt(step)).front();
  };
  EXPECT_EQ(stiffness(30), 1e4);
  EXPECT_EQ(stiffness(31), 2e4);
  expectReplays("r.h5", 60);
}

TEST_F(LiveRecordings, AreASecondFileWhereTheRunGoesOnFromAnotherStep) {
  std::ofstream(path("r-2.h5")) << "of somebody else";
  const auto recorder = record("r.h5");
  runTo(0.1);
  resumeFrom(0, 10);
  runTo(0.2);
  const RunRecorder::Status status = recorder->finish();
  ASSERT_FALSE(status.error) << status.error->message();
  EXPECT_THAT(status.files, ElementsAre(path("r.h5"), path("r-3.h5")));
  EXPECT_EQ(testing::readText(path("r-2.h5")), "of somebody else");
  EXPECT_EQ(open("r.h5")->recording().lastStep(), 20u);
  EXPECT_EQ(open("r-3.h5")->recording().firstStep(), 10u);
  expectReplays("r.h5", 20);
  expectReplays("r-3.h5", 30);
}

TEST_F(LiveRecordings, ThatCannotBeWrittenSayWhyAndTheRunGoesOn) {
  const auto recorder = record("nowhere/r.h5");
  runTo(0.1);
  const RunRecorder::Status status = recorder->finish();
  ASSERT_TRUE(status.error);
  EXPECT_EQ(status.error->code, ErrorCode::FileUnwritable);
  EXPECT_THAT(status.error->message(), HasSubstr("nowhere/r.h5"));
  EXPECT_EQ(simulation().latest()->step, 20u);
}

TEST_F(LiveRecordings, OfThePastHaveEveryStepAlsoWhereSnapshotsAreGone) {
  ASSERT_TRUE(simulation().post(SetParameter{"gravity.z", {-5}}));
  runTo(0.5);
  ASSERT_TRUE(simulation().post(SetParameter{"gravity.z", {-12}}));
  runTo(1);
  simulation().setHistoryBudget(600'000);
  const auto branch = simulation().branch(0);
  int gone = 0;
  for (std::uint64_t step = 100; step <= 200; ++step) gone += branch->at(step)->step != step;
  ASSERT_GT(gone, 20) << "otherwise this test shows nothing";

  const Result<SimulationThread::End> end = simulation().endOf(0, 0.45);
  ASSERT_TRUE(end);
  ASSERT_GT(end->stretch.first, 0u);
  const Result<void> written = assets::recordPast(path("past.h5"), *branch, *end, options(), {});
  ASSERT_TRUE(written) << written.error().message();
  const auto recorded = open("past.h5");
  ASSERT_TRUE(recorded);
  EXPECT_EQ(recorded->recording().firstStep(), end->stretch.first);
  EXPECT_LE(end->stretch.first, 90u);
  const RunColumns live = simulation().columns(), past = recorded->columns();
  for (const char* name : {"cube.min_z", "puck.vz", "cube+table.normal", "|table.contact.f|"}) {
    const std::vector<double> a = live.values(name, end->stretch.first, 201),
                              b = past.values(name, end->stretch.first, 201);
    ASSERT_EQ(a.size(), b.size()) << name;
    for (std::size_t i = 0; i < a.size(); ++i)
      ASSERT_NEAR(b[i], a[i], 1e-7 * std::abs(a[i]) + 1e-12) << name << " at " << i;
  }
  for (std::uint64_t step = end->stretch.first; step <= 200; ++step) {
    ASSERT_EQ(recorded->mark(step)->stateHash, simulation().mark(step)->stateHash) << step;
    ASSERT_EQ(recorded->mark(step)->contacts, simulation().mark(step)->contacts) << step;
  }
  expectReplays("past.h5", 200 - end->stretch.first);

  std::stop_source stop;
  stop.request_stop();
  const Result<void> givenUp =
      assets::recordPast(path("half.h5"), *branch, *end, options(), stop.get_token());
  ASSERT_FALSE(givenUp);
  EXPECT_EQ(givenUp.error().code, ErrorCode::Cancelled);
  EXPECT_FALSE(fs::exists(path("half.h5")));
}

TEST_F(LiveRecordings, ThatCannotBeReadAnyMoreEndAWalkThroughThemWithTheReason) {
  const auto recorder = record("r.h5");
  runTo(2);
  ASSERT_FALSE(recorder->finish().error);
  const auto recorded = open("r.h5");
  ASSERT_TRUE(recorded);
  SourceWalk walk(recorded, recorded->model());
  ASSERT_TRUE(walk.goTo(0));
  EXPECT_FALSE(recorded->status().gone);
  fs::resize_file(path("r.h5"), fs::file_size(path("r.h5")) / 4);
  const Result<std::shared_ptr<const Snapshot>> end = walk.goTo(walk.lastStep());
  ASSERT_FALSE(end);
  EXPECT_THAT(end.error().message(), HasSubstr("r.h5"));
  EXPECT_TRUE(recorded->status().gone);
  EXPECT_EQ(recorded->at(400)->step, 0u) << "what was shown last stays";
}

TEST_F(LiveRecordings, AreGoneOnFromBitForBitAndElsewhereToo) {
  const auto recorder = record("r.h5");
  ASSERT_TRUE(simulation().post(SetParameter{"gravity.z", {-5}}));
  runTo(0.5);
  ASSERT_FALSE(recorder->finish().error);
  fs::create_directory(path("elsewhere"));
  fs::rename(path("r.h5"), path("elsewhere/r.h5"));
  fs::rename(path("drop.yaml"), path("gone.yaml"));
  const auto recorded = open("elsewhere/r.h5");
  ASSERT_TRUE(recorded);
  const auto again = SimulationThread::create(recorded->model(), makeStepper).value();
  again->resumeFrom(recorded, 70);
  again->waitUntilIdle();
  ASSERT_EQ(again->status().error, "");
  EXPECT_EQ(again->latest()->stateHash, simulation().mark(70)->stateHash);
  EXPECT_FALSE(again->latest()->contacts.empty()) << "they are computed again";
  again->runUntil(0.5);
  again->waitUntilIdle();
  EXPECT_EQ(again->marks().size(), 31u);
  for (const TimelineMark& mark : again->marks())
    ASSERT_EQ(mark.stateHash, simulation().mark(mark.step)->stateHash) << mark.step;
}

}  // namespace
}  // namespace slipstick
