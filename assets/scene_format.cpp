#include "assets/scene_format.h"

#include <algorithm>
#include <iterator>

#include "assets/scene_tables.h"
#include "engine/foundation/require.h"

namespace slipstick::assets {
namespace {

// What several blocks share.
std::vector<FormatBlock> sharedParts() {
  return {
      {"pose",
       {},
       {{"position", "numbers 3", "m", "[0, 0, 0]", "of its origin"},
        {"rpy_deg", "numbers 3", "°", "[0, 0, 0]", "roll, pitch, yaw about fixed axes, as in URDF"},
        {"rotation", "numbers 9", "", "", "in place of rpy_deg: a rotation matrix, row by row"}}},
      {"placed", {"pose"}, {{"in", "text", "", "world", "a name of 'frames' that the pose is in"}}},
      {"shape",
       {},
       {{"shape", "'plane' | 'sphere' | 'box' | 'capsule' | 'cylinder' | 'ellipsoid' | 'mesh' | 'sheet'", "",
         "required", "each has keys of its own"},
        {"size", "numbers 3 > 0 | numbers 2 > 0", "m", "", "of a box: whole edges; of a sheet: [x, y]"},
        {"radius", "number > 0", "m", "", "of a sphere, capsule or cylinder"},
        {"length", "number > 0", "m", "", "of a capsule or cylinder: its straight part, along z"},
        {"radii", "numbers 3 > 0", "m", "", "of an ellipsoid: half axes"},
        {"file", "text", "", "", "of a mesh: STL, OBJ, DAE, glTF or PLY"},
        {"scale", "number > 0 | numbers 3", "", "1", "of a mesh: metres per unit of the file"}}},
      {"sheet", {}, {{"count", "list integer 2 .. 2000", "", "", "of a sheet: vertices along x and y"}}},
      lookTable().format(),
      movingTable<RobotSpec>().format(),
      {"copied",
       {},
       {{"replicate", "block replicate", "", "", "numbered copies NAME_0, NAME_1, … in its place"}}},
      {"mirrored",
       {},
       {{"mirror", "block mirror", "", "", "the mirror image of another entry of the block"}}},
      {"base",
       {"placed", "moving", "look", "copied", "mirrored"},
       {{"base", "'fixed' | 'free'", "", "fixed", "free: it floats in the world"},
        {"attach_to", "text", "", "world", "a link or frame that a fixed base is fixed to"},
        {"path", "text", "", "", "a name of 'paths' that it follows whatever pushes it"},
        {"contact", "block contact", "", "", "the contact law of all its shapes"}}},
      {"gains",
       {},
       {{"kp", "number >= 0 | list number >= 0", "N m/rad or N/m", "1000", "one for all joints or one each"},
        {"kd", "number >= 0 | list number >= 0", "N m s/rad or N s/m", "60",
         "one for all joints or one each"}}},
  };
}

std::vector<FormatBlock> settings() {
  return {
      sceneTable().format(),
      timeTable().format(),
      gridTable().format(),
      viewTable().format(),
      solverTable().format(),
      rigidSolverTable().format(),
      contactTable().format(),
      rigidContactTable().format(),
      sceneContactTable().format(),
      {"defaults",
       {},
       {{"materials", "block material"},
        {"deformables", "block deformable"},
        {"bodies", "block body"},
        {"shapes", "block element", "", "", "of each entry of the bodies' shapes"},
        {"robots", "block robot"},
        {"boundaries", "block boundary"},
        {"paths", "block path"},
        {"controllers", "block controller"},
        {"sensors", "block sensor"},
        {"cameras", "block camera"}}},
      {"frame",
       {"pose", "mirrored"},
       {{"attach_to", "text", "", "world", "a link or another frame that it moves with"}}},
      {"replicate",
       {},
       {{"count", "integer 1 .. 10000 | list integer 1 .. 10000", "", "required",
         "n, or [nx, ny, nz] for a grid"},
        {"offset", "numbers 3", "m", "[0, 0, 0]", "from each copy to the next; of a grid its spacings"},
        {"rpy_deg", "numbers 3", "°", "[0, 0, 0]",
         "turn from each copy to the next, about the frame's origin"},
        {"first", "integer 0 .. 1000000", "", "0", "number of the first copy"}}},
      {"mirror",
       {},
       {{"of", "text", "", "required", "an entry of the same block"},
        {"normal", "'x' | 'y' | 'z'", "", "required", "axis that the plane is normal to"},
        {"point", "numbers 3", "m", "[0, 0, 0]", "that the plane goes through"}}},
  };
}

std::vector<FormatBlock> things() {
  return {
      materialTable().format(),
      deformableTable().format(),
      samplingTable().format(),
      {"body",
       {"base"},
       {{"shapes", "list element", "", "required", "of which it is made"},
        {"mass", "number > 0", "kg", "", "of all of it"},
        {"density", "number > 0", "kg/m³", "", "in place of the mass"}}},
      {"element",
       {"shape", "pose", "look"},
       {{"name", "text", "", "", "by which paths address it"},
        {"texture", "text", "", "", "of a mesh: an image over its texture coordinates"},
        {"roughness", "number 0 .. 1", "", "0.5", "0 mirror … 1 chalk"},
        {"metallic", "number 0 .. 1", "", "0", "1: bare metal"},
        {"contact", "block contact", "", "", "its own contact law"},
        {"convex_parts", "integer 0 .. 64", "", "0",
         "of a mesh: the most convex parts that touch rigid things"},
        {"collides", "boolean", "", "true", "false: it is only seen"}}},
      boundaryTable().format(),
      robotTable().format(),
      limitsTable().format(),
      linkTable().format(),
  };
}

std::vector<FormatBlock> motion() {
  return {
      {"weld",
       {},
       {{"link_a", "text", "", "required", "robot.link, a body, a frame or world"},
        {"link_b", "text", "", "required", "robot.link, a body, a frame or world"},
        {"pose_a", "block pose", "", "identity", "of the loop's frame in link_a"},
        {"pose_b", "block pose", "", "identity", "of the loop's frame in link_b"}}},
      loopTable().format(),
      pairRuleTable().format(),
      pathTable().format(),
      {"path_key",
       {"pose"},
       {{"t", "number", "s", "required", "when", "t_s"},
        {"quaternion", "numbers 4", "", "", "in place of rpy_deg: [w, x, y, z]"}}},
      {"move",
       {},
       {{"from", "number >= 0", "s", "required", "when it begins", "from_s"},
        {"to", "number > 0", "s", "required", "when it ends", "to_s"},
        {"velocity", "numbers 3", "m/s", "", "in world axes"},
        {"displacement", "numbers 3", "m", "", "in place of the velocity"},
        {"rotation_deg", "numbers 3", "°", "[0, 0, 0]", "rotation vector in world axes, below 180°"}}},
      {"controller",
       {"pose", "gains"},
       {{"kind",
         "'end_effector_path' | 'joint_path' | 'joint_effort' | 'joint_velocity' | 'gripper' | 'force'", "",
         "required", "each has keys of its own"},
        {"robot", "text", "", "", "that it drives"},
        {"link", "text", "", "", "that follows the path, or that the force acts on"},
        {"path", "text", "", "", "a name of 'paths'"},
        {"joints", "list text", "", "", "of a joint_path or gripper"},
        {"joint", "text", "", "", "of a joint_effort or joint_velocity"},
        {"keys", "list controller_key", "", "", "what is wanted when"},
        {"interpolation", "'linear' | 'smooth' | 'spline'", "", "linear", "of a joint_path"},
        {"effort", "number", "N m or N", "", "of a joint_effort; of a gripper the largest, 20"},
        {"velocity", "number", "rad/s or m/s", "", "of a joint_velocity"},
        {"from", "number >= 0", "s", "0", "when a joint_effort or joint_velocity begins", "from_s"},
        {"point", "numbers 3", "m", "[0, 0, 0]", "in the link, where a force acts"}}},
      {"controller_key",
       {},
       {{"t", "number", "s", "required", "when", "t_s"},
        {"q", "list number", "rad or m", "", "of a joint_path: one per joint"},
        {"q_deg", "list number", "°", "", "in place of q"},
        {"opening", "number", "m or rad", "", "of a gripper's finger joints"},
        {"force", "numbers 3", "N", "[0, 0, 0]", "world axes"},
        {"torque", "numbers 3", "N m", "[0, 0, 0]", "world axes"}}},
      effectorTable().format(),
      workspaceTable().format(),
      gripperTable().format(),
      cameraTable().format(),
      sensorTable().format(),
      taskTable().format(),
      resetTable().format(),
      resetPositionTable().format(),
      testTable().format(),
  };
}

}  // namespace

const std::vector<FormatBlock>& formatBlocks() {
  static const std::vector<FormatBlock> kAll = [] {
    std::vector<FormatBlock> all;
    for (const auto& group : {settings(), sharedParts(), things(), motion()})
      all.insert(all.end(), group.begin(), group.end());
    return all;
  }();
  return kAll;
}

const FormatBlock& formatBlock(std::string_view name) {
  const auto& blocks = formatBlocks();
  const auto found = std::find_if(blocks.begin(), blocks.end(),
                                  [&](const FormatBlock& block) { return block.name == name; });
  SIM_REQUIRE(found != blocks.end(), name);
  return *found;
}

std::vector<FormatKey> allKeysOf(std::string_view block) {
  std::vector<FormatKey> keys;
  const FormatBlock& own = formatBlock(block);
  for (const std::string_view part : own.parts) {
    const std::vector<FormatKey> shared = allKeysOf(part);
    keys.insert(keys.end(), shared.begin(), shared.end());
  }
  keys.insert(keys.end(), own.keys.begin(), own.keys.end());
  return keys;
}

std::vector<std::string> keyNamesOf(std::string_view block) {
  std::vector<std::string> names;
  for (const FormatKey& key : allKeysOf(block)) names.emplace_back(key.key);
  return names;
}

std::vector<std::string_view> alternativesOf(std::string_view type) {
  constexpr std::string_view kOr = " | ";
  std::vector<std::string_view> alternatives;
  for (;;) {
    const std::size_t at = type.find(kOr);
    alternatives.push_back(type.substr(0, at));
    if (at == std::string_view::npos) return alternatives;
    type.remove_prefix(at + kOr.size());
  }
}

}  // namespace slipstick::assets
