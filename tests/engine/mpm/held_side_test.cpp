// By which side a thin shape holds a particle.
#include "engine/mpm/contact/held_side.h"

#include <gtest/gtest.h>

#include "engine/geometry/shape_lowering.h"

namespace slipstick::mpm {
namespace {

using lanes::V3;

constexpr double kReach = 0.01;  // a cell [m]

/// A plate of 1 mm across z.
const GeometryShape<double> kPlate = lowerShape<double>(shape::Box{Vec3(0.1, 0.1, 0.0005)});

HeldSide<double> sideOf(const GeometryShape<double>& shape, const V3<double>& p, const V3<double>& impulse,
                        const V3<double>& movement = {0, 0, 0}) {
  return heldSide<double>(shape, p, signedDistance<double>(shape, p), impulse, movement, kReach);
}

/// What came in from above and is pressed 0.2 mm beyond the middle is 0.7 mm deep below the upper side.
TEST(HeldSide, IsTheOneThatTheLastImpulseCameFrom) {
  const HeldSide<double> held = sideOf(kPlate, {0.01, 0, -0.0002}, {0, 0, 1e-4});
  ASSERT_TRUE(held.isHeld);
  EXPECT_NEAR(held.depth, 0.0007, 1e-6);
  EXPECT_NEAR(held.middle, 0.0005, 1e-6);
  EXPECT_EQ(held.normal.z, 1);
}

TEST(HeldSide, IsTheNearestOneWhereTheImpulseCameFromThere) {
  EXPECT_FALSE(sideOf(kPlate, {0.01, 0, -0.0002}, {0, 0, -1e-4}).isHeld);
  EXPECT_FALSE(sideOf(kPlate, {0.01, 0, 0.0002}, {0, 0, 1e-4}).isHeld);
  EXPECT_FALSE(sideOf(kPlate, {0.01, 0, 0.003}, {0, 0, 1e-4}).isHeld) << "it has left by its own side";
}

/// Whatever the friction: what is remembered of it is told from a side across, and from the side that it came from.
TEST(HeldSide, IsFoundWhateverTheFriction) {
  for (const double friction : {0.1, 0.5, 1.0, 3.0})
    for (const double along : {-1.0, 1.0}) {
      const V3<double> pressed = rememberedImpulse<double>({along * friction, 0, 1}, {0, 0, 1}, kReach);
      EXPECT_TRUE(sideOf(kPlate, {0.01, 0, -0.0002}, pressed).isHeld) << friction;
      EXPECT_FALSE(sideOf(kPlate, {0.01, 0, 0.0002}, pressed).isHeld) << friction;
      // On the plate's edge, where the nearest side is the upper one, and friction points down.
      const V3<double> edge = rememberedImpulse<double>({1, 0, along * friction}, {1, 0, 0}, kReach);
      EXPECT_FALSE(sideOf(kPlate, {0.09995, 0, 0.00046}, edge).isHeld) << friction;
    }
}

TEST(HeldSide, HoldsWhatHasLeftByTheOtherSide) {
  const HeldSide<double> held = sideOf(kPlate, {0.01, 0, -0.0035}, {0, 0, 1e-4});
  ASSERT_TRUE(held.isHeld);
  EXPECT_NEAR(held.depth, 0.004, 1e-6);
  EXPECT_NEAR(held.middle, 0.0005, 1e-6);
  EXPECT_FALSE(sideOf(kPlate, {0.104, 0, -0.004}, {0, 0, 1e-4}).isHeld) << "it is beside the plate";
}

/// In one substep from 0.6 mm above the middle to 0.3 mm below it.
TEST(HeldSide, OfANewContactIsWhereItsWayCameFrom) {
  const HeldSide<double> held = sideOf(kPlate, {0, 0, -0.0003}, {0, 0, 0}, {0, 0, -0.0009});
  ASSERT_TRUE(held.isHeld);
  EXPECT_NEAR(held.depth, 0.0008, 1e-6);
  EXPECT_FALSE(sideOf(kPlate, {0, 0, -0.0003}, {0, 0, 0}, {0, 0, 0.0009}).isHeld) << "it came from below";
  EXPECT_FALSE(sideOf(kPlate, {0, 0, -0.0003}, {0, 0, 0}, {0, 0, -0.0001}).isHeld) << "it was there before";
}

TEST(HeldSide, IsTheNearestOneOfWhatIsThickerThanACell) {
  const auto block = lowerShape<double>(shape::Box{Vec3(0.1, 0.1, 0.006)});
  EXPECT_FALSE(sideOf(block, {0.01, 0, -0.001}, {0, 0, 1e-4}).isHeld);
}

/// A needle of 1 mm along z, entered along −x.
TEST(HeldSide, GoesThroughTheMiddleOfWhatIsRound) {
  const auto needle = lowerShape<double>(shape::Capsule{0.0005, 0.05});
  const HeldSide<double> held = sideOf(needle, {-0.0002, 0, 0.01}, {1e-4, 0, 0});
  ASSERT_TRUE(held.isHeld);
  EXPECT_NEAR(held.depth, 0.0007, 2e-6);
  EXPECT_NEAR(held.normal.x, 1, 1e-12);
}

TEST(HeldSide, IsRememberedWhereTheImpulseIsZeroOrAlongTheSide) {
  const V3<double> n{0, 0, 1};
  for (const V3<double>& impulse : {V3<double>{0, 0, 0}, V3<double>{1e-4, 0, 0}}) {
    const V3<double> trace = rememberedImpulse<double>(impulse, n, kReach);
    EXPECT_GT(trace.z, 0);
    EXPECT_TRUE(sideOf(kPlate, {0.01, 0, -0.0002}, trace).isHeld);
  }
  const V3<double> pressed = rememberedImpulse<double>({4e-5, 0, 1e-4}, n, kReach);
  EXPECT_EQ(pressed.x, 4e-5);
  EXPECT_EQ(pressed.z, 1e-4);
  EXPECT_EQ(rememberedImpulse<double>({0, 0, 0}, n, 0).z, 0) << "what is not thin";
}

}  // namespace
}  // namespace slipstick::mpm
