#include "app/completion.h"

namespace slipstick::app {

namespace {

constexpr const char* kFunctions = R"(# Completion of slipstick for fish, made by: slipstick --completion fish

function __slipstick_names --description 'scenes and robots that ship'
    set -l program (commandline -opc)[1]
    $program scenes 2>/dev/null | string match -rg '^  (\S+)'
end

function __slipstick_verb --description 'whether the first word is this verb'
    set -l words (commandline -opc)
    test (count $words) -gt 1; and test "$words[2]" = "$argv[1]"
end

)";

/// In single quotes of fish, where a backslash escapes.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

std::string offerOf(const OptionFacts& option) {
  switch (offerFor(option)) {
    case Offer::Words: {
      const std::string words = joined(option.words, " ");
      return " -x -a " + quoted(option.takesList ? "(__fish_append , " + words + ")" : words);
    }
    case Offer::Files:
      return " -r -F";
    case Offer::Folders:
      return " -x -a '(__fish_complete_directories)'";
    case Offer::Sources:
      return " -r -F";
    default:
      return " -x";
  }
}

std::string linesOf(const VerbFacts& verb, const std::string& condition) {
  const std::string start = "complete -c slipstick -n " + quoted(condition);
  std::string lines;
  for (const OptionFacts& option : verb.options) {
    lines += start;
    for (const std::string& name : option.names)
      lines += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    lines += (option.value.empty() ? "" : offerOf(option)) + " -d " + quoted(option.description) + "\n";
  }
  for (const OptionFacts& positional : verb.positionals) {
    if (offerFor(positional) != Offer::Sources) continue;
    const bool named = positional.value.find("SCENE") != std::string::npos;
    lines += start + " -F" + (named ? " -a '(__slipstick_names)'" : "") + "\n";
  }
  return lines;
}

}  // namespace

std::string fishCompletion(const CommandFacts& command) {
  std::string script = kFunctions, verbs;
  for (const VerbFacts& verb : command.verbs) verbs += (verbs.empty() ? "" : " ") + verb.name;
  script +=
      "function __slipstick_window --description 'whether there is no verb'\n    set -l words (commandline "
      "-opc)\n"
      "    test (count $words) -lt 2; or not contains -- \"$words[2]\" " +
      verbs + "\nend\n\n";
  script += "complete -c slipstick -f\n";
  for (const VerbFacts& verb : command.verbs)
    script += "complete -c slipstick -n 'test (count (commandline -opc)) -lt 2' -a " + verb.name + " -d " +
              quoted(verb.description) + "\n";
  script += linesOf(command.program, "__slipstick_window");
  for (const VerbFacts& verb : command.verbs) script += linesOf(verb, "__slipstick_verb " + verb.name);
  return script;
}

}  // namespace slipstick::app
