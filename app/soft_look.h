// The words of --color-by, --particles and --surface to what the view shows.
#pragma once

#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "render/view.h"

namespace CLI {
class App;
}

namespace slipstick::app {

/// How deformables look.
struct SoftLookOptions {
  std::string colorBy = "auto";  ///< --color-by: a key of render::kParticleColorNames
  bool particles = false;        ///< --particles: all as particles
  bool surface = false;          ///< --surface: all as surfaces
};

/// Adds those three options.
void addSoftLook(CLI::App& verb, SoftLookOptions& options);

/// Fails with UnknownName, listing the choices, for a colouring that does not exist.
Result<void> applySoftLook(const SoftLookOptions& options, render::ViewOptions& view);

/// "auto", "material", "stress", …
std::vector<std::string> colorWords();

}  // namespace slipstick::app
