#include "app/command_facts.h"

#include <CLI/CLI.hpp>
#include <cctype>
#include <sstream>

#include "app/word_option.h"
#include "render/view_actions.h"

namespace slipstick::app {

namespace {

/// Of "draft|good|best" its three words, of kView those of --show, of "FILE" none.
std::vector<std::string> wordsOf(const std::string& value) {
  std::vector<std::string> words;
  if (value == kView) {
    for (const render::ViewAction& action : render::viewActions()) {
      const std::string name(action.name);
      if (action.isSwitch()) words.insert(words.end(), {name, "no-" + name});
      for (const render::ViewChoice& choice : action.choices)
        words.push_back(name + "=" + std::string(choice.name));
    }
  } else if (!value.empty() && std::islower(static_cast<unsigned char>(value.front()))) {
    std::stringstream list(value);
    for (std::string word; std::getline(list, word, '|');) words.push_back(word);
  }
  return words;
}

OptionFacts factsOf(const CLI::Option& option) {
  OptionFacts facts;
  if (option.get_positional()) facts.names = {option.get_name(true)};
  for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) facts.names.push_back("--" + name);
  const bool isFlag = option.get_items_expected_max() == 0;
  if (!isFlag) facts.value = option.get_type_name();
  facts.words = wordsOf(facts.value);
  facts.description = option.get_description();
  facts.fallback = option.get_default_str();
  facts.isRequired = option.get_required();
  facts.takesList = option.get_delimiter() == ',';
  facts.repeats = option.get_items_expected_max() > 1;
  return facts;
}

VerbFacts factsOfVerb(const CLI::App& verb) {
  VerbFacts facts{verb.get_name(), verb.get_description(), {}, {}};
  for (const CLI::Option* option : verb.get_options())
    if (!option->get_group().empty())
      (option->get_positional() ? facts.positionals : facts.options).push_back(factsOf(*option));
  return facts;
}

}  // namespace

CommandFacts commandFacts(const CLI::App& app) {
  CommandFacts facts{factsOfVerb(app), {}, app.get_footer()};
  for (const CLI::App* verb :
       app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); }))
    facts.verbs.push_back(factsOfVerb(*verb));
  return facts;
}

}  // namespace slipstick::app
