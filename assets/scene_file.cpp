#include "assets/scene_file.h"

#include <algorithm>
#include <fstream>
#include <optional>

#include "assets/openable.h"
#include "assets/robot_io.h"
#include "assets/scene_io.h"
#include "assets/shipped.h"
#include "assets/writer_parts.h"
#include "assets/yaml_patch.h"
#include "engine/model/looks.h"

namespace slipstick::assets {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestScene = 16 << 20;

/// "bodies.box.contact.friction", "robots.arm.damping.elbow"; a name may have points of its own, so the longest that is
/// known counts.
YamlPatch::Path keysOf(const std::string& path, const Scene& scene) {
  std::vector<std::string> names;
  for (const RobotSpec& r : scene.robots) names.push_back(r.name);
  for (const DeformableSpec& d : scene.deformables) names.push_back(d.name);
  for (const MaterialSpec& m : scene.materials) names.push_back(m.name);
  for (const BoundarySpec& b : scene.boundaries) names.push_back(b.name);
  const std::vector<std::string> ofJoints = keysOf(ParameterBlock::Joint);
  YamlPatch::Path keys;
  std::size_t begin = 0;
  while (begin <= path.size()) {
    if (keys.size() == 3 && keys[0] == "robots" &&
        std::find(ofJoints.begin(), ofJoints.end(), keys[2]) != ofJoints.end()) {
      keys.push_back(path.substr(begin));  // a joint's name, the last
      break;
    }
    std::size_t end = std::min(path.find('.', begin), path.size());
    for (const std::string& name : names)
      if (keys.size() == 1 && path.compare(begin, name.size(), name) == 0 &&
          (begin + name.size() == path.size() || path[begin + name.size()] == '.'))
        end = std::max(end, begin + name.size());
    keys.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return keys;
}

bool setNumbers(YamlPatch& patch, const ChangedNumbers& numbers, const Scene& scene) {
  return std::all_of(numbers.begin(), numbers.end(), [&](const auto& change) {
    const auto& [path, value] = change;
    const YamlPatch::Path keys = keysOf(path, scene);
    if (value.empty()) return patch.remove(keys);
    return patch.set(keys,
                     (value.size() == 1 ? YamlOut::number(value[0]) : YamlOut::numbers(value)).inOneLine());
  });
}

template <class Specs>
const typename Specs::value_type* named(const Specs& specs, const std::string& name) {
  const auto found =
      std::find_if(specs.begin(), specs.end(), [&](const auto& spec) { return spec.name == name; });
  return found == specs.end() ? nullptr : &*found;
}

const char* sectionOf(const RobotSpec& robot) {
  return robot.description.file.empty() ? "bodies" : "robots";
}

/// Gives a written scene the things of another one. @return false where the text is not laid out for it
class Rewriting {
 public:
  Rewriting(YamlPatch& patch, const Scene& before, const Scene& now, const fs::path& folder)
      : patch_(patch), before_(before), now_(now), folder_(folder) {}

  bool run() { return names() && removed() && changed() && added(); }

 private:
  /// Files by names that find them from the new folder.
  bool names() {
    for (const RobotSpec& robot : before_.robots) {
      const fs::path& file = robot.description.file;
      const std::string key = file.extension() == ".sdf" ? "sdf" : "urdf";
      if (!file.empty() && !rename({"robots", robot.name, key}, file)) return false;
      for (const LinkSpec& link : robot.description.links)
        for (const auto& list : {link.visuals, link.collisions})
          for (const LinkGeometry& g : list)
            if (file.empty() && g.source && !rename({"bodies", robot.name, "shapes", g.key}, *g.source))
              return false;
    }
    return std::all_of(before_.deformables.begin(), before_.deformables.end(), [&](const DeformableSpec& d) {
      return !d.source || rename({"deformables", d.name}, *d.source);
    });
  }
  bool rename(YamlPatch::Path path, const MeshSource& source) {
    path.push_back("file");
    if (!rename(path, source.file, source.written)) return false;
    path.back() = "texture";
    return source.image.empty() || rename(path, source.image, source.imageWritten);
  }
  bool rename(const YamlPatch::Path& path, const fs::path& file, const std::string& written = {}) {
    const std::string name = writer::fileName(file, written, folder_);
    if (name == written) return true;
    if (written.empty() && before_.file.parent_path() == folder_) return true;
    return patch_.set(path, assets::quoted(name));
  }

  bool removed() {
    bool done = true;
    for (const RobotSpec& robot : before_.robots)
      if (!named(now_.robots, robot.name)) done = done && patch_.remove({sectionOf(robot), robot.name});
    for (const DeformableSpec& d : before_.deformables)
      if (!named(now_.deformables, d.name)) done = done && patch_.remove({"deformables", d.name});
    for (const LoopSpec& loop : before_.loops)
      if (!named(now_.loops, loop.name))
        done = done && patch_.remove({"loops", loop.name}) && patch_.remove({"welds", loop.name});
    for (const EffectorSpec& effector : before_.effectors)
      if (!named(now_.effectors, effector.name)) done = done && patch_.remove({"teleop", effector.name});
    for (const CameraSpec& camera : before_.cameras)
      if (!named(now_.cameras, camera.name)) done = done && patch_.remove({"cameras", camera.name});
    return done &&
           removeUnnamed({"controllers"}, before_.controllers, now_.controllers,
                         [](const ControllerSpec& spec) { return writer::controllerOf(spec).inOneLine(); }) &&
           removeUnnamed({"pair_rules"}, before_.pairRules, now_.pairRules,
                         [](const PairRuleSpec& rule) { return rule.a + " + " + rule.b; }) &&
           removedFromTask();
  }
  /// Things that are gone take what the task says of them with them.
  bool removedFromTask() {
    if (!before_.task) return true;
    if (!now_.task) return patch_.remove({"task"});
    const auto saysTest = [](const ConditionSpec& test) { return writer::conditionOf(test).inOneLine(); };
    return removeUnnamed({"task", "reset"}, before_.task->reset, now_.task->reset,
                         [](const ResetSpec& reset) { return writer::resetOf(reset).inOneLine(); }) &&
           removeUnnamed({"task", "success"}, before_.task->success, now_.task->success, saysTest) &&
           removeUnnamed({"task", "failure"}, before_.task->failure, now_.task->failure, saysTest);
  }
  /// What has no name is known by what it says; from the last on, so that places stay.
  template <class Specs, class Says>
  bool removeUnnamed(const YamlPatch::Path& section, const Specs& before, const Specs& now,
                     const Says& says) {
    std::vector<std::string> left;
    for (const auto& spec : now) left.push_back(says(spec));
    for (std::size_t i = before.size(); i-- > 0;) {
      const auto found = std::find(left.rbegin(), left.rend(), says(before[i]));
      if (found != left.rend())
        left.erase(std::next(found).base());
      else if (!removeEntry(section, i))
        return false;
    }
    return left.empty();
  }

  bool removeEntry(YamlPatch::Path section, std::size_t i) {
    section.push_back(std::to_string(i));
    return patch_.remove(section);
  }

  bool changed() {
    for (const RobotSpec& robot : now_.robots) {
      const RobotSpec* was = named(before_.robots, robot.name);
      if (was && (was->X_PB.p != robot.X_PB.p || was->X_PB.R != robot.X_PB.R) && !move(robot)) return false;
      if (was && !recolor({sectionOf(robot), robot.name}, was->look, robot.look)) return false;
      if (was && !recolorLinks(robot)) return false;
    }
    for (const DeformableSpec& d : now_.deformables) {
      const DeformableSpec* was = named(before_.deformables, d.name);
      if (was && !recolor({"deformables", d.name}, {was->visible, was->color}, {d.visible, d.color}))
        return false;
    }
    return changedTask() &&
           std::all_of(now_.boundaries.begin(), now_.boundaries.end(), [this](const BoundarySpec& b) {
             const BoundarySpec* was = named(before_.boundaries, b.name);
             return !was || recolor({"boundaries", b.name}, was->look, b.look);
           });
  }
  bool changedTask() {
    if (!before_.task || !now_.task || before_.task->seed == now_.task->seed) return true;
    const std::optional<std::uint64_t>& seed = now_.task->seed;
    return seed ? patch_.set({"task", "seed"}, writer::seedOf(*seed).inOneLine())
                : patch_.remove({"task", "seed"});
  }
  bool recolorLinks(const RobotSpec& robot) {
    const auto& links = robot.description.links;
    return std::all_of(links.begin(), links.end(), [&](const LinkSpec& link) {
      const ThingName name{ThingKind::Link, robot.name + "." + link.name};
      return recolor({sectionOf(robot), robot.name, "links", link.name}, lookOf(before_, name),
                     lookOf(now_, name));
    });
  }
  /// How a thing is shown: keys that say the usual go.
  bool recolor(const YamlPatch::Path& thing, const LookSpec& was, const LookSpec& now) {
    const auto put = [&](const char* key, const std::optional<YamlOut>& value) {
      YamlPatch::Path path = thing;
      path.push_back(key);
      return value ? patch_.set(path, value->inOneLine()) : patch_.remove(path);
    };
    if (was.color != now.color &&
        !put("color", now.color ? std::optional(writer::colorOf(*now.color)) : std::nullopt))
      return false;
    return was.visible == now.visible ||
           put("visible", now.visible ? std::nullopt : std::optional(YamlOut::boolean(false)));
  }
  bool move(const RobotSpec& robot) {
    YamlOut pose;
    addPose(robot.X_PB, pose);
    for (const char* key : {"position", "rpy_deg", "rotation"}) {
      const YamlPatch::Path path = {sectionOf(robot), robot.name, key};
      const YamlOut* value = pose.find(key);
      if (!(value ? patch_.set(path, value->inOneLine()) : patch_.remove(path))) return false;
    }
    return true;
  }

  bool added() {
    bool done = true;
    for (const MaterialSpec& m : now_.materials)
      if (!named(before_.materials, m.name))
        done = done && add("materials", m.name, writeMaterial(m.parameters));
    for (const DeformableSpec& d : now_.deformables)
      if (!named(before_.deformables, d.name))
        done = done && add("deformables", d.name, writeDeformable(d, folder_));
    for (const RobotSpec& robot : now_.robots)
      if (!named(before_.robots, robot.name))
        done = done && add(sectionOf(robot), robot.name, writeRobot(robot, folder_));
    for (const CameraSpec& camera : now_.cameras)
      if (!named(before_.cameras, camera.name))
        done = done && add("cameras", camera.name, writeCamera(camera));
    return done;
  }
  bool add(const char* section, const std::string& name, const Result<YamlOut>& value) {
    return value && patch_.append(section, name, value->inOneLine());
  }

  YamlPatch& patch_;
  const Scene& before_;
  const Scene& now_;
  const fs::path& folder_;
};

/// What the text says, in the one form that everything has.
std::optional<std::string> meaningOf(const std::string& text, const Scene& scene, const fs::path& folder,
                                     const LoadOptions& options) {
  Result<LoadedScene> read = parseScene(text, folder, scene.name, options);
  if (!read) return std::nullopt;
  const Result<std::string> meaning = writeScene(read->scene, folder);
  return meaning ? std::optional(*meaning) : std::nullopt;
}

/// The file's own text with the changes; nothing where it cannot take them.
std::optional<std::string> rewritten(const Scene& scene, const ChangedNumbers& numbers,
                                     const fs::path& folder, const LoadOptions& options) {
  if (scene.file.empty() || kindOfFile(scene.file).value_or(FileKind::Scene) != FileKind::Scene)
    return std::nullopt;
  const Result<std::string> text = readTextFile(scene.file, kLargestScene);
  const Result<LoadedScene> before = loadScene(scene.file.string(), options);
  if (!text || !before) return std::nullopt;
  YamlPatch patch(*text);
  if (!Rewriting(patch, before->scene, scene, folder).run() || !setNumbers(patch, numbers, scene))
    return std::nullopt;
  return patch.text();
}

}  // namespace

Result<std::string> textOfScene(const Scene& scene, const ChangedNumbers& numbers, const fs::path& folder,
                                const std::vector<fs::path>& packagePaths) {
  const LoadOptions options{.overrides = {}, .packagePaths = packagePaths};
  const Result<std::string> plain = writeScene(scene, folder);
  if (!plain) return plain.error();
  YamlPatch patch(*plain);
  if (!setNumbers(patch, numbers, scene))
    return Error{ErrorCode::Unsupported, "a changed number has no place in the scene's file", scene.name,
                 "undo the last edits and save again"};
  const std::optional<std::string> wanted = meaningOf(patch.text(), scene, folder, options);
  if (!wanted)
    return Error{ErrorCode::Unsupported, "what would be written cannot be read again", scene.name,
                 "undo the last edits and save again"};
  const std::optional<std::string> own = rewritten(scene, numbers, folder, options);
  if (own && meaningOf(*own, scene, folder, options) == wanted) return *own;
  return patch.text();
}

Result<void> saveScene(const Scene& scene, const ChangedNumbers& numbers, const fs::path& file,
                       const std::vector<fs::path>& packagePaths) {
  std::error_code failed;
  const fs::path whole = fs::absolute(file, failed).lexically_normal();
  const Result<std::string> text = textOfScene(scene, numbers, whole.parent_path(), packagePaths);
  if (!text) return text.error();
  fs::path draft = whole;
  draft += ".part";
  {
    std::ofstream out(draft, std::ios::binary | std::ios::trunc);
    out << *text;
    out.flush();
    if (!out) {
      fs::remove(draft, failed);
      return Error{ErrorCode::FileUnwritable, "the file cannot be written", whole.string(),
                   "choose a folder that you may write to, with room on its disk"};
    }
  }
  fs::rename(draft, whole, failed);
  if (!failed) return {};
  const std::string why = failed.message();
  fs::remove(draft, failed);
  return Error{ErrorCode::FileUnwritable, "the file cannot be replaced: " + why, whole.string(),
               "choose another name"};
}

}  // namespace slipstick::assets
