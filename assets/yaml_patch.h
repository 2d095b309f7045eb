// Changes single values of YAML text and leaves all else as it stands: comments, order, spacing.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assets/yaml_tree.h"

namespace slipstick::assets {

/// What a person wrote, and small changes to it. A change that the text is not laid out for is refused; then the text is
/// as it was before. A value that stands elsewhere (an alias, a merge key, an included file) is not changed there: it is
/// written out where the path leads, beside what stays as it was.
class YamlPatch {
 public:
  using Path = std::vector<std::string>;  ///< keys; of lists the place, or the `name` of an entry
  /// What a text says when nothing is left to others; null where it cannot be read.
  using Reader = std::function<YamlTree(const std::string& text)>;

  /// @param text  of a mapping
  explicit YamlPatch(std::string text, Reader reader = {})
      : text_(std::move(text)), reader_(std::move(reader)) {}
  const std::string& text() const { return text_; }
  /// As it is written; null where the text is no mapping.
  YamlTree root() const;
  /// What stands at a path when nothing is left to others, or null.
  YamlTree whatIsAt(const Path& path) const;

  /// Puts a value in one line where the path leads, with the mappings on the way there that are missing.
  bool set(const Path& path, const std::string& value);
  /// Takes out what stands there, with the mappings that it leaves empty; what comes from elsewhere is taken away by an
  /// empty value. True where nothing stands there.
  bool remove(const Path& path);
  /// Puts another key in the place of one that begins somewhere in the text.
  void renameKey(std::size_t begin, const std::string& was, const std::string& now);
  /// Adds an entry at the end of a mapping of the outermost one.
  bool append(const std::string& section, const std::string& name, const std::string& value);

 private:
  struct Range {
    std::size_t begin, end;
  };
  YamlTree unfolded() const;
  bool isFlowAt(std::size_t begin) const;
  std::optional<Range> rangeOf(const YamlNode& value, std::size_t begin, bool inFlow) const;
  std::optional<Range> rangeOfBrackets(std::size_t begin) const;
  std::optional<Range> rangeOfQuotes(std::size_t begin) const;
  std::size_t aliasEnd(std::size_t begin) const;
  const YamlNode::Entry* childOf(const YamlTree& node, const Path& path, std::size_t at) const;
  /// Of what begins at a column in a line: as far as lines are further in.
  std::size_t blockEnd(std::size_t begin) const;
  bool addBelow(const YamlTree& map, const Path& path, std::size_t at, const std::string& value);
  bool writeOut(const YamlNode::Entry& alias, const Path& path, std::size_t at, const std::string& value);
  std::string nested(const Path& path, std::size_t at, const std::string& value) const;
  std::string whole(const Path& path, std::size_t at, const std::string& value) const;
  bool insert(const YamlTree& map, bool isRoot, const std::string& key, const std::string& value);
  bool removeWritten(const Path& path);
  bool eraseFlow(Range range);
  std::size_t lineStart(std::size_t at) const;
  std::size_t nextLine(std::size_t at) const;

  std::string text_;
  Reader reader_;
  mutable std::optional<std::pair<std::string, YamlTree>> read_;  ///< a text and what it says
};

}  // namespace slipstick::assets
