#include "engine/model/pair_force.h"

#include <algorithm>
#include <map>
#include <optional>

namespace slipstick {

namespace {

/// Sums contacts in two passes: the moment is about the centre that the first one finds.
class PairSum {
 public:
  explicit PairSum(const ContactPair& pair) { sum_.pair = pair; }

  void add(const Contact& c) {
    const double sign = signOn(sum_.pair.body, c), normal = std::abs(c.normalForce());
    const Vec3 friction = c.frictionForce();
    sum_.force += sign * c.f_Bc_W;
    sum_.friction += sign * friction;
    sum_.normal += sign * (c.f_Bc_W - friction);
    sum_.normalSum += normal;
    sum_.frictionBound += c.frictionBound;
    (c.mode == ContactMode::Slip ? sum_.slipping : sum_.sticking) += friction.norm();
    sum_.slipSpeed += normal * c.slipSpeed;
    sum_.slippingContacts += c.mode == ContactMode::Slip ? 1 : 0;
    ++sum_.contacts;
    weightedPlace_ += normal * c.p_WC;
    plainPlace_ += c.p_WC;
  }

  void placeCenter() {
    if (sum_.contacts == 0) return;
    const bool pressed = sum_.normalSum > 0;
    sum_.centerOfPressure =
        pressed ? Vec3(weightedPlace_ / sum_.normalSum) : Vec3(plainPlace_ / sum_.contacts);
    sum_.slipSpeed = pressed ? sum_.slipSpeed / sum_.normalSum : 0;
  }

  void addMoment(const Contact& c) {
    sum_.moment += (c.p_WC - sum_.centerOfPressure).cross(signOn(sum_.pair.body, c) * c.f_Bc_W);
  }

  const PairForce& sum() const { return sum_; }

 private:
  PairForce sum_;
  Vec3 weightedPlace_ = Vec3::Zero(), plainPlace_ = Vec3::Zero();
};

}  // namespace

std::vector<PairForce> pairForces(const Model& model, const std::vector<Contact>& contacts) {
  std::map<ContactPair, PairSum> sums;
  for (const Contact& c : contacts) {
    const ContactPair pair = pairOf(model, c);
    sums.try_emplace(pair, pair).first->second.add(c);
  }
  for (auto& [pair, sum] : sums) sum.placeCenter();
  for (const Contact& c : contacts) sums.at(pairOf(model, c)).addMoment(c);
  std::vector<PairForce> forces;
  for (const auto& [pair, sum] : sums) forces.push_back(sum.sum());
  std::stable_sort(forces.begin(), forces.end(), [](const PairForce& a, const PairForce& b) {
    return a.force.squaredNorm() > b.force.squaredNorm();
  });
  return forces;
}

PairForce pairForce(const Model& model, const std::vector<Contact>& contacts, const ContactPair& pair) {
  PairSum sum(pair);
  for (const Contact& c : contacts)
    if (pairOf(model, c) == pair) sum.add(c);
  sum.placeCenter();
  for (const Contact& c : contacts)
    if (pairOf(model, c) == pair) sum.addMoment(c);
  return sum.sum();
}

}  // namespace slipstick
