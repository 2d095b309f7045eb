#include "render/pair_forces.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>

namespace slipstick::render {
namespace {

constexpr double kTiny = 1e-12;  // [N], the weight of a contact without force

PairForce sumOf(const ContactPair& pair, std::vector<int> members, const std::vector<Contact>& contacts) {
  PairForce sum;
  sum.pair = pair;
  sum.body = pair.body;
  Eigen::AlignedBox3d box;
  Vec3 outward = Vec3::Zero(), weightedPoints = Vec3::Zero();
  double weights = 0;
  for (const int i : members) {
    const Contact& c = contacts[static_cast<std::size_t>(i)];
    const double sign = signOn(pair.body, c), n = std::max(c.normalForce(), 0.0) + kTiny;
    const Vec3 friction = sign * c.frictionForce();
    sum.normal += sign * c.f_Bc_W - friction;
    sum.friction += friction;
    sum.normalSum += std::max(c.normalForce(), 0.0);
    sum.bound += c.frictionBound;
    (c.mode == ContactMode::Slip ? sum.slipping : sum.sticking) += friction.norm();
    sum.touching += c.mode != ContactMode::Open;
    sum.slippingContacts += c.mode == ContactMode::Slip;
    sum.slipSpeed += n * c.slipSpeed;
    sum.depth = std::max(sum.depth, c.penetration);
    weightedPoints += n * c.p_WC;
    outward += n * sign * c.normal_W;
    weights += n;
    box.extend(c.p_WC);
  }
  sum.center = weightedPoints / weights;
  sum.slipSpeed /= weights;
  for (const int i : members) {
    const Contact& c = contacts[static_cast<std::size_t>(i)];
    sum.moment += (c.p_WC - sum.center).cross(signOn(pair.body, c) * c.f_Bc_W);
  }
  if (outward.norm() > 1e-3 * weights) sum.outward = outward.normalized();
  sum.extent = box.diagonal().norm();
  sum.contacts = std::move(members);
  return sum;
}

}  // namespace

PairForce PairForce::turned(int other) const {
  PairForce turned = *this;
  turned.body = other;
  for (Vec3* v : {&turned.normal, &turned.friction, &turned.moment, &turned.outward}) *v = -*v;
  return turned;
}

std::vector<PairForce> pairForces(const Model& model, const Snapshot& snapshot) {
  std::map<ContactPair, std::vector<int>> members;
  for (std::size_t i = 0; i < snapshot.contacts.size(); ++i)
    members[pairOf(model, snapshot.contacts[i])].push_back(static_cast<int>(i));
  std::vector<PairForce> forces;
  for (auto& [pair, contacts] : members)
    forces.push_back(sumOf(pair, std::move(contacts), snapshot.contacts));
  std::stable_sort(forces.begin(), forces.end(), [](const PairForce& a, const PairForce& b) {
    return a.force().squaredNorm() > b.force().squaredNorm();
  });
  return forces;
}

}  // namespace slipstick::render
