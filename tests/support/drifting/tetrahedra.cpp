#include "tests/support/drifting/tetrahedra.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "engine/model/step_failure.h"
#include "tests/support/drifting/tetrahedron.h"

namespace slipstick::drifting {
namespace {

constexpr const char* kAge = "age";
/// ω Δt at most: springs that a step cannot resolve act softer.
constexpr double kStiffest = 0.5;

/// Calls visit(node) for the nodes of one deformable.
template <class Visit>
void forNodes(const Deformable& d, const Visit& visit) {
  for (auto i = static_cast<std::size_t>(d.begin); i < static_cast<std::size_t>(d.end); ++i) visit(i);
}

/// A tetrahedron as one thing that moves.
struct Lump {
  double mass = 0;               ///< [kg]
  Vec3 velocity = Vec3::Zero();  ///< of its centre of mass [m/s]
};

Lump lumpOf(const Model& model, const Deformable& d, const SoftState& soft) {
  Lump lump;
  Vec3 momentum = Vec3::Zero();
  forNodes(d, [&](std::size_t i) {
    lump.mass += model.nodes.mass[i];
    momentum += model.nodes.mass[i] * soft.v[i];
  });
  lump.velocity = momentum / lump.mass;
  return lump;
}

/// All nodes alike get faster.
void accelerate(const Deformable& d, const Vec3& change, SoftState& soft) {
  forNodes(d, [&](std::size_t i) { soft.v[i] += change; });
}

double volumeOf(const Deformable& d, const SoftState& soft) {
  const Vec3* const x = soft.x.data() + d.begin;
  return std::abs((x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0])) / 6;
}

DeformableSums sumsOf(const Model& model, const Deformable& d, const SoftState& soft) {
  DeformableSums sums;
  forNodes(d, [&](std::size_t i) {
    const double mass = model.nodes.mass[i];
    const Vec3 &x = soft.x[i], &v = soft.v[i];
    sums.add({.mass = mass,
              .moment = mass * x,
              .momentum = mass * v,
              .angularMomentum = mass * x.cross(v),
              .kineticEnergy = 0.5 * mass * v.squaredNorm(),
              .lower = x,
              .upper = x,
              .maxSpeed = v.norm()});
  });
  sums.volume = volumeOf(d, soft);
  return sums;
}

/// The nodes of two deformables that are nearest to each other.
struct NearestNodes {
  std::size_t a = 0, b = 0;
  double distance = std::numeric_limits<double>::infinity();  ///< [m]
};

NearestNodes nearestNodes(const Deformable& first, const Deformable& second, const SoftState& soft) {
  NearestNodes nearest;
  forNodes(first, [&](std::size_t a) {
    forNodes(second, [&](std::size_t b) {
      const double distance = (soft.x[b] - soft.x[a]).norm();
      if (distance < nearest.distance) nearest = {a, b, distance};
    });
  });
  return nearest;
}

/// Of the springs of both in a row [N/m].
double stiffnessOf(const Deformable& a, const Deformable& b) {
  const auto of = [](const Deformable& d) {
    return dynamic_cast<const Tetrahedron&>(*d.discretization).stiffness();
  };
  return of(a) * of(b) / (of(a) + of(b));
}

void pull(const Model& model, const Pull& pull, double dt, SoftState& soft, SoftOutcome& outcome) {
  const auto node = static_cast<std::size_t>(pull.particle);
  const Deformable& d = model.deformables[model.deformableOf(node)];
  const Lump lump = lumpOf(model, d, soft);
  const double omega = std::min(pull.naturalFrequency, kStiffest / dt);
  const Vec3 change = dt * omega * (omega * (pull.goal_W - soft.x[node]) - 2 * lump.velocity);
  accelerate(d, change, soft);
  outcome.pullImpulse += lump.mass * change;
}

/// The push of two that are within reach, which both get.
void touch(const Model& model, const Deformable& a, const Deformable& b, double reach, SoftState& soft,
           SoftOutcome& outcome) {
  const NearestNodes nearest = nearestNodes(a, b, soft);
  if (nearest.distance >= reach) return;
  const Lump first = lumpOf(model, a, soft), second = lumpOf(model, b, soft);
  const double dt = model.time.dt, mass = first.mass * second.mass / (first.mass + second.mass);
  const double stiffness = std::min(stiffnessOf(a, b), mass * std::pow(kStiffest / dt, 2));
  const Vec3 &xA = soft.x[nearest.a], &xB = soft.x[nearest.b];
  const Vec3 normal = nearest.distance > 0 ? Vec3((xB - xA) / nearest.distance) : Vec3(Vec3::UnitZ());
  const Vec3 impulse = -dt * stiffness * (reach - nearest.distance) * normal;
  accelerate(a, impulse / first.mass, soft);
  accelerate(b, -impulse / second.mass, soft);
  const Vec3 apart = second.velocity - first.velocity;
  outcome.softContacts.push_back({.nodeA = a.begin,
                                  .nodeB = b.begin,
                                  .impulse = impulse,
                                  .point = 0.5 * (xA + xB),
                                  .normal = normal,
                                  .gap = nearest.distance,
                                  .slipSpeed = (apart - apart.dot(normal) * normal).norm(),
                                  .law = BarrierLaw{reach, stiffness}});
}

/// Calls visit(a, b) for each two deformables, in the order of their nodes.
template <class Visit>
void forPairs(const Model& model, const Visit& visit) {
  const std::vector<Deformable>& all = model.deformables;
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = a + 1; b < all.size(); ++b) visit(all[a], all[b]);
}

}  // namespace

SoftState tetrahedraAtStart(const Model& model) {
  SoftState soft;
  soft.x = model.nodes.x;
  soft.v = model.nodes.v;
  soft.fields = {{{kAge, 1, 1, "s", "time since the node started"}, std::vector<double>(soft.x.size(), 0)}};
  return soft;
}

void checkState(const Model& model, const SoftState& soft) {
  const NodeField* const age = soft.find(kAge);
  if (age != nullptr && soft.x.size() == model.nodeCount() && age->values.size() == soft.x.size()) return;
  throw StepFailure({ErrorCode::Unsupported, "this state was not made by a method with tetrahedra",
                     "its field '" + std::string(kAge) + "'", "choose the method that made it"});
}

SoftFacts factsOf(const Model& model, const SoftState& soft) {
  SoftFacts facts;
  for (const Deformable& d : model.deformables) facts.deformables.push_back(sumsOf(model, d, soft));
  facts.hash = hashOf(soft);
  return facts;
}

void lookAt(const SoftState& soft, SoftView& view) {
  const std::size_t count = soft.x.size();
  view.x.resize(count);
  view.speed.resize(count);
  for (auto* values : {&view.stress, &view.pressure, &view.plasticStrain}) values->assign(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    view.x[i] = soft.x[i].cast<float>();
    view.speed[i] = static_cast<float>(soft.v[i].norm());
  }
}

double nearestDistance(const Model& model, const SoftState& soft) {
  double nearest = std::numeric_limits<double>::infinity();
  forPairs(model, [&](const Deformable& a, const Deformable& b) {
    nearest = std::min(nearest, nearestNodes(a, b, soft).distance);
  });
  return std::isfinite(nearest) ? nearest : 0;
}

void moveTetrahedra(const Model& model, const StepFrame& frame, double reach, SoftState& soft,
                    SoftOutcome& outcome) {
  const double dt = model.time.dt;
  for (const Pull& one : frame.pulls) pull(model, one, dt, soft, outcome);
  forPairs(model,
           [&](const Deformable& a, const Deformable& b) { touch(model, a, b, reach, soft, outcome); });
  for (std::size_t i = 0; i < soft.x.size(); ++i) {
    soft.x[i] += dt * soft.v[i];
    soft.fields[0].values[i] += dt;
  }
  outcome.facts = factsOf(model, soft);
}

}  // namespace slipstick::drifting
