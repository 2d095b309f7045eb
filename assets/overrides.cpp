#include "assets/overrides.h"

#include <optional>
#include <set>
#include <vector>

#include "engine/model/nearest_name.h"
#include "engine/model/scene.h"

namespace slipstick::assets {
namespace {

/// Blocks of a scene that may be left out of a file because everything in them has a default.
bool isOptionalBlock(const std::string& name) {
  static const std::set<std::string> kBlocks = {"time",  "grid", "solver",   "contact",
                                                "rigid", "view", "sampling", "links"};
  return kBlocks.contains(name);
}

/// What a path may pass through although the file leaves it out: a block whose keys all have defaults, the
/// entry of one link of a robot, or gravity.
std::optional<YAML::Node> impliedChild(const std::vector<std::string>& path, std::size_t at) {
  const bool isLink = at >= 3 && path[at - 1] == "links" && path[0] == "robots";
  if (isOptionalBlock(path[at]) || isLink) return YAML::Node(YAML::NodeType::Map);
  if (path[at] != "gravity" || at > 0) return std::nullopt;
  YAML::Node gravity(YAML::NodeType::Sequence);
  for (const double g : Scene{}.gravity) gravity.push_back(g);
  return gravity;
}

std::vector<std::string> splitPath(const std::string& path) {
  std::vector<std::string> names;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t dot = path.find('.', begin);
    names.push_back(path.substr(begin, dot == std::string::npos ? dot : dot - begin));
    if (dot == std::string::npos) return names;
    begin = dot + 1;
  }
}

std::vector<std::string> namesIn(const YAML::Node& node) {
  std::vector<std::string> names;
  if (node.IsMap()) {
    for (const auto& pair : node)
      if (pair.first.IsScalar()) names.push_back(pair.first.Scalar());
  } else if (node.IsSequence()) {
    for (std::size_t i = 0; i < node.size(); ++i) {
      const bool named = node[i].IsMap() && node[i]["name"].IsDefined() && node[i]["name"].IsScalar();
      names.push_back(named ? node[i]["name"].Scalar() : std::to_string(i));
    }
  }
  return names;
}

struct Child {
  YAML::Node node;
  std::string key;  ///< as the reader names it
};

/// The value of a key, found without operator[], which would add a missing key to the document.
std::optional<Child> childOf(const YAML::Node& node, const std::string& name) {
  if (node.IsMap()) {
    for (const auto& pair : node)
      if (pair.first.IsScalar() && pair.first.Scalar() == name) return Child{pair.second, name};
    return std::nullopt;
  }
  if (!node.IsSequence()) return std::nullopt;
  const std::vector<std::string> names = namesIn(node);
  const auto isNamed = [&](std::size_t i) {
    const bool isAxis = names.size() == 3 && node[i].IsScalar() && name == std::string(1, "xyz"[i]);
    return names[i] == name || std::to_string(i) == name || isAxis;
  };
  for (std::size_t i = 0; i < names.size(); ++i)
    if (isNamed(i)) return Child{node[i], std::to_string(i)};
  return std::nullopt;
}

Error unknownPath(const std::string& assignment, const YAML::Node& parent, const std::string& name) {
  if (!parent.IsMap() && !parent.IsSequence())
    return {ErrorCode::UnknownName, "'" + name + "' lies below a single value", "--set " + assignment,
            "shorten the path by '." + name + "'"};
  return {ErrorCode::UnknownName, "the scene has no '" + name + "' there", "--set " + assignment,
          suggestName(name, namesIn(parent))};
}

}  // namespace

Result<std::string> applyOverride(YAML::Node& root, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    return Error{ErrorCode::InvalidValue, "an override has the form path=value", "--set " + assignment,
                 "for example: --set contact.friction=0.25"};
  const std::vector<std::string> path = splitPath(assignment.substr(0, equals));
  std::string canonical;
  try {
    const YAML::Node value = YAML::Load(assignment.substr(equals + 1));
    YAML::Node node = root;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      std::optional<Child> next = childOf(node, path[i]);
      const std::optional<YAML::Node> implied = node.IsMap() ? impliedChild(path, i) : std::nullopt;
      if (!next && implied) {
        node[path[i]] = *implied;
        next = Child{node[path[i]], path[i]};
      }
      if (!next) return unknownPath(assignment, node, path[i]);
      node.reset(next->node);
      canonical += next->key + ".";
    }
    if (std::optional<Child> target = childOf(node, path.back())) {
      target->node = value;
      return canonical + target->key;
    }
    if (!node.IsMap() && !node.IsNull()) return unknownPath(assignment, node, path.back());
    node[path.back()] = value;
    return canonical + path.back();
  } catch (const YAML::Exception& e) {
    return Error{ErrorCode::SyntaxError, "the value cannot be read: " + e.msg, "--set " + assignment,
                 "write a number, a text or a [list]"};
  }
}

}  // namespace slipstick::assets
