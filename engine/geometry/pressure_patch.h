// The surface of a rigid contact that has a pressure field.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/foundation/math.h"

namespace slipstick {

/// Where two pressure fields balance: the surface that two rigid bodies press through (Masterjohn et al.
/// 2022).
struct PressurePatch {
  struct Vertex {
    Eigen::Vector3f p_W = Eigen::Vector3f::Zero();  ///< [m]
    float pressure = 0;                             ///< [Pa]
  };
  std::int32_t geometry = 0;  ///< the first of the pair, on whose body the contacts' forces act
  std::int32_t otherGeometry = 0;
  std::vector<Vertex> vertices;           ///< convex polygons one after the other
  std::vector<std::int32_t> polygonEnds;  ///< one past the last vertex of each polygon
};

}  // namespace slipstick
