// Draws frames with OpenGL 4.5 core into whatever framebuffer the caller names.
#pragma once

#include <memory>
#include <optional>

#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "render/camera.h"
#include "render/frame.h"
#include "render/quality.h"
#include "render/view.h"

namespace slipstick::render {

/// Where to draw: an OpenGL framebuffer name (single-sampled) and its size in device pixels.
struct Target {
  unsigned framebuffer = 0;
  int width = 0, height = 0;
  double pixelRatio = 1;  ///< device pixels per logical pixel
};

struct Picked {
  Selection selection;
  Vec3 p_W = Vec3::Zero();  ///< the surface point [m]
};

/// One per OpenGL context; every call needs that context current.
class Renderer {
 public:
  /// Fails with DeviceFailure where the context is older than 4.5 or a shader does not compile.
  static Result<std::unique_ptr<Renderer>> create();
  ~Renderer();

  void setModel(std::shared_ptr<const Model> model);
  /// From now on; the full one at the start.
  void setQuality(const Quality& quality);
  /// All layers, lit; multisampled. What has not changed since the last picture is not uploaded again; parts
  /// of frames are told apart by their address.
  void draw(const Frame& frame, const Camera& camera, const ViewOptions& options, const Selection& selection,
            const Target& target);
  /// What lies under a pixel of the last drawn frame ([0,1]² from the top left).
  std::optional<Picked> pick(double u, double v);

 private:
  Renderer();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipstick::render
