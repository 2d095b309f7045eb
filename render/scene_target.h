// Where a scene is drawn: linear light of any brightness, multisampled; then one pass to what a display
// shows; then what lies over the scene, in the display's colours and against the scene's depth.
#pragma once

#include <array>

#include "render/shader.h"

namespace slipstick::render {

class SceneTarget {
 public:
  static Result<SceneTarget> create();
  /// @param samples  per pixel; at most as many as the driver has
  void resize(int width, int height, int samples);
  /// Binds and clears it.
  void begin() const;
  /// Makes every sample opaque that has something in front of the far plane.
  void coverDrawn(const VertexArray& empty) const;
  /// Resolves light and depth so far, to be looked up by what is seen through (shader_common.h).
  void resolveBehind();
  /// Tone curve and sRGB curve, per sample before they are averaged: a bright sample at a silhouette weighs
  /// no more than a white one. Without a background colours come out multiplied by their opacity. Binds what displayed colours are drawn into, with the scene's depth.
  void toDisplay(const VertexArray& empty) const;
  /// Binds it again.
  void bindDisplay() const;
  /// Into a framebuffer of this size; where that is another than its own it must have one sample.
  void resolveTo(unsigned framebuffer, int width, int height) const;

 private:
  int width_ = 0, height_ = 0, samples_ = 0, mostSamples_ = 1;
  Program postOne_, postMany_, cover_;
  Texture light_, depth_, display_;
  Framebuffer scene_, shown_;
  Texture behindLight_, behindDepth_;  ///< made when first needed
  Framebuffer behind_;
};

}  // namespace slipstick::render
