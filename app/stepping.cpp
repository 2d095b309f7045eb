#include "app/stepping.h"

#include "engine/coupling/async_stepper.h"
#include "engine/coupling/monolithic_stepper.h"
#include "gpu/cuda_backend.h"
#include "gpu/device.h"
#include "gpu/host_backend.h"

namespace slipstick::app {

namespace {

Registry filled() {
  Registry registry;
  registry.add(asyncMethod());
  registry.add(strongMethod());
  registry.add(implicitMethod());
  const BackendEntry cpu{"cpu", mpm::makeCpuBackend, true};
  const auto onDevice = [](gpu::Reproducibility reproducibility) {
    return [reproducibility](std::shared_ptr<const Model> model, int) {
      return gpu::makeCudaBackend(std::move(model), reproducibility);
    };
  };
  const BackendEntry cuda{"cuda", onDevice(gpu::Reproducibility::RunToRun)};
  // The first one is what "auto" takes: a device where one can be used.
  const bool device = gpu::usableDevice(gpu::cudaDevices()).has_value();
  for (const BackendEntry& entry : {device ? cuda : cpu, device ? cpu : cuda}) registry.add(entry);
  registry.add({"cuda-fast", onDevice(gpu::Reproducibility::NotGuaranteed)});
  registry.add({"cuda-host", [](std::shared_ptr<const Model> model, int) {
                  return gpu::makeHostBackend(std::move(model));
                }});
  registry.add(
      {"reference",
       [](std::shared_ptr<const Model> model, int) { return mpm::makeReferenceBackend(std::move(model)); },
       true});
  return registry;
}

}  // namespace

const Registry& stepping() {
  static const Registry registry = filled();
  return registry;
}

}  // namespace slipstick::app
