// Sums over the substeps of one step: what every contact and every body received, and how the solves went.
#pragma once

#include <vector>

#include "engine/mpm/backend.h"
#include "engine/mpm/boundary_nodes.h"
#include "engine/mpm/key_index.h"

namespace slipstick::mpm {

/// One contact of one substep.
struct ContactSample {
  int particle = 0;
  int geometry = 0;
  Vec3 gamma = Vec3::Zero();  ///< impulse on the particle, W [N s]
  Vec3 point = Vec3::Zero();  ///< x_p^k [m]
  Vec3 normal = Vec3::UnitZ();
  double penetration = 0;    ///< [m]
  Vec3 slip = Vec3::Zero();  ///< tangential relative velocity [m/s]
  double frictionBound = 0;  ///< μ n₀ [N s]
  double springDepth = 0;    ///< at the substep's end [m]
  double middle = 0;         ///< depth of the shape's middle, where the particle has passed it; else 0 [m]
};

struct SolveSample {
  int contacts = 0;
  int iterations = 0;
  bool converged = true;
  bool factored = true;  ///< false: a linear system could not be factored
  double potential = 0;  ///< ℓ_p [J]
  /// What the grid really received, Σ m_i (v_i − v*_i), without what boundaries gave [N s].
  Vec3 gridImpulse = Vec3::Zero();
  const contact::SolveTrace* trace = nullptr;  ///< null where it is not known
};

class StepAccount {
 public:
  void begin(std::size_t bodies, std::size_t boundaries);
  /// Adds it to its pair and to its body. @param arm  x_p^k − p_WB at t_n [m]
  void addContact(const ContactSample& sample, int body, const Vec3& arm);
  /// What a body gets from contacts. @param magnitude  Σ|γ| [N s]
  void addToBody(int body, const Wrench& impulse, double magnitude);
  /// @param impulse  a body's part of what a solve left over, see ContactOutcome
  void addRemainder(int body, const Wrench& impulse);
  /// @param size  |total remainder| of one connected set of nodes, or the sum over several [N s]
  void addRemainderSize(double size) { remainderSize_ += size; }
  void addSolve(const SolveSample& sample);
  /// A substep in which nothing touches.
  void addFreeSubstep() {
    last_ = {};
    ++substeps_;
  }
  std::size_t boundaries() const { return boundaries_.size(); }
  /// @param impulses  of one substep, per boundary
  void addBoundaries(const std::vector<BoundaryImpulse>& impulses);
  /// What each body has received since the last call, or since begin(), remainders with it, about its origin at t_n.
  void takeImpulses(std::vector<Wrench>& impulses);
  /// Writes contacts, wrenches, potential and the report's contact entries.
  void finish(SoftOutcome& result) const;

 private:
  struct Sum {
    TouchImpulse sum;
    double weight = 0;        ///< Σ|γ|
    double normalWeight = 0;  ///< Σγ_n
    Vec3 weightedNormal = Vec3::Zero(), plainNormal = Vec3::Zero();
    Vec3 weightedSlip = Vec3::Zero(), plainSlip = Vec3::Zero();
    Vec3 weightedPoint = Vec3::Zero();
    Vec3 plainPoint = Vec3::Zero();
    int count = 0;
    int substep = 0;  ///< the last one that it touched in
  };

  KeyIndex pairs_;  ///< (geometry, particle) → index into sums_
  std::vector<Sum> sums_;
  std::vector<Wrench> wrenches_;    ///< per body, without …
  std::vector<Wrench> remainders_;  ///< … the remainders
  std::vector<Wrench> handedOver_;  ///< of both together, by takeImpulses()
  std::vector<BoundaryImpulse> boundaries_;
  void keep(const contact::SolveTrace& trace);

  SolveSample last_;
  contact::SolveTrace trace_;  ///< as SoftOutcome::contactSolve
  int substeps_ = 0;
  long iterations_ = 0;
  int solves_ = 0, iterationsMax_ = 0, notConverged_ = 0;
  bool factored_ = true;
  Vec3 given_ = Vec3::Zero(), taken_ = Vec3::Zero();  ///< to bodies, from particles [N s]
  double magnitude_ = 0;                              ///< Σ|γ| [N s]
  double remainderSize_ = 0;                          ///< [N s]
};

}  // namespace slipstick::mpm
