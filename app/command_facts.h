// What the command line accepts, as facts: the man page and the completions in shells are made of them, and so cannot
// say anything else than the program does.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slipstick::app {

struct OptionFacts {
  std::vector<std::string> names;  ///< "--csv", or "-h", "--help"; of a positional its name, "scene"
  std::string value;  ///< what it takes: "FILE", "NUMBER", "draft|good|best"; empty: it is a flag
  std::vector<std::string> words;  ///< the words that it takes, where they are few: "draft", "good", "best"
  std::string description;
  std::string fallback;     ///< its value where it is not given; may be empty
  bool isRequired = false;  ///< of positionals
  bool takesList = false;   ///< several values with commas between them
  bool repeats = false;     ///< it may be given several times; of a positional: several words
};

/// The program without a verb (name "slipstick"), or one verb.
struct VerbFacts {
  std::string name, description;
  std::vector<OptionFacts> positionals, options;
};

struct CommandFacts {
  VerbFacts program;
  std::vector<VerbFacts> verbs;
  std::string footer;  ///< what the help ends with
};

/// In the order of the help; without what the help hides.
CommandFacts commandFacts(const CLI::App& app);

}  // namespace slipstick::app
