// What people see of particles on a device, run on this machine.
#include "gpu/particle_look.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "engine/mpm/particle_look.h"
#include "gpu/device_backend.h"
#include "gpu/host_executor.h"
#include "tests/engine/mpm/flying_sheet.h"
#include "tests/engine/mpm/impact_scene.h"

using namespace slipstick;
using namespace slipstick::testing;

namespace {

using HostBackend = gpu::DeviceBackend<gpu::HostExecutor>;

std::unique_ptr<HostBackend> onHost(std::shared_ptr<const Model> model, std::uint64_t seed = 0) {
  gpu::HostExecutor::Settings settings;
  settings.seed = seed;
  return std::make_unique<HostBackend>(std::move(model), std::make_unique<gpu::HostExecutor>(settings));
}

/// What rounding may do to a stress: a hundred operations, each by half an ulp of what a relative error of F comes to.
double roundingOfStress(const Model& model, const SoftFacts& facts) {
  double largest = 0;
  for (std::size_t d = 0; d < model.deformables.size(); ++d) {
    const MaterialParameters& m = model.deformables[d].material;
    const double modulus = m.density * m.waveSpeed() * m.waveSpeed() * facts.deformables[d].stiffening;
    largest = std::max(largest, modulus);
  }
  return 100 * std::ldexp(largest, -24);
}

/// Looks at what the backend holds, and at the saved state in double precision.
void expectSeesItsState(mpm::Backend& backend, const Model& model) {
  mpm::ParticleState state;
  backend.save(state);
  SoftView seen, exact;
  backend.look(seen);
  mpm::lookAt(model, state, exact);
  ASSERT_EQ(seen.x.size(), model.nodeCount());
  const double rounding = roundingOfStress(model, backend.facts());
  const auto largest = [](const std::vector<float>& values) {
    return *std::max_element(values.begin(), values.end());
  };
  EXPECT_GT(static_cast<double>(largest(exact.stress)), 100 * rounding) << "stressed enough to compare";
  for (std::size_t p = 0; p < model.nodeCount(); ++p) {
    EXPECT_EQ(seen.x[p], exact.x[p]) << p;
    EXPECT_NEAR(seen.speed[p], exact.speed[p], std::ldexp(4.0 * static_cast<double>(exact.speed[p]), -24))
        << p;
    EXPECT_EQ(seen.plasticStrain[p], exact.plasticStrain[p]) << p;
    EXPECT_NEAR(seen.stress[p], exact.stress[p], rounding) << p;
    EXPECT_NEAR(seen.pressure[p], exact.pressure[p], rounding) << p;
  }
}

}  // namespace

TEST(ParticleLook, SeesEveryMaterialAsTheEngineDoes) {
  for (int m = 0; m < kPointMaterials; ++m) {
    SCOPED_TRACE(m);
    const Impact impact(static_cast<MaterialModel>(m), 7);  // 343: the last pack is not full
    impact.model->deformables[0].material.viscosity = 5;
    const auto backend = onHost(impact.model, static_cast<std::uint64_t>(m));
    SoftOutcome result;
    mpm::ParticleState p = impact.run(*backend, 3, result);
    for (Mat3& F : p.F) F = Vec3(0.99, 0.985, 0.995).asDiagonal() * F;  // sand in flight has no stress
    backend->restore(p);
    expectSeesItsState(*backend, *impact.model);
    backend->advance(impact.motion, 0.008, result);
    backend->accept();
    mpm::ParticleState state;
    backend->save(state);
    SoftView view;
    backend->look(view);
    EXPECT_EQ(view.x[0], state.x[0].cast<float>()) << "of the step that was accepted";
  }
}

TEST(ParticleLook, SeesClothAsTheEngineDoes) {
  const FlyingSheet sheet(9);
  for (const std::uint64_t seed : {0u, 1u, 2u}) {
    const auto backend = onHost(sheet.model, seed);
    SoftOutcome result;
    sheet.run(*backend, sheet.crumpled(0.2), 2, result);
    expectSeesItsState(*backend, *sheet.model);
  }
}

/// One copy of all columns, and no memory that was not there once two steps have been shown by turns.
TEST(ParticleLook, IsOneCopyWithoutAllocations) {
  const Impact impact(MaterialModel::Hencky, 6);
  const auto backend = onHost(impact.model);
  backend->restore(initialParticles(*impact.model));
  SoftView view, other;
  backend->look(view);
  backend->look(other);
  const gpu::ExecutorCounts before = backend->executor().counts();
  backend->look(view);
  const gpu::ExecutorCounts after = backend->executor().counts();
  EXPECT_EQ(after.allocations, before.allocations);
  EXPECT_EQ(after.downloads, before.downloads + 1);
  EXPECT_EQ(after.uploads, before.uploads);
}

namespace {

/// A drawing API that has this machine's memory.
struct VectorBuffer final : DrawBuffer {
  std::vector<float> columns;
  explicit VectorBuffer(std::size_t particles) : columns(ParticleColumns::floats(particles)) {}
  unsigned glName() const override { return 0; }
  void write(const void* data, std::size_t bytes) override {
    ASSERT_EQ(bytes, columns.size() * sizeof(float));
    std::memcpy(columns.data(), data, bytes);
  }
};

void expectSourceHas(const SoftView& view) {
  const std::size_t count = view.x.size();
  VectorBuffer buffer(count);
  ASSERT_TRUE(view.source && view.source->copyTo(buffer));
  for (std::size_t p = 0; p < count; ++p) {
    EXPECT_EQ(Eigen::Map<const Eigen::Vector3f>(&buffer.columns[3 * p]), view.x[p]) << p;
    const auto value = [&](ParticleColumns::Column c) {
      return buffer.columns[ParticleColumns::first(c, count) + p];
    };
    EXPECT_EQ(value(ParticleColumns::Speed), view.speed[p]) << p;
    EXPECT_EQ(value(ParticleColumns::Stress), view.stress[p]) << p;
    EXPECT_EQ(value(ParticleColumns::Pressure), view.pressure[p]) << p;
    EXPECT_EQ(value(ParticleColumns::PlasticStrain), view.plasticStrain[p]) << p;
  }
}

}  // namespace

TEST(ParticleLook, ASourceKeepsItsStepHoweverManyFollow) {
  const Impact impact(MaterialModel::Snow, 4);
  const auto backend = onHost(impact.model);
  backend->restore(initialParticles(*impact.model));
  std::vector<SoftView> kept(3);
  SoftOutcome result;
  const auto step = [&](SoftView& view) {
    backend->advance(impact.motion, 0.008, result);
    backend->accept();
    backend->look(view);
  };
  for (SoftView& view : kept) step(view);
  SoftView later;
  step(later);
  EXPECT_FALSE(later.source) << "its memory is for the next step";
  step(later);
  for (const SoftView& view : kept) expectSourceHas(view);
  EXPECT_NE(later.x, kept[2].x);
  kept[1].source.reset();
  step(later);
  expectSourceHas(later);
}

TEST(ParticleLook, ASourceOutlivesItsDeviceButHasNothingToGive) {
  const Impact impact(MaterialModel::Hencky, 3);
  auto backend = onHost(impact.model);
  backend->restore(initialParticles(*impact.model));
  SoftView view;
  backend->look(view);
  expectSourceHas(view);
  backend.reset();
  VectorBuffer buffer(view.x.size());
  EXPECT_FALSE(view.source->copyTo(buffer));
}

TEST(ParticleLook, ShowsWhereParticlesAreThatCannotBeStepped) {
  const Impact impact(MaterialModel::Hencky, 3);
  const auto backend = onHost(impact.model);
  mpm::ParticleState p = initialParticles(*impact.model);
  p.v[1] = {3, 0, 4};
  p.x[0].x() = std::numeric_limits<double>::infinity();
  backend->restore(p);
  SoftView view;
  backend->look(view);
  ASSERT_EQ(view.x.size(), p.x.size());
  EXPECT_EQ(view.x[1], p.x[1].cast<float>());
  EXPECT_EQ(view.speed[1], 5);
  EXPECT_EQ(view.stress, std::vector<float>(p.x.size(), 0));
  EXPECT_FALSE(view.source);
}
