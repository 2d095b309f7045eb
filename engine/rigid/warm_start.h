// What a solve of rigid constraints begins with: the impulses of the step before.
#pragma once

#include <memory>
#include <string_view>

#include "engine/foundation/math.h"
#include "engine/model/model.h"

namespace slipstick {

/// Among what a method remembers.
inline constexpr std::string_view kConstraintImpulses = "constraint impulses of the rigid solve";

/// Those of one model in the terms of another: a scalar constraint is known by its joint, kind and coordinate, a loop by its
/// name. What only the other model has begins with none.
VecX carriedImpulses(const std::shared_ptr<const Model>& from, const VecX& impulses,
                     const std::shared_ptr<const Model>& to);

}  // namespace slipstick
