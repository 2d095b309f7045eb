// Where rigid geometries touch.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/foundation/math.h"
#include "engine/geometry/pressure_patch.h"

namespace slipstick {

/// A place where geometries A and B touch, or come near.
struct RigidContactPoint {
  Vec3 p_W = Vec3::Zero();        ///< between the two surfaces [m]
  Vec3 normal_W = Vec3::UnitZ();  ///< unit, out of A, into B
  double gap = 0;                 ///< along the normal; below 0 where they overlap [m]
  double pressure = 0;            ///< of a patch, at the point; 0 for a point contact [Pa]
  /// What it is a place of, on either side: the same as long as the same parts of the surfaces face each other. −1: not told.
  std::int32_t featureA = -1, featureB = -1;

  double penetration() const { return -gap; }  ///< [m]
};

/// How a place resists approach: with k and d (Hunt–Crossley). What else holds between two surfaces, friction and restitution,
/// stands per pair of geometries, see Model::rigidPairLaw.
struct RigidContactLaw {
  double force = 0;        ///< f₀: elastic force at this position ≥ 0 [N]
  double stiffness = 0;    ///< k > 0; of a patch it grows with the area that the point stands for [N/m]
  double dissipation = 0;  ///< d ≥ 0 [s/m]
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
  std::vector<RigidContactLaw> laws;            ///< per point
  std::vector<PressurePatch::Vertex> vertices;  ///< of all polygons, one after the other
  std::vector<int> polygonEnds;                 ///< one past the last vertex of each polygon

  void add(const RigidContactPoint& point, const RigidContactLaw& law) {
    points.push_back(point);
    laws.push_back(law);
  }
  void clear() {
    pairs.clear();
    points.clear();
    laws.clear();
    vertices.clear();
    polygonEnds.clear();
  }
};

}  // namespace slipstick
