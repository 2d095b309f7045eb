// The convex potentials that contact between rigid bodies may have.
#pragma once

namespace slipstick {

/// Equations in engine/contact/rigid_potentials.h.
enum class ContactPotentialName { Lagged, Similar, Sap };

}  // namespace slipstick
