#include "render/framing.h"

#include <gtest/gtest.h>

#include "engine/model/world_link.h"
#include "render/selected_bodies.h"
#include "tests/render/rendered_world.h"
#include "tests/support/rigid_world.h"
#include "tests/support/soft_world.h"

namespace slipstick::render {
namespace {

struct Framing : ::testing::TestWithParam<double> {
  slipstick::testing::SampleWorld world = slipstick::testing::sampleWorld();
  std::shared_ptr<const Snapshot> snapshot = slipstick::testing::sampleSnapshot(world, 1.54);
  static double reach(const Camera& camera, const Eigen::AlignedBox3d& box, double aspect) {
    double most = 0;
    for (int k = 0; k < 8; ++k) {
      const Eigen::Vector2d uv =
          project(camera, aspect, box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(k)));
      most = std::max({most, std::abs(uv.x() - 0.5), std::abs(uv.y() - 0.5)});
    }
    return most;
  }
};

TEST_P(Framing, AFittedPictureHoldsTheWholeBoxAndWastesLittle) {
  const double aspect = GetParam();
  for (const bool parallel : {false, true})
    for (const bool onlyMoving : {false, true}) {
      Camera camera;
      camera.parallel = parallel;
      const Eigen::AlignedBox3d box = boundsOf(*world.model, *snapshot, onlyMoving);
      const double r = reach(fitted(camera, box, aspect), box, aspect);
      EXPECT_LT(r, 0.5) << parallel;
      EXPECT_GT(r, 0.4) << parallel;
    }
}

TEST_P(Framing, ASceneWithoutCamerasOpensWithAllOfItInThePicture) {
  Model bare = *world.model;
  bare.cameras.clear();
  const Camera camera = openingCamera(bare, *snapshot, GetParam());
  EXPECT_LT(reach(camera, boundsOf(bare, *snapshot, false), GetParam()), 0.5);
}

TEST_P(Framing, ASceneThatOpensOnAllDoesSoWhateverCamerasItHas) {
  Model model = *world.model;
  ASSERT_FALSE(model.cameras.empty());
  EXPECT_EQ(firstCamera(model), &model.cameras.front());
  const Vec3 through = openingCamera(model, *snapshot, GetParam()).eye();
  EXPECT_TRUE(through.isApprox(model.cameras.front().position));
  model.opensOnAll = true;
  EXPECT_EQ(firstCamera(model), nullptr);
  EXPECT_LT(reach(openingCamera(model, *snapshot, GetParam()), boundsOf(model, *snapshot, false), GetParam()),
            0.5);
}

/// A robot's file that brings a floor of 100 m, on which crates stand.
TEST_P(Framing, AWorldThatAFileBringsIsNeitherItsRobotNorWhatAPictureMustHold) {
  const auto rigid = slipstick::testing::rigidWorld();
  const auto seen = slipstick::testing::rigidSnapshot(rigid, 0);
  Model model = *rigid.model;
  model.cameras.clear();
  model.robots.erase(model.robots.begin() + 1, model.robots.begin() + rigid.upper);
  model.robots[0] = {"file", "", rigid.ground, rigid.upper + 1};
  for (Visual& visual : model.visuals)
    if (visual.body == rigid.ground) visual.shape = shape::Box{Vec3(100, 100, 0.01)};
  const auto distance = [&] { return openingCamera(model, *seen, GetParam()).distance; };
  const Selection first = SelectedRobot{0};
  const auto outlined = [&] { return selectedBodies(model, first); };
  const auto ground = static_cast<std::size_t>(rigid.ground), upper = static_cast<std::size_t>(rigid.upper);

  model.tree.bodies[ground].name = std::string("file.") + kWorldLink;
  EXPECT_LT(distance(), 5);
  EXPECT_FALSE(outlined()[ground]);
  EXPECT_TRUE(outlined()[upper]);
  model.tree.bodies[ground].name = "file.base";
  EXPECT_GT(distance(), 50) << "a base is a part of its robot";
  EXPECT_TRUE(outlined()[ground]);
}

/// What starts in the air lies at the picture's edge otherwise, or under the cards there.
TEST_P(Framing, WhatIsFreeOpensWithTheFloorThatItFallsTo) {
  const auto rigid = slipstick::testing::rigidWorld();
  Snapshot high = *slipstick::testing::rigidSnapshot(rigid, 0);
  for (const int body : {rigid.lower, rigid.upper, rigid.bar, rigid.ball})
    high.X_WB[static_cast<std::size_t>(body)].p.z() += 0.5;
  Model model = *rigid.model;
  model.cameras.clear();
  std::erase_if(model.visuals, [&](const Visual& v) { return v.body == rigid.ground; });
  Geometry& ground = model.geometries[static_cast<std::size_t>(rigid.geometryOf(rigid.ground))];
  ground.shape = shape::Plane{};
  high.X_WB[static_cast<std::size_t>(rigid.ground)].p.z() = 0;
  const Eigen::AlignedBox3d things = boundsOf(model, high, false);
  ASSERT_GT(things.min().z(), 0.4);
  Eigen::AlignedBox3d way = things;
  way.extend(Vec3(things.min().x(), things.min().y(), 0));
  const auto opened = [&] { return openingCamera(model, high, GetParam()); };
  EXPECT_LT(reach(opened(), way, GetParam()), 0.5);
  ground.X_BG.p.z() = -100;
  EXPECT_TRUE(opened().target.isApprox(things.center()))
      << "a floor that is far away would leave nothing to see";
  ground.X_BG.p.z() = 0;
  model.gravity.setZero();
  EXPECT_TRUE(opened().target.isApprox(things.center())) << "nothing falls";
}

TEST_P(Framing, NarrowPicturesKeepTheSidesThatAWiderOneShows) {
  const double aspect = GetParam();
  const Camera camera = Camera::from(world.model->cameras.front());
  const double reference = std::min(aspect, Camera::kLeastAspect);
  const Vec3 right = camera.ray(1, 0.5, aspect), atLeast = camera.ray(1, 0.5, Camera::kLeastAspect);
  const Vec3 forward = camera.ray(0.5, 0.5, aspect);
  EXPECT_LE(right.dot(forward), atLeast.dot(forward) + 1e-12) << reference;
}

TEST_P(Framing, RaysAndProjectionAgree) {
  for (const bool parallel : {false, true}) {
    Camera camera = Camera::from(world.model->cameras.front());
    camera.parallel = parallel;
    const Vec3 p = camera.target + Vec3(0.05, -0.02, 0.03);
    const Eigen::Vector2d uv = project(camera, GetParam(), p);
    const Vec3 ray = camera.ray(uv.x(), uv.y(), GetParam());
    const Vec3 off = (p - camera.eye()).cross(ray);
    EXPECT_LT(off.norm(), parallel ? 5e-3 * (p - camera.target).norm() + 1e-4 : 1e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(Aspects, Framing, ::testing::Values(0.5, 1.0, 1.6, 2.4));

TEST(FramingOfWhatMoves, LeavesOutWhatIsFixed) {
  const auto rigid = slipstick::testing::rigidWorld();
  const auto snapshot = slipstick::testing::rigidSnapshot(rigid, 1);
  const Eigen::AlignedBox3d all = boundsOf(*rigid.model, *snapshot, false),
                            moving = boundsOf(*rigid.model, *snapshot, true);
  EXPECT_TRUE(all.contains(moving));
  const Selection upper = SelectedBody{rigid.upper};
  const Eigen::AlignedBox3d selected = boundsOf(*rigid.model, *snapshot, upper);
  EXPECT_TRUE(moving.contains(selected));
  EXPECT_LT(selected.volume(), moving.volume());
  EXPECT_TRUE(boundsOf(*rigid.model, *snapshot, Selection{}).isEmpty());
}

}  // namespace
}  // namespace slipstick::render
