#include "render/contact_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "render/contact_arrows.h"
#include "render/contact_facts.h"

namespace slipstick::render {
namespace {

constexpr double kTiny = 1e-12;  // [N]

/// Of the cells [side]: a lattice that lies around the origin has no particle where two cells meet.
constexpr double kOffset = 0.23;

/// The smallest of 1, 2, 3, 4, 6, 8, 12 … units that is not below `size`.
double sideOf(double size, double unit) {
  double side = unit;
  for (bool third = false; side < size; third = !third) side *= third ? 1.5 : side > unit ? 4.0 / 3 : 2;
  return side;
}

/// Geometry, −1 of a deformable, cell, and which of the six directions the normal is nearest to.
using Key = std::tuple<int, std::array<int, 3>, int>;

int directionOf(const Vec3& normal) {
  Eigen::Index axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  return static_cast<int>(2 * axis) + (normal[axis] < 0 ? 1 : 0);
}

Key keyOf(const FrameInput& input, const Contact& c, double side) {
  const Pose X_GW = frameOf(*input.model, *input.snapshot, c.a).inverse();
  const Vec3 p_G = X_GW * c.p_WC;
  std::array<int, 3> cell{};
  for (int k = 0; k < 3; ++k)
    cell[static_cast<std::size_t>(k)] = static_cast<int>(std::floor(p_G[k] / side + kOffset));
  return {c.a.geometry, cell, directionOf(X_GW.R * c.normal_W)};
}

void add(const Contact& c, int index, double sign, PointCluster& cluster) {
  const Vec3 friction = sign * c.frictionForce(), force = sign * c.f_Bc_W;
  const double weight = force.norm() + kTiny;
  cluster.contacts.push_back(index);
  cluster.center += weight * c.p_WC;
  cluster.outward += weight * sign * c.normal_W;
  cluster.normal += force - friction;
  cluster.friction += friction;
  cluster.normalSum += std::max(c.normalForce(), 0.0);
  cluster.bound += c.frictionBound;
  (c.mode == ContactMode::Slip ? cluster.slipping : cluster.sticking) += friction.norm();
}

/// The sum becomes a mean.
void finish(const std::vector<Contact>& contacts, PointCluster& cluster) {
  double weights = 0;
  for (const int i : cluster.contacts) weights += contacts[static_cast<std::size_t>(i)].f_Bc_W.norm() + kTiny;
  cluster.center /= weights;
  if (cluster.contacts.size() == 1)
    cluster.center = contacts[static_cast<std::size_t>(cluster.contacts.front())].p_WC;
}

}  // namespace

double clusterSide(const FrameInput& input, const PairForce& force) {
  const double unit = force.pair.isRigid() ? 1e-3 : particleSpacing(*input.model, force.pair);
  const double size = kClusterPixels * metresPerPixel(input, force.centerOfPressure);
  const auto before = std::find_if(input.clusterSides.begin(), input.clusterSides.end(),
                                   [&force](const ClusterSide& kept) { return kept.pair == force.pair; });
  if (before != input.clusterSides.end() && before->side >= sideOf(size / (1 + kClusterSlack), unit) &&
      before->side <= sideOf(size * (1 + kClusterSlack), unit))
    return before->side;
  return sideOf(size, unit);
}

std::vector<PointCluster> pointClusters(const FrameInput& input, const PairForce& force, double side) {
  const std::vector<Contact>& contacts = input.snapshot->contacts;
  const auto* selected = std::get_if<ContactKey>(&input.selection);
  std::map<Key, PointCluster> cells;
  std::vector<PointCluster> clusters;
  for (const int i : force.contacts) {
    const Contact& c = contacts[static_cast<std::size_t>(i)];
    const double sign = signOn(force.side, c);
    if (selected && *selected == c.key()) {
      PointCluster own;
      own.selected = true;
      add(c, i, sign, own);
      clusters.push_back(std::move(own));
    } else {
      add(c, i, sign, cells[keyOf(input, c, side)]);
    }
  }
  for (auto& [key, cluster] : cells) clusters.push_back(std::move(cluster));
  for (PointCluster& cluster : clusters) finish(contacts, cluster);
  return clusters;
}

}  // namespace slipstick::render
