#include "render/particle_surface.h"

#include <algorithm>
#include <cmath>

#include "engine/foundation/require.h"
#include "render/block_grid.h"
#include "render/marching_cubes.h"

namespace slipstick::render {
namespace {

/// Node spacing in particle spacings. The quadratic B-spline has the variance h²/4, the binomial filter h²:
/// with one pass a standard deviation of 0.6 particle spacings, at which the ripple of a lattice,
/// 2 exp(−2π²σ²/s²), is below 1 %; with two 0.81.
constexpr float kFineness = 0.54f;
/// A little below one half: what a flat side gains makes up for what edges and corners lose.
constexpr float kLevel = 0.44f;
/// Where the field at a particle is below, too few others are near to make a surface around it. By passes: a
/// particle by itself has 0.29 and 0.12, one at the corner of a block 0.51 and 0.39.
constexpr float kAlone[2] = {0.37f, 0.25f};
/// Radius of a drop of one particle, in particle spacings. Its surface spans few nodes and lies within the
/// ball of this radius: it has the particle's volume.
constexpr float kDropRadius = 0.75f;
/// Nodes that a particle may reach, from its base node, besides those of further passes: filter and drop
/// below, spline and filter above.
constexpr int kReachBelow = 3, kReachAbove = 5, kReachOfPass = 2;

using Node = BlockGrid::Node;
using Vec3f = Eigen::Vector3f;

class SurfaceBuilder {
 public:
  explicit SurfaceBuilder(const ParticleCloud& cloud)
      : cloud_(cloud), h_(kFineness * static_cast<float>(cloud.spacing)) {}

  SurfaceMesh build() && {
    place();
    splat();
    for (int pass = 0; pass < (cloud_.extraSmooth ? 2 : 1); ++pass) {
      smooth(fill_);
      if (hasValues()) smooth(weighted_);
    }
    addDrops();
    smoother_ = fill_;
    smooth(smoother_);
    edgeVertex_.assign(3 * fill_.size(), kNone);
    for (int b = 0; b < grid_.blocks(); ++b) polygonise(b);
    return std::move(mesh_);
  }

 private:
  /// A particle in grid units. Its spline reaches `base` … `base` + 2, counted from its block's first node.
  struct Placed {
    std::size_t particle = 0;
    int block = 0;
    Node base;
    Vec3f at;  ///< from the block's first node
  };
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  bool hasValues() const { return !cloud_.values.empty(); }
  void place();
  void splat();
  void smooth(std::vector<float>& values) const;
  float fillAt(const Placed& p) const;
  void addDrops();
  void addDrop(const Placed& p);
  void polygonise(int block);
  void polygoniseCell(int block, const Node& cell);
  std::uint32_t vertexOn(int block, const Node& node, int axis);
  std::uint32_t addVertex(int block, const Node& node, int axis);
  Vec3f gradientAt(const Node& node) const;
  float depthBelow(int block, const Vec3f& at, const Vec3f& normal) const;
  float fillNear(int block, const Node& node) const;

  const ParticleCloud& cloud_;
  float h_;
  BlockGrid grid_;
  std::vector<Placed> placed_;
  std::vector<float> fill_;      ///< share of space that particles fill
  std::vector<float> weighted_;  ///< share times value
  std::vector<float>
      smoother_;  ///< the share again, for normals: light shows bumps that the eye does not see
  std::vector<std::uint32_t> edgeVertex_;
  BlockGrid::Wide wideFill_, wideSmoother_, wideWeighted_;
  SurfaceMesh mesh_;
};

void SurfaceBuilder::place() {
  constexpr float kFarthest = 4e6f;  // nodes; the keys of blocks end there
  const int more = cloud_.extraSmooth ? kReachOfPass : 0;
  for (std::size_t i = 0; i < cloud_.x.size(); ++i) {
    const Vec3f at = cloud_.x[i] / h_;
    if (!at.allFinite() || at.cwiseAbs().maxCoeff() > kFarthest) continue;
    const Node base = (at.array() - 0.5f).floor().cast<int>();
    grid_.cover(base.array() - kReachBelow - more, base.array() + kReachAbove + more);
    placed_.push_back({i, 0, base, at});
  }
  grid_.connect();
  int block = -1;
  Node first = Node::Zero();  // of the block, once there is one
  for (Placed& p : placed_) {
    const Node inside = p.base - first;
    if (block < 0 || inside.minCoeff() < 0 || inside.maxCoeff() >= BlockGrid::kSide) {
      block = grid_.blockOf(p.base);
      first = grid_.firstNode(block);
    }
    p.block = block;
    p.base -= first;
    p.at -= first.cast<float>();
  }
  fill_.assign(static_cast<std::size_t>(grid_.blocks()) * BlockGrid::kNodes, 0.f);
  if (hasValues()) weighted_.assign(fill_.size(), 0.f);
}

void SurfaceBuilder::splat() {
  for (const Placed& p : placed_) {
    const Eigen::Array3f f = p.at.array() - p.base.cast<float>().array();
    const std::array<Eigen::Array3f, 3> w = {0.5f * (1.5f - f).square(), 0.75f - (f - 1).square(),
                                             0.5f * (f - 0.5f).square()};
    const float share = static_cast<float>(cloud_.volume[p.particle]) / (h_ * h_ * h_);
    const float value = hasValues() ? cloud_.values[p.particle] : 0;
    for (int k = 0; k < 27; ++k) {
      const int x = k % 3, y = k / 3 % 3, z = k / 9;
      const float part = share * w[static_cast<std::size_t>(x)].x() * w[static_cast<std::size_t>(y)].y() *
                         w[static_cast<std::size_t>(z)].z();
      const auto node =
          static_cast<std::size_t>(grid_.index(p.block, p.base.x() + x, p.base.y() + y, p.base.z() + z));
      fill_[node] += part;
      if (hasValues()) weighted_[node] += part * value;
    }
  }
}

/// One axis of the binomial filter (1 4 6 4 1)/16 over rows of `count` nodes, `step` apart.
void filterRow(const float* __restrict from, std::ptrdiff_t step, float* __restrict to, int count) {
  for (int i = 0; i < count; ++i) {
    const float* c = from + i;
    to[i] = 0.375f * c[0] + 0.25f * (c[-step] + c[step]) + 0.0625f * (c[-2 * step] + c[2 * step]);
  }
}

void SurfaceBuilder::smooth(std::vector<float>& values) const {
  constexpr int kWide = BlockGrid::kWide, kSide = BlockGrid::kSide, kPad = BlockGrid::kPad;
  std::vector<float> smoothed(values.size());
  BlockGrid::Wide wide, alongZ{}, alongY{};
  for (int b = 0; b < grid_.blocks(); ++b) {
    grid_.gather(values, b, wide);
    for (int z = 0; z < kSide; ++z) {
      const int row = BlockGrid::wideIndex(-kPad, -kPad, z);
      filterRow(&wide[static_cast<std::size_t>(row)], kWide * kWide, &alongZ[static_cast<std::size_t>(row)],
                kWide * kWide);
      for (int y = 0; y < kSide; ++y) {
        const auto at = static_cast<std::size_t>(BlockGrid::wideIndex(-kPad, y, z));
        filterRow(&alongZ[at], kWide, &alongY[at], kWide);
        filterRow(&alongY[at + kPad], 1, &smoothed[static_cast<std::size_t>(grid_.index(b, 0, y, z))], kSide);
      }
    }
  }
  values.swap(smoothed);
}

/// Trilinear.
float SurfaceBuilder::fillAt(const Placed& p) const {
  const Node low = p.at.array().floor().cast<int>();
  const Eigen::Array3f f = p.at.array() - low.cast<float>().array();
  float sum = 0;
  for (int c = 0; c < 8; ++c) {
    const int x = c & 1, y = c >> 1 & 1, z = c >> 2;
    const float w = (x ? f.x() : 1 - f.x()) * (y ? f.y() : 1 - f.y()) * (z ? f.z() : 1 - f.z());
    sum += w * fill_[static_cast<std::size_t>(grid_.index(p.block, low.x() + x, low.y() + y, low.z() + z))];
  }
  return sum;
}

void SurfaceBuilder::addDrops() {
  const float alone = kAlone[cloud_.extraSmooth ? 1 : 0];
  std::vector<std::size_t> drops;
  for (std::size_t i = 0; i < placed_.size(); ++i)
    if (fillAt(placed_[i]) < alone) drops.push_back(i);
  for (const std::size_t i : drops) addDrop(placed_[i]);
}

/// A cone in the field that passes the level at the drop's radius and ends at twice the radius.
void SurfaceBuilder::addDrop(const Placed& p) {
  constexpr float kLargest = 1.6f;  // nodes; larger ones would leave the particle's reach
  const float radius =
      std::min(kLargest, kDropRadius * static_cast<float>(std::cbrt(cloud_.volume[p.particle])) / h_);
  for (int z = -kReachBelow + 1; z < kReachAbove; ++z)
    for (int y = -kReachBelow + 1; y < kReachAbove; ++y)
      for (int x = -kReachBelow + 1; x < kReachAbove; ++x) {
        const Node node = p.base + Node(x, y, z);
        const float share = kLevel * (2 - (node.cast<float>() - p.at).norm() / radius);
        const auto at = static_cast<std::size_t>(grid_.index(p.block, node.x(), node.y(), node.z()));
        if (share <= fill_[at]) continue;
        fill_[at] = share;
        if (hasValues()) weighted_[at] = share * cloud_.values[p.particle];
      }
}

void SurfaceBuilder::polygonise(int block) {
  constexpr int kSide = BlockGrid::kSide;
  grid_.gather(fill_, block, wideFill_);
  float least = 1e30f, most = -1e30f;
  for (int z = 0; z <= kSide; ++z)
    for (int y = 0; y <= kSide; ++y)
      for (int x = 0; x <= kSide; ++x) {
        const float f = wideFill_[static_cast<std::size_t>(BlockGrid::wideIndex(x, y, z))];
        least = std::min(least, f);
        most = std::max(most, f);
      }
  if (least >= kLevel || most < kLevel) return;
  grid_.gather(smoother_, block, wideSmoother_);
  if (hasValues()) grid_.gather(weighted_, block, wideWeighted_);
  for (int z = 0; z < kSide; ++z)
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) polygoniseCell(block, {x, y, z});
}

void SurfaceBuilder::polygoniseCell(int block, const Node& cell) {
  unsigned inside = 0;
  for (int c = 0; c < 8; ++c) {
    const int at = BlockGrid::wideIndex(cell.x() + (c & 1), cell.y() + (c >> 1 & 1), cell.z() + (c >> 2));
    if (wideFill_[static_cast<std::size_t>(at)] >= kLevel) inside |= 1u << c;
  }
  const CubeCase& which = cubeCase(inside);
  for (std::size_t i = 0; i < static_cast<std::size_t>(3 * which.triangles); ++i) {
    const int edge = which.edges[i], start = cubeEdgeStart(edge);
    mesh_.indices.push_back(vertexOn(block, cell + Node(start & 1, start >> 1 & 1, start >> 2), edge / 4));
  }
}

std::uint32_t SurfaceBuilder::vertexOn(int block, const Node& node, int axis) {
  const std::ptrdiff_t at = grid_.index(block, node.x(), node.y(), node.z());
  SIM_REQUIRE(at >= 0, block, node.x(), node.y(), node.z());  // the reach of particles forbids it
  std::uint32_t& vertex = edgeVertex_[static_cast<std::size_t>(3 * at + axis)];
  if (vertex == kNone) vertex = addVertex(block, node, axis);
  return vertex;
}

std::uint32_t SurfaceBuilder::addVertex(int block, const Node& node, int axis) {
  const Node other = node + Node::Unit(axis);
  const auto a = static_cast<std::size_t>(BlockGrid::wideIndex(node.x(), node.y(), node.z()));
  const auto b = static_cast<std::size_t>(BlockGrid::wideIndex(other.x(), other.y(), other.z()));
  const float t = (kLevel - wideFill_[a]) / (wideFill_[b] - wideFill_[a]);
  const Vec3f uphill = (1 - t) * gradientAt(node) + t * gradientAt(other);
  const float steepness = uphill.norm();
  const Vec3f at = node.cast<float>() + t * Vec3f::Unit(axis);
  mesh_.positions.push_back(h_ * (grid_.firstNode(block).cast<float>() + at));
  mesh_.normals.push_back(steepness > 0 ? Vec3f(-uphill / steepness) : Vec3f::UnitZ());
  if (cloud_.depths) mesh_.depths.push_back(h_ * depthBelow(block, at, mesh_.normals.back()));
  if (hasValues()) mesh_.values.push_back(((1 - t) * wideWeighted_[a] + t * wideWeighted_[b]) / kLevel);
  return static_cast<std::uint32_t>(mesh_.positions.size() - 1);
}

/// In steps that grow: what is thick may be known less well. @param at  from the block's first node [nodes]
float SurfaceBuilder::depthBelow(int block, const Vec3f& at, const Vec3f& normal) const {
  constexpr float kDeepest = 24;  // nodes
  float inside = 0, step = 1;
  for (float depth = step; depth < kDeepest; depth += step, step *= 1.3f) {
    const Node node = (at - depth * normal).array().round().cast<int>();
    if (fillNear(block, node) < kLevel) return 0.5f * (inside + depth);
    inside = depth;
  }
  return kDeepest;
}

/// At a node that may lie in any block. @param node  from the first of `block`
float SurfaceBuilder::fillNear(int block, const Node& node) const {
  constexpr int kSide = BlockGrid::kSide;
  if (node.minCoeff() >= -kSide && node.maxCoeff() < 2 * kSide) {
    const std::ptrdiff_t at = grid_.index(block, node.x(), node.y(), node.z());
    return at < 0 ? 0 : fill_[static_cast<std::size_t>(at)];
  }
  const Node absolute = grid_.firstNode(block) + node;
  const int other = grid_.blockOf(absolute);
  if (other < 0) return 0;
  const Node local = absolute - grid_.firstNode(other);
  return fill_[static_cast<std::size_t>(grid_.index(other, local.x(), local.y(), local.z()))];
}

Vec3f SurfaceBuilder::gradientAt(const Node& n) const {
  const auto at = [&](int dx, int dy, int dz) {
    return wideSmoother_[static_cast<std::size_t>(BlockGrid::wideIndex(n.x() + dx, n.y() + dy, n.z() + dz))];
  };
  return {at(1, 0, 0) - at(-1, 0, 0), at(0, 1, 0) - at(0, -1, 0), at(0, 0, 1) - at(0, 0, -1)};
}

}  // namespace

SurfaceMesh particleSurface(const ParticleCloud& cloud) {
  SIM_REQUIRE(cloud.spacing > 0, cloud.spacing);
  SIM_REQUIRE(cloud.volume.size() == cloud.x.size(), cloud.volume.size(), cloud.x.size());
  SIM_REQUIRE(cloud.values.empty() || cloud.values.size() == cloud.x.size(), cloud.values.size());
  return SurfaceBuilder(cloud).build();
}

}  // namespace slipstick::render
