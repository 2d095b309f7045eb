#include "render/reference_frames.h"

#include <array>

#include "render/palette.h"
#include "render/selected_bodies.h"

namespace slipstick::render {
namespace {

std::vector<bool> framedBodies(const Model& model, const Selection& selection) {
  if (std::holds_alternative<SelectedRobot>(selection) || std::holds_alternative<SelectedBody>(selection))
    return selectedBodies(model, selection);
  std::vector<bool> movable(model.tree.bodies.size(), false);
  for (const multibody::Joint& joint : model.tree.joints)
    movable[static_cast<std::size_t>(joint.child)] = multibody::velocityCount(joint.type) > 0;
  return movable;
}

}  // namespace

Result<ReferenceFrames> ReferenceFrames::create() {
  ReferenceFrames layer;
  Result<Arrows> arrows = Arrows::create();
  if (!arrows) return arrows.error();
  layer.arrows_ = std::move(arrows).value();
  return layer;
}

void ReferenceFrames::update(const Picture& picture) {
  std::vector<Arrow> axes;
  if (picture.options.frames) {
    const std::array<Hex, 3>& colors = axisColors(picture.options.backdrop());
    const std::vector<bool> framed = framedBodies(picture.model, picture.selection);
    for (std::size_t b = 0; b < framed.size(); ++b)
      for (int k = 0; framed[b] && picture.frame.lookOf(static_cast<int>(b)).visible && k < 3; ++k) {
        Arrow arrow;
        arrow.from = picture.frame.X_WB[b].p.cast<float>();
        arrow.vector = (0.05 * picture.camera.distance * picture.frame.X_WB[b].R.col(k)).cast<float>();
        arrow.color = append(linear(colors[static_cast<std::size_t>(k)]), 1);
        axes.push_back(arrow);
      }
  }
  if (any_ || !axes.empty()) arrows_.update(axes, {});
  any_ = !axes.empty();
}

void ReferenceFrames::draw(Stage stage, Pass pass) const {
  if (stage == Stage::OnTop && pass == Pass::Shade && any_) arrows_.draw(pass);
}

}  // namespace slipstick::render
