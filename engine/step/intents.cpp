#include "engine/step/intents.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
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
/// Makes the mobility one that can be inverted: forces are smaller by it [-].
constexpr double kRegularization = 0.01;
/// Of the mean mobility: directions with less cannot move, but for rounding [-].
constexpr double kBlocked = 1e-6;
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

/// Of a mobility, what is added to its diagonal. Where nothing can move any value keeps the force at zero.
double regularization(const Mat3& mobility) {
  const double mean = mobility.trace() / 3;
  return mean > 0 ? kRegularization * mean : 1e12;
}

/// The force that gives this acceleration through a mobility; none where nothing can move.
template <int kRows>
Eigen::Vector<double, kRows> forceFor(const Eigen::Matrix<double, kRows, kRows>& mobility,
                                      const Eigen::Vector<double, kRows>& acceleration) {
  Eigen::Matrix<double, kRows, kRows> W = mobility;
  for (int block = 0; block < kRows; block += 3)
    W.template block<3, 3>(block, block).diagonal().array() +=
        regularization(mobility.template block<3, 3>(block, block));
  return W.ldlt().solve(acceleration);
}

/// The directions in which something can move.
struct Freedom {
  Mat3 projector = Mat3::Zero(), inverse = Mat3::Zero();  ///< onto them; of the mobility within them
  bool isAll = true;
};

/// @param mean  mobility that a direction's is held against
Freedom freedomOf(const Mat3& mobility, double mean) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(mobility);
  Freedom freedom;
  for (int i = 0; i < 3; ++i) {
    const double own = eigen.eigenvalues()[i];
    if (!(own > kBlocked * mean)) {
      freedom.isAll = false;
      continue;
    }
    const Mat3 direction = eigen.eigenvectors().col(i) * eigen.eigenvectors().col(i).transpose();
    freedom.projector += direction;
    freedom.inverse += direction / own;
  }
  return freedom;
}

/// What a body can do of a wanted acceleration [angular, linear] of a point: what the joints leave free to the point, and of the
/// turning what leaves the point alone, beside that which comes with it. Else a turn and a point that are bound to each other
/// would have force and torque work against each other without end.
Vec6 feasible(const Mat6& W, const Vec6& wanted) {
  const Mat3 turn = W.topLeftCorner<3, 3>(), point = W.bottomRightCorner<3, 3>(),
             both = W.topRightCorner<3, 3>();
  const Freedom ofPoint = freedomOf(point, point.trace() / 3);
  const Freedom ofTurn = freedomOf(turn - both * ofPoint.inverse * both.transpose(), turn.trace() / 3);
  if (ofPoint.isAll && ofTurn.isAll) return wanted;
  const Vec3 linear = ofPoint.projector * wanted.tail<3>();
  const Vec3 comes = both * forceFor<3>(point, linear);
  Vec6 able;
  able << comes + ofTurn.projector * (wanted.head<3>() - comes), linear;
  return able;
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
    const Mat6 mobility = mobilityAt(model, state, X_WB, body, arm);
    const Vec6 force = forceFor<6>(mobility, feasible(mobility, wanted));
    wrenches[body] += {force.tail<3>(), force.head<3>() + arm.cross(force.tail<3>())};
    given.force += force.tail<3>();
  }
  for (const Twist& twist : state.twists) {
    const auto body = static_cast<std::size_t>(twist.body);
    const double omega = resolved(twist.naturalFrequency);
    const Eigen::AngleAxisd turn(twist.goal_WB.normalized().toRotationMatrix() * X_WB[body].R.transpose());
    const Vec3 spring = omega * omega * turn.angle() * turn.axis() - 2 * omega * V_WB[body].w;
    const Mat3 mobility = mobilityAt(model, state, X_WB, body, Vec3::Zero()).topLeftCorner<3, 3>();
    const Freedom ofTurn = freedomOf(mobility, mobility.trace() / 3);
    const Vec3 wanted = capped(spring, kLargestTurn);
    const Vec3 torque = forceFor<3>(mobility, ofTurn.isAll ? wanted : Vec3(ofTurn.projector * wanted));
    wrenches[body] += {Vec3::Zero(), torque};
    given.torque += torque;
  }
  return given;
}

}  // namespace slipstick
