// One kind of thing in a picture: bodies, particles, arrows. A renderer knows layers only; render/layers.cpp
// lists them.
#pragma once

#include <optional>

#include "engine/model/model.h"
#include "render/camera.h"
#include "render/frame.h"
#include "render/pick_id.h"
#include "render/selection.h"
#include "render/shader.h"
#include "render/view.h"

namespace slipstick::render {

/// The parts of a picture, in their order. Up to Transparent shaders write linear light, of any brightness,
/// and gl_ClipDistance[0] (shader_common.h); afterwards colours as a display wants them, blended.
enum class Stage {
  Shadow,       ///< Depth, from the key light: what keeps it from others
  Opaque,       ///< Depth, Shade, Id
  Transparent,  ///< Depth, then Shade blended, so that only the nearest surface shows; Id
  SeenThrough,  ///< Shade; Id, which counts only where nothing else is
  Outline,      ///< Depth, into a mask: what is selected, hidden or not
  Unpicked,     ///< Id: what one sees and does not point at, the floor
  Over,         ///< Shade, Id: on the finished scene, tested against its depth
  OnTop,        ///< Shade, Id: in front of all of it
};

/// All that a picture depends on.
struct Picture {
  const Model& model;
  const Frame& frame;
  const Camera& camera;
  const ViewOptions& options;
  const Selection& selection;
};

/// Which parts of a Picture: those a layer reads, or those that differ from the picture before. A new model
/// is all. Looks count as options, goals as ghosts.
struct Inputs {
  bool poses = false, soft = false, contact = false, boundaries = false, ghosts = false, trails = false;
  bool camera = false, options = false, selection = false;

  bool meets(const Inputs& other) const {
    return (poses && other.poses) || (soft && other.soft) || (contact && other.contact) ||
           (boundaries && other.boundaries) || (ghosts && other.ghosts) || (trails && other.trails) ||
           (camera && other.camera) || (options && other.options) || (selection && other.selection);
  }
};

class Layer {
 public:
  virtual ~Layer() = default;
  /// Before the first update() with this model.
  virtual void setModel(const Model&) {}
  virtual Inputs reads() const = 0;
  /// Uploads; called only when something that it reads has changed.
  virtual void update(const Picture& picture) = 0;
  /// Draws what it has in this part of the picture, if anything. Leaves the state as it found it.
  virtual void draw(Stage stage, Pass pass) const = 0;
  /// Around what casts shadows, in W [m].
  virtual Eigen::AlignedBox3f casters() const { return {}; }
  /// Whether it looks up the opaque scene behind it (shader_common.h).
  virtual bool refracts() const { return false; }
  /// What one points at with an id that it drew; none where the id is another layer's.
  virtual std::optional<Selection> selectionOf(const PickId&) const { return std::nullopt; }
};

}  // namespace slipstick::render
