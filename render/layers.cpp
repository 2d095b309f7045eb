#include "render/layers.h"

#include <array>

#include "render/boundaries.h"
#include "render/contact_layers.h"
#include "render/ghosts.h"
#include "render/goal_marks.h"
#include "render/ground.h"
#include "render/markers.h"
#include "render/mesh_buffers.h"
#include "render/particle_layer.h"
#include "render/reference_frames.h"
#include "render/soft_meshes.h"
#include "render/trail_layer.h"

namespace slipstick::render {
namespace {

template <class T>
Result<std::unique_ptr<Layer>> made() {
  Result<T> layer = T::create();
  if (!layer) return layer.error();
  return std::unique_ptr<Layer>(std::make_unique<T>(std::move(layer).value()));
}

constexpr std::array kLayers = {
    &made<MeshBuffers>, &made<SoftMeshes>,      &made<ParticleLayer>,  &made<CentersOfMass>,
    &made<Boundaries>,  &made<Ghosts>,          &made<ContactPatches>, &made<TrailLayer>,
    &made<JointAxes>,   &made<ReferenceFrames>, &made<ContactArrows>,  &made<GoalMarks>,
    &made<Ground>,
};

}  // namespace

Result<std::vector<std::unique_ptr<Layer>>> makeLayers() {
  std::vector<std::unique_ptr<Layer>> layers;
  for (const auto make : kLayers) {
    Result<std::unique_ptr<Layer>> layer = make();
    if (!layer) return layer.error();
    layers.push_back(std::move(layer).value());
  }
  return layers;
}

}  // namespace slipstick::render
