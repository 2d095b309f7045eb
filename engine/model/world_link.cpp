#include "engine/model/world_link.h"

#include "engine/model/model.h"

namespace slipstick {

bool bringsWorld(const Model& model, const Robot& robot) {
  return model.tree.bodies[static_cast<std::size_t>(robot.firstBody)].name == robot.name + "." + kWorldLink;
}

bool isOfItsWorld(const Model& model, const Robot& robot, int body) {
  const auto compositeOf = [&](int b) { return model.compositeOf[static_cast<std::size_t>(b)]; };
  return bringsWorld(model, robot) && compositeOf(body) == compositeOf(robot.firstBody);
}

}  // namespace slipstick
