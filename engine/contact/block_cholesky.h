// Sparse Cholesky factorisation of a symmetric positive definite matrix of dense blocks: one block row per
// kinematic tree, one off-diagonal block per pair of trees that touch.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "engine/foundation/math.h"

namespace slipstick::contact {

class BlockCholesky {
 public:
  /// Sizes of the block rows and the pairs (i ≠ j, any order, repetitions allowed) with a block. Keeps the
  /// last elimination order when nothing has changed; allocates only when something has.
  void analyze(std::span<const int> sizes, std::span<const std::pair<int, int>> pairs);

  void setZero();
  /// Block (i, i), or the block that holds entry (i, j) or (j, i), in column-major order. `transposed`: the
  /// block is stored as that of (j, i).
  struct Block {
    double* data = nullptr;
    int stride = 0;  ///< from column to column
    bool transposed = false;
  };
  Block diagonal(int i);
  Block offDiagonal(int i, int j);

  /// Replaces the matrix by its factor. @return false where a pivot is not positive.
  bool factorize();
  /// x ← (L Lᵀ)⁻¹ x, x in the order of `analyze`.
  void solveInPlace(double* x) const;

 private:
  struct Column {
    int size = 0;  ///< of its blocks
    int rows = 0;  ///< of the panel: the diagonal block, then those below it
    std::size_t panel = 0;
    int begin = 0, end = 0;  ///< range of below_: block rows under the diagonal
    int offset = 0;          ///< of its entries in the permuted vector
    int source = 0;          ///< of its entries in the caller's vector
  };
  void orderAndAllocate();
  std::vector<std::vector<int>> factorStructure() const;
  void layOutPanels(const std::vector<std::vector<int>>& structure);
  void updateFrom(const Column& from, int first, Column& column);
  bool factorizeColumn(Column& column);
  double* panelOf(const Column& c) { return values_.data() + c.panel; }
  const double* panelOf(const Column& c) const { return values_.data() + c.panel; }

  std::vector<int> sizes_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<int> position_;  ///< of each block row in the elimination order
  std::vector<Column> columns_;
  std::vector<int> below_;        ///< block rows (elimination order), ascending within a column
  std::vector<int> belowOffset_;  ///< their first row in the panel
  struct Update {
    int column = 0;  ///< earlier column with a block in this row
    int at = 0;      ///< index into below_
  };
  std::vector<Update> updates_;  ///< per column, ascending
  std::vector<int> updateBegin_;
  std::vector<int> offsetInPanel_;  ///< scratch of factorize, by block row
  std::vector<double> values_;
  mutable std::vector<double> permuted_;
};

}  // namespace slipstick::contact
