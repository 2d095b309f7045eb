#include "engine/contact/sap_islands.h"

#include <numeric>

namespace slipstick::contact {

namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

int SapIslands::root(int tree) {
  while (parent_[at(tree)] != tree) {
    parent_[at(tree)] = parent_[at(parent_[at(tree)])];
    tree = parent_[at(tree)];
  }
  return tree;
}

void SapIslands::unite(int a, int b) {
  if (a < 0 || b < 0) return;
  a = root(a);
  b = root(b);
  parent_[at(std::max(a, b))] = std::min(a, b);
}

int SapIslands::find(const SapProblem& problem) {
  parent_.resize(problem.trees.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  for (const BodyPair& pair : problem.pairs)
    unite(problem.bodies[at(pair.bodyA)].tree, problem.bodies[at(pair.bodyB)].tree);
  for (const ScalarConstraint& c : problem.scalars) unite(c.tree[0], c.tree[1]);
  const int count = listTrees(static_cast<int>(problem.trees.size()));
  for (std::size_t k = 0; k < problem.scalars.size(); ++k)
    islands_[at(islandOf_[at(problem.scalars[k].tree[0])])].scalars.push_back(static_cast<int>(k));
  listPairs(problem);
  return count;
}

/// Numbers the sets of trees by their first one and lists them. @return the number of sets
int SapIslands::listTrees(int trees) {
  int count = 0;
  islandOf_.resize(at(trees));
  for (int t = 0; t < trees; ++t) {
    const int first = root(t);
    if (first == t) {
      islandOf_[at(t)] = count++;
      if (islands_.size() < at(count)) islands_.emplace_back();
      SapIsland& fresh = islands_[at(islandOf_[at(t)])];
      for (std::vector<int>* list : {&fresh.trees, &fresh.scalars, &fresh.pairs, &fresh.bodies})
        list->clear();
    }
    islandOf_[at(t)] = islandOf_[at(first)];
    islands_[at(islandOf_[at(t)])].trees.push_back(t);
  }
  return count;
}

/// A body that the problem cannot move belongs to every island that touches it.
void SapIslands::listPairs(const SapProblem& problem) {
  lastIsland_.assign(problem.bodies.size(), -1);
  for (std::size_t k = 0; k < problem.pairs.size(); ++k) {
    const BodyPair& pair = problem.pairs[k];
    const int tree = std::max(problem.bodies[at(pair.bodyA)].tree, problem.bodies[at(pair.bodyB)].tree);
    if (tree < 0) continue;
    const int index = islandOf_[at(tree)];
    SapIsland& island = islands_[at(index)];
    island.pairs.push_back(static_cast<int>(k));
    for (const int body : {pair.bodyA, pair.bodyB}) {
      if (lastIsland_[at(body)] == index) continue;
      lastIsland_[at(body)] = index;
      island.bodies.push_back(body);
    }
  }
}

}  // namespace slipstick::contact
