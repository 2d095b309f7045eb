// Needs nothing of the package bash-completion. What is typed is taken from the line, since bash breaks its words at '='
// and ':'; readline replaces only what comes after the last of them, so the rest is cut off what is offered.
#include "app/completion.h"

namespace slipstick::app {

namespace {

constexpr const char* kFunctions = R"(# Completion of slipstick for bash, made by: slipstick --completion bash

_slipstick_offer() {  # WORD CANDIDATE...: those that begin with WORD
  local word=$1 candidate kept
  kept=${word%"${word##*[=:]}"}
  shift
  for candidate; do
    [[ $candidate == "$word"* ]] && COMPREPLY+=("${candidate#"$kept"}")
  done
}

_slipstick_list() {  # WORD CANDIDATE...: of a list with commas its last part
  local word=$1 before
  before=${word%"${word##*,}"}
  shift
  _slipstick_offer "$word" "${@/#/$before}"
  compopt -o nospace 2> /dev/null
}

_slipstick_sources() {  # PROGRAM WORD SUFFIXES [names]: files, folders, and the names that ship
  local file names
  if [[ ${4-} ]]; then
    mapfile -t names < <("$1" scenes 2> /dev/null | sed -n 's/^  \([^ ]*\).*/\1/p')
    _slipstick_offer "$2" "${names[@]}"
  fi
  while IFS= read -r file; do
    if [[ -d $file || ${file,,} == *.@($3) ]]; then COMPREPLY+=("$file"); fi
  done < <(compgen -f -- "$2")
  compopt -o filenames 2> /dev/null
}

_slipstick() {
  local line=${COMP_LINE:0:COMP_POINT} typed word before='' verb=''
  read -ra typed <<< "$line"
  [[ $line == *[[:space:]] ]] && typed+=('')
  word=${typed[-1]}
  if ((${#typed[@]} > 2)); then
    verb=${typed[1]}
    before=${typed[-2]}
  fi
  if [[ $word == --*=* ]]; then
    before=${word%%=*}
    word=${word#*=}
  fi
  COMPREPLY=()
  case $verb in
)";

/// What is done where `option` stands before the word.
std::string actionFor(const OptionFacts& option) {
  switch (offerFor(option)) {
    case Offer::Words:
      return std::string(option.takesList ? "_slipstick_list" : "_slipstick_offer") + " \"$word\" " +
             joined(option.words, " ");
    case Offer::Files:
      return "compopt -o default";
    case Offer::Folders:
      return "compopt -o dirnames";
    case Offer::Sources:
      return "_slipstick_sources \"$1\" \"$word\" '" + suffixesOf(option) + "'" +
             (takesShipped(option) ? " names" : "");
    default:
      return ":";
  }
}

std::vector<std::string> namesOf(const VerbFacts& verb) {
  std::vector<std::string> names;
  for (const OptionFacts& option : verb.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

/// What comes after the options: the verbs in place of one, and what the positional takes.
std::string restOf(const VerbFacts& verb, const std::vector<VerbFacts>& verbs) {
  std::string rest;
  if (!verbs.empty()) {
    rest = "((${#typed[@]} == 2)) && _slipstick_offer \"$word\"";
    for (const VerbFacts& one : verbs) rest += " " + one.name;
    rest += "\n          ";
  }
  return rest + (verb.positionals.empty() ? ":" : actionFor(verb.positionals.front()));
}

std::string caseOf(const VerbFacts& verb, const std::string& pattern, const std::vector<VerbFacts>& verbs) {
  std::string text = "    " + pattern + ")\n      case $before in\n";
  for (const OptionFacts& option : verb.options) {
    if (option.value.empty()) continue;
    text += "        " + joined(option.names, " | ") + ") " + actionFor(option) + "; return ;;\n";
  }
  text += "      esac\n      case $word in\n        -*) _slipstick_offer \"$word\" " +
          joined(namesOf(verb), " ") + " ;;\n";
  return text + "        *)\n          " + restOf(verb, verbs) + "\n          ;;\n      esac\n      ;;\n";
}

}  // namespace

std::string bashCompletion(const CommandFacts& command) {
  std::string script = kFunctions;
  for (const VerbFacts& verb : command.verbs) script += caseOf(verb, verb.name, {});
  return script + caseOf(command.program, "*", command.verbs) +
         "  esac\n}\n\ncomplete -F _slipstick slipstick\n";
}

}  // namespace slipstick::app
