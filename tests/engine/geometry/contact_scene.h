// Pairs of shapes in contact, for tests.
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "engine/geometry/collision.h"

namespace slipstick {

inline SurfaceProperties surfaceOf(ContactRepresentation representation, double modulus = 1e7) {
  return {representation, modulus, 1e6, 20};
}

inline std::shared_ptr<const ContactShape> contactShape(const Shape& shape,
                                                        const SurfaceProperties& surface = {}) {
  auto built = ContactShape::build(shape, surface);
  EXPECT_TRUE(built.ok()) << built.error().message();
  return *built;
}

/// Two shapes, geometry 0 on body 0 (A) and geometry 1 on body 1 (B).
class PairOfShapes {
 public:
  PairOfShapes(std::shared_ptr<const ContactShape> a, std::shared_ptr<const ContactShape> b)
      : collision_({{0, 0, Pose(), std::move(a)}, {1, 1, Pose(), std::move(b)}},
                   [](int, int) { return true; }) {}

  const RigidContactSet& at(const Pose& X_WA, const Pose& X_WB) {
    poses_ = {X_WA, X_WB};
    collision_.find(poses_, contacts_);
    return contacts_;
  }
  const RigidContactSet& atHeight(double z) { return at(Pose(), Pose::translation(Vec3(0, 0, z))); }

 private:
  Collision collision_;
  std::vector<Pose> poses_;
  RigidContactSet contacts_;
};

/// Elastic force and moment about the world's origin on B.
inline Wrench wrenchOnB(const RigidContactSet& contacts) {
  Wrench sum;
  for (std::size_t i = 0; i < contacts.points.size(); ++i) {
    const RigidContactPoint& c = contacts.points[i];
    const double force = contacts.laws[i].force;
    sum += {force * c.normal_W, force * c.p_W.cross(c.normal_W)};
  }
  return sum;
}

inline Pose randomPose(std::mt19937& random, double reach) {
  std::uniform_real_distribution<double> coordinate(-reach, reach);
  std::normal_distribution<double> gauss;
  const Quat q(gauss(random), gauss(random), gauss(random), gauss(random));
  return Pose::fromQuat(q, Vec3(coordinate(random), coordinate(random), coordinate(random)));
}

}  // namespace slipstick
