// What options of the command line take, other than numbers: the help, the man page and completions show it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "app/joined.h"

namespace slipstick::app {

constexpr const char* kFile = "FILE";
constexpr const char* kFolder = "FOLDER";
constexpr const char* kScene = "SCENE";  ///< a scene, robot or mesh: a file, or the name of one that ships
constexpr const char* kRecording = "RECORDING";     ///< a recording
constexpr const char* kSource = "SCENE|RECORDING";  ///< either
constexpr const char* kView = "VIEW";               ///< a word of --show, see render::applyViewWord()

/// One of these words: "draft|good|best". What reads the option still refuses others, with what is wrong and what may be.
inline CLI::Option* takesWords(CLI::Option* option, const std::vector<std::string>& words) {
  return option->type_name(joined(words, "|"));
}

}  // namespace slipstick::app
