#include "assets/yaml_patch.h"

#include <algorithm>

#include "assets/yaml_text.h"

namespace slipstick::assets {
namespace {

/// A key of a mapping or an entry of a list, and what stands there.
struct Child {
  YAML::Node key, value;
};

std::optional<Child> childOf(const YAML::Node& node, const std::string& name) {
  if (node.IsMap()) {
    for (const auto& entry : node)
      if (entry.first.IsScalar() && entry.first.Scalar() == name) return Child{entry.first, entry.second};
    return std::nullopt;
  }
  if (!node.IsSequence()) return std::nullopt;
  for (std::size_t i = 0; i < node.size(); ++i) {
    const YAML::Node item = node[i];
    const bool isNamed =
        item.IsMap() && item["name"] && item["name"].IsScalar() && item["name"].Scalar() == name;
    if (isNamed || std::to_string(i) == name) return Child{item, item};
  }
  return std::nullopt;
}

std::size_t at(const YAML::Node& node) {
  return static_cast<std::size_t>(std::max(node.Mark().pos, 0));
}

}  // namespace

std::optional<YAML::Node> YamlPatch::root() const {
  try {
    YAML::Node node = YAML::Load(text_);
    if (node.IsMap()) return node;
  } catch (const YAML::Exception&) {
  }
  return std::nullopt;
}

bool YamlPatch::isFlow(const YAML::Node& node) const {
  const std::size_t begin = at(node);
  return begin < text_.size() && (text_[begin] == '{' || text_[begin] == '[');
}

std::size_t YamlPatch::lineStart(std::size_t position) const {
  const std::size_t before = position == 0 ? std::string::npos : text_.rfind('\n', position - 1);
  return before == std::string::npos ? 0 : before + 1;
}

std::size_t YamlPatch::nextLine(std::size_t position) const {
  const std::size_t end = text_.find('\n', position);
  return end == std::string::npos ? text_.size() : end + 1;
}

std::optional<YamlPatch::Range> YamlPatch::rangeOf(const YAML::Node& value, bool inFlow) const {
  const std::size_t begin = at(value);
  if (begin >= text_.size()) return std::nullopt;
  const char first = text_[begin];
  if (first == '"' || first == '\'') {
    for (std::size_t i = begin + 1; i < text_.size(); ++i) {
      if (first == '"' && text_[i] == '\\')
        ++i;
      else if (text_[i] == first)
        return Range{begin, i + 1};
    }
    return std::nullopt;
  }
  if (first == '{' || first == '[') {
    int depth = 0;
    char quote = 0;
    for (std::size_t i = begin; i < text_.size(); ++i) {
      const char c = text_[i];
      if (quote != 0) {
        if (quote == '"' && c == '\\')
          ++i;
        else if (c == quote)
          quote = 0;
        continue;
      }
      if (c == '#' && (text_[i - 1] == ' ' || text_[i - 1] == '\n')) i = nextLine(i) - 1;
      if ((c == '"' || c == '\'') && std::string(" ,[{:\n").find(text_[i - 1]) != std::string::npos)
        quote = c;
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth == 0) return Range{begin, i + 1};
    }
    return std::nullopt;
  }
  if (!value.IsScalar()) return std::nullopt;  // a block
  std::size_t end = begin;
  while (end < text_.size() && text_[end] != '\n' && !(text_[end] == '#' && text_[end - 1] == ' ') &&
         !(inFlow && (text_[end] == ',' || text_[end] == '}' || text_[end] == ']')))
    ++end;
  while (end > begin && (text_[end - 1] == ' ' || text_[end - 1] == '\r')) --end;
  return Range{begin, end};
}

std::size_t YamlPatch::blockEnd(std::size_t begin) const {
  const std::size_t column = begin - lineStart(begin);
  std::size_t end = nextLine(begin);
  for (std::size_t line = end; line < text_.size(); line = nextLine(line)) {
    const std::size_t first = text_.find_first_not_of(" \r\n", line);
    const std::size_t next = nextLine(line);
    if (first == std::string::npos || first >= next || text_[first] == '#')
      continue;  // it may be of what follows
    const std::size_t indent = first - line;
    const bool isItem = text_[first] == '-' && text_[begin] != '-' && indent == column;
    if (indent <= column && !isItem) break;
    end = next;
  }
  return end;
}

bool YamlPatch::insert(const YAML::Node& map, bool isRoot, const std::string& key, const std::string& value) {
  const std::string entry = quoted(key) + ": " + value;
  if (isRoot) {
    if (!text_.empty() && text_.back() != '\n') text_ += '\n';
    text_ += entry + "\n";
    return true;
  }
  if (isFlow(map)) {
    const std::optional<Range> range = rangeOf(map, true);
    if (!range) return false;
    text_.insert(range->end - 1, map.size() == 0 ? entry : ", " + entry);
    return true;
  }
  const std::size_t begin = at(map);
  text_.insert(begin, entry + "\n" + std::string(begin - lineStart(begin), ' '));
  return map.size() > 0;
}

bool YamlPatch::set(const Path& path, const std::string& value) {
  const std::optional<YAML::Node> top = root();
  if (!top) return false;
  YAML::Node node = *top;
  bool inFlow = false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::optional<Child> child = childOf(node, path[i]);
    if (!child || child->value.IsNull()) {
      if (child || !node.IsMap()) return false;
      std::string nested = value;
      for (std::size_t k = path.size(); k-- > i + 1;) nested = "{" + quoted(path[k]) + ": " + nested + "}";
      return insert(node, i == 0, path[i], nested);
    }
    inFlow = inFlow || isFlow(node);
    node.reset(child->value);
  }
  const std::optional<Range> range = rangeOf(node, inFlow);
  if (!range) return false;
  text_.replace(range->begin, range->end - range->begin, value);
  return true;
}

/// With the comma before or after it.
bool YamlPatch::eraseFlow(Range range) {
  std::size_t after = text_.find_first_not_of(" \n", range.end);
  if (after != std::string::npos && text_[after] == ',') {
    after = text_.find_first_not_of(' ', after + 1);
    text_.erase(range.begin, after - range.begin);
    return true;
  }
  const std::size_t before =
      range.begin == 0 ? std::string::npos : text_.find_last_not_of(" \n", range.begin - 1);
  if (before != std::string::npos && text_[before] == ',') range.begin = before;
  text_.erase(range.begin, range.end - range.begin);
  return true;
}

bool YamlPatch::remove(const Path& path) {
  const std::optional<YAML::Node> top = root();
  if (!top || path.empty()) return false;
  YAML::Node parent = *top;
  bool inFlow = false;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const std::optional<Child> child = childOf(parent, path[i]);
    if (!child) return true;
    inFlow = inFlow || isFlow(parent);
    parent.reset(child->value);
  }
  const std::optional<Child> child = childOf(parent, path.back());
  if (!child) return true;
  if (parent.size() == 1 && path.size() > 1) return remove(Path(path.begin(), path.end() - 1));
  if (inFlow || isFlow(parent)) {
    const std::optional<Range> value = rangeOf(child->value, true);
    return value && eraseFlow({at(child->key), value->end});
  }
  std::size_t begin = at(child->key);
  if (parent.IsSequence()) {  // the item begins at its dash
    const std::size_t dash = text_.find_last_of('-', begin);
    if (dash == std::string::npos || dash < lineStart(begin)) return false;
    begin = dash;
  }
  const std::size_t line = lineStart(begin);
  text_.erase(line, blockEnd(begin) - line);
  return true;
}

bool YamlPatch::append(const std::string& section, const std::string& name, const std::string& value) {
  const std::optional<YAML::Node> top = root();
  if (!top) return false;
  const std::optional<Child> child = childOf(*top, section);
  if (child && child->value.IsMap() && isFlow(child->value)) return set({section, name}, value);
  if (!child) {
    if (!text_.empty() && text_.back() != '\n') text_ += '\n';
    text_ += "\n" + section + ":\n  " + quoted(name) + ": " + value + "\n";
    return true;
  }
  if (!child->value.IsMap() || child->value.size() == 0) return false;
  const std::size_t first = at(child->value);
  const std::string margin(first - lineStart(first), ' ');
  if (text_.back() != '\n') text_ += '\n';
  text_.insert(blockEnd(at(child->key)), margin + quoted(name) + ": " + value + "\n");
  return true;
}

}  // namespace slipstick::assets
