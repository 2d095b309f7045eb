// Time of a substep without contact per particle, by material and instruction set, on one thread: P2G, grid,
// G2P, return map and stress. The particles' own 33 floats are read and mostly written twice per substep:
// about 400 bytes each.
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "engine/mpm/backend.h"

using namespace slipstick;

namespace {

/// A cube of n³ particles, eight per cell, that turns and shears slowly.
std::shared_ptr<Model> spinningCube(int n, MaterialModel material, int substeps) {
  auto model = std::make_shared<Model>();
  constexpr double kSpacing = 0.005;
  model->gridSpacing = 2 * kSpacing;
  model->stictionSpeed = 1e-3;
  model->time.substeps = substeps;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) model->particles.x.push_back(kSpacing * Vec3(i + 0.4, j + 0.5, k + 0.6));
  const std::size_t count = model->particles.x.size();
  for (const Vec3& x : model->particles.x) model->particles.v.push_back(Vec3(0.5, 0.2, 1).cross(x));
  model->particles.C.assign(count, Mat3::Zero());
  model->particles.volume.assign(count, kSpacing * kSpacing * kSpacing);
  model->particles.mass.assign(count, 1000 * kSpacing * kSpacing * kSpacing);
  Deformable d;
  d.material.model = material;
  d.material.yieldStress = 2e3;
  d.end = static_cast<int>(count);
  d.particleSpacing = kSpacing;
  model->deformables.push_back(d);
  return model;
}

void substeps(benchmark::State& state, MaterialModel material, const char* instructionSet) {
  setenv("SLIPSTICK_ISA", instructionSet, 1);
  if (mpm::cpuInstructionSet() != instructionSet) {
    state.SkipWithError("not on this CPU");
    return;
  }
  constexpr int kSubsteps = 20;
  const auto model = spinningCube(static_cast<int>(state.range(0)), material, kSubsteps);
  const auto backend = mpm::makeCpuBackend(model, 1);
  ParticleState particles{model->particles.x, model->particles.v, {}, model->particles.C, {}, {}, {}};
  particles.F.assign(model->particleCount(), Mat3::Identity());
  particles.plastic.assign(model->particleCount(), 0);
  particles.internal.assign(model->particleCount(), Eigen::Vector2d::Zero());
  mpm::StepResult result;
  backend->restore(particles);
  for (auto _ : state) {
    backend->advance({}, kSubsteps * 5e-5, result);
    backend->accept();
  }
  const double updates =
      static_cast<double>(state.iterations()) * kSubsteps * static_cast<double>(model->particleCount());
  state.counters["particles/s"] = benchmark::Counter(updates, benchmark::Counter::kIsRate);
  state.counters["s/particle/substep"] =
      benchmark::Counter(updates, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

const int kRegistered = [] {
  for (const char* isa : {"base", "avx2", "avx512"})
    for (std::size_t m = 0; m < kMaterialNames.size(); ++m) {
      const std::string name = std::string("substep/") + isa + "/" + std::string(kMaterialNames[m]);
      benchmark::RegisterBenchmark(
          name.c_str(), [=](benchmark::State& s) { substeps(s, static_cast<MaterialModel>(m), isa); })
          ->Arg(32)
          ->Unit(benchmark::kMillisecond);
    }
  return 0;
}();

}  // namespace
