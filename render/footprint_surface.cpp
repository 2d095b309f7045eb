#include "render/footprint_surface.h"

#include <array>

#include "engine/geometry/shape_lowering.h"
#include "engine/geometry/signed_distance.h"
#include "render/marching_cubes.h"

namespace slipstick::render {
namespace {

constexpr std::size_t kMaxBlocks = 20000;  // about 200 MB; then it starts afresh
constexpr int kNodes = FootprintCache::kCells + 1;

SignedDistance<double> distanceAt(const GeometryShape<double>& shape, const Vec3& p) {
  return signedDistance<double>(shape, {p.x(), p.y(), p.z()});
}

Vec3 normalOf(const SignedDistance<double>& d) {
  return {d.normal.x, d.normal.y, d.normal.z};
}

/// Newton's method along the normal; of a grid of distances a few steps are needed.
Vec3 onSurface(const GeometryShape<double>& shape, Vec3 p) {
  for (int i = 0; i < 3; ++i) {
    const SignedDistance<double> d = distanceAt(shape, p);
    p -= d.phi * normalOf(d);
  }
  return p;
}

class BlockBuilder {
 public:
  BlockBuilder(const GeometryShape<double>& shape, double spacing, const FootprintCache::Place& place)
      : shape_(shape),
        spacing_(spacing),
        corner_(FootprintCache::kCells * spacing * Vec3(place.x, place.y, place.z)) {}

  SurfaceBlock build() && {
    if (!mayCross()) return std::move(block_);
    for (int i = 0; i < kNodes * kNodes * kNodes; ++i)
      phi_[static_cast<std::size_t>(i)] = distanceAt(shape_, nodeAt(i)).phi;
    edgePoint_.fill(-1);
    for (int z = 0; z < FootprintCache::kCells; ++z)
      for (int y = 0; y < FootprintCache::kCells; ++y)
        for (int x = 0; x < FootprintCache::kCells; ++x) addCell(x + kNodes * (y + kNodes * z));
    addAreas();
    return std::move(block_);
  }

 private:
  static int stepOf(int corner) {
    return (corner & 1) + kNodes * ((corner >> 1 & 1) + kNodes * (corner >> 2 & 1));
  }
  Vec3 nodeAt(int node) const {
    return corner_ + spacing_ * Vec3(node % kNodes, node / kNodes % kNodes, node / (kNodes * kNodes));
  }
  /// Whether the surface can be as near as the corners of the block from its middle.
  bool mayCross() const {
    const double half = 0.5 * FootprintCache::kCells * spacing_;
    return std::abs(distanceAt(shape_, corner_ + Vec3::Constant(half)).phi) < 1.8 * half;
  }
  void addCell(int node);
  int pointOn(int node, int axis);
  void addAreas();

  const GeometryShape<double>& shape_;
  double spacing_;
  Vec3 corner_;
  std::array<double, kNodes * kNodes * kNodes> phi_{};
  std::array<int, 3 * kNodes * kNodes * kNodes> edgePoint_{};
  SurfaceBlock block_;
};

void BlockBuilder::addCell(int node) {
  unsigned inside = 0;
  for (int c = 0; c < 8; ++c)
    if (phi_[static_cast<std::size_t>(node + stepOf(c))] < 0) inside |= 1u << c;
  const CubeCase& cut = cubeCase(inside);
  for (int t = 0; t < cut.triangles; ++t) {
    Eigen::Vector3i triangle;
    for (int k = 0; k < 3; ++k) {
      const int edge = cut.edges[static_cast<std::size_t>(3 * t + k)];
      triangle[k] = pointOn(node + stepOf(cubeEdgeStart(edge)), edge / 4);
    }
    block_.triangles.push_back(triangle);
  }
}

int BlockBuilder::pointOn(int node, int axis) {
  int& known = edgePoint_[static_cast<std::size_t>(3 * node + axis)];
  if (known >= 0) return known;
  const int other = node + stepOf(1 << axis);
  const double a = phi_[static_cast<std::size_t>(node)], b = phi_[static_cast<std::size_t>(other)];
  const Vec3 between = nodeAt(node) + a / (a - b) * (nodeAt(other) - nodeAt(node));
  block_.points.push_back(onSurface(shape_, between));
  block_.normals.push_back(normalOf(distanceAt(shape_, block_.points.back())));
  known = static_cast<int>(block_.points.size()) - 1;
  return known;
}

void BlockBuilder::addAreas() {
  block_.areas.assign(block_.points.size(), 0);
  for (const Eigen::Vector3i& t : block_.triangles) {
    const auto at = [&](int k) -> const Vec3& { return block_.points[static_cast<std::size_t>(t[k])]; };
    const double third = (at(1) - at(0)).cross(at(2) - at(0)).norm() / 6;
    for (int k = 0; k < 3; ++k) block_.areas[static_cast<std::size_t>(t[k])] += third;
  }
}

}  // namespace

void FootprintCache::setModel(const std::shared_ptr<const Model>& model) {
  if (model == model_ && blocks_.size() < kMaxBlocks) return;
  model_ = model;
  blocks_.clear();
  shapes_.clear();
}

const GeometryShape<double>& FootprintCache::shape(int index) {
  const auto [entry, isNew] = shapes_.try_emplace(index);
  const Geometry& geometry = model_->geometries[static_cast<std::size_t>(index)];
  if (isNew) entry->second = lowerShape<double>(geometry.shape, geometry.sdf.get());
  return entry->second;
}

const SurfaceBlock& FootprintCache::block(int geometry, double spacing, const Place& place) {
  std::unique_ptr<const SurfaceBlock>& block = blocks_[{geometry, spacing, place}];
  if (!block)
    block = std::make_unique<const SurfaceBlock>(BlockBuilder(shape(geometry), spacing, place).build());
  return *block;
}

Vec3 FootprintCache::project(int geometry, const Vec3& p_G) {
  return onSurface(shape(geometry), p_G);
}

}  // namespace slipstick::render
