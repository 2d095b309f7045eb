// Markers on bodies: axes of joints and centres of mass, as large on screen whatever the distance.
#pragma once

#include "render/arrows.h"
#include "render/layer.h"
#include "render/particles.h"

namespace slipstick::render {

/// One arrow per movable axis.
class JointAxes final : public Layer {
 public:
  static Result<JointAxes> create();
  Inputs reads() const override { return {.poses = true, .camera = true, .options = true}; }
  void update(const Picture& picture) override;
  void draw(Stage stage, Pass pass) const override;

 private:
  Arrows arrows_;
  bool any_ = false;
};

/// A sphere each.
class CentersOfMass final : public Layer {
 public:
  static Result<CentersOfMass> create();
  Inputs reads() const override { return {.poses = true, .camera = true, .options = true}; }
  void update(const Picture& picture) override;
  void draw(Stage stage, Pass pass) const override;

 private:
  Spheres spheres_;
  SphereRange range_;  ///< all of them
};

}  // namespace slipstick::render
