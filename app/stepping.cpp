#include "app/stepping.h"

#include "engine/methods/convex_mpm/convex_mpm.h"
#include "gpu/cuda_backend.h"
#include "gpu/device.h"
#include "gpu/host_backend.h"

namespace slipstick::app {

namespace {

std::vector<convex_mpm::BackendEntry> backends() {
  const auto onDevice = [](gpu::Reproducibility reproducibility) {
    return [reproducibility](std::shared_ptr<const Model> model, int) {
      return gpu::makeCudaBackend(std::move(model), reproducibility);
    };
  };
  std::vector<convex_mpm::BackendEntry> entries = {
      {"cpu", mpm::makeCpuBackend, true},
      {"cuda", onDevice(gpu::Reproducibility::RunToRun)},
      {"cuda-fast", onDevice(gpu::Reproducibility::NotGuaranteed)},
      {"cuda-host",
       [](std::shared_ptr<const Model> model, int) { return gpu::makeHostBackend(std::move(model)); }},
      {"reference",
       [](std::shared_ptr<const Model> model, int) { return mpm::makeReferenceBackend(std::move(model)); },
       true}};
  // The first one is what "auto" takes: a device where one can be used.
  if (gpu::usableDevice(gpu::cudaDevices())) std::swap(entries[0], entries[1]);
  return entries;
}

Registry filled() {
  Registry registry;
  registry.add(convex_mpm::methods(backends()));
  return registry;
}

}  // namespace

const Registry& stepping() {
  static const Registry registry = filled();
  return registry;
}

}  // namespace slipstick::app
