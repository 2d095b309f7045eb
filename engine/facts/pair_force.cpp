#include "engine/facts/pair_force.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>

namespace slipstick {

namespace {

/// Where less than this part of the normals is left in their sum, they point every way [-].
constexpr double kOneDirection = 1e-3;

PairForce sumOf(const ContactPair& pair, std::vector<int> members, const std::vector<Contact>& contacts) {
  PairForce sum;
  sum.pair = pair;
  sum.side = pair.a;
  // Contacts without force count where nothing presses: the centre is then the mean of their places.
  Vec3 places = Vec3::Zero(), pressedPlaces = Vec3::Zero(), normals = Vec3::Zero();
  Eigen::AlignedBox3d box;
  for (const int i : members) {
    const Contact& c = contacts[static_cast<std::size_t>(i)];
    const double sign = signOn(pair.a, c), normal = std::abs(c.normalForce());
    const Vec3 friction = c.frictionForce();
    sum.force += sign * c.f_Bc_W;
    sum.friction += sign * friction;
    sum.normal += sign * (c.f_Bc_W - friction);
    sum.normalSum += normal;
    sum.frictionBound += c.frictionBound;
    (c.mode == ContactMode::Slip ? sum.slipping : sum.sticking) += friction.norm();
    sum.slipSpeed += normal * c.slipSpeed;
    sum.touching += c.mode != ContactMode::Open ? 1 : 0;
    sum.slippingContacts += c.mode == ContactMode::Slip ? 1 : 0;
    places += c.p_WC;
    pressedPlaces += normal * c.p_WC;
    normals += normal * sign * c.normal_W;
    box.extend(c.p_WC);
  }
  sum.contacts = std::move(members);
  if (sum.contacts.empty()) return sum;
  const bool pressed = sum.normalSum > 0;
  sum.centerOfPressure =
      pressed ? Vec3(pressedPlaces / sum.normalSum) : Vec3(places / static_cast<double>(sum.contacts.size()));
  sum.slipSpeed = pressed ? sum.slipSpeed / sum.normalSum : 0;
  if (normals.norm() > kOneDirection * sum.normalSum) sum.outward = normals.normalized();
  sum.extent = box.diagonal().norm();
  for (const int i : sum.contacts) {
    const Contact& c = contacts[static_cast<std::size_t>(i)];
    sum.moment += (c.p_WC - sum.centerOfPressure).cross(signOn(pair.a, c) * c.f_Bc_W);
  }
  return sum;
}

}  // namespace

PairForce PairForce::onOther() const {
  PairForce other = *this;
  other.side = side == pair.a ? pair.b : pair.a;
  for (Vec3* v : {&other.force, &other.normal, &other.friction, &other.moment, &other.outward}) *v = -*v;
  return other;
}

std::vector<PairForce> pairForces(const Model& model, const std::vector<Contact>& contacts) {
  std::map<ContactPair, std::vector<int>> members;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    members[pairOf(model, contacts[i])].push_back(static_cast<int>(i));
  std::vector<PairForce> forces;
  for (auto& [pair, own] : members) forces.push_back(sumOf(pair, std::move(own), contacts));
  std::stable_sort(forces.begin(), forces.end(), [](const PairForce& a, const PairForce& b) {
    return a.force.squaredNorm() > b.force.squaredNorm();
  });
  return forces;
}

PairForce pairForce(const Model& model, const std::vector<Contact>& contacts, const ContactPair& pair) {
  std::vector<int> members;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (pairOf(model, contacts[i]) == pair) members.push_back(static_cast<int>(i));
  return sumOf(pair, std::move(members), contacts);
}

}  // namespace slipstick
