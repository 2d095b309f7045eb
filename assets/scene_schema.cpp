#include "assets/scene_schema.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "assets/scene_format.h"
#include "engine/foundation/number_text.h"
#include "engine/foundation/require.h"
#include "engine/model/method_rows.h"

namespace slipstick::assets {
namespace {

using Json = nlohmann::ordered_json;

/// Of lists, so that a key that is missing is missing for good: no file below and no default says it.
constexpr std::string_view kComplete[] = {"path_key", "controller_key", "move", "reset", "test"};

bool takes(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool isBlock(std::string_view name) {
  const auto& blocks = formatBlocks();
  return std::any_of(blocks.begin(), blocks.end(), [&](const FormatBlock& b) { return b.name == name; });
}

Json referTo(std::string_view block) {
  return {{"$ref", "#/$defs/" + std::string(block)}};
}

void addBound(std::string_view text, const char* closed, const char* open, Json& schema) {
  const bool isOpen = takes(text, "< ") || takes(text, "> ");
  (void)takes(text, ">= ");
  const std::optional<double> bound = parseNumber(text);
  SIM_REQUIRE(bound.has_value(), text);
  schema[isOpen ? open : closed] = *bound;
}

/// "", " > 0", " >= 0 .. 5", " 0 .. < 90"
void addRange(std::string_view range, Json& schema) {
  if (range.empty()) return;
  SIM_REQUIRE(takes(range, " "), range);
  const std::size_t dots = range.find(" .. ");
  addBound(range.substr(0, dots), "minimum", "exclusiveMinimum", schema);
  if (dots != std::string_view::npos) addBound(range.substr(dots + 4), "maximum", "exclusiveMaximum", schema);
}

/// "number > 0", "integer 1 .. 5"
Json numberSchema(std::string_view type) {
  Json schema = {{"type", type.starts_with("integer") ? "integer" : "number"}};
  SIM_REQUIRE(takes(type, "number") || takes(type, "integer"), type);
  addRange(type, schema);
  return schema;
}

/// "3", "3 > 0"
Json numbersSchema(std::string_view type) {
  const std::size_t space = std::min(type.find(' '), type.size());
  const auto count = static_cast<int>(parseNumber(type.substr(0, space)).value_or(0));
  SIM_REQUIRE(count > 0, type);
  Json number = {{"type", "number"}};
  addRange(type.substr(space), number);
  return {{"type", "array"}, {"items", number}, {"minItems", count}, {"maxItems", count}};
}

Json colorSchema() {
  Json part = {{"type", "number"}, {"minimum", 0}, {"maximum", 1}};
  return {{"anyOf",
           {{{"type", "string"}, {"pattern", "^#[0-9A-Fa-f]{6}$"}},
            {{"type", "array"}, {"items", part}, {"minItems", 3}, {"maxItems", 4}}}}};
}

/// One alternative that is no word.
Json valueSchema(std::string_view type) {
  if (type == "text") return {{"type", {"string", "number", "boolean"}}};  // all that a reader takes as one
  if (type == "boolean") return {{"enum", {true, false, "true", "false", "yes", "no", "on", "off"}}};
  if (type == "color") return colorSchema();
  if (takes(type, "block ")) return referTo(type);
  if (takes(type, "list "))
    return {{"type", "array"}, {"items", isBlock(type) ? referTo(type) : valueSchema(type)}};
  if (takes(type, "names "))
    return {{"type", "object"},
            {"additionalProperties",
             {{"anyOf", {isBlock(type) ? referTo(type) : valueSchema(type), {{"type", "null"}}}}}}};
  if (takes(type, "numbers ")) return numbersSchema(type);
  return numberSchema(type);
}

/// A value that is written empty counts as none.
Json typeSchema(std::string_view type) {
  Json words = Json::array(), schemas = Json::array();
  for (const std::string_view alternative : alternativesOf(type)) {
    if (alternative.starts_with('\''))
      words.push_back(alternative.substr(1, alternative.size() - 2));
    else
      schemas.push_back(valueSchema(alternative));
  }
  if (!words.empty()) schemas.push_back({{"enum", words}});
  schemas.push_back({{"type", "null"}});
  return {{"anyOf", schemas}};
}

std::string described(const FormatKey& key) {
  std::string text = key.unit.empty() ? "" : "[" + std::string(key.unit) + "] ";
  text += key.meaning;
  if (key.fallback == "required")
    text += std::string(text.empty() ? "" : "; ") + "required";
  else if (!key.fallback.empty())
    text += std::string(text.empty() ? "" : "; ") + "default: " + std::string(key.fallback);
  return text;
}

/// An old spelling counts, too.
void addRequired(const FormatKey& key, Json& block) {
  const Json today = {{"required", {key.key}}};
  if (key.was.empty())
    block["allOf"].push_back(today);
  else
    block["allOf"].push_back({{"anyOf", {today, {{"required", {key.was}}}}}});
}

Json blockSchema(std::string_view name) {
  Json block = {{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
  const bool isComplete = std::find(std::begin(kComplete), std::end(kComplete), name) != std::end(kComplete);
  for (const FormatKey& key : allKeysOf(name)) {
    Json schema = typeSchema(key.type);
    if (const std::string text = described(key); !text.empty()) schema["description"] = text;
    block["properties"][std::string(key.key)] = schema;
    if (isComplete && key.fallback == "required") addRequired(key, block);
    if (key.was.empty()) continue;
    schema["description"] = "the old name of '" + std::string(key.key) + "'";
    schema["deprecated"] = true;
    block["properties"][std::string(key.was)] = schema;
  }
  return block;
}

/// JSON has no infinity: what has no bound says none.
void addRange(const Range& range, Json& schema) {
  if (std::isfinite(range.lower)) schema[range.openLower ? "exclusiveMinimum" : "minimum"] = range.lower;
  if (std::isfinite(range.upper)) schema[range.openUpper ? "exclusiveMaximum" : "maximum"] = range.upper;
}

Json settingSchema(const MethodSetting& setting) {
  Json number = {{"type", setting.isWhole ? "integer" : "number"}};
  addRange(setting.range, number);
  const std::string usual = shortest(setting.usual);
  const FormatKey key = {.key = setting.key,
                         .type = {},
                         .unit = setting.unit,
                         .fallback = usual,
                         .meaning = setting.description};
  return {
      {"anyOf", {number, {{"type", "null"}}}}, {"description", described(key)}, {"default", setting.usual}};
}

/// The block of a method's own settings stands beside the keys of the solver.
void addMethod(const MethodRows& method, Json& blocks) {
  if (method.settings.empty()) return;
  const std::string name = "solver." + method.name;
  Json block = {{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
  for (const MethodSetting& setting : method.settings)
    block["properties"][std::string(setting.key)] = settingSchema(setting);
  blocks[name] = block;
  blocks["solver"]["properties"][method.name] = {
      {"anyOf", {referTo(name), {{"type", "null"}}}},
      {"description", "settings that the method " + method.name + " has of its own"}};
}

}  // namespace

std::string sceneSchema(const AllMethodRows* methods) {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "Slipstick scene"},
                 {"$ref", "#/$defs/scene"},
                 {"$defs", Json::object()}};
  for (const FormatBlock& block : formatBlocks())
    schema["$defs"][std::string(block.name)] = blockSchema(block.name);
  if (methods != nullptr)
    for (const auto& method : methods->methods()) addMethod(*method, schema["$defs"]);
  return schema.dump(1) + "\n";
}

}  // namespace slipstick::assets
