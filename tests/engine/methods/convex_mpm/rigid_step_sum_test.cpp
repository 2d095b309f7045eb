// What substeps did, told as one step.
#include "engine/methods/convex_mpm/rigid_step_sum.h"

#include <gtest/gtest.h>

namespace slipstick::convex_mpm {
namespace {

constexpr double kDt = 1e-3;

/// Bodies 0 (the world), 1 and 2, with one geometry each.
std::shared_ptr<const Model> threeBodies() {
  auto model = std::make_shared<Model>();
  for (const char* name : {"a", "b"})
    model->tree.add({.name = name, .mass = 1, .com = Vec3::Zero(), .inertia = Mat3::Identity()},
                    {.name = name, .type = multibody::JointType::Floating, .effortLimit = {}});
  for (int body = 0; body < 3; ++body) {
    Geometry geometry;
    geometry.body = body;
    model->geometries.push_back(geometry);
  }
  return model;
}

void addPair(int geometryA, int geometryB, const std::vector<Vec3>& impulses, RigidStepOutput& step) {
  RigidContactSet::Pair pair{.geometryA = geometryA, .geometryB = geometryB};
  pair.pointBegin = static_cast<int>(step.contacts.points.size());
  for (const Vec3& impulse : impulses) {
    step.contacts.add({.p_W = Vec3(1, 0, 0)}, {.force = 1, .stiffness = 100, .dissipation = 2});
    RigidContactResult result;
    result.impulse = impulse, result.frictionBound = 0.5, result.work = 0.25, result.energy = 3;
    step.results.push_back(result);
  }
  pair.pointEnd = static_cast<int>(step.contacts.points.size());
  step.contacts.pairs.push_back(pair);
}

RigidStepOutput substep() {
  RigidStepOutput step;
  step.tau = VecX::Constant(12, 2);
  return step;
}

const auto kAllMove = [](int body) { return body > 0; };

class RigidStepSumTest : public ::testing::Test {
 protected:
  RigidStepSumTest() { sum_.begin(std::vector<Pose>(3)); }
  void add(const RigidStepOutput& step) {
    sum_.keepWhatLetGo(last_, step.contacts);
    sum_.add(step, kDt);
    last_ = step.contacts;
  }
  RigidStepOutput told(RigidStepOutput ofOthers = {}) {
    sum_.addTo(ofOthers, last_, kAllMove);
    return ofOthers;
  }

  RigidStepSum sum_{threeBodies()};
  RigidContactSet last_;
};

TEST_F(RigidStepSumTest, ImpulsesAddUpAndTheWorstCaseStays) {
  RigidStepOutput first = substep(), second = substep();
  addPair(0, 1, {Vec3(0, 0, 1)}, first);
  addPair(0, 1, {Vec3(0, 0, 2)}, second);
  first.iterations = 7, first.residual = 1e-7, first.saturated = {4};
  second.converged = false, second.lagSolves = 1, second.saturated = {4, 5};
  add(first);
  add(second);
  const RigidStepOutput step = told();
  EXPECT_EQ(sum_.total().tau, VecX(VecX::Constant(12, kDt * 2 + kDt * 2)));
  EXPECT_EQ(step.iterations, 7);
  EXPECT_EQ(step.lagSolves, 1);
  EXPECT_FALSE(step.converged);
  EXPECT_EQ(step.residual, 1e-7);
  EXPECT_EQ(step.saturated, (std::vector<std::int32_t>{4, 5}));
  ASSERT_EQ(step.results.size(), 1u);
  EXPECT_EQ(step.results[0].impulse, Vec3(0, 0, 3));
  EXPECT_EQ(step.results[0].frictionBound, 1);
  EXPECT_EQ(step.results[0].work, 0.5);
  EXPECT_EQ(step.results[0].energy, 3) << "at t_n: of the first substep alone";
  EXPECT_EQ(step.contactImpulse[1].force, Vec3(0, 0, 3));
  EXPECT_EQ(step.contactImpulse[0].force, Vec3(0, 0, -3));
  EXPECT_EQ(step.contactImpulse[1].torque, Vec3(0, -3, 0)) << "about where the body was at t_n";
}

TEST_F(RigidStepSumTest, WhatLetGoIsToldWhereItTouchedLast) {
  RigidStepOutput first = substep();
  addPair(0, 1, {Vec3(0, 0, 1)}, first);
  addPair(1, 2, {Vec3(1, 0, 0)}, first);
  RigidStepOutput second = substep();
  addPair(0, 1, {Vec3(0, 0, 1)}, second);
  add(first);
  add(second);
  const RigidStepOutput step = told();
  ASSERT_EQ(step.contacts.pairs.size(), 2u);
  EXPECT_EQ(step.contacts.pairs[1].geometryB, 2);
  ASSERT_EQ(step.contacts.points.size(), 2u);
  ASSERT_EQ(step.contacts.laws.size(), 2u);
  EXPECT_EQ(step.contacts.laws[1].stiffness, 100);
  EXPECT_EQ(step.results[1].impulse, Vec3(1, 0, 0));
}

/// Places of other points cannot be told any more: those of now take up what was done there, in shares of their own.
TEST_F(RigidStepSumTest, PointsThatBecomeOthersTakeUpWhatWasDoneBefore) {
  RigidStepOutput first = substep(), second = substep();
  addPair(0, 1, {Vec3(0, 0, 4)}, first);
  addPair(0, 1, {Vec3(0, 0, 3), Vec3(0, 0, 1)}, second);
  add(first);
  add(second);
  const RigidStepOutput step = told();
  ASSERT_EQ(step.results.size(), 2u);
  EXPECT_EQ(step.results[0].impulse, Vec3(0, 0, 6));
  EXPECT_EQ(step.results[1].impulse, Vec3(0, 0, 2));
  EXPECT_EQ(step.contactImpulse[1].force, Vec3(0, 0, 8));
}

TEST_F(RigidStepSumTest, ContactsOfWhatDidNotMoveAreThoseOfTheWholeStep) {
  sum_.begin(std::vector<Pose>(3));
  RigidStepOutput moved = substep();
  addPair(1, 2, {Vec3(1, 0, 0)}, moved);
  add(moved);
  RigidStepOutput others = substep();
  addPair(0, 1, {Vec3(0, 0, 5)}, others);
  RigidStepOutput step = others;
  sum_.addTo(step, last_, [](int body) { return body == 2; });
  ASSERT_EQ(step.contacts.pairs.size(), 2u);
  EXPECT_EQ(step.contacts.pairs[0].geometryA, 0);
  EXPECT_EQ(step.results[0].impulse, Vec3(0, 0, 5));
  EXPECT_EQ(step.contactImpulse[1].force, Vec3(-1, 0, 5));
}

TEST_F(RigidStepSumTest, AStepKnowsNothingOfTheOneBefore) {
  RigidStepOutput first = substep();
  addPair(0, 1, {Vec3(0, 0, 1)}, first);
  add(first);
  told();
  sum_.begin(std::vector<Pose>(3));
  last_.clear();
  add(substep());
  const RigidStepOutput step = told();
  EXPECT_TRUE(step.contacts.pairs.empty());
  EXPECT_TRUE(step.contactImpulse[1].force.isZero(0));
}

}  // namespace
}  // namespace slipstick::convex_mpm
