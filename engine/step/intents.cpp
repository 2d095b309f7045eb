#include "engine/step/intents.h"

#include <Eigen/Cholesky>
#include <algorithm>

#include "engine/multibody/dynamics.h"
#include "engine/multibody/kinematics.h"
#include "engine/multibody/spatial.h"

namespace slipstick {
namespace {

using multibody::Vec6;
using Mat6 = Eigen::Matrix<double, 6, 6>;

constexpr double kLargestAcceleration = 60;  // [m/s²]
constexpr double kLargestTurn = 400;         // [rad/s²]
/// What cannot move counts as a hundred times heavier than what can.
constexpr double kRegularization = 0.01;
/// Largest ω Δt of a spring: the force acts explicitly.
constexpr double kStiffest = 0.5;

Vec3 capped(const Vec3& a, double largest) {
  const double size = a.norm();
  return size > largest ? Vec3(largest / size * a) : a;
}

/// Accelerations [angular, linear] at a point of a body per wrench [torque, force] there, from rest.
Mat6 mobilityAt(const Model& model, const State& state, const std::vector<Pose>& X_WB, std::size_t body,
                const Vec3& arm) {
  const VecX zero = VecX::Zero(model.tree.nv);
  std::vector<Wrench> external(model.tree.bodies.size());
  std::vector<Velocity> acceleration;
  Mat6 W;
  for (int k = 0; k < 6; ++k) {
    const Vec6 unit = Vec6::Unit(k);
    const Vec3 torque = unit.head<3>(), force = unit.tail<3>();
    external[body] = {force, torque + arm.cross(force)};
    const VecX rates = multibody::forwardDynamics(model.tree, state.q, zero, zero, Vec3::Zero(), external);
    multibody::computeVelocities(model.tree, state.q, rates, X_WB, acceleration);
    W.col(k) << acceleration[body].w, acceleration[body].at(arm);
  }
  return 0.5 * (W + W.transpose());
}

/// The force that gives this acceleration through a mobility; none where nothing can move.
template <int kRows>
Eigen::Vector<double, kRows> forceFor(const Eigen::Matrix<double, kRows, kRows>& mobility,
                                      const Eigen::Vector<double, kRows>& acceleration) {
  Eigen::Matrix<double, kRows, kRows> W = mobility;
  for (int block = 0; block < kRows; block += 3) {
    const double mean = W.template block<3, 3>(block, block).trace() / 3;
    // Of no use where the body cannot move in this way at all: any value keeps its force at zero.
    W.template block<3, 3>(block, block).diagonal().array() += mean > 0 ? kRegularization * mean : 1e12;
  }
  return W.ldlt().solve(acceleration);
}

}  // namespace

Wrench addIntentWrenches(const Model& model, const State& state, const std::vector<Pose>& X_WB,
                         const std::vector<Velocity>& V_WB, std::vector<Wrench>& wrenches) {
  Wrench given;
  const auto resolved = [&](double omega) { return std::min(omega, kStiffest / model.time.dt); };
  for (const Pull& pull : state.pulls) {
    if (pull.body < 0) continue;
    const auto body = static_cast<std::size_t>(pull.body);
    const Vec3 arm = X_WB[body].R * pull.p_B;
    const double omega = resolved(pull.naturalFrequency);
    const Vec3 spring = omega * omega * (pull.goal_W - X_WB[body].p - arm) - 2 * omega * V_WB[body].at(arm);
    Vec6 wanted;
    wanted << capped(-omega * V_WB[body].w, kLargestTurn), capped(spring, kLargestAcceleration);
    const Vec6 force = forceFor<6>(mobilityAt(model, state, X_WB, body, arm), wanted);
    wrenches[body] += {force.tail<3>(), force.head<3>() + arm.cross(force.tail<3>())};
    given.force += force.tail<3>();
  }
  for (const Twist& twist : state.twists) {
    const auto body = static_cast<std::size_t>(twist.body);
    const double omega = resolved(twist.naturalFrequency);
    const Eigen::AngleAxisd turn(twist.goal_WB.normalized().toRotationMatrix() * X_WB[body].R.transpose());
    const Vec3 spring = omega * omega * turn.angle() * turn.axis() - 2 * omega * V_WB[body].w;
    const Mat3 mobility = mobilityAt(model, state, X_WB, body, Vec3::Zero()).topLeftCorner<3, 3>();
    const Vec3 torque = forceFor<3>(mobility, capped(spring, kLargestTurn));
    wrenches[body] += {Vec3::Zero(), torque};
    given.torque += torque;
  }
  return given;
}

}  // namespace slipstick
