// Numbers, poses, paths and controllers of a written scene.
#include "assets/writer_parts.h"

#include <algorithm>
#include <cmath>

#include "assets/degree.h"
#include "assets/scene_tables.h"
#include "assets/scene_writer.h"
#include "assets/shipped.h"
#include "engine/foundation/number_text.h"
#include "engine/foundation/srgb.h"

namespace slipstick::assets {
namespace writer {
namespace {

constexpr int kAllDigits = 17;  // of a double

/// The first of more and more digits of a number that a test accepts.
template <class Test>
std::optional<double> shortestThat(double x, const Test& test) {
  for (int digits = 1; digits <= kAllDigits; ++digits) {
    const double rounded = parseNumber(significant(x, digits)).value_or(x);
    if (test(rounded)) return rounded;
  }
  double below = x, above = x;  // rounding may have gone past it
  for (int i = 0; i < 4; ++i) {
    below = std::nextafter(below, -INFINITY);
    above = std::nextafter(above, INFINITY);
    if (test(below)) return below;
    if (test(above)) return above;
  }
  return std::nullopt;
}

Vec3 rounded(const Vec3& v, int digits) {
  return v.unaryExpr([digits](double x) {
    const double scale = std::pow(10.0, digits);
    return std::round(x * scale) / scale;
  });
}

/// Roll, pitch and yaw in degrees that give a rotation to the last bit; nothing where none are found.
template <class Test>
std::optional<Vec3> anglesThat(const Mat3& R, const Test& test) {
  const double pitch = std::asin(std::clamp(-R(2, 0), -1.0, 1.0));
  const Vec3 usual(std::atan2(R(2, 1), R(2, 2)), pitch, std::atan2(R(1, 0), R(0, 0)));
  const Vec3 upright(0, pitch, std::atan2(-R(0, 1), R(1, 1)));  // where roll and yaw turn about one axis
  for (int digits = 0; digits <= 12; ++digits)
    for (const Vec3& angles : {usual, upright}) {
      // −0 and −180° are other bits than 0 and 180°.
      Vec3 degrees = rounded(angles / kDegree, digits) + Vec3::Zero();
      for (int signs = 0; signs < 8; ++signs) {
        Vec3 turned = degrees;
        for (int axis = 0; axis < 3; ++axis)
          if ((signs >> axis & 1) != 0)
            turned[axis] = degrees[axis] == 0 ? 0 : degrees[axis] - std::copysign(360, degrees[axis]);
        if (test(turned)) return turned;
      }
    }
  return std::nullopt;
}

std::vector<double> rowsOf(const Mat3& R) {
  return {R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)};
}

void addGains(const PdGains& gains, const PdGains& usual, YamlOut& map) {
  const auto add = [&map](const char* key, const std::vector<double>& list,
                          const std::vector<double>& fallback) {
    if (list == fallback) return;
    map.add(key, list.size() == 1 ? YamlOut::number(list[0]) : YamlOut::numbers(list));
  };
  add("kp", gains.kp, usual.kp);
  add("kd", gains.kd, usual.kd);
}

YamlOut words(const std::vector<std::string>& texts) {
  YamlOut::List items;
  for (const std::string& text : texts) items.push_back(YamlOut::text(text));
  return YamlOut::list(std::move(items));
}

struct WriteController {
  YamlOut operator()(const EndEffectorPathSpec& spec) const {
    YamlOut map = of("end_effector_path", spec.robot);
    map.add("link", YamlOut::text(spec.link)).add("path", YamlOut::text(spec.path));
    addPose(spec.X_PathE, map);
    addGains(spec.gains, {}, map);
    return map;
  }
  YamlOut operator()(const JointPathSpec& spec) const {
    YamlOut map = of("joint_path", spec.robot);
    map.add("joints", words(spec.joints));
    addGains(spec.gains, {}, map);
    if (spec.interpolation != JointPathSpec().interpolation)
      map.add("interpolation", interpolation().write(spec.interpolation));
    YamlOut::List keys;
    for (const auto& key : spec.keys)
      keys.push_back(YamlOut().add("t", YamlOut::number(key.t)).add("q", YamlOut::numbers(key.q)));
    map.add("keys", YamlOut::list(std::move(keys)));
    return map;
  }
  YamlOut operator()(const JointEffortSpec& spec) const {
    YamlOut map = of("joint_effort", spec.robot);
    map.add("joint", YamlOut::text(spec.joint)).add("effort", YamlOut::number(spec.effort));
    addIf(map, "from", spec.from, 0);
    return map;
  }
  YamlOut operator()(const JointVelocitySpec& spec) const {
    YamlOut map = of("joint_velocity", spec.robot);
    map.add("joint", YamlOut::text(spec.joint)).add("velocity", YamlOut::number(spec.velocity));
    addIf(map, "kd", spec.kd, JointVelocitySpec().kd);
    addIf(map, "from", spec.from, 0);
    return map;
  }
  YamlOut operator()(const GripperSpec& spec) const {
    YamlOut map = of("gripper", spec.robot);
    if (!spec.joints.empty()) map.add("joints", words(spec.joints));
    addIf(map, "effort", spec.effort, GripperSpec().effort);
    addGains(spec.gains, GripperSpec().gains, map);
    YamlOut::List keys;
    for (const auto& key : spec.keys)
      keys.push_back(YamlOut().add("t", YamlOut::number(key.t)).add("opening", YamlOut::number(key.opening)));
    map.add("keys", YamlOut::list(std::move(keys)));
    return map;
  }
  YamlOut operator()(const LinkForceSpec& spec) const {
    YamlOut map;
    map.add("kind", YamlOut::text("force")).add("link", YamlOut::text(spec.link));
    if (!spec.point.isZero(0)) addVector(map, "point", spec.point);
    YamlOut::List keys;
    for (const auto& key : spec.keys) {
      YamlOut one;
      one.add("t", YamlOut::number(key.t));
      if (!key.force.isZero(0)) addVector(one, "force", key.force);
      if (!key.torque.isZero(0)) addVector(one, "torque", key.torque);
      keys.push_back(std::move(one));
    }
    map.add("keys", YamlOut::list(std::move(keys)));
    return map;
  }

  static YamlOut of(const char* kind, const std::string& robot) {
    YamlOut map;
    map.add("kind", YamlOut::text(kind)).add("robot", YamlOut::text(robot));
    return map;
  }
};

}  // namespace

void addIf(YamlOut& map, const std::string& key, double value, double usual) {
  if (value != usual) map.add(key, YamlOut::number(value));
}

void addIf(YamlOut& map, const std::string& key, YamlOut part) {
  if (!part.isEmpty()) map.add(key, std::move(part));
}

void addVector(YamlOut& map, const std::string& key, const Vec3& v) {
  map.add(key, YamlOut::numbers({v.x(), v.y(), v.z()}));
}

double inUnits(double value, double unit) {
  return shortestThat(value / unit, [&](double x) { return x * unit == value; }).value_or(value / unit);
}

YamlOut colorOf(const Color& color) {
  std::string hex = "#";
  bool isHex = color.w() == 1;
  for (int i = 0; i < 3; ++i) {
    const double srgb = srgbFromLinear(static_cast<double>(color[i]));
    const int byte = std::clamp(static_cast<int>(std::lround(srgb * 255)), 0, 255);
    isHex = isHex && static_cast<float>(linearFromSrgb(byte / 255.0)) == color[i];
    constexpr char kDigits[] = "0123456789ABCDEF";
    hex += {kDigits[byte / 16], kDigits[byte % 16]};
  }
  if (isHex) return YamlOut::text(hex);
  std::vector<double> parts;
  for (int i = 0; i < (color.w() == 1 ? 3 : 4); ++i)
    parts.push_back(*shortestThat(static_cast<double>(color[i]),
                                  [&](double x) { return static_cast<float>(x) == color[i]; }));
  return YamlOut::numbers(parts);
}

YamlOut seedOf(std::uint64_t seed) {
  return YamlOut::integer(static_cast<long long>(seed));
}

YamlOut loopOf(const LoopSpec& loop) {
  YamlOut map, a, b;
  writeKeys(loop, loopTable(), Turn::First, map);
  addPose(loop.X_LaA, a);
  addPose(loop.X_LbB, b);
  map.add("link_a", YamlOut::text(loop.linkA));
  addIf(map, "pose_a", std::move(a));
  map.add("link_b", YamlOut::text(loop.linkB));
  addIf(map, "pose_b", std::move(b));
  writeKeys(loop, loopTable(), Turn::Usual, map);
  return map;
}

YamlOut pathOf(const PathSpec& path) {
  YamlOut map;
  YamlOut::List keys;
  for (const PathSpec::Key& key : path.keys) {
    YamlOut one;
    one.add("t", YamlOut::number(key.t));
    if (!key.p.isZero(0)) addVector(one, "position", key.p);
    const auto angles = anglesThat(key.R.toRotationMatrix(), [&](const Vec3& degrees) {
      return Quat(Pose::fromRpy(degrees * kDegree, Vec3::Zero()).R).coeffs() == key.R.coeffs();
    });
    if (angles && !angles->isZero(0)) addVector(one, "rpy_deg", *angles);
    if (!angles) one.add("quaternion", YamlOut::numbers({key.R.w(), key.R.x(), key.R.y(), key.R.z()}));
    keys.push_back(std::move(one));
  }
  writeKeys(path, pathTable(), map);
  map.add("keys", YamlOut::list(std::move(keys)));
  return map;
}

YamlOut controllerOf(const ControllerSpec& controller) {
  return std::visit(WriteController{}, controller);
}

YamlOut effectorOf(const EffectorSpec& effector) {
  YamlOut map;
  writeKeys(effector, effectorTable(), Turn::First, map);
  addPose(effector.X_LE, map);
  writeKeys(effector, effectorTable(), Turn::Usual, map);
  return map;
}

Result<YamlOut> boundaryOf(const BoundarySpec& boundary, const std::filesystem::path& folder) {
  YamlOut map;
  writeKeys(boundary, boundaryTable(), Turn::First, map);
  if (Result<void> added = addShape(boundary.shape, nullptr, folder, boundary.name, map); !added)
    return added.error();
  addPose(boundary.X_WS, map);
  writeKeys(boundary, boundaryTable(), Turn::Usual, map);
  writeKeys(boundary, boundaryTable(), Turn::Later, map);
  writeKeys(boundary.look, lookTable(), map);
  return map;
}

std::string fileName(const std::filesystem::path& file, const std::string& written,
                     const std::filesystem::path& folder) {
  std::error_code ignored;
  const auto finds = [&](const std::string& name) {
    const Result<std::filesystem::path> found = resolveFile(name, folder, {});
    return found && std::filesystem::equivalent(*found, file, ignored);
  };
  if (!written.empty() && finds(written)) return written;
  for (const std::filesystem::path& from : {assetsFolder(), folder}) {
    const std::filesystem::path relative = std::filesystem::proximate(file, from, ignored);
    const bool isBelow = !relative.empty() && relative.begin()->string() != "..";
    if ((isBelow || from == folder) && finds(relative.generic_string())) return relative.generic_string();
  }
  return std::filesystem::absolute(file, ignored).generic_string();
}

}  // namespace writer

void addPose(const Pose& pose, YamlOut& map) {
  if (!pose.p.isZero(0)) writer::addVector(map, "position", pose.p);
  const auto angles = writer::anglesThat(pose.R, [&](const Vec3& degrees) {
    return Pose::fromRpy(degrees * kDegree, Vec3::Zero()).R == pose.R;
  });
  if (angles && !angles->isZero(0)) writer::addVector(map, "rpy_deg", *angles);
  if (!angles) map.add("rotation", YamlOut::numbers(writer::rowsOf(pose.R)));
}

}  // namespace slipstick::assets
