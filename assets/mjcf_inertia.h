// Masses of MJCF's geoms as MuJoCo computes them: solids and shells, meshes in its four ways.
#pragma once

#include <string>

#include "engine/compile/shape_mass.h"
#include "engine/foundation/result.h"
#include "engine/geometry/shape.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

/// Of a shell of 1 kg/m² on the surface of a sphere, capsule, cylinder, ellipsoid or box; its area stands in `volume`.
/// An ellipsoid as in MuJoCo: Thomsen's formula for the area, and for the inertia what a layer of 1 µm outside has.
/// Error: other shapes.
Result<MassProperties> shellProperties(const Shape& shape);

/// Of a mesh at 1 kg/m³, of a shell at 1 kg/m². The way of MuJoCo's "legacy" counts all pyramids between a middle of the
/// surface and its triangles as positive, so that a dent adds mass; "convex" needs the hull as the mesh.
/// @param way  "exact", "convex", "legacy", "shell"
/// Error: the volume is not positive.
Result<MassProperties> meshProperties(const TriangleMesh& mesh, const std::string& way);

/// Masses that add up to a link's.
class MassSum {
 public:
  /// @param scale  mass per volume
  void add(const MassProperties& part, double scale, const Pose& X_BG);
  bool isEmpty() const { return mass_ <= 0; }
  /// Fills mass, centre of mass and inertia.
  void store(LinkSpec& link) const;

 private:
  double mass_ = 0;
  Vec3 first_ = Vec3::Zero();   ///< Σ m c
  Mat3 second_ = Mat3::Zero();  ///< Σ inertia about the link's origin
};

/// The box of a mesh's inertia: half edges along its principal axes, the largest moment's first.
struct InertiaBox {
  Vec3 halfExtents;
  Pose X;  ///< of the box in the mesh's frame
};
InertiaBox inertiaBox(const MassProperties& properties);

}  // namespace slipstick::assets
