#include "assets/gallery_index.h"

#include <algorithm>

#include "assets/limits.h"
#include "assets/scene_io.h"
#include "assets/shipped.h"
#include "assets/yaml_reader.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

fs::path pictureOf(const std::string& name) {
  return assetsFolder() / "gallery" / "cards" / (name + ".png");
}

GalleryEntry entryOf(const ShippedScene& scene, const std::string& subject) {
  return {scene.name, scene.title, scene.file, subject, pictureOf(scene.name)};
}

/// An assets folder of somebody's own may have no index, or a broken one: then there is nothing to order by.
YamlTree readIndex() {
  const fs::path file = assetsFolder() / "gallery" / "index.yaml";
  const Result<std::string> text = readTextFile(file, limits::kYamlBytes);
  if (!text) return nullptr;
  const Result<YamlTree> root = parseYaml(*text, file.string());
  return root ? *root : nullptr;
}

/// What stands in a list or mapping of it; nothing where it has no such key.
std::vector<YamlNode::Entry> entriesAt(const YamlTree& index, const char* key) {
  const YamlTree value = valueAt(index, key);
  return value ? value->entries : std::vector<YamlNode::Entry>{};
}

/// Takes the named scene out of those that are left.
void moveScene(std::vector<ShippedScene>& left, const std::string& name, const std::string& subject,
               std::vector<GalleryEntry>& to) {
  const auto found = std::find_if(left.begin(), left.end(), [&](const auto& s) { return s.name == name; });
  if (found == left.end()) return;
  to.push_back(entryOf(*found, subject));
  left.erase(found);
}

}  // namespace

std::vector<GalleryEntry> galleryEntries() {
  std::vector<GalleryEntry> entries;
  std::vector<ShippedScene> left = shippedScenes();
  const YamlTree index = readIndex();
  for (const YamlNode::Entry& subject : entriesAt(index, "scenes"))
    for (const YamlNode::Entry& name : subject.value->entries)
      moveScene(left, name.value->scalar, subject.key, entries);
  for (const ShippedScene& scene : left)
    entries.push_back(entryOf(scene, entries.empty() ? "Scenes" : "More scenes"));
  for (const YamlNode::Entry& robot : entriesAt(index, "robots")) {
    const fs::path file = assetsFolder() / "robots" / (robot.key + ".urdf");
    if (!fs::is_regular_file(file) || !robot.value->isScalar()) continue;
    entries.push_back(
        {robot.key, robot.value->scalar, file, "Robots", pictureOf("robots/" + robot.key), true});
  }
  return entries;
}

}  // namespace slipstick::assets
