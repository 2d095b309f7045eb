// Cholesky factorisation of a matrix that is a sum of elements on 27 neighbouring grid nodes and of masses, the Hessian of
// an implicit step. Multifrontal (Duff & Reid 1983): the grid is cut in two by layers two nodes thick, again and again
// (nested dissection: George 1973), and every part is eliminated in a dense front. The nodes that contacts touch come
// last, all of one connected part in one front: there the others have been eliminated, and what is left is their Schur
// complement.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "engine/foundation/math.h"

namespace slipstick::mpm {

class GridCholesky {
 public:
  using Place = std::array<int, 3>;
  using ElementNodes = std::array<int, 27>;

  /// Decides the order of elimination.
  /// @param places    of the nodes, in grid spacings; elements span three along each axis
  /// @param last      per node: whether it comes last
  void analyze(std::span<const Place> places, const std::vector<bool>& last,
               std::span<const ElementNodes> elements);
  /// Multiplications that factorize() will take.
  double work() const { return work_; }

  /// The lower triangle, or all, of an element's 81 × 81 matrix: entry (3 i + a, 3 j + b) between its nodes i and j.
  using Element = std::function<void(std::size_t element, MatX& K)>;
  /// @param mass  of the nodes   @return false where a pivot is not positive
  bool factorize(const std::vector<double>& mass, const Element& element);
  /// x ← (L Lᵀ)⁻¹ x, three entries per node.
  void solveInPlace(VecX& x) const;

  /// Those that come last, in the order of the rows below.
  std::span<const int> lastNodes() const { return lastNodes_; }
  /// X ← L⁻¹ X for columns that are zero but for the last nodes: XᵀX is then X₀ᵀ H⁻¹ X₀. @param X  their rows
  void solveLast(MatX& X) const;

 private:
  struct Front {
    std::vector<int> nodes;  ///< its own, then those of later fronts that they are coupled with
    int own = 0;
    std::vector<int> children;
    std::vector<int> elements;
    MatX panel;   ///< columns of L of its own nodes
    MatX update;  ///< for the parent, until that has taken it
  };
  static std::vector<int> findParts(std::size_t nodes, std::span<const ElementNodes> elements);
  int cut(std::span<const Place> places, std::vector<int> nodes);
  int addFront(std::vector<int> own, std::vector<int> children);
  void findStructure(std::span<const ElementNodes> elements);
  void assemble(Front& front, const std::vector<double>& mass, const Element& element, MatX& F);
  void addBlocks(const MatX& from, std::span<const int> nodes, MatX& F) const;

  std::vector<Front> fronts_;  ///< children before their parents
  std::vector<int> frontOf_;   ///< per node: where it is eliminated
  std::vector<ElementNodes> elements_;
  std::vector<std::size_t> lastFronts_;
  std::vector<int> lastNodes_;  ///< of these fronts, one after the other
  double work_ = 0;
  std::vector<int> position_;  ///< per node: in the front at hand
  MatX element_;               ///< scratch
};

}  // namespace slipstick::mpm
