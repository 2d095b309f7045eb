// The contact problem of one substep in device memory (engine/mpm/contact/contact_problem.h says what it means), and what the
// solve leaves behind. Filled by the kernels that find contacts, solved by those of contact_solve.h. Columns: component k
// of contact c stands at [k · contactCapacity + c], of node i at [k · nodeCapacity + i].
#pragma once

#include <cstdint>

namespace slipstick::gpu {

/// engine/mpm/node_bounds.h's NodeBound in floats.
struct DeviceBound {
  int kind;      ///< BoundaryKind
  int boundary;  ///< into Model::boundaries
  float normal[3];
  float velocity[3];  ///< [m/s]
  float friction;
};

/// How a solve went.
struct SolveReport {
  int contacts;  ///< of particles; friction of boundaries comes on top
  int nodes;
  int iterations;  ///< of all solves
  int lagSolves;
  int converged;
  float residual;
  double potential, potentialAtFreeMotion;  ///< ℓ [J]
};

/// How many contacts and nodes the problem has; on the device.
struct ContactCounts {
  int contacts;  ///< of particles, in order of (block, slot, geometry)
  int nodes;
  int boundaryContacts;  ///< friction of boundaries, behind the others; the solve finds them
  int overflow;          ///< more would have been needed than there is room for: the step will be done again
};

struct ContactView {
  ContactCounts* counts;
  int contactCapacity, nodeCapacity;
  float dt;                ///< δt [s]
  float stictionSpeed;     ///< v_s [m/s]
  float stictionSoftness;  ///< σ [-]

  // Contacts.
  float *normal, *vBody, *guess;                   ///< 3 columns each [-], [m/s], [N s]
  float *f0, *stiffness, *dissipation, *friction;  ///< [N], [N/m], [s/m], [-]
  float *n0, *epsilon;                             ///< [N s], [m/s]: epsilon is the solve's
  int* bound;                                      ///< −1: a particle; else a bound of node[0]
  int* node;                                       ///< 27 columns, x slowest; −1: takes no part
  float* weight;                                   ///< 9 columns: x0 x1 x2 y0 y1 y2 z0 z1 z2
  // Nodes.
  float *mass, *vStar;       ///< [kg]; 3 columns [m/s]
  int *firstBound, *bounds;  ///< per node: into boundList, and how many (at most kMaxNodeBounds)
  const DeviceBound* boundList;

  // Left behind by the solve.
  float* v;          ///< 3 columns, nodes [m/s]
  float *gamma, *u;  ///< 3 columns, contacts [N s], [m/s]
  SolveReport* report;
};

}  // namespace slipstick::gpu
