// The way of a run through its branches, for runs that step beside it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/runtime/branch_tree.h"

namespace slipstick {

/// Steps of a way that are one branch's own: from the first one up to where the next leg begins.
struct WayLeg {
  BranchId branch = 0;
  std::uint64_t begin = 0;
  bool operator==(const WayLeg&) const = default;
};

/// From the start of a run to one of its branches, oldest first. Ids are not given again: it stays true when a branch is
/// deleted.
using Way = std::vector<WayLeg>;

/// The leg whose own a step is; of none before the first.
inline const WayLeg& legWith(const Way& way, std::uint64_t step) {
  const auto later =
      std::find_if(way.begin() + 1, way.end(), [step](const WayLeg& l) { return l.begin > step; });
  return *(later - 1);
}

/// The last step that two ways have in common; none: they have different starts.
/// @param lastA, lastB  as far as each has come
inline std::optional<std::uint64_t> commonStep(const Way& a, std::uint64_t lastA, const Way& b,
                                               std::uint64_t lastB) {
  const auto [inA, inB] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (inA == a.begin()) return std::nullopt;
  const std::uint64_t endA = inA == a.end() ? lastA : inA->begin - 1;
  const std::uint64_t endB = inB == b.end() ? lastB : inB->begin - 1;
  return std::min(endA, endB);
}

}  // namespace slipstick
