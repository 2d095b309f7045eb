#include "engine/contact/block_cholesky.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

#include "engine/contact/rigid_kernel_choice.h"
#include "engine/foundation/require.h"

namespace slipstick::contact {

namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
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

BlockCholesky::BlockCholesky() : loops_(&chooseRigidKernels().panels) {}

void BlockCholesky::analyze(std::span<const int> sizes, std::span<const std::pair<int, int>> pairs) {
  const bool same = std::equal(sizes.begin(), sizes.end(), sizes_.begin(), sizes_.end()) &&
                    std::equal(pairs.begin(), pairs.end(), pairs_.begin(), pairs_.end());
  if (same && !nodes_.empty()) return;
  try {
    sizes_.assign(sizes.begin(), sizes.end());
    pairs_.assign(pairs.begin(), pairs.end());
    orderAndAllocate();
  } catch (...) {
    nodes_.clear();  // laid out by half: it is not taken for known the next time
    throw;
  }
}

/// Per block row, those below its diagonal in the factor. Fill-in: what a block row has there, its parent (the
/// first of them) has too.
BlockCholesky::Structure BlockCholesky::factorStructure() const {
  Structure structure(sizes_.size());
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
  rows_.assign(at(count), {});
  int source = 0;
  for (int i = 0; i < count; ++i) {
    rows_[at(position_[at(i)])].size = sizes_[at(i)];
    rows_[at(position_[at(i)])].source = source;
    source += sizes_[at(i)];
  }
  const Structure structure = factorStructure();
  findNodes(structure);
  layOutPanels(structure);
  listUpdates();
  offsetInPanel_.assign(at(count), 0);
  permuted_.assign(at(source), 0);
}

/// Whether the next block row joins a node: it is the parent of the node's last one, and brings few zeros.
/// @param zeros  entries of the node's panel that are zero already
bool BlockCholesky::worthMerging(const Structure& structure, const Node& node, int zeros, int next) const {
  constexpr int kFewZeros = 144;  // four free bodies' blocks
  const std::vector<int>& last = structure[at(next - 1)];
  if (last.empty() || last.front() != next) return false;
  const auto more = static_cast<int>(structure[at(next)].size() + 1 - last.size());
  return zeros + more * 6 * node.width <= kFewZeros;
}

/// Cuts the elimination order into nodes.
void BlockCholesky::findNodes(const Structure& structure) {
  nodes_.clear();
  int zeros = 0;
  for (int k = 0; k < static_cast<int>(rows_.size()); ++k) {
    if (k == 0 || !worthMerging(structure, nodes_.back(), zeros, k)) {
      nodes_.emplace_back();
      nodes_.back().firstRow = k;
      zeros = 0;
    } else {
      zeros += static_cast<int>(structure[at(k)].size() + 1 - structure[at(k - 1)].size()) * 6 *
               nodes_.back().width;
    }
    Node& node = nodes_.back();
    rows_[at(k)].node = static_cast<int>(nodes_.size()) - 1;
    rows_[at(k)].column = node.width;
    node.width += rows_[at(k)].size;
    node.endRow = k + 1;
  }
}

/// Places of all blocks. Below a node are the block rows below its last one.
void BlockCholesky::layOutPanels(const Structure& structure) {
  below_.clear();
  belowOffset_.clear();
  std::size_t panel = 0;
  int offset = 0, longest = 0;
  for (Node& node : nodes_) {
    node.begin = static_cast<int>(below_.size());
    node.rows = node.width;
    for (const int row : structure[at(node.endRow - 1)]) {
      below_.push_back(row);
      belowOffset_.push_back(node.rows);
      node.rows += rows_[at(row)].size;
    }
    node.end = static_cast<int>(below_.size());
    node.panel = panel;
    node.offset = offset;
    panel += at(node.rows) * at(node.width);
    offset += node.width;
    longest = std::max(longest, node.rows - node.width);
  }
  values_.assign(panel, 0);
  belowNode_.assign(at(longest), 0);
}

/// Per node, the earlier nodes that update it, and room for the largest update.
void BlockCholesky::listUpdates() {
  std::vector<std::vector<Update>> updates(nodes_.size());
  std::size_t largest = 0;
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const Node& from = nodes_[k];
    for (int i = from.begin; i < from.end; ++i) {
      const int node = rows_[at(below_[at(i)])].node;
      std::vector<Update>& list = updates[at(node)];
      if (!list.empty() && list.back().node == static_cast<int>(k)) continue;
      list.push_back({static_cast<int>(k), i});
      largest = std::max(largest, at(from.rows - belowOffset_[at(i)]) * at(nodes_[at(node)].width));
    }
  }
  product_.assign(largest, 0);
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
  const Row& row = rows_[at(position_[at(i)])];
  const Node& node = nodes_[at(row.node)];
  return {panelOf(node) + row.column * node.rows + row.column, node.rows, false};
}

BlockCholesky::Block BlockCholesky::offDiagonal(int i, int j) {
  const int pi = position_[at(i)], pj = position_[at(j)], high = std::max(pi, pj);
  const Row& column = rows_[at(std::min(pi, pj))];
  const Node& node = nodes_[at(column.node)];
  double* data = panelOf(node) + column.column * node.rows;
  if (high < node.endRow) return {data + rows_[at(high)].column, node.rows, pi < pj};
  const auto begin = below_.begin() + node.begin, end = below_.begin() + node.end;
  const auto found = std::lower_bound(begin, end, high);
  SIM_REQUIRE(found != end && *found == high, i, j);
  return {data + belowOffset_[at(static_cast<int>(found - below_.begin()))], node.rows, pi < pj};
}

/// Left-looking: a node takes the updates of all earlier nodes that have block rows of it below them.
bool BlockCholesky::factorize() {
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const Node& node = nodes_[k];
    for (int row = node.firstRow; row < node.endRow; ++row) offsetInPanel_[at(row)] = rows_[at(row)].column;
    for (int i = node.begin; i < node.end; ++i) offsetInPanel_[at(below_[at(i)])] = belowOffset_[at(i)];
    for (int u = updateBegin_[k]; u < updateBegin_[k + 1]; ++u)
      updateFrom(nodes_[at(updates_[at(u)].node)], updates_[at(u)].first, node);
    if (!loops_->factorize(panelOf(node), node.rows, node.width)) return false;
  }
  return true;
}

/// Takes the product of `from`'s rows off the node's panel: all rows from `first` on by those that are the
/// node's own.
void BlockCholesky::updateFrom(const Node& from, int first, const Node& node) {
  int last = first;
  while (last < from.end && below_[at(last)] < node.endRow) ++last;
  const int top = belowOffset_[at(first)], rows = from.rows - top;
  const int columns = (last < from.end ? belowOffset_[at(last)] : from.rows) - top;
  const double* source = panelOf(from) + top;
  loops_->multiply(source, rows, source, columns, from.width, from.rows, product_.data());
  double* panel = panelOf(node);
  for (int j = first; j < last; ++j) {
    const Row& column = rows_[at(below_[at(j)])];
    for (int c = 0; c < column.size; ++c) {
      const double* product = product_.data() + (belowOffset_[at(j)] - top + c) * rows - top;
      double* target = panel + (column.column + c) * node.rows;
      for (int i = j; i < from.end; ++i) {
        const int offset = offsetInPanel_[at(below_[at(i)])], size = rows_[at(below_[at(i)])].size;
        for (int r = 0; r < size; ++r) target[offset + r] -= product[belowOffset_[at(i)] + r];
      }
    }
  }
}

void BlockCholesky::solveInPlace(double* x) const {
  double *y = permuted_.data(), *below = belowNode_.data();
  const auto offsetOf = [&](const Row& row) { return nodes_[at(row.node)].offset + row.column; };
  for (const Row& row : rows_) std::copy_n(x + row.source, row.size, y + offsetOf(row));
  const auto gather = [&](const Node& node) {
    for (int i = node.begin; i < node.end; ++i) {
      const Row& row = rows_[at(below_[at(i)])];
      std::copy_n(y + offsetOf(row), row.size, below + belowOffset_[at(i)] - node.width);
    }
  };
  for (const Node& node : nodes_) {
    gather(node);
    loops_->forward(panelOf(node), node.rows, node.width, y + node.offset, below);
    for (int i = node.begin; i < node.end; ++i) {
      const Row& row = rows_[at(below_[at(i)])];
      std::copy_n(below + belowOffset_[at(i)] - node.width, row.size, y + offsetOf(row));
    }
  }
  for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
    gather(*node);
    loops_->backward(panelOf(*node), node->rows, node->width, y + node->offset, below);
  }
  for (const Row& row : rows_) std::copy_n(y + offsetOf(row), row.size, x + row.source);
}

}  // namespace slipstick::contact
