#include "engine/rigid/warm_start.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/rigid/rigid_solver.h"
#include "tests/support/random_tree.h"

namespace slipstick {
namespace {

constexpr double kDt = 0.01;

std::shared_ptr<const Model> hingesOf(const std::vector<std::string>& names) {
  multibody::Tree tree;
  for (const std::string& name : names) {
    multibody::Joint joint = {.name = name, .type = multibody::JointType::Revolute, .effortLimit = {}};
    joint.lower = -0.2;
    joint.upper = 0.1;
    tree.add({.name = name, .mass = 1, .com = Vec3::Zero(), .inertia = 0.1 * Mat3::Identity()}, joint);
  }
  return multibody::testing::modelOf(std::move(tree));
}

/// Impulses of a step in which every hinge is pressed into its limit, each by another effort.
VecX impulsesOf(const std::shared_ptr<const Model>& model, const VecX& effort) {
  RigidSolver solver(model);
  VecX q = VecX::Constant(model->tree.nq, 0.1), v = VecX::Zero(model->tree.nv), warmStart;
  RigidStepInput input;
  input.q = &q, input.v = &v, input.dt = kDt, input.effort = effort;
  RigidStepOutput output;
  solver.step(input, warmStart, output);
  EXPECT_TRUE(output.converged);
  return warmStart;
}

TEST(WarmStart, ToTheSameModelIsTheSame) {
  const auto model = hingesOf({"a", "b"});
  const VecX impulses = impulsesOf(model, Eigen::Vector2d(20, 30));
  EXPECT_GT(impulses.norm(), 0.1);
  EXPECT_EQ(carriedImpulses(model, impulses, model), impulses);
}

TEST(WarmStart, IsThatOfTheJointsWithTheSameNames) {
  const auto from = hingesOf({"a", "b"}), to = hingesOf({"c", "b", "a"});
  const VecX carried = carriedImpulses(from, impulsesOf(from, Eigen::Vector2d(20, 30)), to);
  const VecX own = impulsesOf(to, Vec3(0, 30, 20));
  ASSERT_EQ(carried.size(), own.size());
  EXPECT_TRUE(carried.isApprox(own, 1e-6)) << carried.transpose() << "\n" << own.transpose();
}

TEST(WarmStart, OfWhatIsGoneIsLeftOut) {
  const auto from = hingesOf({"a", "b"}), to = hingesOf({"b"});
  const VecX carried = carriedImpulses(from, impulsesOf(from, Eigen::Vector2d(20, 30)), to);
  EXPECT_TRUE(carried.isApprox(impulsesOf(to, VecX::Constant(1, 30)), 1e-6)) << carried.transpose();
}

}  // namespace
}  // namespace slipstick
