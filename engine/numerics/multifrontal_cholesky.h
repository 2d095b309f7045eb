// Cholesky factorisation of a sparse symmetric matrix with three unknowns per node, which is a sum of elements' matrices and of a
// diagonal: the Hessian of a step whose nodes are a grid's or a mesh's. Multifrontal (Duff & Reid 1983): every part of an order of
// elimination is eliminated in a dense front.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "engine/foundation/dense_blas.h"
#include "engine/foundation/math.h"
#include "engine/numerics/nested_dissection.h"

namespace slipstick::numerics {

/// Three rows of a sparse J, the same along each axis: weights of nodes that one element has.
struct NodeWeights {
  std::span<const int> node;
  std::span<const double> weight;
};

/// @tparam Real  of the factors and of what they are made of, float or double: vectors that come and go are double
template <class Real>
class MultifrontalCholesky {
 public:
  /// Finds out where the factor has entries.
  /// @param tree      the order of elimination
  /// @param elements  their nodes, none twice or but with entries that are zero; what they lie in stays until factorize()
  void analyze(EliminationTree tree, std::span<const ElementNodes> elements);
  /// Multiplications that factorize() will take.
  double work() const { return work_; }

  using Matrix = typename Dense<Real>::Dynamic;
  /// The lower triangle, or all, of an element's matrix: entry (3 i + a, 3 j + b) between its nodes i and j. Empty: zero.
  using Element = std::function<void(std::size_t element, Matrix& K)>;
  /// @param diagonal  per node, the same for each of its unknowns
  /// @return false where a pivot is not positive: there is no factor then
  [[nodiscard]] bool factorize(const std::vector<double>& diagonal, const Element& element);
  /// x ← H⁻¹ x, three entries per node.
  void solveInPlace(VecX& x) const;

  /// The lower triangle of W = J H⁻¹ Jᵀ. Columns of Jᵀ take part in the elimination from where they enter it, so W has them in
  /// that order.
  /// @param order  which of `rows` stands where in W
  void findCompliance(std::span<const NodeWeights> rows, Matrix& W, std::vector<int>& order) const;

 private:
  struct Front {
    /// Its own, then those of later fronts that they are coupled with, as they are eliminated.
    std::vector<int> nodes;
    int own = 0;
    int first = 0;  ///< front of its subtree: all from there to itself are
    std::vector<int> children;
    std::vector<int> elements;
    std::size_t panel = 0;  ///< of panels_: columns of L of its own nodes

    Eigen::Index rows() const { return static_cast<Eigen::Index>(3 * nodes.size()); }
    Eigen::Index columns() const { return 3 * own; }
    std::span<const int> rest() const { return std::span(nodes).subspan(static_cast<std::size_t>(own)); }
    Eigen::Index restRows() const { return rows() - columns(); }
    std::size_t updateSize() const { return static_cast<std::size_t>(restRows() * restRows()); }
  };
  using Map = Eigen::Map<Matrix>;
  using ConstMap = Eigen::Map<const Matrix>;

  /// Where a front is assembled: its own columns, and what lies behind them for its parent.
  struct Parts {
    Map own, rest;
  };

  /// Rows that follow each other in a child and in its parent.
  struct Run {
    Eigen::Index from, to, count;
  };

  void takeOver(EliminationTree tree);
  void placeElements();
  std::vector<int> ranksOfNodes() const;
  void findStructure();
  void collectNodes(std::size_t index, const std::vector<int>& rank, std::vector<int>& seen);
  void layOut();
  static double workOf(const Front& front);
  std::size_t updatesOfChildren(const Front& front) const;
  void assemble(const Front& front, const std::vector<double>& diagonal, const Element& element,
                const Real* updates, Parts F);
  void addElement(std::span<const int> nodes, Parts& F) const;
  static void findRuns(std::span<const int> nodes, const std::vector<int>& position, std::vector<Run>& runs);
  void addUpdate(const ConstMap& update, Parts& F) const;
  Map panelOf(const Front& front) { return {panels_.data() + front.panel, front.rows(), front.columns()}; }
  ConstMap panelOf(const Front& front) const {
    return {panels_.data() + front.panel, front.rows(), front.columns()};
  }

  std::vector<Front> fronts_;  ///< children before their parents
  std::vector<int> frontOf_;   ///< per node: where it is eliminated
  std::vector<ElementNodes> elements_;
  double work_ = 0;
  // Memory that stays from factorisation to factorisation.
  std::vector<Real> panels_;
  std::vector<Real> updates_;  ///< a stack of them, for parents that have not taken them
  std::vector<int> position_;  ///< per node: in the front at hand
  Matrix element_;
  std::vector<Run> runs_;
};

}  // namespace slipstick::numerics
