#include "render/ghost_parts.h"

#include <algorithm>
#include <cmath>

namespace slipstick::render {
namespace {

/// Radius of a sphere of the particles' mean volume at rest: what is thinned keeps its size.
float particleRadius(const Model& model) {
  double volume = 0;
  for (const double v : model.nodes.volume) volume += v;
  const auto count = static_cast<double>(model.nodeCount());
  return count > 0 ? static_cast<float>(0.62 * std::cbrt(volume / count)) : 0;
}

Ghost ghostOf(const Model& model, const Snapshot& snapshot) {
  Ghost ghost;
  ghost.X_WB = snapshot.X_WB;
  ghost.radius = particleRadius(model);
  const std::size_t stride = (snapshot.particles.size() + kMaxGhostParticles - 1) / kMaxGhostParticles;
  for (std::size_t i = 0; i < snapshot.particles.size(); i += stride)
    ghost.particles.push_back(snapshot.particles[i]);
  return ghost;
}

}  // namespace

void addGhosts(const FrameInput& input, Frame& frame) {
  for (const std::shared_ptr<const Snapshot>& snapshot : input.ghosts)
    if (!snapshot->model || snapshot->model == input.model)
      frame.ghosts.push_back(ghostOf(*input.model, *snapshot));
  const auto last = static_cast<float>(frame.ghosts.size()) - 1;
  const Eigen::Vector3f oldest = linear(palette::kAxis);
  for (std::size_t i = 0; i < frame.ghosts.size(); ++i) {
    Ghost& ghost = frame.ghosts[i];
    if (last > 0) ghost.color = oldest + static_cast<float>(i) / last * (ghost.color - oldest);
  }
}

}  // namespace slipstick::render
