// Where each value of a YAML text is written, from its first byte to its last one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "assets/yaml_tree.h"

namespace slipstick::assets {

/// One value as somebody wrote it, with all that stands in it. Places in the text are bytes.
struct YamlPart {
  enum class Kind { Null, Scalar, Alias, List, Map };

  Kind kind = Kind::Null;
  std::string says;          ///< of a scalar
  std::string tag;           ///< "?" where none is written, "!" of what stands in quotes
  std::size_t anchor = 0;    ///< the number of its anchor, or of the one that an alias names; 0: none
  std::string anchorName;    ///< of its own anchor
  bool isFlow = false;       ///< it is, or stands in, brackets or braces
  bool hasBrackets = false;  ///< of a list or mapping; a pair in brackets is a mapping without: [a: 1]
  std::size_t order = 0;     ///< among all values of the text

  std::size_t entry = 0;  ///< where the entry begins that it is in: at a dash, a '?', a key
  std::size_t begin = 0;  ///< with its anchor and tag
  std::size_t at = 0;     ///< behind these
  std::size_t end = 0;    ///< the same as `at` where nothing is written

  std::vector<YamlPart> keys;    ///< of a mapping, in the order of its values
  std::vector<YamlPart> values;  ///< of a list or mapping

  bool isCollection() const { return kind == Kind::List || kind == Kind::Map; }
};

/// What a text says, and where. Entries of the tree and values of the part come in the same order.
struct YamlLayout {
  YamlTree tree;  ///< with merge keys as they are written
  YamlPart root;
};

/// Of the first document of a text. Nothing where it cannot be read, or where its parts are not found for sure.
std::optional<YamlLayout> layoutOf(const std::string& text);

/// Past spaces, line breaks and comments.
std::size_t pastBlanks(const std::string& text, std::size_t at);

/// Whether two texts mean the same: values, keys, tags, anchors, and what aliases name.
bool saysSame(const YamlPart& a, const YamlPart& b);

}  // namespace slipstick::assets
