// A grid that keeps the blocks that are touched: found again, and joined to their neighbours.
#include "render/block_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>

namespace slipstick::render {
namespace {

using Node = BlockGrid::Node;
using Place = std::array<int, 3>;

Place placeOf(const Node& node) {
  return {node.x(), node.y(), node.z()};
}

/// The first node of the block around a node, by division rounded down.
Node firstAround(const Node& node) {
  const auto down = [](int i) { return (i >= 0 ? i / 8 : -((-i + 7) / 8)) * 8; };
  return {down(node.x()), down(node.y()), down(node.z())};
}

/// A value that no other node has, of those that are nearer than 100 to the origin along each axis.
float valueAt(const Node& node) {
  return static_cast<float>(1 + (node.x() + 100) + 256 * (node.y() + 100) + 65536 * (node.z() + 100));
}

/// Values of all nodes of all blocks, x fastest within a block.
std::vector<float> valuesOf(const BlockGrid& grid) {
  std::vector<float> values;
  for (int b = 0; b < grid.blocks(); ++b)
    for (int i = 0; i < BlockGrid::kNodes; ++i)
      values.push_back(valueAt(grid.firstNode(b) + Node(i % 8, i / 8 % 8, i / 64)));
  return values;
}

class RandomNodes {
 public:
  Node next(int reach) { return {within(reach), within(reach), within(reach)}; }
  int within(int reach) { return static_cast<int>(random_() % static_cast<unsigned>(2 * reach)) - reach; }

 private:
  std::mt19937 random_{1};
};

/// A few boxes of nodes on both sides of zero, and the blocks that they touch.
struct Covered {
  BlockGrid grid;
  std::set<Place> blocks;

  explicit Covered(RandomNodes& random) {
    for (int box = 0; box < 6; ++box) {
      const Node lower = random.next(40);
      const Node upper = lower + Node(5, 12, 3) + random.next(3);
      grid.cover(lower, upper);
      for (int z = lower.z(); z <= upper.z(); ++z)
        for (int y = lower.y(); y <= upper.y(); ++y)
          for (int x = lower.x(); x <= upper.x(); ++x) blocks.insert(placeOf(firstAround({x, y, z})));
    }
    grid.connect();
  }
  bool has(const Node& node) const { return blocks.contains(placeOf(firstAround(node))); }
};

TEST(BlockGrid, OfNothingHasNoBlocks) {
  BlockGrid grid;
  grid.connect();
  EXPECT_EQ(grid.blocks(), 0);
  EXPECT_EQ(grid.blockOf({0, 0, 0}), -1);
}

TEST(BlockGrid, MakesTheBlockOfANodeAndNoOther) {
  for (const Node& node : {Node(0, 0, 0), Node(7, 7, 7), Node(-1, -8, 3), Node(-9, 8, 15)}) {
    BlockGrid grid;
    grid.cover(node, node);
    ASSERT_EQ(grid.blocks(), 1);
    EXPECT_EQ(grid.firstNode(0), firstAround(node));
    EXPECT_EQ(grid.blockOf(node), 0);
    EXPECT_EQ(grid.blockOf(firstAround(node) + Node(7, 7, 7)), 0);
    EXPECT_EQ(grid.blockOf(firstAround(node) + Node(8, 0, 0)), -1);
    EXPECT_EQ(grid.blockOf(firstAround(node) - Node(0, 0, 1)), -1);
  }
}

TEST(BlockGrid, CoversBothEndsOfABoxOnce) {
  BlockGrid grid;
  grid.cover({-1, 0, 0}, {8, 7, 0});
  EXPECT_EQ(grid.blocks(), 3);
  grid.cover({-1, 0, 0}, {8, 7, 0});
  grid.cover({-8, 1, 1}, {-1, 1, 1});
  EXPECT_EQ(grid.blocks(), 3) << "they are there";
  grid.cover({0, 0, 0}, {0, 0, 8});
  EXPECT_EQ(grid.blocks(), 4);
  grid.cover({5, 0, 0}, {4, 0, 0});
  grid.cover({9, 0, 0}, {0, 0, 0});
  EXPECT_EQ(grid.blocks(), 4) << "an empty box";
}

TEST(BlockGrid, HasTheBlocksOfAnyBoxesAndFindsEachNode) {
  RandomNodes random;
  for (int run = 0; run < 20; ++run) {
    const Covered covered(random);
    const BlockGrid& grid = covered.grid;
    EXPECT_EQ(static_cast<std::size_t>(grid.blocks()), covered.blocks.size());
    for (int b = 0; b < grid.blocks(); ++b) EXPECT_TRUE(covered.has(grid.firstNode(b)));
    for (int i = 0; i < 500; ++i) {
      const Node node = random.next(60);
      const int block = grid.blockOf(node);
      ASSERT_EQ(block >= 0, covered.has(node)) << node.transpose();
      if (block < 0) continue;
      EXPECT_EQ(grid.firstNode(block), firstAround(node));
    }
  }
}

TEST(BlockGrid, IndexesTheNodesOfABlockAndOfThoseAroundIt) {
  RandomNodes random;
  const Covered covered(random);
  const std::vector<float> values = valuesOf(covered.grid);
  for (int b = 0; b < covered.grid.blocks(); ++b)
    for (int z = -8; z < 16; z += 3)
      for (int y = -8; y < 16; ++y)
        for (int x = -8; x < 16; ++x) {
          const Node node = covered.grid.firstNode(b) + Node(x, y, z);
          const std::ptrdiff_t index = covered.grid.index(b, x, y, z);
          if (!covered.has(node)) {
            ASSERT_EQ(index, -1) << node.transpose();
            continue;
          }
          ASSERT_GE(index, 0) << node.transpose();
          ASSERT_EQ(values[static_cast<std::size_t>(index)], valueAt(node));
        }
}

TEST(BlockGrid, GathersABlockWithTwoNodesAroundItAndZeroWhereNoneIs) {
  RandomNodes random;
  const Covered covered(random);
  const std::vector<float> values = valuesOf(covered.grid);
  BlockGrid::Wide wide;
  for (int b = 0; b < covered.grid.blocks(); ++b) {
    wide.fill(-1);
    covered.grid.gather(values, b, wide);
    for (int z = -2; z < 10; ++z)
      for (int y = -2; y < 10; ++y)
        for (int x = -2; x < 10; ++x) {
          const Node node = covered.grid.firstNode(b) + Node(x, y, z);
          const float expected = covered.has(node) ? valueAt(node) : 0;
          ASSERT_EQ(wide[static_cast<std::size_t>(BlockGrid::wideIndex(x, y, z))], expected)
              << node.transpose();
        }
  }
}

/// Four million nodes away in every direction: 20 km of nodes 5 mm apart.
TEST(BlockGrid, TellsBlocksApartThatAreFarAway) {
  constexpr int kFar = 1 << 22;
  BlockGrid grid;
  std::vector<Node> nodes;
  for (int corner = 0; corner < 27; ++corner)
    nodes.emplace_back(kFar * (corner % 3 - 1), kFar * (corner / 3 % 3 - 1), kFar * (corner / 9 - 1));
  for (const Node& node : nodes) grid.cover(node, node);
  EXPECT_EQ(grid.blocks(), 27);
  for (const Node& node : nodes) EXPECT_EQ(grid.firstNode(grid.blockOf(node)), firstAround(node));
}

/// Its keys end there: beyond is no block, and never one of the other side.
TEST(BlockGrid, EndsAtItsFarthestNodes) {
  constexpr int kEnd = BlockGrid::kFarthest;
  BlockGrid grid;
  for (const int i : {0, -kEnd, kEnd - 1}) grid.cover(Node::Constant(i), Node::Constant(i));
  grid.connect();
  ASSERT_EQ(grid.blocks(), 3);
  for (int b = 0; b < 3; ++b) EXPECT_EQ(grid.blockOf(grid.firstNode(b)), b);
  for (const int i : {-kEnd - 1, kEnd, 2 * kEnd, -2 * kEnd, 2 * kEnd - 1})
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_EQ(grid.blockOf(i * Node::Unit(axis)), -1) << i;
      EXPECT_EQ(grid.blockOf(Node::Constant(i)), -1) << i;
    }
  const int last = grid.blockOf(Node::Constant(kEnd - 1)), first = grid.blockOf(Node::Constant(-kEnd));
  EXPECT_EQ(grid.index(last, 8, 8, 8), -1) << "not the first block, which it would wrap around to";
  EXPECT_EQ(grid.index(first, -1, -1, -1), -1);
}

TEST(BlockGridDeathTest, CoversNothingBeyond) {
  BlockGrid grid;
  EXPECT_DEATH(grid.cover({0, 0, 0}, {0, BlockGrid::kFarthest, 0}), "required");
  EXPECT_DEATH(grid.cover({-BlockGrid::kFarthest - 1, 0, 0}, {0, 0, 0}), "required");
}

}  // namespace
}  // namespace slipstick::render
