// What a step did to soft bodies and what they gave to everything else, summed over its substeps.
#pragma once

#include <vector>

#include "engine/contact/solve_trace.h"
#include "engine/foundation/math.h"
#include "engine/model/contact.h"
#include "engine/model/snapshot.h"
#include "engine/model/soft_facts.h"

namespace slipstick {

/// A region that imposes its velocity on the grid, with the motion that it has during this step.
struct BoundaryMotion {
  int boundary = 0;  ///< into Model::boundaries
  Pose X_WS;
  Velocity V_WS;  ///< of the shape's origin
};

/// One (particle, geometry) pair that touched during the step, sums over its substeps.
struct TouchImpulse {
  int particle = 0;
  int geometry = 0;
  Vec3 impulse = Vec3::Zero();  ///< Σγ on the particle, W [N s]
  Vec3 point = Vec3::Zero();    ///< mean of x_p weighted by |γ| (plain mean if all are zero) [m]
  Vec3 normal = Vec3::UnitZ();  ///< mean over the substeps, weighted by γ_n (plain mean if all are zero), W
  double penetration = 0;       ///< at the last substep in contact [m]
  double slipSpeed = 0;         ///< |mean tangential velocity|, weighted as the normal [m/s]
  double frictionBound = 0;     ///< Σ μ n₀ [N s]
  /// By which the contact's spring is pressed where the step leaves it; 0 where it has let go [m].
  double springDepth = 0;
  /// Largest ratio of its depth to that of the shape's middle, where it has passed that: > 1; else 0 [-].
  double beyondMiddle = 0;
  double middle = 0;  ///< that depth [m]
  /// What made the normal force; nothing: the compliant law that the model has for the two.
  ForceLaw law = {};
};

/// Two soft bodies that touched during the step, or one that touched itself, sums over the substeps.
struct SoftTouchImpulse {
  int nodeA = 0, nodeB = 0;      ///< the first node of each side's element
  Vec3 impulse = Vec3::Zero();   ///< on side A, W [N s]
  Vec3 point = Vec3::Zero();     ///< where it acts, in the mean [m]
  Vec3 normal = Vec3::UnitZ();   ///< mean, from A towards B, W
  double gap = 0;                ///< at the last substep in contact; negative where they penetrate [m]
  double slipSpeed = 0;          ///< |mean tangential velocity| [m/s]
  double friction = 0;           ///< μ [-]
  bool isIndeterminate = false;  ///< see Contact
  ForceLaw law = {};
};

struct SoftOutcome {
  SoftFacts facts;                     ///< of the advanced particles
  std::vector<TouchImpulse> contacts;  ///< ordered by (geometry, particle)
  /// Of soft bodies with each other and themselves, where the method tells them (MethodRows::softContacts); ordered by nodes.
  std::vector<SoftTouchImpulse> softContacts;
  /// Impulse on each body about its origin at t_n, summed over substeps at each substep's contact positions
  /// [N s, N m s].
  std::vector<Wrench> wrenchImpulse;
  /// The part of them that no contact names: what solves left over, see ContactOutcome.
  std::vector<Wrench> remainderImpulse;
  /// Impulse on each Model boundary, summed over nodes and substeps [N s]; `boundaryMagnitude` is the sum of
  /// the nodes' absolute values over all of them.
  std::vector<Vec3> boundaryImpulse;
  double boundaryMagnitude = 0;
  Vec3 pullImpulse = Vec3::Zero();  ///< of people on the soft bodies [N s]
  StepReport report;     ///< substeps, iterations, health, phases Sort, Transfer, Contact or Device
  double potential = 0;  ///< ℓ_p of the last substep's solve [J]
  /// Of the last substep in which something touched, or the last that did not converge; empty where none was solved
  /// or what solves it keeps none.
  contact::SolveTrace contactSolve;

  /// Nothing has touched yet; keeps the memory.
  void reset(std::size_t bodies, std::size_t boundaries) {
    facts.deformables.clear();
    contacts.clear();
    softContacts.clear();
    wrenchImpulse.assign(bodies, {});
    remainderImpulse.assign(bodies, {});
    boundaryImpulse.assign(boundaries, Vec3::Zero());
    boundaryMagnitude = 0;
    pullImpulse.setZero();
    report = {};
    potential = 0;
    contactSolve.clear();
  }
};

}  // namespace slipstick
