// Cloth as kernels.
#include <gtest/gtest.h>

#include "engine/model/cloth.h"
#include "tests/engine/mpm/flying_sheet.h"
#include "tests/engine/mpm/json_values.h"
#include "tests/engine/mpm/reference_scene.h"
#include "tests/gpu/kernel_test.h"
#include "tests/support/same_bits.h"
#include "tests/support/test_paths.h"

using namespace slipstick;
using namespace slipstick::mpm;
using slipstick::testing::FlyingSheet;
using slipstick::testing::KernelTest;
using slipstick::testing::largest;
using slipstick::testing::largestDistance;
using slipstick::testing::mat3;
using slipstick::testing::sameBits;
using slipstick::testing::vec3;

namespace {

/// One triangle of the reference data, so large for its grid that no two of its particles share a node: then
/// what a particle gives to the grid is what it gets back.
struct LoneTriangle {
  std::shared_ptr<Model> model = std::make_shared<Model>();
  ParticleState start;

  explicit LoneTriangle(const nlohmann::json& data) {
    const nlohmann::json& numbers = data["parameters"];
    MaterialParameters p = slipstick::testing::materialParameters("cloth", numbers, 1000);
    p.normalStiffness = numbers["K"];
    p.shearStiffness = numbers["gamma"];
    p.layerFriction = numbers["c_F"];
    p.thickness = data["thickness"];
    const Mat3 X = mat3(data["X"]), x = mat3(data["x"]);
    const Result<ClothMesh> mesh = buildClothMesh({X.row(0), X.row(1), X.row(2)}, {{0, 1, 2}}, p);
    EXPECT_TRUE(mesh);
    Deformable cloth;
    cloth.material = p;
    cloth.discretization = std::make_shared<ClothMesh>(*mesh);
    cloth.end = 4;
    model->deformables.push_back(cloth);
    model->time.substeps = 1;
    double least = (x.row(2) - x.row(1)).norm();
    for (int v = 1; v < 3; ++v) least = std::min(least, (x.row(v) - x.row(0)).norm());
    model->gridSpacing = least / 30;
    for (int v = 0; v < 3; ++v) model->nodes.x.emplace_back(x.row(v));
    model->nodes.x.push_back((model->nodes.x[0] + model->nodes.x[1] + model->nodes.x[2]) / 3);
    model->nodes.v.assign(4, Vec3::Zero());
    model->nodes.velocityGradient.assign(4, Mat3::Zero());
    model->nodes.mass.assign(4, 1);
    model->nodes.volume.assign(4, mesh->volume[0] / 4);
    start = slipstick::testing::initialParticles(*model);
    start.F[3] = mat3(data["F_trial"]);
  }
};

/// A sheet that a rough wall has cut through.
FlyingSheet sheetAtWall() {
  FlyingSheet sheet(7, 16);
  const Pose X_WS = Pose::fromRpy({0.2, 0, 0}, {0, 0, 0.31});
  Boundary wall;
  wall.kind = BoundaryKind::Separate;
  wall.friction = 0.4;
  sheet.model->boundaries.push_back(wall);
  sheet.motion.boundaries.push_back({0, X_WS, {{0, 0, 0.3}, {0, 0, 0.2}}});
  return sheet;
}

}  // namespace

class KernelCloth : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(On, KernelCloth, KernelTest::places(), KernelTest::nameOf);

TEST_P(KernelCloth, TakesEnergyReturnAndForcesOfTheReferenceTriangles) {
  const auto data = slipstick::testing::readData("mpm/cloth.json");
  constexpr double kRounding = 1e-5;
  constexpr double kTime = 1e-6;
  int compared = 0;
  for (const auto& c : data["cases"]) {
    SCOPED_TRACE(compared++);
    const LoneTriangle triangle(c);
    ParticleState p = triangle.start;
    SoftOutcome result;
    const auto stepped = backend(triangle.model);
    slipstick::testing::advance(*stepped, {}, kTime, p, result);
    ASSERT_EQ(result.report.health & ~static_cast<HealthFlags>(Health::CflExceeded), 0u);
    EXPECT_LT((p.F[3] - mat3(c["F_E"])).norm(), kRounding * largest(c["F_E"]));
    const double volume = clothOf(triangle.model->deformables[0])->volume[0];
    EXPECT_NEAR(result.facts.deformables[0].elasticEnergy, volume * c["energy"].get<double>(),
                4 * kRounding * volume * c["energy"].get<double>());
    const Mat3 forces = mat3(c["vertex_forces"]);
    for (int v = 0; v < 3; ++v)
      EXPECT_LT((p.v[static_cast<std::size_t>(v)] / kTime - Vec3(forces.row(v))).norm(),
                10 * kRounding * largest(c["vertex_forces"]));
    // C = A/m with A = −δt (4/h²) V τ.
    const double h = triangle.model->gridSpacing;
    const Mat3 couple = -h * h / (4 * kTime) * p.C[3];
    EXPECT_LT((couple - mat3(c["V_tau_director"])).norm(), 10 * kRounding * volume * largest(c["P"]));
  }
  EXPECT_EQ(compared, 24);
}

TEST_P(KernelCloth, MovesACrumpledSheetAsTheReferenceBackendDoes) {
  const FlyingSheet sheet(9, 16, 2e-4);
  const ParticleState start = sheet.crumpled(0.2);
  SoftOutcome device, exact;
  const ParticleState a = sheet.run(*backend(sheet.model), start, 3, device);
  const ParticleState b = sheet.run(*makeReferenceBackend(sheet.model), start, 3, exact);
  EXPECT_LT(largestDistance(a.x, b.x), 1e-7);
  EXPECT_LT(largestDistance(a.v, b.v), 1e-3);
  for (std::size_t i = 0; i < a.F.size(); ++i) EXPECT_LT((a.F[i] - b.F[i]).norm(), 1e-4) << i;
  const DeformableSums &deviceSums = device.facts.deformables[0], &exactSums = exact.facts.deformables[0];
  EXPECT_NEAR(deviceSums.elasticEnergy, exactSums.elasticEnergy, 1e-4 * exactSums.elasticEnergy);
  EXPECT_NEAR(deviceSums.stiffening, exactSums.stiffening, 1e-4 * exactSums.stiffening);
  EXPECT_GT(exactSums.stiffening, 1.01) << "crumpled enough for its waves to be faster than at rest";
}

TEST_P(KernelCloth, IsSortedAnewWithinAStep) {
  FlyingSheet sheet(9, 60);
  for (Vec3& v : sheet.model->nodes.v) v += Vec3(-20, 12, 9);  // six cells and more
  SoftOutcome result;
  const ParticleState start = mpm::particlesAtStart(*sheet.model);
  const ParticleState a = sheet.run(*backend(sheet.model), start, 1, result, 0.01);
  const ParticleState b = sheet.run(*makeReferenceBackend(sheet.model), start, 1, result, 0.01);
  EXPECT_GT((b.x[0] - start.x[0]).norm(), 10 * sheet.model->gridSpacing);
  EXPECT_LT(largestDistance(a.x, b.x), 3e-6);
  EXPECT_LT(largestDistance(a.v, b.v), 2e-3);
  for (std::size_t i = 0; i < a.F.size(); ++i) EXPECT_LT((a.F[i] - b.F[i]).norm(), 3e-4) << i;
}

TEST_P(KernelCloth, IsPushedByBoundariesAsInTheReferenceBackend) {
  const FlyingSheet sheet = sheetAtWall();
  const ParticleState start = sheet.crumpled(0.1);
  SoftOutcome device, exact;
  const ParticleState a = sheet.run(*backend(sheet.model), start, 2, device);
  const ParticleState b = sheet.run(*makeReferenceBackend(sheet.model), start, 2, exact);
  EXPECT_LT(largestDistance(a.x, b.x), 1e-6);
  EXPECT_GT(exact.boundaryImpulse[0].norm(), 1e-6);
  EXPECT_LT((device.boundaryImpulse[0] - exact.boundaryImpulse[0]).norm(),
            1e-3 * exact.boundaryImpulse[0].norm());
}

TEST_P(KernelCloth, ComesToTheSameHashInAnyOrderOfThreads) {
  const FlyingSheet sheet = sheetAtWall();
  const ParticleState start = sheet.crumpled(0.1);
  SoftOutcome expected, result;
  sheet.run(*backend(sheet.model), start, 2, expected);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    sheet.run(*backend(sheet.model, seed), start, 2, result);
    EXPECT_EQ(result.facts.hash, expected.facts.hash) << seed;
    EXPECT_EQ(result.facts.deformables[0].elasticEnergy, expected.facts.deformables[0].elasticEnergy) << seed;
    EXPECT_EQ(result.boundaryImpulse[0], expected.boundaryImpulse[0]) << seed;
  }
}

/// With N by the stiffening of a sheet that is stretched more and more, which the mesh alone knows.
TEST_P(KernelCloth, GoesOnAfterRestoreAsIfNothingHadHappened) {
  const FlyingSheet sheet(7, 0);
  sheet.model->deformables[0].material.normalStiffness = 1e3;  // in-plane waves are the fastest
  ParticleState start = mpm::particlesAtStart(*sheet.model);
  for (std::size_t i = 0; i < start.x.size(); ++i)
    start.v[i] = 300 * (start.x[i] - start.x[24]);  // from the middle
  const auto live = backend(sheet.model);
  live->restore(start);
  SoftOutcome result, resumedResult;
  ParticleState middle, resumedMiddle, end, resumedEnd;
  int fewest = 1 << 30, most = 0;
  for (int step = 0; step < 6; ++step) {
    live->save(middle);
    const auto resumed = backend(sheet.model);
    resumed->restore(middle);
    EXPECT_EQ(resumed->facts().hash, live->facts().hash);
    EXPECT_EQ(resumed->facts().hash, hashOf(middle));
    EXPECT_EQ(resumed->facts().deformables[0].stiffening, live->facts().deformables[0].stiffening);
    EXPECT_EQ(resumed->facts().deformables[0].elasticEnergy, live->facts().deformables[0].elasticEnergy);
    resumed->save(resumedMiddle);
    EXPECT_TRUE(sameBits(resumedMiddle, middle));
    live->advance(sheet.motion, 0.002, result);
    resumed->advance(sheet.motion, 0.002, resumedResult);
    ASSERT_EQ(result.report.health, 0u);
    live->accept();
    resumed->accept();
    live->save(end);
    resumed->save(resumedEnd);
    EXPECT_TRUE(sameBits(resumedEnd, end)) << step;
    EXPECT_EQ(resumedResult.facts.hash, result.facts.hash) << step;
    EXPECT_EQ(resumedResult.report.substeps, result.report.substeps) << step;
    fewest = std::min(fewest, result.report.substeps);
    most = std::max(most, result.report.substeps);
  }
  EXPECT_GT(most, fewest) << "the stiffening is meant to count";
}

/// How often a step sorts changes its last digits: that must not depend on how fast the steps before were.
TEST_P(KernelCloth, GoesOnAfterRestoreWhateverTheStepsBeforeHaveSorted) {
  const FlyingSheet sheet(6, 60);
  for (Vec3& v : sheet.model->nodes.v) v += Vec3(-20, 12, 9);
  const auto live = backend(sheet.model);
  live->restore(mpm::particlesAtStart(*sheet.model));
  SoftOutcome result, resumedResult;
  ParticleState middle;
  for (const double dt : {0.01, 0.002, 0.0002}) {
    live->save(middle);
    live->advance(sheet.motion, dt, result);
    const auto resumed = backend(sheet.model);
    resumed->restore(middle);
    resumed->advance(sheet.motion, dt, resumedResult);
    ASSERT_EQ(result.report.health, 0u);
    EXPECT_EQ(resumedResult.facts.hash, result.facts.hash) << dt;
    live->accept();
  }
}

TEST_P(KernelCloth, CentroidsStayBetweenTheirCornersAndVerticesCarryNoDeformation) {
  const FlyingSheet sheet(7);
  SoftOutcome result;
  sheet.expectMeshFollowed(sheet.run(*backend(sheet.model), sheet.crumpled(0.2), 2, result), 1e-12, 1e-6);
}

/// Two sheets and a lump between them in the model's order: each mesh finds its own particles.
TEST_P(KernelCloth, EachOfSeveralSheetsFollowsItsOwnMesh) {
  const FlyingSheet sheet(5, 8);
  const Model& one = *sheet.model;
  const auto both = std::make_shared<Model>(one);
  const auto lump = slipstick::testing::cubeModel(3, MaterialModel::FixedCorotated, one.gridSpacing);
  const auto append = [&](const Model& from, const Vec3& way) {
    const auto begin = static_cast<int>(both->nodeCount());
    for (std::size_t i = 0; i < from.nodeCount(); ++i) {
      both->nodes.x.push_back(from.nodes.x[i] + way);
      both->nodes.v.push_back(from.nodes.v[i]);
      both->nodes.velocityGradient.push_back(from.nodes.velocityGradient[i]);
      both->nodes.mass.push_back(from.nodes.mass[i]);
      both->nodes.volume.push_back(from.nodes.volume[i]);
    }
    both->deformables.push_back(from.deformables[0]);
    both->deformables.back().begin += begin;
    both->deformables.back().end += begin;
  };
  append(*lump, Vec3(1, 0, 0));
  append(one, Vec3(2, 0, 0));  // 100 cells
  const auto run = [](const std::shared_ptr<Model>& model) {
    ParticleState p = mpm::particlesAtStart(*model);
    SoftOutcome result;
    for (int i = 0; i < 2; ++i) slipstick::testing::advance(*backend(model), {}, 0.004, p, result);
    EXPECT_EQ(result.report.health, 0u);
    return std::pair(p, result.facts);
  };
  const auto [alone, aloneFacts] = run(sheet.model);
  const auto [together, facts] = run(both);
  const std::size_t count = alone.x.size(), second = together.x.size() - count;
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(together.x[i], alone.x[i]) << i;
    EXPECT_LT((together.x[second + i] - alone.x[i] - Vec3(2, 0, 0)).norm(), 1e-7) << i;
  }
  EXPECT_EQ(facts.deformables[0].elasticEnergy, aloneFacts.deformables[0].elasticEnergy);
  EXPECT_NEAR(facts.deformables[2].elasticEnergy, aloneFacts.deformables[0].elasticEnergy,
              0.05 * aloneFacts.deformables[0].elasticEnergy);
}
