// Whether contact gave its bodies energy that nothing put in.
#pragma once

#include <array>
#include <vector>

#include "engine/model/audit_memory.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/step/method.h"

namespace slipstick {

/// One step, before it is accepted.
struct AuditedStep {
  const Model& model;
  const StepFrame& frame;
  const std::vector<Velocity>& after;  ///< at t_{n+1}, of the bodies' material at the frame's X_WB
  const StepOutcome& outcome;
  const SoftFacts* factsBefore = nullptr;  ///< null: no soft bodies
};

/// For every pair that touches, of a body and a deformable or of two bodies, the balance of the last steps:
///
///   gained = ΔE − what was put in,  E = kinetic + elastic + ½ k depth² of the contacts,
///
/// which dissipation makes negative. The side of a body is exact without what its joints and motors do: contact changes its
/// energy by P·(V_n + V_{n+1})/2, P the impulse of the step. The side of a deformable is its change of energy less the work
/// of gravity, of pulls, of moving boundaries and of all bodies on it, which it meets at V_n (async) or as they move
/// (strong, implicit). Deformables that share nodes count as one. Of a rigid pair P·(V_B − V_A) is what contact
/// gave, and what its springs held before, but for the depth that it came to touch with, what it may give.
///
/// A pair has gained energy when this exceeds, over some of the last kSteps steps that it touched in without a break,
///
///   kShare (E₀ + W⁺) + ½ m (|g| Δt)²,
///
/// E₀: what both had before the first of them, W⁺: what was put in since, m: their masses. The last term is what a body at
/// rest gains when its weight acts for one step before contact answers.
class EnergyAudit {
 public:
  static constexpr std::size_t kSteps = 5;
  static constexpr double kShare = 0.05;

  /// What the past is where nobody knows what contacts hold at a step's start, as all that overlaps at a start lets go what
  /// it holds: nothing is judged by such a step, but what comes after it is.
  static VecX unknownPast() { return VecX::Constant(1, -1); }
  /// Looks at a step and appends a note for each pair that gained energy.
  /// @param past  State::remembered(kAuditMemory) of the step: what it must know of those before
  void examine(const AuditedStep& step, VecX& past, std::vector<HealthNote>& notes);

 private:
  struct Soft {
    double energy = 0;       ///< at the step's start, with that of its contacts [J]
    double unexplained = 0;  ///< change of energy less what was put in [J]
    double input = 0;        ///< what was put in, where it is positive [J]
  };
  struct SoftPair {
    int body = 0, deformable = 0;
    bool began = false;  ///< to touch in this step, as far as is known
    double gained = 0;   ///< by the body, less what the deformable paid for it [J]
    double kinetic = 0;  ///< of the body at the step's start; negative: the step's past is not known [J]
    double held = 0;     ///< by its contacts at the step's end [J]
  };
  struct RigidPair {
    int a = 0, b = 0;
    double work = 0;     ///< of contact on both, see RigidContactResult [J]
    double kinetic = 0;  ///< of both at the step's start; negative: the step's past is not known [J]
    double held = 0;     ///< by its springs at the step's start; 0 where it has just come to touch [J]
  };
  struct Record {
    std::vector<Soft> soft;       ///< per deformable
    std::vector<double> contact;  ///< per deformable: energy of its contacts at the step's end [J]
    std::vector<SoftPair> softPairs;
    std::vector<RigidPair> rigidPairs;
    void clear();
  };

  template <class Pair>
  void makeRoom(std::vector<Pair> Record::*pairs);
  void load(const VecX& past, const Model& model);
  void store(VecX& past) const;
  void balanceSoft(const AuditedStep& step);
  void addContact(const AuditedStep& step, const TouchImpulse& contact);
  void addWorkOfMovedBodies(const AuditedStep& step);
  void balanceRigid(const AuditedStep& step);
  void findGroups(const AuditedStep& step);
  bool mayHaveGiven(const AuditedStep& step, const SoftPair& pair) const;
  void judgeSoft(const AuditedStep& step, const SoftPair& pair, std::vector<HealthNote>& notes) const;
  void judgeRigid(const AuditedStep& step, const RigidPair& pair, std::vector<HealthNote>& notes) const;
  SoftPair& softPair(const AuditedStep& step, int body, int deformable);
  RigidPair& rigidPair(const AuditedStep& step, int a, int b);
  const SoftPair* softPairOf(std::size_t record, const SoftPair& pair) const;
  const RigidPair* rigidPairOf(std::size_t record, const RigidPair& pair) const;
  double kineticEnergy(const AuditedStep& step, int body) const;

  std::array<Record, kSteps> records_;  ///< [0]: the present step
  std::size_t count_ = 0;               ///< records in use
  bool knowsPast_ = true;
  std::vector<int> group_;  ///< per deformable: the first one that it shares nodes with
};

}  // namespace slipstick
