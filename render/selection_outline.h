// A line around what is selected, also where other things hide it.
#pragma once

#include "render/palette.h"
#include "render/shader.h"

namespace slipstick::render {

class SelectionOutline {
 public:
  static Result<SelectionOutline> create();
  void resize(int width, int height);
  /// Binds and clears the mask; draw the selected things with Pass::Depth next.
  void begin() const;
  /// Draws the line around the mask into the bound framebuffer.
  void draw(const VertexArray& empty, Hex color) const;

 private:
  int width_ = 0, height_ = 0;
  Program program_;
  Texture mask_;
  Framebuffer framebuffer_;
};

}  // namespace slipstick::render
