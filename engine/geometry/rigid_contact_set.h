// Where rigid geometries touch.
#pragma once

#include <vector>

#include "engine/foundation/math.h"
#include "engine/geometry/pressure_patch.h"

namespace slipstick {

/// One point of contact between geometries A and B. It resists approach with k and d (Hunt–Crossley).
struct RigidContactPoint {
  Vec3 p_W = Vec3::Zero();        ///< [m]
  Vec3 normal_W = Vec3::UnitZ();  ///< unit, out of A, into B
  double force = 0;               ///< f₀: elastic force at this position ≥ 0 [N]
  double stiffness = 0;           ///< k > 0 [N/m]
  double dissipation = 0;         ///< d ≥ 0 [s/m]
  double penetration = 0;         ///< ≥ 0 [m]
  double pressure = 0;            ///< at the point; 0 for a point contact [Pa]
};

/// All contacts of one configuration, pair by pair. Arrays keep their capacity.
struct RigidContactSet {
  struct Pair {
    int geometryA = 0, geometryB = 0;      ///< A < B
    int pointBegin = 0, pointEnd = 0;      ///< into points
    int polygonBegin = 0, polygonEnd = 0;  ///< into polygonEnds; equal: point contact
  };
  std::vector<Pair> pairs;
  std::vector<RigidContactPoint> points;
  std::vector<PressurePatch::Vertex> vertices;  ///< of all polygons, one after the other
  std::vector<int> polygonEnds;                 ///< one past the last vertex of each polygon

  void clear() {
    pairs.clear();
    points.clear();
    vertices.clear();
    polygonEnds.clear();
  }
};

}  // namespace slipstick
