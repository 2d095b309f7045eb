#include "render/trails.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "render/shown_pairs.h"

namespace slipstick::render {
namespace {

constexpr std::size_t kMaxTrails = 12;
constexpr std::size_t kMaxPoints = 120;  ///< of a trail
constexpr float kOpacity = 0.9f;         ///< where a trail ends
constexpr float kWidth = 2.2f;           ///< [logical px]
/// A shorter trail would be a dot [m].
constexpr float kShortest = 1e-3f;

Trailed bodyTrail(const Model& model, int body) {
  const auto& b = model.tree.bodies[static_cast<std::size_t>(body)];
  return {b.name, b.com, true};
}

Trailed deformableTrail(const Model& model, int deformable) {
  return {model.deformables[static_cast<std::size_t>(deformable)].name, Vec3::Zero(), false};
}

/// The way that shows where a selection went; none of what does not move.
struct TrailOf {
  using Result = std::optional<Trailed>;
  Result operator()(NothingSelected) const { return std::nullopt; }
  Result operator()(SelectedBody body) const {
    return body.index > 0 ? Result(bodyTrail(model, body.index)) : std::nullopt;
  }
  /// Of its last link: the tool.
  Result operator()(SelectedRobot robot) const {
    return bodyTrail(model, model.robots[static_cast<std::size_t>(robot.index)].endBody - 1);
  }
  Result operator()(SelectedDeformable soft) const { return deformableTrail(model, soft.index); }
  Result operator()(SelectedBoundary) const { return std::nullopt; }
  Result operator()(SelectedLoop) const { return std::nullopt; }
  Result operator()(const ContactKey&) const { return ofPair(); }
  Result operator()(const ContactPair&) const { return ofPair(); }
  Result ofPair() const {
    const std::optional<ContactPair> pair = selectedPair(input);
    if (!pair) return std::nullopt;
    for (const PairSide& side : {pair->a, pair->b}) {
      if (side.isSoft()) return deformableTrail(model, side.deformable);
      if (canMove(model, side.body)) return bodyTrail(model, side.body);
    }
    return std::nullopt;
  }

  const FrameInput& input;
  const Model& model;
};

std::optional<Trailed> selectedTrail(const FrameInput& input) {
  return std::visit(TrailOf{input, *input.model}, input.selection);
}

/// The columns x, y and z, and for a body its orientation, of every step of [from, to).
class Path {
 public:
  Path(const RunColumns& columns, const Trailed& thing, std::uint64_t from, std::uint64_t to)
      : thing_(thing) {
    for (std::size_t i = 0; i < kParts.size(); ++i)
      if (i < 3 || thing.turns) values_[i] = columns.values(thing.name + "." + kParts[i], from, to);
  }
  std::size_t size() const { return values_[0].size(); }
  Vec3 at(std::size_t i) const {
    Vec3 p(values_[0][i], values_[1][i], values_[2][i]);
    if (!thing_.turns) return p;
    return p + Quat(values_[3][i], values_[4][i], values_[5][i], values_[6][i]) * thing_.com;
  }

 private:
  static constexpr std::array<const char*, 7> kParts = {"x", "y", "z", "qw", "qx", "qy", "qz"};
  const Trailed& thing_;
  std::array<std::vector<double>, 7> values_;
};

}  // namespace

std::vector<Trailed> trailedOf(const FrameInput& input) {
  if (const std::optional<Trailed> selected = selectedTrail(input)) return {*selected};
  const Model& model = *input.model;
  const std::vector<bool> driven = drivenBodies(model);
  std::vector<bool> touched(model.tree.bodies.size(), false);
  for (const Contact& contact : input.snapshot->contacts) {
    for (const ContactSide& side : {contact.a, contact.b})
      if (side.isRigid()) touched[static_cast<std::size_t>(side.body)] = true;
  }
  const bool anyDriven = std::find(driven.begin(), driven.end(), true) != driven.end();
  std::vector<Trailed> things;
  for (std::size_t d = 0; d < model.deformables.size(); ++d)
    things.push_back(deformableTrail(model, static_cast<int>(d)));
  // Where nothing is driven, all that can move, what touches first.
  for (const bool touching : {true, false})
    for (std::size_t b = 1; b < touched.size(); ++b)
      if (touched[b] == touching && (anyDriven ? touching && driven[b] : canMove(model, static_cast<int>(b))))
        things.push_back(bodyTrail(model, static_cast<int>(b)));
  if (things.size() > kMaxTrails) things.resize(kMaxTrails);
  return things;
}

std::vector<Trail> trailsOf(const RunColumns& columns, const std::vector<Trailed>& things, std::uint64_t step,
                            double dt) {
  const auto window = static_cast<std::uint64_t>(std::max(1.0, std::round(kTrailSeconds / dt)));
  const std::uint64_t end = std::min(step + 1, columns.endStep());
  const std::uint64_t begin = std::max(columns.firstStep(), step > window ? step - window : 0);
  std::vector<Trail> trails;
  if (begin >= end) return trails;
  for (const Trailed& thing : things) {
    const Path path(columns, thing, begin, end);
    const std::size_t stride = (path.size() + kMaxPoints - 1) / kMaxPoints;
    Trail trail;
    float length = 0;
    for (std::size_t back = 0; back < path.size();
         back += stride) {  // from its end, which stays on the thing
      const Eigen::Vector3f p = path.at(path.size() - 1 - back).cast<float>();
      if (!p.allFinite()) break;  // before an edit of the scene has made it
      if (!trail.points.empty()) length += (p - trail.points.back()).norm();
      trail.points.push_back(p);
    }
    std::reverse(trail.points.begin(), trail.points.end());
    if (length > kShortest) trails.push_back(std::move(trail));
  }
  return trails;
}

std::vector<Stroke> strokesOf(const std::vector<Trail>& trails, Hex color) {
  std::vector<Stroke> strokes;
  for (const Trail& trail : trails)
    for (std::size_t i = 0; i + 1 < trail.points.size(); ++i) {
      const float age = 1 - static_cast<float>(i + 1) / static_cast<float>(trail.points.size() - 1);
      Stroke stroke;
      stroke.from = trail.points[i];
      stroke.to = trail.points[i + 1];
      stroke.width = stroke.endWidth = kWidth;
      stroke.color = append(linear(color), kOpacity * (1 - 0.85f * age));
      strokes.push_back(stroke);
    }
  return strokes;
}

}  // namespace slipstick::render
