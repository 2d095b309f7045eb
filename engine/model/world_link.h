// The link that a file's own world becomes.
#pragma once

namespace slipstick {

/// A root link of this name is no part of a mechanism: it is the world that a file brings (<worldbody> of MJCF), with the
/// ground and the furniture that are fixed to it. What hangs from it meets it like any other thing, and each that does
/// is a mechanism of its own.
inline constexpr const char* kWorldLink = "worldbody";

}  // namespace slipstick
