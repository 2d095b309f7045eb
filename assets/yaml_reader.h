// Checked access to a YAML document: every read knows its file, line and key path, and the first fault is
// kept.
#pragma once

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assets/key_places.h"
#include "assets/yaml_tree.h"
#include "engine/foundation/math.h"
#include "engine/foundation/result.h"
#include "engine/model/parameters.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

/// The document being read. Reading goes on after a fault with harmless values; only the first fault is
/// reported, so the parser reads as the format and checks once at the end.
struct YamlDocument {
  KeyPlaces places;              ///< of all that was read so far
  std::filesystem::path folder;  ///< files that values of no file name are looked up here
  std::optional<Error> fault;

  void fail(Error error) {
    if (!fault) fault = std::move(error);
  }
};

inline constexpr Range kAny{};
inline constexpr Range kPositive{0, std::numeric_limits<double>::infinity(), true};
inline constexpr Range kNonNegative{0, std::numeric_limits<double>::infinity(), false};

class YamlMap;

/// One value and the way to it. Reads return a harmless default after a fault.
class YamlValue {
 public:
  YamlValue(YamlTree node, std::string path, YamlDocument& document)
      : node_(std::move(node)), path_(std::move(path)), document_(&document) {}

  /// A value that is read by itself. @param path  that errors are to name
  static YamlValue of(const YamlTree& node, const std::string& path, YamlDocument& document);

  bool exists() const { return node_ && node_->kind != YamlNode::Kind::Null; }
  bool isMap() const { return exists() && node_->isMap(); }
  /// "auto", where a number may stand, too.
  bool isWord(const std::string& word) const { return exists() && !isMap() && !isList() && text() == word; }
  bool isList() const { return exists() && node_->isList(); }

  double number(const Range& range = kAny) const;
  int integer(int lower, int upper) const;
  bool boolean() const;
  std::string text() const;
  std::vector<double> numbers(std::size_t count,
                              const Range& range = kAny) const;  ///< a list of exactly `count`
  Vec3 vec3(const Range& range = kAny) const;
  /// "#RRGGBB" (sRGB, as in the design) or [r, g, b(, a)] linear 0…1.
  Color color() const;
  /// Index of the text in `names`.
  std::size_t choice(const std::vector<std::string>& names) const;

  /// A mapping whose keys are fixed by the format; unknown and repeated keys are faults.
  YamlMap map(std::vector<std::string> keys) const;
  /// A mapping from names that people chose to values, in the file's order; repeated names are faults.
  std::vector<std::pair<std::string, YamlValue>> entries() const;
  std::vector<YamlValue> list() const;

  const std::string& path() const { return path_; }
  YamlDocument& document() const { return *document_; }
  /// Of the file that it is written in: files that it names are looked up here first.
  const std::filesystem::path& folder() const;
  /// "file:line, key 'a.b'", or "--set a.b=…" where an override put the value.
  std::string where() const;
  void fail(ErrorCode code, std::string what, std::string remedy) const;

 private:
  std::optional<std::string> numberText(const std::string& remedy) const;
  bool isText() const { return exists() && node_->isScalar(); }
  YamlValue child(const YamlTree& node, const std::string& key) const;

  YamlTree node_;
  std::string path_;
  YamlDocument* document_;
};

/// A mapping with known keys.
class YamlMap {
 public:
  YamlMap(YamlValue self, std::vector<std::pair<std::string, YamlValue>> values)
      : self_(std::move(self)), values_(std::move(values)) {}

  bool has(std::string_view key) const;
  /// The value, or a non-existing one at the right place.
  YamlValue operator[](const std::string& key) const;
  /// A fault if the key is missing.
  YamlValue require(const std::string& key) const;
  const YamlValue& self() const { return self_; }

  double number(const std::string& key, double fallback, const Range& range = kAny) const;
  int integer(const std::string& key, int fallback, int lower, int upper) const;
  bool boolean(const std::string& key, bool fallback) const;
  std::string text(const std::string& key, const std::string& fallback = {}) const;
  Vec3 vec3(const std::string& key, const Vec3& fallback = Vec3::Zero()) const;
  std::optional<double> maybeNumber(const std::string& key, const Range& range = kAny) const;
  std::vector<YamlValue> list(const std::string& key) const;
  std::vector<std::pair<std::string, YamlValue>> entries(const std::string& key) const;

 private:
  YamlValue self_;
  std::vector<std::pair<std::string, YamlValue>> values_;
};

}  // namespace slipstick::assets
