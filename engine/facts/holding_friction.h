// "Which friction would hold it?": the coefficient from which on a pair that slides would stick.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "engine/facts/contact_pair.h"
#include "engine/model/snapshot.h"

namespace slipstick {

struct HoldingFriction {
  /// What friction could still take up, μN − T: Σ μN of the pair's contacts less |Σ friction| [N]
  double margin = 0;
  double marginPart = 0;                  ///< of μN [-]
  std::optional<double> holdingFriction;  ///< μ [-]
  std::string why;                        ///< it cannot be said; empty where it can
};

/// A pair of which nothing slips is held by what it uses, T / Σ|N|.
///
/// Where something slips, one of the sides must be an object of its own, a body that nothing else holds or a
/// deformable that keeps together, of mass m. To be carried along by the other side, which moves as it does,
/// it lacks the force ΔT = m (a_other − a_own): the acceleration of the other side's point where the object's
/// centre of mass is, for they would turn together, less that of the centre of mass, its part in the tangent
/// plane, shared among all pairs of the object in proportion to their normal forces. Where the other side is
/// an object too, and touches nothing else, m is the reduced mass of both. What holds it is
///   μ = |T + ΔT| / Σ|N|.
/// Normal forces are taken as they are; moments are left out. A pair that slides steadily is held by anything
/// above its present ratio T / Σ|N|. Where the answer is below the ratio, friction brakes the slip already:
/// it will stick once it has come to rest.
/// @param steps  of one model, with it and their contacts, oldest first; the last is the one asked about.
/// Accelerations are the mean from the first to the last, forces the mean of all but the first, which only
/// gives velocities.
HoldingFriction holdingFriction(std::span<const std::shared_ptr<const Snapshot>> steps,
                                const ContactPair& pair);

}  // namespace slipstick
