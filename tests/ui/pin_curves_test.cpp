#include "ui/pin_curves.h"

#include <gtest/gtest.h>

#include "tests/support/crates_run.h"

namespace slipstick::ui {
namespace {

struct Curves : ::testing::Test {
  std::shared_ptr<testing::CratesRun> run = std::make_shared<testing::CratesRun>(1000);
  CurveReading reading;

  Pin ballOnGround() const {
    Pin pin;
    pin.kind = Pin::Kind::Contact;
    pin.contact = run->contactsAt(10)->contacts.back().key();
    return pin;
  }
  PinCurves read(std::uint64_t from, std::uint64_t to) {
    CurvesQuestion question;
    question.runs = {{run, from, to}};
    question.pins = {ballOnGround()};
    question.model = run->world.model;
    reading.begin(std::move(question));
    run->reads = 0;
    PinCurves curves;
    while (!reading.isComplete()) curves = reading.readMore();
    return curves;
  }
};

TEST_F(Curves, AreReadEvenlyByTimeWithTheForcesOfTheSteps) {
  const PinCurves curves = read(0, 1000);
  ASSERT_EQ(curves.curves.size(), 1u);
  const PinCurve& curve = curves.curves[0][0];
  EXPECT_TRUE(curves.complete);
  EXPECT_GT(curve.size(), CurveReading::kMaxSamples / 2);
  EXPECT_LE(curve.size(), CurveReading::kMaxSamples + 2);
  for (std::size_t i = 1; i < curve.size(); ++i) EXPECT_GT(curve[i].step, curve[i - 1].step);
  const Contact ball = run->contactsAt(1000)->contacts.back();
  EXPECT_NEAR(curve.back().values[0], ball.normalForce(), 1e-12);
  EXPECT_NEAR(curve.back().values[1], ball.frictionForce().norm(), 1e-12);
  EXPECT_TRUE(curve.back().slips);
}

TEST_F(Curves, ComeInPartsFromTheNewestBack) {
  CurvesQuestion question;
  question.runs = {{run, 0, 200}};
  question.pins = {ballOnGround()};
  question.model = run->world.model;
  reading.begin(std::move(question));
  const PinCurves first = reading.readMore();
  EXPECT_FALSE(first.complete);
  ASSERT_FALSE(first.curves[0][0].empty());
  EXPECT_EQ(first.curves[0][0].back().step, 200u);
  EXPECT_LT(reading.readMore().curves[0][0].front().step, first.curves[0][0].front().step);
}

TEST_F(Curves, AskedAStepLaterOneStepIsRead) {
  (void)read(0, 200);
  EXPECT_GT(run->reads, 100);
  run->grow(1);
  (void)read(0, 201);
  EXPECT_LE(run->reads, 2);
  run->jumps = 1;  // other steps have these numbers now
  (void)read(0, 201);
  EXPECT_GT(run->reads, 100);
}

TEST_F(Curves, OfAContactThatIsNotThereAreZeroAndOfAnotherModelMissing) {
  CurvesQuestion question;
  question.runs = {{run, 0, 20}};
  Pin nobody;
  nobody.kind = Pin::Kind::Contact;
  nobody.contact = {.a = {.body = 99, .geometry = 99}, .b = {.deformable = 0, .element = 99}, .point = -1};
  question.pins = {nobody};
  question.model = run->world.model;
  reading.begin(question);
  const PinCurves zero = reading.readMore();
  ASSERT_EQ(zero.curves[0][0].size(), 21u);
  EXPECT_EQ(zero.curves[0][0].back().values[0], 0);
  question.model = std::make_shared<const Model>(*run->world.model);
  reading.begin(question);
  EXPECT_TRUE(reading.readMore().curves[0][0].empty());
}

}  // namespace
}  // namespace slipstick::ui
