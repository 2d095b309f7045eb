#include "render/ghost_parts.h"

#include <algorithm>
#include <cmath>
#include <span>

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

bool isShown(const Snapshot& snapshot, const FrameInput& input) {
  return !snapshot.model || drawsAlike(*snapshot.model, *input.model);
}

Ghost ghostOf(const Snapshot& snapshot, const FrameInput& input) {
  return ghostOf(snapshot.model ? *snapshot.model : *input.model, snapshot);
}

/// From violet to blue.
void colorByAge(std::span<Ghost> ghosts) {
  const auto last = static_cast<float>(ghosts.size()) - 1;
  const Eigen::Vector3f oldest = linear(palette::kAxis);
  for (std::size_t i = 0; last > 0 && i < ghosts.size(); ++i)
    ghosts[i].color = oldest + static_cast<float>(i) / last * (ghosts[i].color - oldest);
}

}  // namespace

bool drawsAlike(const Model& a, const Model& b) {
  if (&a == &b) return true;
  const auto isNamedAlike = [](const multibody::Body& x, const multibody::Body& y) {
    return x.name == y.name;
  };
  return a.visuals.size() == b.visuals.size() &&
         std::equal(a.tree.bodies.begin(), a.tree.bodies.end(), b.tree.bodies.begin(), b.tree.bodies.end(),
                    isNamedAlike);
}

void addGhosts(const FrameInput& input, Frame& frame) {
  for (const ColoredGhost& beside : input.besides) {
    if (!isShown(*beside.snapshot, input)) continue;
    frame.ghosts.push_back(ghostOf(*beside.snapshot, input));
    frame.ghosts.back().color = beside.color;
  }
  const std::size_t besides = frame.ghosts.size();
  for (const std::shared_ptr<const Snapshot>& snapshot : input.ghosts)
    if (isShown(*snapshot, input)) frame.ghosts.push_back(ghostOf(*snapshot, input));
  colorByAge(std::span(frame.ghosts).subspan(besides));
}

}  // namespace slipstick::render
