// Numbers in the id buffer: what a pixel shows.
#pragma once

#include <cstdint>

namespace slipstick::render {

enum class PickKind : std::uint32_t { Nothing, Body, Particle, Arrow, Boundary, Ground };

struct PickId {
  PickKind kind = PickKind::Nothing;
  std::uint32_t index = 0;  ///< body, particle, boundary, or index into Frame::arrows; of the ground 0

  std::uint32_t encode() const { return static_cast<std::uint32_t>(kind) << 29 | index; }
  static PickId decode(std::uint32_t code) { return {static_cast<PickKind>(code >> 29), code & 0x1FFFFFFFu}; }
};

}  // namespace slipstick::render
