#include "assets/scene_values.h"

#include <cmath>

namespace slipstick::assets {
namespace {

std::string numberText(double value) {
  return YamlOut::number(value).inOneLine();
}

std::string boundText(std::string_view before, double bound) {
  return std::string(before) + numberText(bound);
}

}  // namespace

std::string rangeType(std::string_view kind, const Range& range) {
  const bool hasUpper = std::isfinite(range.upper);
  std::string type(kind);
  if (!std::isfinite(range.lower)) return type;
  type += boundText(range.openLower ? " > " : hasUpper ? " " : " >= ", range.lower);
  if (hasUpper) type += boundText(range.openUpper ? " .. < " : " .. ", range.upper);
  return type;
}

std::string wordsType(const std::vector<std::string>& words) {
  std::string type;
  for (const std::string& word : words) type += (type.empty() ? "'" : " | '") + word + "'";
  return type;
}

std::string fallbackText(const YamlOut& usual) {
  const std::string text = usual.inOneLine();
  const bool isNothing = usual.isEmpty() || text == "\"\"";
  return isNothing ? "" : text;
}

Codec<double> number(const Range& range, std::string unit) {
  return {.type = rangeType("number", range),
          .unit = std::move(unit),
          .read = [range](const YamlValue& value) { return value.number(range); },
          .write = YamlOut::number};
}

Codec<double> tuned(ParameterBlock block, std::string_view key) {
  return number(rangeOf(block, key), std::string(unitOf(block, key)));
}

Codec<int> tunedWhole(ParameterBlock block, std::string_view key) {
  const Range range = rangeOf(block, key);
  return whole(static_cast<int>(range.lower), static_cast<int>(range.upper));
}

Codec<int> whole(int lower, int upper) {
  return {.type = "integer " + std::to_string(lower) + " .. " + std::to_string(upper),
          .read = [lower, upper](const YamlValue& value) { return value.integer(lower, upper); },
          .write = YamlOut::integer};
}

Codec<bool> flag() {
  return {.type = "boolean", .read = &YamlValue::boolean, .write = YamlOut::boolean};
}

Codec<std::string> text() {
  return {.type = "text", .read = &YamlValue::text, .write = YamlOut::text};
}

Codec<Vec3> vector(std::string unit) {
  return {.type = "numbers 3",
          .unit = std::move(unit),
          .read = [](const YamlValue& value) { return value.vec3(); },
          .write =
              [](const Vec3& v) {
                return YamlOut::numbers({v.x(), v.y(), v.z()});
              }};
}

}  // namespace slipstick::assets
