// A shape as rigid contact sees it: a convex polytope with a pressure field or several of them, a smooth convex shape,
// a half-space, or triangles.
#pragma once

#include <memory>

#include "engine/foundation/math.h"
#include "engine/foundation/result.h"
#include "engine/geometry/shape.h"

namespace slipstick {

/// How a rigid surface meets other rigid surfaces.
enum class ContactRepresentation {
  Compliant,  ///< convex, with a pressure field: patches
  Rigid,      ///< no field of its own: patches with compliant ones, points with rigid ones
  Point,      ///< always point contacts
};

/// What a rigid surface is made of.
struct SurfaceProperties {
  ContactRepresentation representation = ContactRepresentation::Compliant;
  double modulus = 1e7;     ///< E: pressure at the depth of the shape's inner radius [Pa]
  double stiffness = 1e6;   ///< of one point contact [N/m]
  double dissipation = 20;  ///< d of the Hunt–Crossley law [s/m]
};

class ContactShape {
 public:
  /// A mesh that is closed and convex has a field as a box has; so has each part of one that is not and has convex parts,
  /// as if each were a shape of its own. Any other is a rigid surface whatever `properties` say.
  /// Errors (InvalidValue): those of checkMesh(); a shape or part without volume.
  static Result<std::shared_ptr<const ContactShape>> build(const Shape& shape,
                                                           const SurfaceProperties& properties);
  ~ContactShape();
  const SurfaceProperties& properties() const;
  /// Of triangles that are not convex: it has no pressure field. One with convex parts has none such.
  bool isSurface() const;
  /// In W; infinite where the shape is.
  Aabb bounds(const Pose& X_WG) const;

 private:
  ContactShape();
  friend class NarrowPhase;
  struct Data;
  std::unique_ptr<const Data> data_;
};

}  // namespace slipstick
