#include "engine/step/yielding.h"

#include <algorithm>

namespace slipstick {

bool isPrescribed(const Model& model, int body) {
  const auto groupOf = [&](int b) { return model.compositeOf[static_cast<std::size_t>(b)]; };
  return std::any_of(model.prescribed.begin(), model.prescribed.end(), [&](const PrescribedMotion& motion) {
    return groupOf(model.tree.joints[static_cast<std::size_t>(motion.joint)].child) == groupOf(body);
  });
}

bool yieldsToForces(const Model& model, int body) {
  return model.compositeOf[static_cast<std::size_t>(body)] != 0 && !isPrescribed(model, body);
}

}  // namespace slipstick
