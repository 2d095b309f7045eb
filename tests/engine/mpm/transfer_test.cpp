#include "engine/mpm/transfer.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "engine/lanes/eigen_lanes.h"
#include "engine/mpm/bspline.h"
#include "engine/mpm/grid.h"
#include "engine/mpm/materials/dispatch.h"
#include "tests/engine/mpm/json_values.h"
#include "tests/engine/mpm/reference_scene.h"
#include "tests/support/backend_calls.h"
#include "tests/support/test_paths.h"

using namespace slipstick;
using namespace slipstick::mpm;
using namespace slipstick::testing;

namespace {

/// Positions of all kinds within and across cells, also negative.
std::vector<Vec3> samplePositions(double h) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> cells(-6, 6);
  std::vector<Vec3> x = {Vec3::Zero(), Vec3::Constant(0.5 * h), Vec3::Constant(-1.5 * h)};
  for (int i = 0; i < 50; ++i) x.emplace_back(h * cells(random), h * cells(random), h * cells(random));
  return x;
}

template <class Visit>
void forEachNode(const Vec3& x, double h, Visit visit) {
  const Bspline<double> b = bspline(toLanes<double>(x), 1 / h);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) {
        const Vec3 node(b.base.x + i, b.base.y + j, b.base.z + k);
        visit(node, b.w[0][i] * b.w[1][j] * b.w[2][k], Vec3(h * node - x));
      }
}

struct Blob {
  double h = 0.05;
  std::vector<Vec3> x, v;
  std::vector<Mat3> C;
  std::vector<double> m;

  Blob() : x(samplePositions(h)) {
    std::mt19937 random(2);
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < x.size(); ++i) {
      v.emplace_back(normal(random), normal(random), normal(random));
      C.push_back(5 * Mat3::NullaryExpr([&](int, int) { return normal(random); }));
      m.push_back(0.5 + std::abs(normal(random)));
    }
  }
};

/// Mass and momentum by node index.
std::map<std::array<int, 3>, std::pair<double, Vec3>> scatter(const Blob& blob) {
  std::map<std::array<int, 3>, std::pair<double, Vec3>> grid;
  for (std::size_t p = 0; p < blob.x.size(); ++p) {
    const M3<double> A = affineMomentum(blob.m[p], toLanes<double>(blob.C[p]), 0.0, M3<double>::zero());
    forEachNode(blob.x[p], blob.h, [&](const Vec3& node, double w, const Vec3& offset) {
      auto& entry =
          grid.try_emplace({int(node.x()), int(node.y()), int(node.z())}, 0.0, Vec3::Zero()).first->second;
      entry.first += w * blob.m[p];
      entry.second += w * (blob.m[p] * blob.v[p] + toEigen(A) * offset);
    });
  }
  return grid;
}

}  // namespace

TEST(Bspline, MatchesTheReferenceBaseAndWeights) {
  const auto data = readData("mpm/weights.json");
  const auto& c = data["cases"][0];
  const double h = c["h"];
  for (std::size_t p = 0; p < c["x"].size(); ++p) {
    EXPECT_EQ(toEigen(bspline(toLanes<double>(vec3(c["x"][p])), 1 / h).base), vec3(c["base"][p]));
    std::size_t n = 0;
    forEachNode(vec3(c["x"][p]), h, [&](const Vec3&, double w, const Vec3&) {
      EXPECT_NEAR(w, c["w"][p][n++].get<double>(), 1e-13);
    });
  }
}

TEST(Bspline, WeightsSumToOneAndReproduceLinearFields) {
  for (const Vec3& x : samplePositions(0.07)) {
    double sum = 0;
    Vec3 first = Vec3::Zero();
    Mat3 second = Mat3::Zero();
    forEachNode(x, 0.07, [&](const Vec3&, double w, const Vec3& offset) {
      EXPECT_GE(w, 0);
      sum += w;
      first += w * offset;
      second += w * offset * offset.transpose();
    });
    EXPECT_NEAR(sum, 1, 1e-14);
    EXPECT_LT(first.norm(), 1e-15);
    EXPECT_LT((second - 0.07 * 0.07 / 4 * Mat3::Identity()).norm(), 1e-16);  // D = h²/4 I
  }
}

TEST(Bspline, PackLanesAgreeWithDouble) {
  V3<Pack> packed{};
  const std::vector<Vec3> x = samplePositions(0.05);
  for (int lane = 0; lane < Pack::kLanes; ++lane)
    for (int a = 0; a < 3; ++a)
      packed[a].x[lane] = static_cast<float>(x[static_cast<std::size_t>(lane) + 3](a));
  const Bspline<Pack> lanes = bspline(packed, Pack(20.0f));
  for (int lane = 0; lane < Pack::kLanes; ++lane) {
    const Bspline<double> exact = bspline(toLanes<double>(x[static_cast<std::size_t>(lane) + 3]), 20.0);
    for (int a = 0; a < 3; ++a) {
      EXPECT_EQ(lanes.base[a][lane], exact.base[a]);
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(lanes.w[a][i][lane], exact.w[a][i], 2e-6);
    }
  }
}

TEST(Transfer, ConservesMassLinearAndAngularMomentum) {
  const Blob blob;
  double mass = 0;
  Vec3 momentum = Vec3::Zero(), angular = Vec3::Zero();
  for (const auto& [node, entry] : scatter(blob)) {
    mass += entry.first;
    momentum += entry.second;
    angular += (blob.h * Vec3(node[0], node[1], node[2])).cross(entry.second);
  }
  double particleMass = 0;
  Vec3 particleMomentum = Vec3::Zero(), particleAngular = Vec3::Zero();
  for (std::size_t p = 0; p < blob.x.size(); ++p) {
    particleMass += blob.m[p];
    particleMomentum += blob.m[p] * blob.v[p];
    const Mat3& C = blob.C[p];
    const Vec3 spin(C(2, 1) - C(1, 2), C(0, 2) - C(2, 0), C(1, 0) - C(0, 1));
    particleAngular += blob.m[p] * (blob.x[p].cross(blob.v[p]) + blob.h * blob.h / 4 * spin);
  }
  EXPECT_NEAR(mass, particleMass, 1e-12 * particleMass);
  EXPECT_LT((momentum - particleMomentum).norm(), 1e-12 * particleMass);
  EXPECT_LT((angular - particleAngular).norm(), 1e-12 * particleMass);
}

TEST(Transfer, MatchesTheReferenceOnTheGridWithAndWithoutStress) {
  const auto data = readData("mpm/transfer.json");
  for (const auto& c : data["cases"]) {
    const double h = c["h"], dt = c["dt"];
    const auto constants =
        materialNumbers(materialParameters(c["material"], c["parameters"], 1000)).as<double, double>();
    std::map<std::array<int, 3>, std::pair<double, Vec3>> grid;
    for (std::size_t p = 0; p < c["x"].size(); ++p) {
      const double m = c["mass"][p], volume = c["V0"][p];
      ASSERT_EQ(c["material"], "neo_hookean");
      const M3<double> tau = NeoHookean::stress(toLanes<double>(mat3(c["F"][p])), constants);
      const M3<double> A =
          affineMomentum(m, toLanes<double>(mat3(c["C"][p])), stressImpulseScale(dt, volume, 1 / h), tau);
      forEachNode(vec3(c["x"][p]), h, [&](const Vec3& node, double w, const Vec3& offset) {
        auto& e =
            grid.try_emplace({int(node.x()), int(node.y()), int(node.z())}, 0.0, Vec3::Zero()).first->second;
        e.first += w * m;
        e.second += w * (m * vec3(c["v"][p]) + toEigen(A) * offset);
      });
    }
    ASSERT_EQ(grid.size(), c["nodes"].size());
    for (std::size_t i = 0; i < c["nodes"].size(); ++i) {
      const auto& entry = grid.at({c["nodes"][i][0], c["nodes"][i][1], c["nodes"][i][2]});
      EXPECT_NEAR(entry.first, c["node_mass"][i].get<double>(), 1e-10 * largest(c["node_mass"]));
      EXPECT_LT((entry.second - vec3(c["node_momentum"][i])).norm(), 1e-10 * largest(c["node_momentum"]));
    }
  }
}

TEST(Transfer, MatchesTheReferenceBackOnTheParticles) {
  const auto data = readData("mpm/transfer.json");
  for (const auto& c : data["cases"]) {
    const std::size_t n = c["x"].size();
    auto model = std::make_shared<Model>();
    model->gridSpacing = c["h"];
    model->time.substeps = 1;
    Deformable d;
    d.material = materialParameters(c["material"], c["parameters"], 1000);
    d.end = static_cast<int>(n);
    model->deformables = {d};
    ParticleState p;
    for (std::size_t i = 0; i < n; ++i) {
      model->nodes.mass.push_back(c["mass"][i]);
      model->nodes.volume.push_back(c["V0"][i]);
      p.x.push_back(vec3(c["x"][i]));
      p.v.push_back(vec3(c["v"][i]));
      p.C.push_back(mat3(c["C"][i]));
      p.F.push_back(mat3(c["F"][i]));
      p.plastic.push_back(0);
      p.internal.push_back(Eigen::Vector2d::Zero());
    }
    SoftOutcome result;
    slipstick::testing::advance(*makeReferenceBackend(model), {}, c["dt"], p, result);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_LT((p.v[i] - vec3(c["v_after"][i])).norm(), 1e-10 * largest(c["v_after"]));
      EXPECT_LT((p.C[i] - mat3(c["C_after"][i])).norm(), 1e-10 * largest(c["C_after"]));
    }
  }
}

TEST(Transfer, ApicDampingScalesOnlyTheSymmetricPart) {
  Mat3 L;
  L << 1, 2, 3, 4, 5, 6, 7, 8, 10;
  const Mat3 C = toEigen(affineVelocity(toLanes<double>(L), 0.25));
  EXPECT_LT((C + C.transpose() - 0.25 * (L + L.transpose())).norm(), 1e-14);
  EXPECT_LT((C - C.transpose() - (L - L.transpose())).norm(), 1e-14);
}
