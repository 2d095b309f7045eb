// What every method has for nothing: the frame that it is given, and that a step has been as a whole or not at all.
#include "engine/step/method_stepper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/foundation/stopping.h"
#include "engine/model/step_failure.h"
#include "tests/support/fake_backend.h"

namespace slipstick {
namespace {

using testing::cubeAndThreeParticles;
using ::testing::ElementsAre;

/// The method does as it is told, and keeps what it was told last. Soft bodies stay where they are; mechanisms fly on.
class ToldMethod final : public Method {
 public:
  explicit ToldMethod(std::shared_ptr<const Model> model) : model_(std::move(model)) {
    mpm::toSoftState(mpm::particlesAtStart(*model_), live_);
    restore(SoftState(live_));
  }
  std::string_view backendName() const override { return "told"; }
  std::string runsOn() const override { return "paper"; }
  void tune(std::shared_ptr<const Model> model) override {
    ++tuned;
    if (std::exchange(tuneFails, false))
      throw StepFailure({ErrorCode::DeviceFailure, "it is full", "paper", "take another sheet"});
    model_ = std::move(model);
  }
  void restore(const SoftState& soft) override {
    live_ = next_ = soft;
    facts_ = nextFacts_ = mpm::factsOf(*model_, mpm::particlesOf(live_));
  }
  void save(SoftState& soft) const override { soft = live_; }
  void advance(const StepFrame& frame, MethodMemory memory, StepOutcome& outcome) override {
    seen = frame;
    gravity = model_->gravity;
    memory.at("steps").setConstant(1, outcome.q.size());
    outcome.v = 2 * *frame.rigid.v;
    outcome.q.head<3>() += frame.rigid.dt * outcome.v.tail<3>();
    outcome.soft = does;
    outcome.soft.facts = nextFacts_;
    outcome.report.health |= does.report.health;
    if (throws) throws();
  }
  void accept() noexcept override {
    ++accepted;
    std::swap(live_, next_);
    std::swap(facts_, nextFacts_);
  }
  const SoftFacts* facts() const override { return &facts_; }
  void look(SoftView& view) override { mpm::lookAtMotion(mpm::particlesOf(live_), view); }

  StepFrame seen;  ///< its pointers lead nowhere after the step
  Vec3 gravity = Vec3::Zero();
  SoftOutcome does;
  std::function<void()> throws;
  bool tuneFails = false;
  int tuned = 0, accepted = 0;

 private:
  std::shared_ptr<const Model> model_;
  SoftState live_, next_;
  SoftFacts facts_, nextFacts_;
};

class MethodStepperTest : public ::testing::Test {
 protected:
  MethodStepperTest() {
    auto owned = std::make_unique<ToldMethod>(model_);
    method_ = owned.get();
    method_->does.reset(model_->tree.bodies.size(), model_->boundaries.size());
    stepper_ = std::make_unique<MethodStepper>("told", model_, std::move(owned));
    State state;
    stepper_->save(state);
    state.v << 0, 0, 0, 1, 0, 0;
    stepper_->restore(state);
  }
  StepReport step(const std::vector<Command>& commands = {}, const std::stop_token& stop = {}) {
    return stepper_->step(commands, snapshot_, Detail::Particles, stop);
  }
  State state() const {
    State state;
    stepper_->save(state);
    return state;
  }

  std::shared_ptr<Model> model_ = cubeAndThreeParticles();
  ToldMethod* method_ = nullptr;
  std::unique_ptr<MethodStepper> stepper_;
  Snapshot snapshot_;
};

TEST_F(MethodStepperTest, SaysWhatTheMethodIs) {
  EXPECT_EQ(stepper_->method(), "told");
  EXPECT_EQ(stepper_->backendName(), "told");
  EXPECT_EQ(stepper_->runsOn(), "paper");
  EXPECT_TRUE(stepper_->reproduces());
}

TEST_F(MethodStepperTest, GivesTheMethodTheStateOfTheStartAndWhatPeopleAskFor) {
  step({Pull{-1, 2, Vec3::Zero(), Vec3(0, 0, 1)}, Pull{1, -1, Vec3::Zero(), Vec3(0.5, -0.2, 1.1)}});
  EXPECT_EQ(method_->seen.X_WB[1].p, Vec3(0.5, -0.2, 1));
  EXPECT_EQ(method_->seen.V_WB[1].v, Vec3(1, 0, 0));
  EXPECT_EQ(method_->seen.rigid.gravity, model_->gravity);
  EXPECT_EQ(method_->seen.rigid.dt, 0.01);
  ASSERT_EQ(method_->seen.pulls.size(), 1u);
  EXPECT_EQ(method_->seen.pulls[0].particle, 2);
  EXPECT_GT(method_->seen.rigid.externalWrench[1].force.z(), 0);
  EXPECT_EQ(method_->seen.rigid.externalWrench[0].force, Vec3::Zero());
}

TEST_F(MethodStepperTest, TakesOverWhatTheMethodFoundAndRemembers) {
  step();
  EXPECT_EQ(method_->accepted, 1);
  EXPECT_DOUBLE_EQ(snapshot_.v[3], 2);
  EXPECT_DOUBLE_EQ(snapshot_.q[0], 0.52);
  State after = state();
  EXPECT_EQ(after.step, 1u);
  EXPECT_EQ(after.remembered("steps")[0], 7);
  step();
  EXPECT_DOUBLE_EQ(snapshot_.v[3], 4);
}

TEST_F(MethodStepperTest, ImpulsesBecomeForcesAndAMomentumThatIsMissing) {
  TouchImpulse touch;
  touch.particle = 1, touch.geometry = 1;
  touch.impulse = Vec3(0, 0, 0.02);
  touch.point = Vec3(0.5, -0.2, 1.1);
  method_->does.contacts = {touch};
  method_->does.wrenchImpulse[1].force = Vec3(0, 0, -0.02);
  const StepReport report = step();
  ASSERT_EQ(snapshot_.contacts.size(), 1u);
  EXPECT_EQ(snapshot_.contacts[0].a.body, 1);
  EXPECT_EQ(snapshot_.contacts[0].b.deformable, 0);
  EXPECT_DOUBLE_EQ(snapshot_.contacts[0].f_Bc_W.z(), -2);
  // Three particles of 0.1 kg should have fallen by g Δt; what the body lost is nobody's gain.
  EXPECT_NEAR(report.momentumError, std::abs(0.3 * 0.01 * 10 - 0.02) / 0.02, 1e-9);
}

TEST_F(MethodStepperTest, WhatIsRefusedHasNotBeen) {
  const std::uint64_t before = hashOf(state());
  method_->does.report.health = static_cast<HealthFlags>(Health::NonFinite);
  EXPECT_TRUE(refused(step({SetParameter{"gravity.z", {-3}}}).health));
  EXPECT_EQ(method_->accepted, 0);
  EXPECT_EQ(hashOf(state()), before);
  EXPECT_EQ(snapshot_.step, 0u);
  method_->does.report.health = 0;
  step();
  EXPECT_EQ(method_->gravity,
            Vec3(0, 0, -10));  // the number that the refused step was to set is not in force
}

TEST_F(MethodStepperTest, WhatIsThrownPassesAndHasNotBeen) {
  const std::uint64_t before = hashOf(state());
  method_->throws = [] { throw Stopped(); };
  EXPECT_THROW(step({SetParameter{"gravity.z", {-3}}}), Stopped);
  method_->throws = [] { throw StepFailure({ErrorCode::DeviceFailure, "lost", "paper", "find it"}); };
  EXPECT_THROW(step(), StepFailure);
  EXPECT_EQ(hashOf(state()), before);
  method_->throws = {};
  step();
  EXPECT_EQ(method_->gravity, Vec3(0, 0, -10));
}

TEST_F(MethodStepperTest, AMethodThatFailsOnTheWayToOtherNumbersIsToldAgain) {
  method_->tuneFails = true;
  EXPECT_THROW(step({SetParameter{"gravity.z", {-3}}}), StepFailure);
  EXPECT_EQ(method_->tuned, 1);
  step();  // with the numbers from before
  EXPECT_EQ(method_->tuned, 2);
  EXPECT_EQ(method_->gravity, Vec3(0, 0, -10));
  step({SetParameter{"gravity.z", {-3}}});
  EXPECT_EQ(method_->gravity, Vec3(0, 0, -3));
  step();
  EXPECT_EQ(method_->tuned, 3);
}

TEST_F(MethodStepperTest, AStepThatIsTakenBackHasNotBeen) {
  const std::uint64_t before = hashOf(state());
  step();
  EXPECT_NE(hashOf(state()), before);
  stepper_->takeBack();
  EXPECT_EQ(hashOf(state()), before);
  EXPECT_EQ(method_->accepted, 2);
}

}  // namespace
}  // namespace slipstick
