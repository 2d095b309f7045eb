#include "render/selected_bodies.h"

#include <algorithm>

#include "engine/model/world_link.h"

namespace slipstick::render {

std::vector<bool> selectedBodies(const Model& model, const Selection& selection) {
  std::vector<bool> selected(model.tree.bodies.size(), false);
  const auto select = [&](int first, int end) {
    for (int b = std::max(first, 0); b < std::min(end, static_cast<int>(selected.size())); ++b)
      selected[static_cast<std::size_t>(b)] = true;
  };
  if (selection.body) select(*selection.body, *selection.body + 1);
  if (selection.robot && *selection.robot >= 0 && *selection.robot < static_cast<int>(model.robots.size())) {
    const Robot& robot = model.robots[static_cast<std::size_t>(*selection.robot)];
    for (int b = robot.firstBody; b < robot.endBody; ++b)
      if (!isOfItsWorld(model, robot, b)) select(b, b + 1);
  }
  if (selection.loop && *selection.loop >= 0 && *selection.loop < static_cast<int>(model.loops.size())) {
    const Loop& loop = model.loops[static_cast<std::size_t>(*selection.loop)];
    for (const int body : {loop.bodyA, loop.bodyB})
      if (body > 0) select(body, body + 1);
  }
  return selected;
}

}  // namespace slipstick::render
