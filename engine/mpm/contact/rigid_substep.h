// One substep of a strongly coupled step, as backends share it: where its rigid bodies enter and leave.
#pragma once

#include <vector>

#include "engine/mpm/contact/contact_outcome.h"
#include "engine/mpm/contact/contact_problem.h"
#include "engine/mpm/contact/rigid_side.h"
#include "engine/mpm/step_account.h"
#include "engine/mpm/step_geometry.h"

namespace slipstick::mpm {

/// Brings all geometries to where the rigid side has their bodies. @param onMoved  is told the index of each
template <class Real, class OnMoved>
void placeGeometries(const Model& model, const RigidSide& rigid, std::vector<StepGeometry<Real>>& geometries,
                     OnMoved&& onMoved) {
  for (StepGeometry<Real>& g : geometries) {
    const StepInput::BodyMotion& body = rigid.bodies()[static_cast<std::size_t>(g.body)];
    const auto i = static_cast<std::size_t>(g.index);
    g.X_WG = body.X_WB * model.geometries[i].X_BG;
    g.p_WB = body.X_WB.p;
    g.V_WB = body.V_WB;
    onMoved(i);
  }
}

/// Makes the velocities of bodies that move unknowns of the problem, where its first contacts are those detected.
template <class Real>
void coupleContacts(RigidSide& rigid, const std::vector<DetectedContact>& detected,
                    ContactProblem<Real>& problem);

/// Ends the rigid side's substep with what the account has entered for its bodies since the last one.
/// @param start  the bodies at t_n, about whose origins the account is kept
/// @param impulses  scratch
void endSubstep(RigidSide& rigid, const std::vector<StepInput::BodyMotion>& start, StepAccount& account,
                std::vector<Wrench>& impulses);

}  // namespace slipstick::mpm
