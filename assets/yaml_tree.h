// A YAML text as a tree of values that never change: a value may stand in many places, and a change makes a new tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "assets/limits.h"
#include "engine/foundation/result.h"

namespace slipstick::assets {

/// Where values are written.
struct YamlSource {
  std::string label;             ///< of a file, or "--set a.b=1"
  std::filesystem::path folder;  ///< files that the values name are looked up here first
  bool hasLines = true;
};

/// May stand before a text, and is no part of it.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

struct YamlNode;
using YamlTree = std::shared_ptr<const YamlNode>;  ///< null: nothing stands there

/// One value, with all that stands in it.
struct YamlNode {
  enum class Kind { Null, Scalar, List, Map };
  struct Entry {
    std::string key;        ///< of a mapping; "?" for a key that is no word
    YamlTree value;         ///< never null
    std::size_t keyAt = 0;  ///< where it begins in the text [bytes]
    bool isAlias = false;   ///< the value is written elsewhere, here stands its name
  };

  Kind kind = Kind::Null;
  std::string scalar;
  bool isQuoted = false;             ///< of a scalar
  std::vector<Entry> entries;        ///< of a list or a mapping; keys are there once
  std::vector<std::uint32_t> byKey;  ///< of a large mapping: places of its entries, sorted by their keys
  std::shared_ptr<const YamlSource> source;
  int line = 0;          ///< from 1; 0: of no line
  std::size_t size = 1;  ///< values in it, with itself, all aliases unfolded; at most kMaxYamlValues + 1
  int depth = 0;         ///< levels of lists and mappings, with its own

  bool isMap() const { return kind == Kind::Map; }
  bool isList() const { return kind == Kind::List; }
  bool isScalar() const { return kind == Kind::Scalar; }
};

/// What a text may unfold to: known while it is built, so that whoever walks a tree ends.
inline constexpr std::size_t kMaxYamlValues = limits::kYamlValues;
inline constexpr int kDeepestYaml = limits::kYamlDepth;

enum class MergeKeys {
  Unfolded,  ///< '<<' takes in the keys of one mapping or of a list of them, where the mapping itself does not have them
  AsWritten
};

/// Parses a text. Errors, with their line: broken YAML; a key that stands twice in a mapping; a value that contains
/// itself; a '<<' that names no mapping; more than kMaxYamlValues or kDeepestYaml.
Result<YamlTree> parseYaml(const std::string& text, std::shared_ptr<const YamlSource> source,
                           MergeKeys mergeKeys = MergeKeys::Unfolded);
/// Of a text whose values name no files.
Result<YamlTree> parseYaml(const std::string& text, const std::string& label);

/// The value of a key; null where it has none, or is no mapping.
YamlTree valueAt(const YamlTree& map, std::string_view key);
bool hasKey(const YamlTree& map, std::string_view key);
/// The mapping with another value for a key, which is added at the end where it is new. `map` may be null.
YamlTree withKey(const YamlTree& map, const std::string& key, YamlTree value);
/// The list or mapping with another value for one of its entries, by its place.
YamlTree withEntry(const YamlTree& node, std::size_t place, YamlTree value);
/// The same list or mapping with other entries.
YamlTree withEntries(const YamlTree& node, std::vector<YamlNode::Entry> entries);
YamlTree withoutKey(const YamlTree& map, std::string_view key);

/// Values that are written where another one is: errors name its line.
YamlTree scalarLike(const YamlNode& place, std::string text);
YamlTree listLike(const YamlNode& place, std::vector<YamlTree> items);
YamlTree mapLike(const YamlNode& place, std::vector<YamlNode::Entry> entries = {});

/// In flow style, as it would be read again.
std::string inOneLine(const YamlTree& tree);
/// "dough.yaml:12", or "--set a.b=1".
std::string placeOf(const YamlNode& node);
/// All entries of two trees are the same, but for what they stand for: places, quotes.
bool isSame(const YamlTree& a, const YamlTree& b);

}  // namespace slipstick::assets
