#include "assets/gallery_index.h"

#include <algorithm>

#include "assets/scene_io.h"
#include "assets/shipped.h"
#include "assets/yaml_reader.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLargestIndex = 1 << 20;

fs::path pictureOf(const std::string& name) {
  return assetsFolder() / "gallery" / "cards" / (name + ".png");
}

GalleryEntry entryOf(const ShippedScene& scene, const std::string& subject) {
  return {scene.name, scene.title, scene.file, subject, pictureOf(scene.name)};
}

/// An assets folder of somebody's own may have no index, or a broken one: then there is nothing to order by.
YAML::Node readIndex() {
  const fs::path file = assetsFolder() / "gallery" / "index.yaml";
  const Result<std::string> text = readTextFile(file, kLargestIndex);
  if (!text) return {};
  const Result<YAML::Node> root = parseYaml(*text, file.string());
  return root && root->IsMap() ? *root : YAML::Node();
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
  const YAML::Node index = readIndex();
  const YAML::Node subjects = index["scenes"], robots = index["robots"];
  if (subjects.IsDefined() && subjects.IsMap())
    for (const auto& subject : subjects)
      for (const YAML::Node& name : subject.second)
        if (name.IsScalar()) moveScene(left, name.Scalar(), subject.first.Scalar(), entries);
  for (const ShippedScene& scene : left)
    entries.push_back(entryOf(scene, entries.empty() ? "Scenes" : "More scenes"));
  if (!robots.IsDefined() || !robots.IsMap()) return entries;
  for (const auto& robot : robots) {
    const std::string name = robot.first.Scalar();
    const fs::path file = assetsFolder() / "robots" / (name + ".urdf");
    if (!fs::is_regular_file(file) || !robot.second.IsScalar()) continue;
    entries.push_back({name, robot.second.Scalar(), file, "Robots", pictureOf("robots/" + name), true});
  }
  return entries;
}

}  // namespace slipstick::assets
