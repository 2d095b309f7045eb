// Composite rigid body algorithm (Featherstone 2008, Table 6.2).
#include <algorithm>

#include "engine/foundation/require.h"
#include "engine/multibody/dynamics.h"
#include "engine/multibody/kinematics.h"
#include "engine/multibody/spatial.h"

namespace slipstick::multibody {

/// Inertia of each body with everything beyond it, about the body's own origin.
void computeCompositeInertias(const Tree& tree, const std::vector<Pose>& X_WB, DynamicsWorkspace& workspace) {
  SIM_REQUIRE(X_WB.size() == tree.bodies.size(), X_WB.size());
  std::vector<Mat6>& composite = workspace.composite;
  composite.resize(tree.bodies.size());
  std::copy(workspace.inertia.begin() + 1, workspace.inertia.end(), composite.begin() + 1);
  for (std::size_t b = tree.bodies.size() - 1; b > 0; --b) {
    const auto parent = static_cast<std::size_t>(tree.parentOf(static_cast<int>(b)));
    if (parent > 0) composite[parent] += moveInertiaBack(composite[b], X_WB[b].p - X_WB[parent].p);
  }
}

void computeMassMatrix(const Tree& tree, const std::vector<Pose>& X_WB, MatX& M) {
  M.setZero(tree.nv, tree.nv);
  DynamicsWorkspace workspace;
  prepareDynamics(tree, X_WB, workspace);
  visitMassBlocks(tree, X_WB, workspace, [&](const Joint& row, const Joint& column, const MassBlock& block) {
    M.block(row.vStart, column.vStart, block.rows(), block.cols()) = block;
    M.block(column.vStart, row.vStart, block.cols(), block.rows()) = block.transpose();
  });
}

MechanicalTotals mechanicalTotals(const Tree& tree, const std::vector<Pose>& X_WB,
                                  const std::vector<Velocity>& V_WB, const Vec3& gravity) {
  MechanicalTotals totals;
  const auto moves = [&tree](int body) {
    for (; body > 0; body = tree.parentOf(body))
      if (velocityCount(tree.joints[static_cast<std::size_t>(body - 1)].type) > 0) return true;
    return false;
  };
  for (std::size_t b = 1; b < tree.bodies.size(); ++b) {
    if (!moves(static_cast<int>(b))) continue;
    const Body& body = tree.bodies[b];
    const Vec3 c = X_WB[b].R * body.com;
    const Vec3 p_Wcm = X_WB[b].p + c;
    const Vec3 momentum = body.mass * V_WB[b].at(c);
    const Vec3 spin = X_WB[b].R * (body.inertia * (X_WB[b].R.transpose() * V_WB[b].w));
    totals.kinetic += 0.5 * (momentum.dot(V_WB[b].at(c)) + V_WB[b].w.dot(spin));
    totals.potential -= body.mass * gravity.dot(p_Wcm);
    totals.momentum += momentum;
    totals.angularMomentum += p_Wcm.cross(momentum) + spin;
  }
  return totals;
}

}  // namespace slipstick::multibody
