// What an implicit step of grid and rigid bodies is given, and what comes of it. The method: implicit_solver.h.
#pragma once

#include <stop_token>
#include <vector>

#include "engine/contact/solve_trace.h"
#include "engine/mpm/contact/rigid_side.h"
#include "engine/mpm/implicit/elastic_grid.h"
#include "engine/mpm/implicit/implicit_contact.h"
#include "engine/numerics/nested_dissection.h"

namespace slipstick::mpm {

struct ImplicitProblem {
  double dt = 0;                              ///< Δt [s]
  std::vector<double> mass;                   ///< of the nodes [kg]
  std::vector<numerics::LatticePlace> place;  ///< of the nodes, in grid spacings
  VecX ballistic;                             ///< vⁿ + Δt g [m/s]
  Vec3 gravity = Vec3::Zero();                ///< [m/s²]
  ElasticGrid elastic;
  std::vector<ImplicitContact> contacts;
  RigidSide* rigid = nullptr;
  std::vector<int> bodies;  ///< of the rigid side, that contacts touch
  std::stop_token stop;     ///< ends both stages by Stopped
};

struct ImplicitSettings {
  double relativeTolerance = 1e-6;  ///< of both stages (Zong, VII)
  int maxIterations = 100;          ///< Newton steps of each
  /// Of a linear system, relative, where conjugate gradients solve it; a quadratic stage 1 is solved to the other one.
  double gradientTolerance = 0.02;
  /// Of what the grid resists at the end of stage 2, its difference from the impulses, relative to them.
  double tangentTolerance = 0.05;
  /// Multiplications up to which H is factorised.
  double mostWork = 1e11;
  /// Contact space is entered where a step in it takes up to so many factorisations: it needs fewer.
  double contactSpaceShare = 5;
  /// Steps there; where they do not converge, the grid takes over.
  int contactSpaceIterations = 100;
};

struct ImplicitSolution {
  VecX free, v;                ///< v* of the last tangents, and with contact [m/s]
  std::vector<Vec3> gamma, u;  ///< per contact: impulse on the grid [N s], relative velocity [m/s]
  VecX remainder;              ///< H (v − v*) − Jᵀγ [N s]
  int freeIterations = 0, contactIterations = 0;
  int corrections = 0;          ///< how often stage 2 was repeated
  int gradientIterations = 0;   ///< of all linear systems
  bool freeBySolve = false;     ///< a factor took over from conjugate gradients in stage 1, or for a later v*
  bool inContactSpace = false;  ///< stage 2 was solved there, to its end
  bool contactBySolve = false;  ///< or, and factors took over from conjugate gradients in it
  bool converged = true;
  bool factored = true;       ///< false: a linear system had no factor where it must have one
  double potential = 0;       ///< ℓ of stage 2 [J]
  contact::SolveTrace trace;  ///< of stage 2
};

}  // namespace slipstick::mpm
