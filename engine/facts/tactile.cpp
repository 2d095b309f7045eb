#include "engine/facts/tactile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/facts/contact_pair.h"
#include "engine/geometry/shape_bounds.h"
#include "engine/multibody/kinematics.h"

namespace slipstick {
namespace {

/// Shapes whose fronts lie within this of the foremost one make the face together [m].
constexpr double kFlush = 1e-3;
/// Parts of the way from open to closed between which it is seen where a finger goes.
constexpr double kBefore = 0.45, kAfter = 0.55;

/// With the fingers at a part of their way from open, 0, to closed, 1.
std::vector<Pose> posesAt(const Model& model, const Gripper& gripper, double closing) {
  VecX q = model.initialQ;
  for (std::size_t i = 0; i < gripper.joints.size(); ++i)
    q[model.tree.joints[static_cast<std::size_t>(gripper.joints[i])].qStart] =
        gripper.open[i] + closing * (gripper.closed[i] - gripper.open[i]);
  for (const multibody::Joint& joint : model.tree.joints)
    if (joint.mimic >= 0)
      q[joint.qStart] =
          joint.mimicRatio * q[model.tree.joints[static_cast<std::size_t>(joint.mimic)].qStart] +
          joint.mimicOffset;
  std::vector<Pose> X_WB;
  multibody::computePoses(model.tree, q, X_WB);
  return X_WB;
}

/// Per body, whether a joint of the gripper moves it, or one that follows such a joint.
std::vector<char> fingersOf(const Model& model, const Gripper& gripper) {
  const auto isDriven = [&](int joint) {
    return std::find(gripper.joints.begin(), gripper.joints.end(), joint) != gripper.joints.end();
  };
  std::vector<char> isFinger(model.tree.bodies.size(), 0);
  for (std::size_t body = 1; body < isFinger.size(); ++body) {  // parents come first
    const auto joint = static_cast<int>(body) - 1;
    isFinger[body] = isFinger[static_cast<std::size_t>(model.tree.parentOf(static_cast<int>(body)))] ||
                     isDriven(joint) || isDriven(model.tree.joints[static_cast<std::size_t>(joint)].mimic);
  }
  return isFinger;
}

/// How a finger goes, in its own frame.
struct FingerWay {
  Vec3 closes;  ///< the way of its middle against what carries it
  Vec3 away;    ///< from the joint of what carries it to its middle
};

/// The fingers of a gripper on their way from open to closed; everything else is as it starts.
class FingerMotion {
 public:
  FingerMotion(const Model& model, const Gripper& gripper)
      : tree_(model.tree),
        before_(posesAt(model, gripper, kBefore)),
        after_(posesAt(model, gripper, kAfter)),
        isFinger_(fingersOf(model, gripper)) {}

  bool isFinger(int body) const { return isFinger_[static_cast<std::size_t>(body)] != 0; }
  /// Against the first body towards the hand that it moves against: a bent finger closes each of its links about a joint
  /// of their own. None where it is open where it is closed.
  std::optional<FingerWay> wayOf(int body, const Vec3& middle) const {
    for (int carrier = tree_.parentOf(body);; carrier = tree_.parentOf(carrier)) {
      const Pose X_CB = relative(before_, carrier, body);
      const Vec3 from = X_CB * middle, way = relative(after_, carrier, body) * middle - from;
      if (!way.isZero(1e-9)) return FingerWay{X_CB.R.transpose() * way, X_CB.R.transpose() * from};
      if (!isFinger(carrier)) return std::nullopt;
    }
  }

 private:
  static Pose relative(const std::vector<Pose>& X_WB, int carrier, int body) {
    return X_WB[static_cast<std::size_t>(carrier)].inverse() * X_WB[static_cast<std::size_t>(body)];
  }

  const multibody::Tree& tree_;
  std::vector<Pose> before_, after_;
  std::vector<char> isFinger_;
};

/// Of the shapes of a body, in its frame; planes have none.
std::vector<Eigen::AlignedBox3d> boxesOf(const Model& model, int body) {
  std::vector<Eigen::AlignedBox3d> boxes;
  for (const Geometry& geometry : model.geometries)
    if (geometry.body == body)
      if (const Eigen::AlignedBox3d box = roughBounds(geometry.shape, geometry.X_BG); !box.isEmpty())
        boxes.push_back(box);
  return boxes;
}

/// The axis of a frame, either way, that is nearest to a direction; unit.
Vec3 nearestAxis(const Vec3& direction) {
  Eigen::Index axis = 0;
  direction.cwiseAbs().maxCoeff(&axis);
  return Vec3::Unit(axis) * (direction[axis] < 0 ? -1 : 1);
}

double frontOf(const Eigen::AlignedBox3d& box, const Vec3& outward) {
  return box.center().dot(outward) + (box.sizes() / 2).dot(outward.cwiseAbs());
}

TactilePad padOf(int body, const std::vector<Eigen::AlignedBox3d>& boxes, const FingerWay& way) {
  const Vec3 z = nearestAxis(way.closes);
  const Vec3 y = nearestAxis(way.away - way.away.dot(z) * z);
  double foremost = -std::numeric_limits<double>::infinity();
  for (const Eigen::AlignedBox3d& box : boxes) foremost = std::max(foremost, frontOf(box, z));
  Eigen::AlignedBox3d face;
  for (const Eigen::AlignedBox3d& box : boxes)
    if (frontOf(box, z) > foremost - kFlush) face.extend(box);
  TactilePad pad;
  pad.body = body;
  pad.X_BP.R << y.cross(z), y, z;
  pad.X_BP.p = face.center() + (foremost - face.center().dot(z)) * z;
  pad.width = face.sizes().dot(pad.X_BP.R.col(0).cwiseAbs());
  pad.height = face.sizes().dot(y.cwiseAbs());
  return pad;
}

std::size_t cellAt(double along, double length) {
  if (!(length > 0)) return 0;
  constexpr int kSide = TactileImage::kSide;
  return static_cast<std::size_t>(std::clamp(std::floor((along / length + 0.5) * kSide), 0.0, kSide - 1.0));
}

}  // namespace

std::vector<TactilePad> tactilePads(const Model& model, const Effector& effector) {
  std::vector<TactilePad> pads;
  if (effector.gripper.joints.empty()) return pads;
  const FingerMotion motion(model, effector.gripper);
  for (std::size_t body = 1; body < model.tree.bodies.size(); ++body) {
    const std::vector<Eigen::AlignedBox3d> boxes = boxesOf(model, static_cast<int>(body));
    if (!motion.isFinger(static_cast<int>(body)) || boxes.empty()) continue;
    Eigen::AlignedBox3d whole;
    for (const Eigen::AlignedBox3d& box : boxes) whole.extend(box);
    if (const auto way = motion.wayOf(static_cast<int>(body), whole.center()))
      pads.push_back(padOf(static_cast<int>(body), boxes, *way));
  }
  return pads;
}

TactileImage tactileImage(const TactilePad& pad, const std::vector<Contact>& contacts,
                          const std::vector<Pose>& X_WB) {
  TactileImage image;
  for (auto& row : image.cells) row.fill(Vec3::Zero());
  const Pose X_WP = X_WB[static_cast<std::size_t>(pad.body)] * pad.X_BP;
  const Pose X_PW = X_WP.inverse();
  for (const Contact& contact : contacts) {
    if (contact.a.body != pad.body && contact.b.body != pad.body) continue;
    const Vec3 f_P = X_PW.R * (signOn({pad.body, -1}, contact) * contact.f_Bc_W);
    const Vec3 p_PC = X_PW * contact.p_WC;
    image.cells[cellAt(-p_PC.y(), pad.height)][cellAt(p_PC.x(), pad.width)] +=
        Vec3(-f_P.z(), f_P.x(), f_P.y());
  }
  return image;
}

}  // namespace slipstick
