// The mesh of a cloth. Its nodes are the vertices, in the mesh's order, and then one per triangle at the
// triangle's centroid (Jiang et al. 2017).
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "engine/foundation/math.h"
#include "engine/foundation/result.h"
#include "engine/model/discretization.h"
#include "engine/model/scene.h"

namespace slipstick {

struct Deformable;  // engine/model/model.h

struct ClothMesh final : Discretization {
  int vertices = 0;                        ///< nodes [0, vertices) of the deformable
  std::vector<Eigen::Vector3i> triangles;  ///< vertex indices; triangle t is node vertices + t
  /// Inverse of the rest edges in the triangle's plane: D_m^{-1} of F = [x₁ − x₀, x₂ − x₀] D_m^{-1}, upper
  /// triangular [1/m].
  std::vector<Eigen::Matrix2d> restInverse;
  std::vector<double> volume;  ///< whole area × thickness of each triangle [m³]

  /// Two triangles that share an edge, for bending. With this stiffness a sheet that is rolled along one of
  /// its rows of edges has the plate's energy ½ D κ² per area; rolled across, a sheet of squares with
  /// alternating diagonals has 3/2 of it.
  struct Hinge {
    std::array<int, 4> vertices;  ///< edge a, b, then the opposite corners: left and right of a → b
    double restAngle = 0;         ///< between the triangles' normals [rad]
    double stiffness = 0;         ///< |e|² D / (A₁ + A₂) of Ψ = ½ stiffness (θ − θ₀)² [N m]
    double edgeSquared = 0;       ///< |e|² [m²]
    double areas = 1;             ///< A₁ + A₂ [m²]
    double mobility = 0;          ///< ω² of the hinge alone per its stiffness [1/(kg m²)]
  };
  std::vector<Hinge> hinges;    ///< empty without bending stiffness
  double bendingStiffness = 0;  ///< D that theirs follow from [N m]
  double bendingFrequency = 0;  ///< no bending oscillation of the mesh is faster [rad/s]

  int triangleCount() const { return static_cast<int>(triangles.size()); }
  int nodeCount() const { return vertices + triangleCount(); }
  std::shared_ptr<const Discretization> with(const MaterialParameters& material) const override;
};

/// The mesh of a deformable that is a cloth; null: it is none.
const ClothMesh* clothOf(const Deformable& deformable);

/// What is seen of it. @param thickness  that its volumes are of [m]
std::shared_ptr<const SurfaceMesh> surfaceOf(const ClothMesh& mesh, double thickness);

/// The mesh of a cloth that is at rest as it is given; hinges only where `bendingStiffness` is positive, an
/// edge has exactly two triangles and these do not lie on each other.
/// @param material  of model Cloth
/// Errors: those of checkTriangles(), triangles without area, vertices without a triangle (they would have no
/// mass).
Result<ClothMesh> buildClothMesh(const std::vector<Vec3>& vertices,
                                 const std::vector<Eigen::Vector3i>& triangles,
                                 const MaterialParameters& material);

/// Gives the hinges of a cloth that has them the stiffness of another D [N m].
void setBendingStiffness(ClothMesh& mesh, double bendingStiffness);

/// Vertices x by x, and two triangles per cell with alternating diagonals, facing +z.
TriangleMesh sheetMesh(const SheetSpec& sheet);

/// F of triangle t: [x₁ − x₀, x₂ − x₀] D_m^{-1} and the director. @param x  of the cloth's vertices [m]
Mat3 triangleDeformation(const ClothMesh& mesh, int t, const Vec3* x, const Vec3& director);

/// Unit normal of triangle t, the director at rest.
Vec3 triangleNormal(const ClothMesh& mesh, int t, const Vec3* x);

}  // namespace slipstick
