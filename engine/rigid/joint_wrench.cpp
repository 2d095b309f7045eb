#include "engine/rigid/joint_wrench.h"

#include <vector>

#include "engine/foundation/require.h"

namespace slipstick {

namespace {

/// Momentum of a body and its moment about a point of W [N s], [N m s].
Wrench momentumAbout(const Vec3& point, const multibody::Body& body, const Pose& X_WB, const Velocity& V_WB) {
  const Vec3 com_W = X_WB.R * body.com;
  const Vec3 momentum = body.mass * V_WB.at(com_W);
  const Vec3 spin = X_WB.R * (body.inertia * (X_WB.R.transpose() * V_WB.w));
  return {momentum, spin + (X_WB.p + com_W - point).cross(momentum)};
}

/// A force at a place, about a point.
Wrench forceAbout(const Vec3& point, const Vec3& place, const Vec3& force) {
  return {force, (place - point).cross(force)};
}

}  // namespace

Wrench jointWrench(const Model& model, const Vec3& gravity, const StepFacts& before, const StepFacts& after,
                   int joint) {
  SIM_REQUIRE(after.time > before.time, before.time, after.time);
  const double perStep = 1 / (after.time - before.time);
  const multibody::Tree& tree = model.tree;
  const int child = tree.joints[static_cast<std::size_t>(joint)].child;
  const Vec3 point = after.X_WB[static_cast<std::size_t>(child)].p;
  Wrench transmitted;
  std::vector<bool> carried(tree.bodies.size(), false);
  for (std::size_t b = static_cast<std::size_t>(child); b < tree.bodies.size(); ++b) {
    const int index = static_cast<int>(b);
    carried[b] = index == child || carried[static_cast<std::size_t>(tree.parentOf(index))];
    if (!carried[b]) continue;
    const multibody::Body& body = tree.bodies[b];
    transmitted += momentumAbout(point, body, after.X_WB[b], after.V_WB[b]) * perStep;
    transmitted += momentumAbout(point, body, before.X_WB[b], before.V_WB[b]) * -perStep;
    const Vec3 com = 0.5 * (before.X_WB[b] * body.com + after.X_WB[b] * body.com);
    transmitted += forceAbout(point, com, -body.mass * gravity);
    // Contact wrenches are about the body's origin at the step's start.
    const Wrench& contact = after.contactWrench[b];
    transmitted += forceAbout(point, before.X_WB[b].p, -contact.force);
    transmitted.torque -= contact.torque;
  }
  return transmitted;
}

}  // namespace slipstick
