#include "engine/foundation/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace slipstick {
namespace {

/// The largest double has 309 digits before its point; the rest is for the decimals.
constexpr std::size_t kMaxCharacters = 384;
/// Numbers below 10 to this power need no exponent to be read.
constexpr double kLargestPlain = 6;

template <class... Style>
std::string written(double value, Style... style) {
  std::array<char, kMaxCharacters> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, style...).ptr;
  return {text.data(), end};
}

/// Of a number that no double holds: is it too small, and not too large? Its first digit that is not 0 says so.
bool isTiny(std::string_view text) {
  const std::size_t exponent = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, exponent);
  const auto point = static_cast<double>(std::min(digits.find('.'), digits.size()));
  const auto first = static_cast<double>(digits.find_first_of("123456789"));
  if (exponent == std::string_view::npos) return point < first;
  return point + parseNumber(text.substr(exponent + 1)).value_or(0) < first;
}

}  // namespace

std::optional<double> parseNumber(std::string_view text) {
  double sign = 1;
  if (text.starts_with('+') || text.starts_with('-')) {
    if (text.front() == '-') sign = -1;
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range)
    value = isTiny(text) ? 0 : std::numeric_limits<double>::infinity();
  else if (error != std::errc{})
    return std::nullopt;
  return sign * value;
}

std::string shortest(double value) {
  return written(value);
}

std::string fixed(double value, int decimals) {
  return written(value, std::chars_format::fixed, decimals);
}

std::string significant(double value, int digits) {
  std::string text = written(value, std::chars_format::general, digits);
  const std::size_t exponent = text.find("e+");
  if (exponent == std::string::npos || parseNumber(text.substr(exponent + 1)).value_or(0) >= kLargestPlain)
    return text;
  return fixed(*parseNumber(text), 0);
}

std::string scientific(double value, int decimals) {
  return written(value, std::chars_format::scientific, decimals);
}

}  // namespace slipstick
