#include "engine/model/model.h"

#include <algorithm>

namespace slipstick {

Pose Path::at(double t) const {
  SIM_REQUIRE(!keys.empty(), name);
  const auto later = std::upper_bound(keys.begin(), keys.end(), t,
                                      [](double time, const auto& key) { return time < key.t; });
  if (later == keys.begin()) return Pose::fromQuat(keys.front().R, keys.front().p);
  if (later == keys.end()) return Pose::fromQuat(keys.back().R, keys.back().p);
  const PathSpec::Key &a = *(later - 1), &b = *later;
  const double s = (t - a.t) / (b.t - a.t);
  return Pose::fromQuat(a.R.slerp(s, b.R), (1 - s) * a.p + s * b.p);
}

int Model::findBody(const std::string& wanted) const {
  for (std::size_t i = 0; i < tree.bodies.size(); ++i)
    if (tree.bodies[i].name == wanted) return static_cast<int>(i);
  return -1;
}

int Model::findJoint(const std::string& wanted) const {
  for (std::size_t i = 0; i < tree.joints.size(); ++i)
    if (tree.joints[i].name == wanted) return static_cast<int>(i);
  return -1;
}

}  // namespace slipstick
