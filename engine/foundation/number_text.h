// Numbers as text that no locale changes: the decimal sign is a point, and nothing groups the digits. Files,
// messages, labels and the command line read and write numbers here, never with printf, strtod, to_string or
// a stream.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace slipstick {

/// A decimal number, also "1e-3", "+5", "inf" and "nan"; ±infinity where it is too large for a double, 0
/// where too small. Nothing where anything else stands before, in or after it.
std::optional<double> parseNumber(std::string_view text);

/// The shortest text that reads back as the same bits.
std::string shortest(double value);

/// As many decimals as asked for: "2.50".
std::string fixed(double value, int decimals);

/// At most so many significant digits, with an exponent from a million on and below 1e-4: "0.0025", "1200",
/// "2.5e+07".
std::string significant(double value, int digits = 6);

/// One digit, a point, the decimals, and an exponent: "2.5e-07".
std::string scientific(double value, int decimals);

}  // namespace slipstick
