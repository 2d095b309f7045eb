// Grid boundaries as translucent hatched solids: walls and clamps that have no mass and press on nothing
// that is rigid.
#pragma once

#include <array>
#include <vector>

#include "render/frame.h"
#include "render/shader.h"

namespace slipstick::render {

class Boundaries {
 public:
  static Result<Boundaries> create();
  void update(const std::vector<BoundarySurface>& boundaries);
  /// Shading needs blending on and the depths of the scene; writes no depth then.
  void draw(Pass pass) const;
  void drawSelected(Pass pass) const;

 private:
  struct Slice {
    GLuint id = 0;
    int kind = 0;
    bool selected = false;
    float pitch = 0;
    GLint first = 0;
    GLsizei count = 0;
  };
  void draw(Pass pass, const Slice& slice) const;

  PassPrograms programs_;
  VertexArray array_;
  Buffer vertices_;
  std::vector<Slice> slices_;
};

}  // namespace slipstick::render
