// The rigid side of strongly coupled substeps, where its linear systems have no factors.
#include "engine/methods/convex_mpm/substepped_rigid.h"

#include <gtest/gtest.h>

#include "engine/compile/compile.h"

namespace slipstick {
namespace {

using convex_mpm::SubsteppedRigid;
using mpm::RigidSide;

std::shared_ptr<const Model> freeBall() {
  LinkSpec link;
  link.mass = 1;
  link.inertia = 0.01 * Mat3::Identity();
  LinkGeometry geometry;
  geometry.shape = shape::Sphere{0.1};
  link.collisions = {geometry};
  RobotSpec ball;
  ball.name = "ball";
  ball.description.links = {link};
  ball.freeBase = true;
  Scene scene;
  scene.robots.push_back(ball);
  const Result<CompiledScene> compiled = compile(scene);
  EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().message());
  return compiled->model;
}

/// A substep of a ball at rest under contacts with this curvature [kg]: how it answers a push, and where a step leads.
struct Answer {
  VecX pushed, stepped;
  bool factored = true;
};

Answer answerUnder(double curvature) {
  const std::shared_ptr<const Model> model = freeBall();
  const VecX q = model->initialQ, v = model->initialV;
  RigidStepInput input;
  input.q = &q, input.v = &v, input.dt = 0.01;
  SubsteppedRigid rigid(model);
  rigid.beginStep(input, {0, 1}, VecX());
  rigid.begin(1e-3);
  const std::vector<int> bodies = {1};
  rigid.touch(bodies);
  RigidSide::Iterate at, next;
  rigid.start(at);
  const std::vector<RigidSide::Load> good(1);
  std::vector<RigidSide::Load> loads(1);
  loads[0].impulse.force = Vec3(0, 0, 1);
  loads[0].curvature = curvature * multibody::Mat6::Identity();
  rigid.linearize(at, good);  // leaves a factor behind that is not to be taken for the next one
  rigid.linearize(at, loads);
  Answer answer;
  std::vector<Velocity> V;
  const std::vector<Wrench> push = {{Vec3(1, 0, 0), Vec3::Zero()}};
  rigid.respond(push, false, answer.pushed, V);
  rigid.step(at, loads, next);
  answer.stepped = next.v;
  rigid.end(std::vector<Wrench>(2));
  RigidStepOutput output;
  VecX warm, moved;
  rigid.endStep(output, warm, moved);
  answer.factored = output.factored;
  return answer;
}

TEST(SubsteppedRigid, AFactorThatFailsIsSaidAndAnOldOneIsNotUsed) {
  const Answer good = answerUnder(3);
  EXPECT_TRUE(good.factored);
  EXPECT_NEAR(good.pushed[3], 1.0 / (1 + 3), 1e-12) << "1 N s on 1 kg and 3 kg of curvature";
  EXPECT_NEAR(good.stepped[5], 1.0 / (1 + 3), 1e-12);

  const Answer bad = answerUnder(-3);
  EXPECT_FALSE(bad.factored);
  EXPECT_TRUE(bad.pushed.isZero(0)) << bad.pushed.transpose();
  EXPECT_TRUE(bad.stepped.isZero(0)) << bad.stepped.transpose();
}

}  // namespace
}  // namespace slipstick
