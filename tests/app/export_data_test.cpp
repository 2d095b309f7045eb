// Files of a run that has not everything of every step: what is there is written, and what is not is said.
#include "app/export_data.h"

#include <gmock/gmock.h>

#include "tests/app/export_run.h"

namespace slipstick::app {
namespace {

/// Keeps contacts of every fourth step only, as a history does that was thinned out.
class ThinnedWalk final : public RunWalk {
 public:
  explicit ThinnedWalk(std::vector<std::shared_ptr<const Snapshot>> steps, std::shared_ptr<const Model> model)
      : steps_(std::move(steps)), model_(std::move(model)) {}
  const std::shared_ptr<const Model>& model() const override { return model_; }
  std::uint64_t firstStep() const override { return 0; }
  std::uint64_t lastStep() const override { return steps_.size() - 1; }
  bool endsThere() const override { return true; }
  Result<std::shared_ptr<const Snapshot>> goTo(std::uint64_t step) override {
    return steps_.at(step / 4 * 4);
  }
  Result<std::shared_ptr<const Snapshot>> contactsAt(std::uint64_t step) override { return goTo(step); }
  Result<std::shared_ptr<const Snapshot>> factsAt(std::uint64_t step) override { return steps_.at(step); }
  double largestForce() const override { return 0; }

 private:
  std::vector<std::shared_ptr<const Snapshot>> steps_;
  std::shared_ptr<const Model> model_;
};

struct ExportedHistory : slipstick::testing::ExportedRun {
  std::vector<std::shared_ptr<const Snapshot>> steps = snapshots(20);
  ThinnedWalk walk{steps, model_};
  DataOutputs outputs;

  DataReport made() {
    Result<DataReport> report = exportData(walk, outputs, {}, {});
    EXPECT_TRUE(report) << (report ? "" : report.error().message());
    return report ? *report : DataReport{};
  }
};

TEST_F(ExportedHistory, TablesOfFactsHaveEveryStepAndThoseOfContactsSayWhichTheyHave) {
  outputs.files["contacts"] = path("contacts.csv");
  outputs.files["bodies"] = path("bodies.csv");
  outputs.files["csv"] = path("all.csv");
  const DataReport report = made();
  EXPECT_TRUE(report.isWhole);
  EXPECT_TRUE(report.errors.empty());
  EXPECT_EQ(report.written.size(), 3u);
  EXPECT_EQ(rows("all.csv").size(), 21u);
  EXPECT_EQ(rows("bodies.csv").size(), 21 * model_->tree.bodies.size());
  ASSERT_EQ(report.notices.size(), 1u);
  EXPECT_THAT(report.notices.front(), ::testing::HasSubstr("contacts.csv has contacts of 6 of 21 steps"));
  std::set<std::string> found;
  for (const auto& row : rows("contacts.csv")) found.insert(row.at("step"));
  EXPECT_FALSE(found.empty());
  for (const std::string& step : found) EXPECT_EQ(std::stoi(step) % 4, 0) << step;
}

TEST_F(ExportedHistory, WhatPairsExertIsOfTheStepsWhoseContactsAreKept) {
  outputs.files["csv"] = path("pairs.csv");
  outputs.observables = {"time", "*+*.normal"};
  EXPECT_THAT(made().notices, ::testing::ElementsAre(::testing::HasSubstr("6 of 21 steps")));
  EXPECT_EQ(rows("pairs.csv").size(), 6u) << "no zeros for steps that nothing is known of";
}

TEST_F(ExportedHistory, StoppedItShowsWhatWasReached) {
  outputs.files["csv"] = path("part.csv");
  std::stop_source stop;
  const Result<DataReport> report = exportData(walk, outputs, stop.get_token(), [&](double time) {
    if (time > 0.024) stop.request_stop();
  });
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->isWhole);
  EXPECT_NEAR(report->reached, 0.025, 1e-9);
  EXPECT_EQ(rows("part.csv").size(), 6u);
}

}  // namespace
}  // namespace slipstick::app
