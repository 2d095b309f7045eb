// The table of materials: who adds a row must not have it out of order, or with parameters that nothing else knows.
#include "engine/model/material.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "engine/model/parameters.h"

namespace slipstick {
namespace {

TEST(Materials, StandInTheOrderOfTheirModelsUnderNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kMaterials.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(kMaterials[i].model), i) << kMaterials[i].name;
    EXPECT_EQ(kMaterialNames[i], kMaterials[i].name);
    EXPECT_TRUE(names.insert(kMaterials[i].name).second) << kMaterials[i].name;
  }
}

TEST(Materials, HaveParametersThatCanBeChangedOrAreFixedByTheScene) {
  std::vector<std::string> known = keysOf(ParameterBlock::Material);
  known.insert(known.end(), {"thickness", "tension"});  // a file's alone
  for (const MaterialFacts& facts : kMaterials)
    for (const std::string& key : materialKeys(facts.model))
      EXPECT_THAT(known, ::testing::Contains(key)) << facts.name;
}

TEST(Materials, SayWhichParametersTheyHave) {
  EXPECT_THAT(materialKeys(MaterialModel::Snow),
              ::testing::ElementsAre("E", "nu", "critical_compression", "critical_stretch", "hardening"));
  EXPECT_TRUE(hasParameter(materialFacts(MaterialModel::HenckyVonMises), "yield_stress"));
  EXPECT_FALSE(hasParameter(materialFacts(MaterialModel::Hencky), "yield_stress"));
  EXPECT_FALSE(hasParameter(materialFacts(MaterialModel::Hencky), ""));
}

}  // namespace
}  // namespace slipstick
