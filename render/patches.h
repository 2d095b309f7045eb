// Footprints: surfaces coloured by what presses on them, seen through what presses.
#pragma once

#include <vector>

#include "render/frame.h"
#include "render/shader.h"

namespace slipstick::render {

class Patches {
 public:
  static Result<Patches> create();
  /// Sorts the surfaces from far to near. @param eye  of the camera, in W [m]
  void update(const std::vector<PatchSurface>& patches, const Eigen::Vector3f& eye, const Tokens& tokens);
  /// Needs blending on and the depths of the scene; writes no depth. Where more than its reach hides it, a
  /// surface is only hinted at, so that a pile of things stays readable.
  void draw() const;

 private:
  struct Slice {
    int firstVertex = 0, vertices = 0, firstEdge = 0, edges = 0;
    float reach = 0;
    bool selected = false, fades = false, oneSided = false;
    ColorMap map = ColorMap::Ember;
  };
  void drawSurface(const Slice& slice, float opacity) const;
  void drawOutline(const Slice& slice) const;

  struct Edge {
    Eigen::Vector4f from, to;
  };

  Program surface_, line_;
  Texture map_;
  VertexArray surfaceArray_, lineArray_;
  Buffer vertices_, edges_;
  std::vector<Slice> slices_;
  Eigen::Vector4f rim_, selectedRim_;  ///< sRGB and opacity
};

}  // namespace slipstick::render
