// Rows for the keys of a scene file's blocks. From a table of them a block is read and written, and the JSON Schema and
// scene_format.md have its keys.
#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "assets/scene_format.h"
#include "assets/scene_values.h"
#include "assets/yaml_reader.h"
#include "assets/yaml_text.h"

namespace slipstick::assets {

/// When a key is read. Of several faults in a file the first that is read is reported, and the code of a block may read
/// something of its own between two turns.
enum class Turn { First, Usual, Later, Last };

/// What is not seen from a key's member.
struct Remarks {
  std::string_view page = {};  ///< what scene_format.md says, where that is more than the meaning
  std::string_view was = {};   ///< what the key was called before
  std::optional<std::string_view> fallback = {};  ///< for people, in place of the member's own default
  bool isRequired = false;  ///< where it is missing, there is a fault; it is always written
  bool sharesLine = false;  ///< of scene_format.md, with the key before it
  Turn turn = Turn::Usual;
};

/// A key that no single member holds.
template <class Spec>
struct OwnCode {
  std::string type;
  std::string unit = {};
  std::function<void(const YamlMap& block, Spec&)> read = {};     ///< of a block that has the key
  std::function<std::optional<YamlOut>(const Spec&)> write = {};  ///< nothing: it is left out
};

/// A key that the code of its block reads and writes.
struct Elsewhere {
  std::string type;
  std::string unit = {};
};

/// One key of a Spec's block.
template <class Spec>
struct Key {
  std::string name, type, unit, fallback;
  std::string_view meaning;
  Remarks remarks;
  std::function<void(const YamlMap& block, Spec&)> read;     ///< empty: see Elsewhere
  std::function<std::optional<YamlOut>(const Spec&)> write;  ///< likewise

  template <class Base, class T>
  Key(std::string_view key, T Base::*member, const Codec<std::type_identity_t<T>>& codec,
      std::string_view meaning_, const Remarks& remarks_ = {})
      : Key(key, Elsewhere{codec.type, codec.unit}, meaning_, remarks_) {
    bind<T>(
        [member](auto& spec) -> auto& { return spec.*member; }, codec);
  }
  /// Of a member's member.
  template <class Base, class Part, class Inner, class T>
  Key(std::string_view key, Part Base::*part, T Inner::*member, const Codec<std::type_identity_t<T>>& codec,
      std::string_view meaning_, const Remarks& remarks_ = {})
      : Key(key, Elsewhere{codec.type, codec.unit}, meaning_, remarks_) {
    bind<T>(
        [ part, member ](auto& spec) -> auto& { return spec.*part.*member; }, codec);
  }
  /// Of one that may be unset.
  template <class Base, class T>
  Key(std::string_view key, std::optional<T> Base::*member, const Codec<T>& codec, std::string_view meaning_,
      const Remarks& remarks_ = {})
      : Key(key, Elsewhere{codec.type, codec.unit}, meaning_, remarks_) {
    read = [name = name, member, from = codec.read](const YamlMap& map, Spec& spec) {
      spec.*member = from(map[name]);
    };
    write = [member, to = codec.write](const Spec& spec) {
      return spec.*member ? std::optional(to(*(spec.*member))) : std::nullopt;
    };
  }
  Key(std::string_view key, OwnCode<Spec> own, std::string_view meaning_, const Remarks& remarks_ = {})
      : Key(key, Elsewhere{std::move(own.type), std::move(own.unit)}, meaning_, remarks_) {
    read = std::move(own.read);
    write = std::move(own.write);
  }
  Key(std::string_view key, Elsewhere words, std::string_view meaning_ = {}, const Remarks& remarks_ = {})
      : name(key),
        type(std::move(words.type)),
        unit(std::move(words.unit)),
        fallback(remarks_.isRequired ? "required" : ""),
        meaning(meaning_),
        remarks(remarks_) {
    if (remarks.fallback) fallback = *remarks.fallback;
  }

  /// For the schema and the page; valid as long as the key.
  FormatKey format() const {
    return {name, type, unit, fallback, meaning, remarks.was, remarks.page, remarks.sharesLine};
  }

 private:
  /// Never of what cannot be compared.
  template <class T>
  static bool areEqual(const T& a, const T& b) {
    if constexpr (std::equality_comparable<T>)
      return a == b;
    else
      return false;
  }
  template <class T, class Get>
  void bind(Get get, const Codec<T>& codec) {
    const Spec untouched{};
    const T usual = get(untouched);
    if (!remarks.isRequired && !remarks.fallback) fallback = fallbackText(codec.write(usual));
    read = [name = name, get, from = codec.read](const YamlMap& map, Spec& spec) {
      get(spec) = from(map[name]);
    };
    write = [get, usual, to = codec.write,
             isNeeded = remarks.isRequired](const Spec& spec) -> std::optional<YamlOut> {
      const T& value = get(spec);
      if (!isNeeded && areEqual(value, usual)) return std::nullopt;
      YamlOut written = to(value);
      return isNeeded || !written.isEmpty() ? std::optional(std::move(written)) : std::nullopt;
    };
  }
};

/// The table of a block. Its text is referred to: a table lives as long as the program.
template <class Spec>
struct Keys {
  std::string_view block;
  std::vector<std::string_view> parts;  ///< other blocks whose keys it has, too
  std::vector<Key<Spec>> rows;          ///< in the order in which they are written
  /// What its keys must be together: asked before those of the last turn are read.
  std::function<void(const YamlMap&, const Spec&)> check = {};

  FormatBlock format() const {
    FormatBlock format{block, parts, {}};
    for (const Key<Spec>& key : rows) format.keys.push_back(key.format());
    return format;
  }
};

template <class Spec>
void readKey(const YamlMap& map, const Key<Spec>& key, Spec& spec) {
  if (!key.read) return;
  if (key.remarks.isRequired) map.require(key.name);
  if (map.has(key.name)) key.read(map, spec);
}

template <class Spec>
void writeKey(const Spec& spec, const Key<Spec>& key, YamlOut& map) {
  if (!key.write) return;
  if (std::optional<YamlOut> written = key.write(spec)) map.add(key.name, std::move(*written));
}

/// The keys of one turn, those of a block whose own code reads between them.
template <class Spec>
void readKeys(const YamlMap& map, const Keys<Spec>& keys, Turn turn, Spec& spec) {
  for (const Key<Spec>& key : keys.rows)
    if (key.remarks.turn == turn) readKey(map, key, spec);
}

template <class Spec>
void readKeys(const YamlMap& map, const Keys<Spec>& keys, Spec& spec) {
  for (const Turn turn : {Turn::First, Turn::Usual, Turn::Later}) readKeys(map, keys, turn, spec);
  if (keys.check) keys.check(map, spec);
  readKeys(map, keys, Turn::Last, spec);
}

template <class Spec>
void writeKeys(const Spec& spec, const Keys<Spec>& keys, Turn turn, YamlOut& map) {
  for (const Key<Spec>& key : keys.rows)
    if (key.remarks.turn == turn) writeKey(spec, key, map);
}

/// What differs from Spec(), and what is required.
template <class Spec>
void writeKeys(const Spec& spec, const Keys<Spec>& keys, YamlOut& map) {
  for (const Key<Spec>& key : keys.rows) writeKey(spec, key, map);
}

template <class Spec>
void readBlock(const YamlValue& value, const Keys<Spec>& keys, Spec& spec) {
  readKeys(value.map(keyNamesOf(keys.block)), keys, spec);
}

template <class Spec>
Spec specOf(const YamlValue& value, const Keys<Spec>& keys) {
  Spec spec;
  readBlock(value, keys, spec);
  return spec;
}

template <class Spec>
YamlOut blockOf(const Spec& spec, const Keys<Spec>& keys) {
  YamlOut map;
  writeKeys(spec, keys, map);
  return map;
}

/// A block as the value of a key.
template <class Spec>
Codec<Spec> block(const Keys<Spec>& keys) {
  return {.type = "block " + std::string(keys.block),
          .read = [&keys](const YamlValue& value) { return specOf(value, keys); },
          .write = [&keys](const Spec& spec) { return blockOf(spec, keys); }};
}

/// A list of blocks as the value of a key.
template <class Spec>
Codec<std::vector<Spec>> blocks(const Keys<Spec>& keys) {
  Codec<std::vector<Spec>> codec = listOf(block(keys));
  codec.type = "list " + std::string(keys.block);
  return codec;
}

/// A block of that key whose keys are those of the same Spec.
template <class Spec>
OwnCode<Spec> within(std::string_view key, const Keys<Spec>& keys, std::string unit = {}) {
  return {.type = "block " + std::string(keys.block),
          .unit = std::move(unit),
          .read = [name = std::string(key), &keys](const YamlMap& map,
                                                   Spec& spec) { readBlock(map[name], keys, spec); },
          .write =
              [&keys](const Spec& spec) {
                YamlOut map = blockOf(spec, keys);
                return map.isEmpty() ? std::nullopt : std::optional(std::move(map));
              }};
}

}  // namespace slipstick::assets
