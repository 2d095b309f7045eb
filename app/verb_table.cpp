#include "app/mesh_child.h"
#include "app/verb.h"

namespace slipstick::app {

// Each is in the file of its name. A new verb is a file with such a function, and its name in both lists.
Verb runVerb();
Verb replayVerb();
Verb renderVerb();
Verb figureVerb();
Verb compareVerb();
Verb exportVerb();
Verb demosVerb();
Verb checkVerb();
Verb scenesVerb();
Verb benchVerb();
Verb soakVerb();

namespace {

Verb readMeshesVerb() {
  return {"read-meshes", "Serve another slipstick: see readMeshes()",
          [](CLI::App&) -> VerbAction { return readMeshes; }, true};
}

}  // namespace

std::vector<Verb> verbs() {
  return {runVerb(),   replayVerb(), renderVerb(), figureVerb(), compareVerb(), exportVerb(),
          demosVerb(), checkVerb(),  scenesVerb(), benchVerb(),  soakVerb(),    readMeshesVerb()};
}

}  // namespace slipstick::app
