#include "engine/geometry/collision.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <set>

#include "engine/geometry/broad_phase.h"
#include "tests/engine/geometry/contact_meshes.h"
#include "tests/engine/geometry/contact_scene.h"

namespace {
thread_local long allocations = 0;
}  // namespace

// Counts what this program allocates.
__attribute__((noinline)) void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
__attribute__((noinline)) void operator delete(void* p) noexcept {
  std::free(p);
}
__attribute__((noinline)) void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}

namespace slipstick {
namespace {

std::vector<Shape> mixedShapes() {
  return {shape::Sphere{0.05},
          shape::Box{Vec3(0.05, 0.04, 0.03)},
          shape::Capsule{0.03, 0.06},
          shape::Cylinder{0.04, 0.07},
          shape::Ellipsoid{Vec3(0.05, 0.03, 0.04)},
          boxMesh(Vec3(0.03, 0.05, 0.04)),
          channelMesh()};
}

/// Bodies of all shapes, geometry g on body g, and a half-space on body 0.
struct Crowd {
  explicit Crowd(int count) {
    std::vector<std::shared_ptr<const ContactShape>> shapes;
    for (const Shape& shape : mixedShapes()) shapes.push_back(contactShape(shape));
    entries.push_back({0, 0, Pose(), contactShape(shape::Plane{}, surfaceOf(ContactRepresentation::Rigid))});
    for (int g = 1; g <= count; ++g)
      entries.push_back({g, g, Pose(), shapes[static_cast<std::size_t>(g) % shapes.size()]});
  }
  std::vector<Pose> poses(std::mt19937& random, double reach) const {
    std::vector<Pose> X_WB(entries.size());
    for (std::size_t b = 1; b < X_WB.size(); ++b) X_WB[b] = randomPose(random, reach);
    return X_WB;
  }
  std::vector<Collision::Entry> entries;
};

TEST(BroadPhase, FindsExactlyTheBoxesThatOverlap) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> coordinate(-1, 1), size(0, 0.2);
  const double infinity = std::numeric_limits<double>::infinity();
  BroadPhase broadPhase;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Aabb> boxes;
    for (int i = 0; i < 150; ++i) {
      const Vec3 c(coordinate(random), coordinate(random), coordinate(random));
      const Vec3 h(size(random), size(random), size(random));
      boxes.push_back({c - h, c + h});
    }
    boxes[40] = {Vec3::Constant(-infinity), Vec3::Constant(infinity)};
    boxes[90] = boxes[40];
    std::vector<std::pair<int, int>> expected;
    for (int i = 0; i < 150; ++i)
      for (int j = i + 1; j < 150; ++j) {
        const Aabb &a = boxes[static_cast<std::size_t>(i)], &b = boxes[static_cast<std::size_t>(j)];
        const bool overlap =
            (a.lower.array() <= b.upper.array()).all() && (b.lower.array() <= a.upper.array()).all();
        if (overlap && !(i == 40 && j == 90)) expected.emplace_back(i, j);
      }
    EXPECT_EQ(broadPhase.find(boxes), expected);
  }
}

TEST(Collision, FindsThePairsThatTouchOneByOne) {
  std::mt19937 random(2);
  const Crowd crowd(40);
  Collision collision(crowd.entries, [](int, int) { return true; });
  const std::vector<Pose> X_WB = crowd.poses(random, 0.25);
  RigidContactSet contacts;
  collision.find(X_WB, contacts);
  std::size_t next = 0;
  for (std::size_t a = 0; a < crowd.entries.size(); ++a)
    for (std::size_t b = a + 1; b < crowd.entries.size(); ++b) {
      PairOfShapes pair(crowd.entries[a].shape, crowd.entries[b].shape);
      const RigidContactSet& alone = pair.at(X_WB[a], X_WB[b]);
      if (alone.points.empty()) continue;
      ASSERT_LT(next, contacts.pairs.size());
      const RigidContactSet::Pair& found = contacts.pairs[next++];
      EXPECT_EQ(found.geometryA, static_cast<int>(a));
      EXPECT_EQ(found.geometryB, static_cast<int>(b));
      ASSERT_EQ(found.pointEnd - found.pointBegin, static_cast<int>(alone.points.size()));
      for (std::size_t p = 0; p < alone.points.size(); ++p)
        EXPECT_EQ(contacts.points[static_cast<std::size_t>(found.pointBegin) + p].p_W, alone.points[p].p_W);
      EXPECT_EQ(found.polygonEnd - found.polygonBegin, static_cast<int>(alone.polygonEnds.size()));
    }
  EXPECT_EQ(next, contacts.pairs.size());
  EXPECT_GT(next, 20u);
}

TEST(Collision, RespectsTheFilterAndSparesGeometriesOfOneBody) {
  const auto ball = contactShape(shape::Sphere{1});
  Collision collision(
      {{0, 0, Pose(), ball}, {1, 0, Pose(), ball}, {2, 1, Pose(), ball}, {5, 2, Pose(), ball}},
      [](int a, int b) { return !(a == 2 && b == 5); });
  RigidContactSet contacts;
  collision.find({Pose(), Pose::translation({1, 0, 0}), Pose::translation({0, 1, 0})}, contacts);
  std::vector<std::pair<int, int>> pairs;
  for (const auto& p : contacts.pairs) pairs.emplace_back(p.geometryA, p.geometryB);
  EXPECT_EQ(pairs, (std::vector<std::pair<int, int>>{{0, 2}, {0, 5}, {1, 2}, {1, 5}}));
}

TEST(Collision, SamePosesGiveTheSameBitsWhateverCameBefore) {
  std::mt19937 random(3);
  const Crowd crowd(60);
  const auto all = [](int, int) { return true; };
  Collision used(crowd.entries, all), fresh(crowd.entries, all);
  RigidContactSet a, b;
  for (int i = 0; i < 3; ++i) used.find(crowd.poses(random, 0.25), a);
  const std::vector<Pose> X_WB = crowd.poses(random, 0.25);
  used.find(X_WB, a);
  fresh.find(X_WB, b);
  ASSERT_EQ(a.points.size(), b.points.size());
  ASSERT_GT(a.points.size(), 50u);
  for (std::size_t i = 0; i < a.points.size(); ++i) {
    EXPECT_EQ(a.points[i].p_W, b.points[i].p_W);
    EXPECT_EQ(a.points[i].normal_W, b.points[i].normal_W);
    EXPECT_EQ(a.laws[i].force, b.laws[i].force);
    EXPECT_EQ(a.laws[i].stiffness, b.laws[i].stiffness);
  }
  EXPECT_EQ(a.polygonEnds, b.polygonEnds);
}

TEST(Collision, AllocatesNothingOnceItsBuffersHaveGrown) {
  std::mt19937 random(4);
  const Crowd crowd(60);
  Collision collision(crowd.entries, [](int, int) { return true; });
  RigidContactSet contacts;
  std::vector<std::vector<Pose>> motion;
  for (int i = 0; i < 5; ++i) motion.push_back(crowd.poses(random, 0.25));
  const auto findAll = [&] {
    for (const auto& X_WB : motion)
      for (const double margin : {0.0, 0.01}) collision.find(X_WB, margin, contacts);
  };
  findAll();
  const long before = allocations;
  EXPECT_GT(before, 0);
  findAll();
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace slipstick
