#include "assets/yaml_patch.h"

#include <algorithm>

#include "assets/yaml_text.h"

namespace slipstick::assets {
namespace {

constexpr const char* kMergeKey = "<<";

std::size_t placeOf(const YamlNode::Entry& entry, const YamlTree& list) {
  return static_cast<std::size_t>(&entry - list->entries.data());
}

/// The key of a mapping, or the entry of a list by its place or its `name`.
const YamlNode::Entry* entryOf(const YamlTree& node, const std::string& name) {
  if (!node) return nullptr;
  for (const YamlNode::Entry& entry : node->entries) {
    const YamlTree own = node->isList() ? valueAt(entry.value, "name") : nullptr;
    const bool isNamed = own && own->isScalar() && own->scalar == name;
    if (node->isMap() ? entry.key == name : isNamed || std::to_string(placeOf(entry, node)) == name)
      return &entry;
  }
  return nullptr;
}

YamlTree valueOf(const YamlTree& tree, const YamlPatch::Path& path, std::size_t count) {
  YamlTree node = tree;
  for (std::size_t i = 0; i < count && node; ++i) {
    const YamlNode::Entry* child = entryOf(node, path[i]);
    node = child ? child->value : nullptr;
  }
  return node;
}

/// The tree with another value where the rest of a path leads; keys that are missing are added.
YamlTree withValue(const YamlTree& node, const YamlPatch::Path& path, std::size_t at, const YamlTree& value) {
  if (at == path.size()) return value;
  const YamlNode::Entry* child = entryOf(node, path[at]);
  if (child) return withEntry(node, placeOf(*child, node), withValue(child->value, path, at + 1, value));
  if (node && node->isList()) return nullptr;
  const YamlTree added = withValue(nullptr, path, at + 1, value);
  return added ? withKey(node, path[at], added) : nullptr;
}

/// Whether a mapping takes a key in by '<<'.
bool mergesIn(const YamlTree& map, const std::string& key) {
  const YamlTree from = valueAt(map, kMergeKey);
  if (!from) return false;
  if (from->isMap()) return hasKey(from, key) || mergesIn(from, key);
  return std::any_of(from->entries.begin(), from->entries.end(), [&](const YamlNode::Entry& item) {
    return hasKey(item.value, key) || mergesIn(item.value, key);
  });
}

}  // namespace

YamlTree YamlPatch::root() const {
  const Result<YamlTree> tree = parseYaml(text_, std::make_shared<const YamlSource>(), MergeKeys::AsWritten);
  return tree && (*tree)->isMap() ? *tree : nullptr;
}

YamlTree YamlPatch::unfolded() const {
  if (!reader_) return nullptr;
  if (!read_ || read_->first != text_) read_.emplace(text_, reader_(text_));
  return read_->second;
}

YamlTree YamlPatch::whatIsAt(const Path& path) const {
  return valueOf(unfolded(), path, path.size());
}

/// What is written at a path's name. Of lists that others add to, the place is that in all of them.
const YamlNode::Entry* YamlPatch::childOf(const YamlTree& node, const Path& path, std::size_t at) const {
  const YamlTree tree = node->isList() ? unfolded() : nullptr;
  const YamlTree all = valueOf(tree, path, at);
  const YamlNode::Entry* item = all ? entryOf(all, path[at]) : nullptr;
  if (!item || all->entries.size() == node->entries.size()) return entryOf(node, path[at]);
  std::size_t place = 0;
  for (const YamlNode::Entry& other : all->entries) {
    if (&other == item) break;
    if (other.value->source == tree->source) ++place;
  }
  const bool isOwn = item->value->source == tree->source && place < node->entries.size();
  return isOwn ? &node->entries[place] : nullptr;
}

bool YamlPatch::isFlowAt(std::size_t begin) const {
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

std::size_t YamlPatch::aliasEnd(std::size_t begin) const {
  return std::min(text_.find_first_of(" \r\n,]}", begin), text_.size());
}

std::optional<YamlPatch::Range> YamlPatch::rangeOfQuotes(std::size_t begin) const {
  const char quote = text_[begin];
  for (std::size_t i = begin + 1; i < text_.size(); ++i) {
    if (quote == '"' && text_[i] == '\\')
      ++i;
    else if (text_[i] == quote)
      return Range{begin, i + 1};
  }
  return std::nullopt;
}

std::optional<YamlPatch::Range> YamlPatch::rangeOfBrackets(std::size_t begin) const {
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
    if ((c == '"' || c == '\'') && std::string(" ,[{:\n").find(text_[i - 1]) != std::string::npos) quote = c;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return Range{begin, i + 1};
  }
  return std::nullopt;
}

/// @param inFlow  it stands in brackets or braces, which end it
std::optional<YamlPatch::Range> YamlPatch::rangeOf(const YamlNode& value, std::size_t begin,
                                                   bool inFlow) const {
  if (begin >= text_.size()) return std::nullopt;
  const char first = text_[begin];
  if (first == '*') return Range{begin, aliasEnd(begin)};
  if (first == '"' || first == '\'') return rangeOfQuotes(begin);
  if (isFlowAt(begin)) return rangeOfBrackets(begin);
  const bool isNull = value.kind == YamlNode::Kind::Null;
  if (isNull && first != '~' && text_.compare(begin, 4, "null") != 0) return std::nullopt;
  if (!value.isScalar() && !isNull) return std::nullopt;  // a block
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

bool YamlPatch::insert(const YamlTree& map, bool isRoot, const std::string& key, const std::string& value) {
  const std::string entry = assets::quoted(key) + ": " + value;
  if (isRoot) {
    if (!text_.empty() && text_.back() != '\n') text_ += '\n';
    text_ += entry + "\n";
    return true;
  }
  const std::size_t begin = map->at;
  if (isFlowAt(begin)) {
    const std::optional<Range> range = rangeOf(*map, begin, true);
    if (!range) return false;
    text_.insert(range->end - 1, map->entries.empty() ? entry : ", " + entry);
    return true;
  }
  text_.insert(begin, entry + "\n" + std::string(begin - lineStart(begin), ' '));
  return !map->entries.empty();
}

/// The value of a key that nobody has written here, as far down as it has to be told.
std::string YamlPatch::nested(const Path& path, std::size_t at, const std::string& value) const {
  if (at + 1 == path.size()) return value;
  const YamlTree known = whatIsAt(Path(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(at) + 1));
  if (known && known->isList()) return whole(path, at, value);
  const std::string below = nested(path, at + 1, value);
  return below.empty() ? "" : "{" + assets::quoted(path[at + 1]) + ": " + below + "}";
}

/// All that stands at a path's name, with the change in it. Empty where that is not known.
std::string YamlPatch::whole(const Path& path, std::size_t at, const std::string& value) const {
  const YamlTree known = whatIsAt(Path(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(at) + 1));
  const Result<YamlTree> put = parseYaml(value, "");
  const YamlTree changed = known && put ? withValue(known, path, at + 1, *put) : nullptr;
  return changed ? inOneLine(changed) : "";
}

bool YamlPatch::addBelow(const YamlTree& map, const Path& path, std::size_t at, const std::string& value) {
  if (!map->isMap()) return false;
  const std::string text = mergesIn(map, path[at]) ? whole(path, at, value) : nested(path, at, value);
  return !text.empty() && insert(map, at == 0, path[at], text);
}

/// In the place of an alias, what it stands for with a change: a mapping takes in the other keys.
bool YamlPatch::writeOut(const YamlNode::Entry& alias, const Path& path, std::size_t at,
                         const std::string& value) {
  const Range range{alias.valueAt, aliasEnd(alias.valueAt)};
  std::string text = at + 1 == path.size() ? value : "";
  if (text.empty() && alias.value->isMap()) {
    const std::string below = at + 2 == path.size() ? value : whole(path, at + 1, value);
    const std::string name = text_.substr(range.begin, range.end - range.begin);
    if (!below.empty()) text = "{<<: " + name + ", " + assets::quoted(path[at + 1]) + ": " + below + "}";
  } else if (text.empty()) {
    text = whole(path, at, value);
  }
  if (text.empty()) return false;
  text_.replace(range.begin, range.end - range.begin, text);
  return true;
}

bool YamlPatch::set(const Path& path, const std::string& value) {
  YamlTree node = root();
  if (!node) return false;
  std::size_t begin = 0;
  bool inFlow = false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const YamlNode::Entry* child = childOf(node, path, i);
    if (!child) return addBelow(node, path, i, value);
    if (child->isAlias) return writeOut(*child, path, i, value);
    if (child->value->kind == YamlNode::Kind::Null && i + 1 < path.size()) return false;
    inFlow = inFlow || isFlowAt(node->at);
    begin = child->valueAt;
    node = YamlTree(child->value);
  }
  const std::optional<Range> range = rangeOf(*node, begin, inFlow);
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
  if (path.empty() || !removeWritten(path)) return false;
  const YamlTree parent = whatIsAt(Path(path.begin(), path.end() - 1)), left = whatIsAt(path);
  if (parent && parent->isList()) return true;  // what is there now came after it
  return !left || left->kind == YamlNode::Kind::Null || set(path, "null");
}

bool YamlPatch::removeWritten(const Path& path) {
  YamlTree parent = root();
  if (!parent) return false;
  bool inFlow = false;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const YamlNode::Entry* child = childOf(parent, path, i);
    if (!child || child->isAlias) return true;
    inFlow = inFlow || isFlowAt(parent->at);
    parent = YamlTree(child->value);
  }
  const YamlNode::Entry* child = childOf(parent, path, path.size() - 1);
  if (!child) return !parent->isList();
  if (parent->entries.size() == 1 && path.size() > 1)
    return removeWritten(Path(path.begin(), path.end() - 1));
  if (inFlow || isFlowAt(parent->at)) {
    const std::optional<Range> value = rangeOf(*child->value, child->valueAt, true);
    return value && eraseFlow({child->keyAt, value->end});
  }
  std::size_t begin = child->keyAt;
  if (parent->isList()) {  // the item begins at its dash
    const std::size_t dash = text_.find_last_of('-', begin);
    if (dash == std::string::npos || dash < lineStart(begin)) return false;
    begin = dash;
  }
  const std::size_t line = lineStart(begin);
  text_.erase(line, blockEnd(begin) - line);
  return true;
}

void YamlPatch::renameKey(std::size_t begin, const std::string& was, const std::string& now) {
  const std::size_t at = text_.find(was, begin);
  if (at <= begin + 1) text_.replace(at, was.size(), now);  // behind a quote
}

bool YamlPatch::append(const std::string& section, const std::string& name, const std::string& value) {
  const YamlTree top = root();
  if (!top) return false;
  const YamlNode::Entry* child = entryOf(top, section);
  if (child && child->value->isMap() && isFlowAt(child->valueAt)) return set({section, name}, value);
  if (!child) {
    if (!text_.empty() && text_.back() != '\n') text_ += '\n';
    text_ += "\n" + section + ":\n  " + assets::quoted(name) + ": " + value + "\n";
    return true;
  }
  if (!child->value->isMap() || child->value->entries.empty() || child->isAlias) return false;
  const std::size_t first = child->value->at;
  const std::string margin(first - lineStart(first), ' ');
  if (text_.back() != '\n') text_ += '\n';
  text_.insert(blockEnd(child->keyAt), margin + assets::quoted(name) + ": " + value + "\n");
  return true;
}

}  // namespace slipstick::assets
