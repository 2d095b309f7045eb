#include "engine/multibody/rate_kinematics.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "engine/foundation/require.h"
#include "engine/multibody/kinematics.h"

namespace slipstick::multibody {
namespace {

/// A turn of the tool by 1 rad counts as this much way [m]: about the size of what it holds.
constexpr double kTurnLength = 0.25;
/// Directions in which joints at 1 rad/s move the tool slower than this are damped [m].
constexpr double kNearlySingular = 0.08;
constexpr double kDamping = 0.08;  ///< largest λ, where such a direction is lost [m]
/// Arms whose joints move the tool slower than this are as good as straight [m].
constexpr double kStraight = 0.02;
/// Where damping leaves a pull that helps, joints turn at most as fast as the tool's wanted speed over this [m].
constexpr double kHelp = 0.1;
/// How fast the posture draws joints, per distance [1/s], and at most [rad/s] or [m/s].
constexpr double kPostureRate = 1.5, kPostureSpeed = 0.4;
/// A tool that its joints hold up goes no slower than this part of what is wanted along the same line; then the joints
/// that are too slow fall behind.
constexpr double kLeastScale = 0.1;

/// Keeps the inverse finite where a direction is lost for good.
constexpr double kTinySquare = 1e-12;

Vec6 asLengths(Vec6 twist) {
  twist.head<3>() *= kTurnLength;
  return twist;
}

}  // namespace

/// Splits what the tool does into orthogonal directions u_i, in which joints at 1 rad/s move it by σ_i.
class RateKinematics::ToolDirections {
 public:
  /// @param J  6 × joints, rotations as lengths
  explicit ToolDirections(const MatX& J) : eigen_(Mat6(J.lazyProduct(J.transpose()))) {}

  /// w of the rates r = r₀ + Jᵀ w that give the tool the velocity V, damped by λ where a direction is nearly singular:
  /// w_i = V_i / (σ² + λ²) − (P_i − L_i) / σ².
  /// @param pulled  P = J r₀: what the posture's pull r₀ would do to the tool
  Vec6 weights(const Vec6& wanted, const Vec6& pulled) const {
    const Mat6& U = eigen_.eigenvectors();
    const Vec6 V = U.transpose() * wanted, P = U.transpose() * pulled;
    Vec6 w;
    for (int i = 0; i < 6; ++i) {
      const double square = std::max(eigen_.eigenvalues()[i], 0.0);
      const double missing = std::max(0.0, 1 - square / (kNearlySingular * kNearlySingular));
      const double damped = square + kDamping * missing * kDamping * missing + kTinySquare;
      w[i] = V[i] / damped - (P[i] - leftOf(P[i], V[i], square, damped)) / (square + kTinySquare);
    }
    return U * w;
  }

 private:
  /// L_i: of the pull, what damping leaves. A pull away from where the tool shall go is cut to half of what the tool does
  /// there, or it would hold it off its goal for good; but the last millimetre before an arm is straight is left to it,
  /// from where coming back takes long. A pull that helps out of there stays.
  static double leftOf(double pulled, double wanted, double square, double damped) {
    const double sigma = std::sqrt(square), left = pulled * (1 - square / damped);
    if (pulled * wanted < 0) {
      const double most = std::abs(wanted) * square / damped / 2;
      const double cut = std::clamp((sigma - kStraight) / kStraight, 0.0, 1.0);
      return left + cut * (std::clamp(left, -most, most) - left);
    }
    const double most = std::abs(wanted) * sigma / kHelp;
    return std::clamp(left, -most, most);
  }

  Eigen::SelfAdjointEigenSolver<Mat6> eigen_;
};

double stoppingSpeed(double distance, double quickness, double dt) {
  // v dt + v²/2a = distance: this step still moves on at v.
  return quickness * (std::sqrt(dt * dt + 2 * distance / quickness) - dt);
}

void RateKinematics::prepare(const Tree& tree, const Chain& chain, const std::vector<Pose>& X_WB) {
  const Vec3 p_WE = (X_WB[static_cast<std::size_t>(chain.body)] * chain.X_BE).p;
  pointJacobian(tree, X_WB, chain.body, p_WE, jacobian_);
  columns_.resize(6, static_cast<int>(chain.joints.size()));
  for (std::size_t k = 0; k < chain.joints.size(); ++k)
    columns_.col(static_cast<int>(k)) =
        asLengths(jacobian_.col(tree.joints[static_cast<std::size_t>(chain.joints[k])].vStart));
}

Velocity RateKinematics::velocityOf(const VecX& rates) const {
  SIM_REQUIRE(rates.size() == columns_.cols(), rates.size(), columns_.cols());
  const Vec6 twist = columns_.lazyProduct(rates);
  return {twist.head<3>() / kTurnLength, twist.tail<3>()};
}

void RateKinematics::resolve(const Tree& tree, const Chain& chain, const VecX& q, const Velocity& wanted,
                             const VecX& home, double dt, VecX& rates) {
  const auto n = static_cast<int>(chain.joints.size());
  SIM_REQUIRE(rates.size() == n && home.size() == n && columns_.cols() == n, rates.size(), home.size(), n);
  pull_.resize(n);
  for (int k = 0; k < n; ++k) {
    const Joint& joint = tree.joints[static_cast<std::size_t>(chain.joints[static_cast<std::size_t>(k)])];
    pull_[k] = std::clamp(kPostureRate * (home[k] - q[joint.qStart]), -kPostureSpeed, kPostureSpeed);
  }
  findBounds(tree, chain, q, dt, rates);
  const Vec6 twist = asLengths(stack(wanted.w, wanted.v));

  const ToolDirections directions(columns_);
  const Vec6 weights = directions.weights(twist, Vec6::Zero());
  double scale = 1;
  for (int k = 0; k < n; ++k) {
    const double needed = std::abs(columns_.col(k).dot(weights));
    scale = std::min(scale, chain.speed[static_cast<std::size_t>(k)] / std::max(needed, 1e-12));
  }
  solve(std::max(scale, kLeastScale) * twist, directions);
  rates = rates_;
}

/// [lower, upper] of each rate. What a joint needs to stop before a limit goes over what it may change at once: a start
/// beyond a limit must not keep it there.
void RateKinematics::findBounds(const Tree& tree, const Chain& chain, const VecX& q, double dt,
                                const VecX& rates) {
  const auto n = static_cast<int>(chain.joints.size());
  lower_.resize(n);
  upper_.resize(n);
  for (int k = 0; k < n; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const Joint& joint = tree.joints[static_cast<std::size_t>(chain.joints[i])];
    const double fastest = chain.speed[i], change = chain.quickness[i] * dt;
    double up = fastest, down = -fastest;
    if (joint.type != JointType::Continuous) {
      const double at = q[joint.qStart];
      up = std::min(up, stoppingSpeed(std::max(joint.upper - at, 0.0), chain.quickness[i], dt));
      down = std::max(down, -stoppingSpeed(std::max(at - joint.lower, 0.0), chain.quickness[i], dt));
    }
    upper_[k] = std::clamp(rates[k] + change, down, up);
    lower_[k] = std::clamp(rates[k] - change, down, up);
  }
}

/// Of all rates that give the tool its velocity, the nearest to the posture's pull. The joint that passes its bounds most
/// stops there, and the others take over what it leaves undone; and so on.
/// @param directions  of all joints
void RateKinematics::solve(const Vec6& wanted, ToolDirections directions) {
  const Eigen::Index n = columns_.cols();
  clamped_.assign(static_cast<std::size_t>(n), 0);
  rates_ = pull_;
  Vec6 open = wanted;
  for (;;) {
    const Vec6 weights = directions.weights(open, columns_.lazyProduct(pull_));
    for (Eigen::Index k = 0; k < n; ++k)
      if (!clamped_[static_cast<std::size_t>(k)]) rates_[k] = pull_[k] + columns_.col(k).dot(weights);
    if (!clampWorst(open)) return;
    directions = ToolDirections(columns_);
  }
}

/// @return false: all are within their bounds
bool RateKinematics::clampWorst(Vec6& open) {
  Eigen::Index worst = -1;
  double most = 0;
  for (Eigen::Index k = 0; k < rates_.size(); ++k) {
    const double beyond = std::max(rates_[k] - upper_[k], lower_[k] - rates_[k]);
    if (clamped_[static_cast<std::size_t>(k)] || beyond <= most) continue;
    worst = k;
    most = beyond;
  }
  if (worst < 0) return false;
  rates_[worst] = std::clamp(rates_[worst], lower_[worst], upper_[worst]);
  open -= columns_.col(worst) * rates_[worst];
  columns_.col(worst).setZero();
  pull_[worst] = 0;
  clamped_[static_cast<std::size_t>(worst)] = 1;
  return true;
}

}  // namespace slipstick::multibody
