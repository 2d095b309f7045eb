// Small triangles on the surfaces of rigid shapes, made where something touches, for footprints to be painted
// on.
#pragma once

#include <Eigen/Core>
#include <compare>
#include <map>
#include <memory>
#include <vector>

#include "engine/geometry/geometry_shape.h"
#include "engine/model/model.h"

namespace slipstick::render {

/// The part of a surface in one cube of space, in the frame of its geometry.
struct SurfaceBlock {
  std::vector<Vec3> points;                ///< on the surface [m]
  std::vector<Vec3> normals;               ///< outward, unit
  std::vector<double> areas;               ///< a third of those of the triangles around each point [m²]
  std::vector<Eigen::Vector3i> triangles;  ///< counter-clockwise seen from outside
};

/// Blocks by geometry, spacing and place. They do not depend on time, nor on what touches: a block is the
/// same whenever it is made. Neighbouring blocks repeat the points on the face that they share.
class FootprintCache {
 public:
  static constexpr int kCells = 8;  ///< of a block, per axis

  /// Where a block is: its lowest corner lies at kCells · place · spacing.
  struct Place {
    int x = 0, y = 0, z = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  /// Forgets the surfaces of any other model.
  void setModel(const std::shared_ptr<const Model>& model);
  /// @param spacing  of the grid that cuts the surface, about the edges of the triangles [m]
  /// The reference lasts until the next setModel().
  const SurfaceBlock& block(int geometry, double spacing, const Place& place);
  /// The point of the surface nearest to p, as far as the distance function tells, in the geometry's frame
  /// [m].
  Vec3 project(int geometry, const Vec3& p_G);

 private:
  const GeometryShape<double>& shape(int geometry);

  struct Key {
    int geometry = 0;
    double spacing = 0;
    Place place;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  std::shared_ptr<const Model> model_;
  std::map<int, GeometryShape<double>> shapes_;  ///< of those that particles touch
  std::map<Key, std::unique_ptr<const SurfaceBlock>> blocks_;
};

}  // namespace slipstick::render
