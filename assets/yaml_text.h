// YAML as people write it: short things on one line, long ones in blocks.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace slipstick::assets {

/// A document to be written: a word or number as it stands, a list, or a mapping in its order.
class YamlOut {
 public:
  using List = std::vector<YamlOut>;
  using Map = std::vector<std::pair<std::string, YamlOut>>;

  YamlOut() : value_(Map{}) {}
  static YamlOut number(double value);
  static YamlOut integer(long long value);
  static YamlOut boolean(bool value);
  static YamlOut text(std::string_view value);  ///< in quotes where it needs them
  static YamlOut list(List items) { return YamlOut(std::move(items)); }
  static YamlOut numbers(const std::vector<double>& values);

  /// Of a mapping, in its order.
  const Map& entries() const { return std::get<Map>(value_); }
  /// Of a mapping.
  YamlOut& add(std::string key, YamlOut value);
  const YamlOut* find(std::string_view key) const;  ///< of a mapping; null where it has none
  bool isEmpty() const;                             ///< a mapping or list without entries

  std::string inOneLine() const;
  /// A whole document: the keys of the outermost mapping in blocks, apart by empty lines where they are blocks.
  std::string document() const;

 private:
  explicit YamlOut(std::string scalar) : value_(std::move(scalar)) {}
  explicit YamlOut(List items) : value_(std::move(items)) {}
  void write(std::string& text, std::size_t indent, std::size_t column) const;

  std::variant<std::string, List, Map> value_;
};

/// A key or word of YAML, in quotes where it would be read as something else.
std::string quoted(std::string_view word);

}  // namespace slipstick::assets
