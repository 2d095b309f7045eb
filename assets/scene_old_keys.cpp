#include "assets/scene_old_keys.h"

#include <algorithm>
#include <map>
#include <optional>

#include "assets/scene_format.h"

namespace slipstick::assets {
namespace {

constexpr std::string_view kScene = "block scene";

/// What a type says of what stands in a value: "names body" of "bodies".
std::optional<std::string_view> blockAfter(std::string_view type, std::string_view kind) {
  for (const std::string_view alternative : alternativesOf(type)) {
    const std::string_view name = alternative.substr(std::min(kind.size(), alternative.size()));
    const auto& blocks = formatBlocks();
    const bool isBlock =
        std::any_of(blocks.begin(), blocks.end(), [&](const auto& b) { return b.name == name; });
    if (alternative.starts_with(kind) && isBlock) return name;
  }
  return std::nullopt;
}

const std::map<std::string_view, std::vector<FormatKey>>& keysByBlock() {
  static const auto kKeys = [] {
    std::map<std::string_view, std::vector<FormatKey>> keys;
    for (const FormatBlock& block : formatBlocks()) keys[block.name] = allKeysOf(block.name);
    return keys;
  }();
  return kKeys;
}

/// By its name of today or of before; null for a key that the block does not have.
const FormatKey* keyOf(std::string_view block, std::string_view name) {
  for (const FormatKey& key : keysByBlock().at(block))
    if (key.key == name || (!key.was.empty() && key.was == name)) return &key;
  return nullptr;
}

/// Walks a document as the table of the format describes it.
class Modernising {
 public:
  explicit Modernising(MergeKeys mergeKeys) : mergeKeys_(mergeKeys) {}

  YamlTree value(const YamlTree& tree, std::string_view type) {
    if (const auto block = blockAfter(type, "block "); block && tree->isMap()) return blockOf(tree, *block);
    const auto items = blockAfter(type, tree->isList() ? "list " : "names ");
    if (!items || (!tree->isList() && !tree->isMap())) return tree;
    std::vector<YamlNode::Entry> entries = tree->entries;
    bool isChanged = false;
    for (YamlNode::Entry& entry : entries) {
      const YamlTree was = entry.value;
      if (was->isMap() && !isElsewhere(entry)) entry.value = blockOf(was, *items);
      isChanged |= was != entry.value;
    }
    return isChanged ? withEntries(tree, std::move(entries)) : tree;
  }

  const std::vector<OldKey>& found() const { return found_; }
  /// Of the first key that is there twice.
  const std::optional<Error>& fault() const { return fault_; }
  std::vector<Notice> notices() const {
    std::vector<Notice> notices;
    for (const auto& [key, use] : uses_)
      notices.push_back(
          {Notice::Level::Info, use.place,
           "the key '" + std::string(key) + "' is called '" + use.today +
               "' now: units of the SI have no suffix" +
               (use.count > 1 ? " (" + std::to_string(use.count) + " times in this file)" : "")});
    return notices;
  }

 private:
  struct Use {
    std::string place, today;
    int count = 0;
  };

  /// Of a text as it is written an alias is not looked into: what it stands for is somewhere else.
  bool isElsewhere(const YamlNode::Entry& entry) const {
    return mergeKeys_ == MergeKeys::AsWritten && entry.isAlias;
  }
  YamlTree blockOf(const YamlTree& map, std::string_view block) {
    std::vector<YamlNode::Entry> entries = map->entries;
    bool isChanged = false;
    for (YamlNode::Entry& entry : entries) {
      const YamlTree was = entry.value;
      if (mergeKeys_ == MergeKeys::AsWritten && entry.key == "<<" && !entry.isAlias && was->isMap())
        entry.value = blockOf(was, block);
      const FormatKey* key = keyOf(block, entry.key);
      if (!key) continue;
      if (!isElsewhere(entry)) entry.value = value(was, key->type);
      isChanged |= was != entry.value || key->key != entry.key;
      if (key->key == entry.key) continue;
      note(*key, *was, map);
      found_.push_back({entry.keyAt, entry.key, std::string(key->key)});
      entry.key = std::string(key->key);
    }
    return isChanged ? withEntries(map, std::move(entries)) : map;
  }
  void note(const FormatKey& key, const YamlNode& node, const YamlTree& map) {
    if (hasKey(map, key.key) && !fault_)
      fault_ = Error{ErrorCode::InvalidValue,
                     "'" + std::string(key.was) + "' is the old name of '" + std::string(key.key) +
                         "', which is there, too",
                     placeOf(node) + ", key '" + std::string(key.was) + "'",
                     "keep '" + std::string(key.key) + "'"};
    Use& use = uses_[key.was];
    if (use.count++ == 0) use = {placeOf(node), std::string(key.key), 1};
  }

  MergeKeys mergeKeys_;
  std::vector<OldKey> found_;
  std::optional<Error> fault_;
  std::map<std::string_view, Use> uses_;
};

/// The type of what a path leads to; the keys on the way get their names of today.
std::string_view typeAt(std::vector<std::string>& path) {
  std::string_view type = kScene;
  for (std::string& name : path) {
    if (const auto block = blockAfter(type, "block ")) {
      const FormatKey* key = keyOf(*block, name);
      if (!key) return {};
      name = std::string(key->key);
      type = key->type;
      continue;
    }
    auto items = blockAfter(type, "names ");
    if (!items) items = blockAfter(type, "list ");
    if (!items) return {};
    static const std::map<std::string_view, std::string> kTypes = [] {
      std::map<std::string_view, std::string> types;
      for (const FormatBlock& block : formatBlocks()) types[block.name] = "block " + std::string(block.name);
      return types;
    }();
    type = kTypes.at(*items);
  }
  return type;
}

Result<YamlTree> modernised(const YamlTree& tree, std::string_view type, std::vector<Notice>& notices) {
  Modernising walk(MergeKeys::Unfolded);
  YamlTree today = walk.value(tree, type);
  if (walk.fault()) return *walk.fault();
  for (Notice& notice : walk.notices()) notices.push_back(std::move(notice));
  return today;
}

}  // namespace

Result<YamlTree> withTodaysKeys(const YamlTree& scene, std::vector<Notice>& notices) {
  return modernised(scene, kScene, notices);
}

std::vector<OldKey> oldKeysIn(const YamlTree& scene) {
  Modernising walk(MergeKeys::AsWritten);
  walk.value(scene, kScene);
  return walk.found();
}

std::vector<std::string> withTodaysKeys(std::vector<std::string> path) {
  typeAt(path);
  return path;
}

Result<YamlTree> withTodaysKeys(const std::vector<std::string>& path, const YamlTree& value,
                                std::vector<Notice>& notices) {
  std::vector<std::string> names = path;
  const std::string_view type = typeAt(names);
  return type.empty() ? Result<YamlTree>(value) : modernised(value, type, notices);
}

}  // namespace slipstick::assets
