#include "assets/scene_file.h"

#include <algorithm>
#include <optional>

#include "assets/export/output_file.h"
#include "assets/limits.h"
#include "assets/openable.h"
#include "assets/robot_format.h"
#include "assets/robot_io.h"
#include "assets/scene_io.h"
#include "assets/scene_mending.h"
#include "assets/scene_tables.h"
#include "assets/shipped.h"
#include "assets/utf8.h"
#include "assets/writer_parts.h"
#include "assets/yaml_patch.h"
#include "engine/facts/looks.h"
#include "engine/foundation/guarded.h"
#include "engine/foundation/path_key.h"

namespace slipstick::assets {
namespace {

namespace fs = std::filesystem;

bool setNumbers(YamlPatch& patch, const ChangedNumbers& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [&](const auto& change) {
    const auto& [path, value] = change;
    const std::optional<YamlPatch::Path> keys = keysOfPath(path);
    if (!keys || value.empty()) return keys && patch.remove(*keys);
    return patch.set(*keys,
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

  bool run() { return removed() && changed() && added(); }

 private:
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
    for (const SensorSpec& sensor : before_.sensors)
      if (!named(now_.sensors, sensor.name)) done = done && patch_.remove({"sensors", sensor.name});
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
    const auto saysTest = [](const ConditionSpec& test) { return blockOf(test, testTable()).inOneLine(); };
    return removeUnnamed({"task", "reset"}, before_.task->reset, now_.task->reset,
                         [](const ResetSpec& reset) { return blockOf(reset, resetTable()).inOneLine(); }) &&
           removeUnnamed({"task", "success"}, before_.task->success, now_.task->success, saysTest) &&
           removeUnnamed({"task", "failure"}, before_.task->failure, now_.task->failure, saysTest);
  }
  /// What has no name is known by what it says; from the last on, so that places stay.
  template <class Specs, class Says>
  bool removeUnnamed(const YamlPatch::Path& section, const Specs& before, const Specs& now,
                     const Says& says) {
    std::vector<std::string> left;
    std::vector<std::size_t> gone;
    for (const auto& spec : now) left.push_back(says(spec));
    for (std::size_t i = before.size(); i-- > 0;) {
      const auto found = std::find(left.rbegin(), left.rend(), says(before[i]));
      if (found != left.rend())
        left.erase(std::next(found).base());
      else
        gone.push_back(i);
    }
    if (!left.empty()) return true;  // something has changed: see mend()
    return std::all_of(gone.begin(), gone.end(), [&](std::size_t i) { return removeEntry(section, i); });
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
      if (was && !override(*was, robot)) return false;
      if (was && !split(*was, robot)) return false;
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
  /// Masses and limits that the scene says over a robot's file.
  bool override(const RobotSpec& was, const RobotSpec& robot) {
    if (was.linkInertias == robot.linkInertias && was.jointLimits == robot.jointLimits) return true;
    const Result<YamlOut> before = writeRobot(was, folder_), now = writeRobot(robot, folder_);
    if (!before || !now) return false;
    for (const char* section : {"links", "limits", "armature"}) {
      const YamlOut *old = before->find(section), *block = now->find(section);
      if (old && block && old->inOneLine() == block->inOneLine()) continue;
      for (const auto& [name, value] : block ? block->entries() : YamlOut::Map{})
        if (const YamlOut* known = old ? old->find(name) : nullptr;
            !known || known->inOneLine() != value.inOneLine())
          if (!patch_.set({"robots", robot.name, section, name}, value.inOneLine())) return false;
    }
    return true;
  }
  /// Meshes of which convex parts touch rigid things.
  bool split(const RobotSpec& was, const RobotSpec& robot) {
    if (!robot.description.file.empty())
      return was.convexParts == robot.convexParts || setParts({"robots", robot.name}, robot.convexParts);
    const auto partsOf = [](const LinkGeometry& g) { return g.source ? g.source->convexParts : 0; };
    for (const LinkGeometry& g : robot.description.links.front().collisions) {
      const auto& before = was.description.links.front().collisions;
      const auto same =
          std::find_if(before.begin(), before.end(), [&](const auto& b) { return b.key == g.key; });
      if (same == before.end() || partsOf(*same) == partsOf(g)) continue;
      if (!setParts({"bodies", robot.name, "shapes", g.key}, partsOf(g))) return false;
    }
    return true;
  }
  bool setParts(YamlPatch::Path thing, int most) {
    thing.emplace_back("convex_parts");
    return most > 0 ? patch_.set(thing, std::to_string(most)) : patch_.remove(thing);
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
    const YamlPatch::Path frame = {sectionOf(robot), robot.name, "in"};
    if (patch_.whatIsAt(frame) && !patch_.remove(frame)) return false;
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
/// @param wanted  what it should say, in the form of meaningOf()
std::optional<std::string> rewritten(const Scene& scene, const ChangedNumbers& numbers,
                                     const std::string& wanted, const fs::path& folder,
                                     const LoadOptions& options) {
  if (scene.file.empty() || kindOfFile(scene.file).value_or(FileKind::Scene) != FileKind::Scene)
    return std::nullopt;
  Result<std::string> text = readTextFile(scene.file, limits::kYamlBytes);
  if (text) (void)turnIntoUtf8(scene.file, *text);  // which was said when it was opened
  const Result<LoadedScene> before = loadScene(scene.file.string(), options);
  if (!text || !before) return std::nullopt;
  YamlPatch patch(*text, readerFor(folder, options.packagePaths));
  if (!modernise(patch) || !renameFiles(patch, scene.file.parent_path(), folder)) return std::nullopt;
  if (!Rewriting(patch, before->scene, scene, folder).run() || !setNumbers(patch, numbers))
    return std::nullopt;
  const auto meaning = [&](const std::string& changed) { return meaningOf(changed, scene, folder, options); };
  return mend(patch, wanted, meaning) ? std::optional(patch.text()) : std::nullopt;
}

}  // namespace

Result<std::string> textOfScene(const Scene& scene, const ChangedNumbers& numbers, const fs::path& folder,
                                const std::vector<fs::path>& packagePaths) {
  const LoadOptions options{.overrides = {}, .packagePaths = packagePaths, .methods = scene.methods};
  const Result<std::string> plain = writeScene(scene, folder);
  if (!plain) return plain.error();
  YamlPatch patch(*plain);
  if (!setNumbers(patch, numbers))
    return Error{ErrorCode::Unsupported, "a changed number has no place in the scene's file", scene.name,
                 "undo the last edits and save again"};
  const std::optional<std::string> wanted = meaningOf(patch.text(), scene, folder, options);
  if (!wanted)
    return Error{ErrorCode::Unsupported, "what would be written cannot be read again", scene.name,
                 "undo the last edits and save again"};
  return rewritten(scene, numbers, *wanted, folder, options).value_or(patch.text());
}

Result<void> saveScene(const Scene& scene, const ChangedNumbers& numbers, const fs::path& file,
                       const std::vector<fs::path>& packagePaths) {
  return guarded(ErrorCode::FileUnwritable, file.native(), [&]() -> Result<void> {
    std::error_code failed;
    const fs::path whole = fs::absolute(file, failed).lexically_normal();
    const Result<std::string> text = textOfScene(scene, numbers, whole.parent_path(), packagePaths);
    if (!text) return text.error();
    return writeWhole(whole, *text);
  });
}

}  // namespace slipstick::assets
