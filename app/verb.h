// What the program can be asked to do: a row per verb of the command line. Help, man page and completions are made of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slipstick::app {

/// Does what the command line has asked for. @return the exit status
using VerbAction = std::function<int()>;

struct Verb {
  std::string name;     ///< as it is typed
  std::string summary;  ///< what it does, in the words of the help
  /// Adds its options. @return what it does with them, once they are parsed
  VerbAction (*offer)(CLI::App& verb);
  bool isHidden = false;  ///< from the help: it is for this program alone
};

/// All of them, in the order of the help.
std::vector<Verb> verbs();

}  // namespace slipstick::app
