// Steps a shipped scene and prints the hash of the state it ends in: step_scene SCENE STEPS
#include <cstdio>
#include <cstdlib>

#include "assets/scene_io.h"
#include "assets/shipped.h"
#include "engine/coupling/async_stepper.h"
#include "engine/mpm/backend.h"

int main(int argc, char** argv) {
  using namespace slipstick;
  if (argc != 3) return 2;
  const assets::AssetsFolderIs installed(ASSETS);
  const Result<assets::LoadedModel> loaded = assets::loadModel(argv[1]);
  if (!loaded) {
    std::fprintf(stderr, "%s\n", loaded.error().message().c_str());
    return 1;
  }
  const std::shared_ptr<const Model> model = loaded->model;
  const auto stepper = makeAsyncStepper(
      model, model->particleCount() > 0 ? mpm::makeCpuBackend(model, 1) : std::unique_ptr<mpm::Backend>());
  Snapshot snapshot;
  for (int step = 0; step < std::atoi(argv[2]); ++step) stepper->step({}, snapshot);
  std::printf("%016llx\n", static_cast<unsigned long long>(snapshot.stateHash));
  return 0;
}
