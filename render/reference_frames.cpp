#include "render/reference_frames.h"

#include <array>

#include "render/palette.h"

namespace slipstick::render {
namespace {

/// x, y, z in the order of red, green and blue, as everywhere; as light as the other colours of the palette.
constexpr std::array<Hex, 3> kAxisColors = {0xF2637E, 0x7FCB5A, 0x5B8DEF};

std::vector<bool> framedBodies(const Model& model, const Selection& selection) {
  std::vector<bool> framed(model.tree.bodies.size(), false);
  const auto frame = [&](int first, int end) {
    for (int b = std::max(first, 0); b < std::min(end, static_cast<int>(framed.size())); ++b)
      framed[static_cast<std::size_t>(b)] = true;
  };
  if (selection.robot && *selection.robot >= 0 && *selection.robot < static_cast<int>(model.robots.size())) {
    const Robot& robot = model.robots[static_cast<std::size_t>(*selection.robot)];
    frame(robot.firstBody, robot.endBody);
  } else if (selection.body) {
    frame(*selection.body, *selection.body + 1);
  } else {
    for (const multibody::Joint& joint : model.tree.joints)
      if (multibody::velocityCount(joint.type) > 0) frame(joint.child, joint.child + 1);
  }
  return framed;
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
    const std::vector<bool> framed = framedBodies(picture.model, picture.selection);
    for (std::size_t b = 0; b < framed.size(); ++b)
      for (int k = 0; framed[b] && k < 3; ++k) {
        Arrow arrow;
        arrow.from = picture.frame.X_WB[b].p.cast<float>();
        arrow.vector = (0.05 * picture.camera.distance * picture.frame.X_WB[b].R.col(k)).cast<float>();
        arrow.color = append(linear(kAxisColors[static_cast<std::size_t>(k)]), 1);
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
