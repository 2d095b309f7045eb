// What soft bodies are made of: nodes, the surface that is seen of them, and whatever their method keeps beside.
#pragma once

#include <memory>
#include <vector>

#include "engine/foundation/math.h"
#include "engine/foundation/result.h"

namespace slipstick {

struct Compilation;     // engine/compile/compilation.h
struct DeformableSpec;  // engine/model/scene.h
struct MaterialParameters;

/// Triangles between the first nodes of a deformable: what of it is seen, picked and written to files.
struct SurfaceMesh {
  int vertices = 0;                        ///< the nodes [0, vertices) of the deformable
  std::vector<Eigen::Vector3i> triangles;  ///< of vertices, counter-clockwise seen from the front
  bool isSheet = false;                    ///< it has no inside, and both sides of its triangles are seen
  double spacing = 0;                      ///< root of the triangles' mean area at rest [m]
};

/// What a method keeps of a deformable's rest state for itself: a mesh, weights. Immutable, and shared by models that differ in
/// numbers only.
class Discretization {
 public:
  virtual ~Discretization() = default;
  /// That of a material of the same model with other numbers; null: they change nothing here.
  virtual std::shared_ptr<const Discretization> with(const MaterialParameters& material) const = 0;
};

/// Nodes of one deformable before it is placed; those of its surface first, if it has one.
struct DeformableNodes {
  std::vector<Vec3> points;     ///< in the shape's frame [m]
  std::vector<double> volumes;  ///< of what each stands for, at rest [m³]
  double spacing = 0;           ///< see Deformable::spacing [m]
  double resolution = 0;        ///< see Deformable::resolution [m]
  std::shared_ptr<const SurfaceMesh> surface = {};
  std::shared_ptr<const Discretization> discretization = {};
};

/// What a method makes of a deformable while a scene is compiled, see MethodRows. Errors tell the place in the scene.
using Discretize = Result<DeformableNodes> (*)(Compilation&, const DeformableSpec&,
                                               const MaterialParameters&);

}  // namespace slipstick
