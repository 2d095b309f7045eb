// Options of the command line that are numbers: read as in files, refused with what was typed and what may be.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/foundation/number_range.h"

namespace slipstick::app {

/// What a number may be, and what its unit is.
struct NumberOf {
  Range range;
  std::string_view unit;
};
struct WholeNumberOf {
  int lower, upper;
};
inline constexpr NumberOf kTimes{{0, 1e6}, "s"};  ///< as 'duration' of scene files
inline constexpr NumberOf kDurations{{0, 1e6, true}, "s"};
inline constexpr NumberOf kRates{{0.01, 1000}, "frames/s"};  ///< what videos can have
/// Of a picture or a window [px].
struct Size {
  int width = 0, height = 0;
};

/// A value that cannot be: what() is the whole line, "--duration -3: -3 is out of range; write …".
class UsageError : public CLI::ValidationError {
 public:
  explicit UsageError(const std::string& line)
      : CLI::ValidationError(line, CLI::ExitCodes::ValidationError) {}
};

/// Options with one number each; parsing throws a UsageError. The default of the value stands in the help.
CLI::Option* addNumber(CLI::App& verb, const std::string& name, double& value, const NumberOf& allowed,
                       const std::string& description);
CLI::Option* addNumber(CLI::App& verb, const std::string& name, std::optional<double>& value,
                       const NumberOf& allowed, const std::string& description);
CLI::Option* addNumber(CLI::App& verb, const std::string& name, int& value, const WholeNumberOf& allowed,
                       const std::string& description);
/// Numbers with commas between them, in one word.
CLI::Option* addNumbers(CLI::App& verb, const std::string& name, std::vector<double>& values,
                        const NumberOf& allowed, const std::string& description);
/// WIDTHxHEIGHT, each from 16 to 16384.
CLI::Option* addSize(CLI::App& verb, const std::string& name, std::optional<Size>& size,
                     const std::string& description);

}  // namespace slipstick::app
