#include "engine/contact/block_cholesky.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

#include "engine/foundation/require.h"

namespace slipstick::contact {

namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// C −= A Bᵀ for 6×6 blocks with strides: nearly all blocks are those of free bodies.
void subtractProduct6(const double* A, const double* B, int stride, double* C, int strideC) {
  for (int column = 0; column < 6; ++column) {
    double sum[6];
    for (int r = 0; r < 6; ++r) sum[r] = C[column * strideC + r];
    for (int k = 0; k < 6; ++k) {
      const double b = B[k * stride + column];
      const double* a = A + k * stride;
      for (int r = 0; r < 6; ++r) sum[r] -= a[r] * b;
    }
    for (int r = 0; r < 6; ++r) C[column * strideC + r] = sum[r];
  }
}

/// C −= A Bᵀ with A rows × inner, B columns × inner.
void subtractProduct(const double* A, const double* B, int stride, int inner, int rows, int columns,
                     double* C, int strideC) {
  for (int column = 0; column < columns; ++column) {
    for (int k = 0; k < inner; ++k) {
      const double b = B[k * stride + column];
      for (int r = 0; r < rows; ++r) C[column * strideC + r] -= A[k * stride + r] * b;
    }
  }
}

/// Block rows in an order that keeps the factor sparse (approximate minimum degree), as positions.
std::vector<int> eliminationOrder(int count, const std::vector<std::pair<int, int>>& pairs) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < count; ++i) entries.emplace_back(i, i, 1.0);
  for (const auto& [i, j] : pairs) {
    entries.emplace_back(i, j, 1.0);
    entries.emplace_back(j, i, 1.0);
  }
  Eigen::SparseMatrix<double> pattern(count, count);
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(pattern, order);
  std::vector<int> position(at(count));
  for (int k = 0; k < count; ++k) position[at(order.indices()[k])] = k;
  return position;
}

}  // namespace

void BlockCholesky::analyze(std::span<const int> sizes, std::span<const std::pair<int, int>> pairs) {
  const bool same = std::equal(sizes.begin(), sizes.end(), sizes_.begin(), sizes_.end()) &&
                    std::equal(pairs.begin(), pairs.end(), pairs_.begin(), pairs_.end());
  if (same && !columns_.empty()) return;
  sizes_.assign(sizes.begin(), sizes.end());
  pairs_.assign(pairs.begin(), pairs.end());
  orderAndAllocate();
}

/// Per column, the block rows below its diagonal in the factor. Fill-in: what a column has there, its parent
/// (the first of those rows) has too.
std::vector<std::vector<int>> BlockCholesky::factorStructure() const {
  std::vector<std::vector<int>> structure(sizes_.size());
  for (const auto& [i, j] : pairs_) {
    const auto [low, high] = std::minmax(position_[at(i)], position_[at(j)]);
    SIM_REQUIRE(low != high, i, j);
    structure[at(low)].push_back(high);
  }
  for (std::vector<int>& rows : structure) {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (rows.empty()) continue;
    std::vector<int>& parent = structure[at(rows.front())];
    parent.insert(parent.end(), rows.begin() + 1, rows.end());
  }
  return structure;
}

void BlockCholesky::orderAndAllocate() {
  const int count = static_cast<int>(sizes_.size());
  position_ = eliminationOrder(count, pairs_);
  columns_.assign(at(count), {});
  int source = 0;
  for (int i = 0; i < count; ++i) {
    columns_[at(position_[at(i)])].size = sizes_[at(i)];
    columns_[at(position_[at(i)])].source = source;
    source += sizes_[at(i)];
  }
  layOutPanels(factorStructure());
  offsetInPanel_.assign(at(count), 0);
  permuted_.assign(at(source), 0);
}

/// Places of all blocks, and per column the earlier columns that update it.
void BlockCholesky::layOutPanels(const std::vector<std::vector<int>>& structure) {
  below_.clear();
  belowOffset_.clear();
  std::vector<std::vector<Update>> updates(structure.size());
  std::size_t panel = 0;
  int offset = 0;
  for (std::size_t k = 0; k < structure.size(); ++k) {
    Column& column = columns_[k];
    column.begin = static_cast<int>(below_.size());
    column.rows = column.size;
    for (const int row : structure[k]) {
      updates[at(row)].push_back({static_cast<int>(k), static_cast<int>(below_.size())});
      below_.push_back(row);
      belowOffset_.push_back(column.rows);
      column.rows += columns_[at(row)].size;
    }
    column.end = static_cast<int>(below_.size());
    column.panel = panel;
    column.offset = offset;
    panel += at(column.rows) * at(column.size);
    offset += column.size;
  }
  values_.assign(panel, 0);
  updates_.clear();
  updateBegin_.assign(1, 0);
  for (const std::vector<Update>& list : updates) {
    updates_.insert(updates_.end(), list.begin(), list.end());
    updateBegin_.push_back(static_cast<int>(updates_.size()));
  }
}

void BlockCholesky::setZero() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

BlockCholesky::Block BlockCholesky::diagonal(int i) {
  const Column& column = columns_[at(position_[at(i)])];
  return {panelOf(column), column.rows, false};
}

BlockCholesky::Block BlockCholesky::offDiagonal(int i, int j) {
  const int pi = position_[at(i)], pj = position_[at(j)];
  const Column& column = columns_[at(std::min(pi, pj))];
  const auto begin = below_.begin() + column.begin, end = below_.begin() + column.end;
  const auto found = std::lower_bound(begin, end, std::max(pi, pj));
  SIM_REQUIRE(found != end && *found == std::max(pi, pj), i, j);
  return {panelOf(column) + belowOffset_[at(static_cast<int>(found - below_.begin()))], column.rows, pi < pj};
}

/// Left-looking: a column takes the updates of all earlier columns that have a block in its row.
bool BlockCholesky::factorize() {
  for (int k = 0; k < static_cast<int>(columns_.size()); ++k) {
    Column& column = columns_[at(k)];
    for (int i = column.begin; i < column.end; ++i) offsetInPanel_[at(below_[at(i)])] = belowOffset_[at(i)];
    offsetInPanel_[at(k)] = 0;
    for (int u = updateBegin_[at(k)]; u < updateBegin_[at(k + 1)]; ++u)
      updateFrom(columns_[at(updates_[at(u)].column)], updates_[at(u)].at, column);
    if (!factorizeColumn(column)) return false;
  }
  return true;
}

void BlockCholesky::updateFrom(const Column& from, int first, Column& column) {
  const double* panel = panelOf(from);
  const double* pivot = panel + belowOffset_[at(first)];
  double* target = panelOf(column);
  for (int i = first; i < from.end; ++i) {
    const int row = below_[at(i)];
    const double* block = panel + belowOffset_[at(i)];
    double* C = target + offsetInPanel_[at(row)];
    const int rows = columns_[at(row)].size;
    if (from.size == 6 && rows == 6 && column.size == 6) {
      subtractProduct6(block, pivot, from.rows, C, column.rows);
    } else {
      subtractProduct(block, pivot, from.rows, from.size, rows, column.size, C, column.rows);
    }
  }
}

bool BlockCholesky::factorizeColumn(Column& column) {
  double* panel = panelOf(column);
  for (int c = 0; c < column.size; ++c) {
    double* current = panel + c * column.rows;
    for (int k = 0; k < c; ++k) {
      const double* earlier = panel + k * column.rows;
      const double factor = earlier[c];
      for (int r = c; r < column.rows; ++r) current[r] -= earlier[r] * factor;
    }
    if (!(current[c] > 0)) return false;
    const double inverse = 1 / std::sqrt(current[c]);
    for (int r = c; r < column.rows; ++r) current[r] *= inverse;
  }
  return true;
}

void BlockCholesky::solveInPlace(double* x) const {
  double* y = permuted_.data();
  for (const Column& c : columns_) std::copy_n(x + c.source, c.size, y + c.offset);
  for (const Column& column : columns_) {
    const double* panel = panelOf(column);
    for (int c = 0; c < column.size; ++c) {
      const double* L = panel + c * column.rows;
      const double value = y[column.offset + c] /= L[c];
      for (int r = c + 1; r < column.size; ++r) y[column.offset + r] -= L[r] * value;
      for (int i = column.begin; i < column.end; ++i) {
        const Column& row = columns_[at(below_[at(i)])];
        for (int r = 0; r < row.size; ++r) y[row.offset + r] -= L[belowOffset_[at(i)] + r] * value;
      }
    }
  }
  for (auto column = columns_.rbegin(); column != columns_.rend(); ++column) {
    const double* panel = panelOf(*column);
    for (int c = column->size - 1; c >= 0; --c) {
      const double* L = panel + c * column->rows;
      double value = y[column->offset + c];
      for (int r = c + 1; r < column->size; ++r) value -= L[r] * y[column->offset + r];
      for (int i = column->begin; i < column->end; ++i) {
        const Column& row = columns_[at(below_[at(i)])];
        for (int r = 0; r < row.size; ++r) value -= L[belowOffset_[at(i)] + r] * y[row.offset + r];
      }
      y[column->offset + c] = value / L[c];
    }
  }
  for (const Column& c : columns_) std::copy_n(y + c.offset, c.size, x + c.source);
}

}  // namespace slipstick::contact
