// What a step may report about itself: one table with the flags, their words, and what each means for the step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slipstick {

struct MethodRows;  // engine/model/method_rows.h

/// Health flags of a step; kHealthInfo says what to do about each. Recordings keep the bits, so that methods have theirs
/// apart: see ownFlag().
enum class Health : std::uint32_t {
  NotConverged = 1u << 0,       ///< a contact or rigid solve hit its iteration cap
  NonFinite = 1u << 1,          ///< NaN or infinity in the state: the step was refused
  CflExceeded = 1u << 2,        ///< a given N breaks the elastic or advection condition
  ParticlesOutside = 1u << 3,   ///< particles beyond ±10⁴ grid cells: the grid cannot hold them
  ActuatorSaturated = 1u << 4,  ///< an actuator ran at its effort limit (information, not a failure)
  IkFailed = 1u << 5,           ///< an end-effector goal could not be reached
  EnergyGained = 1u << 6,       ///< contact gave bodies energy that nothing put in
  FastBody = 1u << 7,           ///< something moves further in a step than the thinnest part in its way
  TooThin = 1u << 8,       ///< particles are deeper than half of a shape: they may come out on its other side
  FactorFailed = 1u << 9,  ///< a linear system could not be factored
};
using HealthFlags = std::uint32_t;
constexpr bool has(HealthFlags flags, Health flag) {
  return (flags & static_cast<std::uint32_t>(flag)) != 0;
}
constexpr void raise(HealthFlags& flags, Health flag) {
  flags |= static_cast<std::uint32_t>(flag);
}

/// Flags that a method may have of its own.
inline constexpr std::size_t kOwnFlags = 8;
/// A method's own flag, whose step counts. @param index  into MethodRows::flags
constexpr Health ownFlag(std::size_t index) {
  return static_cast<Health>(1u << (16 + index));
}
/// A method's own flag, whose step is refused.
constexpr Health ownRefusal(std::size_t index) {
  return static_cast<Health>(1u << (24 + index));
}

/// What a flag says about the step that raised it, from harmless to worst.
enum class Severity : std::uint8_t {
  Information,  ///< the step is what the scene asks for
  Warning,      ///< the step is sound, but not all that the scene asks for was reached
  Failure,      ///< the step's numbers are in doubt
  Refusal,      ///< the step was refused: the state is still the one before it
};

struct HealthInfo {
  Health flag;
  std::string_view name;    ///< in files
  std::string_view word;    ///< in the window
  std::string_view what;    ///< what happened
  std::string_view remedy;  ///< what to do
  Severity severity = Severity::Failure;

  std::string line() const;  ///< what happened, and what to do
  bool isInformation() const { return severity == Severity::Information; }
};
inline constexpr std::size_t kHealthCount = 10;
/// One entry per flag, in bit order.
extern const std::array<HealthInfo, kHealthCount> kHealthInfo;

/// Lists of all flags have the shared ones first, in bit order, and then a place for each of a method's own.
inline constexpr std::size_t kHealthPlaces = kHealthCount + kOwnFlags;
/// The flag at a place; of a method's own both kinds, of which has() finds either.
Health flagAt(std::size_t place);
/// The entry at a place. @param own  of the method that made the step. Of a flag that it does not have: an entry that says so
const HealthInfo& infoAt(std::size_t place, const MethodRows* own);
/// A single flag's entry.
const HealthInfo& infoOf(Health flag, const MethodRows* own = nullptr);
/// The entries of all flags that are raised, by their places.
std::vector<const HealthInfo*> raisedIn(HealthFlags flags, const MethodRows* own);

/// All flags of this severity or a worse one. Of a method's own flags that `own` does not have, those whose steps count are
/// failures, and the others refusals.
HealthFlags flagsFrom(Severity least, const MethodRows* own = nullptr);

/// Whether a step with these flags was refused: the state is still the one before it.
bool refused(HealthFlags flags);

/// What raised a flag, where it is known.
struct HealthNote {
  Health flag = Health::NotConverged;
  std::int32_t body = -1;        ///< that gains energy, is too fast, or is too thin
  std::int32_t other = -1;       ///< the body that it touches or comes to, −1: none
  std::int32_t deformable = -1;  ///< likewise
  double value = 0;              ///< energy gained [J], way in a step [m], depth [m]
  double limit = 0;              ///< what value may be
  bool operator==(const HealthNote&) const = default;
};

}  // namespace slipstick
