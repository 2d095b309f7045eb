#include "app/stepping.h"

#include "engine/coupling/async_stepper.h"

namespace slipstick::app {

namespace {

Registry filled() {
  Registry registry;
  registry.add(asyncMethod());
  registry.add({"cpu", mpm::makeCpuBackend});
  registry.add({"reference", [](std::shared_ptr<const Model> model, int) {
                  return mpm::makeReferenceBackend(std::move(model));
                }});
  return registry;
}

}  // namespace

const Registry& stepping() {
  static const Registry registry = filled();
  return registry;
}

}  // namespace slipstick::app
