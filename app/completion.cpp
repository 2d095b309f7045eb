#include "app/completion.h"

#include "app/word_option.h"
#include "assets/openable.h"

namespace slipstick::app {

namespace {

struct Shell {
  const char* name;
  std::string (*script)(const CommandFacts&);
};
constexpr Shell kShells[] = {{"bash", bashCompletion}, {"zsh", zshCompletion}, {"fish", fishCompletion}};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

std::vector<std::string> completionShells() {
  std::vector<std::string> names;
  for (const Shell& shell : kShells) names.emplace_back(shell.name);
  return names;
}

Result<std::string> completionFor(const std::string& shell, const CommandFacts& command) {
  for (const Shell& known : kShells)
    if (shell == known.name) return known.script(command);
  return Error{ErrorCode::UnknownName, "there is no completion for such a shell", "--completion " + shell,
               "choose from: " + joined(completionShells(), ", ")};
}

Offer offerFor(const OptionFacts& option) {
  if (!option.words.empty()) return Offer::Words;
  if (option.value == kFile) return Offer::Files;
  if (option.value == kFolder) return Offer::Folders;
  return takesShipped(option) || has(option.value, kRecording) ? Offer::Sources : Offer::Nothing;
}

bool takesShipped(const OptionFacts& source) {
  return has(source.value, kScene);
}

std::string suffixesOf(const OptionFacts& source) {
  std::vector<std::string> suffixes;
  if (takesShipped(source)) suffixes = assets::openableSuffixes();
  if (has(source.value, kRecording)) suffixes.emplace_back("h5");
  return joined(suffixes, "|");
}

}  // namespace slipstick::app
