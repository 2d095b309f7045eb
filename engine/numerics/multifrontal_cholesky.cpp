#include "engine/numerics/multifrontal_cholesky.h"

#include <algorithm>
#include <utility>

#include "engine/foundation/set_size.h"

namespace slipstick::numerics {

template <class Real>
void MultifrontalCholesky<Real>::analyze(EliminationTree tree, std::span<const ElementNodes> elements) {
  elements_.assign(elements.begin(), elements.end());
  takeOver(std::move(tree));
  placeElements();
  findStructure();
  layOut();
}

template <class Real>
void MultifrontalCholesky<Real>::takeOver(EliminationTree tree) {
  std::size_t nodes = 0;
  for (const EliminationPart& part : tree) nodes += part.nodes.size();
  frontOf_.assign(nodes, -1);
  position_.assign(nodes, -1);
  fronts_.clear();
  for (EliminationPart& part : tree) {
    for (const int node : part.nodes)
      frontOf_[static_cast<std::size_t>(node)] = static_cast<int>(fronts_.size());
    Front front;
    front.own = static_cast<int>(part.nodes.size());
    front.nodes = std::move(part.nodes);
    front.children = std::move(part.children);
    fronts_.push_back(std::move(front));
  }
}

/// In the first front that eliminates one of their nodes: the others are eliminated by it or its ancestors.
template <class Real>
void MultifrontalCholesky<Real>::placeElements() {
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    int first = static_cast<int>(fronts_.size());
    for (const int node : elements_[e]) first = std::min(first, frontOf_[static_cast<std::size_t>(node)]);
    fronts_[static_cast<std::size_t>(first)].elements.push_back(static_cast<int>(e));
  }
}

/// As they are eliminated, as long as fronts have their own nodes alone.
template <class Real>
std::vector<int> MultifrontalCholesky<Real>::ranksOfNodes() const {
  std::vector<int> rank(frontOf_.size());
  int next = 0;
  for (const Front& front : fronts_)
    for (const int node : front.nodes) rank[static_cast<std::size_t>(node)] = next++;
  return rank;
}

template <class Real>
void MultifrontalCholesky<Real>::findStructure() {
  const std::vector<int> rank = ranksOfNodes();
  std::vector<int> seen(frontOf_.size(), -1);
  for (std::size_t f = 0; f < fronts_.size(); ++f) collectNodes(f, rank, seen);
}

/// Those of later fronts that a front's own are coupled with: by its elements, and by what its children leave.
/// @param rank  of nodes, as they are eliminated   @param seen  per node: the last front that had it
template <class Real>
void MultifrontalCholesky<Real>::collectNodes(std::size_t index, const std::vector<int>& rank,
                                              std::vector<int>& seen) {
  Front& front = fronts_[index];
  const auto self = static_cast<int>(index);
  const auto add = [&](int node) {
    const auto n = static_cast<std::size_t>(node);
    if (frontOf_[n] > self && std::exchange(seen[n], self) != self) front.nodes.push_back(node);
  };
  front.first = self;
  for (const int child : front.children) {
    const Front& from = fronts_[static_cast<std::size_t>(child)];
    front.first = std::min(front.first, from.first);
    std::ranges::for_each(from.rest(), add);
  }
  for (const int e : front.elements) std::ranges::for_each(elements_[static_cast<std::size_t>(e)], add);
  std::sort(front.nodes.begin() + front.own, front.nodes.end(), [&](int a, int b) {
    return rank[static_cast<std::size_t>(a)] < rank[static_cast<std::size_t>(b)];
  });
}

/// Memory of the panels and of the updates that wait for parents, and the work that all fronts are.
template <class Real>
void MultifrontalCholesky<Real>::layOut() {
  work_ = 0;
  std::size_t panels = 0, updates = 0, most = 0;
  for (Front& front : fronts_) {
    front.panel = panels;
    panels += static_cast<std::size_t>(front.rows() * front.columns());
    most = std::max(most, updates + front.updateSize());
    updates += front.updateSize() - updatesOfChildren(front);
    work_ += workOf(front);
  }
  panels_.resize(panels);
  updates_.resize(most);
}

template <class Real>
double MultifrontalCholesky<Real>::workOf(const Front& front) {
  const auto own = static_cast<double>(front.columns()), rest = static_cast<double>(front.rows()) - own;
  return own * (own * own / 3 + own * rest + rest * rest);
}

template <class Real>
std::size_t MultifrontalCholesky<Real>::updatesOfChildren(const Front& front) const {
  std::size_t size = 0;
  for (const int child : front.children) size += fronts_[static_cast<std::size_t>(child)].updateSize();
  return size;
}

/// Adds an element's 3 × 3 blocks to the lower triangle of the front at hand.
template <class Real>
void MultifrontalCholesky<Real>::addElement(std::span<const int> nodes, Parts& F) const {
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
void MultifrontalCholesky<Real>::findRuns(std::span<const int> nodes, const std::vector<int>& position,
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
void MultifrontalCholesky<Real>::addUpdate(const ConstMap& update, Parts& F) const {
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
void MultifrontalCholesky<Real>::assemble(const Front& front, const std::vector<double>& diagonal,
                                          const Element& element, const Real* updates, Parts F) {
  F.own.setZero();
  F.rest.setZero();
  for (std::size_t i = 0; i < front.nodes.size(); ++i)
    position_[static_cast<std::size_t>(front.nodes[i])] = static_cast<int>(i);
  for (int i = 0; i < front.own; ++i)
    F.own.diagonal().template segment<3>(3 * i).setConstant(
        static_cast<Real>(diagonal[static_cast<std::size_t>(front.nodes[static_cast<std::size_t>(i)])]));
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
bool MultifrontalCholesky<Real>::factorize(const std::vector<double>& diagonal, const Element& element) {
  Real* top = updates_.data();
  for (const Front& front : fronts_) {
    Real* const children = top - updatesOfChildren(front);
    const Eigen::Index own = front.columns(), rest = front.restRows();
    Parts F{panelOf(front), Map(top, rest, rest)};
    assemble(front, diagonal, element, children, F);
    if (!Dense<Real>::factorize(F.own.topRows(own))) return false;
    Dense<Real>::solveLowerFromRight(F.own.topRows(own), F.own.bottomRows(rest));
    Dense<Real>::addSquare(-1, F.own.bottomRows(rest), F.rest);
    if (children != top) std::copy(top, top + front.updateSize(), children);
    top = children + front.updateSize();
  }
  return true;
}

template <class Real>
void MultifrontalCholesky<Real>::solveInPlace(VecX& x) const {
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
void MultifrontalCholesky<Real>::findCompliance(std::span<const NodeWeights> rows, Matrix& W,
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

template class MultifrontalCholesky<float>;
template class MultifrontalCholesky<double>;

}  // namespace slipstick::numerics
