// A device that a test can lose or fill, and a scene for it. For programs that link gpu/.
#pragma once

#include <memory>

#include "engine/methods/convex_mpm/convex_mpm.h"
#include "engine/model/scene.h"
#include "engine/step/registry.h"
#include "gpu/host_backend.h"
#include "tests/support/ground.h"

namespace slipstick::testing {

struct FailingDevice {
  gpu::HostExecutor::Settings settings;   ///< of backends that are made from now on
  gpu::HostExecutor* executor = nullptr;  ///< of the one made last

  /// In the middle of what the last one does next. While nothing runs.
  void lose() {
    settings.losingLaunch = 0;
    configureFrom(executor->counts().launches + 5, -1);
  }
  /// The last one, and those made after it, get no memory any more. While nothing runs.
  void fill() {
    settings.failingAllocation = 0;
    configureFrom(-1, executor->counts().allocations);
  }
  /// Of the last one, the n-th call from now on is refused, once. While nothing runs.
  void refuse(long n) {
    settings.failingCall = executor->calls() + n;
    executor->configure(settings);
  }
  /// Whether it has come to that.
  bool hasRefused() const { return executor->calls() > settings.failingCall; }
  /// Somebody has closed another program.
  void empty() {
    settings = {};
    executor->configure({});
  }

 private:
  void configureFrom(long losingLaunch, long failingAllocation) {
    gpu::HostExecutor::Settings now;
    now.losingLaunch = losingLaunch;
    now.failingAllocation = failingAllocation;
    executor->configure(now);
  }
};

/// "auto" is the device; "cpu" is there too.
inline Registry deviceRegistry(std::shared_ptr<FailingDevice> device) {
  Registry registry;
  const auto onDevice = [device](std::shared_ptr<const Model> model, int) {
    auto executor = std::make_unique<gpu::HostExecutor>(device->settings);
    device->executor = executor.get();
    return gpu::makeHostBackend(std::move(model), std::move(executor));
  };
  registry.add(convex_mpm::methods({{"cuda-host", onDevice}, {"cpu", mpm::makeCpuBackend}}).front());
  return registry;
}

/// A soft cube of 64 particles that falls 5 mm onto the ground. Δt = 5 ms.
inline Scene softCube() {
  Scene scene;
  scene.name = "soft cube";
  scene.time.dt = 0.005;
  scene.time.duration = 1;
  scene.gridSpacing = 0.05;
  scene.solver.relativeTolerance = 1e-5;  // so that backends differ by float noise, not by where they stop
  MaterialSpec gel;
  gel.name = "gel";
  gel.parameters.E = 1e4;
  scene.materials = {gel};
  DeformableSpec cube;
  cube.name = "cube";
  cube.material = "gel";
  cube.shape = shape::Box{Vec3::Constant(0.1)};
  cube.X_WD = Pose::translation({0, 0, 0.055});
  cube.sampling.count = {4, 4, 4};
  scene.deformables = {cube};
  scene.robots = {ground()};
  return scene;
}

}  // namespace slipstick::testing
