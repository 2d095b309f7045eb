// The one place where an impulse becomes a force that people see.
#pragma once

#include "engine/model/contact.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/model/soft_outcome.h"
#include "engine/rigid/rigid_step.h"

namespace slipstick {

/// A rigid contact slips from this share of its friction bound on. The regularised law reaches the bound only
/// in the limit of fast sliding: 0.99 of it is a slip speed of about 7 regularisation speeds ε.
inline constexpr double kSlipShare = 0.99;
/// A particle slips from so many stiction speeds v_s on, where the regularised law gives 0.95 of the bound
/// unless ε exceeds v_s.
inline constexpr double kSlipSpeeds = 3;

/// Force on the body, which is side a, averaged over the step: f_Bc_W = −Σγ/Δt; its bound μN; the law; and whether it sticks. A contact
/// without a bound (μ = 0, or only approached so far) holds nothing and counts as slipping.
/// @param dt  the rigid step Δt [s]
/// @param stictionSpeed  v_s [m/s]
Contact contactFrom(const TouchImpulse& sum, double dt, int body, int deformable, const ContactLaw& law,
                    double stictionSpeed);

/// The same of two soft bodies: the force on side a.
Contact contactFrom(const SoftTouchImpulse& sum, const Model& model, double dt);

/// Contacts of a whole step in the outcome's order: with shapes, then of soft bodies with each other.
void contactsFrom(const SoftOutcome& outcome, const Model& model, double dt, std::vector<Contact>& contacts);

/// Appends the rigid step's contacts in newtons and its pressure patches, and adds their forces to the wrenches of the
/// bodies. Where these are more than the contacts at their places, as of sums over substeps, the remainder gets the rest.
/// @param detail  Facts: without the patches
void addRigidContacts(const RigidStepOutput& step, const Model& model, double dt, Detail detail,
                      Snapshot& snapshot);

}  // namespace slipstick
