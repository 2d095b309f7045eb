#include "app/soft_look.h"

#include "app/word_option.h"
#include "render/view_actions.h"

namespace slipstick::app {

void addSoftLook(CLI::App& verb, SoftLookOptions& options) {
  takesWords(verb.add_option("--color-by", options.colorBy, "what colours soft things"), colorWords())
      ->capture_default_str();
  auto* particles = verb.add_flag("--particles", options.particles, "draw soft things as particles");
  verb.add_flag("--surface", options.surface, "draw soft things as surfaces")->excludes(particles);
}

std::vector<std::string> colorWords() {
  std::vector<std::string> words;
  for (const render::ViewChoice& choice : render::findViewAction("color")->choices)
    words.emplace_back(choice.name);
  return words;
}

Result<void> applySoftLook(const SoftLookOptions& options, render::ViewOptions& view) {
  if (!render::applyViewWord("color=" + options.colorBy, view))
    return Error{ErrorCode::UnknownName, "there is no such colouring", "--color-by " + options.colorBy,
                 "choose from: " + joined(colorWords(), ", ")};
  if (options.particles) view.softStyle = render::SoftStyle::Particles;
  if (options.surface) view.softStyle = render::SoftStyle::Surface;
  return {};
}

}  // namespace slipstick::app
