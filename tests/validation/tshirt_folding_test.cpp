// tshirt_folding: what becomes of the shirt's outline, and whether its layers keep their order.
// The scene as shipped takes minutes (tests/long); the short run has half its resolution.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/cloth.h"
#include "tests/support/long_runs.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

constexpr double kThickness = 0.001;  // of the cloth [m]
// Where the shirt is folded: at this y and at ±x of the flat one [m].
constexpr double kFirstFold = 0.345, kSecondFold = 0.18;
constexpr double kLies = 0.4, kFoldedOnce = 3.2, kFoldedTwice = 5.25, kUnfoldedOnce = 7.4,
                 kFlat = 10;  // [s]

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

/// Point of a triangle nearest to p.
Vec3 nearestOnTriangle(const Vec3& p, const std::array<Vec3, 3>& corner) {
  const auto onEdge = [&](const Vec3& a, const Vec3& b) -> Vec3 {
    return a + std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0) * (b - a);
  };
  const Vec3 normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
  bool inside = true;
  std::array<Vec3, 3> candidates;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &a = corner[i], &b = corner[(i + 1) % 3];
    inside = inside && normal.dot((b - a).cross(p - a)) >= 0;
    candidates[i] = onEdge(a, b);
  }
  if (inside) return p - normal * (normal.dot(p - corner[0]) / normal.squaredNorm());
  return *std::min_element(candidates.begin(), candidates.end(), [&](const Vec3& a, const Vec3& b) {
    return (a - p).squaredNorm() < (b - p).squaredNorm();
  });
}

/// The shirt's two panels, told apart where it starts: flat, the front above.
class Panels {
 public:
  explicit Panels(const testing::SceneRun& run)
      : mesh_(*clothOf(run.model().deformables.at(0))), flat_(run.model().nodes.x) {
    const auto count = static_cast<std::size_t>(mesh_.vertices);
    onFront_.assign(count, false), onBack_.assign(count, false);
    for (int t = 0; t < mesh_.triangleCount(); ++t) {
      const bool front = triangleNormal(mesh_, t, flat_.data()).z() > 0;
      if (!front) backTriangles_.push_back(t);
      for (const int v : corners(t)) (front ? onFront_ : onBack_)[static_cast<std::size_t>(v)] = true;
    }
    findInner();
  }

  struct Order {
    int checked = 0, wrong = 0;
    double deepest = 0;  ///< behind the other layer [m]
  };

  /// Which part of the shirt: where pads pinch it and folds crease it, all layers come to lie within a cell
  /// of the grid, which moves what is inside of it together and cannot keep its order.
  enum class Part { Smooth, PinchedOrCreased };

  /// How many vertices of the front have come out at the back panel's outer side by more than the thickness,
  /// measured from the part of the back that lies under them in the flat shirt, up to 4 cm to the side.
  Order frontThroughBack(const State& s, Part part) const {
    Order order;
    for (const auto& [vertex, triangles] : facing_) {
      if (partOf(flat_[vertex].head<2>()) != part) continue;
      const double depth = depthBehind(s.soft.x[vertex], triangles, s.soft.x.data());
      ++order.checked;
      if (depth > kThickness) ++order.wrong;
      order.deepest = std::max(order.deepest, depth);
    }
    return order;
  }

  /// One layer of the folded shirt: a panel's vertices away from seams, folds and, but for the sleeves, where
  /// pads pinch it.
  struct Layer {
    bool front;
    bool lower;                ///< below the line of the first fold, half of it in the flat shirt
    std::optional<bool> side;  ///< outside of the lines of the second fold, or between them
  };
  /// How many vertices of `below` have a vertex of `above` over them (within 6 mm) that lies lower than they
  /// do by more than the thickness.
  Order stacked(const State& s, const Layer& below, const Layer& above) const {
    Order order;
    const std::vector<std::size_t> top = of(above);
    for (const std::size_t i : of(below)) {
      const Vec3& x = s.soft.x[i];
      const auto over = std::min_element(top.begin(), top.end(), [&](std::size_t a, std::size_t b) {
        return (s.soft.x[a] - x).head<2>().squaredNorm() < (s.soft.x[b] - x).head<2>().squaredNorm();
      });
      if (over == top.end() || (s.soft.x[*over] - x).head<2>().norm() > 0.006) continue;
      const double depth = x.z() - s.soft.x[*over].z();
      ++order.checked;
      if (depth > kThickness) ++order.wrong;
      order.deepest = std::max(order.deepest, depth);
    }
    return order;
  }

 private:
  static Part partOf(const Eigen::Vector2d& flat) {
    constexpr double kPadHalf = 0.045, kAroundPads = 0.05, kAroundFold = 0.03;  // [m]
    const auto beyond = [](double distance, double half) { return std::max(std::abs(distance) - half, 0.0); };
    const double x = std::abs(flat.x()), y = flat.y();
    const bool pinched = std::hypot(beyond(x - 0.13, kPadHalf), y - 0.025) < kAroundPads ||
                         std::hypot(x - 0.30, beyond(y - 0.44, kPadHalf)) < kAroundPads;
    const bool creased = std::abs(y - kFirstFold) < kAroundFold || std::abs(x - kSecondFold) < kAroundFold;
    return pinched || creased ? Part::PinchedOrCreased : Part::Smooth;
  }

  std::array<int, 3> corners(int t) const {
    const Eigen::Vector3i& v = mesh_.triangles[static_cast<std::size_t>(t)];
    return {v[0], v[1], v[2]};
  }

  /// Vertices of one panel at least 2.5 cm away from seams and hems, and for those of the front the triangles
  /// of the back around them.
  void findInner() {
    std::vector<Eigen::Vector2d> border;
    std::set<std::pair<int, int>> once;
    for (int t = 0; t < mesh_.triangleCount(); ++t)
      for (int k = 0; k < 3; ++k) {
        const std::pair<int, int> edge = std::minmax(corners(t)[static_cast<std::size_t>(k)],
                                                     corners(t)[static_cast<std::size_t>((k + 1) % 3)]);
        if (!once.insert(edge).second) once.erase(edge);
      }
    for (const auto& [a, b] : once) border.push_back(flat_[static_cast<std::size_t>(a)].head<2>());
    for (std::size_t v = 0; v < onFront_.size(); ++v)
      if (onFront_[v] && onBack_[v]) border.push_back(flat_[v].head<2>());
    for (std::size_t v = 0; v < onFront_.size(); ++v) {
      const bool inner = std::none_of(border.begin(), border.end(), [&](const Eigen::Vector2d& b) {
        return (b - flat_[v].head<2>()).norm() < 0.025;
      });
      if (!inner) continue;
      inner_.push_back(v);
      if (onFront_[v]) facing_.emplace_back(v, backAround(v));
    }
  }

  std::vector<int> backAround(std::size_t vertex) const {
    std::vector<int> around;
    for (const int t : backTriangles_) {
      const Vec3& corner = flat_[static_cast<std::size_t>(corners(t)[0])];
      if ((corner - flat_[vertex]).head<2>().norm() < 0.04) around.push_back(t);
    }
    return around;
  }

  /// How far p lies on the outer side of the nearest of these triangles; negative on the inner side. Nearest
  /// to an edge or a vertex, the mean normal of the triangles there decides.
  double depthBehind(const Vec3& p, const std::vector<int>& triangles, const Vec3* x) const {
    constexpr double kSame = 1e-9;  // [m]
    double nearest = std::numeric_limits<double>::infinity();
    Vec3 away = Vec3::Zero(), normal = Vec3::Zero();
    for (const int t : triangles) {
      std::array<Vec3, 3> corner;
      for (std::size_t k = 0; k < 3; ++k) corner[k] = x[corners(t)[k]];
      const Vec3 d = p - nearestOnTriangle(p, corner);
      if (d.norm() > nearest + kSame) continue;
      if (d.norm() < nearest - kSame) nearest = d.norm(), away = d, normal.setZero();
      normal += triangleNormal(mesh_, t, x);
    }
    return away.dot(normal.normalized());
  }

  std::vector<std::size_t> of(const Layer& layer) const {
    constexpr double kBesideFold = 0.04;  // [m]
    std::vector<std::size_t> vertices;
    for (const std::size_t v : inner_) {
      const double up = flat_[v].y() - kFirstFold, out = std::abs(flat_[v].x()) - kSecondFold;
      if (onFront_[v] != layer.front || (layer.lower ? -up : up) < kBesideFold) continue;
      if (layer.side && (*layer.side ? out : -out) < kBesideFold) continue;
      const bool sleeve = layer.side == true;  // the pads pinch most of it
      if (!sleeve && partOf(flat_[v].head<2>()) != Part::Smooth) continue;
      vertices.push_back(v);
    }
    return vertices;
  }

  const ClothMesh& mesh_;
  const std::vector<Vec3>& flat_;
  std::vector<bool> onFront_, onBack_;
  std::vector<int> backTriangles_;
  std::vector<std::size_t> inner_;
  std::vector<std::pair<std::size_t, std::vector<int>>> facing_;
};

void print(const char* when, const Snapshot& s) {
  std::printf("%-14s %.3f x %.3f m, covers %.4f m2, %.3f m high\n", when, extent(s).x(), extent(s).y(),
              footprint(s), s.deformables.at(0).upper.z());
}

void expectOrder(const Panels::Order& order, int least, double wrongShare, const std::string& which) {
  std::printf("  %s: %d of %d in the wrong order, by up to %.1f mm\n", which.c_str(), order.wrong,
              order.checked, 1e3 * order.deepest);
  EXPECT_GE(order.checked, least) << which;
  EXPECT_LE(order.wrong, wrongShare * order.checked)
      << which << ", by up to " << 1e3 * order.deepest << " mm";
}

/// From below, what the folds stack: the upper half, the lower one upside down on it, then the sleeves.
const std::vector<Panels::Layer> kFoldedOnceLayers = {
    {false, false, {}}, {true, false, {}}, {true, true, {}}, {false, true, {}}};
const std::vector<Panels::Layer> kFoldedTwiceLayers = {{false, false, false},
                                                       {true, false, false},
                                                       {true, true, false},
                                                       {false, true, false},
                                                       {true, false, true}};

void expectStack(const testing::SceneRun& run, const Panels& panels,
                 const std::vector<Panels::Layer>& layers) {
  for (std::size_t i = 0; i + 1 < layers.size(); ++i) {
    const Panels::Order order = panels.stacked(run.state(), layers[i], layers[i + 1]);
    const bool sleeves = layers[i + 1].side == true;
    expectOrder(order, sleeves ? 5 : 20, sleeves ? 0.1 : 0.02,
                "layers " + std::to_string(i + 1) + " and " + std::to_string(i + 2));
  }
}

void expectOwnOrder(const testing::SceneRun& run, const Panels& panels, const char* when) {
  print(when, run.snapshot());
  expectOrder(panels.frontThroughBack(run.state(), Panels::Part::Smooth), 800, 0.005, "its own layers");
  expectOrder(panels.frontThroughBack(run.state(), Panels::Part::PinchedOrCreased), 500, 0.1,
              "where pinched or creased");
}

/// What the shirt is like before it is folded.
struct Flat {
  Eigen::Vector2d extent;
  double covered;
};

/// "Half", with the loops that the cloth makes at its folds.
constexpr double kHalf = 0.6;

Flat foldTwice(testing::SceneRun& run, const Panels& panels) {
  run.runTo(kLies);
  const Flat flat = {extent(run.snapshot()), footprint(run.snapshot())};
  print("flat", run.snapshot());

  run.runTo(kFoldedOnce);
  expectOwnOrder(run, panels, "folded once");
  const Eigen::Vector2d once = extent(run.snapshot());
  EXPECT_LT(once.y(), kHalf * flat.extent.y());
  expectStack(run, panels, kFoldedOnceLayers);

  run.runTo(kFoldedTwice);
  expectOwnOrder(run, panels, "folded twice");
  EXPECT_LT(extent(run.snapshot()).x(), kHalf * once.x());
  EXPECT_LT(footprint(run.snapshot()), 0.4 * flat.covered);
  expectStack(run, panels, kFoldedTwiceLayers);
  return flat;
}

void unfoldTwice(testing::SceneRun& run, const Panels& panels, const Flat& flat) {
  run.runTo(kUnfoldedOnce);
  expectOwnOrder(run, panels, "unfolded once");
  EXPECT_GT(extent(run.snapshot()).x(), 0.9 * flat.extent.x());

  run.runTo(kFlat);
  expectOwnOrder(run, panels, "flat again");
  EXPECT_GT(footprint(run.snapshot()), 0.9 * flat.covered);
  for (const int axis : {0, 1}) EXPECT_GT(extent(run.snapshot())[axis], 0.9 * flat.extent[axis]);
}

void expectHealthy(const testing::SceneRun& run) {
  EXPECT_FALSE(has(run.health(), Health::NotConverged));
  EXPECT_FALSE(has(run.health(), Health::IkFailed));
}

TEST(TshirtFolding, HasThePublishedSetUp) {
  testing::SceneRun run("tshirt_folding");
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(clothOf(run.model().deformables.at(0))->vertices, 4134);  // published: 4,171
  EXPECT_NEAR(run.model().nodeCount(), 12160, 0.005 * 12160);
  EXPECT_EQ(run.model().gridSpacing, 1.0 / 128);
  EXPECT_EQ(run.model().time.dt, 0.002);
  EXPECT_EQ(run.model().time.substeps, 4);
  EXPECT_EQ(run.model().deformables.at(0).material.E, 1e5);
  EXPECT_EQ(run.model().deformables.at(0).material.nu, 0.3);
  EXPECT_EQ(run.model().deformables.at(0).material.density, 1000);
  EXPECT_EQ(run.model().boundaries.at(0).friction, 0.6) << "of the shirt on the table, as the paper says";
}

TEST(TshirtFolding, FoldsTwiceAtHalfTheResolution) {
  testing::SceneRun run("tshirt_folding", {"grid.spacing=0.015625", "time.dt_ms=4"});
  ASSERT_TRUE(run.ok());
  foldTwice(run, Panels(run));
  expectHealthy(run);
}

TEST(TshirtFolding, FullRunFoldsTwiceAndUnfolds) {
  SLIPSTICK_SKIP_UNLESS_LONG();
  testing::SceneRun run("tshirt_folding");
  ASSERT_TRUE(run.ok());
  const Panels panels(run);
  unfoldTwice(run, panels, foldTwice(run, panels));
  expectHealthy(run);
}

}  // namespace
}  // namespace slipstick
