// What compile() says of cameras.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "engine/compile/compile.h"
#include "engine/compile/scene_edit.h"
#include "engine/model/model.h"

namespace slipstick {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Of a scene with a box and this camera; empty: it compiles.
std::string faultOf(const CameraSpec& camera) {
  Scene scene;
  scene.robots = {floatingBody("box", shape::Box{{0.1, 0.2, 0.3}}, 500, {}, {1, 0, 0, 1}).value()};
  scene.cameras = {camera};
  const Result<CompiledScene> compiled = compile(scene);
  return compiled ? "" : compiled.error().message();
}

CameraSpec rider(const Vec3& up) {
  return {"rider", {0, 0, 0.1}, {0, 0, 1}, 60, "box", up};
}

TEST(CompileCameras, RideOnBodiesThatThereAre) {
  EXPECT_EQ(faultOf(rider(Vec3::UnitY())), "");
  CameraSpec lost = rider(Vec3::UnitY());
  lost.body = "bux";
  EXPECT_THAT(faultOf(lost), AllOf(HasSubstr("rider"), HasSubstr("did you mean 'box'?")));
}

TEST(CompileCameras, WhatIsUpDoesNotLieAlongTheView) {
  EXPECT_THAT(faultOf(rider(Vec3::UnitZ())), AllOf(HasSubstr("rider"), HasSubstr("along the view")));
  EXPECT_THAT(faultOf(rider(Vec3::Zero())), HasSubstr("along the view"));
  CameraSpec still = rider(Vec3::UnitZ());
  still.body.clear();
  EXPECT_EQ(faultOf(still), "") << "straight up, in the world, has the heading of an orbit";
  still.up = {0, 0, -2};
  EXPECT_THAT(faultOf(still), HasSubstr("along the view"));
}

TEST(CompileCameras, HaveFiniteNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(faultOf(rider({0, nan, 1})), AllOf(HasSubstr("rider"), HasSubstr("not a number")));
  CameraSpec blind = rider(Vec3::UnitY());
  blind.fieldOfView = 0;
  EXPECT_THAT(faultOf(blind), HasSubstr("not a number"));
}

}  // namespace
}  // namespace slipstick
