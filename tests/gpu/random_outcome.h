// Solved contact problems of a step's substeps, made up: two patches, one without impulses, and friction of boundaries.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <random>
#include <vector>

#include "engine/lanes/eigen_lanes.h"
#include "engine/mpm/contact/contact_outcome.h"

namespace slipstick::gpu::testing {

using Place = std::array<int, 3>;  ///< of a grid node

struct RandomSubstep {
  mpm::ContactProblem<float> problem;
  mpm::ContactSolution<float> solution;
  std::vector<mpm::DetectedContact> detected;
  std::vector<std::array<float, 9>> factors;  ///< of the weights of these contacts
  std::vector<Place> places;                  ///< of the nodes
  std::vector<Vec3> nodeAt;                   ///< [m]
  std::deque<std::vector<mpm::NodeBound>> bounds;
};

/// Pairs begin and end within the step, and in the third substep nothing touches.
class RandomStep {
 public:
  static constexpr int kSubsteps = 5, kGeometries = 4, kBodies = 4, kBoundaries = 3;
  static constexpr double kSpacing = 0.02;
  static constexpr std::array<int, kGeometries> kBodyOf = {0, 1, 1, 3};

  /// @param particles  of each patch
  explicit RandomStep(bool bounded, int particles = 12, unsigned seed = 1)
      : random_(seed), particles_(particles), bounded_(bounded) {
    for (Vec3& origin : origins_) origin = vector(0.3);
    for (int k = 0; k < kSubsteps; ++k) make(k);
  }

  int particles() const { return kPatches * particles_; }
  const std::array<Vec3, kBodies>& origins() const { return origins_; }
  const std::deque<RandomSubstep>& substeps() const { return substeps_; }

 private:
  static constexpr int kPatches = 3, kWithoutImpulse = 2, kStill = 2;

  double number() { return std::uniform_real_distribution<double>(-1, 1)(random_); }
  Vec3 vector(double size) { return size * Vec3(number(), number(), number()); }
  lanes::V3<float> floats(double size) {
    return {float(size * number()), float(size * number()), float(size * number())};
  }
  /// A unit vector of floats. Computed in floats: GCC 12 leaves out what rounds two doubles to floats and back.
  Vec3 direction() {
    const lanes::V3<float> v = floats(1);
    return lanes::toEigen((1 / lanes::sqrt(dot(v, v))) * v);
  }
  /// The first patch is a heap, the others are chains, of which each knows but its neighbours.
  Place baseOf(int particle) {
    const int patch = particle / particles_, i = particle % particles_;
    if (patch == 0) return {i % 4, i / 4 % 3, i % 3};
    return {2 * i, 50 * patch, 0};
  }

  void make(int k) {
    RandomSubstep& s = substeps_.emplace_back();
    s.problem.dt = 1e-3f, s.problem.stictionSpeed = 1e-3f, s.problem.stictionSoftness = 1e-3f;
    if (k == kStill) return;
    std::vector<std::pair<int, int>> pairs;
    for (int p = 0; p < particles(); ++p)
      for (int g = 0; g < kGeometries; ++g)
        if ((p + g) % 2 == 0 && (p + g / 2 + k) % 4 != 0) pairs.emplace_back(p, g);
    const std::map<Place, int> nodes = makeNodes(s, pairs);
    for (const auto& [particle, geometry] : pairs) makeContact(s, particle, geometry, nodes);
    if (bounded_) makeBounds(s);
    for (std::size_t c = s.solution.gamma.size(); c < s.problem.contacts.size(); ++c) {
      s.solution.gamma.push_back(floats(1e-3));
      s.solution.u.push_back(floats(0.1));
    }
    s.solution.iterations = 3 + k;
    s.solution.converged = k != 1;
    s.solution.potential = float(0.1 * k);
  }

  /// In any order; some of a contact's nodes, never its middle one, have no mass.
  std::map<Place, int> makeNodes(RandomSubstep& s, const std::vector<std::pair<int, int>>& pairs) {
    std::map<Place, bool> touched;
    for (const auto& [particle, geometry] : pairs) {
      const Place base = baseOf(particle);
      for (int n = 0; n < 27; ++n)
        touched[{base[0] + n / 9, base[1] + n / 3 % 3, base[2] + n % 3}] |= n == 13 || number() > -0.6;
    }
    for (const auto& [place, massive] : touched)
      if (massive) s.places.push_back(place);
    std::shuffle(s.places.begin(), s.places.end(), random_);
    std::map<Place, int> numbers;
    for (const Place& place : s.places) {
      numbers[place] = int(numbers.size());
      s.nodeAt.push_back(kSpacing * Vec3(place[0], place[1], place[2]));
      s.problem.mass.push_back(float(2e-3 + 1e-3 * number()));
      s.problem.vStar.push_back(floats(1));
      s.solution.v.push_back(floats(1));
    }
    return numbers;
  }

  void makeContact(RandomSubstep& s, int particle, int geometry, const std::map<Place, int>& nodes) {
    const Place base = baseOf(particle);
    mpm::ContactPoint<float> point{};
    point.friction = float(0.5 + 0.4 * number());
    point.n0 = float(1e-3 + 1e-3 * number());
    std::array<float, 9>& factors = s.factors.emplace_back();
    for (float& factor : factors) factor = float(0.4 + 0.3 * number());
    const auto at = [&](int n) {
      return nodes.find({base[0] + n / 9, base[1] + n / 3 % 3, base[2] + n % 3});
    };
    for (int n = 0; n < 27; ++n) {
      const auto i = static_cast<std::size_t>(n);
      const bool there = at(n) != nodes.end();
      point.node[i] = there ? at(n)->second : at(13)->second;
      point.weight[i] = there ? factors[i / 9] * factors[3 + i / 3 % 3] * factors[6 + i % 3] : 0;
    }
    s.problem.contacts.push_back(point);
    const bool none = particle / particles_ == kWithoutImpulse || particle % 5 == 3;
    s.solution.gamma.push_back(floats(none ? 0 : 1e-3));
    s.solution.u.push_back(floats(0.1));
    const auto body = static_cast<std::size_t>(kBodyOf[static_cast<std::size_t>(geometry)]);
    const Vec3 normal = direction();
    s.detected.push_back({particle, geometry, int(body), double(float(1e-3 + 1e-4 * number())),
                          kSpacing * (Vec3(base[0], base[1], base[2]) + Vec3::Ones()) + vector(kSpacing),
                          normal, origins_[body],
                          double(particle % 3 == 0 ? float(8e-4 + 5e-4 * number()) : 0)});
  }

  void makeBounds(RandomSubstep& s) {
    const mpm::NodeBound held{BoundaryKind::Sticky, 0, Vec3::UnitZ(), direction(), 0},
        floor{BoundaryKind::Separate, 1, Vec3(0.1, 0.2, 1).normalized(), direction(), 0.25},
        wall{BoundaryKind::Slip, 2, Vec3(1, 0.3, 0).normalized(), direction(), 0.5};
    for (const Place& place : s.places) {
      std::vector<mpm::NodeBound>& bounds = s.bounds.emplace_back();
      if (place[0] == 2) bounds.push_back(held);
      if (place[2] == 1) bounds.push_back(floor);
      if (place[0] == 5 || place[0] == 1) bounds.push_back(wall);
      s.problem.bounds.emplace_back(bounds);
    }
    mpm::addBoundaryFriction(s.problem);
  }

  std::mt19937 random_;
  int particles_;
  bool bounded_;
  std::array<Vec3, kBodies> origins_;
  std::deque<RandomSubstep> substeps_;
};

}  // namespace slipstick::gpu::testing
