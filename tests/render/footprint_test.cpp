// Footprints: the surface that is painted, and how it unrolls.
#include "render/footprints.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "render/footprint_inset.h"
#include "render/force_words.h"
#include "tests/render/frame_input.h"
#include "tests/support/sample_world.h"

namespace slipstick::render {
namespace {

/// A model of one geometry at the origin.
std::shared_ptr<const Model> modelOf(const Shape& shape) {
  auto model = std::make_shared<Model>();
  Geometry geometry;
  geometry.shape = shape;
  model->geometries.push_back(geometry);
  return model;
}

struct Surface {
  double area = 0, farthest = 0, wrong = 0;  ///< [m²], [m], area of triangles that face inwards
};

/// Of all blocks of a cube around the origin.
Surface measure(const Shape& shape, double spacing, int blocks, double (*distance)(const Vec3&)) {
  FootprintCache cache;
  cache.setModel(modelOf(shape));
  Surface surface;
  for (int i = 0; i < 8 * blocks * blocks * blocks; ++i) {
    const FootprintCache::Place place{i % (2 * blocks) - blocks, i / (2 * blocks) % (2 * blocks) - blocks,
                                      i / (4 * blocks * blocks) - blocks};
    const SurfaceBlock& block = cache.block(0, spacing, place);
    for (const Vec3& p : block.points) surface.farthest = std::max(surface.farthest, std::abs(distance(p)));
    for (const double area : block.areas) surface.area += area;
    for (const Eigen::Vector3i& t : block.triangles) {
      const auto at = [&](int k) { return block.points[static_cast<std::size_t>(t[k])]; };
      const Vec3 normal = (at(1) - at(0)).cross(at(2) - at(0)) / 2;
      if (normal.dot(block.normals[static_cast<std::size_t>(t[0])]) < -1e-12) surface.wrong += normal.norm();
    }
  }
  return surface;
}

TEST(FootprintSurface, CoversASphereAndABoxOnceFacingOutwards) {
  const Surface sphere =
      measure(shape::Sphere{0.05}, 0.004, 2, [](const Vec3& p) { return p.norm() - 0.05; });
  EXPECT_NEAR(sphere.area, 4 * std::numbers::pi * 0.0025, 0.01 * sphere.area);
  EXPECT_LT(sphere.farthest, 1e-9);
  EXPECT_EQ(sphere.wrong, 0);
  const Surface box = measure(shape::Box{Vec3(0.05, 0.03, 0.02)}, 0.004, 2, [](const Vec3& p) {
    return std::max({std::abs(p.x()) - 0.05, std::abs(p.y()) - 0.03, std::abs(p.z()) - 0.02});
  });
  EXPECT_NEAR(box.area, 8 * (0.05 * 0.03 + 0.03 * 0.02 + 0.02 * 0.05), 0.06 * box.area);  // blunt edges
  EXPECT_LT(box.farthest, 1e-9);
}

struct Footprint : ::testing::Test {
  slipstick::testing::SampleWorld world = slipstick::testing::sampleWorld();
  Snapshot snapshot = *slipstick::testing::sampleSnapshot(world, 1.54);
  ViewOptions options;
  void SetUp() override { options.contactView = ContactView::Footprints; }
  FrameInput input() const {
    FrameInput in = inputOf(*world.model, snapshot, options, {});
    in.camera = Camera::from(world.model->cameras.front());
    return in;
  }
};

TEST_F(Footprint, PressureLiesWhereTheContactsAreOnTheSurfaceOfTheBody) {
  const auto parts = buildContactParts(input());
  ASSERT_FALSE(parts->patches.empty());
  const Vec3 axis = snapshot.X_WB[static_cast<std::size_t>(world.roller)].p;
  double loaded = 0;
  for (const Eigen::Vector4f& v : parts->patches[0].triangles) {
    const Vec3 p = v.head<3>().cast<double>();
    if (std::abs(p.x()) > 0.168) continue;  // the rim of the roller's ends
    EXPECT_NEAR(std::hypot(p.y() - axis.y(), p.z() - axis.z()), 0.03, 2e-4);
    if (v.w() > 0.3f) {
      EXPECT_LT(p.z(), axis.z());  // the dough is below
      ++loaded;
    }
  }
  EXPECT_GT(loaded, 50);
}

TEST_F(Footprint, DoesNotDependOnWhatWasDrawnBefore) {
  FrameInput in = input();
  const auto fresh = buildContactParts(in);
  in.footprints = std::make_shared<FootprintCache>();
  snapshot = *slipstick::testing::sampleSnapshot(world, 0.4);
  FrameInput other = input();
  other.model = in.model;
  other.footprints = in.footprints;
  buildContactParts(other);
  const auto again = buildContactParts(in);
  ASSERT_EQ(fresh->patches.size(), again->patches.size());
  for (std::size_t i = 0; i < fresh->patches.size(); ++i)
    EXPECT_EQ(fresh->patches[i].triangles, again->patches[i].triangles);
}

TEST_F(Footprint, PartialSlipShowsAsOrangeStrokesAtTheRim) {
  const auto parts = buildContactParts(input());
  int slipping = 0, sticking = 0;
  for (const Stroke& stroke : parts->strokes) {
    const bool rim = std::abs(stroke.from.x() + stroke.to.x()) / 2 > 0.8f * 0.16f;
    const bool slips = stroke.foot == StrokeFoot::Ring;
    EXPECT_EQ(stroke.color.head<3>(), linear(slips ? palette::kSlip : palette::kStick));
    if (slips) {
      EXPECT_GT(std::abs(stroke.from.x()), 0.7f * 0.16f);
    }
    slipping += slips;
    sticking += !slips && !rim;
  }
  EXPECT_GT(slipping, 2);
  EXPECT_GT(sticking, 4);
}

TEST_F(Footprint, OfADeformableOnItselfIsADiscPerContactThatPresses) {
  for (Contact& c : snapshot.contacts) c.a = {.deformable = 0, .element = c.b.element + 1};
  FrameInput in = input();
  in.selection = SelectedDeformable{0};
  const auto parts = buildContactParts(in);
  ASSERT_EQ(parts->pairs.size(), 1u);
  const PairView& pair = parts->pairs[0];
  EXPECT_EQ(pairName(*world.model, pair.force.pair), "dough ↔ dough (self)");
  const auto presses = [](const Contact& c) { return c.normalForce() > 0; };
  EXPECT_EQ(std::ssize(parts->patches),
            std::count_if(snapshot.contacts.begin(), snapshot.contacts.end(), presses));
  EXPECT_NEAR(pair.footprintForce, pair.force.normalSum, 1e-9 * pair.force.normalSum);
  EXPECT_TRUE(parts->insets.empty());
  EXPECT_FALSE(parts->strokes.empty());
}

TEST_F(Footprint, DepthIsPaintedInMillimetresInstead) {
  options.footprintValue = FootprintValue::Depth;
  const auto parts = buildContactParts(input());
  EXPECT_EQ(parts->pressureBar.unit, "mm");
  double deepest = 0;
  for (const Contact& c : snapshot.contacts) deepest = std::max(deepest, c.penetration());
  float top = 0;
  for (const Eigen::Vector4f& v : parts->patches[0].triangles) top = std::max(top, v.w());
  const double shown = static_cast<double>(top) * 1e-3 * parts->pressureBar.max;
  EXPECT_LE(shown, deepest * (1 + 1e-6));
  EXPECT_GT(shown, 0.5 * deepest);
}

TEST_F(Footprint, TheHiddenUndersideOfTheRollerIsUnrolledAlongAndAroundIt) {
  const auto parts = buildContactParts(input());  // seen from above
  ASSERT_EQ(parts->insets.size(), 1u);
  const FootprintInset& inset = parts->insets[0];
  EXPECT_EQ(inset.title, "roller ↔ dough");
  EXPECT_EQ(inset.along, "around");
  const Eigen::Vector2f size = inset.box.sizes();
  EXPECT_GT(size.x(), 0.2f);   // the dough is 32 cm long
  EXPECT_LT(size.y(), 0.15f);  // and touches less than the circumference of 19 cm
  EXPECT_NEAR(static_cast<double>(inset.box.center().y()), 0, 0.02);
  EXPECT_FALSE(inset.strokes.empty());
  FrameInput below = input();
  below.camera.pitch = -1.2;
  EXPECT_TRUE(buildContactParts(below)->insets.empty());
}

TEST(Unrolling, KeepsLengthsOnAMantleAndOnAFace) {
  const double r = 0.03;
  const Unrolling mantle(shape::Cylinder{r, 0.2}, Vec3(0, -1, 0), Vec3::UnitX());
  const auto onMantle = [&](double angle, double z) {
    return mantle.at({r * std::cos(angle), r * std::sin(angle), z});
  };
  const double down = -std::numbers::pi / 2;
  EXPECT_LT(onMantle(down, 0).norm(), 1e-6f);
  EXPECT_NEAR((onMantle(down + 0.5, 0.01) - onMantle(down - 0.5, 0.05)).norm(), std::hypot(r, 0.04), 1e-6);
  const Unrolling face(shape::Box{Vec3::Constant(0.1)}, Vec3::UnitX(), Vec3::UnitZ());
  EXPECT_LT((face.at({0.1, 0.02, 0.03}) - Eigen::Vector2f(0.02f, 0.03f)).norm(), 1e-6f);
}

}  // namespace
}  // namespace slipstick::render
