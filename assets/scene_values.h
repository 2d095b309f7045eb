// How values of a scene file are read, written and described: what a row of scene_keys.h says of its member.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assets/yaml_reader.h"
#include "assets/yaml_text.h"
#include "engine/foundation/math.h"
#include "engine/model/parameters.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

/// Both ways between a value of YAML and one of type T.
template <class T>
struct Codec {
  std::string type;  ///< as FormatKey::type
  std::string unit = {};
  std::function<T(const YamlValue&)> read;  ///< leaves faults in the document
  std::function<YamlOut(const T&)> write;
};

/// "number > 0 .. 1", from a kind of number and what it may be.
std::string rangeType(std::string_view kind, const Range& range);
/// "'lagged' | 'similar'".
std::string wordsType(const std::vector<std::string>& words);
/// What is written for a value that is left out; nothing for an empty text, list or block.
std::string fallbackText(const YamlOut& usual);

Codec<double> number(const Range& range = kAny, std::string unit = {});
/// A number as the table of parameters has it: its range and unit.
Codec<double> tuned(ParameterBlock block, std::string_view key);
Codec<int> tunedWhole(ParameterBlock block, std::string_view key);
Codec<int> whole(int lower, int upper);
Codec<bool> flag();
Codec<std::string> text();
Codec<Vec3> vector(std::string unit = {});

/// Of lists and blocks: each item by the codec of one.
template <class T>
Codec<std::vector<T>> listOf(Codec<T> item) {
  return {.type = "list " + item.type,
          .unit = item.unit,
          .read =
              [read = item.read](const YamlValue& value) {
                std::vector<T> items;
                for (const YamlValue& one : value.list()) items.push_back(read(one));
                return items;
              },
          .write =
              [write = item.write](const std::vector<T>& items) {
                YamlOut::List list;
                for (const T& one : items) list.push_back(write(one));
                return YamlOut::list(std::move(list));
              }};
}

/// Words for the values of an enumeration, or for false and true.
template <class T>
Codec<T> words(std::vector<std::pair<std::string, T>> pairs) {
  std::vector<std::string> names;
  for (const auto& [name, value] : pairs) names.push_back(name);
  const std::string type = wordsType(names);
  return {.type = type,
          .read = [pairs, names](const YamlValue& value) { return pairs[value.choice(names)].second; },
          .write =
              [pairs](const T& value) {
                for (const auto& [name, one] : pairs)
                  if (one == value) return YamlOut::text(name);
                return YamlOut();
              }};
}

}  // namespace slipstick::assets
