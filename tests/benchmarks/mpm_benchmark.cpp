// Time of a substep without contact per particle, one of 20 in a step: P2G, grid, G2P, return map and stress
// (ns/transfer), and with them the sort and the sums over all particles (ns/particle/substep).
//   substep/ISA/MATERIAL/EDGE       one thread, by material
//   scaling/ISA/threads:T/EDGE      neo-Hookean cubes of EDGE³ particles, from 6k to 1M
// bytes/s: mpm::transferBytes.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "engine/mpm/backend.h"
#include "engine/mpm/particle_state.h"
#include "engine/mpm/transfer_bytes.h"
#include "tests/benchmarks/free_cube.h"

using namespace slipstick;

namespace {

void substeps(benchmark::State& state, MaterialModel material, const char* instructionSet, int threads) {
  setenv("SLIPSTICK_ISA", instructionSet, 1);
  if (mpm::cpuInstructionSet() != instructionSet) {
    state.SkipWithError("not on this CPU");
    return;
  }
  const auto model = freeCube(static_cast<int>(state.range(0)), material);
  const auto backend = mpm::makeCpuBackend(model, threads);
  SoftOutcome result;
  backend->restore(mpm::particlesAtStart(*model));
  PhaseTimes phases{};
  for (auto _ : state) {
    backend->advance({}, model->time.dt, result);
    backend->accept();
    for (std::size_t p = 0; p < phases.size(); ++p) phases[p] += result.report.phases[p];
  }
  const double count = static_cast<double>(model->nodeCount());
  const double rounds = static_cast<double>(state.iterations()) * model->time.substeps,
               updates = rounds * count;
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
