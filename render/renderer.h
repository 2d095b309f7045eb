// Draws frames with OpenGL 4.5 core into whatever framebuffer the caller names.
#pragma once

#include <memory>
#include <optional>

#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "render/camera.h"
#include "render/frame.h"
#include "render/quality.h"
#include "render/selection.h"
#include "render/view.h"

namespace slipstick::render {

/// Where to draw: an OpenGL framebuffer name (single-sampled) and its size in device pixels.
struct Target {
  unsigned framebuffer = 0;
  int width = 0, height = 0;
  double pixelRatio = 1;  ///< device pixels per logical pixel
};

/// A framebuffer with what is known of surfaces: PickIds in GL_R32UI at attachment 0; at attachment 1, in GL_RGBA32F, the unit
/// normal in W on the side of the eye and the distance along the view [m]; a depth buffer. Nothing there: zeros.
struct SurfaceTarget {
  unsigned framebuffer = 0;
  int width = 0, height = 0;
};

struct Picked {
  Selection selection;
  Vec3 p_W = Vec3::Zero();  ///< the surface point [m]
};

/// What can be picked: all that is selected by a click, or what a hand can hold, through the arrows of contacts.
enum class Pickable { All, Surfaces };

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
  /// What one sees of bodies, deformables and the floor, without anything over it: at the middle of each pixel.
  void drawSurfaces(const Frame& frame, const Camera& camera, const ViewOptions& options,
                    const SurfaceTarget& target);
  /// What lies under a pixel of the last drawn frame ([0,1]² from the top left).
  std::optional<Picked> pick(double u, double v, Pickable pickable = Pickable::All);

 private:
  Renderer();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipstick::render
