#include "render/markers.h"

#include "render/depth_slices.h"
#include "render/palette.h"

namespace slipstick::render {

Result<JointAxes> JointAxes::create() {
  JointAxes layer;
  Result<Arrows> arrows = Arrows::create();
  if (!arrows) return arrows.error();
  layer.arrows_ = std::move(arrows).value();
  return layer;
}

void JointAxes::update(const Picture& picture) {
  std::vector<Arrow> axes;
  for (const multibody::Joint& joint : picture.model.tree.joints) {
    if (!picture.options.joints || multibody::velocityCount(joint.type) != 1) continue;
    if (!picture.frame.lookOf(joint.child).visible) continue;
    const Pose X_WJ = picture.frame.X_WB[static_cast<std::size_t>(joint.parent)] * joint.X_PJ;
    Arrow arrow;
    arrow.vector = (0.09 * picture.camera.distance * (X_WJ.R * joint.axis)).cast<float>();
    arrow.from = X_WJ.p.cast<float>() - arrow.vector / 2;
    arrow.color = append(linear(picture.options.tokens().axis), 1);
    axes.push_back(arrow);
  }
  if (any_ || !axes.empty()) arrows_.update(axes, {});
  any_ = !axes.empty();
}

void JointAxes::draw(Stage stage, Pass pass) const {
  if (stage == Stage::OnTop && pass == Pass::Shade && any_) arrows_.draw(pass);
}

Result<CentersOfMass> CentersOfMass::create() {
  CentersOfMass layer;
  Result<Spheres> spheres = Spheres::create();
  if (!spheres) return spheres.error();
  layer.spheres_ = std::move(spheres).value();
  return layer;
}

void CentersOfMass::update(const Picture& picture) {
  const auto& bodies = picture.model.tree.bodies;
  std::vector<Eigen::Vector3f> centers;
  for (std::size_t b = 1; picture.options.centersOfMass && b < bodies.size(); ++b)
    if (bodies[b].mass > 0 && picture.frame.lookOf(static_cast<int>(b)).visible)
      centers.push_back((picture.frame.X_WB[b] * bodies[b].com).cast<float>());
  range_.count = static_cast<int>(centers.size());
  range_.radius = static_cast<float>(0.009 * picture.camera.distance);
  range_.color = linear(picture.options.tokens().bookmark);
  if (range_.count > 0) spheres_.update(centers, {});
}

/// Lit as the scene is, and in front of it.
void CentersOfMass::draw(Stage stage, Pass pass) const {
  if (stage != Stage::Opaque || pass != Pass::Shade || range_.count == 0) return;
  const InFront front;
  spheres_.draw(pass, range_, {});
}

}  // namespace slipstick::render
