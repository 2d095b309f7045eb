#include "render/particle_surface.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include "render/marching_cubes.h"

namespace slipstick::render {
namespace {

using Eigen::Vector3f;

struct Cloud {
  std::vector<Vector3f> x;
  std::vector<double> volume;
  std::vector<float> values;
  double spacing = 0.01;
  ParticleCloud view() const { return {x, volume, values, spacing}; }
};

/// A jittered lattice inside a region, as particles lie after some steps.
template <class Inside>
Cloud lattice(double spacing, double reach, double jitter, Inside inside) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> shake(-jitter, jitter);
  Cloud cloud;
  cloud.spacing = spacing;
  const int n = static_cast<int>(reach / spacing);
  for (int k = -n; k < n; ++k)
    for (int j = -n; j < n; ++j)
      for (int i = -n; i < n; ++i) {
        const Eigen::Vector3d at = spacing * (Eigen::Vector3d(i, j, k).array() + 0.5).matrix();
        if (!inside(at)) continue;
        cloud.x.push_back(
            (at + spacing * Eigen::Vector3d(shake(random), shake(random), shake(random))).cast<float>());
        cloud.volume.push_back(spacing * spacing * spacing);
      }
  return cloud;
}

Cloud ball(double radius, double jitter = 0.15) {
  return lattice(0.01, radius, jitter, [radius](const Eigen::Vector3d& at) { return at.norm() < radius; });
}

double volumeOf(const SurfaceMesh& mesh) {
  double six = 0;
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const auto at = [&](std::size_t k) -> Eigen::Vector3d {
      return mesh.positions[mesh.indices[i + k]].cast<double>();
    };
    six += at(0).dot(at(1).cross(at(2)));
  }
  return six / 6;
}

/// Directed edges that are not used as often forwards as backwards.
int openEdges(const SurfaceMesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> uses;
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto a = mesh.indices[i + k], b = mesh.indices[i + (k + 1) % 3];
      a < b ? ++uses[{a, b}] : --uses[{b, a}];
    }
  return static_cast<int>(
      std::count_if(uses.begin(), uses.end(), [](const auto& use) { return use.second != 0; }));
}

TEST(CubeCases, CutEveryEdgeThatChangesSideAndNoOther) {
  for (unsigned inside = 0; inside < 256; ++inside) {
    const CubeCase& which = cubeCase(inside);
    std::array<bool, 12> used{};
    for (int i = 0; i < 3 * which.triangles; ++i) used[which.edges[static_cast<std::size_t>(i)]] = true;
    for (int edge = 0; edge < 12; ++edge) {
      const int start = cubeEdgeStart(edge), end = start + (1 << edge / 4);
      const bool changes = (inside >> start & 1u) != (inside >> end & 1u);
      EXPECT_EQ(used[static_cast<std::size_t>(edge)], changes) << inside << " " << edge;
    }
  }
}

TEST(CubeCases, OneInsideCornerIsCutOffByATriangleThatLooksAwayFromIt) {
  for (int corner = 0; corner < 8; ++corner) {
    const CubeCase& which = cubeCase(1u << corner);
    ASSERT_EQ(which.triangles, 1);
    std::array<Eigen::Vector3d, 3> p;
    for (std::size_t i = 0; i < 3; ++i) {
      const int edge = which.edges[i], start = cubeEdgeStart(edge);
      p[i] = Eigen::Vector3d(start & 1, start >> 1 & 1, start >> 2) + 0.5 * Eigen::Vector3d::Unit(edge / 4);
    }
    const Eigen::Vector3d inside(corner & 1, corner >> 1 & 1, corner >> 2);
    EXPECT_GT((p[1] - p[0]).cross(p[2] - p[0]).dot(p[0] - inside), 0) << corner;
  }
}

TEST(ParticleSurface, OfABallIsClosedRoundAndLooksOutward) {
  const double radius = 0.08;
  const SurfaceMesh mesh = particleSurface(ball(radius).view());
  EXPECT_EQ(openEdges(mesh), 0);
  EXPECT_NEAR(volumeOf(mesh), 4 * std::numbers::pi / 3 * std::pow(radius, 3), 0.03 * volumeOf(mesh));
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    ASSERT_NEAR(mesh.positions[i].norm(), radius, 0.006);
    ASSERT_GT(mesh.normals[i].dot(mesh.positions[i].normalized()), 0.8f);
  }
}

TEST(ParticleSurface, OfABlockIsFlat) {
  const Cloud block = lattice(0.01, 0.08, 0.1, [](const Eigen::Vector3d& at) {
    return std::abs(at.z()) < 0.03 && at.head<2>().cwiseAbs().maxCoeff() < 0.06;
  });
  const SurfaceMesh mesh = particleSurface(block.view());
  EXPECT_EQ(openEdges(mesh), 0);
  EXPECT_NEAR(volumeOf(mesh), 0.12 * 0.12 * 0.06, 0.05 * volumeOf(mesh));  // edges round off
  for (const Vector3f& p : mesh.positions) {
    if (p.head<2>().cwiseAbs().maxCoeff() > 0.045f) continue;
    ASSERT_NEAR(std::abs(p.z()), 0.03f, 0.0025f);  // a quarter of a particle
  }
}

TEST(ParticleSurface, DropsAndSheetsOfOneLayerDoNotVanish) {
  Cloud drops;
  for (int i = 0; i < 5; ++i) {
    drops.x.emplace_back(0.1f * static_cast<float>(i), 0.003f * static_cast<float>(i), 0.f);
    drops.volume.push_back(1e-6);
  }
  const SurfaceMesh spray = particleSurface(drops.view());
  EXPECT_EQ(openEdges(spray), 0);
  EXPECT_NEAR(volumeOf(spray), 5e-6, 1.2e-6);  // balls a few nodes wide

  const SurfaceMesh sheet = particleSurface(lattice(0.01, 0.1, 0.1, [](const Eigen::Vector3d& at) {
                                              return std::abs(at.z() - 0.005) < 0.005;
                                            }).view());
  EXPECT_EQ(openEdges(sheet), 0);
  EXPECT_NEAR(volumeOf(sheet), 0.2 * 0.2 * 0.008, 0.25 * 0.2 * 0.2 * 0.008);
}

TEST(ParticleSurface, CarriesTheValuesOfTheParticlesNearby) {
  Cloud cloud = ball(0.06);
  for (const Vector3f& x : cloud.x) cloud.values.push_back(100 + 1000 * x.x());
  const SurfaceMesh mesh = particleSurface(cloud.view());
  ASSERT_EQ(mesh.values.size(), mesh.positions.size());
  for (std::size_t i = 0; i < mesh.values.size(); ++i)
    ASSERT_NEAR(mesh.values[i], 100 + 1000 * mesh.positions[i].x(), 12);
}

TEST(ParticleSurface, StaysClosedWhereverParticlesAre) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    std::uniform_real_distribution<float> anywhere(-0.06f, 0.06f), far(-900.f, 900.f);
    Cloud cloud;
    for (int i = 0; i < 400; ++i) {
      const Vector3f x(anywhere(random), anywhere(random), anywhere(random));
      cloud.x.push_back(i % 50 == 0 ? Vector3f(far(random), far(random), far(random)) : x);
      cloud.volume.push_back(1e-6);
    }
    cloud.x.emplace_back(NAN, 0.f, 0.f);
    cloud.volume.push_back(1e-6);
    const SurfaceMesh mesh = particleSurface(cloud.view());
    EXPECT_EQ(openEdges(mesh), 0);
    EXPECT_GT(volumeOf(mesh), 0);
  }
}

TEST(ParticleSurface, ExtraSmoothingKeepsTheVolumeAndEvensOutTheSurface) {
  Cloud cloud = ball(0.08, 0.4);
  const auto roughness = [](const SurfaceMesh& mesh) {
    double mean = 0, square = 0;
    for (const Vector3f& p : mesh.positions) mean += p.norm() / static_cast<double>(mesh.positions.size());
    for (const Vector3f& p : mesh.positions) square += std::pow(p.norm() - mean, 2);
    return std::sqrt(square / static_cast<double>(mesh.positions.size()));
  };
  const SurfaceMesh rough = particleSurface(cloud.view());
  ParticleCloud view = cloud.view();
  view.extraSmooth = true;
  const SurfaceMesh even = particleSurface(view);
  EXPECT_EQ(openEdges(even), 0);
  EXPECT_LT(roughness(even), 0.8 * roughness(rough));
  EXPECT_NEAR(volumeOf(even), 4 * std::numbers::pi / 3 * std::pow(0.08, 3), 0.04 * volumeOf(even));
}

TEST(ParticleSurface, OfNothingIsNothing) {
  EXPECT_TRUE(particleSurface(Cloud{}.view()).indices.empty());
}

/// What a liquid's tint needs to know: a stream is thin however far away things are behind it.
TEST(ParticleSurface, DepthsSayHowFarTheInsideGoesOn) {
  const auto depthOnTop = [](double height) {
    const Cloud slab = lattice(0.01, 0.2, 0.1, [height](const Eigen::Vector3d& at) {
      return std::abs(at.x()) < 0.1 && std::abs(at.y()) < 0.1 && std::abs(at.z()) < height / 2;
    });
    ParticleCloud cloud = slab.view();
    EXPECT_TRUE(particleSurface(cloud).depths.empty());
    cloud.depths = true;
    const SurfaceMesh mesh = particleSurface(cloud);
    EXPECT_EQ(mesh.depths.size(), mesh.positions.size());
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < mesh.positions.size(); ++i)
      if (mesh.positions[i].head<2>().norm() < 0.06f && mesh.normals[i].z() > 0.9f) {
        sum += static_cast<double>(mesh.depths[i]);
        ++count;
      }
    return sum / count;
  };
  EXPECT_NEAR(depthOnTop(0.02), 0.02, 0.006);
  EXPECT_NEAR(depthOnTop(0.06), 0.06, 0.012);
  EXPECT_GT(depthOnTop(0.24), 0.11);  // as deep as asked for
}

}  // namespace
}  // namespace slipstick::render
