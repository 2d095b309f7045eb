// What of a mesh lies between planes: the pieces that convex parts are made of.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/geometry/clip_polygon.h"
#include "engine/geometry/triangle_mesh.h"

namespace slipstick::assets {

/// A mesh that answers where a point lies.
class Solid {
 public:
  /// @param mesh  welded; one that faces inwards is turned
  explicit Solid(const TriangleMesh& mesh);

  const TriangleMesh& mesh() const { return mesh_; }
  bool isClosed() const { return isClosed_; }
  double size() const { return size_; }  ///< diagonal of the box around it [m]
  /// By the winding number; never of an open one.
  bool contains(const Vec3& p) const;

 private:
  TriangleMesh mesh_;
  bool isClosed_;
  double size_;
};

/// The part of a solid on the inner side of all planes of a cell.
class Piece {
 public:
  /// All of it.
  explicit Piece(const Solid& solid);
  /// What of the solid lies in a cell.
  Piece(const Solid& solid, const std::vector<HalfSpace>& cell);

  const std::vector<HalfSpace>& cell() const { return cell_; }
  /// That the piece encloses, 0 of an open solid [m³].
  double volume() const;
  /// Points whose hull is that of the piece.
  std::vector<Vec3> points() const;
  /// Those of the two halves on either side of a plane, below it first.
  std::array<std::vector<Vec3>, 2> halves(const HalfSpace& plane) const;
  /// What lies below a plane.
  Piece below(const HalfSpace& plane) const;

 private:
  void cut(const HalfSpace& plane);
  void index();
  Vec3 nearPoint() const;  ///< of what bounds it, so that sums about it are of the piece's size
  std::vector<Vec3> newCorners(const HalfSpace& plane) const;

  const Solid* solid_;
  std::vector<HalfSpace> cell_;
  /// Of the mesh, cut at the planes; and sheets with signs that close it on each plane: where they cover a place twice in
  /// opposite senses, there is nothing.
  std::vector<Triangle> surface_, caps_;
  std::vector<Vec3> vertices_;  ///< of the surface, each once
  std::vector<std::pair<std::size_t, std::size_t>> edges_;
  std::vector<Vec3> corners_;  ///< of the cell, inside the solid
};

}  // namespace slipstick::assets
