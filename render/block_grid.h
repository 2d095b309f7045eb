// A grid as wide as any scene that keeps only the blocks of nodes that something touches.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace slipstick::render {

/// Blocks of 8 × 8 × 8 nodes. Node n lies at n · spacing; its block is n >> 3 per axis. Values of nodes live
/// with the caller: a vector of blocks() · kNodes floats, x fastest within a block.
class BlockGrid {
 public:
  static constexpr int kSide = 8, kNodes = kSide * kSide * kSide;
  using Node = Eigen::Vector3i;
  /// Nodes lie in [−kFarthest, kFarthest) along each axis.
  static constexpr int kFarthest = 1 << 23;

  /// Makes the blocks that hold the nodes from `lower` to `upper`, both included.
  void cover(const Node& lower, const Node& upper);
  /// Finds out which blocks are next to each other; after the last cover(), before everything below.
  void connect();

  int blocks() const { return static_cast<int>(places_.size()); }
  /// First node of a block.
  Node firstNode(int block) const { return places_[static_cast<std::size_t>(block)] * kSide; }
  /// Block of a node, or −1.
  int blockOf(const Node& node) const;
  /// Index into the values of the node at an offset from the first node of a block, each in [−8, 16); −1
  /// where there is no block.
  std::ptrdiff_t index(int block, int x, int y, int z) const;

  static constexpr int kPad = 2, kWide = kSide + 2 * kPad;
  using Wide = std::array<float, kWide * kWide * kWide>;
  /// A block with two nodes around it, zero where there is no block.
  void gather(const std::vector<float>& values, int block, Wide& wide) const;
  static constexpr int wideIndex(int x, int y, int z) {
    return (x + kPad) + kWide * ((y + kPad) + kWide * (z + kPad));
  }

 private:
  static std::uint64_t key(const Node& place);
  int find(const Node& place) const;

  std::vector<Node> places_;
  std::unordered_map<std::uint64_t, int> index_;
  std::vector<std::array<int, 27>> neighbours_;
  Node lastLower_ = Node::Constant(INT32_MAX), lastUpper_ = Node::Constant(INT32_MAX);
};

}  // namespace slipstick::render
