// The table of exporters, and which steps they take.
#include "assets/export/exporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace slipstick::assets {
namespace {

using ::testing::ElementsAre;

TEST(Exporters, HaveNamesAndSettingsOfTheirOwn) {
  std::set<std::string> words;
  for (const Exporter& exporter : exporters()) {
    const ExportKind& kind = exporter.kind;
    for (const std::string& word : {kind.name, kind.formsOption, kind.formsKept}) {
      if (!word.empty()) {
        EXPECT_TRUE(words.insert(word).second) << word;
      }
    }
    EXPECT_NE(exporter.open, nullptr) << kind.name;
    EXPECT_FALSE(kind.description.empty() || kind.label.empty() || kind.explanation.empty()) << kind.name;
  }
}

TEST(Exporters, WithTwoFormsSayInTheWindowWhatTheyAreAndWhereTheChoiceIsKept) {
  for (const Exporter& exporter : exporters()) {
    const ExportKind& kind = exporter.kind;
    ASSERT_THAT(kind.forms.size(), ::testing::AnyOf(1u, 2u)) << kind.name;
    EXPECT_EQ(kind.formsLabel.empty(), kind.forms.size() == 1) << kind.name;
    EXPECT_EQ(kind.formsKept.empty(), kind.forms.size() == 1) << kind.name;
    for (const ExportForm& form : kind.forms)
      EXPECT_EQ(form.suffix.ends_with("/"), kind.isFolder) << kind.name << " " << form.word;
  }
}

TEST(Exporters, StandWhereSettingsOfEarlierVersionsLookForThem) {
  std::vector<std::string> names;
  for (const Exporter& exporter : exporters()) names.push_back(exporter.kind.name);
  names.resize(6);
  EXPECT_THAT(names, ElementsAre("contacts", "bodies", "csv", "geometry", "gltf", "npz"));
}

/// 11 steps that nobody looks at.
class ShortWalk final : public RunWalk {
 public:
  explicit ShortWalk(std::shared_ptr<const Model> model) : model_(std::move(model)) {}
  const std::shared_ptr<const Model>& model() const override { return model_; }
  std::uint64_t firstStep() const override { return 2; }
  std::uint64_t lastStep() const override { return 12; }
  bool endsThere() const override { return true; }
  Result<std::shared_ptr<const Snapshot>> goTo(std::uint64_t) override { return nothing(); }
  Result<std::shared_ptr<const Snapshot>> contactsAt(std::uint64_t) override { return nothing(); }
  double largestForce() const override { return 0; }

 private:
  static Result<std::shared_ptr<const Snapshot>> nothing() { return std::shared_ptr<const Snapshot>(); }
  std::shared_ptr<const Model> model_;
};

struct Schedule : ::testing::Test {
  std::shared_ptr<Model> model = std::make_shared<Model>();
  std::unique_ptr<ShortWalk> walk;
  DataOutputs outputs;
  Schedule() {
    model->time.dt = 0.01;
    walk = std::make_unique<ShortWalk>(model);
  }
  ExportSchedule schedule() const { return {outputs, *walk}; }
};

TEST_F(Schedule, IsOfAllStepsThatThereAre) {
  EXPECT_THAT(schedule().every(), ElementsAre(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
}

TEST_F(Schedule, IsOfTheTimesThatWereAskedFor) {
  outputs.from = 0.045;
  outputs.to = 0.07;
  EXPECT_THAT(schedule().every(), ElementsAre(5, 6, 7));
}

TEST_F(Schedule, TakesTheFirstStepAtOrAfterEachMomentOnce) {
  outputs.from = 0.02;
  EXPECT_THAT(*schedule().sampled(40), ElementsAre(2, 5, 7, 10, 12));
  outputs.fps = 1000;
  EXPECT_THAT(*schedule().sampled(40), ElementsAre(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
}

TEST_F(Schedule, RefusesMoreSamplesThanAFileTakes) {
  outputs.fps = 1000;
  EXPECT_TRUE(schedule().sampled(30, 11));
  EXPECT_EQ(schedule().sampled(30, 10).error().code, ErrorCode::InvalidValue);
}

}  // namespace
}  // namespace slipstick::assets
