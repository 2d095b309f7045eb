// When a contact solver does what: the numbers that ContactSolver and its form on devices share.
#pragma once

#include <cstddef>
#include <type_traits>

namespace slipstick::mpm {

/// Of one node only the first so many bounds count.
inline constexpr std::size_t kMaxNodeBounds = 6;
/// Of contacts that have friction only [N/m].
inline constexpr double kNoStiffness = 1e-20;

/// With at most this many contacts the dense Newton system in contact space is worth solving.
inline constexpr int kMaxNewtonContacts = 64;
/// Iterations after which a first-order solver that has not converged goes on with Newton steps, contacts
/// permitting.
inline constexpr int kFirstOrderPatience = 100;
/// With more contacts, first-order solvers go on with Newton steps by conjugate gradients after so many iterations:
/// rounding may hide the little that majorised steps gain, and a line search sees the slope.
inline constexpr int kLateNewtonPatience = 200;
/// The same of a strongly coupled solve, with few and with many contacts: light bodies make majorised steps slow.
inline constexpr int kStrongPatience = 20, kLateStrongPatience = 60;
/// Iterations of conjugate gradients, a gather and a scatter each, in all Newton steps of a solve together: what
/// bounds its work.
inline constexpr int kMaxGradientIterations = 4000;
inline constexpr int kActiveSetPasses = 10;       ///< of one Newton step; two or three are the rule
inline constexpr double kNewtonTolerance = 0.05;  ///< of Newton steps by conjugate gradients, relative
/// Iterations of the first of them; twice as many after one that needs all.
inline constexpr int kFirstGradientRoom = 50;

/// Iterations after which J v is recomputed, not updated.
inline constexpr int kRefreshPeriod = 32;
/// How far the normal majorant may be enlarged after steps that did not lower ℓ.
inline constexpr double kMaxBoost = 1 << 30;
/// ℓ may rise by so many roundings of its terms in a step that counts as lowering it.
inline constexpr double kEnergyRoundings = 8;
/// A projection that changes a velocity by more roundings than this has moved it.
inline constexpr double kMovedRoundings = 16;
/// Added to the diagonal of Anderson's Gram matrix, relative.
template <class Real>
inline constexpr double kAndersonRegularization = std::is_same_v<Real, float> ? 1e-6 : 1e-12;

/// Friction bounds that are wrong by less than this, relative to their sum, are left alone.
inline constexpr double kLagTolerance = 1e-2;
/// A bound matters where friction comes to this share of it.
inline constexpr double kNearBound = 0.9;

}  // namespace slipstick::mpm
