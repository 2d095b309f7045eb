// A JSON Schema applied to a YAML tree: as much of draft 2020-12 as the schema of scenes needs, and an error for the rest.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "assets/yaml_tree.h"
#include "engine/foundation/number_text.h"

namespace slipstick::testing {

using Json = nlohmann::ordered_json;

/// As YAML 1.2 reads it.
inline Json jsonOf(const assets::YamlTree& tree) {
  using Kind = assets::YamlNode::Kind;
  if (!tree || tree->kind == Kind::Null) return nullptr;
  if (tree->isScalar()) {
    const std::string& text = tree->scalar;
    if (tree->isQuoted) return text;
    if (text == "true" || text == "false") return text == "true";
    const std::optional<double> number = parseNumber(text);
    return number ? Json(*number) : Json(text);
  }
  Json json = tree->isMap() ? Json::object() : Json::array();
  for (const assets::YamlNode::Entry& entry : tree->entries) {
    if (tree->isMap())
      json[entry.key] = jsonOf(entry.value);
    else
      json.push_back(jsonOf(entry.value));
  }
  return json;
}

class SchemaCheck {
 public:
  explicit SchemaCheck(Json schema) : schema_(std::move(schema)) {}

  /// Where a document breaks the schema, or "".
  std::string fault(const Json& value) const { return fault(value, schema_, "$"); }

 private:
  std::string fault(const Json& value, const Json& schema, const std::string& at) const {
    for (const auto& [keyword, rule] : schema.items()) {
      const std::string found = breaks(value, schema, keyword, rule, at);
      if (!found.empty()) return found;
    }
    return "";
  }
  std::string breaks(const Json& value, const Json& schema, const std::string& keyword, const Json& rule,
                     const std::string& at) const {
    const auto require = [&](bool holds) { return holds ? "" : at + ": " + keyword + " " + rule.dump(); };
    const auto number = [&] { return value.get<double>(); };
    if (keyword == "$ref") {
      const std::string block = rule.get<std::string>().substr(std::string("#/$defs/").size());
      return schema_["$defs"].contains(block) ? fault(value, schema_["$defs"][block], at)
                                              : at + ": no " + block;
    }
    if (keyword == "type") return require(isOfType(value, rule));
    if (keyword == "enum") return require(std::find(rule.begin(), rule.end(), value) != rule.end());
    if (keyword == "pattern")
      return require(std::regex_match(value.get<std::string>(), std::regex(rule.get<std::string>())));
    if (keyword == "minimum") return require(number() >= rule.get<double>());
    if (keyword == "maximum") return require(number() <= rule.get<double>());
    if (keyword == "exclusiveMinimum") return require(number() > rule.get<double>());
    if (keyword == "exclusiveMaximum") return require(number() < rule.get<double>());
    if (keyword == "minItems") return require(value.size() >= rule.get<std::size_t>());
    if (keyword == "maxItems") return require(value.size() <= rule.get<std::size_t>());
    if (keyword == "required")
      return require(std::all_of(rule.begin(), rule.end(),
                                 [&](const Json& k) { return value.contains(k.get<std::string>()); }));
    if (keyword == "anyOf")
      return require(
          std::any_of(rule.begin(), rule.end(), [&](const Json& s) { return fault(value, s, at).empty(); }));
    if (keyword == "allOf") {
      for (const Json& part : rule)
        if (const std::string found = fault(value, part, at); !found.empty()) return found;
      return "";
    }
    if (keyword == "items" || keyword == "properties" || keyword == "additionalProperties")
      return children(value, schema, keyword, at);
    const bool isNote = keyword == "$schema" || keyword == "title" || keyword == "$defs" ||
                        keyword == "description" || keyword == "deprecated" || keyword == "default";
    return isNote ? "" : "the check does not know '" + keyword + "'";
  }
  std::string children(const Json& value, const Json& schema, const std::string& keyword,
                       const std::string& at) const {
    if (keyword == "items") {
      for (std::size_t i = 0; i < value.size(); ++i)
        if (const std::string found = fault(value[i], schema["items"], at + "." + std::to_string(i));
            !found.empty())
          return found;
      return "";
    }
    const Json known = schema.value("properties", Json::object());
    for (const auto& [key, child] : value.items()) {
      if (keyword == "properties" && known.contains(key))
        if (const std::string found = fault(child, known[key], at + "." + key); !found.empty()) return found;
      if (keyword != "additionalProperties" || known.contains(key)) continue;
      const Json& rest = schema["additionalProperties"];
      if (rest.is_boolean()) return rest.get<bool>() ? "" : at + ": unknown key " + key;
      if (const std::string found = fault(child, rest, at + "." + key); !found.empty()) return found;
    }
    return "";
  }
  static bool isOfType(const Json& value, const Json& rule) {
    if (rule.is_array())
      return std::any_of(rule.begin(), rule.end(), [&](const Json& one) { return isOfType(value, one); });
    const std::string type = rule.get<std::string>();
    if (type == "integer") return value.is_number() && value.get<double>() == std::floor(value.get<double>());
    return (type == "number" && value.is_number()) || (type == "string" && value.is_string()) ||
           (type == "boolean" && value.is_boolean()) || (type == "null" && value.is_null()) ||
           (type == "array" && value.is_array()) || (type == "object" && value.is_object());
  }

  Json schema_;
};

}  // namespace slipstick::testing
