#include "assets/scene_merge.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "assets/robot_format.h"

namespace slipstick::assets {
namespace {

bool isEmpty(const YamlTree& tree) {
  return !tree || tree->kind == YamlNode::Kind::Null;
}

/// Keys of which a block has one or the other, beside those of robots' files.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kAlternatives = {{
    {"mass", "density"},
    {"rpy_deg", "rotation"},
    {"rpy_deg", "quaternion"},
    {"stiffness", "stiffness_factor"},
    {"friction_angle_deg", "hardening_deg"},
    {"q", "q_deg"},
    {"keys", "start"},
    {"keys", "moves"},
}};

constexpr std::string_view kOfShapes[] = {"size", "radius", "length",  "radii",
                                          "file", "scale",  "texture", "count"};

/// Whether a key of `base` no longer counts beside those of `over`.
bool isDisplaced(std::string_view key, const YamlTree& base, const YamlTree& over) {
  for (const std::string& other : alternativesTo(key))
    if (!isEmpty(valueAt(over, other))) return true;
  const bool isOfShape = std::find(std::begin(kOfShapes), std::end(kOfShapes), key) != std::end(kOfShapes);
  const YamlTree was = valueAt(base, "shape"), now = valueAt(over, "shape");
  return isOfShape && was && !isEmpty(now) && was->scalar != now->scalar;
}

}  // namespace

std::vector<std::string> alternativesTo(std::string_view key) {
  std::vector<std::string> others;
  for (const auto& [a, b] : kAlternatives)
    if (key == a || key == b) others.emplace_back(key == a ? b : a);
  const std::vector<std::string> robots = robotKeys();
  if (std::find(robots.begin(), robots.end(), key) != robots.end())
    std::copy_if(robots.begin(), robots.end(), std::back_inserter(others),
                 [&](const std::string& other) { return other != key; });
  return others;
}

YamlTree merged(const YamlTree& base, const YamlTree& over) {
  if (!over) return base;
  if (!base || !base->isMap() || !over->isMap()) return over;
  std::vector<YamlNode::Entry> entries;
  for (const YamlNode::Entry& entry : base->entries) {
    const YamlTree changed = valueAt(over, entry.key);
    if (changed && isEmpty(changed)) continue;
    if (!changed && isDisplaced(entry.key, base, over)) continue;
    entries.push_back({entry.key, changed ? merged(entry.value, changed) : entry.value});
  }
  for (const YamlNode::Entry& entry : over->entries)
    if (!hasKey(base, entry.key)) entries.push_back(entry);
  return mapLike(*over, std::move(entries));
}

YamlTree mergedScenes(const YamlTree& base, const YamlTree& over) {
  YamlTree whole = merged(base, over);
  if (!base || !base->isMap() || !over->isMap()) return whole;
  for (const YamlNode::Entry& entry : over->entries) {
    const YamlTree below = valueAt(base, entry.key);
    if (!below || !below->isList() || !entry.value->isList()) continue;
    std::vector<YamlTree> items;
    for (const YamlTree& list : {below, entry.value})
      for (const YamlNode::Entry& item : list->entries) items.push_back(item.value);
    whole = withKey(whole, entry.key, listLike(*entry.value, std::move(items)));
  }
  return whole;
}

}  // namespace slipstick::assets
