#include "engine/model/frozen_motion.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "engine/geometry/shape_bounds.h"
#include "engine/multibody/kinematics.h"
#include "engine/multibody/mobility.h"

namespace slipstick {
namespace {

using multibody::Mat6;

constexpr double kTangential = 0.5;  // of the stiffness along the normal

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// A deformable as what presses.
struct Pad {
  double face = 0;       ///< the largest area that it can be pressed on [m²]
  double thickness = 0;  ///< L [m]
  double spacing = 0;    ///< d_p [m]
  double modulus = 0;    ///< E; of a liquid K [Pa]
  double impedance = 0;  ///< ρ c [Pa s/m]

  /// Of a patch of this area against contacts of k [N/m].
  double stiffness(double area, double k, double dt) const {
    const double contacts = k / (spacing * spacing);
    const double inside = std::max(modulus / std::min(thickness, std::sqrt(area)), impedance / dt);
    return area / (1 / contacts + 1 / inside);
  }
};

Pad padOf(const Model& model, const Deformable& d) {
  Eigen::AlignedBox3d box;
  if (d.begin == d.end) return {};
  for (int p = d.begin; p < d.end; ++p) box.extend(model.nodes.x[at(p)]);
  // Particles stand in the middle of what they fill.
  std::array<double, 3> size{};
  for (int axis = 0; axis < 3; ++axis) size[at(axis)] = box.sizes()[axis] + d.spacing;
  std::sort(size.begin(), size.end());
  return {.face = size[1] * size[2],
          .thickness = size[0],
          .spacing = d.spacing,
          .modulus = d.material.contactModulus(),
          .impedance = d.material.density * d.material.waveSpeed()};
}

/// What touches particles of bodies that fixed joints join, as boxes along the axes of the first one.
struct Group {
  Eigen::AlignedBox3d bounds;     ///< in its frame
  Vec3 covered = Vec3::Zero();    ///< per axis: what its shapes cover, seen along it [m²]
  std::vector<double> stiffness;  ///< per deformable: k of its stiffest contact; 0: they do not meet
};

double across(const Eigen::AlignedBox3d& box, int axis) {
  return box.sizes()[(axis + 1) % 3] * box.sizes()[(axis + 2) % 3];
}

/// A plane reaches as far as whatever lies on it.
Eigen::AlignedBox3d boundsOf(const Geometry& geometry, const Pose& X_FG, double reach) {
  const Eigen::AlignedBox3d box = roughBounds(geometry.shape, X_FG);
  if (!box.isEmpty()) return box;
  return {X_FG.p - Vec3::Constant(reach / 2), X_FG.p + Vec3::Constant(reach / 2)};
}

std::vector<Group> groupsOf(const Model& model, const std::vector<Pose>& X_WB, double reach) {
  std::vector<Group> groups(model.tree.bodies.size());
  for (std::size_t g = 0; g < model.geometries.size(); ++g) {
    const Geometry& geometry = model.geometries[g];
    const std::size_t first = at(model.compositeOf[at(geometry.body)]);
    if (first == 0) continue;
    Group& group = groups[first];
    group.stiffness.resize(model.deformables.size(), 0);
    bool touches = false;
    for (std::size_t d = 0; d < model.deformables.size(); ++d) {
      const ContactLaw& law = model.contactLaw(d, g);
      if (!law.enabled) continue;
      touches = true;
      group.stiffness[d] = std::max(group.stiffness[d], law.stiffness);
    }
    if (!touches) continue;
    const Eigen::AlignedBox3d box =
        boundsOf(geometry, X_WB[first].inverse() * X_WB[at(geometry.body)] * geometry.X_BG, reach);
    group.bounds.extend(box);
    for (int axis = 0; axis < 3; ++axis) group.covered[axis] += across(box, axis);
  }
  return groups;
}

/// Σ Jᵀ K J over a patch of a face, about the body's origin: by Gauss points, exact for a rectangle.
Mat6 stiffnessOf(const Vec3& middle, const Vec3& halfA, const Vec3& halfB, double normal) {
  const Vec3 n = halfA.cross(halfB).normalized();
  const Mat3 K = normal / 4 * (kTangential * Mat3::Identity() + (1 - kTangential) * n * n.transpose());
  const double gauss = 1 / std::sqrt(3.0);
  Mat6 sum = Mat6::Zero();
  for (const double a : {-gauss, gauss})
    for (const double b : {-gauss, gauss}) {
      Eigen::Matrix<double, 3, 6> J;
      J << -skew(middle + a * halfA + b * halfB), Mat3::Identity();
      sum += J.transpose() * K * J;
    }
  return sum;
}

/// The largest eigenvalue of Ω K, for the square root of the mobility Ω.
double largestRate(const Mat6& root, const Mat6& K) {
  return Eigen::SelfAdjointEigenSolver<Mat6>(root * K * root, Eigen::EigenvaluesOnly).eigenvalues()[5];
}

/// What is pressed on a face: the stiffest pads, as many as find room.
struct Patch {
  double area = 0, stiffness = 0;  ///< [m²], [N/m]
  int deformable = -1;             ///< the stiffest per area
};

Patch patchOf(const std::vector<Pad>& pads, const Group& group, double room, double dt) {
  struct Pressed {
    double perArea = 0;  // [Pa/m]
    std::size_t pad = 0;
  };
  std::vector<Pressed> pressed;
  for (std::size_t d = 0; d < pads.size(); ++d) {
    const double area = std::min(room, pads[d].face);
    if (!(group.stiffness[d] > 0) || !(area > 0)) continue;
    const double perArea = pads[d].stiffness(area, group.stiffness[d], dt) / area;
    if (std::isfinite(perArea)) pressed.push_back({perArea, d});
  }
  std::sort(pressed.begin(), pressed.end(),
            [](const Pressed& a, const Pressed& b) { return a.perArea > b.perArea; });
  Patch patch;
  for (const Pressed& p : pressed) {
    const double taken = std::min(room - patch.area, pads[p.pad].face);
    if (!(taken > 0)) break;
    if (patch.deformable < 0) patch.deformable = static_cast<int>(p.pad);
    patch.area += taken;
    patch.stiffness += taken * p.perArea;
  }
  return patch;
}

struct Search {
  const Model& model;
  std::vector<Pad> pads;
  std::vector<Pose> X_WB;
  FrozenMotion worst;

  void addGroup(std::size_t body, const Group& group, const Mat6& mobility);
  void addFace(std::size_t body, const Group& group, int axis, const Mat6& root);
};

/// Tries the middle and the corners of a face and its opposite, where a patch of it may be pressed.
void Search::addFace(std::size_t body, const Group& group, int axis, const Mat6& root) {
  const double whole = across(group.bounds, axis), dt = model.time.dt;
  if (!(whole > 0)) return;
  const Patch patch = patchOf(pads, group, std::min(whole, group.covered[axis]), dt);
  if (!(patch.stiffness > 0)) return;
  const Mat3& R = X_WB[body].R;
  const Vec3 half = 0.5 * group.bounds.sizes();
  const double part = std::sqrt(patch.area / whole);
  const int a = (axis + 1) % 3, b = (axis + 2) % 3;
  constexpr std::array<std::array<int, 2>, 5> kPlaces = {{{0, 0}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};
  for (const double side : {-1.0, 1.0})
    for (const auto& [u, v] : kPlaces) {
      Vec3 middle = group.bounds.center();
      middle[axis] += side * half[axis];
      middle[a] += u * (1 - part) * half[a];
      middle[b] += v * (1 - part) * half[b];
      const Mat6 K =
          stiffnessOf(R * middle, part * half[a] * R.col(a), part * half[b] * R.col(b), patch.stiffness);
      // The trace is no less than the largest eigenvalue, and cheap.
      if (dt * dt * (root * K * root).trace() <= worst.share) continue;
      const double share = dt * dt * largestRate(root, K);
      if (share > worst.share) worst = {static_cast<int>(body), patch.deformable, share};
    }
}

void Search::addGroup(std::size_t body, const Group& group, const Mat6& mobility) {
  if (group.bounds.isEmpty() || mobility.isZero(0)) return;
  const Eigen::SelfAdjointEigenSolver<Mat6> eigen(0.5 * (mobility + mobility.transpose()));
  // Directions in which it cannot move come out as a little more or less than 0.
  const Mat6 root = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal() *
                    eigen.eigenvectors().transpose();
  for (int axis = 0; axis < 3; ++axis) addFace(body, group, axis, root);
}

/// What joints resist within a step beside their inertia, per velocity: their dampers, springs and drives.
struct Resistance {
  const multibody::Tree& tree;
  double dt = 0;
  VecX added;

  void add(int joint, double kp, double kd) {
    const multibody::Joint& j = tree.joints[at(joint)];
    added.segment(j.vStart, multibody::velocityCount(j.type)).array() += dt * (kd + dt * kp);
  }
  void add(const std::vector<int>& joints, const std::vector<double>& kp, const std::vector<double>& kd) {
    for (std::size_t i = 0; i < joints.size(); ++i) add(joints[i], kp[i], kd[i]);
  }
  void operator()(const EndEffectorPath& c) { add(c.joints, c.kp, c.kd); }
  void operator()(const JointPath& c) {
    if (!c.isGripper) add(c.joints, c.kp, c.kd);
  }
  void operator()(const JointVelocity& c) { add(c.joint, 0, c.kd); }
  void operator()(const JointEffort&) {}
  void operator()(const LinkForce&) {}
};

VecX resistanceOf(const Model& model) {
  Resistance resistance{model.tree, model.time.dt, VecX::Zero(model.tree.nv)};
  for (std::size_t j = 0; j < model.tree.joints.size(); ++j)
    resistance.add(static_cast<int>(j), model.tree.joints[j].stiffness, model.tree.joints[j].damping);
  for (const Controller& controller : model.controllers) std::visit(std::ref(resistance), controller);
  return resistance.added;
}

}  // namespace

FrozenMotion worstFrozenMotion(const Model& model) {
  Search search{model, {}, {}, {}};
  if (model.deformables.empty() || model.tree.nv == 0) return {};
  double reach = 0;
  for (const Deformable& d : model.deformables) {
    search.pads.push_back(padOf(model, d));
    reach = std::max(reach, std::sqrt(search.pads.back().face));
  }
  multibody::computePoses(model.tree, model.initialQ, search.X_WB);
  std::vector<char> isPrescribed(model.tree.joints.size(), 0);
  for (const PrescribedMotion& motion : model.prescribed) isPrescribed[at(motion.joint)] = 1;
  const std::vector<Mat6> mobility =
      multibody::mobilities(model.tree, search.X_WB, isPrescribed, resistanceOf(model));
  const std::vector<Group> groups = groupsOf(model, search.X_WB, reach);
  for (std::size_t body = 1; body < groups.size(); ++body)
    search.addGroup(body, groups[body], mobility[body]);
  return search.worst;
}

}  // namespace slipstick
