#include "assets/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>

#include "assets/limits.h"
#include "assets/yaml_text.h"
#include "engine/foundation/number_range.h"

namespace slipstick::assets {
namespace {

constexpr std::string_view kMergeKey = "<<";
constexpr std::size_t kLargeMap = 16;

/// Ends a text that cannot be built; what is wrong is left behind.
struct Refused {};

YamlTree finished(YamlNode node) {
  node.size = 1;
  node.depth = node.isMap() || node.isList() ? 1 : 0;
  for (const YamlNode::Entry& entry : node.entries) {
    node.size = std::min(node.size + entry.value->size, kMaxYamlValues + 1);
    node.depth = std::max(node.depth, entry.value->depth + 1);
  }
  node.byKey.clear();
  if (node.isMap() && node.entries.size() > kLargeMap) {
    node.byKey.resize(node.entries.size());
    std::iota(node.byKey.begin(), node.byKey.end(), 0u);
    std::sort(node.byKey.begin(), node.byKey.end(),
              [&](std::uint32_t a, std::uint32_t b) { return node.entries[a].key < node.entries[b].key; });
  }
  return std::make_shared<const YamlNode>(std::move(node));
}

/// Builds the tree from what the library finds in the text, one event after the other: its own tree takes some hundred
/// times the text's size.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& text, std::shared_ptr<const YamlSource> source, MergeKeys mergeKeys)
      : start_(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0),
        source_(std::move(source)),
        mergeKeys_(mergeKeys) {}

  YamlTree root() { return root_ ? root_ : finished(node(YamlNode::Kind::Null, {})); }
  std::optional<Error> fault;

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    put(node(YamlNode::Kind::Null, mark), anchor, mark);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto known = anchors_.find(anchor);
    if (known == anchors_.end())
      refuse(ErrorCode::InvalidValue, "the value contains itself", mark.line + 1,
             "write it out, or remove the alias");
    count(mark.line + 1);
    add(known->second, mark, true);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode scalar = node(YamlNode::Kind::Scalar, mark);
    scalar.scalar = value;
    scalar.isQuoted = tag != "?";
    put(std::move(scalar), anchor, mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::List, mark, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::Map, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  /// A list or mapping that is not complete yet.
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor;
    YAML::Mark mark;
    bool hasKey = false;  ///< of a mapping: the next value is that of `next`
    YamlNode::Entry next;
    std::map<std::string, int> keys;  ///< and their lines
  };

  YamlNode node(YamlNode::Kind kind, const YAML::Mark& mark) {
    count(mark.line + 1);
    YamlNode made;
    made.kind = kind;
    made.source = source_;
    made.line = source_->hasLines ? std::max(mark.line, 0) + 1 : 0;
    return made;
  }
  /// The library does not count a byte order mark.
  std::size_t byteOf(const YAML::Mark& mark) const {
    return start_ + static_cast<std::size_t>(std::max(mark.pos, 0));
  }
  [[noreturn]] void refuse(ErrorCode code, std::string what, int line, std::string remedy) {
    fault = Error{code, std::move(what), source_->label + ":" + std::to_string(line), std::move(remedy)};
    throw Refused{};
  }
  void count(int line) {
    if (++written_ > limits::kYamlNodes)
      refuse(ErrorCode::Unsupported,
             "it has more than " + std::to_string(limits::kYamlNodes) + " keys and values", line,
             "split it, or put large things into files of their own");
  }
  void limit(std::size_t values, int line) {
    if (values > kMaxYamlValues)
      refuse(ErrorCode::Unsupported, "it unfolds to more than " + std::to_string(kMaxYamlValues) + " values",
             line, "use fewer aliases ('*name') and merge keys, or fewer things");
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    open_.push_back({node(kind, mark), anchor, mark, false, {}, {}});
    if (open_.size() > static_cast<std::size_t>(kDeepestYaml)) refuseDepth(mark.line + 1);
  }
  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    if (done.node.isMap() && mergeKeys_ == MergeKeys::Unfolded) unfold(done.node);
    put(std::move(done.node), done.anchor, done.mark);
  }
  void put(YamlNode&& made, YAML::anchor_t anchor, const YAML::Mark& mark) {
    const int line = made.line;
    const YamlTree tree = finished(std::move(made));
    limit(tree->size, line);
    if (tree->depth > kDeepestYaml) refuseDepth(line);
    if (anchor != 0) anchors_[anchor] = tree;
    add(tree, mark, false);
  }
  [[noreturn]] void refuseDepth(int line) {
    refuse(ErrorCode::Unsupported,
           "values stand in each other more than " + std::to_string(kDeepestYaml) + " deep", line,
           "take some of the brackets, indents or aliases away");
  }

  /// Into the list or mapping that is open; of a mapping keys and values come by turns.
  void add(const YamlTree& tree, const YAML::Mark& mark, bool isAlias) {
    if (open_.empty()) {
      root_ = tree;
      return;
    }
    Open& into = open_.back();
    if (into.node.isMap() && !into.hasKey) {
      addKey(*tree, mark, into);
      return;
    }
    into.next.value = tree;
    into.next.isAlias = isAlias;
    into.node.entries.push_back(std::exchange(into.next, {}));
    into.hasKey = false;
  }
  void addKey(const YamlNode& key, const YAML::Mark& mark, Open& into) {
    const std::string& name = into.next.key = key.isScalar() ? key.scalar : "?";
    into.next.keyAt = byteOf(mark);
    into.hasKey = true;
    if (name.size() > limits::kYamlKeyBytes)
      refuse(ErrorCode::InvalidValue, "a name is longer than 1,000 bytes: '" + shortened(name) + "'",
             key.line, "shorten it");
    const auto [first, isNew] = into.keys.try_emplace(name, key.line);
    if (!isNew)
      refuse(ErrorCode::InvalidValue,
             "'" + shortened(name) + "' stands here twice, first in line " + std::to_string(first->second),
             key.line, "rename or remove one of the two");
  }

  /// Puts what '<<' takes in where it stands.
  void unfold(YamlNode& map) {
    const auto isMerge = [](const YamlNode::Entry& entry) { return entry.key == kMergeKey; };
    if (std::none_of(map.entries.begin(), map.entries.end(), isMerge)) return;
    std::set<std::string> taken;
    for (const YamlNode::Entry& entry : map.entries)
      if (!isMerge(entry)) taken.insert(entry.key);
    std::vector<YamlNode::Entry> entries;
    for (YamlNode::Entry& entry : map.entries) {
      if (!isMerge(entry)) {
        entries.push_back(std::move(entry));
        continue;
      }
      if (entry.value->isMap())
        takeIn(*entry.value, map.line, taken, entries);
      else if (entry.value->isList())
        for (const YamlNode::Entry& item : entry.value->entries)
          takeIn(*item.value, map.line, taken, entries);
      else
        refuseMerge(*entry.value);
    }
    map.entries = std::move(entries);
  }
  void takeIn(const YamlNode& from, int line, std::set<std::string>& taken,
              std::vector<YamlNode::Entry>& entries) {
    if (!from.isMap()) refuseMerge(from);
    limit(merged_ += from.entries.size(), line);
    for (const YamlNode::Entry& entry : from.entries)
      if (taken.insert(entry.key).second) entries.push_back(entry);
  }
  [[noreturn]] void refuseMerge(const YamlNode& value) {
    refuse(ErrorCode::InvalidValue, "'<<' takes in the keys of a mapping", value.line,
           "write '<<: *name' of a mapping with '&name', or a list of them");
  }

  std::size_t start_;
  std::shared_ptr<const YamlSource> source_;
  MergeKeys mergeKeys_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, YamlTree> anchors_;
  std::size_t written_ = 0, merged_ = 0;
  YamlTree root_;
};

/// A scalar that stays what it is in any place without quotes.
bool isPlainWord(const YamlNode& node) {
  const auto isPlain = [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '.' || c == '/' || c == '-' || c == '+' || c >= 0x80;
  };
  return !node.isQuoted && !node.scalar.empty() &&
         std::all_of(node.scalar.begin(), node.scalar.end(), isPlain) && node.scalar != "-";
}

YamlNode like(const YamlNode& place, YamlNode::Kind kind) {
  YamlNode made;
  made.kind = kind;
  made.source = place.source;
  made.line = place.line;
  return made;
}

}  // namespace

Result<YamlTree> parseYaml(const std::string& text, std::shared_ptr<const YamlSource> source,
                           MergeKeys mergeKeys) {
  const std::string label = source->label;
  if (text.size() > limits::kYamlBytes)
    return Error{ErrorCode::Unsupported,
                 "the text is larger than " + std::to_string(limits::kYamlBytes / limits::kKiB) + " KiB",
                 label, "put large things into files of their own"};
  TreeBuilder builder(text, std::move(source), mergeKeys);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    return builder.root();
  } catch (const Refused&) {
    return *builder.fault;
  } catch (const YAML::Exception& e) {
    std::string what = e.msg;
    std::replace(what.begin(), what.end(), '\n', ' ');
    return Error{ErrorCode::SyntaxError, "this is not YAML: " + what,
                 label + (e.mark.line >= 0 ? ":" + std::to_string(e.mark.line + 1) : ""),
                 "correct the indentation, brackets or quotes there"};
  }
}

Result<YamlTree> parseYaml(const std::string& text, const std::string& label) {
  return parseYaml(text, std::make_shared<const YamlSource>(YamlSource{label, {}}));
}

YamlTree valueAt(const YamlTree& map, std::string_view key) {
  if (!map || !map->isMap()) return nullptr;
  if (!map->byKey.empty()) {
    const auto found =
        std::lower_bound(map->byKey.begin(), map->byKey.end(), key,
                         [&](std::uint32_t i, std::string_view k) { return map->entries[i].key < k; });
    const bool isThere = found != map->byKey.end() && map->entries[*found].key == key;
    return isThere ? map->entries[*found].value : nullptr;
  }
  for (const YamlNode::Entry& entry : map->entries)
    if (entry.key == key) return entry.value;
  return nullptr;
}

bool hasKey(const YamlTree& map, std::string_view key) {
  return valueAt(map, key) != nullptr;
}

YamlTree withKey(const YamlTree& map, const std::string& key, YamlTree value) {
  YamlNode changed = map && map->isMap() ? *map : like(*value, YamlNode::Kind::Map);
  const auto found = std::find_if(changed.entries.begin(), changed.entries.end(),
                                  [&](const YamlNode::Entry& entry) { return entry.key == key; });
  if (found != changed.entries.end())
    found->value = std::move(value);
  else
    changed.entries.push_back({key, std::move(value)});
  return finished(std::move(changed));
}

YamlTree withEntry(const YamlTree& node, std::size_t place, YamlTree value) {
  YamlNode changed = *node;
  changed.entries[place].value = std::move(value);
  return finished(std::move(changed));
}

YamlTree withEntries(const YamlTree& node, std::vector<YamlNode::Entry> entries) {
  YamlNode changed = *node;
  changed.entries = std::move(entries);
  return finished(std::move(changed));
}

YamlTree withoutKey(const YamlTree& map, std::string_view key) {
  if (!hasKey(map, key)) return map;
  YamlNode changed = *map;
  std::erase_if(changed.entries, [&](const YamlNode::Entry& entry) { return entry.key == key; });
  return finished(std::move(changed));
}

YamlTree scalarLike(const YamlNode& place, std::string text) {
  YamlNode made = like(place, YamlNode::Kind::Scalar);
  made.scalar = std::move(text);
  return finished(std::move(made));
}

YamlTree listLike(const YamlNode& place, std::vector<YamlTree> items) {
  YamlNode made = like(place, YamlNode::Kind::List);
  for (YamlTree& item : items) made.entries.push_back({{}, std::move(item)});
  return finished(std::move(made));
}

YamlTree mapLike(const YamlNode& place, std::vector<YamlNode::Entry> entries) {
  YamlNode made = like(place, YamlNode::Kind::Map);
  made.entries = std::move(entries);
  return finished(std::move(made));
}

std::string inOneLine(const YamlTree& tree) {
  if (!tree || tree->kind == YamlNode::Kind::Null) return "null";
  if (tree->isScalar()) return isPlainWord(*tree) ? tree->scalar : assets::quoted(tree->scalar);
  std::string text;
  for (const YamlNode::Entry& entry : tree->entries) {
    text += text.empty() ? "" : ", ";
    if (tree->isMap()) text += assets::quoted(entry.key) + ": ";
    text += inOneLine(entry.value);
  }
  return tree->isMap() ? "{" + text + "}" : "[" + text + "]";
}

std::string placeOf(const YamlNode& node) {
  return node.source->label + (node.line > 0 ? ":" + std::to_string(node.line) : "");
}

bool isSame(const YamlTree& a, const YamlTree& b) {
  if (a == b) return true;
  if (!a || !b || a->kind != b->kind || a->scalar != b->scalar || a->entries.size() != b->entries.size())
    return false;
  return std::equal(a->entries.begin(), a->entries.end(), b->entries.begin(),
                    [](const auto& x, const auto& y) { return x.key == y.key && isSame(x.value, y.value); });
}

}  // namespace slipstick::assets
