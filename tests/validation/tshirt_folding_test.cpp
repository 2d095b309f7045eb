// scenes.md B, tshirt_folding: what becomes of the shirt's outline, and how its layers lie. The scene as
// shipped takes minutes; this run has half its resolution in space and time.
#include <cmath>
#include <cstdio>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

constexpr double kThickness = 0.001;                     // of the cloth [m]
constexpr double kFoldedOnce = 2.5, kFoldedTwice = 4.8;  // gripper away, cloth at rest [s]

/// Width and depth on the table [m].
Eigen::Vector2d extent(const Snapshot& s) {
  return (s.deformables.at(0).upper - s.deformables.at(0).lower).head<2>();
}

/// Area that the shirt covers, in squares of 1.5 cm (wider than the particles' distance) [m²].
double footprint(const Snapshot& s) {
  constexpr float kSquare = 0.015f;
  std::set<std::pair<int, int>> squares;
  for (const Eigen::Vector3f& x : s.particles)
    squares.emplace(static_cast<int>(std::floor(x.x() / kSquare)),
                    static_cast<int>(std::floor(x.y() / kSquare)));
  return static_cast<double>(squares.size()) * kSquare * kSquare;
}

/// Particles of the front (first) and back panel that lie over each other in the flat shirt.
std::vector<std::pair<std::size_t, std::size_t>> facingPairs(const Snapshot& flat) {
  constexpr float kNear = 0.004f, kApart = 0.004f;
  const float middle =
      0.5f * static_cast<float>(flat.deformables.at(0).lower.z() + flat.deformables.at(0).upper.z());
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < flat.particles.size(); ++i) {
    if (flat.particles[i].z() < middle) continue;
    for (std::size_t j = 0; j < flat.particles.size(); ++j) {
      const Eigen::Vector3f d = flat.particles[i] - flat.particles[j];
      if (d.z() > kApart && d.head<2>().norm() < kNear) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

/// How the pairs lie that are still over each other: in the order of the flat shirt, or turned over.
struct Order {
  int kept = 0, turned = 0;
};
/// @param side  −1: of the half that stays in the first fold, 1: of the half that is laid over it
Order orderOf(const Snapshot& s, const Snapshot& flat,
              const std::vector<std::pair<std::size_t, std::size_t>>& pairs, float side) {
  constexpr float kBesideFold = 0.08f;
  Order order;
  for (const auto& [front, back] : pairs) {
    const Eigen::Vector3f d = s.particles[front] - s.particles[back];
    if (side * flat.particles[front].x() < kBesideFold || d.head<2>().norm() > 0.006f) continue;
    if (d.z() > kThickness) ++order.kept;
    if (d.z() < -kThickness) ++order.turned;
  }
  return order;
}

void print(const char* when, const Snapshot& s) {
  const Eigen::Vector2d size = extent(s);
  std::printf("%s: %.3f x %.3f m, covers %.4f m2, height %.3f m\n", when, size.x(), size.y(), footprint(s),
              s.deformables.at(0).upper.z());
}

/// Layers closer than a cell move together, so a coarse grid folds less sharply.
struct FoldLimits {
  double secondFold;   // depth after it over that before
  double wrongLayers;  // in the wrong order, over those in the right one
};

void foldTwice(const std::vector<std::string>& overrides, const FoldLimits& bounds) {
  testing::SceneRun run("tshirt_folding", overrides);
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run.model().particleCount(), 12142);
  const Snapshot flat = run.snapshot();
  const auto pairs = facingPairs(flat);
  ASSERT_GT(pairs.size(), 1000u);
  print("flat", flat);

  run.runTo(kFoldedOnce);
  const Snapshot once = run.snapshot();
  print("folded once", once);
  EXPECT_LT(extent(once).x(), 0.6 * extent(flat).x());
  EXPECT_LT(footprint(once), 0.65 * footprint(flat));
  const Order stays = orderOf(once, flat, pairs, -1), over = orderOf(once, flat, pairs, 1);
  std::printf("layers of the half that stays: %d in order, %d not; of the other: %d turned over, %d not\n",
              stays.kept, stays.turned, over.turned, over.kept);
  EXPECT_GT(stays.kept, 200);
  EXPECT_GT(over.turned, 200);
  EXPECT_LT(stays.turned, bounds.wrongLayers * stays.kept)
      << "the layers of the half that stays change their order";
  EXPECT_LT(over.kept, bounds.wrongLayers * over.turned)
      << "the layers of the half laid over it change their order";

  run.runTo(kFoldedTwice);
  print("folded twice", run.snapshot());
  EXPECT_LT(extent(run.snapshot()).y(), bounds.secondFold * extent(once).y());
  EXPECT_LT(footprint(run.snapshot()), 0.4 * footprint(flat));
  EXPECT_FALSE(has(run.health(), Health::NonFinite));
  EXPECT_FALSE(has(run.health(), Health::NotConverged));
  EXPECT_FALSE(has(run.health(), Health::IkFailed));
}

TEST(TshirtFolding, TwoFoldsQuarterTheShirtAtHalfTheResolution) {
  foldTwice({"grid.spacing=0.015625", "time.dt_ms=8"}, {.secondFold = 0.75, .wrongLayers = 0.1});
}

}  // namespace
}  // namespace slipstick
