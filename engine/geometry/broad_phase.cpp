#include "engine/geometry/broad_phase.h"

#include <algorithm>
#include <cmath>

namespace slipstick {
namespace {

/// The axis along which the boxes' centres spread most.
int sweepAxis(const std::vector<Aabb>& boxes) {
  Vec3 sum = Vec3::Zero(), squares = Vec3::Zero();
  double count = 0;
  for (const Aabb& box : boxes) {
    if (std::isinf(box.upper.x())) continue;
    const Vec3 centre = (box.lower + box.upper) / 2;
    sum += centre, squares += centre.cwiseAbs2(), ++count;
  }
  int axis = 0;
  (squares - sum.cwiseAbs2() / std::max(count, 1.0)).maxCoeff(&axis);
  return axis;
}

}  // namespace

const std::vector<std::pair<int, int>>& BroadPhase::find(const std::vector<Aabb>& boxes) {
  const int axis = sweepAxis(boxes), second = (axis + 1) % 3, third = (axis + 2) % 3;
  ends_.clear(), infinite_.clear(), pairs_.clear();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (std::isinf(boxes[i].upper.x()))
      infinite_.push_back(static_cast<int>(i));
    else
      ends_.push_back({boxes[i].lower[axis], boxes[i].upper[axis], static_cast<int>(i)});
  }
  std::sort(ends_.begin(), ends_.end(), [](const End& a, const End& b) {
    return a.lower != b.lower ? a.lower < b.lower : a.box < b.box;
  });
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    const Aabb& a = boxes[static_cast<std::size_t>(ends_[i].box)];
    for (std::size_t j = i + 1; j < ends_.size() && ends_[j].lower <= ends_[i].upper; ++j) {
      const Aabb& b = boxes[static_cast<std::size_t>(ends_[j].box)];
      if (a.lower[second] <= b.upper[second] && b.lower[second] <= a.upper[second] &&
          a.lower[third] <= b.upper[third] && b.lower[third] <= a.upper[third])
        pairs_.push_back(std::minmax(ends_[i].box, ends_[j].box));
    }
  }
  for (const int plane : infinite_)
    for (const End& end : ends_) pairs_.push_back(std::minmax(plane, end.box));
  std::sort(pairs_.begin(), pairs_.end());
  return pairs_;
}

}  // namespace slipstick
