#include "engine/mpm/key_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "engine/mpm/grid.h"

using namespace slipstick::mpm;

TEST(KeyIndex, NumbersKeysInOrderOfInsertionThroughGrowthAndClearing) {
  KeyIndex index;
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t k = 0; k < 1000; ++k) EXPECT_EQ(index.insert(k * k * 977), static_cast<int>(k));
    for (std::uint64_t k = 0; k < 1000; ++k) {
      EXPECT_EQ(index.find(k * k * 977), static_cast<int>(k));
      EXPECT_EQ(index.insert(k * k * 977), static_cast<int>(k));
    }
    EXPECT_EQ(index.find(5), -1);
    EXPECT_EQ(index.size(), 1000);
    index.clear();
    EXPECT_EQ(index.size(), 0);
    EXPECT_EQ(index.find(977), -1);
  }
}

TEST(BlockKey, RoundTripsAndSortsLikeItsCoordinates) {
  const BlockCoordinates b = blockCoordinates(blockKey(-2500, 7, 12345));
  EXPECT_EQ(b.x, -2500);
  EXPECT_EQ(b.y, 7);
  EXPECT_EQ(b.z, 12345);
  EXPECT_LT(blockKey(-1, 500, 500), blockKey(0, -500, -500));
  EXPECT_LT(blockKey(0, -1, 3), blockKey(0, 0, -3));
}

TEST(SparseGrid, NodesOfNegativeIndicesAreDistinct) {
  SparseGrid<double> grid;
  std::vector<std::size_t> seen;
  for (int i = -5; i < 5; ++i)
    for (int k = -5; k < 5; ++k) seen.push_back(grid.touch(i, -i, k));
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
  EXPECT_EQ(grid.touch(-5, 5, -5), grid.touch(-5, 5, -5));
}
