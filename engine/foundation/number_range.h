// Numbers that a person writes, and the range that each must lie in: one reader for files and for the command line.
#pragma once

#include <limits>
#include <string>
#include <string_view>

#include "engine/foundation/result.h"

namespace slipstick {

/// The numbers from `lower` to `upper`; infinity only where it is a bound that belongs to them.
struct Range {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool openLower = false;  ///< lower itself is not allowed
  bool openUpper = false;  ///< upper itself is not allowed

  bool contains(double x) const {
    return (openLower ? x > lower : x >= lower) && (openUpper ? x < upper : x <= upper);
  }
};

/// What to write, in words: "write a number from 0 to 1 s".
/// @param unit  empty: a plain number
std::string describe(const Range& range, std::string_view unit = {});

/// A finite number of the range. Errors (InvalidValue) repeat the text, say what is wrong with it and what to write;
/// their place is left to the caller. "nan", "inf", "0x10", "1,5" and what no double holds are none.
Result<double> numberIn(std::string_view text, const Range& range, std::string_view unit = {});

/// The same for whole numbers; both bounds belong to them.
Result<int> wholeNumberIn(std::string_view text, int lower, int upper, std::string_view unit = {});

/// At most 60 bytes of a text, whole letters of UTF-8, for messages.
std::string shortened(std::string_view text);

}  // namespace slipstick
