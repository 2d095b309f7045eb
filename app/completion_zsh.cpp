#include "app/completion.h"

namespace slipstick::app {

namespace {

constexpr const char* kFunctions = R"zsh(#compdef slipstick
# Completion of slipstick for zsh, made by: slipstick --completion zsh

_slipstick_sources() {  # PATTERN [names]: files, folders, and the names that ship
  local -a names
  local expl
  if [[ -n $2 ]]; then
    names=(${(f)"$($_slipstick_program scenes 2> /dev/null | sed -n 's/^  \([^ ]*\).*/\1/p')"})
    _wanted names expl 'what ships' compadd -a names
  fi
  _wanted files expl file _files -g "$1"
}

)zsh";

/// In single quotes of a shell.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// A description where brackets and colons have a meaning of their own.
std::string described(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string actionFor(const OptionFacts& option) {
  switch (offerFor(option)) {
    case Offer::Words:
      return option.takesList ? "_values -s , word " + described(joined(option.words, " "))
                              : "(" + joined(option.words, " ") + ")";
    case Offer::Files:
      return "_files";
    case Offer::Folders:
      return "_files -/";
    case Offer::Sources:
      return "_slipstick_sources \"*.(#i)(" + suffixesOf(option) + ")\"" +
             (takesShipped(option) ? " names" : "");
    default:
      return " ";
  }
}

/// One argument of _arguments for each name.
std::string specsOf(const OptionFacts& option) {
  std::string specs;
  for (const std::string& name : option.names) {
    const std::string takes =
        option.value.empty() ? "" : ":" + described(option.value) + ":" + actionFor(option);
    const std::string joined = !option.value.empty() && name.starts_with("--") ? "=" : "";
    const std::string spec = name + joined + "[" + described(option.description) + "]" + takes;
    specs += " \\\n        " + quoted((option.repeats ? "*" : "") + spec);
  }
  return specs;
}

std::string specOf(const OptionFacts& positional) {
  const std::string name = positional.names.front();
  return " \\\n        " + quoted((positional.repeats ? "*:" : ":") + name + ":" + actionFor(positional));
}

std::string argumentsOf(const VerbFacts& verb) {
  std::string arguments = "_arguments -S";
  for (const OptionFacts& option : verb.options) arguments += specsOf(option);
  for (const OptionFacts& positional : verb.positionals) arguments += specOf(positional);
  return arguments;
}

}  // namespace

std::string zshCompletion(const CommandFacts& command) {
  std::string script = kFunctions;
  script += "_slipstick_first() {\n  local -a verbs=(";
  for (const VerbFacts& verb : command.verbs) script += "\n    " + quoted(verb.name + ":" + verb.description);
  script += "\n  )\n  _describe -t verbs verb verbs\n";
  OptionFacts scene = command.program.positionals.front();
  script += "  " + actionFor(scene) + "\n}\n\n";
  script +=
      "_slipstick() {\n  local curcontext=$curcontext _slipstick_program=$words[1]\n  if ((CURRENT > 2)); "
      "then\n    case $words[2] "
      "in\n";
  for (const VerbFacts& verb : command.verbs)
    script += "      " + verb.name + ")\n        shift words\n        ((CURRENT -= 1))\n        " +
              argumentsOf(verb) + "\n        return ;;\n";
  script += "    esac\n  fi\n  ";
  VerbFacts window = command.program;
  window.positionals.clear();
  script += argumentsOf(window) + " \\\n        ':verb or scene:_slipstick_first'\n}\n\n";
  return script +
         "if [[ $funcstack[1] == _slipstick ]]; then _slipstick \"$@\"; else compdef _slipstick slipstick; "
         "fi\n";
}

}  // namespace slipstick::app
