// What a solved contact problem gives to bodies and boundaries, so that nothing of what the grid gained is
// missing.
//
// The grid receives the velocities v̂ of the last iterate, and contacts report γ(v̂), which obeys the law. A
// solve that stops at a tolerance leaves
//   r_i = m_i (v̂_i − v*_i) − (Jᵀγ)_i − (what bounds give to node i),
// which nearly cancel over a patch. Their total force and moment, per connected set of touched nodes, go to
// the bodies that touch the set, in shares of Σ|γ|: so linear and angular momentum are exact, however loosely
// the solve has converged.
#pragma once

#include <vector>

#include "engine/mpm/boundary_nodes.h"
#include "engine/mpm/contact/contact_problem.h"
#include "engine/mpm/step_account.h"

namespace slipstick::mpm {

/// A contact as detected, in W.
struct DetectedContact {
  int particle = 0;
  int geometry = 0;
  int body = 0;
  double penetration = 0;       ///< < 0: foreseen [m]
  Vec3 x = Vec3::Zero();        ///< of the particle [m]
  Vec3 normal = Vec3::UnitZ();  ///< outward, of the body
  Vec3 p_WB0 = Vec3::Zero();    ///< about which the body's wrench is taken [m]
  double middle = 0;            ///< see ContactSample
};

template <class Real>
class ContactOutcome {
 public:
  /// Enters contacts, boundary impulses and remainders of one solve in the account.
  /// @param detected  of the problem's first contacts; the others are friction of boundaries
  /// @param nodeAt  position of each of the problem's nodes [m]
  void enter(const ContactProblem<Real>& problem, const ContactSolution<Real>& solution,
             const std::vector<DetectedContact>& detected, const std::vector<Vec3>& nodeAt,
             StepAccount& account);

 private:
  /// Nodes that contacts connect.
  struct NodeSet {
    Wrench remainder;      ///< Σ r_i, about W's origin [N s, N m s]
    double magnitude = 0;  ///< Σ|γ| of its particles' contacts [N s]
    int contacts = 0;
  };

  void findSets(const ContactProblem<Real>& problem, std::size_t detected);
  int rootOf(int node);
  void sumImpulses(const ContactProblem<Real>& problem, const ContactSolution<Real>& solution);
  void sumRemainders(const ContactProblem<Real>& problem, const ContactSolution<Real>& solution,
                     const std::vector<Vec3>& nodeAt);
  void enterContacts(const ContactProblem<Real>& problem, const ContactSolution<Real>& solution,
                     const std::vector<DetectedContact>& detected, StepAccount& account);
  NodeSet& setOf(int node) {
    return sets_[static_cast<std::size_t>(setIndex_[static_cast<std::size_t>(node)])];
  }

  std::vector<Vec3> impulse_;  ///< per node: (Jᵀγ)_i [N s]
  std::vector<int> parent_;    ///< per node, of the disjoint-set forest
  std::vector<char> linked_;   ///< per node: the contacts around it have been connected
  std::vector<int> setIndex_;  ///< per node
  std::vector<NodeSet> sets_;
  std::vector<BoundaryImpulse> boundaries_;  ///< per Model boundary
  Vec3 gridGain_ = Vec3::Zero();             ///< Σ m_i (v̂_i − v*_i) [N s]
};

}  // namespace slipstick::mpm
