#include "render/contact_arrows.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/foundation/number_text.h"
#include "render/contact_points.h"
#include "render/force_words.h"

namespace slipstick::render {
namespace {

constexpr float kPairThickness = 1.9f;
constexpr float kSelectedThickness = 1.25f;
/// What does not belong to the selection steps back.
constexpr float kBehind = 0.45f;
/// Moments below this part of |f| · extent have no ring, frictions below that of |f| no number.
constexpr double kMomentShown = 0.02, kFrictionLabelled = 0.1;
/// Arrows of pairs that press with more than this part of the scale's top are at least this long [logical px].
constexpr double kLeastPair = 0.005, kShortestPair = 24;

/// A part of a force that gets an arrow of its own.
struct Part {
  Vec3 force = Vec3::Zero();
  Hex color = palette::kNormal;
};

std::vector<Part> partsOf(const Vec3& normal, const Vec3& friction, bool slips, const ViewOptions& options) {
  const Tokens& t = options.tokens();
  if (options.splitForces) return {{normal, t.normal}, {friction, t.friction(slips)}};
  return {{normal + friction, t.friction(slips)}};
}

/// Draws the pairs of one frame.
class ArrowDrawing {
 public:
  ArrowDrawing(const FrameInput& input, ContactParts& parts) : input_(input), parts_(parts) {}

  void addPair(int index);
  void addPoints(int index, const std::vector<PointCluster>& clusters);

 private:
  PairView& view(int index) { return parts_.pairs[static_cast<std::size_t>(index)]; }
  float emphasis(const PairView& view) const;
  /// @param least  longer than its force says, rather than shorter than this [logical px]
  /// @return whether it is long enough to be drawn
  bool addArrow(const Arrow& pattern, const Vec3& from, const Part& part, const ForceScale& scale,
                double least = 0);
  void addLabel(const Arrow& arrow, const Part& part);
  /// @return whether the moment is large enough for a ring
  bool addRing(const PairForce& force, float alpha);
  void setRemainder(PairView& view) const;
  void addCone(const Vec3& apex, const Vec3& normal, double slope, double length, float alpha);
  void addMark(const PointCluster& cluster, float alpha);
  void addOutline(const Vec3& from, const Vec3& to, const Eigen::Vector4f& color, float width,
                  float endWidth);

  const FrameInput& input_;
  ContactParts& parts_;
};

float ArrowDrawing::emphasis(const PairView& view) const {
  const bool any = std::any_of(parts_.pairs.begin(), parts_.pairs.end(),
                               [](const PairView& other) { return other.selected; });
  return any && !view.selected ? kBehind : 1.f;
}

bool ArrowDrawing::addArrow(const Arrow& pattern, const Vec3& from, const Part& part, const ForceScale& scale,
                            double least) {
  const double pixel = metresPerPixel(input_, from), force = part.force.norm();
  const double length = std::max(scale.length(force), least * pixel);
  const bool asked = pattern.thickness == kSelectedThickness;  // a selected contact shows however weak it is
  const bool legible = force > input_.options.forceThreshold && length >= kShortestArrow * pixel;
  if (!(force > 0) || !(legible || asked)) return false;
  Arrow arrow = pattern;
  arrow.from = from.cast<float>();
  arrow.vector = (length / force * part.force).cast<float>();
  arrow.force = part.force;
  arrow.color = append(linear(part.color), pattern.color.w());
  PairView& shown = view(arrow.pair);
  shown.drawn += {part.force, (from - shown.force.centerOfPressure).cross(part.force)};
  ++shown.arrows;
  parts_.arrows.push_back(arrow);
  return true;
}

void ArrowDrawing::addLabel(const Arrow& arrow, const Part& part) {
  ForceLabel label;
  label.point = arrow.from + arrow.vector;
  label.direction = arrow.vector.normalized();
  label.text = newtons(part.force.norm());
  label.color = part.color;
  label.pair = arrow.pair;
  parts_.labels.push_back(label);
}

void ArrowDrawing::setRemainder(PairView& view) const {
  view.remainder = view.force.about(view.force.centerOfPressure) - view.drawn;
}

void ArrowDrawing::addPair(int index) {
  const PairForce& force = view(index).force;
  Arrow pattern;
  pattern.thickness = kPairThickness;
  pattern.color.w() = emphasis(view(index));
  pattern.members = static_cast<int>(force.contacts.size());
  pattern.contact = pattern.members == 1 ? force.contacts.front() : -1;
  pattern.body = force.side.body;
  pattern.pair = index;
  pattern.selects = force.pair;
  // Its number says how large it is: beside a peak long past, what presses now must still be seen to press.
  const double net = force.force.norm(), least = net > kLeastPair * parts_.pairScale.top ? kShortestPair : 0;
  for (const Part& part : partsOf(force.normal, force.friction, force.slips(), input_.options)) {
    const bool large = part.force.norm() > kFrictionLabelled * net;
    if (!addArrow(pattern, force.centerOfPressure, part, parts_.pairScale, large ? least : 0)) continue;
    if (input_.options.forceLabels && large) addLabel(parts_.arrows.back(), part);
  }
  const bool any = view(index).arrows > 0;
  if (any && input_.options.moments && addRing(force, pattern.color.w()))
    view(index).drawn.torque += force.moment;
  setRemainder(view(index));
  if (!any) return;
  if (input_.options.cones && force.normalSum > 0)
    addCone(force.centerOfPressure, force.normal, force.frictionBound / force.normalSum,
            parts_.pairScale.length(force.normal.norm()), pattern.color.w());
}

void ArrowDrawing::addPoints(int index, const std::vector<PointCluster>& clusters) {
  const std::vector<Contact>& contacts = input_.snapshot->contacts;
  for (const PointCluster& cluster : clusters) {
    Arrow pattern;
    pattern.members = static_cast<int>(cluster.contacts.size());
    pattern.contact = pattern.members == 1 ? cluster.contacts.front() : -1;
    pattern.body = view(index).force.side.body;
    pattern.pair = index;
    const bool contactMeant = std::holds_alternative<ContactKey>(input_.selection);
    pattern.color.w() = contactMeant && !cluster.selected ? kBehind : 1.f;
    if (cluster.selected) pattern.thickness = kSelectedThickness;
    if (pattern.contact >= 0)
      pattern.selects = contacts[static_cast<std::size_t>(pattern.contact)].key();
    else
      pattern.selects = view(index).force.pair;
    bool drawn = false;
    for (const Part& part : partsOf(cluster.normal, cluster.friction, cluster.slips(), input_.options))
      drawn |= addArrow(pattern, cluster.center, part, parts_.pointScale);
    if (!drawn) {
      view(index).remainderForce += (cluster.normal + cluster.friction).norm();
      view(index).remainderContacts += pattern.members;
      continue;
    }
    addMark(cluster, pattern.color.w());
    if (input_.options.cones && cluster.selected && cluster.normalSum > 0)
      addCone(cluster.center, cluster.normal, cluster.bound / cluster.normalSum,
              parts_.pointScale.length(cluster.normal.norm()), 1);
  }
  setRemainder(view(index));
}

void ArrowDrawing::addMark(const PointCluster& cluster, float alpha) {
  ContactMark mark;
  mark.point = cluster.center.cast<float>();
  mark.normal = cluster.outward.cast<float>();
  mark.color = append(linear(input_.options.tokens().friction(cluster.slips())), alpha);
  mark.ring = cluster.slips();
  parts_.marks.push_back(mark);
}

void ArrowDrawing::addOutline(const Vec3& from, const Vec3& to, const Eigen::Vector4f& color, float width,
                              float endWidth) {
  Stroke stroke;
  stroke.from = from.cast<float>();
  stroke.to = to.cast<float>();
  stroke.color = color;
  stroke.width = width;
  stroke.endWidth = endWidth;
  parts_.outlines.push_back(stroke);
}

/// Around the moment's axis, in its sense; the more of |f| · extent it is, the wider.
bool ArrowDrawing::addRing(const PairForce& force, float alpha) {
  constexpr int kSegments = 40;
  constexpr double kArc = 1.65 * std::numbers::pi, kHead = 0.28;  // [rad]
  const double lever = force.force.norm() * force.extent, moment = force.moment.norm();
  if (!(moment > kMomentShown * lever) || !(lever > 0)) return false;
  const double pixel = metresPerPixel(input_, force.centerOfPressure);
  const double wanted = force.extent * std::min(0.5, moment / lever);
  const double radius = std::clamp(wanted, 16 * pixel, 64 * pixel);
  const Vec3 axis = force.moment / moment, u = axis.unitOrthogonal(), v = axis.cross(u);
  const auto at = [&](double angle) -> Vec3 {
    return force.centerOfPressure + radius * (std::cos(angle) * u + std::sin(angle) * v);
  };
  const Eigen::Vector4f color = append(linear(input_.options.tokens().text), 0.9f * alpha);
  for (int i = 0; i < kSegments; ++i)
    addOutline(at(kArc * i / kSegments), at(kArc * (i + 1) / kSegments), color, 1.7f, 1.7f);
  const double head = std::max(kHead, 9 * pixel / radius);
  addOutline(at(kArc), at(kArc + head), color, 8.f, 0.f);
  return true;
}

/// Half angle atan `slope` around the normal force: a force in it is held, one on it slips.
void ArrowDrawing::addCone(const Vec3& apex, const Vec3& normal, double slope, double length, float alpha) {
  constexpr int kSegments = 48, kSpokes = 8;
  if (!(normal.norm() > 0) || !(length > 0) || !(slope > 0)) return;
  const Vec3 axis = normal.normalized(), u = axis.unitOrthogonal(), v = axis.cross(u);
  const auto rim = [&](int i) -> Vec3 {
    const double angle = 2 * std::numbers::pi * i / kSegments;
    return apex + length * (axis + slope * (std::cos(angle) * u + std::sin(angle) * v));
  };
  const Eigen::Vector4f color = append(linear(input_.options.tokens().secondary), 0.8f * alpha);
  for (int i = 0; i < kSegments; ++i) addOutline(rim(i), rim(i + 1), color, 1.5f, 1.5f);
  for (int i = 0; i < kSegments; i += kSegments / kSpokes)
    addOutline(apex, rim(i), append(color.head<3>(), 0.4f * alpha), 1.f, 1.f);
}

/// Arrows of points are many: the longest is shorter than that of a net force [-]. It stands for a force that
/// this part of them stays below: a few at a rim must not make the others too short to be read.
constexpr double kLongestPoint = 0.43, kScaleQuantile = 0.85;

double typicalLargest(std::vector<double>& forces) {
  if (forces.empty()) return 0;
  const auto rank = static_cast<std::ptrdiff_t>(kScaleQuantile * static_cast<double>(forces.size() - 1));
  std::nth_element(forces.begin(), forces.begin() + rank, forces.end());
  return forces[static_cast<std::size_t>(rank)];
}

}  // namespace

double metresPerPixel(const FrameInput& input, const Vec3& p_W) {
  const Camera& camera = input.camera;
  const Vec3 forward = (camera.target - camera.eye()).normalized();
  const double depth = camera.parallel ? camera.distance : std::max((p_W - camera.eye()).dot(forward), 1e-3);
  return depth / camera.distance * camera.heightAtTarget(input.aspect) / std::max(input.viewHeight, 1.0);
}

void addArrows(const FrameInput& input, ContactParts& parts) {
  ArrowDrawing drawing(input, parts);
  double largest = input.largestForce;
  std::vector<double> points;
  std::vector<std::vector<PointCluster>> clusters(parts.pairs.size());
  for (std::size_t i = 0; i < parts.pairs.size(); ++i) {
    const PairForce& force = parts.pairs[i].force;
    largest = std::max({largest, force.normal.norm(), force.force.norm()});
    if (parts.pairs[i].seen != ContactView::Points) continue;
    parts.clusterSides.push_back({force.pair, clusterSide(input, force)});
    clusters[i] = pointClusters(input, force, parts.clusterSides.back().side);
    for (const PointCluster& cluster : clusters[i])
      points.push_back((cluster.normal + cluster.friction).norm());
  }
  const double view =
      input.viewHeight * std::min(1.0, input.aspect) * metresPerPixel(input, input.camera.target);
  parts.pairScale = forceScale(*input.model, input.options, largest, view);
  parts.pointScale = forceScale(*input.model, input.options, typicalLargest(points), view, kLongestPoint);
  for (std::size_t i = 0; i < parts.pairs.size(); ++i) {
    parts.pairs[i].firstArrow = static_cast<int>(parts.arrows.size());
    if (parts.pairs[i].seen == ContactView::Points)
      drawing.addPoints(static_cast<int>(i), clusters[i]);
    else
      drawing.addPair(static_cast<int>(i));
  }
}

}  // namespace slipstick::render
