// Time of a substep without contact per particle, one of 20 in a step: P2G, grid, G2P, return map and stress
// (ns/transfer), and with them the sort and the sums over all particles (ns/particle/substep).
//   substep/ISA/MATERIAL/EDGE       one thread, by material
//   scaling/ISA/threads:T/EDGE      neo-Hookean cubes of EDGE³ particles, from 6k to 1M
// bytes/s: mpm::transferBytes.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "engine/mpm/backend.h"
#include "engine/mpm/transfer_bytes.h"

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

void substeps(benchmark::State& state, MaterialModel material, const char* instructionSet, int threads) {
  setenv("SLIPSTICK_ISA", instructionSet, 1);
  if (mpm::cpuInstructionSet() != instructionSet) {
    state.SkipWithError("not on this CPU");
    return;
  }
  constexpr int kSubsteps = 20;
  const auto model = spinningCube(static_cast<int>(state.range(0)), material, kSubsteps);
  const auto backend = mpm::makeCpuBackend(model, threads);
  ParticleState particles{model->particles.x, model->particles.v, {}, model->particles.C, {}, {}, {}};
  particles.F.assign(model->particleCount(), Mat3::Identity());
  particles.plastic.assign(model->particleCount(), 0);
  particles.internal.assign(model->particleCount(), Eigen::Vector2d::Zero());
  mpm::StepResult result;
  backend->restore(particles);
  PhaseTimes phases{};
  for (auto _ : state) {
    backend->advance({}, kSubsteps * 5e-5, result);
    backend->accept();
    for (std::size_t p = 0; p < phases.size(); ++p) phases[p] += result.report.phases[p];
  }
  const double count = static_cast<double>(model->particleCount());
  const double rounds = static_cast<double>(state.iterations()) * kSubsteps, updates = rounds * count;
  state.counters["particles"] = count;
  state.counters["ns/particle/substep"] =
      1e9 * (at(phases, Phase::Sort) + at(phases, Phase::Transfer)) / updates;
  state.counters["ns/transfer"] = 1e9 * at(phases, Phase::Transfer) / updates;
  state.counters["particles/s"] = benchmark::Counter(updates, benchmark::Counter::kIsRate);
  state.counters["bytes/s"] = benchmark::Counter(
      rounds * mpm::transferBytes(*model, result.report.activeNodes), benchmark::Counter::kIsRate);
}

const int kRegistered = [] {
  for (const std::string isa : {"base", "avx2", "avx512"}) {
    for (std::size_t m = 0; m < kMaterialNames.size(); ++m)
      benchmark::RegisterBenchmark(
          ("substep/" + isa + "/" + std::string(kMaterialNames[m])).c_str(),
          [=](benchmark::State& s) { substeps(s, static_cast<MaterialModel>(m), isa.c_str(), 1); })
          ->Arg(32)
          ->Unit(benchmark::kMillisecond);
    for (const int threads : {1, 2})
      for (const int edge : {18, 28, 46, 100})
        benchmark::RegisterBenchmark(
            ("scaling/" + isa + "/threads:" + std::to_string(threads)).c_str(),
            [=](benchmark::State& s) { substeps(s, MaterialModel::NeoHookean, isa.c_str(), threads); })
            ->Arg(edge)
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
  }
  return 0;
}();

}  // namespace
