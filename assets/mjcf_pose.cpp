#include "assets/mjcf_pose.h"

#include <cctype>
#include <cmath>
#include <numbers>

namespace slipstick::assets {
namespace {

/// x and the part of y that is across it; any y where they are parallel.
Mat3 rotationOfAxes(const Vec3& x, const Vec3& y) {
  Mat3 R;
  R.col(0) = x.normalized();
  const Vec3 across = y - y.dot(R.col(0)) * R.col(0);
  R.col(1) = across.norm() > 1e-12 * y.norm() ? across.normalized() : R.col(0).unitOrthogonal();
  R.col(2) = R.col(0).cross(R.col(1));
  return R;
}

Mat3 turnAbout(const Vec3& axis, double angle) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

}  // namespace

Mat3 rotationOfZ(const Vec3& direction) {
  const Vec3 z = direction.normalized(), axis = Vec3::UnitZ().cross(z);
  const double sine = axis.norm();
  if (sine < 1e-10) return z.z() > 0 ? Mat3(Mat3::Identity()) : turnAbout(Vec3::UnitX(), std::numbers::pi);
  return turnAbout(axis, std::atan2(sine, z.z()));
}

Mat3 rotationOfEuler(const Vec3& angles, const MjcfCompiler& compiler) {
  Mat3 R = Mat3::Identity();
  for (int i = 0; i < 3; ++i) {
    const char letter = compiler.eulerSequence[static_cast<std::size_t>(i)];
    const bool turnsAlong = std::islower(static_cast<unsigned char>(letter)) != 0;
    const int axis = std::tolower(static_cast<unsigned char>(letter)) - 'x';
    const Mat3 turn = turnAbout(Vec3::Unit(axis), compiler.radians(angles[i]));
    R = turnsAlong ? Mat3(R * turn) : Mat3(turn * R);
  }
  return R;
}

Mat3 rotationOf(const MjcfItem& item, const MjcfCompiler& compiler) {
  for (const tinyxml2::XMLElement* element : item.nearestFirst()) {
    const MjcfItem own({element});
    if (own.has("quat")) {
      const std::vector<double> q = own.numbers("quat");
      return Quat(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
    }
    if (own.has("axisangle")) {
      const std::vector<double> a = own.numbers("axisangle");
      const Vec3 axis(a[0], a[1], a[2]);
      return axis.norm() > 0 ? turnAbout(axis, compiler.radians(a[3])) : Mat3(Mat3::Identity());
    }
    if (own.has("euler")) return rotationOfEuler(own.vec3("euler", Vec3::Zero()), compiler);
    if (own.has("xyaxes")) {
      const std::vector<double> a = own.numbers("xyaxes");
      return rotationOfAxes({a[0], a[1], a[2]}, {a[3], a[4], a[5]});
    }
    if (own.has("zaxis")) return rotationOfZ(own.vec3("zaxis", Vec3::UnitZ()));
  }
  return Mat3::Identity();
}

Pose poseOf(const MjcfItem& item, const MjcfCompiler& compiler) {
  return {rotationOf(item, compiler), item.vec3("pos", Vec3::Zero())};
}

std::optional<MjcfSegment> segmentOf(const MjcfItem& item) {
  if (!item.has("fromto")) return std::nullopt;
  const std::vector<double> ends = item.numbers("fromto");
  const Vec3 from(ends[0], ends[1], ends[2]), to(ends[3], ends[4], ends[5]);
  const Vec3 along = from - to;
  const Mat3 R = along.norm() > 0 ? rotationOfZ(along) : Mat3(Mat3::Identity());
  return MjcfSegment{{R, (from + to) / 2}, along.norm() / 2};
}

}  // namespace slipstick::assets
