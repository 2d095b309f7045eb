#include "tests/support/random_tree.h"

#include <array>
#include <string>

namespace slipstick::multibody::testing {

double uniform(Random& random, double lower, double upper) {
  // std::uniform_real_distribution may differ between standard libraries; this does not.
  return lower + (upper - lower) * (static_cast<double>(random()) / 4294967296.0);
}

Vec3 randomVec3(Random& random) {
  const double x = uniform(random, -1, 1), y = uniform(random, -1, 1), z = uniform(random, -1, 1);
  return {x, y, z};
}

VecX randomVecX(Random& random, int size) {
  VecX v(size);
  for (int i = 0; i < size; ++i) v[i] = uniform(random, -1, 1);
  return v;
}

Quat randomQuat(Random& random) {
  const Vec3 axis = randomVec3(random).normalized();
  return Quat(Eigen::AngleAxisd(uniform(random, -3, 3), axis));
}

Pose randomPose(Random& random) {
  const Quat R = randomQuat(random);
  return Pose::fromQuat(R, randomVec3(random));
}

Tree randomTree(Random& random, int maxBodies) {
  Tree tree;
  const int count = 1 + static_cast<int>(random() % static_cast<unsigned>(maxBodies));
  for (int i = 0; i < count; ++i) {
    Body body{
        .name = "body" + std::to_string(i), .mass = uniform(random, 0.2, 3), .com = 0.3 * randomVec3(random)};
    const Mat3 R = randomQuat(random).toRotationMatrix();
    // Principal moments of a box: they satisfy the triangle inequality.
    const Vec3 side = Vec3::Constant(0.3) + 0.2 * randomVec3(random);
    const Vec3 square = side.cwiseProduct(side);
    body.inertia =
        R * (body.mass / 12 * (Vec3::Constant(square.sum()) - square)).asDiagonal() * R.transpose();

    Joint joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = static_cast<JointType>(random() % 7);
    joint.parent = static_cast<int>(random() % tree.bodies.size());
    joint.X_PJ = randomPose(random);
    joint.axis = randomVec3(random).normalized();
    joint.armature = random() % 3 == 0 ? uniform(random, 0, 0.5) : 0;
    tree.add(body, joint);
  }
  return tree;
}

std::shared_ptr<Model> modelOf(Tree tree) {
  auto model = std::make_shared<Model>();
  model->initialQ = tree.zeroPosition();
  model->initialV = VecX::Zero(tree.nv);
  model->tree = std::move(tree);
  return model;
}

VecX randomPosition(Random& random, const Tree& tree) {
  VecX q = randomVecX(random, tree.nq);
  for (const Joint& joint : tree.joints) {
    if (joint.type == JointType::Ball) q.segment<4>(joint.qStart).normalize();
    if (joint.type == JointType::Floating) q.segment<4>(joint.qStart + 3).normalize();
  }
  return q;
}

int addSevenJointArm(Tree& tree, const Pose& X_WBase) {
  constexpr std::array<double, 7> length = {0.34, 0, 0.4, 0, 0.4, 0, 0.12};
  constexpr std::array<double, 7> mass = {4, 4, 3, 2.7, 1.7, 1.8, 0.4};
  constexpr std::array<double, 7> limit = {2.9, 2.0, 2.9, 2.0, 2.9, 2.0, 3.0};
  constexpr std::array<double, 7> effort = {176, 176, 110, 110, 110, 40, 40};
  int parent = 0;
  for (std::size_t i = 0; i < 7; ++i) {
    Body body{.name = "link" + std::to_string(i + 1), .mass = mass[i], .com = Vec3(0, 0.01, 0.08)};
    body.inertia = Vec3(0.02, 0.018, 0.006).asDiagonal();
    Joint joint;
    joint.name = "joint" + std::to_string(i + 1);
    joint.type = JointType::Revolute;
    joint.parent = parent;
    joint.X_PJ = i == 0 ? X_WBase * Pose::translation(Vec3(0, 0, length[0]))
                        : Pose::translation(Vec3(0, 0, length[i]));
    joint.axis = i % 2 == 0 ? Vec3::UnitZ() : Vec3::UnitY();
    joint.lower = -limit[i];
    joint.upper = limit[i];
    joint.effortLimit = effort[i];
    parent = tree.add(body, joint);
  }
  return parent;
}

Tree sevenJointArm() {
  Tree tree;
  addSevenJointArm(tree, {});
  return tree;
}

}  // namespace slipstick::multibody::testing
