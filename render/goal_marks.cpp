#include "render/goal_marks.h"

#include "render/palette.h"

namespace slipstick::render {
namespace {

constexpr float kThin = 2.2f, kHeld = 4.f;  // [logical px]
constexpr double kBareTriad = 0.5;          // of one without handles, in the size of one with
constexpr float kThroughEverything = 1e3f;  // [m]

Eigen::Vector4f colorOf(int axis, Backdrop backdrop, bool held) {
  if (held) return append(linear(tokensOn(backdrop).bookmark), 1);
  return append(linear(axisColors(backdrop)[static_cast<std::size_t>(axis)]), 1);
}

}  // namespace

Result<GoalMarks> GoalMarks::create() {
  GoalMarks layer;
  Result<Arrows> arrows = Arrows::create();
  if (!arrows) return arrows.error();
  Result<Strokes> strokes = Strokes::create();
  if (!strokes) return strokes.error();
  layer.arrows_ = std::move(arrows).value();
  layer.strokes_ = std::move(strokes).value();
  return layer;
}

void GoalMarks::update(const Picture& picture) {
  std::vector<Arrow> arrows;
  std::vector<Stroke> strokes;
  const Backdrop backdrop = picture.options.backdrop();
  for (const GoalMark& mark : picture.frame.goals) {
    const Gizmo gizmo = gizmoAt(mark.X_WG, picture.camera);
    for (int i = 0; i < (mark.hasHandles ? kHandleCount : 3); ++i) {
      const auto handle = static_cast<Handle>(i);
      const bool held = mark.held == handle;
      const Eigen::Vector4f color = colorOf(axisOf(handle), backdrop, held);
      const std::vector<Vec3> line = outlineOf(gizmo, handle);
      if (handle <= Handle::AxisZ) {
        const Vec3 from = mark.hasHandles ? line[0] : mark.X_WG.p;
        const Vec3 to = mark.hasHandles ? line[1] : Vec3(mark.X_WG.p + kBareTriad * (line[1] - mark.X_WG.p));
        Arrow arrow;
        arrow.from = from.cast<float>();
        arrow.vector = (to - from).cast<float>();
        arrow.color = color;
        arrows.push_back(arrow);
        continue;
      }
      for (std::size_t p = 1; p < line.size(); ++p) {
        Stroke stroke;
        stroke.from = line[p - 1].cast<float>();
        stroke.to = line[p].cast<float>();
        stroke.color = color;
        stroke.width = stroke.endWidth = held ? kHeld : kThin;
        stroke.reach = kThroughEverything;
        strokes.push_back(stroke);
      }
    }
  }
  const bool had = any_;
  any_ = !picture.frame.goals.empty();
  if (!had && !any_) return;
  arrows_.update(arrows, {});
  strokes_.update(strokes);
}

void GoalMarks::draw(Stage stage, Pass pass) const {
  if (stage != Stage::OnTop || pass != Pass::Shade || !any_) return;
  strokes_.draw();
  arrows_.draw(pass);
}

}  // namespace slipstick::render
