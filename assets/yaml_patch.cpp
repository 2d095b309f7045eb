#include "assets/yaml_patch.h"

#include <algorithm>
#include <map>

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

YamlPart& partIn(YamlPart& root, const std::vector<std::size_t>& places) {
  YamlPart* part = &root;
  for (const std::size_t place : places) part = &part->values[place];
  return *part;
}

/// What a text of one value says.
std::optional<YamlPart> partOf(const std::string& text) {
  std::optional<YamlLayout> layout = layoutOf(text);
  return layout ? std::optional(std::move(layout->root)) : std::nullopt;
}

/// A mapping of one key. Nothing where the texts are no single values.
std::optional<YamlPart> mapOf(const std::string& key, const std::optional<YamlPart>& value) {
  const std::optional<YamlPart> word = partOf(key);
  if (!word || !value) return std::nullopt;
  YamlPart map;
  map.kind = YamlPart::Kind::Map;
  map.tag = "?";
  map.keys = {*word};
  map.values = {*value};
  return map;
}

/// The same mapping with the entry of another one.
YamlPart withEntryOf(const YamlPart& root, const std::vector<std::size_t>& places, const YamlPart& added,
                     bool isFirst) {
  YamlPart changed = root;
  YamlPart& map = partIn(changed, places);
  map.keys.insert(isFirst ? map.keys.begin() : map.keys.end(), added.keys.front());
  map.values.insert(isFirst ? map.values.begin() : map.values.end(), added.values.front());
  return changed;
}

/// Of a mapping in a block nothing is left without its last entry.
YamlPart withoutEntry(const YamlPart& root, std::vector<std::size_t> places) {
  YamlPart changed = root;
  const auto place = static_cast<std::ptrdiff_t>(places.back());
  places.pop_back();
  YamlPart& parent = partIn(changed, places);
  parent.values.erase(parent.values.begin() + place);
  if (!parent.keys.empty()) parent.keys.erase(parent.keys.begin() + place);
  if (parent.values.empty() && !parent.isFlow) parent = YamlPart{};
  return changed;
}

/// Of a part and all that stands in it, by where they begin.
void collectKeys(YamlPart& part, std::map<std::size_t, YamlPart*>& keys) {
  for (YamlPart& key : part.keys) keys.emplace(key.begin, &key);
  for (YamlPart& value : part.values) collectKeys(value, keys);
}

bool isBlank(const std::string& text, std::size_t begin, std::size_t end) {
  return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(begin),
                     text.begin() + static_cast<std::ptrdiff_t>(end),
                     [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
}

bool hasComment(const std::string& text, std::size_t begin, std::size_t end) {
  return std::find(text.begin() + static_cast<std::ptrdiff_t>(begin),
                   text.begin() + static_cast<std::ptrdiff_t>(end),
                   '#') != text.begin() + static_cast<std::ptrdiff_t>(end);
}

}  // namespace

const std::optional<YamlLayout>& YamlPatch::layout() const {
  if (!layout_) {
    layout_.emplace(layoutOf(text_));
    if (*layout_ && !(*layout_)->tree->isMap()) layout_->reset();
  }
  return *layout_;
}

YamlTree YamlPatch::root() const {
  return layout() ? layout()->tree : nullptr;
}

const YamlTree& YamlPatch::unfolded() const {
  if (!unfolded_) unfolded_ = reader_ ? reader_(text_) : nullptr;
  return *unfolded_;
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

YamlPatch::Found YamlPatch::find(const Path& path) const {
  Found found{{}, root()};
  while (found.places.size() < path.size() && !found.isAlias) {
    const YamlNode::Entry* child = childOf(found.tree, path, found.places.size());
    if (!child) break;
    found.places.push_back(placeOf(*child, found.tree));
    found.isAlias = child->isAlias;
    found.tree = YamlTree(child->value);
  }
  return found;
}

const YamlPart& YamlPatch::partAt(const Places& places) const {
  const YamlPart* part = &layout()->root;
  for (const std::size_t place : places) part = &part->values[place];
  return *part;
}

/// Only where the text then says this.
bool YamlPatch::apply(const Edit& edit, const YamlPart& meaning) {
  return apply(std::vector<Edit>{edit}, meaning);
}

/// Edits in the order of their places, none in another.
bool YamlPatch::apply(const std::vector<Edit>& edits, const YamlPart& meaning) {
  std::string changed;
  std::size_t done = 0;
  for (const Edit& edit : edits) {
    changed += text_.substr(done, edit.begin - done) + edit.text;
    done = edit.end;
  }
  changed += text_.substr(done);
  std::optional<YamlLayout> now = layoutOf(changed);
  if (!now || !saysSame(meaning, now->root)) return false;
  text_ = std::move(changed);
  layout_.emplace(std::move(now));
  if (!(*layout_)->tree->isMap()) layout_->reset();
  unfolded_.reset();
  return true;
}

/// Of the first line the start is behind what is no part of the text.
std::size_t YamlPatch::lineStart(std::size_t at) const {
  const std::size_t before = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
  if (before != std::string::npos) return before + 1;
  return text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
}

std::size_t YamlPatch::lineEnd(std::size_t at) const {
  return std::min(text_.find_first_of("\r\n", at), text_.size());
}

std::size_t YamlPatch::nextLine(std::size_t at) const {
  const std::size_t end = text_.find('\n', at);
  return end == std::string::npos ? text_.size() : end + 1;
}

std::string YamlPatch::lineBreak() const {
  const std::size_t first = text_.find('\n');
  return first != std::string::npos && first > 0 && text_[first - 1] == '\r' ? "\r\n" : "\n";
}

// ------------------------------------------------------------------------------------------------------------ set

bool YamlPatch::set(const Path& path, const std::string& value) {
  if (!root() || path.empty()) return false;
  const Found found = find(path);
  if (found.isAlias) return writeOut(found, path, value);
  if (found.places.size() < path.size()) return addBelow(found, path, value);
  const YamlPart& old = partAt(found.places);
  const std::optional<YamlPart> now = partOf(value);
  const bool isBlock = old.isCollection() && !old.isFlow;
  return now && !isBlock && replace(found.places, value, *now);
}

/// Keeps an anchor, which others name; not a tag, which is of the old value.
/// @param now  what the value says
bool YamlPatch::replace(const Places& places, const std::string& value, YamlPart now) {
  const YamlPart& old = partAt(places);
  const bool isTagged = text_.find('!', old.begin) < old.at;
  Edit edit{isTagged ? old.begin : old.at, old.end, value};
  if (old.kind != YamlPart::Kind::Alias) {
    now.anchor = old.anchor;
    now.anchorName = old.anchorName;
    if (isTagged && old.anchor != 0) edit.text = "&" + old.anchorName + " " + value;
  }
  const bool isApart = edit.begin == 0 || isBlank(text_, edit.begin - 1, edit.begin);
  if (old.at == old.end && !isApart) edit.text.insert(0, " ");  // behind a colon that nothing follows
  YamlPart meaning = layout()->root;
  partIn(meaning, places) = std::move(now);
  return apply(edit, meaning);
}

/// In the place of an alias, what it stands for with a change: a mapping takes in the other keys.
bool YamlPatch::writeOut(const Found& found, const Path& path, const std::string& value) {
  const std::size_t at = found.places.size() - 1;
  const YamlPart& alias = partAt(found.places);
  const bool isWhole = at + 1 == path.size();
  if (isWhole || !found.tree->isMap()) {
    const std::string text = isWhole ? value : whole(path, at, value);
    const std::optional<YamlPart> now = partOf(text);
    return now && !text.empty() && replace(found.places, text, *now);
  }
  const std::string below = at + 2 == path.size() ? value : whole(path, at + 1, value);
  const std::string name = text_.substr(alias.begin, alias.end - alias.begin);
  const std::string key = assets::quoted(path[at + 1]);
  const std::optional<YamlPart> merged = mapOf(kMergeKey, alias), own = mapOf(key, partOf(below));
  if (!own || below.empty()) return false;
  return replace(found.places, "{<<: " + name + ", " + key + ": " + below + "}",
                 withEntryOf(*merged, {}, *own, false));
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

bool YamlPatch::addBelow(const Found& found, const Path& path, const std::string& value) {
  if (!found.tree->isMap()) return false;
  const std::size_t at = found.places.size();
  const std::string text = mergesIn(found.tree, path[at]) ? whole(path, at, value) : nested(path, at, value);
  return !text.empty() && insert(found.places, path[at], text);
}

// --------------------------------------------------------------------------------------------------------- insert

bool YamlPatch::insert(const Places& places, const std::string& key, const std::string& value) {
  const std::string word = assets::quoted(key), entry = word + ": " + value;
  const std::optional<YamlPart> added = mapOf(word, partOf(value));
  if (!added) return false;
  if (partAt(places).isFlow) return insertInBraces(places, entry, *added);
  if (places.empty() && insertAtEnd(entry, *added)) return true;
  if (places.empty() && insertLast(places, entry, *added)) return true;
  return insertFirst(places, entry, *added) || insertLast(places, entry, *added);
}

/// Behind the last entry, or the comma that may follow it.
bool YamlPatch::insertInBraces(const Places& places, const std::string& entry, const YamlPart& added) {
  const YamlPart& map = partAt(places);
  if (!map.hasBrackets) return false;
  const YamlPart meaning = withEntryOf(layout()->root, places, added, false);
  if (map.values.empty()) return apply({map.at + 1, map.at + 1, entry}, meaning);
  const std::size_t last = map.values.back().end, comma = pastBlanks(text_, last);
  if (comma < text_.size() && text_[comma] == ',') return apply({comma + 1, comma + 1, " " + entry}, meaning);
  return apply({last, last, ", " + entry}, meaning);
}

bool YamlPatch::insertFirst(const Places& places, const std::string& entry, const YamlPart& added) {
  const std::size_t begin = partAt(places).values.front().entry;
  const std::string margin(begin - lineStart(begin), ' ');
  return apply({begin, begin, entry + lineBreak() + margin},
               withEntryOf(layout()->root, places, added, true));
}

/// @param entry  of one line, or of several with the margin that they need
bool YamlPatch::insertLast(const Places& places, const std::string& entry, const YamlPart& added) {
  const YamlPart& map = partAt(places);
  const std::size_t begin = map.values.front().entry, end = lineEnd(map.values.back().end);
  const std::string margin(begin - lineStart(begin), ' '), close = end == text_.size() ? lineBreak() : "";
  return apply({end, end, lineBreak() + margin + entry + close},
               withEntryOf(layout()->root, places, added, false));
}

/// Of the outermost mapping, behind comments that may stand there.
bool YamlPatch::insertAtEnd(const std::string& entry, const YamlPart& added) {
  const bool isOpen = !text_.empty() && text_.back() != '\n';
  return apply({text_.size(), text_.size(), (isOpen ? lineBreak() : "") + entry + lineBreak()},
               withEntryOf(layout()->root, {}, added, false));
}

bool YamlPatch::append(const std::string& section, const std::string& name, const std::string& value) {
  const YamlTree top = root();
  if (!top) return false;
  const std::string word = assets::quoted(name), entry = word + ": " + value;
  const std::optional<YamlPart> added = mapOf(word, partOf(value));
  if (!added) return false;
  const YamlNode::Entry* child = entryOf(top, section);
  if (!child) return appendSection(section, entry, *added);
  if (!child->value->isMap() || child->isAlias) return false;
  const Places places = {placeOf(*child, top)};
  if (partAt(places).isFlow) return set({section, name}, value);
  return insertLast(places, entry, *added) || insertFirst(places, entry, *added);
}

/// In a block of its own, or where the text is not in blocks in one line.
bool YamlPatch::appendSection(const std::string& section, const std::string& entry, const YamlPart& added) {
  const std::string title = assets::quoted(section) + ":";
  const std::string lines = lineBreak() + title + lineBreak() + "  " + entry;
  const std::optional<YamlPart> block = mapOf(assets::quoted(section), added);
  const bool isDone =
      block && !layout()->root.isFlow && (insertAtEnd(lines, *block) || insertLast({}, lines, *block));
  return isDone || insert({}, section, "{" + entry + "}");
}

// --------------------------------------------------------------------------------------------------------- remove

bool YamlPatch::remove(const Path& path) {
  const std::string before = text_;
  if (root() && !path.empty() && takeOut(path)) return true;
  if (text_ == before) return false;
  text_ = before;
  layout_.reset();
  unfolded_.reset();
  return false;
}

bool YamlPatch::takeOut(const Path& path) {
  const Found found = find(path);
  const YamlTree parent = whatIsAt(Path(path.begin(), path.end() - 1));
  if (found.places.size() == path.size()) {
    Places places = found.places;
    const auto parentOf = [](Places of) { return of.pop_back(), of; };
    while (places.size() > 1 && partAt(parentOf(places)).values.size() == 1) places.pop_back();
    const bool isItem = partAt(parentOf(places)).kind == YamlPart::Kind::List;
    if (!erase(places)) return false;
    if (isItem) return true;  // what is there now came after it
  } else if (found.places.size() + 1 == path.size() && found.tree->isList()) {
    return false;  // it has no such entry, or is not written here
  } else if (parent && parent->isList()) {
    return !entryOf(parent, path.back());
  }
  const YamlTree left = whatIsAt(path);
  return !left || left->kind == YamlNode::Kind::Null || set(path, "null");
}

bool YamlPatch::erase(const Places& places) {
  const YamlPart& parent = partAt(Places(places.begin(), places.end() - 1));
  const YamlPart meaning = withoutEntry(layout()->root, places);
  if (parent.isFlow) return apply(erasureInBrackets(parent, places.back()), meaning);
  const Edit edit = erasureOfLines(parent, places.back());
  // Empty lines that follow would be of a text before it that keeps all of them ("|+").
  const std::size_t words = std::min(text_.find_first_not_of(" \t\r\n", edit.end), text_.size());
  return apply(edit, meaning) || apply({edit.begin, std::max(edit.end, lineStart(words)), ""}, meaning);
}

/// With the comma before or after it, without comments that stand between.
YamlPatch::Edit YamlPatch::erasureInBrackets(const YamlPart& parent, std::size_t place) const {
  const auto [begin, end] = std::pair(parent.values[place].entry, parent.values[place].end);
  const std::size_t after = pastBlanks(text_, end);
  if (after < text_.size() && text_[after] == ',') {
    const std::size_t next = std::min(text_.find_first_not_of(' ', after + 1), text_.size());
    const bool isComment = next < text_.size() && text_[next] == '#';
    return {begin, isComment ? after + 1 : next,
            hasComment(text_, end, after) ? text_.substr(end, after - end) : ""};
  }
  if (place == 0) return {begin, end, ""};
  const std::size_t before = pastBlanks(text_, parent.values[place - 1].end);
  return {hasComment(text_, before, begin) ? begin : before, end, ""};
}

/// Of a mapping or list in an item of a list, the first entry shares its line with the dash.
YamlPatch::Edit YamlPatch::erasureOfLines(const YamlPart& parent, std::size_t place) const {
  const std::size_t begin = parent.values[place].entry, end = nextLine(parent.values[place].end);
  if (isBlank(text_, lineStart(begin), begin)) return {lineStart(begin), end, ""};
  const bool isLast = place + 1 == parent.values.size();
  const std::size_t next = isLast ? text_.size() : parent.values[place + 1].entry;
  if (!isLast && isBlank(text_, end, next)) return {begin, next, ""};
  return {begin, lineEnd(parent.values[place].end), ""};
}

// ------------------------------------------------------------------------------------------------------------ keys

/// The key as it says then, and the edit that writes it so.
std::optional<YamlPatch::Edit> YamlPatch::renaming(YamlPart& key, const KeyRename& rename) const {
  if (key.kind != YamlPart::Kind::Scalar || key.says != rename.was) return {};
  const std::string quote = text_.substr(key.at, text_[key.at] == '"' || text_[key.at] == '\'' ? 1 : 0);
  const bool isAsItSays = text_.substr(key.at, key.end - key.at) == quote + rename.was + quote;
  const Edit edit{key.at, key.end, isAsItSays ? quote + rename.now + quote : assets::quoted(rename.now)};
  const std::optional<YamlPart> word = partOf(edit.text);
  if (!word || word->says != rename.now) return {};
  key.says = rename.now;
  key.tag = word->tag;
  return edit;
}

bool YamlPatch::renameKeys(const std::vector<KeyRename>& keys) {
  if (!root()) return false;
  YamlPart meaning = layout()->root;
  std::map<std::size_t, YamlPart*> written;
  collectKeys(meaning, written);
  std::vector<Edit> edits;
  for (const KeyRename& rename : keys) {
    const auto key = written.find(rename.begin);
    const std::optional<Edit> edit = key == written.end() ? std::nullopt : renaming(*key->second, rename);
    if (!edit) return false;
    edits.push_back(*edit);
  }
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  return apply(edits, meaning);
}

}  // namespace slipstick::assets
