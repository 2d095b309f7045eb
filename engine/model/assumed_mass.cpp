#include "engine/model/assumed_mass.h"

#include "engine/foundation/number_text.h"
#include "engine/foundation/path_key.h"

namespace slipstick {

std::vector<char> assumedMasses(const Model& model, const std::vector<Notice>& notices) {
  std::vector<char> assumed(model.tree.bodies.size(), 0);
  for (const Notice& notice : notices)
    for (const auto& [path, value] : notice.overrides) {
      const auto keys = keysOfPath(path);
      if (!keys || keys->size() != 5 || (*keys)[2] != "links" || (*keys)[4] != "mass") continue;
      const int body = model.findBody((*keys)[1] + "." + (*keys)[3]);
      if (body < 0) continue;
      // Who gives it another one has made it their own.
      const auto b = static_cast<std::size_t>(body);
      assumed[b] = model.tree.bodies[b].mass == parseNumber(value) ? 1 : assumed[b];
    }
  return assumed;
}

std::string bodyWithMass(const Model& model, int body, const std::vector<char>& assumed) {
  const int first = model.compositeOf[static_cast<std::size_t>(body)];
  double mass = 0;
  bool guessed = false;
  for (std::size_t b = 1; b < model.tree.bodies.size(); ++b) {
    if (model.compositeOf[b] != first) continue;
    mass += model.tree.bodies[b].mass;
    guessed = guessed || (!assumed.empty() && assumed[b] != 0);
  }
  const std::string text = mass < 1 ? significant(1000 * mass, 4) + " g" : significant(mass, 4) + " kg";
  return model.tree.bodies[static_cast<std::size_t>(body)].name + " (" + text +
         (guessed ? ", assumed)" : ")");
}

}  // namespace slipstick
