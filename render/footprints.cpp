#include "render/footprints.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "engine/geometry/shape_bounds.h"
#include "render/contact_arrows.h"
#include "render/footprint_inset.h"
#include "render/force_words.h"
#include "render/patch_surfaces.h"

namespace slipstick::render {
namespace {

/// Of the disc that a rigid point presses on, in the smaller of the two bodies [-].
constexpr double kDisc = 0.03;
/// Sides of the cells that friction is summed over [logical px], [particle spacings], and of the pair's
/// extent.
constexpr double kStrokePixels = 15, kStrokeSpacings = 1.5, kStrokeExtent = 0.04;
constexpr double kInsetStrokeExtent = 0.06;                     // the same, of insets
constexpr double kLongestStroke = 0.9, kShortestStroke = 0.08;  // in the cell, and of the longest

/// About the size of the smaller of the two bodies that touch.
double smallerBody(const Model& model, const ContactPair& pair) {
  double least = 1e9;
  for (const Geometry& g : model.geometries) {
    if (!pair.hasBody(g.body)) continue;
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

/// A contact surface or disc between two bodies that was painted.
struct RigidPiece {
  std::size_t patch = 0;        ///< into ContactParts::patches
  std::vector<int> contacts;    ///< into Snapshot::contacts
  Vec3 outward = Vec3::Zero();  ///< Σ N · normal of the shown side [N]
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
  void addBetweenSoft(int index);
  void addRigid(int index);
  void addSurface(const PaintedSurface& painted, float reach);
  void addDisc(int index, const Contact& c, double radius);
  void addPatch(int index, int patch);
  void addStrokes(int index, float reach);
  std::vector<FrictionCell> frictionCells(const PairSide& on, const std::vector<int>& contacts,
                                          double side) const;
  void addStroke(const FrictionCell& cell, double length, float reach, bool oneSided);
  void addSoftInset(int index, const PaintedSurface& painted);
  void addRigidInset(int index, const std::vector<RigidPiece>& pieces);
  void addInset(int index, FootprintInset inset, const Unrolling& unrolling, const Pose& X_GW,
                const std::vector<FrictionCell>& cells);
  Vec3 upwardsIn(int body, const Vec3& normal) const;
  bool mayHaveInset(const PairView& view) const;
  bool isTurnedAway(const PairView& view, const Vec3& outward_W) const;

  const FrameInput& input_;
  FootprintCache& cache_;
  ContactParts& parts_;
};

void FootprintDrawing::addPair(int index) {
  const ContactPair& pair = view(index).force.pair;
  if (pair.isSoft())
    addBetweenSoft(index);
  else if (pair.isRigid())
    addRigid(index);
  else
    addSoft(index);
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
  const float reach = softReach(input_, force.pair.b.deformable);
  std::set<int> geometries;
  for (const int i : force.contacts) geometries.insert(contact(i).a.geometry);
  std::vector<int> lost;
  PaintedSurface main;
  for (const int geometry : geometries) {
    PaintedSurface painted = paintParticles(input_, cache_, force, geometry, lost);
    painted.pair = index;
    parts_.pairs[static_cast<std::size_t>(index)].footprintForce += painted.force;
    addSurface(painted, reach);
    if (painted.force > main.force) main = std::move(painted);
  }
  const double spacing = particleSpacing(*input_.model, force.pair);
  for (const int i : lost) addDisc(index, contact(i), spacing);
  addStrokes(index, reach);
  const bool asked =
      mayHaveInset(view(index)) &&
      (view(index).selected || isTurnedAway(view(index), poseOf(main.geometry).R * main.outward));
  if (asked && !main.points.empty()) addSoftInset(index, main);
}

/// Neither side has a surface to paint on: each contact presses on a disc.
void FootprintDrawing::addBetweenSoft(int index) {
  const PairForce& force = view(index).force;
  const double spacing = particleSpacing(*input_.model, force.pair);
  for (const int i : force.contacts)
    if (contact(i).normalForce() > 0) addDisc(index, contact(i), spacing);
  addStrokes(index, softReach(input_, force.pair.a.deformable));
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
  std::map<int, RigidPiece> surfaces;
  std::vector<RigidPiece> pieces;
  const auto outwardOf = [&](const Contact& c) -> Vec3 {
    return std::max(c.normalForce(), 0.0) * signOn(shown.force.side, c) * c.normal_W;
  };
  for (const int i : shown.force.contacts) {
    const Contact& c = contact(i);
    if (patchOf(*input_.snapshot, c) != nullptr) {
      surfaces[c.patch].contacts.push_back(i);
      surfaces[c.patch].outward += outwardOf(c);
    } else if (c.normalForce() > 0) {
      pieces.push_back({parts_.patches.size(), {i}, outwardOf(c)});
      addDisc(index, c, radius);
    }
  }
  for (auto& [patch, piece] : surfaces) {
    piece.patch = parts_.patches.size();
    addPatch(index, patch);
    pieces.push_back(std::move(piece));
  }
  addStrokes(index, surfaces.empty() ? 0.f : parts_.patches.back().reach);
  if (mayHaveInset(shown)) addRigidInset(index, pieces);
}

void FootprintDrawing::addPatch(int index, int patch) {
  PatchSurface surface = patchSurface(input_, patch, paintsDepth());
  surface.pair = index;
  surface.selected = view(index).selected;
  surface.map = input_.options.colorMap;
  if (view(index).selected || std::holds_alternative<SelectedBody>(input_.selection))
    surface.reach = kEverywhere;
  parts_.pairs[static_cast<std::size_t>(index)].footprintForce +=
      forceOf(input_.snapshot->patches[static_cast<std::size_t>(patch)]);
  parts_.patches.push_back(std::move(surface));
}

/// A cone of pressure over a polygon: the volume under it is the force.
void FootprintDrawing::addDisc(int index, const Contact& c, double radius) {
  constexpr int kCorners = 24;
  const double turn = 2 * std::numbers::pi / kCorners;
  const double area = 0.5 * kCorners * radius * radius * std::sin(turn);
  const double top = paintsDepth() ? c.penetration() : 3 * c.normalForce() / area;
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

/// Of these contacts, as they act on a side.
std::vector<FrictionCell> FootprintDrawing::frictionCells(const PairSide& on,
                                                          const std::vector<int>& contacts,
                                                          double side) const {
  using Key = std::pair<int, std::array<int, 3>>;
  std::map<Key, FrictionCell> cells;
  for (const int i : contacts) {
    const Contact& c = contact(i);
    const Vec3 friction = signOn(on, c) * c.frictionForce();
    const Vec3 p_G = frameOf(*input_.model, *input_.snapshot, c.a).inverse() * c.p_WC;
    Key key{c.a.geometry, {}};
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
  side = std::max(side, kStrokeSpacings * particleSpacing(*input_.model, force.pair));
  side = std::exp2(std::ceil(2 * std::log2(side)) / 2);
  const std::vector<FrictionCell> cells = frictionCells(force.side, force.contacts, side);
  const double longest = longestOf(cells);
  for (const FrictionCell& cell : cells) {
    const double part = longest > 0 ? cell.friction.norm() / longest : 0;
    if (part > kShortestStroke)
      addStroke(cell, kLongestStroke * side * part, reach, force.pair.a.isRigid() && force.pair.b.isSoft());
  }
}

void FootprintDrawing::addStroke(const FrictionCell& cell, double length, float reach, bool oneSided) {
  const Vec3 along = length / cell.friction.norm() * cell.friction;
  Stroke stroke;
  stroke.from = (cell.center - along / 2).cast<float>();
  stroke.to = (cell.center + along / 2).cast<float>();
  stroke.color = append(linear(input_.options.tokens().friction(cell.slips())), 1);
  stroke.reach = reach;
  stroke.foot = cell.slips() ? StrokeFoot::Ring : StrokeFoot::Disc;
  if (oneSided) stroke.normal = cell.outward.normalized().cast<float>();
  parts_.strokes.push_back(stroke);
}

/// Only who asks gets cards: nobody wants the arrow covered that he is about to click.
bool FootprintDrawing::mayHaveInset(const PairView& shown) const {
  return shown.selected || input_.options.contactView == ContactView::Footprints;
}

bool FootprintDrawing::isTurnedAway(const PairView& shown, const Vec3& outward_W) const {
  return outward_W.dot(input_.camera.eye() - shown.force.centerOfPressure) < 0;
}

void FootprintDrawing::addSoftInset(int index, const PaintedSurface& painted) {
  const PairForce& force = view(index).force;
  const Geometry& g = input_.model->geometries[static_cast<std::size_t>(painted.geometry)];
  const Pose X_GW = poseOf(painted.geometry).inverse();
  const Unrolling unrolling(g.shape, painted.outward.normalized(), X_GW.R * Vec3::UnitZ());
  FootprintInset inset = unrolling.inset(painted, paintsDepth() ? painted.depth : painted.pressure);
  inset.force = painted.force;
  const double spacing = particleSpacing(*input_.model, force.pair);
  const double side = std::max(kStrokeSpacings * spacing, kInsetStrokeExtent * force.extent);
  addInset(index, std::move(inset), unrolling, X_GW, frictionCells(force.side, force.contacts, side));
}

/// Pieces that face about as the one that bears most, seen in their mean plane from the side of the eye.
void FootprintDrawing::addRigidInset(int index, const std::vector<RigidPiece>& pieces) {
  constexpr double kAgrees = 0.7;   // cosine between the normals of two pieces
  constexpr double kFinest = 1e-3;  // of the cells of friction [m]
  const PairForce& force = view(index).force;
  Vec3 most = Vec3::Zero(), outward = Vec3::Zero();
  for (const RigidPiece& piece : pieces)
    if (piece.outward.norm() > most.norm()) most = piece.outward;
  const auto agrees = [&most](const RigidPiece& piece) {
    return piece.outward.dot(most) > kAgrees * piece.outward.norm() * most.norm();
  };
  FootprintInset inset;
  inset.how = "in its plane";
  inset.fades = std::all_of(pieces.begin(), pieces.end(), [&](const RigidPiece& piece) {
    return !agrees(piece) || parts_.patches[piece.patch].fades;
  });
  for (const RigidPiece& piece : pieces)
    if (agrees(piece)) outward += piece.outward;
  if (!(outward.norm() > 0)) return;
  outward *= (isTurnedAway(view(index), outward) ? -1 : 1) / outward.norm();
  const Unrolling plane(outward, upwardsIn(force.side.body, outward));
  std::vector<int> contacts;
  for (const RigidPiece& piece : pieces) {
    if (!agrees(piece)) continue;
    plane.add(parts_.patches[piece.patch], inset);
    contacts.insert(contacts.end(), piece.contacts.begin(), piece.contacts.end());
  }
  for (const int i : contacts) inset.force += std::max(contact(i).normalForce(), 0.0);
  const double side = std::max(kFinest, kInsetStrokeExtent * force.extent);
  addInset(index, std::move(inset), plane, Pose{}, frictionCells(force.side, contacts, side));
}

/// What is upwards in a plane: the world's up where it stands; where it lies, the axis of the body that is
/// upwards most in the picture, so that the plane is seen about as there, and turns with the body.
Vec3 FootprintDrawing::upwardsIn(int body, const Vec3& normal) const {
  constexpr double kStands = 0.8, kInPlane = 0.5;
  if (std::abs(normal.z()) < kStands) return Vec3::UnitZ();
  const Vec3 cameraUp = input_.camera.view().row(1).head<3>().transpose().cast<double>();
  const Mat3& R_WB = input_.snapshot->X_WB[static_cast<std::size_t>(body)].R;
  Vec3 best = Vec3::UnitY();
  double most = -1;
  for (int k = 0; k < 6; ++k) {
    const Vec3 axis = (k % 2 ? -1 : 1) * R_WB.col(k / 2);
    const Vec3 flat = axis - axis.dot(normal) * normal;
    const double up = flat.normalized().dot(cameraUp);
    if (!(flat.norm() > kInPlane) || up <= most) continue;
    most = up;
    best = flat;
  }
  return best;
}

/// @param X_GW  into the frame that is unrolled
void FootprintDrawing::addInset(int index, FootprintInset inset, const Unrolling& unrolling, const Pose& X_GW,
                                const std::vector<FrictionCell>& cells) {
  if (inset.triangles.empty()) return;
  inset.title = pairName(*input_.model, view(index).force.pair);
  inset.pairForce = view(index).force.normalSum;
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
  // What is selected sets the scale: beside stiff fingers the pressure of water would not be seen.
  const auto isSelected = [this](const PatchSurface& patch) { return view(patch.pair).selected; };
  const bool any = std::any_of(parts_.patches.begin(), parts_.patches.end(), isSelected);
  float largest = 0;
  for (const PatchSurface& patch : parts_.patches)
    for (const Eigen::Vector4f& v : patch.triangles)
      if (!any || isSelected(patch)) largest = std::max(largest, v.w());
  const double top = roundUp125(static_cast<double>(largest));
  if (!(top > 0)) return parts_.insets.clear();
  const Unit unit = paintsDepth() ? Unit{"mm", 1e-3} : pressureUnit(top);
  for (PatchSurface& patch : parts_.patches)
    for (Eigen::Vector4f& v : patch.triangles) v.w() /= static_cast<float>(top);
  for (FootprintInset& inset : parts_.insets) {
    float peak = 0;
    for (FootprintInset::Vertex& v : inset.triangles) {
      peak = std::max(peak, v.value);
      v.value /= static_cast<float>(top);
    }
    const Unit own = paintsDepth() ? unit : pressureUnit(static_cast<double>(peak));
    inset.peak = static_cast<double>(peak) / own.size;
    inset.peakUnit = own.name;
  }
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
