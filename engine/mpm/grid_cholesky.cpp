#include "engine/mpm/grid_cholesky.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "engine/foundation/dense_blas.h"

namespace slipstick::mpm {
namespace {

/// Parts with fewer nodes are not cut: their dense front costs less.
constexpr std::size_t kSmallestCut = 40;
/// Nodes this far apart along an axis are not coupled.
constexpr int kReach = 2;

}  // namespace

int GridCholesky::addFront(std::vector<int> own, std::vector<int> children) {
  const auto index = static_cast<int>(fronts_.size());
  for (const int node : own) frontOf_[static_cast<std::size_t>(node)] = index;
  Front front;
  front.own = static_cast<int>(own.size());
  front.nodes = std::move(own);
  front.children = std::move(children);
  fronts_.push_back(std::move(front));
  return index;
}

/// Across the longest axis, where half of the nodes lie on either side. @return the front that comes last, −1 without nodes
int GridCholesky::cut(std::span<const Place> places, std::vector<int> nodes) {
  if (nodes.empty()) return -1;
  const auto along = [&](int node, std::size_t axis) { return places[static_cast<std::size_t>(node)][axis]; };
  std::size_t axis = 0;
  int longest = -1;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [low, high] = std::minmax_element(nodes.begin(), nodes.end(),
                                                 [&](int a, int b) { return along(a, k) < along(b, k); });
    const int length = along(*high, k) - along(*low, k);
    if (length > longest) longest = length, axis = k;
  }
  if (nodes.size() < kSmallestCut || longest < 2 * kReach) return addFront(std::move(nodes), {});
  const auto middle = nodes.begin() + static_cast<std::ptrdiff_t>(nodes.size() / 2);
  std::nth_element(nodes.begin(), middle, nodes.end(),
                   [&](int a, int b) { return along(a, axis) < along(b, axis); });
  const int at = along(*middle, axis);
  std::vector<int> before, layers, behind;
  for (const int node : nodes) {
    const int offset = along(node, axis) - at;
    (offset < 0 ? before : offset < kReach ? layers : behind).push_back(node);
  }
  std::vector<int> children;
  for (std::vector<int>* part : {&before, &behind})
    if (const int child = cut(places, std::move(*part)); child >= 0) children.push_back(child);
  return addFront(std::move(layers), std::move(children));
}

/// Per node: one of the nodes that it is connected with, the same for all of them.
std::vector<int> GridCholesky::findParts(std::size_t nodes, std::span<const ElementNodes> elements) {
  std::vector<int> leader(nodes);
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int node) {
    const auto up = [&](int at) -> int& { return leader[static_cast<std::size_t>(at)]; };
    while (up(node) != node) node = up(node) = up(up(node));
    return node;
  };
  for (const ElementNodes& element : elements)
    for (const int node : element) leader[static_cast<std::size_t>(find(node))] = find(element[0]);
  for (std::size_t i = 0; i < nodes; ++i) leader[i] = find(static_cast<int>(i));
  return leader;
}

void GridCholesky::analyze(std::span<const Place> places, const std::vector<bool>& last,
                           std::span<const ElementNodes> elements) {
  fronts_.clear();
  lastFronts_.clear();
  lastNodes_.clear();
  elements_.assign(elements.begin(), elements.end());
  frontOf_.assign(places.size(), -1);
  position_.assign(places.size(), -1);
  const std::vector<int> partOf = findParts(places.size(), elements);
  struct Part {
    std::vector<int> inner, outer;
  };
  std::map<int, Part> parts;
  for (std::size_t i = 0; i < places.size(); ++i) {
    Part& part = parts[partOf[i]];
    (last[i] ? part.outer : part.inner).push_back(static_cast<int>(i));
  }
  for (auto& [leader, part] : parts) {
    const int top = cut(places, std::move(part.inner));
    if (part.outer.empty()) continue;
    lastFronts_.push_back(fronts_.size());
    lastNodes_.insert(lastNodes_.end(), part.outer.begin(), part.outer.end());
    addFront(std::move(part.outer), top < 0 ? std::vector<int>{} : std::vector<int>{top});
  }
  findStructure(elements);
}

/// Elements go to the first front that eliminates one of their nodes: the others are eliminated by it or its ancestors.
void GridCholesky::findStructure(std::span<const ElementNodes> elements) {
  const auto frontOf = [&](int node) { return frontOf_[static_cast<std::size_t>(node)]; };
  for (std::size_t e = 0; e < elements.size(); ++e) {
    int first = static_cast<int>(fronts_.size());
    for (const int node : elements[e]) first = std::min(first, frontOf(node));
    fronts_[static_cast<std::size_t>(first)].elements.push_back(static_cast<int>(e));
  }
  work_ = 0;
  std::vector<int> seen(frontOf_.size(), -1);
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    Front& front = fronts_[f];
    const auto add = [&](int node) {
      int& mark = seen[static_cast<std::size_t>(node)];
      if (frontOf(node) > static_cast<int>(f) &&
          std::exchange(mark, static_cast<int>(f)) != static_cast<int>(f))
        front.nodes.push_back(node);
    };
    for (const int child : front.children) {
      const Front& from = fronts_[static_cast<std::size_t>(child)];
      std::for_each(from.nodes.begin() + from.own, from.nodes.end(), add);
    }
    for (const int e : front.elements)
      for (const int node : elements[static_cast<std::size_t>(e)]) add(node);
    const double own = 3.0 * front.own, rest = 3.0 * static_cast<double>(front.nodes.size()) - own;
    work_ += own * (own * own / 3 + own * rest + rest * rest);
  }
}

/// Adds 3 × 3 blocks between these nodes to the lower triangle of the front at hand.
void GridCholesky::addBlocks(const MatX& from, std::span<const int> nodes, MatX& F) const {
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    const int column = position_[static_cast<std::size_t>(nodes[j])];
    for (std::size_t i = j; i < nodes.size(); ++i) {
      const int row = position_[static_cast<std::size_t>(nodes[i])];
      const auto block = from.block<3, 3>(static_cast<Eigen::Index>(3 * i), static_cast<Eigen::Index>(3 * j));
      if (row >= column)
        F.block<3, 3>(3 * row, 3 * column) += block;
      else
        F.block<3, 3>(3 * column, 3 * row) += block.transpose();
    }
  }
}

void GridCholesky::assemble(Front& front, const std::vector<double>& mass, const Element& element, MatX& F) {
  F.setZero(static_cast<Eigen::Index>(3 * front.nodes.size()),
            static_cast<Eigen::Index>(3 * front.nodes.size()));
  for (std::size_t i = 0; i < front.nodes.size(); ++i)
    position_[static_cast<std::size_t>(front.nodes[i])] = static_cast<int>(i);
  for (int i = 0; i < front.own; ++i)
    F.diagonal().segment<3>(3 * i).setConstant(
        mass[static_cast<std::size_t>(front.nodes[static_cast<std::size_t>(i)])]);
  for (const int e : front.elements) {
    element(static_cast<std::size_t>(e), element_);
    addBlocks(element_, elements_[static_cast<std::size_t>(e)], F);
  }
  for (const int c : front.children) {
    Front& child = fronts_[static_cast<std::size_t>(c)];
    addBlocks(child.update, std::span(child.nodes).subspan(static_cast<std::size_t>(child.own)), F);
    child.update.resize(0, 0);
  }
}

bool GridCholesky::factorize(const std::vector<double>& mass, const Element& element) {
  MatX F;
  for (Front& front : fronts_) {
    assemble(front, mass, element, F);
    const Eigen::Index own = 3 * front.own, rest = F.rows() - own;
    if (!dense::factorize(F.topLeftCorner(own, own))) return false;
    dense::solveLowerFromRight(F.topLeftCorner(own, own), F.bottomLeftCorner(rest, own));
    dense::addSquare(-1, F.bottomLeftCorner(rest, own), F.bottomRightCorner(rest, rest));
    front.panel = F.leftCols(own);
    front.update = F.bottomRightCorner(rest, rest);
  }
  return true;
}

void GridCholesky::solveInPlace(VecX& x) const {
  VecX local;
  const auto gather = [&](const Front& front) {
    local.resize(static_cast<Eigen::Index>(3 * front.nodes.size()));
    for (std::size_t i = 0; i < front.nodes.size(); ++i)
      local.segment<3>(static_cast<Eigen::Index>(3 * i)) = x.segment<3>(3 * front.nodes[i]);
  };
  const auto scatter = [&](const Front& front, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      x.segment<3>(3 * front.nodes[i]) = local.segment<3>(static_cast<Eigen::Index>(3 * i));
  };
  for (const Front& front : fronts_) {
    gather(front);
    const Eigen::Index own = 3 * front.own, rest = local.size() - own;
    auto head = local.head(own);
    front.panel.topRows(own).triangularView<Eigen::Lower>().solveInPlace(head);
    local.tail(rest).noalias() -= front.panel.bottomRows(rest) * head;
    scatter(front, front.nodes.size());
  }
  for (auto front = fronts_.rbegin(); front != fronts_.rend(); ++front) {
    gather(*front);
    const Eigen::Index own = 3 * front->own, rest = local.size() - own;
    auto head = local.head(own);
    head.noalias() -= front->panel.bottomRows(rest).transpose() * local.tail(rest);
    front->panel.topRows(own).transpose().triangularView<Eigen::Upper>().solveInPlace(head);
    scatter(*front, static_cast<std::size_t>(front->own));
  }
}

void GridCholesky::solveLast(MatX& X) const {
  Eigen::Index row = 0;
  for (const std::size_t f : lastFronts_) {
    const MatX& L = fronts_[f].panel;
    dense::solveLower(L, X.middleRows(row, L.rows()));
    row += L.rows();
  }
}

}  // namespace slipstick::mpm
