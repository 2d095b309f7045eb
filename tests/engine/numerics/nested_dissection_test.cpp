// Orders of elimination: every node once, children first, and parts that nothing couples.
#include "engine/numerics/nested_dissection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace slipstick::numerics {
namespace {

/// A box of a lattice with elements of `span` nodes along each axis.
struct Box {
  Box(std::array<int, 3> size, int span) {
    for (int i = 0; i < size[0]; ++i)
      for (int j = 0; j < size[1]; ++j)
        for (int k = 0; k < size[2]; ++k) places.push_back({i, j, k});
    const auto at = [&](int i, int j, int k) { return (i * size[1] + j) * size[2] + k; };
    for (int i = 0; i + span <= size[0]; ++i)
      for (int j = 0; j + span <= size[1]; ++j)
        for (int k = 0; k + span <= size[2]; ++k)
          elements.push_back({at(i, j, k), at(i + span - 1, j + span - 1, k + span - 1)});
  }
  EliminationTree tree() const {
    const std::vector<ElementNodes> nodes(elements.begin(), elements.end());
    return dissect(places, nodes);
  }

  std::vector<LatticePlace> places;
  std::vector<std::array<int, 2>> elements;
};

/// Per node: the part that eliminates it.
std::vector<int> partsOf(const EliminationTree& tree, std::size_t nodes) {
  std::vector<int> part(nodes, -1);
  for (std::size_t p = 0; p < tree.size(); ++p)
    for (const int node : tree[p].nodes) {
      EXPECT_EQ(part[static_cast<std::size_t>(node)], -1) << "eliminated twice";
      part[static_cast<std::size_t>(node)] = static_cast<int>(p);
    }
  EXPECT_EQ(std::count(part.begin(), part.end(), -1), 0);
  return part;
}

/// Per part: the one that has it as a child; −1: none.
std::vector<int> parentsOf(const EliminationTree& tree) {
  std::vector<int> parent(tree.size(), -1);
  for (std::size_t p = 0; p < tree.size(); ++p)
    for (const int child : tree[p].children) {
      EXPECT_LT(child, static_cast<int>(p));
      EXPECT_EQ(parent[static_cast<std::size_t>(child)], -1);
      parent[static_cast<std::size_t>(child)] = static_cast<int>(p);
    }
  return parent;
}

bool isAncestor(const std::vector<int>& parent, int of, int part) {
  while (of >= 0 && of != part) of = parent[static_cast<std::size_t>(of)];
  return of == part;
}

TEST(NestedDissection, CutsWhereNoElementReachesAcross) {
  for (const auto& [size, span] : {std::pair(std::array{20, 6, 5}, 2), std::pair(std::array{9, 30, 4}, 3),
                                   std::pair(std::array{5, 5, 40}, 4)}) {
    const Box box(size, span);
    const EliminationTree tree = box.tree();
    EXPECT_GT(tree.size(), 6u);
    const std::vector<int> part = partsOf(tree, box.places.size()), parent = parentsOf(tree);
    for (const std::array<int, 2>& element : box.elements) {
      const int a = part[static_cast<std::size_t>(element[0])],
                b = part[static_cast<std::size_t>(element[1])];
      EXPECT_TRUE(isAncestor(parent, a, b) || isAncestor(parent, b, a));
    }
    EXPECT_EQ(std::count(parent.begin(), parent.end(), -1), 1) << "one root, the last";
  }
}

TEST(NestedDissection, LeavesWholeWhatIsSmallOrCoupledThroughout) {
  EXPECT_EQ(Box({3, 3, 3}, 2).tree().size(), 1u);
  Box far({40, 2, 2}, 2);
  EXPECT_GT(far.tree().size(), 1u);
  far.elements.push_back({0, static_cast<int>(far.places.size()) - 1});
  EXPECT_EQ(far.tree().size(), 1u) << "an element reaches across everything";
  EXPECT_TRUE(dissect({}, {}).empty());
}

}  // namespace
}  // namespace slipstick::numerics
