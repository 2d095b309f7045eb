// Where the time of a step goes: one table of its phases.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace slipstick {

struct MethodRows;  // engine/model/method_rows.h

/// Device: the substeps where they run on a device, as one.
enum class Phase : std::uint8_t { Control, Sort, Transfer, Contact, Device, Rigid, Snapshot, Count };
inline constexpr std::size_t kPhaseCount = static_cast<std::size_t>(Phase::Count);

/// Phases that a method may have of its own; they follow the shared ones.
inline constexpr std::size_t kOwnPhases = 4;
/// @param index  into MethodRows::phases
constexpr Phase ownPhase(std::size_t index) {
  return static_cast<Phase>(kPhaseCount + index);
}

struct PhaseInfo {
  std::string_view name;     ///< in files
  std::string_view word;     ///< in the window
  std::string_view meaning;  ///< what happens in it
};
/// One entry per shared phase, in the order of Phase.
extern const std::array<PhaseInfo, kPhaseCount> kPhaseInfo;

/// How many phases the steps of a method have. @param own  null: it adds none
std::size_t phaseCount(const MethodRows* own);
/// A phase's entry. Of a method's own phase that `own` does not have: one that says so.
const PhaseInfo& infoOf(Phase phase, const MethodRows* own = nullptr);

/// [s] by phase; those that a method does not have stay 0.
using PhaseTimes = std::array<double, kPhaseCount + kOwnPhases>;
inline double& at(PhaseTimes& times, Phase phase) {
  return times[static_cast<std::size_t>(phase)];
}

}  // namespace slipstick
