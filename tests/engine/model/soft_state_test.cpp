#include "engine/model/soft_state.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace slipstick {
namespace {

/// Two nodes with a number, a vector and a matrix each.
SoftState twoNodes() {
  SoftState soft;
  soft.x = {{1, 2, 3}, {4, 5, 6}};
  soft.v = {{0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}};
  soft.fields = {{{"heat", 1, 1}, {7, 8}},
                 {{"fibre", 3, 1}, {1, 2, 3, 4, 5, 6}},
                 {{"strain", 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}}};
  soft.contacts = {{0, 2, {0, 0, 1}}, {1, 0, {0, 1, 0}}};
  return soft;
}

TEST(SoftState, HashTellsEveryNumberOfEveryNode) {
  const SoftState soft = twoNodes();
  const std::uint64_t hash = hashOf(soft);
  EXPECT_EQ(hashOf(twoNodes()), hash);
  const auto differs = [&](const auto& change) {
    SoftState other = soft;
    change(other);
    return hashOf(other) != hash;
  };
  EXPECT_TRUE(differs([](SoftState& s) { s.x[1].y() = std::nextafter(5.0, 6.0); }));
  EXPECT_TRUE(differs([](SoftState& s) { s.v[0].z() = -0.3; }));
  EXPECT_TRUE(differs([](SoftState& s) { std::swap(s.x[0], s.x[1]); }));
  for (std::size_t f = 0; f < soft.fields.size(); ++f)
    for (std::size_t i = 0; i < soft.fields[f].values.size(); ++i)
      EXPECT_TRUE(differs([&](SoftState& s) { s.fields[f].values[i] += 1e-12; })) << f << " " << i;
  EXPECT_TRUE(differs([](SoftState& s) { s.contacts[0].impulse.z() = 2; }));
  EXPECT_TRUE(differs([](SoftState& s) { s.contacts[1].geometry = 1; }));
}

/// Impulses may stand in any order: threads leave them as they come.
TEST(SoftState, HashDependsNeitherOnNamesNorOnTheOrderOfImpulses) {
  SoftState soft = twoNodes();
  const std::uint64_t hash = hashOf(soft);
  std::swap(soft.contacts[0], soft.contacts[1]);
  soft.fields[0].spec.name = "temperature";
  EXPECT_EQ(hashOf(soft), hash);
}

TEST(SoftState, FindsAFieldByItsName) {
  const SoftState soft = twoNodes();
  ASSERT_NE(soft.find("fibre"), nullptr);
  EXPECT_EQ(soft.find("fibre")->values[5], 6);
  EXPECT_EQ(soft.find("fib"), nullptr);
  EXPECT_EQ(specsOf(soft.fields).at(2).name, "strain");
}

TEST(SoftState, TakesTheBytesOfItsArrays) {
  SoftState soft = twoNodes();
  const std::size_t before = soft.byteCount();
  soft.fields[2].values.resize(16);
  EXPECT_EQ(soft.byteCount(), before + 8 * sizeof(double));
  soft.x.emplace_back();
  EXPECT_EQ(soft.byteCount(), before + 8 * sizeof(double) + sizeof(Vec3));
}

}  // namespace
}  // namespace slipstick
