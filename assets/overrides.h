// "--set path=value": changes single values of a scene document before it is read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "assets/yaml_tree.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"

namespace slipstick {
class AllMethodRows;
}

namespace slipstick::assets {

/// One assignment. Entries of lists are addressed by index or by their `name`, those of a vector by their axis, too.
class Override {
 public:
  /// @param folder  where a file that the value names is looked up
  /// @param methods  what the methods of the program add to what a scene may say; null: nothing
  /// @param notices  gets those of keys that have other names now
  static Result<Override> parse(const std::string& assignment, const std::filesystem::path& folder,
                                const AllMethodRows* methods, std::vector<Notice>& notices);

  /// The first name of its path.
  const std::string& block() const { return path_.front(); }
  /// Whether a document has all that the path passes through.
  bool reaches(const YamlTree& root) const;
  /// The document with the value in this one place. Every name on the path but the last must be there, but for blocks
  /// whose keys all have defaults; the last may also be a key that the document leaves at its default (the reader
  /// rejects it if the format has no such key). An unknown path is an error that lists what exists there.
  Result<YamlTree> appliedTo(const YamlTree& root) const;

 private:
  Result<YamlTree> put(const YamlTree& node, std::size_t at) const;
  Error unknownPath(const YamlTree& parent, const std::string& name) const;
  std::string where() const;

  std::string assignment_;
  std::vector<std::string> path_;
  YamlTree value_;
  bool isOfMethod_ = false;  ///< it sets what a method has of its own
};

}  // namespace slipstick::assets
