// The keys of scene files: one table that the reader, the JSON Schema for editors, old spellings and scene_format.md
// share. Most blocks follow from their rows in scene_tables.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slipstick::assets {

/// One key of a block.
struct FormatKey {
  std::string_view key;
  /// Alternatives, apart by " | ": "number", "number > 0", "number 0 .. 1", "number 0 .. < 90" (and so "integer"), "boolean",
  /// "text", "color", "numbers 3", "numbers 3 > 0", "list number", "list text", "'word'"; and of other blocks "block NAME",
  /// "list NAME", "names NAME" (names that a person chooses, a block for each) or "names number …".
  std::string_view type;
  std::string_view unit = {};      ///< empty: none
  std::string_view fallback = {};  ///< where the key is left out; "required" where it may not be
  std::string_view meaning = {};   ///< in a line, for editors
  std::string_view was = {};       ///< what the key was called before, or nothing
  std::string_view page = {};      ///< in scene_format.md, where that says more than the meaning
  bool sharesLine = false;         ///< of scene_format.md, with the key before it
};

struct FormatBlock {
  std::string_view name;                ///< "body"; "scene" is the whole file
  std::vector<std::string_view> parts;  ///< other blocks whose keys it has, too
  std::vector<FormatKey> keys;
};

const std::vector<FormatBlock>& formatBlocks();
/// Requires a block of the table.
const FormatBlock& formatBlock(std::string_view name);
/// With those of its parts; parts first.
std::vector<FormatKey> allKeysOf(std::string_view block);
/// Their names alone, as YamlValue::map() takes them.
std::vector<std::string> keyNamesOf(std::string_view block);

/// The alternatives of a type.
std::vector<std::string_view> alternativesOf(std::string_view type);

}  // namespace slipstick::assets
