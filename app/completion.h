// What shells complete of the command line, as scripts for them made of what it accepts.
#pragma once

#include <string>
#include <vector>

#include "app/command_facts.h"
#include "app/joined.h"
#include "engine/foundation/result.h"

namespace slipstick::app {

/// The shells that there are scripts for: "bash", "zsh", "fish".
std::vector<std::string> completionShells();

/// The script for one of them. Verbs, options and words are in it; names of shipped scenes are asked of the program
/// while a person types. Fails with UnknownName.
Result<std::string> completionFor(const std::string& shell, const CommandFacts& command);

std::string bashCompletion(const CommandFacts& command);
std::string zshCompletion(const CommandFacts& command);
std::string fishCompletion(const CommandFacts& command);

/// What a shell offers for a value.
enum class Offer { Nothing, Words, Files, Folders, Sources };

Offer offerFor(const OptionFacts& option);

/// Whether a source may be named by the name of what ships.
bool takesShipped(const OptionFacts& source);

/// Suffixes of the files that a source may be: "yaml|yml|urdf|…|h5".
std::string suffixesOf(const OptionFacts& source);

}  // namespace slipstick::app
