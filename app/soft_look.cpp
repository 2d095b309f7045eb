#include "app/soft_look.h"

#include <algorithm>

namespace slipstick::app {

std::string colorChoices() {
  std::string choices;
  for (const render::ParticleColorName& name : render::kParticleColorNames)
    choices += (choices.empty() ? "" : ", ") + std::string(name.key);
  return choices;
}

Result<void> applySoftLook(const SoftLookOptions& options, render::ViewOptions& view) {
  const auto& names = render::kParticleColorNames;
  const auto name = std::find_if(names.begin(), names.end(), [&](const render::ParticleColorName& n) {
    return n.key == options.colorBy;
  });
  if (name == names.end())
    return Error{ErrorCode::UnknownName, "there is no such colouring", "--color-by " + options.colorBy,
                 "choose from: " + colorChoices()};
  view.particleColor = name->color;
  if (options.particles) view.softStyle = render::SoftStyle::Particles;
  if (options.surface) view.softStyle = render::SoftStyle::Surface;
  return {};
}

}  // namespace slipstick::app
