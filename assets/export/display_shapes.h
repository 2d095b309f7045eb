// Rigid bodies as people see them: what files of geometry show of them. Who draws makes the triangles.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/foundation/math.h"
#include "engine/geometry/shape.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

/// Triangles in parts of one colour and finish.
struct DisplayMesh {
  struct Part {
    Color color = Color::Ones();  ///< linear RGBA
    Finish finish;
    std::vector<std::uint32_t> indices;  ///< triples, counter-clockwise seen from outside
  };
  std::vector<Eigen::Vector3f> positions;  ///< [m]
  std::vector<Eigen::Vector3f> normals;    ///< one per position, unit
  std::vector<Part> parts;
};

/// A mesh on a body. Shapes that look alike share their mesh.
struct DisplayShape {
  std::string name;
  int body = 0;  ///< index into Model::tree.bodies
  Pose X_BV;
  std::shared_ptr<const DisplayMesh> mesh;
};

}  // namespace slipstick::assets
