// Under which name a state keeps what the audit of steps must know of those before.
#pragma once

#include <string_view>

namespace slipstick {

/// In State::memory. States that differ in it alone move alike: no hash counts it.
inline constexpr std::string_view kAuditMemory = "energy audit";

}  // namespace slipstick
