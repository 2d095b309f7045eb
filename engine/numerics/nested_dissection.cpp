#include "engine/numerics/nested_dissection.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace slipstick::numerics {
namespace {

/// Parts with fewer nodes are not cut: their dense front costs less.
constexpr std::size_t kSmallestCut = 40;

/// How far along an axis the nodes of one element are from each other, at most; at least 1.
int reachOf(std::span<const LatticePlace> places, std::span<const ElementNodes> elements) {
  int reach = 1;
  for (const ElementNodes& nodes : elements)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto along = [&](int node) { return places[static_cast<std::size_t>(node)][axis]; };
      const auto [low, high] =
          std::minmax_element(nodes.begin(), nodes.end(), [&](int a, int b) { return along(a) < along(b); });
      if (low != high) reach = std::max(reach, along(*high) - along(*low));
    }
  return reach;
}

class Dissection {
 public:
  Dissection(std::span<const LatticePlace> places, int reach) : places_(places), reach_(reach) {}

  /// @return the part that comes last, −1 without nodes
  int cut(std::vector<int> nodes);
  EliminationTree take() { return std::move(tree_); }

 private:
  struct Extent {
    std::size_t axis = 0;
    int length = -1;
  };

  int along(int node, std::size_t axis) const { return places_[static_cast<std::size_t>(node)][axis]; }
  Extent longestOf(const std::vector<int>& nodes) const;
  int middleOf(std::vector<int>& nodes, std::size_t axis) const;
  int add(std::vector<int> nodes, std::vector<int> children);

  std::span<const LatticePlace> places_;
  int reach_;  ///< nodes further apart than this along an axis are not coupled
  EliminationTree tree_;
};

Dissection::Extent Dissection::longestOf(const std::vector<int>& nodes) const {
  Extent longest;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [low, high] = std::minmax_element(nodes.begin(), nodes.end(),
                                                 [&](int a, int b) { return along(a, k) < along(b, k); });
    const int length = along(*high, k) - along(*low, k);
    if (length > longest.length) longest = {k, length};
  }
  return longest;
}

/// Where half of the nodes lie on either side.
int Dissection::middleOf(std::vector<int>& nodes, std::size_t axis) const {
  const auto middle = nodes.begin() + static_cast<std::ptrdiff_t>(nodes.size() / 2);
  std::nth_element(nodes.begin(), middle, nodes.end(),
                   [&](int a, int b) { return along(a, axis) < along(b, axis); });
  return along(*middle, axis);
}

int Dissection::add(std::vector<int> nodes, std::vector<int> children) {
  tree_.push_back({std::move(nodes), std::move(children)});
  return static_cast<int>(tree_.size()) - 1;
}

/// Across the longest axis, in its middle.
int Dissection::cut(std::vector<int> nodes) {
  if (nodes.empty()) return -1;
  const Extent longest = longestOf(nodes);
  if (nodes.size() < kSmallestCut || longest.length < 2 * reach_) return add(std::move(nodes), {});
  const int middle = middleOf(nodes, longest.axis);
  std::vector<int> before, layers, behind;
  for (const int node : nodes) {
    const int offset = along(node, longest.axis) - middle;
    (offset < 0 ? before : offset < reach_ ? layers : behind).push_back(node);
  }
  std::vector<int> children;
  for (std::vector<int>* part : {&before, &behind})
    if (const int child = cut(std::move(*part)); child >= 0) children.push_back(child);
  return add(std::move(layers), std::move(children));
}

}  // namespace

EliminationTree dissect(std::span<const LatticePlace> places, std::span<const ElementNodes> elements) {
  std::vector<int> all(places.size());
  std::iota(all.begin(), all.end(), 0);
  Dissection dissection(places, reachOf(places, elements));
  dissection.cut(std::move(all));
  return dissection.take();
}

}  // namespace slipstick::numerics
