#include "app/soft_look.h"

#include "render/view_actions.h"

namespace slipstick::app {

std::string colorChoices() {
  std::string choices;
  for (const render::ViewChoice& choice : render::findViewAction("color")->choices)
    choices += (choices.empty() ? "" : ", ") + std::string(choice.name);
  return choices;
}

Result<void> applySoftLook(const SoftLookOptions& options, render::ViewOptions& view) {
  if (!render::applyViewWord("color=" + options.colorBy, view))
    return Error{ErrorCode::UnknownName, "there is no such colouring", "--color-by " + options.colorBy,
                 "choose from: " + colorChoices()};
  if (options.particles) view.softStyle = render::SoftStyle::Particles;
  if (options.surface) view.softStyle = render::SoftStyle::Surface;
  return {};
}

}  // namespace slipstick::app
