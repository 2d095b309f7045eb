// The vertex stage of every pass over all pixels: one triangle, no buffers.
#pragma once

#include <string_view>

namespace slipstick::render {

inline constexpr std::string_view kFullScreenVertex = R"(
out vec2 uv;
void main() {
  uv = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
  gl_ClipDistance[0] = 1.0;
  gl_Position = vec4(uv * 2.0 - 1.0, 1.0, 1.0);
}
)";

}  // namespace slipstick::render
