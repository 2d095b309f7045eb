#include "assets/overrides.h"

#include <algorithm>
#include <optional>
#include <set>

#include "assets/one_line.h"
#include "assets/scene_old_keys.h"
#include "engine/foundation/nearest_name.h"
#include "engine/foundation/number_range.h"
#include "engine/foundation/number_text.h"
#include "engine/foundation/path_key.h"
#include "engine/model/method_rows.h"
#include "engine/model/parameters.h"
#include "engine/model/scene.h"

namespace slipstick::assets {
namespace {

/// Blocks of a scene that may be left out of a file because everything in them has a default.
bool isOptionalBlock(const std::string& name) {
  static const std::set<std::string> kBlocks = {"time",  "grid", "solver",   "contact",
                                                "rigid", "view", "sampling", "links"};
  return kBlocks.contains(name);
}

/// "robots.arm.damping" of "robots.arm.damping.elbow", and "limits.elbow" of "robots.arm.limits.elbow.effort"
bool isNumberOfJoints(const std::vector<std::string>& path, std::size_t at) {
  std::vector<std::string> keys = keysOf(ParameterBlock::Joint);
  keys.insert(keys.end(), {"limits", "armature"});
  if (path[0] != "robots" || (at == 3 && path[2] == "limits")) return path[0] == "robots";
  return at == 2 && std::find(keys.begin(), keys.end(), path[at]) != keys.end();
}

/// Whether it leads to a setting of a method's own.
bool isOfMethod(const std::vector<std::string>& path, const AllMethodRows* methods) {
  if (path.size() != 3 || path[0] != "solver" || methods == nullptr) return false;
  const auto own = methods->find(path[1]);
  return own && !own->settings.empty();
}

/// What a path may pass through although the file leaves it out: a block whose keys all have defaults, the entry of one link of
/// a robot, a number of a robot's joints, or gravity.
YamlTree impliedChild(const std::vector<std::string>& path, std::size_t at, const YamlNode& place) {
  const bool isLink = at >= 3 && path[at - 1] == "links" && path[0] == "robots";
  if (isOptionalBlock(path[at]) || isLink || isNumberOfJoints(path, at)) return mapLike(place);
  if (path[at] != "gravity" || at > 0) return nullptr;
  std::vector<YamlTree> gravity;
  for (const double g : Scene{}.gravity) gravity.push_back(scalarLike(place, shortest(g)));
  return listLike(place, std::move(gravity));
}

/// Where the value begins: behind the first equals sign that is not in a quoted key.
std::size_t equalsIn(const std::string& assignment) {
  std::size_t equals = assignment.find('=');
  while (equals != std::string::npos && !keysOfPath(std::string_view(assignment).substr(0, equals)))
    equals = assignment.find('=', equals + 1);
  return equals;
}

std::vector<std::string> namesIn(const YamlTree& node) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < node->entries.size(); ++i) {
    const YamlNode::Entry& entry = node->entries[i];
    const YamlTree name = node->isList() ? valueAt(entry.value, "name") : nullptr;
    names.push_back(node->isMap() ? entry.key : name && name->isScalar() ? name->scalar : std::to_string(i));
  }
  return names;
}

/// The place of a child among the entries.
std::optional<std::size_t> childOf(const YamlTree& node, const std::string& name) {
  const std::vector<std::string> names = namesIn(node);
  const auto isNamed = [&](std::size_t i) {
    if (names[i] == name || node->isMap()) return names[i] == name;
    const bool isAxis =
        names.size() == 3 && node->entries[i].value->isScalar() && name == std::string(1, "xyz"[i]);
    return std::to_string(i) == name || isAxis;
  };
  for (std::size_t i = 0; i < names.size(); ++i)
    if (isNamed(i)) return i;
  return std::nullopt;
}

}  // namespace

Result<Override> Override::parse(const std::string& assignment, const std::filesystem::path& folder,
                                 const AllMethodRows* methods, std::vector<Notice>& notices) {
  Override made;
  made.assignment_ = assignment;
  const std::size_t equals = equalsIn(assignment);
  if (equals == std::string::npos || equals == 0)
    return Error{ErrorCode::InvalidValue, "an override has the form path=value", made.where(),
                 "for example: --set contact.friction=0.25"};
  made.path_ = *keysOfPath(std::string_view(assignment).substr(0, equals));
  const auto source = std::make_shared<const YamlSource>(YamlSource{made.where(), folder, false});
  Result<YamlTree> value = parseYaml(assignment.substr(equals + 1), source);
  if (!value)
    return Error{value.error().code, "the value cannot be read: " + value.error().what, made.where(),
                 "write a number, a text or a [list]"};
  value = withTodaysKeys(made.path_, *value, notices);
  if (!value) return value.error();
  made.path_ = withTodaysKeys(std::move(made.path_));
  made.value_ = std::move(*value);
  made.isOfMethod_ = isOfMethod(made.path_, methods);
  return made;
}

std::string Override::where() const {
  return oneLine("--set " + shortened(assignment_));
}

bool Override::reaches(const YamlTree& root) const {
  YamlTree node = root;
  for (std::size_t at = 0; at + 1 < path_.size(); ++at) {
    const std::optional<std::size_t> child = childOf(node, path_[at]);
    if (!child) return false;
    node = node->entries[*child].value;
  }
  return !node->isList() || childOf(node, path_.back());
}

Result<YamlTree> Override::appliedTo(const YamlTree& root) const {
  return put(root, 0);
}

/// The value that stands at `at` of the path's names, with the change below it. All else is shared with what it was.
Result<YamlTree> Override::put(const YamlTree& node, std::size_t at) const {
  if (at == path_.size()) return value_;
  const std::string& name = path_[at];
  const bool isLast = at + 1 == path_.size();
  const std::optional<std::size_t> child = childOf(node, name);
  if (child) {
    Result<YamlTree> changed = put(node->entries[*child].value, at + 1);
    return changed ? withEntry(node, *child, std::move(*changed)) : changed;
  }
  if (node->kind == YamlNode::Kind::Null && isLast) return withKey(nullptr, name, value_);
  YamlTree implied = node->isMap() && !isLast ? impliedChild(path_, at, *value_) : nullptr;
  if (node->isMap() && isOfMethod_ && at == 1) implied = mapLike(*value_);
  if (!node->isMap() || (!implied && !isLast)) return unknownPath(node, name);
  Result<YamlTree> changed = implied ? put(implied, at + 1) : Result<YamlTree>(value_);
  return changed ? withKey(node, name, std::move(*changed)) : changed;
}

Error Override::unknownPath(const YamlTree& parent, const std::string& name) const {
  if (!parent->isMap() && !parent->isList())
    return {ErrorCode::UnknownName, "'" + name + "' lies below a single value", where(),
            "shorten the path by '." + name + "'"};
  return {ErrorCode::UnknownName, "the scene has no '" + name + "' there", where(),
          suggestName(name, namesIn(parent))};
}

}  // namespace slipstick::assets
