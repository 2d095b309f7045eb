// The method by itself: what drifts keeps its velocity, states come back bit for bit, and edits carry them over.
#include "tests/support/drifting/drifting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "app/stepping.h"
#include "assets/scene_io.h"
#include "engine/compile/compile.h"
#include "engine/compile/method_change.h"
#include "engine/compile/scene_edit.h"
#include "engine/model/soft_surface.h"
#include "engine/model/step_failure.h"
#include "engine/runtime/headless_run.h"
#include "engine/step/carry_over.h"
#include "tests/app/program_run.h"
#include "tests/support/drifting/bodies.h"
#include "tests/support/drifting/scene.h"

namespace slipstick::drifting {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<const Model> modelOf(const Scene& scene) {
  Result<CompiledScene> compiled = compile(scene);
  EXPECT_TRUE(compiled) << compiled.error().message();
  return compiled->model;
}

std::unique_ptr<HeadlessRun> runOf(const std::shared_ptr<const Model>& model) {
  Result<std::unique_ptr<Stepper>> stepper = app::stepping().makeStepper(model, {});
  EXPECT_TRUE(stepper) << stepper.error().message();
  return HeadlessRun::of(model, std::move(*stepper), Detail::Particles).value();
}

State stateOf(const HeadlessRun& run) {
  State state;
  run.stepper().save(state);
  return state;
}

class Drifting : public slipstick::testing::ProgramTest {
 protected:
  Drifting() {
    std::ofstream(path("drift.yaml")) << kScene;
    model_ = load();
  }
  std::shared_ptr<const Model> load(const std::vector<std::string>& overrides = {}) const {
    assets::LoadOptions options;
    options.overrides = overrides;
    options.methods = app::stepping().table();
    const auto loaded = assets::loadModel(path("drift.yaml"), options);
    EXPECT_TRUE(loaded) << loaded.error().message();
    return loaded->model;
  }
  std::size_t ball() const { return static_cast<std::size_t>(model_->findBody("ball")); }
  void advance(HeadlessRun& run, int steps, const std::vector<Command>& commands = {}) const {
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(run.step(commands, Detail::Particles));
  }

  std::shared_ptr<const Model> model_;
};

TEST_F(Drifting, EachDeformableIsATetrahedronWithItsCornersOnTheBox) {
  ASSERT_EQ(model_->nodeCount(), 8u);
  const Deformable& left = model_->deformables[0];
  EXPECT_EQ(surfaceOf(left).triangles.size(), 4u);
  double mass = 0;
  for (const Vec3& x : {model_->nodes.x[0], model_->nodes.x[1], model_->nodes.x[2], model_->nodes.x[3]})
    EXPECT_TRUE((x - Vec3(-0.15, 0, 0.3)).cwiseAbs().isApprox(Vec3::Constant(0.05)));
  for (int i = left.begin; i < left.end; ++i) mass += model_->nodes.mass[static_cast<std::size_t>(i)];
  EXPECT_NEAR(mass, kMass, 1e-12);
  // Its triangles look outwards.
  for (const Eigen::Vector3i& t : surfaceOf(left).triangles) {
    const auto x = [&](int k) { return Vec3(model_->nodes.x[static_cast<std::size_t>(t[k])]); };
    EXPECT_GT((x(1) - x(0)).cross(x(2) - x(0)).dot(x(0) - Vec3(-0.15, 0, 0.3)), 0);
  }
}

TEST_F(Drifting, ABodyKeepsItsVelocityInCoordinatesOfItsOwn) {
  const auto run = runOf(model_);
  advance(*run, 40);
  const Snapshot& s = run->snapshot();
  EXPECT_LT((s.X_WB[ball()].p - Vec3(0.4, 0.1, 0.3)).norm(), 1e-12);
  EXPECT_NEAR(Eigen::AngleAxisd(s.X_WB[ball()].R).angle(), 0.4, 1e-12);
  EXPECT_LT((s.V_WB[ball()].v - Vec3(0, 0.5, 0)).norm(), 1e-12);
  EXPECT_LT((s.V_WB[ball()].w - Vec3(0, 0, 2)).norm(), 1e-12);
  EXPECT_EQ(s.q, model_->initialQ) << "the tree's coordinates stay";
}

TEST_F(Drifting, ABodyThatIsPlacedDriftsOnFromThere) {
  const auto run = runOf(model_);
  advance(*run, 10);
  const Pose there = Pose::translation({1, 2, 3});
  advance(*run, 1, {Place{static_cast<std::int32_t>(ball()), there}});
  advance(*run, 1);
  EXPECT_LT((run->snapshot().X_WB[ball()].p - there.p).norm(), 1e-12) << "at rest";
  EXPECT_EQ(run->snapshot().V_WB[ball()].v, Vec3(0, 0, 0));
}

TEST_F(Drifting, ABodyCanBePlacedWhereItStarted) {
  const auto run = runOf(model_);
  const Pose start = run->snapshot().X_WB[ball()];
  advance(*run, 10);
  advance(*run, 1, {Place{static_cast<std::int32_t>(ball()), start}});
  EXPECT_LT((run->snapshot().X_WB[ball()].p - start.p).norm(), 1e-12)
      << "the tree's q was there all the time";
}

TEST_F(Drifting, APersonPullsBodiesAndTetrahedra) {
  const auto run = runOf(model_);
  const Vec3 up(0, 0, 1);
  Pull body;
  body.body = static_cast<std::int32_t>(ball());
  body.goal_W = run->snapshot().X_WB[ball()].p + up;
  Pull soft;
  soft.particle = model_->deformables[1].begin + 2;
  soft.goal_W = model_->nodes.x[static_cast<std::size_t>(soft.particle)] + up;
  advance(*run, 1, {body, soft});
  EXPECT_GT(run->snapshot().V_WB[ball()].v.z(), 0);
  EXPECT_GT(run->snapshot().deformables[1].velocity.z(), 0);
  EXPECT_EQ(run->snapshot().deformables[0].velocity.z(), 0);
  const double given = model_->tree.bodies[ball()].mass * run->snapshot().V_WB[ball()].v.z() +
                       kMass * run->snapshot().deformables[1].velocity.z();
  EXPECT_NEAR(run->snapshot().pullForce.z() * model_->time.dt, given, 1e-9 * given);
  EXPECT_LT(run->snapshot().report.momentumError, 1e-9);
}

TEST_F(Drifting, TwoThatComeWithinReachPushEachOtherAwayByOneContact) {
  const auto run = runOf(model_);
  int touched = 0;
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(run->step());
    const Snapshot& s = run->snapshot();
    const Vec3 momentum = kMass * (s.deformables[0].velocity + s.deformables[1].velocity);
    EXPECT_LT((momentum - Vec3(0.5 * kMass, 0, 0)).norm(), 1e-12);
    ASSERT_LE(s.contacts.size(), 1u);
    if (s.contacts.empty()) continue;
    ++touched;
    const Contact& contact = s.contacts[0];
    EXPECT_EQ(contact.a.deformable, 0);
    EXPECT_EQ(contact.b.deformable, 1);
    EXPECT_GT(contact.normalForce(), 0);
    EXPECT_GT(contact.gap, 0) << "it acts at a distance";
    EXPECT_TRUE(std::holds_alternative<BarrierLaw>(contact.law));
    EXPECT_FALSE(contact.isIndeterminate);
  }
  EXPECT_GT(touched, 5);
  EXPECT_GT(run->snapshot().deformables[1].velocity.x(), 0.45) << "it was pushed on";
}

TEST_F(Drifting, TheSettingAndTheMaterialDecideWhoMeetsAndHow) {
  const auto far = runOf(model_), near = runOf(load({"solver.drifting.reach=0.01"}));
  const auto soft = runOf(load({"materials.gel.E=1", "solver.drifting.reach=0.3"}));
  bool crowded = false;
  for (int i = 0; i < 60; ++i) {
    for (const auto* run : {&far, &near, &soft}) ASSERT_TRUE((*run)->step());
    EXPECT_FALSE(has(far->snapshot().report.health, kCrowded));
    EXPECT_TRUE(near->snapshot().contacts.empty() || near->snapshot().contacts[0].gap < 0.01);
    crowded |= has(soft->snapshot().report.health, kCrowded);
  }
  EXPECT_TRUE(crowded) << "a soft one lets the other come too near";
  EXPECT_GT(far->snapshot().ownObservables.at(0), 100);
}

TEST_F(Drifting, AStateComesBackBitForBitAndStepsTheSame) {
  const auto run = runOf(model_), other = runOf(model_);
  advance(*run, 20);
  const State state = stateOf(*run);
  EXPECT_EQ(state.soft.fields.at(0).spec.name, "age");
  EXPECT_NEAR(state.soft.fields[0].values.at(3), 0.1, 1e-12);
  ASSERT_TRUE(other->restore(state));
  EXPECT_EQ(hashOf(stateOf(*other)), hashOf(state));
  advance(*run, 15);
  advance(*other, 15);
  EXPECT_EQ(other->snapshot().stateHash, run->snapshot().stateHash);
  EXPECT_EQ(run->snapshot().stateHash, hashOf(stateOf(*run)));
  EXPECT_EQ(other->snapshot().X_WB[ball()].p, run->snapshot().X_WB[ball()].p);
}

TEST_F(Drifting, AStateOfAnotherMethodIsRefused) {
  const auto run = runOf(model_);
  State state = stateOf(*run);
  state.soft.fields.clear();
  const Result<void> restored = run->restore(state);
  ASSERT_FALSE(restored);
  EXPECT_THAT(restored.error().message(), HasSubstr("'age'"));
}

TEST_F(Drifting, AnEditOfTheSceneCarriesOverWhereBodiesAre) {
  const auto run = runOf(model_);
  advance(*run, 20);
  const RobotSpec crate =
      floatingBody("crate", shape::Box{{0.1, 0.1, 0.1}}, 500, Pose::translation({0, 0, 2}), Color::Ones())
          .value();
  const auto more = modelOf(edited(*model_->scene, SpawnBody{crate}).value());
  const auto next = runOf(more);
  const State from = stateOf(*run);
  const State state =
      carryOver(model_, from, more, stateOf(*next).soft, [&](std::string_view name, const VecX& values) {
        return next->stepper().carried(model_, name, values);
      });
  ASSERT_TRUE(next->restore(state));
  ASSERT_TRUE(next->observe(Detail::Particles));
  const auto at = [&](const char* name) { return static_cast<std::size_t>(more->findBody(name)); };
  EXPECT_EQ(next->snapshot().X_WB[at("ball")].p, run->snapshot().X_WB[ball()].p);
  EXPECT_EQ(next->snapshot().V_WB[at("ball")].v, run->snapshot().V_WB[ball()].v);
  EXPECT_LT((next->snapshot().X_WB[at("crate")].p - Vec3(0, 0, 2)).norm(), 1e-12);
  EXPECT_EQ(next->snapshot().particles, run->snapshot().particles);
}

TEST_F(Drifting, UnderAnotherMethodTheSceneHasParticles) {
  const auto changed = withMethod(model_, "async");
  ASSERT_TRUE(changed) << changed.error().message();
  EXPECT_EQ((*changed)->nodeCount(), 16u);
  EXPECT_EQ(withMethod(*changed, "drifting").value()->nodes.x, model_->nodes.x);
  EXPECT_TRUE(app::stepping().makeStepper(*changed, {}));
}

TEST_F(Drifting, ASceneThatItCannotStepIsRefusedWithAllReasons) {
  Model model = *model_;
  model.gravity = {0, 0, -9.81};
  model.loops.push_back({.name = "weld", .X_AaA = {}, .X_BbB = {}});
  model.controllers.emplace_back(JointEffort{});
  model.boundaries.push_back({.name = "wall", .X_PS = {}});
  std::string words;
  const std::vector<Error> obstacles = method().obstacles(model);
  for (const Error& obstacle : obstacles) {
    EXPECT_EQ(obstacle.code, ErrorCode::Unsupported);
    words += obstacle.message() + "\n";
  }
  EXPECT_EQ(obstacles.size(), 4u);
  for (const char* part : {"write gravity: [0, 0, 0]", "loop 'weld'", "controllers", "boundary 'wall'"})
    EXPECT_THAT(words, HasSubstr(part));
  EXPECT_TRUE(method().obstacles(*model_).empty());
}

}  // namespace
}  // namespace slipstick::drifting
