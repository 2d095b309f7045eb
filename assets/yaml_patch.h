// Changes single values of YAML text and leaves all else as it stands: comments, order, spacing.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assets/yaml_layout.h"
#include "assets/yaml_tree.h"

namespace slipstick::assets {

/// What a person wrote, and small changes to it. Each change is read again: it is made only where the text then says what
/// it said before, with the one change in it. Else it is refused, and the text is as it was before. A value that stands
/// elsewhere (an alias, a merge key, an included file) is not changed there: it is written out where the path leads,
/// beside what stays as it was.
class YamlPatch {
 public:
  using Path = std::vector<std::string>;  ///< keys; of lists the place, or the `name` of an entry
  /// Another name for a key.
  struct KeyRename {
    std::size_t begin = 0;  ///< where it stands in the text [bytes]
    std::string was, now;
  };
  /// What a text says when nothing is left to others; null where it cannot be read.
  using Reader = std::function<YamlTree(const std::string& text)>;

  /// @param text  of a mapping
  explicit YamlPatch(std::string text, Reader reader = {})
      : text_(std::move(text)), reader_(std::move(reader)) {}
  const std::string& text() const { return text_; }
  /// As it is written; null where the text is no mapping, or cannot be changed at all.
  YamlTree root() const;
  /// What stands at a path when nothing is left to others, or null.
  YamlTree whatIsAt(const Path& path) const;

  /// Puts a value in one line where the path leads, with the mappings on the way there that are missing.
  bool set(const Path& path, const std::string& value);
  /// Takes out what stands there, with the mappings and lists that it leaves empty; what comes from elsewhere is taken
  /// away by an empty value. True where nothing stands there.
  bool remove(const Path& path);
  /// Puts other keys in the place of those that begin somewhere in the text: of all, or of none.
  bool renameKeys(const std::vector<KeyRename>& keys);
  /// Adds an entry at the end of a mapping of the outermost one.
  bool append(const std::string& section, const std::string& name, const std::string& value);

 private:
  using Places = std::vector<std::size_t>;  ///< of entries, from the outermost mapping on
  /// How far a path is written.
  struct Found {
    Places places;
    YamlTree tree;         ///< what stands at the last of them
    bool isAlias = false;  ///< it is written elsewhere
  };
  /// Another text for a part of it.
  struct Edit {
    std::size_t begin, end;
    std::string text;
  };
  const std::optional<YamlLayout>& layout() const;
  const YamlTree& unfolded() const;
  const YamlNode::Entry* childOf(const YamlTree& node, const Path& path, std::size_t at) const;
  Found find(const Path& path) const;
  const YamlPart& partAt(const Places& places) const;
  bool apply(const Edit& edit, const YamlPart& meaning);
  bool apply(const std::vector<Edit>& edits, const YamlPart& meaning);
  std::optional<Edit> renaming(YamlPart& key, const KeyRename& rename) const;

  bool replace(const Places& places, const std::string& value, YamlPart now);
  bool writeOut(const Found& found, const Path& path, const std::string& value);
  bool addBelow(const Found& found, const Path& path, const std::string& value);
  std::string nested(const Path& path, std::size_t at, const std::string& value) const;
  std::string whole(const Path& path, std::size_t at, const std::string& value) const;

  bool insert(const Places& places, const std::string& key, const std::string& value);
  bool insertInBraces(const Places& places, const std::string& entry, const YamlPart& added);
  bool insertFirst(const Places& places, const std::string& entry, const YamlPart& added);
  bool insertLast(const Places& places, const std::string& entry, const YamlPart& added);
  bool insertAtEnd(const std::string& entry, const YamlPart& added);
  bool appendSection(const std::string& section, const std::string& entry, const YamlPart& added);

  bool takeOut(const Path& path);
  bool erase(const Places& places);
  Edit erasureInBrackets(const YamlPart& parent, std::size_t place) const;
  Edit erasureOfLines(const YamlPart& parent, std::size_t place) const;

  std::size_t lineStart(std::size_t at) const;
  std::size_t lineEnd(std::size_t at) const;
  std::size_t nextLine(std::size_t at) const;
  std::string lineBreak() const;

  std::string text_;
  Reader reader_;
  // Of the text as it is now, once somebody has asked:
  mutable std::optional<std::optional<YamlLayout>> layout_;
  mutable std::optional<YamlTree> unfolded_;
};

}  // namespace slipstick::assets
