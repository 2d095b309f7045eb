// One table says of every health flag what it is called, what to do, and what it means for the step.
#include "engine/model/health.h"

#include <gtest/gtest.h>

#include <set>

namespace slipstick {
namespace {

TEST(Health, EachFlagHasItsRowAtThePlaceOfItsBit) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kHealthInfo.size(); ++i) {
    const HealthInfo& info = kHealthInfo[i];
    EXPECT_EQ(static_cast<HealthFlags>(info.flag), 1u << i) << info.name;
    EXPECT_EQ(&infoOf(info.flag), &info);
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.word.empty() || info.what.empty() || info.remedy.empty()) << info.name;
  }
  EXPECT_EQ(infoOf(Health::TooThin).name, "TooThin");
}

TEST(Health, SaysWhatHappenedAndWhatToDo) {
  EXPECT_EQ(infoOf(Health::CflExceeded).line(),
            "a substep is too long for the material or the speed: set time.substeps to auto or raise it");
}

TEST(Health, AStepIsRefusedWhereItsStateIsNoState) {
  HealthFlags flags = 0;
  EXPECT_FALSE(refused(flags));
  for (const HealthInfo& info : kHealthInfo)
    if (info.flag != Health::NonFinite && info.flag != Health::ParticlesOutside) raise(flags, info.flag);
  EXPECT_FALSE(refused(flags));
  EXPECT_TRUE(refused(static_cast<HealthFlags>(Health::NonFinite)));
  EXPECT_TRUE(refused(static_cast<HealthFlags>(Health::ParticlesOutside)));
}

TEST(Health, ALimitThatIsReachedIsNoWarningAndAGoalOutOfReachNoFailure) {
  const HealthFlags warnings = flagsFrom(Severity::Warning), failures = flagsFrom(Severity::Failure);
  EXPECT_TRUE(has(flagsFrom(Severity::Information), Health::ActuatorSaturated));
  EXPECT_FALSE(has(warnings, Health::ActuatorSaturated));
  EXPECT_TRUE(has(warnings, Health::IkFailed));
  EXPECT_FALSE(has(failures, Health::IkFailed));
  EXPECT_TRUE(has(failures, Health::EnergyGained));
  EXPECT_TRUE(has(failures, Health::NonFinite));
}

}  // namespace
}  // namespace slipstick
