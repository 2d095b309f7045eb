// What makes the force of a contact, as files have it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/model/contact.h"

namespace slipstick {

/// 0 not told, 1 compliant, 2 barrier, 3 hard.
std::uint8_t lawCode(const ForceLaw& law);
/// "compliant", "barrier" or "hard"; empty where the method does not tell.
std::string_view lawName(const ForceLaw& law);
/// Of a compliant contact k [N/m] and d [s/m], of a barrier d̂ [m] and κ in the unit of the method; zeros of others.
std::array<double, 2> lawNumbers(const ForceLaw& law);
/// Nothing: no law has that code, or the numbers are not finite.
std::optional<ForceLaw> lawFrom(std::uint8_t code, const std::array<double, 2>& numbers);

}  // namespace slipstick
