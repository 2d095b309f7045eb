#include "engine/compile/task_reset.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/foundation/require.h"

namespace slipstick {
namespace {

/// About z. Sines differ in their last bits from one library of mathematics to the next; the scene must not.
Mat3 turnedBy(double yaw) {
  constexpr double kUnit = 0x1p-44;
  const auto rounded = [](double x) { return std::round(x / kUnit) * kUnit; };
  const double c = rounded(std::cos(yaw)), s = rounded(std::sin(yaw));
  Mat3 R = Mat3::Identity();
  R(0, 0) = R(1, 1) = c;
  R(1, 0) = s;
  R(0, 1) = -s;
  return R;
}

void move(Pose& pose, const Vec3& offset, double yaw) {
  pose.p += offset;
  // A turn by nothing would still round.
  if (yaw != 0) pose.R = (turnedBy(yaw) * pose.R).eval();
}

template <class Specs>
auto* named(Specs& specs, const std::string& name) {
  const auto found =
      std::find_if(specs.begin(), specs.end(), [&](const auto& spec) { return spec.name == name; });
  return found == specs.end() ? nullptr : &*found;
}

void offsetJoint(RobotSpec& robot, const std::string& joint, double offset) {
  const std::optional<double> start = startOf(robot, joint);
  if (!start) return;
  for (auto& [name, position] : robot.jointPositions)
    if (name == joint) {
      position += offset;
      return;
    }
  robot.jointPositions.emplace_back(joint, *start + offset);
}

}  // namespace

std::uint64_t SeededDraw::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double SeededDraw::within(const DrawRange& range) {
  const double u = static_cast<double>(next() >> 11) * 0x1p-53;
  return std::min(range.lower + (range.upper - range.lower) * u, range.upper);
}

std::optional<double> startOf(const RobotSpec& robot, const std::string& joint) {
  for (const auto& [name, position] : robot.jointPositions)
    if (name == joint) return position;
  const JointSpec* spec = named(robot.description.joints, joint);
  if (!spec) return std::nullopt;
  return std::max(spec->lower, std::min(0.0, spec->upper));
}

Scene randomised(const Scene& scene, std::uint64_t seed) {
  SIM_REQUIRE(scene.task && seed <= kLargestSeed, scene.name, seed);
  Scene drawn = scene;
  SeededDraw draw(seed);
  for (const ResetSpec& reset : scene.task->reset) {
    Vec3 offset;
    for (int axis = 0; axis < 3; ++axis)
      offset[axis] = draw.within(reset.position[static_cast<std::size_t>(axis)]);
    const double yaw = draw.within(reset.yaw);
    RobotSpec* robot = named(drawn.robots, reset.name);
    if (robot) move(robot->X_PB, offset, yaw);
    if (DeformableSpec* soft = named(drawn.deformables, reset.name)) move(soft->X_WD, offset, yaw);
    for (const auto& [joint, range] : reset.joints) {
      const double shift = draw.within(range);
      if (robot) offsetJoint(*robot, joint, shift);
    }
  }
  drawn.task->seed = seed;
  return drawn;
}

}  // namespace slipstick
