// Steps a shipped scene and prints the hash of the state it ends in: step_scene SCENE STEPS
#include <cstdio>
#include <cstdlib>

#include "assets/scene_io.h"
#include "assets/shipped.h"
#include "engine/methods/convex_mpm/convex_mpm.h"
#include "engine/step/registry.h"

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
  Registry registry;
  registry.add(convex_mpm::methods({{"cpu", mpm::makeCpuBackend}}).front());
  StepperOptions options;
  options.method = registry.methods().front().name;
  options.threads = 1;
  const Result<std::unique_ptr<Stepper>> stepper = registry.makeStepper(model, options);
  if (!stepper) {
    std::fprintf(stderr, "%s\n", stepper.error().message().c_str());
    return 1;
  }
  Snapshot snapshot;
  for (int step = 0; step < std::atoi(argv[2]); ++step) (*stepper)->step({}, snapshot);
  std::printf("%016llx\n", static_cast<unsigned long long>(snapshot.stateHash));
  return 0;
}
