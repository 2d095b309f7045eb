// What the contact solver keeps from problem to problem. Its algorithm is in contact_solver.cpp.
#pragma once

#include <optional>

#include "engine/mpm/contact/anderson.h"
#include "engine/mpm/contact/bounded_nodes.h"
#include "engine/mpm/contact/conjugate_gradients.h"
#include "engine/mpm/contact/contact_layout.h"
#include "engine/mpm/contact/contact_newton.h"
#include "engine/mpm/contact/contact_problem.h"
#include "engine/mpm/kernels/contact_arrays.h"
#include "engine/mpm/thread_team.h"

namespace slipstick::mpm {

/// A node velocity field with what the contacts make of it.
template <class Real>
struct Iterate {
  Quads<Real> v;             // [m/s]
  Columns3<Real> u;          // J v − v_body
  double energy = 0;         // ℓ
  double size = 0;           // sum of the absolute values of ℓ's terms: what rounding is measured by
  RigidSide::Iterate rigid;  // of a strongly coupled problem
};

/// Sums over one chunk of nodes.
struct NodeSums {
  ResidualSums residual;
  AndersonProducts products;
};

template <class Real>
struct ContactSolver<Real>::Workspace {
  Workspace(ThreadTeam* threads, const ContactLoops<Real>& kernels) : everybody(threads), loops(kernels) {}

  ThreadTeam* everybody;
  ThreadTeam* team = nullptr;  // who shares this problem; null: the caller alone
  const ContactLoops<Real>& loops;
  ContactProblem<Real>* problem = nullptr;
  ContactLayout<Real> layout;
  ContactArrays<Real> arrays{};  // of the layout
  std::size_t nodes = 0;
  Iterate<Real> now, plain, accelerated;
  Iterate<Real> freeMotion;  // v*, or the allowed velocities nearest to it
  // The solve begins with what contacts did a substep ago. It takes a step however small its residual is: where momentum is
  // large against impulses, the stop test would else accept the same old impulses again and again.
  bool startIsOld = false;

  // Of the contacts, where they were linearised last: at `now` when an iteration begins …
  Columns3<Real> gamma, slip;
  AlignedVector<Real> tangential, normal, stickFraction, rows;
  std::optional<RowKind> linearized;  // nothing: `now` has changed since
  // … and of the nodes: Jᵀγ and blocks (RowField), the gradient, and the step.
  AlignedVector<Real> nodeRows;
  Quads<Real> gradient, step;
  AlignedVector<Real> found;
  Quads<Real> contactQuads, nodeQuads;  // one vector each, for what does not come in rows
  Columns3<Real> stepU;
  double residual = 0, scale = 0;

  Anderson<Real> anderson{loops};
  ContactSpaceNewton<Real> newton;
  ConjugateGradients<Quads<Real>> gradients;
  std::vector<Mat3> inverseBlocks;          // per node, of the block diagonal of M + JᵀGJ
  Quads<Real> remainder;                    // of the Newton system
  int gradientRoom = 0, gradientsLeft = 0;  // iterations: of the next step, and of the rest of the solve
  BoundedNodes<Real> bounded;
  std::vector<char> moved;  // per node: a projection has changed it

  // Of a strongly coupled problem, per body that it touches …
  std::vector<RigidSide::Load> loads;
  RigidSide::Residual rigidResidual;
  VecX rigidChange, rigidMomentum;  // of the last majorised step
  VecX rigidStep;                   // of the last Newton step …
  std::vector<Velocity> bodySteps;  // … and what it does to the bodies
  std::vector<Wrench> wrenches;
  std::vector<multibody::Mat6> mobility;  // [body · bodies + other]
  // … and per chunk of contacts and body.
  std::vector<RigidSide::Load> chunkLoads;
  bool curvatureWanted = false;  // of the next linearisation, in loads

  // Per chunk; summed up in order.
  std::vector<EnergySums> contactSums;
  std::vector<double> kineticSums;
  std::vector<NodeSums> nodeSums;

  struct ChunkName {
    bool ofNodes;
    std::size_t index;
  };
  std::vector<ChunkName> chunkOrder;  // of share()

  Real boost = 1;  // enlarges the normal majorant after a plain step that did not lower ℓ

  void begin(ContactProblem<Real>& p);
  void tryGuess();
  void restart();
  Real normalImpulseOf(std::size_t contact) const;
  bool correctFrictionBounds();
  void orderChunks();
  void beginRigid();
  void guessRigid();
  void placeBodies(const Iterate<Real>& at);
  void loadBodies(const ContactChunk& chunk, RigidSide::Load* out);
  void sumLoads();
  void respondRigid(bool withGradient);
  void coupleBodies();
  void subtractBodySteps(std::size_t chunk);
  void findRigidResidual();
  void followNodes();
  AndersonProducts pushRigid();
  bool rigidConverged(const ContactSolverSettings& settings) const;
  void projectCombined(std::size_t chunk, Quads<Real>& v);
  [[nodiscard]] bool solveNewton();
  void curve(const Quads<Real>& v, bool withRigidGradient = false);
  V3<Real> curved(std::size_t contact, const V3<Real>& u) const;
  void invertBlocks();
  void solveNewtonByGradients();
  void takeGuardedNewtonStep();
  template <class F>
  void forEach(std::size_t count, const F& f) const;
  template <class OnContacts, class OnNodes>
  void share(const OnContacts& onContacts, const OnNodes& onNodes) const;
  std::size_t nodeChunks() const { return (layout.paddedNodes + kNodeChunk - 1) / kNodeChunk; }
  int endOfChunk(std::size_t chunk) const {
    return static_cast<int>(std::min(layout.paddedNodes, (chunk + 1) * kNodeChunk));
  }
  void gatherChunk(const ContactChunk& chunk, const Quads<Real>& v, const char* moved, Columns3<Real>& u,
                   bool subtractBody) const;
  void gather(const Quads<Real>& v, Columns3<Real>& u, bool subtractBody) const;
  void scatter(const Quads<Real>& values, Quads<Real>& v) const;
  void kineticOfChunk(std::size_t chunk, const Quads<Real>& v);
  void sumEnergy(Iterate<Real>& at) const;
  void evaluateEnergy(Iterate<Real>& at);
  void linearizeChunk(std::size_t index, const Columns3<Real>& u, RowKind kind);
  void linearize(Iterate<Real>& at, RowKind kind);
  void stepNodes(RowKind kind, bool majorized);
  void stepChunk(std::size_t chunk, RowKind kind, bool majorized);
  bool combine();
  V3<Real> impulseOn(std::size_t node) const;
  std::array<Real, 6> blockOf(std::size_t node) const;
  [[nodiscard]] bool newtonStep();
  void gatherStep();
  double exactLineSearch() const;
  void takeLineSearchStep(int iteration);
  void takeMajorizedStep();
  int firstNewtonIteration(ContactSolverName solver) const;
  void iterate(const ContactSolverSettings& settings, ContactSolution<Real>& solution);
  void report(const ContactSolverSettings& settings, ContactSolution<Real>& solution);
};

}  // namespace slipstick::mpm
