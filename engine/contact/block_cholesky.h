// Sparse Cholesky factorisation of a symmetric positive definite matrix of dense blocks: one block row per
// kinematic tree, one off-diagonal block per pair of trees that touch. Block rows whose factor looks alike are
// one dense panel (supernodes: Ng & Peyton 1993).
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "engine/contact/kernels/kernel_table.h"
#include "engine/foundation/math.h"

namespace slipstick::contact {

class BlockCholesky {
 public:
  BlockCholesky();
  /// @param loops  one instruction set's; all give the same bits
  explicit BlockCholesky(const PanelLoops& loops) : loops_(&loops) {}

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
  [[nodiscard]] bool factorize();
  /// x ← (L Lᵀ)⁻¹ x, x in the order of `analyze`.
  void solveInPlace(double* x) const;

 private:
  /// A block row, by its place in the elimination order.
  struct Row {
    int size = 0;
    int node = 0;
    int column = 0;  ///< its first column in the node's panel
    int source = 0;  ///< of its entries in the caller's vector
  };
  /// Block rows that follow each other in the elimination order, and those below them in the factor.
  struct Node {
    int firstRow = 0, endRow = 0;  ///< its own block rows
    int width = 0;                 ///< columns of the panel
    int rows = 0;                  ///< rows of the panel: the triangle, then those below it
    std::size_t panel = 0;
    int begin = 0, end = 0;  ///< range of below_
    int offset = 0;          ///< of its entries in the permuted vector
  };
  using Structure = std::vector<std::vector<int>>;
  void orderAndAllocate();
  Structure factorStructure() const;
  void findNodes(const Structure& structure);
  bool worthMerging(const Structure& structure, const Node& node, int zeros, int next) const;
  void layOutPanels(const Structure& structure);
  void listUpdates();
  void updateFrom(const Node& from, int first, const Node& node);
  double* panelOf(const Node& node) { return values_.data() + node.panel; }
  const double* panelOf(const Node& node) const { return values_.data() + node.panel; }

  const PanelLoops* loops_;
  std::vector<int> sizes_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<int> position_;  ///< of each block row in the elimination order
  std::vector<Row> rows_;
  std::vector<Node> nodes_;
  std::vector<int> below_;        ///< block rows (elimination order), ascending within a node
  std::vector<int> belowOffset_;  ///< their first row in the panel
  struct Update {
    int node = 0;   ///< earlier node with block rows of this one below it
    int first = 0;  ///< the first of them, index into below_
  };
  std::vector<Update> updates_;  ///< per node, ascending
  std::vector<int> updateBegin_;
  std::vector<int> offsetInPanel_;  ///< scratch of factorize, by block row
  std::vector<double> values_;
  std::vector<double> product_;  ///< scratch of factorize
  mutable std::vector<double> permuted_, belowNode_;
};

}  // namespace slipstick::contact
