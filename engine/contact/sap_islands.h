// Splits a rigid step's problem into parts that do not influence each other.
#pragma once

#include <vector>

#include "engine/contact/sap_problem.h"

namespace slipstick::contact {

class SapIslands {
 public:
  /// Islands of the problem, ordered by their first tree; entries within an island ascend. Allocates nothing
  /// once its lists have grown. @return their number.
  int find(const SapProblem& problem);
  const SapIsland& island(int index) const { return islands_[static_cast<std::size_t>(index)]; }

 private:
  int root(int tree);
  void unite(int a, int b);
  int listTrees(int trees);
  void listPairs(const SapProblem& problem);

  std::vector<int> parent_;    ///< union–find over trees: the smaller index is the root
  std::vector<int> islandOf_;  ///< per tree that is a root
  std::vector<int> lastIsland_;
  std::vector<SapIsland> islands_;
};

}  // namespace slipstick::contact
