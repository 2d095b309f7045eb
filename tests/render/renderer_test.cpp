#include "render/renderer.h"

#include <gtest/gtest.h>

#include <utility>

#include "render/palette.h"
#include "tests/render/rendered_world.h"

namespace slipstick::render {
namespace {

/// The middle of the dough's long side that faces the camera.
const Vec3 kDoughSide(0, -0.06, 0.07);

int countNear(const Image& image, Hex color, int tolerance) {
  const Eigen::Vector3f c = 255 * srgb(color);
  int count = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const Pixel p = RenderedWorld::at(image, x, y);
      const Eigen::Vector3f d(static_cast<float>(p.r) - c.x(), static_cast<float>(p.g) - c.y(),
                              static_cast<float>(p.b) - c.z());
      if (d.cwiseAbs().maxCoeff() < static_cast<float>(tolerance)) ++count;
    }
  return count;
}

Arrow arrowAt(const Vec3& from, const Vec3& vector, Hex color) {
  Arrow arrow;
  arrow.from = from.cast<float>();
  arrow.vector = vector.cast<float>();
  arrow.color = append(linear(color), 1);
  return arrow;
}

TEST_F(RenderedWorld, ParticlesAreDrawnInTheirColour) {
  options.forces = false;
  Frame f = frame();
  ASSERT_EQ(f.soft->spheres.size(), 1u);
  softOf(f).spheres[0].mapped = false;
  softOf(f).spheres[0].color = {0.02f, 0.5f, 0.02f};
  const Pixel green = at(draw(f), kDoughSide);
  EXPECT_GT(green.g, 2 * green.r);
  softOf(f).spheres[0].color = {0.5f, 0.02f, 0.02f};
  const Pixel red = at(draw(f), kDoughSide);
  EXPECT_GT(red.r, 2 * red.g);
}

/// A colour that means a number is that of the bar, and, where shape shades it, of the same hue and no brighter.
TEST_F(RenderedWorld, AParticlesValueHasTheColourOfTheBar) {
  options.forces = false;
  const Vec3 center(0, 0, 1);
  camera = Camera::from({"level", center + Vec3(0, -1, 0), center, 30, {}});
  Frame f = frame();
  ASSERT_EQ(f.soft->spheres.size(), 1u);
  ASSERT_TRUE(f.soft->spheres[0].mapped);
  softOf(f).particles = {center.cast<float>()};
  softOf(f).spheres[0].first = 0;
  softOf(f).spheres[0].count = 1;
  softOf(f).spheres[0].radius = 0.1f;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const bool diverging : {false, true})
    for (const float value : {-4e3f, 0.f, 1.3e3f, 7e3f, 4e4f, nan}) {
      softOf(f).scale = {diverging ? -1e4f : 0.f, diverging ? 5e-5f : 1e-4f, diverging};
      softOf(f).values = {value};
      const Image image = draw(f);
      const Eigen::Vector3f bar = 255 * toSrgb(f.soft->scale.color(value));
      const Pixel middle = at(image, center + Vec3(0, -0.1, 0));
      const std::string what = std::to_string(value) + (diverging ? ", diverging" : "");
      EXPECT_NEAR(middle.r, bar.x(), 2.5) << what;
      EXPECT_NEAR(middle.g, bar.y(), 2.5) << what;
      EXPECT_NEAR(middle.b, bar.z(), 2.5) << what;
      const Pixel side = at(image, center + Vec3(0.08, -0.05, -0.03));
      EXPECT_LE(side.luminance(), middle.luminance());
      const Eigen::Vector3f there = toLinear(Eigen::Vector3f(side.r, side.g, side.b) / 255.f);
      const Eigen::Vector3f hue = f.soft->scale.color(value).normalized();
      EXPECT_GT(there.normalized().dot(hue), 0.999f) << what;
    }
}

/// Bare metal is as bright as what it mirrors: a lamp in one place, the dark floor in another.
TEST_F(RenderedWorld, MetalMirrorsTheRoom) {
  options.shadows = options.forces = false;
  const Vec3 center(0, 0, 2);
  camera = Camera::from({"level", center + Vec3(0, -1, 0), center, 30, {}});
  const auto darkestAndBrightest = [&](const Finish& finish) {
    Model model = *world.model;
    model.visuals = {
        {"ball", 0, Pose::translation(center), shape::Sphere{0.1}, {0.6f, 0.6f, 0.6f, 1}, finish}};
    world.model = std::make_shared<const Model>(std::move(model));
    offscreen->setModel(world.model);
    const Image image = draw(frame());
    std::pair<int, int> range{255, 0};
    for (double x = -0.8; x <= 0.8; x += 0.05)
      for (double z = -0.8; z <= 0.8; z += 0.05) {
        if (x * x + z * z > 0.64) continue;
        const Vec3 n(x, -std::sqrt(1 - x * x - z * z), z);
        const int luminance = at(image, center + 0.1 * n).luminance();
        range = {std::min(range.first, luminance), std::max(range.second, luminance)};
      }
    return range;
  };
  const auto paint = darkestAndBrightest({0.3f, 0}), metal = darkestAndBrightest({0.3f, 1});
  EXPECT_LT(metal.first, paint.first * 9 / 10);
  EXPECT_GE(metal.second, paint.second);
  const auto blasted = darkestAndBrightest({0.9f, 1});
  EXPECT_LT(blasted.second - blasted.first, metal.second - metal.first);
}

TEST_F(RenderedWorld, APlainPlaneInTheFloorsPlaceIsTheFloor) {
  const auto withPlane = [&](double height, const Color& color) {
    Model model = *world.model;
    model.visuals = {{"plane", 0, Pose::translation(Vec3(0, 0, height)), shape::Plane{}, color, {}}};
    const auto before = std::exchange(world.model, std::make_shared<const Model>(std::move(model)));
    offscreen->setModel(world.model);
    const Image image = draw(frame());
    world.model = before;
    return image.rgba;
  };
  const double floor = world.model->groundHeight;
  const auto nothing = withPlane(floor - 100, {0, 0, 0, 0});
  EXPECT_EQ(withPlane(floor, Visual().color), nothing);
  EXPECT_NE(withPlane(floor + 0.001, Visual().color), nothing);
  EXPECT_NE(withPlane(floor, {0.5f, 0.1f, 0.1f, 1}), nothing);
  options.ground = false;
  EXPECT_NE(withPlane(floor, Visual().color), withPlane(floor - 100, {0, 0, 0, 0}));
}

TEST_F(RenderedWorld, BodiesDarkenTheGroundNearThemOnlyWithShadows) {
  options.forces = false;
  const Image lit = [&] {
    options.shadows = false;
    return draw(frame());
  }();
  options.shadows = true;
  const Image shaded = draw(frame());
  int darker = 0, brighter = 0;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const int before = at(lit, x, y).luminance(), after = at(shaded, x, y).luminance();
      if (after < before * 3 / 4) ++darker;
      if (after > before + 4) ++brighter;
    }
  EXPECT_GT(darker, kWidth * kHeight / 200);
  EXPECT_EQ(brighter, 0);
  const Vec3 open(-0.25, -0.45, 0);  // in front of the board, on the lit side
  EXPECT_NEAR(at(shaded, open).luminance(), at(lit, open).luminance(), 8);
}

TEST_F(RenderedWorld, ShadowsReachAGroundFarBelowWhatCastsThem) {
  Model high = *world.model;
  high.groundHeight = -1.5;
  world.model = std::make_shared<const Model>(std::move(high));
  offscreen->setModel(world.model);
  options.forces = false;
  camera = Camera::from({"above", {0, -2.5, 2.5}, {0.5, 0.5, -1.5}, 40, {}});
  options.shadows = false;
  const Image lit = draw(frame());
  options.shadows = true;
  const Image shaded = draw(frame());
  const Vec3 boardShadow(0.89, 0.95, -1.5);  // 1.55 m below the board, along the key light
  int darkest = 255;
  for (double dx = -0.15; dx < 0.16; dx += 0.05) {
    const Vec3 p = boardShadow + Vec3(dx, 0, 0);
    darkest = std::min(darkest, 100 * at(shaded, p).luminance() / std::max(1, at(lit, p).luminance()));
  }
  EXPECT_LT(darkest, 80);
}

TEST_F(RenderedWorld, ArrowsShowTheirColourWhereTheyAre) {
  Frame f = frame();
  contactOf(f).arrows = {arrowAt({0, 0, 0.25}, {0, 0, 0.15}, palette::kSlip)};
  const Vec3 shaft(0, 0, 0.31);
  const Pixel with = at(draw(f), shaft);
  EXPECT_GT(with.r, 200);
  EXPECT_LT(with.b, 130);
  contactOf(f).arrows.clear();
  const Pixel without = at(draw(f), shaft);
  EXPECT_LT(without.r - without.b, 60);
}

TEST_F(RenderedWorld, ArrowsInsideThingsShowOnlyOnTop) {
  options.contactView = ContactView::Pairs;
  options.moments = false;
  Frame f = frame();
  contactOf(f).arrows = {arrowAt({-0.2, -0.15, 0.005}, {0.12, 0, 0}, palette::kStick)};  // inside the board
  options.forcesOnTop = true;
  EXPECT_GT(countNear(draw(f), palette::kStick, 45), 20);
  options.forcesOnTop = false;
  EXPECT_EQ(countNear(draw(f), palette::kStick, 45), 0);
}

TEST_F(RenderedWorld, WhiteBackgroundIsWhite) {
  options.whiteBackground = true;
  options.ground = false;
  const Pixel corner = at(draw(frame()), 2, 2);
  EXPECT_EQ(corner.r, 255);
  EXPECT_EQ(corner.g, 255);
  EXPECT_EQ(corner.b, 255);
}

TEST_F(RenderedWorld, OverlayIsDrawnOnlyWhereItIsWanted) {
  options.forceLabels = false;  // they stand where the arrows are
  options.contactView = ContactView::Pairs;
  const Image bare = draw(frame());
  options.hud = true;
  const Image covered = draw(frame());
  int corner = 0, center = 0;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      if (at(bare, x, y).luminance() == at(covered, x, y).luminance()) continue;
      if (x < 120 && y < 60) ++corner;
      if (std::abs(x - kWidth / 2) < 40 && std::abs(y - kHeight / 2) < 30) ++center;
    }
  EXPECT_GT(corner, 500);
  EXPECT_EQ(center, 0);
}

TEST_F(RenderedWorld, SelectionDrawsALineAroundTheBody) {
  options.forces = false;
  EXPECT_EQ(countNear(draw(frame()), palette::kStick, 30), 0);
  selection = SelectedBody{world.board};
  EXPECT_GT(countNear(draw(frame()), palette::kStick, 30), 50);
}

TEST_F(RenderedWorld, SelectedContactGetsItsCallOut) {
  options.hud = true;
  options.forces = false;
  const int before = countNear(draw(frame()), palette::kSlip, 30);
  for (const Contact& c : snapshot->contacts)
    if (c.mode == ContactMode::Slip) selection = c.key();
  EXPECT_GT(countNear(draw(frame()), palette::kSlip, 30), before + 50);
}

/// Or a light window, or paper, would shine through the edges of particles.
TEST_F(RenderedWorld, PicturesAreOpaqueEverywhere) {
  options.softStyle = SoftStyle::Particles;
  const Image image = draw(frame());
  int translucent = 0;
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) translucent += image.rgba[i] != 255 ? 1 : 0;
  EXPECT_EQ(translucent, 0);
}

TEST_F(RenderedWorld, TransparentRobotsLetThePictureBehindThemThrough) {
  options.forces = false;
  const Vec3 arm(0.285, 0.04, 0.49);  // inside the right arm
  const Pixel opaque = at(draw(frame()), arm);
  options.transparentRobots = true;
  const Pixel transparent = at(draw(frame()), arm);
  EXPECT_GT(std::abs(opaque.luminance() - transparent.luminance()), 15);
}

TEST_F(RenderedWorld, OptionalMarkersAppear) {
  options.forces = false;
  const int before = countNear(draw(frame()), palette::kAxis, 50);
  options.joints = true;
  EXPECT_GT(countNear(draw(frame()), palette::kAxis, 50), before + 30);
  options.joints = false;
  const int noMass = countNear(draw(frame()), palette::kBookmark, 60);
  options.centersOfMass = true;
  EXPECT_GT(countNear(draw(frame()), palette::kBookmark, 60), noMass + 10);
}

}  // namespace
}  // namespace slipstick::render
