#include "engine/model/phase.h"

#include "engine/model/method_rows.h"

namespace slipstick {

const std::array<PhaseInfo, kPhaseCount> kPhaseInfo = {{
    {"control", "controllers", "commands, paths and inverse kinematics"},
    {"sort", "sorting", "particles into blocks of the grid"},
    {"transfer", "particles ↔ grid", "stress, to the grid, back from it"},
    {"contact", "contact solves", "which particles touch what, and the convex problem of each substep"},
    {"device", "device", "all substeps, on a device"},
    {"rigid", "rigid solve", "collision, joints and contacts of rigid bodies"},
    {"snapshot", "snapshot", "facts and pictures of the finished step"},
}};

std::size_t phaseCount(const MethodRows* own) {
  return kPhaseCount + (own != nullptr ? own->phases.size() : 0);
}

const PhaseInfo& infoOf(Phase phase, const MethodRows* own) {
  static constexpr PhaseInfo kUnknown = {"own", "another phase",
                                         "a phase of a method that is not known here"};
  const auto index = static_cast<std::size_t>(phase);
  if (index < kPhaseCount) return kPhaseInfo[index];
  return index < phaseCount(own) ? own->phases[index - kPhaseCount] : kUnknown;
}

}  // namespace slipstick
