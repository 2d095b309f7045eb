// What --help says that the command line accepts: the judge of what else says it.
#pragma once

#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace slipstick::testing {

/// The verbs of the help, in its order.
inline std::vector<std::string> verbsOf(const std::string& help) {
  std::vector<std::string> verbs;
  std::stringstream lines(help.substr(std::min(help.find("Subcommands:\n"), help.size())));
  static const std::regex kVerb("^  ([a-z]+) .*");
  std::smatch match;
  for (std::string line; std::getline(lines, line);)
    if (std::regex_match(line, match, kVerb)) verbs.push_back(match[1]);
  return verbs;
}

/// The names of its options: "--csv", "--help".
inline std::set<std::string> optionsOf(const std::string& help) {
  std::set<std::string> options;
  std::stringstream lines(help);
  static const std::regex kHead("^  (-[^ ]*)( .*)?"), kName("--[a-z][a-z-]*");
  std::smatch head;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_match(line, head, kHead)) continue;
    const std::string names = head[1];
    for (std::sregex_iterator name(names.begin(), names.end(), kName); name != std::sregex_iterator(); ++name)
      options.insert(name->str());
  }
  return options;
}

}  // namespace slipstick::testing
