#include "engine/foundation/number_range.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/foundation/number_text.h"

namespace slipstick {
namespace {

constexpr int kDigits = 7;  // of a bound: 1000000 is easier to read than 1e+06

std::string quoted(std::string_view text) {
  return "'" + shortened(text) + "'";
}

Error refused(const std::string& what, std::string remedy) {
  return {ErrorCode::InvalidValue, what, "", std::move(remedy)};
}

/// Bounds in words, after "a number" or "a whole number".
std::string boundsOf(const Range& range) {
  const bool low = std::isfinite(range.lower), high = std::isfinite(range.upper);
  if (low && high)
    return std::string(range.openLower ? " above " : " from ") + significant(range.lower, kDigits) +
           (range.openUpper ? " to below " : " to ") + significant(range.upper, kDigits);
  if (low)
    return std::string(range.openLower ? " greater than " : " of at least ") +
           significant(range.lower, kDigits);
  return high ? " of at most " + significant(range.upper, kDigits) : "";
}

std::string withUnit(std::string words, std::string_view unit) {
  return unit.empty() ? words : words + " " + std::string(unit);
}

/// "1,5": a decimal comma is the likeliest slip, and deserves its own answer.
std::optional<std::string> withPoint(std::string_view text) {
  if (std::count(text.begin(), text.end(), ',') != 1) return std::nullopt;
  std::string point(text);
  std::replace(point.begin(), point.end(), ',', '.');
  if (!parseNumber(point)) return std::nullopt;
  return point;
}

/// A finite number, or what else the text is.
Result<double> finiteNumber(std::string_view text, const std::string& remedy) {
  const std::optional<double> value = parseNumber(text);
  if (!value) {
    if (const auto point = withPoint(text))
      return refused(quoted(text) + " is not a number", "write decimals after a point: " + *point);
    return refused(quoted(text) + " is not a number", remedy);
  }
  if (std::isfinite(*value)) return *value;
  const bool hasDigits = text.find_first_of("0123456789") != std::string_view::npos;
  return refused(quoted(text) + (hasDigits ? " is too large" : " is not a finite number"), remedy);
}

}  // namespace

std::string describe(const Range& range, std::string_view unit) {
  const std::string bounds = boundsOf(range);
  return withUnit(bounds.empty() ? "write a finite number" : "write a number" + bounds, unit);
}

Result<double> numberIn(std::string_view text, const Range& range, std::string_view unit) {
  const std::string remedy = describe(range, unit);
  Result<double> value = finiteNumber(text, remedy);
  if (value && !range.contains(*value)) return refused(shortened(text) + " is out of range", remedy);
  return value;
}

Result<int> wholeNumberIn(std::string_view text, int lower, int upper, std::string_view unit) {
  const Range range{static_cast<double>(lower), static_cast<double>(upper)};
  const std::string remedy = withUnit("write a whole number" + boundsOf(range), unit);
  const Result<double> value = finiteNumber(text, remedy);
  if (!value) return value.error();
  if (*value != std::floor(*value)) return refused(shortened(text) + " is not a whole number", remedy);
  if (!range.contains(*value)) return refused(shortened(text) + " is out of range", remedy);
  return static_cast<int>(*value);
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kMax = 60, kKept = 57;
  if (text.size() <= kMax) return std::string(text);
  std::size_t end = kKept;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // in no letter
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace slipstick
