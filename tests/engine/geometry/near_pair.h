// Two shapes that are looked at with a margin, for tests.
#pragma once

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "tests/engine/geometry/contact_scene.h"

namespace slipstick {

/// A on body 0 and B on body 1.
class NearPair {
 public:
  NearPair(const Shape& a, const Shape& b)
      : collision_({{0, 0, Pose(), contactShape(a)}, {1, 1, Pose(), contactShape(b)}},
                   [](int, int) { return true; }) {}

  const std::vector<RigidContactPoint>& at(const Pose& X_WA, const Pose& X_WB, double margin = 0.02) {
    collision_.find({X_WA, X_WB}, margin, set_);
    return set_.points;
  }
  const std::vector<RigidContactLaw>& laws() const { return set_.laws; }

 private:
  Collision collision_;
  RigidContactSet set_;
};

inline const RigidContactPoint& leastOf(const std::vector<RigidContactPoint>& places) {
  return *std::min_element(places.begin(), places.end(),
                           [](const auto& a, const auto& b) { return a.gap < b.gap; });
}

inline std::set<std::pair<int, int>> featuresOf(const std::vector<RigidContactPoint>& places) {
  std::set<std::pair<int, int>> features;
  for (const RigidContactPoint& place : places) features.emplace(place.featureA, place.featureB);
  return features;
}

}  // namespace slipstick
