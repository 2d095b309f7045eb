// Changes single values of YAML text and leaves all else as it stands: comments, order, spacing.
#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>
#include <vector>

namespace slipstick::assets {

/// What a person wrote, and small changes to it. A change that the text is not laid out for is refused; then the text is
/// as it was before.
class YamlPatch {
 public:
  using Path = std::vector<std::string>;  ///< keys; of lists the place, or the `name` of an entry

  /// @param text  of a mapping
  explicit YamlPatch(std::string text) : text_(std::move(text)) {}
  const std::string& text() const { return text_; }

  /// Puts a value in one line where the path leads, with the mappings on the way there that are missing.
  bool set(const Path& path, const std::string& value);
  /// Takes out what stands there, with the mappings that it leaves empty. True where nothing stands there.
  bool remove(const Path& path);
  /// Adds an entry at the end of a mapping of the outermost one.
  bool append(const std::string& section, const std::string& name, const std::string& value);

 private:
  struct Range {
    std::size_t begin, end;
  };
  std::optional<YAML::Node> root() const;
  bool isFlow(const YAML::Node& node) const;
  std::optional<Range> rangeOf(const YAML::Node& value, bool inFlow) const;
  /// Of what begins at a column in a line: as far as lines are further in.
  std::size_t blockEnd(std::size_t begin) const;
  bool insert(const YAML::Node& map, bool isRoot, const std::string& key, const std::string& value);
  bool eraseFlow(Range range);
  std::size_t lineStart(std::size_t at) const;
  std::size_t nextLine(std::size_t at) const;

  std::string text_;
};

}  // namespace slipstick::assets
