#include "render/footprints.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "render/contact_arrows.h"
#include "render/footprint_inset.h"
#include "render/force_words.h"
#include "render/patch_surfaces.h"
#include "render/shapes.h"

namespace slipstick::render {
namespace {

/// Of the disc that a rigid point presses on, in the smaller of the two bodies [-].
constexpr double kDisc = 0.03;
/// Sides of the cells that friction is summed over [logical px], [particle spacings], and of the pair's
/// extent.
constexpr double kStrokePixels = 15, kStrokeSpacings = 1.5, kStrokeExtent = 0.04;
constexpr double kLongestStroke = 0.9, kShortestStroke = 0.08;  // in the cell, and of the longest

/// About the size of the smaller of the two bodies that touch.
double smallerBody(const Model& model, const ContactPair& pair) {
  double least = 1e9;
  for (const Geometry& g : model.geometries) {
    if (g.body != pair.body && g.body != pair.otherBody) continue;
    const Eigen::AlignedBox3d box = roughBounds(g.shape);
    if (!box.isEmpty()) least = std::min(least, box.diagonal().norm());
  }
  return least < 1e9 ? least : 0.1;
}

/// Neighbouring frictions, to become one stroke.
struct FrictionCell {
  Vec3 friction = Vec3::Zero();                        ///< on the shown side [N]
  Vec3 center = Vec3::Zero(), outward = Vec3::Zero();  ///< weighted by |friction|
  double sticking = 0, slipping = 0;                   ///< [N]
  double normal = 0;                                   ///< [N]

  double weight() const { return sticking + slipping; }
  bool slips() const { return slipping > sticking; }
};

/// Paints the footprints of one frame. Values are pascal or metres until all are there.
class FootprintDrawing {
 public:
  FootprintDrawing(const FrameInput& input, FootprintCache& cache, ContactParts& parts)
      : input_(input), cache_(cache), parts_(parts) {}

  void addPair(int index);
  void finish();

 private:
  const PairView& view(int index) const { return parts_.pairs[static_cast<std::size_t>(index)]; }
  const Contact& contact(int i) const { return input_.snapshot->contacts[static_cast<std::size_t>(i)]; }
  Pose poseOf(int geometry) const {
    const Geometry& g = input_.model->geometries[static_cast<std::size_t>(geometry)];
    return input_.snapshot->X_WB[static_cast<std::size_t>(g.body)] * g.X_BG;
  }
  bool paintsDepth() const { return input_.options.footprintValue == FootprintValue::Depth; }
  void addSoft(int index);
  void addRigid(int index);
  void addSurface(const PaintedSurface& painted, float reach);
  void addDisc(int index, const Contact& c, double radius);
  void addStrokes(int index, float reach);
  std::vector<FrictionCell> frictionCells(int index, double side) const;
  void addStroke(const FrictionCell& cell, double length, float reach, bool oneSided);
  void addInset(int index, const PaintedSurface& painted, const std::vector<FrictionCell>& cells);
  bool wantsInset(const PairView& view, const Vec3& outward_W) const;

  const FrameInput& input_;
  FootprintCache& cache_;
  ContactParts& parts_;
};

void FootprintDrawing::addPair(int index) {
  if (view(index).force.pair.deformable >= 0)
    addSoft(index);
  else
    addRigid(index);
}

/// What presses hides the surface: through so much of it the footprint still shows.
float softReach(const FrameInput& input, int deformable) {
  const auto d = static_cast<std::size_t>(deformable);
  if (d >= input.snapshot->deformables.size()) return 0.3f;
  const DeformableFacts& facts = input.snapshot->deformables[d];
  return static_cast<float>(0.6 * (facts.upper - facts.lower).norm());
}

void FootprintDrawing::addSoft(int index) {
  const PairForce& force = view(index).force;
  const float reach = softReach(input_, force.pair.deformable);
  std::set<int> geometries;
  for (const int i : force.contacts) geometries.insert(contact(i).geometry);
  std::vector<int> lost;
  PaintedSurface main;
  for (const int geometry : geometries) {
    PaintedSurface painted = paintParticles(input_, cache_, force, geometry, lost);
    painted.pair = index;
    parts_.pairs[static_cast<std::size_t>(index)].footprintForce += painted.force;
    addSurface(painted, reach);
    if (painted.force > main.force) main = std::move(painted);
  }
  const double spacing =
      input_.model->deformables[static_cast<std::size_t>(force.pair.deformable)].particleSpacing;
  for (const int i : lost) addDisc(index, contact(i), spacing);
  addStrokes(index, reach);
  if (!main.points.empty() && wantsInset(view(index), poseOf(main.geometry).R * main.outward))
    addInset(index, main, frictionCells(index, std::max(kStrokeSpacings * spacing, 0.06 * force.extent)));
}

void FootprintDrawing::addSurface(const PaintedSurface& painted, float reach) {
  const Pose X_WG = poseOf(painted.geometry);
  const std::vector<double>& values = paintsDepth() ? painted.depth : painted.pressure;
  std::vector<Eigen::Vector4f> points(painted.points.size());
  for (std::size_t v = 0; v < points.size(); ++v)
    points[v] = append((X_WG * painted.points[v]).cast<float>(), static_cast<float>(values[v]));
  PatchSurface surface;
  surface.pair = painted.pair;
  surface.fades = surface.oneSided = true;
  surface.map = input_.options.colorMap;
  surface.reach = reach;
  for (const Eigen::Vector3i& t : painted.triangles) {
    const auto at = [&](int k) -> const Eigen::Vector4f& { return points[static_cast<std::size_t>(t[k])]; };
    if (!(at(0).w() > 0 || at(1).w() > 0 || at(2).w() > 0)) continue;
    surface.triangles.insert(surface.triangles.end(), {at(0), at(1), at(2)});
  }
  surface.center = view(painted.pair).force.centerOfPressure.cast<float>();
  parts_.patches.push_back(std::move(surface));
}

void FootprintDrawing::addRigid(int index) {
  const PairView& shown = view(index);
  const double radius = kDisc * smallerBody(*input_.model, shown.force.pair);
  std::set<int> patches;
  for (const int i : shown.force.contacts) {
    const Contact& c = contact(i);
    if (patchOf(*input_.snapshot, c) != nullptr)
      patches.insert(c.patch);
    else if (c.normalForce() > 0)
      addDisc(index, c, radius);
  }
  for (const int patch : patches) {
    PatchSurface surface = patchSurface(input_, patch, paintsDepth());
    surface.pair = index;
    surface.selected = shown.selected;
    surface.map = input_.options.colorMap;
    if (shown.selected || input_.selection.body) surface.reach = kEverywhere;
    parts_.pairs[static_cast<std::size_t>(index)].footprintForce +=
        forceOf(input_.snapshot->patches[static_cast<std::size_t>(patch)]);
    parts_.patches.push_back(std::move(surface));
  }
  addStrokes(index, patches.empty() ? 0.f : parts_.patches.back().reach);
}

/// A cone of pressure over a polygon: the volume under it is the force.
void FootprintDrawing::addDisc(int index, const Contact& c, double radius) {
  constexpr int kCorners = 24;
  const double turn = 2 * std::numbers::pi / kCorners;
  const double area = 0.5 * kCorners * radius * radius * std::sin(turn);
  const double top = paintsDepth() ? c.penetration : 3 * c.normalForce() / area;
  const Vec3 u = c.normal_W.unitOrthogonal(), v = c.normal_W.cross(u);
  const auto rim = [&](int i) {
    return append((c.p_WC + radius * (std::cos(i * turn) * u + std::sin(i * turn) * v)).cast<float>(), 0);
  };
  PatchSurface disc;
  disc.pair = index;
  disc.fades = true;
  disc.map = input_.options.colorMap;
  disc.reach = static_cast<float>(2 * radius);
  disc.center = c.p_WC.cast<float>();
  const Eigen::Vector4f middle = append(disc.center, static_cast<float>(top));
  for (int i = 0; i < kCorners; ++i)
    disc.triangles.insert(disc.triangles.end(), {middle, rim(i), rim(i + 1)});
  parts_.patches.push_back(std::move(disc));
  parts_.pairs[static_cast<std::size_t>(index)].footprintForce += c.normalForce();
  parts_.discRadius = std::max(parts_.discRadius, radius);
}

std::vector<FrictionCell> FootprintDrawing::frictionCells(int index, double side) const {
  using Key = std::pair<int, std::array<int, 3>>;
  std::map<Key, FrictionCell> cells;
  for (const int i : view(index).force.contacts) {
    const Contact& c = contact(i);
    const Vec3 friction = signOn(view(index).force.body, c) * c.frictionForce();
    const Vec3 p_G = poseOf(c.geometry).inverse() * c.p_WC;
    Key key{c.geometry, {}};
    for (int k = 0; k < 3; ++k)
      key.second[static_cast<std::size_t>(k)] = static_cast<int>(std::floor(p_G[k] / side + 0.5));
    FrictionCell& cell = cells[key];
    const double weight = friction.norm();
    cell.friction += friction;
    cell.center += weight * c.p_WC;
    cell.outward += weight * c.normal_W;
    (c.mode == ContactMode::Slip ? cell.slipping : cell.sticking) += weight;
    cell.normal += std::max(c.normalForce(), 0.0);
  }
  std::vector<FrictionCell> list;
  for (auto& [key, cell] : cells) {
    if (!(cell.weight() > 0)) continue;
    cell.center /= cell.weight();
    list.push_back(cell);
  }
  return list;
}

/// Friction that is next to nothing beside the normal force is not worth a long stroke.
constexpr double kLittleFriction = 0.1;

/// What the longest stroke stands for [N].
double longestOf(const std::vector<FrictionCell>& cells) {
  double longest = 0;
  for (const FrictionCell& cell : cells)
    longest = std::max({longest, cell.friction.norm(), kLittleFriction * cell.normal});
  return longest;
}

void FootprintDrawing::addStrokes(int index, float reach) {
  const PairForce& force = view(index).force;
  double side =
      std::max(kStrokePixels * metresPerPixel(input_, force.centerOfPressure), kStrokeExtent * force.extent);
  if (force.pair.deformable >= 0)
    side = std::max(
        side, kStrokeSpacings *
                  input_.model->deformables[static_cast<std::size_t>(force.pair.deformable)].particleSpacing);
  side = std::exp2(std::ceil(2 * std::log2(side)) / 2);
  const std::vector<FrictionCell> cells = frictionCells(index, side);
  const double longest = longestOf(cells);
  for (const FrictionCell& cell : cells) {
    const double part = longest > 0 ? cell.friction.norm() / longest : 0;
    if (part > kShortestStroke)
      addStroke(cell, kLongestStroke * side * part, reach, force.pair.deformable >= 0);
  }
}

void FootprintDrawing::addStroke(const FrictionCell& cell, double length, float reach, bool oneSided) {
  const Vec3 along = length / cell.friction.norm() * cell.friction;
  Stroke stroke;
  stroke.from = (cell.center - along / 2).cast<float>();
  stroke.to = (cell.center + along / 2).cast<float>();
  stroke.color = append(linear(frictionColor(cell.slips())), 1);
  stroke.reach = reach;
  stroke.foot = cell.slips() ? StrokeFoot::Ring : StrokeFoot::Disc;
  if (oneSided) stroke.normal = cell.outward.normalized().cast<float>();
  parts_.strokes.push_back(stroke);
}

/// One looks at its back, or asks for it.
bool FootprintDrawing::wantsInset(const PairView& shown, const Vec3& outward_W) const {
  if (shown.selected) return true;
  return outward_W.dot(input_.camera.eye() - shown.force.centerOfPressure) < 0;
}

void FootprintDrawing::addInset(int index, const PaintedSurface& painted,
                                const std::vector<FrictionCell>& cells) {
  const Geometry& g = input_.model->geometries[static_cast<std::size_t>(painted.geometry)];
  const Pose X_GW = poseOf(painted.geometry).inverse();
  const Unrolling unrolling(g.shape, painted.outward.normalized(), X_GW.R * Vec3::UnitZ());
  FootprintInset inset = unrolling.inset(painted, paintsDepth() ? painted.depth : painted.pressure);
  if (inset.triangles.empty()) return;
  inset.title = pairName(*input_.model, view(index).force.pair);
  const double longest = longestOf(cells);
  const double side = 0.08 * static_cast<double>(inset.box.diagonal().norm());
  for (const FrictionCell& cell : cells) {
    const double part = longest > 0 ? cell.friction.norm() / longest : 0;
    if (part <= kShortestStroke) continue;
    const Vec3 from = X_GW * cell.center,
               along = side * part / cell.friction.norm() * (X_GW.R * cell.friction);
    inset.strokes.push_back({unrolling.at(from - along / 2), unrolling.at(from + along / 2), cell.slips()});
  }
  parts_.insets.push_back(std::move(inset));
}

/// All surfaces share one scale, so that colours compare.
void FootprintDrawing::finish() {
  float largest = 0;
  for (const PatchSurface& patch : parts_.patches)
    for (const Eigen::Vector4f& v : patch.triangles) largest = std::max(largest, v.w());
  const double top = roundUp125(static_cast<double>(largest));
  if (!(top > 0)) return;
  for (PatchSurface& patch : parts_.patches)
    for (Eigen::Vector4f& v : patch.triangles) v.w() /= static_cast<float>(top);
  for (FootprintInset& inset : parts_.insets)
    for (FootprintInset::Vertex& v : inset.triangles) v.value /= static_cast<float>(top);
  const Unit unit = paintsDepth() ? Unit{"mm", 1e-3} : pressureUnit(top);
  parts_.pressureBar = {paintsDepth() ? "contact depth" : "contact pressure", unit.name, 0, top / unit.size};
  parts_.pressureBar.map = input_.options.colorMap;
}

}  // namespace

void addFootprints(const FrameInput& input, FootprintCache& cache, ContactParts& parts) {
  cache.setModel(input.model);
  FootprintDrawing drawing(input, cache, parts);
  for (std::size_t i = 0; i < parts.pairs.size(); ++i)
    if (parts.pairs[i].footprint) drawing.addPair(static_cast<int>(i));
  drawing.finish();
}

}  // namespace slipstick::render
