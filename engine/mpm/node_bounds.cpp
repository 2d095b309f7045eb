#include "engine/mpm/node_bounds.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace slipstick::mpm {
namespace {

/// Two normals this close to dependent (squared sine of the angle between them) say the same.
constexpr double kIndependent = 1e-8;
/// A half-space broken by less than this share of the speeds is met.
constexpr double kMet = 1e-10;

/// The part of a unit normal across the directions that a projector spans; zero if it says nothing new.
Vec3 partAcross(const Mat3& spanned, const Vec3& normal) {
  const Vec3 rest = normal - spanned * normal;
  return rest.squaredNorm() > kIndependent ? Vec3(rest.normalized()) : Vec3::Zero();
}

/// Up to three bounds of one node, with independent normals, that hold with equality.
struct ActiveSet {
  std::array<std::size_t, 3> bound{};
  int count = 0;
  Mat3 spanned = Mat3::Zero();  ///< projector on their normals

  /// @return false: the normal depends on those of the set, which stays as it is
  bool add(std::size_t k, const Vec3& normal) {
    const Vec3 across = partAcross(spanned, normal);
    if (count == 3 || across.isZero(0)) return false;
    bound[static_cast<std::size_t>(count++)] = k;
    spanned += across * across.transpose();
    return true;
  }
};

using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;

/// The bounds of one node, of which none is sticky.
class Planes {
 public:
  Planes(const Vec3& a, NodeBounds bounds, const Mat3& inverseMetric)
      : a_(a), bounds_(bounds), inverseMetric_(inverseMetric) {
    double speed = a.norm();
    for (const NodeBound& b : bounds) speed = std::max(speed, std::abs(b.normal.dot(b.velocity)));
    tolerance_ = kMet * speed;
  }

  /// The KKT conditions hold for exactly one set of active bounds: try them all, the smallest first.
  AllowedVelocity nearest() {
    ActiveSet equalities;
    for (std::size_t k = 0; k < bounds_.size(); ++k)
      if (bounds_[k].kind == BoundaryKind::Slip) equalities.add(k, bounds_[k].normal);
    slips_ = equalities.count;
    leastBroken_ = std::numeric_limits<double>::infinity();
    best_.v = a_;
    for (int more = 0; more <= 3 - slips_; ++more)
      if (search(equalities, 0, more)) break;
    return best_;
  }

 private:
  /// Tries a set with every choice of `more` further half-spaces from index `first` on. @return whether one
  /// of them is the answer
  bool search(const ActiveSet& set, std::size_t first, int more) {
    if (more == 0) return tryActive(set);
    for (std::size_t k = first; k < bounds_.size(); ++k) {
      ActiveSet larger = set;
      if (bounds_[k].kind != BoundaryKind::Separate || !larger.add(k, bounds_[k].normal)) continue;
      if (search(larger, k + 1, more - 1)) return true;
    }
    return false;
  }

  /// v = a + H⁻¹ N c with Nᵀ (v − velocity) = 0. Keeps it as the best so far if it breaks least.
  bool tryActive(const ActiveSet& set) {
    SmallMatrix gram(set.count, set.count);
    SmallVector c(set.count);
    for (int i = 0; i < set.count; ++i) {
      const NodeBound& b = boundOf(set, i);
      c[i] = -gapOf(b, a_);
      for (int j = 0; j < set.count; ++j) gram(i, j) = b.normal.dot(inverseMetric_ * boundOf(set, j).normal);
    }
    if (set.count > 0) c = gram.llt().solve(c).eval();
    AllowedVelocity candidate;
    candidate.v = a_;
    bool pulls = false;
    for (int i = 0; i < set.count; ++i) {
      const std::size_t k = set.bound[static_cast<std::size_t>(i)];
      candidate.active[k] = true;
      candidate.push[k] = c[i] * (inverseMetric_ * bounds_[k].normal);
      candidate.v += candidate.push[k];
      pulls |= i >= slips_ && c[i] < 0;
    }
    const double broken = worstBreach(candidate.v);
    if (broken < leastBroken_ && !pulls) {
      leastBroken_ = broken;
      best_ = candidate;
    }
    return broken <= tolerance_ && !pulls;
  }

  double worstBreach(const Vec3& v) const {
    double worst = 0;
    for (const NodeBound& b : bounds_)
      if (b.kind == BoundaryKind::Separate) worst = std::max(worst, -gapOf(b, v));
    return worst;
  }

  const NodeBound& boundOf(const ActiveSet& set, int i) const {
    return bounds_[set.bound[static_cast<std::size_t>(i)]];
  }

  Vec3 a_;
  NodeBounds bounds_;
  const Mat3& inverseMetric_;
  double tolerance_ = 0;
  int slips_ = 0;
  double leastBroken_ = 0;
  AllowedVelocity best_;
};

}  // namespace

AllowedVelocity nearestAllowed(const Vec3& a, NodeBounds bounds, const Mat3& inverseMetric) {
  bounds = bounds.first(std::min(bounds.size(), kMaxNodeBounds));
  AllowedVelocity result;
  for (std::size_t k = 0; k < bounds.size(); ++k) {
    if (bounds[k].kind != BoundaryKind::Sticky) continue;
    result.v = bounds[k].velocity;
    result.push[k] = result.v - a;
    result.active[k] = true;
    return result;
  }
  if (bounds.size() > 1) return Planes(a, bounds, inverseMetric).nearest();
  result.v = a;
  if (bounds.empty() || allows(bounds[0], a)) return result;
  result.push[0] = pushOf(bounds[0], a, inverseMetric);
  result.v += result.push[0];
  result.active[0] = true;
  return result;
}

Vec3 pushOf(const NodeBound& bound, const Vec3& a, const Mat3& inverseMetric) {
  if (bound.kind == BoundaryKind::Sticky) return bound.velocity - a;
  const Vec3 direction = inverseMetric * bound.normal;
  return -gapOf(bound, a) / bound.normal.dot(direction) * direction;
}

Mat3 fixedDirections(NodeBounds bounds, const std::array<bool, kMaxNodeBounds>& active) {
  Mat3 fixed = Mat3::Zero();
  for (std::size_t k = 0; k < std::min(bounds.size(), kMaxNodeBounds); ++k) {
    if (!active[k]) continue;
    if (bounds[k].kind == BoundaryKind::Sticky) return Mat3::Identity();
    const Vec3 across = partAcross(fixed, bounds[k].normal);
    fixed += across * across.transpose();
  }
  return fixed;
}

}  // namespace slipstick::mpm
