// The program's page for man(1), made of what the command line accepts.
#pragma once

#include <string>

#include "app/command_facts.h"

namespace slipstick::app {

/// roff source with the macros of man(7).
/// @param version  of the program, "0.1.0"
/// @param date     of that version, "2026-11-26"
std::string manPage(const CommandFacts& command, const std::string& version, const std::string& date);

}  // namespace slipstick::app
