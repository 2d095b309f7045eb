#include "assets/yaml_reader.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "assets/one_line.h"
#include "engine/foundation/nearest_name.h"
#include "engine/foundation/number_range.h"
#include "engine/foundation/number_text.h"
#include "engine/foundation/path_key.h"
#include "engine/foundation/srgb.h"

namespace slipstick::assets {
namespace {

/// YAML spells infinities and NaN with a leading dot, which the message is to repeat as what they are.
std::string withoutDot(const std::string& text) {
  for (const char* word : {".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF"})
    if (text.ends_with(word) && text.size() <= 5) return text.substr(0, text.size() - 4) + (word + 1);
  return text;
}

/// What is added and multiplied to poses stays finite.
constexpr double kLargest = 1e100;

}  // namespace

std::string YamlValue::where() const {
  const std::string place = document_->places.of(path_);
  return path_.empty() || place.starts_with("--set ") ? place : place + ", key '" + path_ + "'";
}

void YamlValue::fail(ErrorCode code, std::string what, std::string remedy) const {
  document_->fail({code, oneLine(std::move(what)), oneLine(where()), oneLine(std::move(remedy))});
}

const std::filesystem::path& YamlValue::folder() const {
  return node_ ? node_->source->folder : document_->folder;
}

YamlValue YamlValue::of(const YamlTree& node, const std::string& path, YamlDocument& document) {
  document.places.add(path, {node->source, &node->source->label}, node->line);
  return {node, path, document};
}

YamlValue YamlValue::child(const YamlTree& node, const std::string& key) const {
  return of(node, path_.empty() ? pathKey(key) : path_ + "." + pathKey(key), *document_);
}

/// The text of a number, as numberIn() takes it; a fault where there is none.
std::optional<std::string> YamlValue::numberText(const std::string& remedy) const {
  if (isText()) return withoutDot(node_->scalar);
  fail(ErrorCode::InvalidValue, "a number is expected here", remedy);
  return std::nullopt;
}

double YamlValue::number(const Range& range) const {
  const std::optional<std::string> text = numberText(describe(range));
  const Result<double> value = text ? numberIn(*text, range) : Result<double>(1.0);
  if (value && std::abs(*value) <= kLargest) return *value;
  if (value) {
    fail(ErrorCode::InvalidValue, "'" + shortened(*text) + "' is larger than any number of a scene",
         "write SI units, up to 1e100");
    return 1;
  }
  fail(value.error().code, value.error().what, value.error().remedy);
  return 1;
}

int YamlValue::integer(int lower, int upper) const {
  const std::optional<std::string> text =
      numberText(describe({static_cast<double>(lower), static_cast<double>(upper)}));
  const Result<int> value = text ? wholeNumberIn(*text, lower, upper) : Result<int>(lower);
  if (value) return *value;
  fail(value.error().code, value.error().what, value.error().remedy);
  return lower;
}

bool YamlValue::boolean() const {
  const std::string value = isText() ? node_->scalar : "";
  if (value == "true" || value == "yes" || value == "on") return true;
  if (value == "false" || value == "no" || value == "off") return false;
  fail(ErrorCode::InvalidValue, "'" + shortened(value) + "' is neither true nor false",
       "write true or false");
  return false;
}

std::string YamlValue::text() const {
  if (isText() && !node_->scalar.empty()) return node_->scalar;
  fail(ErrorCode::InvalidValue, "a text is expected here", "write one word or a quoted line");
  return "?";
}

std::vector<double> YamlValue::numbers(std::size_t count, const Range& range) const {
  std::vector<double> values(count, 1.0);
  if (!isList() || node_->entries.size() != count) {
    fail(ErrorCode::InvalidValue, "a list of " + std::to_string(count) + " numbers is expected here",
         "write [" + std::string(count == 3 ? "x, y, z" : "a, b, …") + "]");
    return values;
  }
  for (std::size_t i = 0; i < count; ++i)
    values[i] = child(node_->entries[i].value, std::to_string(i)).number(range);
  return values;
}

Vec3 YamlValue::vec3(const Range& range) const {
  const std::vector<double> values = numbers(3, range);
  return {values[0], values[1], values[2]};
}

Color YamlValue::color() const {
  const Range unit{0, 1, false};
  if (isList()) {
    const std::vector<double> c = numbers(node_->entries.size() == 4 ? 4 : 3, unit);
    return Eigen::Vector4d(c[0], c[1], c[2], c.size() == 4 ? c[3] : 1).cast<float>();
  }
  const std::string code = isText() ? node_->scalar : "";
  const bool hex =
      code.size() == 7 && code[0] == '#' &&
      std::all_of(code.begin() + 1, code.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
  if (!hex) {
    fail(ErrorCode::InvalidValue, "'" + shortened(code) + "' is not a colour",
         "write \"#RRGGBB\" in quotes, or [r, g, b] from 0 to 1");
    return Color::Ones();
  }
  const auto byte = [&](std::size_t i) {
    return static_cast<float>(linearFromSrgb(std::stoi(code.substr(i, 2), nullptr, 16) / 255.0));
  };
  return {byte(1), byte(3), byte(5), 1};
}

std::size_t YamlValue::choice(const std::vector<std::string>& names) const {
  const std::string value = text();
  const auto found = std::find(names.begin(), names.end(), value);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  fail(ErrorCode::UnknownName, "'" + shortened(value) + "' is not known here", suggestName(value, names));
  return 0;
}

YamlMap YamlValue::map(std::vector<std::string> keys) const {
  std::vector<std::pair<std::string, YamlValue>> values = entries();
  for (const auto& [key, value] : values) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    const bool isDecimals = !value.exists() && parseNumber(key);  // "{dt_ms: 0,5}"
    value.fail(ErrorCode::UnknownName, "unknown key '" + shortened(key) + "'",
               isDecimals ? "write decimals after a point, not after a comma" : suggestName(key, keys));
  }
  return {*this, std::move(values)};
}

std::vector<std::pair<std::string, YamlValue>> YamlValue::entries() const {
  std::vector<std::pair<std::string, YamlValue>> values;
  if (!exists() || document_->fault) return values;
  if (!node_->isMap()) {
    fail(ErrorCode::InvalidValue, "a block of 'key: value' lines is expected here",
         "see assets/scene_format.md");
    return values;
  }
  for (const YamlNode::Entry& entry : node_->entries) {
    values.emplace_back(entry.key, child(entry.value, entry.key));
    if (std::any_of(entry.key.begin(), entry.key.end(), isControl))
      values.back().second.fail(ErrorCode::InvalidValue, "a name may not contain line breaks",
                                "write the name on one line");
  }
  return values;
}

std::vector<YamlValue> YamlValue::list() const {
  std::vector<YamlValue> values;
  if (!exists() || document_->fault) return values;
  if (!node_->isList()) {
    fail(ErrorCode::InvalidValue, "a list is expected here", "write lines that begin with '- '");
    return values;
  }
  for (std::size_t i = 0; i < node_->entries.size(); ++i) {
    const YamlTree& item = node_->entries[i].value;
    values.push_back(child(item, std::to_string(i)));
    // Paths of engine/model/parameters.h, and people, say names where there are some.
    const YamlTree name = valueAt(item, "name");
    if (name && name->isScalar())
      document_->places.add(path_ + "." + pathKey(name->scalar), {item->source, &item->source->label},
                            item->line);
  }
  return values;
}

bool YamlMap::has(std::string_view key) const {
  return std::any_of(values_.begin(), values_.end(),
                     [&](const auto& v) { return v.first == key && v.second.exists(); });
}

YamlValue YamlMap::operator[](const std::string& key) const {
  for (const auto& [name, value] : values_)
    if (name == key) return value;
  const std::string path = self_.path().empty() ? key : self_.path() + "." + key;
  return {nullptr, path, self_.document()};
}

YamlValue YamlMap::require(const std::string& key) const {
  if (!has(key))
    self_.fail(ErrorCode::InvalidValue, "the key '" + key + "' is missing", "add '" + key + ": …'");
  return (*this)[key];
}

double YamlMap::number(const std::string& key, double fallback, const Range& range) const {
  return has(key) ? (*this)[key].number(range) : fallback;
}
int YamlMap::integer(const std::string& key, int fallback, int lower, int upper) const {
  return has(key) ? (*this)[key].integer(lower, upper) : fallback;
}
bool YamlMap::boolean(const std::string& key, bool fallback) const {
  return has(key) ? (*this)[key].boolean() : fallback;
}
std::string YamlMap::text(const std::string& key, const std::string& fallback) const {
  return has(key) ? (*this)[key].text() : fallback;
}
Vec3 YamlMap::vec3(const std::string& key, const Vec3& fallback) const {
  return has(key) ? (*this)[key].vec3() : fallback;
}
std::optional<double> YamlMap::maybeNumber(const std::string& key, const Range& range) const {
  if (!has(key)) return std::nullopt;
  return (*this)[key].number(range);
}
std::vector<YamlValue> YamlMap::list(const std::string& key) const {
  return (*this)[key].list();
}
std::vector<std::pair<std::string, YamlValue>> YamlMap::entries(const std::string& key) const {
  return (*this)[key].entries();
}

}  // namespace slipstick::assets
