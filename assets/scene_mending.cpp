#include "assets/scene_mending.h"

#include <algorithm>

#include "assets/robot_format.h"
#include "assets/scene_expansion.h"
#include "assets/scene_merge.h"
#include "assets/scene_old_keys.h"
#include "assets/shipped.h"
#include "assets/writer_parts.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

constexpr int kMaxRounds = 4;  // each writes out what the one before has moved along

using Path = YamlPatch::Path;

Path operator/(Path path, const std::string& key) {
  path.push_back(key);
  return path;
}

/// Keys whose value is the name of a file.
bool namesFile(const std::string& key) {
  constexpr std::string_view kKeys[] = {"include", "srdf", "file", "texture"};
  const std::vector<std::string> robots = robotKeys();
  return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys) ||
         std::find(robots.begin(), robots.end(), key) != robots.end();
}

std::string renamed(const std::string& name, const fs::path& from, const fs::path& to) {
  const bool isElsewhere =
      name.find("://") != std::string::npos || (isBareName(name) && shippedRobotFile(name));
  const Result<fs::path> file = resolveFile(name, from, {});
  return isElsewhere || !file ? name : writer::fileName(*file, name, to);
}

class Renaming {
 public:
  Renaming(YamlPatch& patch, const fs::path& from, const fs::path& to)
      : patch_(patch), from_(from), to_(to) {}

  bool below(const YamlTree& node, const Path& path, bool isFile) {
    if (isFile && node->isScalar()) {
      const std::string name = renamed(node->scalar, from_, to_);
      return name == node->scalar || patch_.set(path, assets::quoted(name));
    }
    for (std::size_t i = 0; i < node->entries.size(); ++i) {
      const YamlNode::Entry& entry = node->entries[i];
      const std::string key = node->isList() ? std::to_string(i) : entry.key;
      const bool named = node->isList() ? isFile : namesFile(key);
      if (!entry.isAlias && !below(entry.value, path / key, named)) return false;
    }
    return true;
  }

 private:
  YamlPatch& patch_;
  const fs::path& from_;
  const fs::path& to_;
};

/// Brings one scene's text nearer to another one, difference by difference.
class Mending {
 public:
  explicit Mending(YamlPatch& patch) : patch_(patch) {}

  bool run(const YamlTree& got, const YamlTree& wanted, const Path& path) {
    if (isSame(got, wanted)) return true;
    if (got->isMap() && wanted->isMap()) return maps(got, wanted, path);
    const bool areItems = got->isList() && wanted->isList() &&
                          got->entries.size() == wanted->entries.size() && !got->entries.empty() &&
                          got->entries.front().value->isMap();
    if (!areItems) return put(path, wanted);
    for (std::size_t i = 0; i < got->entries.size(); ++i)
      if (!run(got->entries[i].value, wanted->entries[i].value, path / std::to_string(i))) return false;
    return true;
  }

 private:
  bool maps(const YamlTree& got, const YamlTree& wanted, const Path& path) {
    if (path.size() == 2 && isElsewhere(got, wanted) && !release(wanted, path)) return false;
    for (const YamlNode::Entry& entry : got->entries)
      if (!hasKey(wanted, entry.key) && !patch_.remove(path / entry.key)) return false;
    return std::all_of(wanted->entries.begin(), wanted->entries.end(), [&](const YamlNode::Entry& entry) {
      const YamlTree was = valueAt(got, entry.key);
      if (was) return run(was, entry.value, path / entry.key);
      return path.size() == 1 ? patch_.append(path[0], entry.key, inOneLine(entry.value))
                              : put(path / entry.key, entry.value);
    });
  }
  bool put(const Path& path, const YamlTree& value) {
    const Path parent(path.begin(), path.end() - 1);
    for (const std::string& other : alternativesTo(path.back()))
      if (patch_.whatIsAt(parent / other) && !patch_.remove(parent / other)) return false;
    return patch_.set(path, inOneLine(value));
  }

  static bool isElsewhere(const YamlTree& got, const YamlTree& wanted) {
    constexpr const char* kPose[] = {"position", "rpy_deg", "rotation", "attach_to", "keys"};
    return std::any_of(std::begin(kPose), std::end(kPose),
                       [&](const char* key) { return !isSame(valueAt(got, key), valueAt(wanted, key)); });
  }
  /// From the named frame that it is placed in: its pose is then the one that a whole scene says.
  bool release(const YamlTree& wanted, const Path& path) {
    if (patch_.whatIsAt(path / "in") && !patch_.remove(path / "in")) return false;
    const YamlTree link = valueAt(wanted, "attach_to"), written = patch_.whatIsAt(path / "attach_to");
    if (!written || isSame(link, written)) return true;
    return link ? patch_.set(path / "attach_to", inOneLine(link)) : patch_.remove(path / "attach_to");
  }

  YamlPatch& patch_;
};

}  // namespace

YamlPatch::Reader readerFor(const fs::path& folder, const std::vector<fs::path>& packagePaths) {
  return [folder, packagePaths](const std::string& text) -> YamlTree {
    const Result<YamlTree> own = parseYaml(text, std::make_shared<const YamlSource>(YamlSource{"", folder}));
    if (!own || !(*own)->isMap()) return nullptr;
    const Result<SceneTrees> trees =
        expandScene(*own, {.file = {}, .overrides = {}, .packagePaths = packagePaths});
    return trees ? trees->unfolded : nullptr;
  };
}

bool modernise(YamlPatch& patch) {
  const YamlTree root = patch.root();
  std::vector<YamlPatch::KeyRename> keys;
  if (root)
    for (const OldKey& key : oldKeysIn(root)) keys.push_back({key.at, key.was, key.today});
  return keys.empty() || patch.renameKeys(keys);
}

bool renameFiles(YamlPatch& patch, const fs::path& from, const fs::path& to) {
  const YamlTree root = patch.root();
  std::error_code ignored;
  return root && (fs::equivalent(from, to, ignored) || Renaming(patch, from, to).below(root, {}, false));
}

bool mend(YamlPatch& patch, const std::string& wanted,
          const std::function<std::optional<std::string>(const std::string& text)>& meaning) {
  const Result<YamlTree> goal = parseYaml(wanted, "");
  for (int round = 0; goal && round < kMaxRounds; ++round) {
    const std::optional<std::string> now = meaning(patch.text());
    if (!now || *now == wanted) return now.has_value();
    const Result<YamlTree> got = parseYaml(*now, "");
    if (!got || !Mending(patch).run(*got, *goal, {})) return false;
  }
  return meaning(patch.text()) == wanted;
}

}  // namespace slipstick::assets
