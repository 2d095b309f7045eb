#include "engine/mpm/grid_cholesky.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/foundation/dense_blas.h"
#include "engine/foundation/set_size.h"

namespace slipstick::mpm {
namespace {

/// Parts with fewer nodes are not cut: their dense front costs less.
constexpr std::size_t kSmallestCut = 40;

}  // namespace

template <class Real>
int GridCholesky<Real>::addFront(std::vector<int> own, std::vector<int> children) {
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
template <class Real>
int GridCholesky<Real>::cut(std::span<const GridPlace> places, std::vector<int> nodes) {
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
  if (nodes.size() < kSmallestCut || longest < 2 * reach_) return addFront(std::move(nodes), {});
  const auto middle = nodes.begin() + static_cast<std::ptrdiff_t>(nodes.size() / 2);
  std::nth_element(nodes.begin(), middle, nodes.end(),
                   [&](int a, int b) { return along(a, axis) < along(b, axis); });
  const int at = along(*middle, axis);
  std::vector<int> before, layers, behind;
  for (const int node : nodes) {
    const int offset = along(node, axis) - at;
    (offset < 0 ? before : offset < reach_ ? layers : behind).push_back(node);
  }
  std::vector<int> children;
  for (std::vector<int>* part : {&before, &behind})
    if (const int child = cut(places, std::move(*part)); child >= 0) children.push_back(child);
  return addFront(std::move(layers), std::move(children));
}

template <class Real>
void GridCholesky<Real>::analyze(std::span<const GridPlace> places, std::span<const ElementNodes> elements) {
  fronts_.clear();
  elements_.assign(elements.begin(), elements.end());
  frontOf_.assign(places.size(), -1);
  position_.assign(places.size(), -1);
  std::vector<int> all(places.size());
  std::iota(all.begin(), all.end(), 0);
  findReach(places);
  cut(places, std::move(all));
  findStructure();
}

template <class Real>
void GridCholesky<Real>::findReach(std::span<const GridPlace> places) {
  reach_ = 1;
  for (const ElementNodes& nodes : elements_)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto along = [&](int node) { return places[static_cast<std::size_t>(node)][axis]; };
      const auto [low, high] =
          std::minmax_element(nodes.begin(), nodes.end(), [&](int a, int b) { return along(a) < along(b); });
      if (low != high) reach_ = std::max(reach_, along(*high) - along(*low));
    }
}

/// Elements go to the first front that eliminates one of their nodes: the others are eliminated by it or its ancestors.
template <class Real>
void GridCholesky<Real>::findStructure() {
  const auto frontOf = [&](int node) { return frontOf_[static_cast<std::size_t>(node)]; };
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    int first = static_cast<int>(fronts_.size());
    for (const int node : elements_[e]) first = std::min(first, frontOf(node));
    fronts_[static_cast<std::size_t>(first)].elements.push_back(static_cast<int>(e));
  }
  work_ = 0;
  std::size_t panels = 0, updates = 0, most = 0;
  std::vector<int> seen(frontOf_.size(), -1), rank(frontOf_.size());  // of nodes, as they are eliminated
  int next = 0;
  for (const Front& front : fronts_)
    for (const int node : front.nodes) rank[static_cast<std::size_t>(node)] = next++;
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    Front& front = fronts_[f];
    const auto add = [&](int node) {
      int& mark = seen[static_cast<std::size_t>(node)];
      if (frontOf(node) > static_cast<int>(f) &&
          std::exchange(mark, static_cast<int>(f)) != static_cast<int>(f))
        front.nodes.push_back(node);
    };
    front.first = static_cast<int>(f);
    for (const int child : front.children) {
      const Front& from = fronts_[static_cast<std::size_t>(child)];
      front.first = std::min(front.first, from.first);
      std::ranges::for_each(from.rest(), add);
    }
    for (const int e : front.elements)
      for (const int node : elements_[static_cast<std::size_t>(e)]) add(node);
    std::sort(front.nodes.begin() + front.own, front.nodes.end(), [&](int a, int b) {
      return rank[static_cast<std::size_t>(a)] < rank[static_cast<std::size_t>(b)];
    });
    front.panel = panels;
    panels += static_cast<std::size_t>(front.rows() * front.columns());
    most = std::max(most, updates + front.updateSize());
    updates += front.updateSize() - updatesOfChildren(front);
    const auto own = static_cast<double>(front.columns()), rest = static_cast<double>(front.rows()) - own;
    work_ += own * (own * own / 3 + own * rest + rest * rest);
  }
  panels_.resize(panels);
  updates_.resize(most);
}

template <class Real>
std::size_t GridCholesky<Real>::updatesOfChildren(const Front& front) const {
  std::size_t size = 0;
  for (const int child : front.children) size += fronts_[static_cast<std::size_t>(child)].updateSize();
  return size;
}

/// Adds an element's 3 × 3 blocks to the lower triangle of the front at hand.
template <class Real>
void GridCholesky<Real>::addElement(std::span<const int> nodes, Parts& F) const {
  const Eigen::Index own = F.own.cols();
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    const Eigen::Index first = 3 * position_[static_cast<std::size_t>(nodes[j])];
    for (std::size_t i = j; i < nodes.size(); ++i) {
      const Eigen::Index second = 3 * position_[static_cast<std::size_t>(nodes[i])];
      const Eigen::Index row = std::max(first, second), column = std::min(first, second);
      const auto block =
          element_.template block<3, 3>(static_cast<Eigen::Index>(3 * i), static_cast<Eigen::Index>(3 * j));
      auto sum = column < own ? F.own.template block<3, 3>(row, column)
                              : F.rest.template block<3, 3>(row - own, column - own);
      if (second >= first)
        sum += block;
      else
        sum += block.transpose();
    }
  }
}

/// @param nodes  that a child leaves   @param position  of nodes in its parent
template <class Real>
void GridCholesky<Real>::findRuns(std::span<const int> nodes, const std::vector<int>& position,
                                  std::vector<Run>& runs) {
  runs.clear();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto from = static_cast<Eigen::Index>(3 * i),
               to = Eigen::Index{3} * position[static_cast<std::size_t>(nodes[i])];
    if (!runs.empty() && runs.back().to + runs.back().count == to)
      runs.back().count += 3;
    else
      runs.push_back({from, to, 3});
  }
}

/// Adds the lower triangle of a child's update to that of the front at hand, with runs_ between them: nodes have the same order
/// in both, so that nothing changes sides.
template <class Real>
void GridCholesky<Real>::addUpdate(const ConstMap& update, Parts& F) const {
  const Eigen::Index own = F.own.cols();
  for (auto run = runs_.begin(); run != runs_.end(); ++run)
    for (Eigen::Index k = 0; k < run->count; ++k) {
      const auto from = update.col(run->from + k);
      const auto add = [&](auto to, Eigen::Index offset) {
        to.segment(run->to + k - offset, run->count - k) += from.segment(run->from + k, run->count - k);
        for (auto next = run + 1; next != runs_.end(); ++next)
          to.segment(next->to - offset, next->count) += from.segment(next->from, next->count);
      };
      const Eigen::Index column = run->to + k;
      if (column < own)
        add(F.own.col(column), 0);
      else
        add(F.rest.col(column - own), own);
    }
}

/// @param updates  of its children, one after the other
template <class Real>
void GridCholesky<Real>::assemble(const Front& front, const std::vector<double>& mass, const Element& element,
                                  const Real* updates, Parts F) {
  F.own.setZero();
  F.rest.setZero();
  for (std::size_t i = 0; i < front.nodes.size(); ++i)
    position_[static_cast<std::size_t>(front.nodes[i])] = static_cast<int>(i);
  for (int i = 0; i < front.own; ++i)
    F.own.diagonal().template segment<3>(3 * i).setConstant(
        static_cast<Real>(mass[static_cast<std::size_t>(front.nodes[static_cast<std::size_t>(i)])]));
  for (const int e : front.elements) {
    element(static_cast<std::size_t>(e), element_);
    if (element_.size() > 0) addElement(elements_[static_cast<std::size_t>(e)], F);
  }
  for (const int child : front.children) {
    const Front& from = fronts_[static_cast<std::size_t>(child)];
    findRuns(from.rest(), position_, runs_);
    addUpdate(ConstMap(updates, from.restRows(), from.restRows()), F);
    updates += from.updateSize();
  }
}

template <class Real>
bool GridCholesky<Real>::factorize(const std::vector<double>& mass, const Element& element) {
  Real* top = updates_.data();
  for (const Front& front : fronts_) {
    Real* const children = top - updatesOfChildren(front);
    const Eigen::Index own = front.columns(), rest = front.restRows();
    Parts F{panelOf(front), Map(top, rest, rest)};
    assemble(front, mass, element, children, F);
    if (!Dense<Real>::factorize(F.own.topRows(own))) return false;
    Dense<Real>::solveLowerFromRight(F.own.topRows(own), F.own.bottomRows(rest));
    Dense<Real>::addSquare(-1, F.own.bottomRows(rest), F.rest);
    if (children != top) std::copy(top, top + front.updateSize(), children);
    top = children + front.updateSize();
  }
  return true;
}

template <class Real>
void GridCholesky<Real>::solveInPlace(VecX& x) const {
  Eigen::Matrix<Real, Eigen::Dynamic, 1> all = x.cast<Real>(), local;
  const auto gather = [&](const Front& front) {
    local.resize(front.rows());
    for (std::size_t i = 0; i < front.nodes.size(); ++i)
      local.template segment<3>(static_cast<Eigen::Index>(3 * i)) =
          all.template segment<3>(3 * front.nodes[i]);
  };
  const auto scatter = [&](const Front& front, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      all.template segment<3>(3 * front.nodes[i]) =
          local.template segment<3>(static_cast<Eigen::Index>(3 * i));
  };
  for (const Front& front : fronts_) {
    gather(front);
    const ConstMap panel = panelOf(front);
    const Eigen::Index own = front.columns(), rest = local.size() - own;
    auto head = local.head(own);
    Dense<Real>::solveLowerFor(panel.topRows(own), head);
    Dense<Real>::subtractImage(panel.bottomRows(rest), head, local.tail(rest));
    scatter(front, front.nodes.size());
  }
  for (auto front = fronts_.rbegin(); front != fronts_.rend(); ++front) {
    gather(*front);
    const ConstMap panel = panelOf(*front);
    const Eigen::Index own = front->columns(), rest = local.size() - own;
    auto head = local.head(own);
    Dense<Real>::subtractTransposedImage(panel.bottomRows(rest), local.tail(rest), head);
    Dense<Real>::solveTransposedFor(panel.topRows(own), head);
    scatter(*front, static_cast<std::size_t>(front->own));
  }
  x = all.template cast<double>();
}

/// W = Σ YᵀY over the fronts' own rows Y of L⁻¹Jᵀ: a front's columns are those that enter in its subtree.
template <class Real>
void GridCholesky<Real>::findCompliance(std::span<const NodeWeights> rows, Matrix& W,
                                        std::vector<int>& order) const {
  const auto entry = [&](const NodeWeights& row) {
    int first = static_cast<int>(fronts_.size());
    for (const int node : row.node) first = std::min(first, frontOf_[static_cast<std::size_t>(node)]);
    return first;
  };
  std::vector<std::pair<int, int>> entries;  // (front, row)
  for (std::size_t r = 0; r < rows.size(); ++r) entries.push_back({entry(rows[r]), static_cast<int>(r)});
  std::sort(entries.begin(), entries.end());
  order.clear();
  for (const auto& [front, row] : entries) order.push_back(row);
  const auto firstFrom = [&](int front) {
    return static_cast<std::size_t>(std::lower_bound(entries.begin(), entries.end(), std::pair(front, -1)) -
                                    entries.begin());
  };

  const auto size = static_cast<Eigen::Index>(3 * rows.size());
  setSize(W, size, size);
  W.setZero();
  std::vector<Matrix>
      waiting;  // what columns leave to later nodes, of fronts whose parents have not taken it
  std::vector<int> position(frontOf_.size(), -1);
  std::vector<Run> runs;
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    const Front& front = fronts_[f];
    const std::size_t begin = firstFrom(front.first), end = firstFrom(static_cast<int>(f) + 1);
    if (begin == end) {
      waiting.resize(waiting.size() - front.children.size());
      waiting.emplace_back();
      continue;
    }
    Matrix X = Matrix::Zero(front.rows(), static_cast<Eigen::Index>(3 * (end - begin)));
    for (std::size_t i = 0; i < front.nodes.size(); ++i)
      position[static_cast<std::size_t>(front.nodes[i])] = static_cast<int>(i);
    for (std::size_t k = begin; k < end; ++k) {
      const NodeWeights& row = rows[static_cast<std::size_t>(order[k])];
      for (std::size_t n = 0; n < row.node.size(); ++n)
        if (frontOf_[static_cast<std::size_t>(row.node[n])] == static_cast<int>(f))
          X.template block<3, 3>(3 * position[static_cast<std::size_t>(row.node[n])],
                                 static_cast<Eigen::Index>(3 * (k - begin)))
              .diagonal()
              .array() += static_cast<Real>(row.weight[n]);
    }
    for (auto child = front.children.rbegin(); child != front.children.rend(); ++child) {
      const Front& from = fronts_[static_cast<std::size_t>(*child)];
      const auto first = static_cast<Eigen::Index>(3 * (firstFrom(from.first) - begin));
      const Matrix& left = waiting.back();
      if (left.cols() > 0) findRuns(from.rest(), position, runs);
      for (Eigen::Index column = 0; column < left.cols(); ++column)
        for (const Run& run : runs)
          X.col(first + column).segment(run.to, run.count) += left.col(column).segment(run.from, run.count);
      waiting.pop_back();
    }
    const ConstMap panel = panelOf(front);
    const Eigen::Index own = front.columns(), rest = front.rows() - own;
    Dense<Real>::solveLower(panel.topRows(own), X.topRows(own));
    const auto at = static_cast<Eigen::Index>(3 * begin);
    Dense<Real>::addTransposedSquare(1, X.topRows(own), W.block(at, at, X.cols(), X.cols()));
    waiting.push_back(X.bottomRows(rest));
    Dense<Real>::subtractProduct(panel.bottomRows(rest), X.topRows(own), waiting.back());
  }
}

template class GridCholesky<float>;
template class GridCholesky<double>;

}  // namespace slipstick::mpm
