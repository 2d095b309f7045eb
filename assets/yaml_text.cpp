#include "assets/yaml_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "engine/foundation/lower_case.h"
#include "engine/foundation/number_text.h"

namespace slipstick::assets {
namespace {

constexpr std::size_t kLongestLine = 120;

/// A control character, which no text may hold as it is.
std::string escaped(char c) {
  constexpr char kDigits[] = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {'\\', 'x', kDigits[byte / 16], kDigits[byte % 16]};
}

/// Characters beyond ASCII that are not read as what they are: a byte order mark, which is taken off where a text begins,
/// and what other programs take for the end of a line.
constexpr std::pair<std::string_view, std::string_view> kUnreadable[] = {{"\xef\xbb\xbf", "\\ufeff"},
                                                                         {"\xc2\x85", "\\u0085"},
                                                                         {"\xe2\x80\xa8", "\\u2028"},
                                                                         {"\xe2\x80\xa9", "\\u2029"}};

bool isPlainWord(std::string_view word) {
  static constexpr std::string_view kMeanings[] = {"true", "false", "yes", "no", "on", "off", "null"};
  const auto isPlain = [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '.' || c == '/' || c == '-' || c >= 0x80;
  };
  const auto isIn = [&](const auto& unreadable) {
    return word.find(unreadable.first) != std::string_view::npos;
  };
  return !word.empty() && std::all_of(word.begin(), word.end(), isPlain) && word[0] != '-' &&
         !parseNumber(word) &&
         std::find(std::begin(kMeanings), std::end(kMeanings), lowerCase(word)) == std::end(kMeanings) &&
         std::none_of(std::begin(kUnreadable), std::end(kUnreadable), isIn);
}

/// Where a value begins on the line of its key.
std::size_t columnBehind(const std::string& key, std::size_t indent) {
  return indent + key.size() + std::string_view(": ").size();
}

}  // namespace

std::string quoted(std::string_view word) {
  if (isPlainWord(word)) return std::string(word);
  std::string text = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') text += '\\';
    if (c == '\n')
      text += "\\n";
    else if (c == '\t')
      text += "\\t";
    else if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
      text += escaped(c);
    else
      text += c;
  }
  for (const auto& [bytes, escape] : kUnreadable)
    for (std::size_t at = text.find(bytes); at != std::string::npos; at = text.find(bytes, at + 1))
      text.replace(at, bytes.size(), escape);
  return text + '"';
}

YamlOut YamlOut::number(double value) {
  if (std::isinf(value)) return YamlOut(std::string(value > 0 ? "inf" : "-inf"));
  std::string text = shortest(value);
  for (const auto& [longer, shorter] : {std::pair("e+0", "e"), std::pair("e+", "e"), std::pair("e-0", "e-")})
    if (const std::size_t at = text.find(longer); at != std::string::npos)
      text.replace(at, std::string_view(longer).size(), shorter);
  return YamlOut(std::move(text));
}

YamlOut YamlOut::integer(long long value) {
  return YamlOut(std::to_string(value));
}

YamlOut YamlOut::boolean(bool value) {
  return YamlOut(std::string(value ? "true" : "false"));
}

YamlOut YamlOut::text(std::string_view value) {
  return YamlOut(assets::quoted(value));
}

YamlOut YamlOut::numbers(const std::vector<double>& values) {
  List items;
  for (const double value : values) items.push_back(number(value));
  return list(std::move(items));
}

YamlOut& YamlOut::add(std::string key, YamlOut value) {
  std::get<Map>(value_).emplace_back(std::move(key), std::move(value));
  return *this;
}

const YamlOut* YamlOut::find(std::string_view key) const {
  for (const auto& [name, value] : std::get<Map>(value_))
    if (name == key) return &value;
  return nullptr;
}

bool YamlOut::isEmpty() const {
  if (const auto* map = std::get_if<Map>(&value_)) return map->empty();
  if (const auto* list = std::get_if<List>(&value_)) return list->empty();
  return false;
}

std::string YamlOut::inOneLine() const {
  if (const auto* scalar = std::get_if<std::string>(&value_)) return *scalar;
  std::string text;
  if (const auto* items = std::get_if<List>(&value_)) {
    for (const YamlOut& item : *items) text += (text.empty() ? "" : ", ") + item.inOneLine();
    return "[" + text + "]";
  }
  for (const auto& [key, value] : std::get<Map>(value_))
    text += (text.empty() ? "" : ", ") + assets::quoted(key) + ": " + value.inOneLine();
  return "{" + text + "}";
}

/// @param column  where the value would begin on the line of its key
void YamlOut::write(std::string& text, std::size_t indent, std::size_t column) const {
  const std::string line = inOneLine();
  const bool isScalar = std::holds_alternative<std::string>(value_);
  if (isScalar || isEmpty() || column + line.size() <= kLongestLine) {
    text += " " + line + "\n";
    return;
  }
  const std::string margin(indent, ' ');
  text += "\n";
  if (const auto* items = std::get_if<List>(&value_)) {
    for (const YamlOut& item : *items) {
      text += margin + "-";
      const auto* map = std::get_if<Map>(&item.value_);
      if (!map || margin.size() + 2 + item.inOneLine().size() <= kLongestLine) {
        item.write(text, indent + 2, indent + 2);
        continue;
      }
      bool isFirst = true;
      for (const auto& [key, value] : *map) {
        const std::string word = assets::quoted(key);
        text += (isFirst ? " " : margin + "  ") + word + ":";
        value.write(text, indent + 4, columnBehind(word, indent + 2));
        isFirst = false;
      }
    }
    return;
  }
  for (const auto& [key, value] : std::get<Map>(value_)) {
    const std::string word = assets::quoted(key);
    text += margin + word + ":";
    value.write(text, indent + 2, columnBehind(word, indent));
  }
}

std::string YamlOut::document() const {
  std::string text;
  bool wasBlock = false;
  for (const auto& [key, value] : std::get<Map>(value_)) {
    const auto* entries = std::get_if<Map>(&value.value_);
    // What has names of people's choice has a line for each.
    const bool isBlock =
        entries && !entries->empty() && std::any_of(entries->begin(), entries->end(), [](const auto& entry) {
          return std::holds_alternative<Map>(entry.second.value_);
        });
    const auto* items = std::get_if<List>(&value.value_);
    const bool isListOfMaps = items && !items->empty() && std::holds_alternative<Map>(items->front().value_);
    if (!text.empty() && (isBlock || isListOfMaps || wasBlock)) text += "\n";
    wasBlock = isBlock || isListOfMaps;
    const std::string word = assets::quoted(key);
    text += word + ":";
    value.write(text, 2, wasBlock ? kLongestLine : columnBehind(word, 0));
  }
  return text;
}

}  // namespace slipstick::assets
