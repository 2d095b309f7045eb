#include "assets/mjcf_io.h"

#include <exception>
#include <optional>

#include "assets/file_log.h"
#include "assets/limits.h"
#include "assets/mjcf_actuators.h"
#include "assets/mjcf_assets.h"
#include "assets/mjcf_contacts.h"
#include "assets/mjcf_document.h"
#include "assets/mjcf_scene.h"
#include "assets/mjcf_sensors.h"
#include "assets/mjcf_tree.h"
#include "assets/one_line.h"
#include "assets/robot_checks.h"
#include "assets/scene_io.h"
#include "assets/shipped.h"
#include "assets/utf8.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

/// Everything about the bodies.
Result<std::vector<MjcfActuator>> readRobot(MjcfDocument& document, MjcfTree& tree) {
  if (Result<void> ok = tree.read(); !ok) return ok.error();
  if (Result<void> ok = readMjcfContacts(document, tree); !ok) return ok.error();
  if (Result<void> ok = readMjcfEqualities(document, tree); !ok) return ok.error();
  Result<std::vector<MjcfActuator>> actuators = readMjcfActuators(document, tree);
  if (!actuators) return actuators;
  settleMjcfSprings(tree);
  listMjcfSensors(document);
  const auto where = [&](const std::string& link) { return tree.whereLink(link); };
  settleInertias(tree.robot, where, document.notices);
  return actuators;
}

Result<LoadedMjcf> readModel(MjcfDocument& document, const std::vector<fs::path>& packagePaths,
                             LoadProgress* progress) {
  MjcfAssets assets(document, packagePaths, progress);
  if (Result<void> ok = assets.index(); !ok) return ok.error();
  MjcfTree tree(document, assets);
  const Result<std::vector<MjcfActuator>> actuators = readRobot(document, tree);
  if (!actuators) return actuators.error();
  LoadedMjcf loaded;
  RobotSpec robot;
  const bool isTaken = tree.robot.name.empty() || tree.robot.name == "world";
  robot.name = isTaken ? "model" : tree.robot.name;
  loaded.scene.name = document.file().stem().string();
  loaded.scene.title = "Model " + tree.robot.name;
  loaded.scene.file = document.file();
  loaded.scene.groundHeight.reset();
  loaded.scene.opensOnAll = true;  // its cameras see what the robot sees
  loaded.scene.robots.push_back(std::move(robot));
  if (Result<void> ok = readMjcfScene(document, tree, *actuators, loaded.scene, loaded.sceneNotices); !ok)
    return ok.error();
  loaded.robot = std::move(tree.robot);
  loaded.scene.robots.front().description = loaded.robot;
  assets.noteConventions();
  loaded.notices = std::move(document.notices);
  return loaded;
}

}  // namespace

Result<LoadedMjcf> loadMjcf(const fs::path& file, const std::vector<fs::path>& packagePaths,
                            LoadProgress* progress) {
  FileLog::note(file);
  Result<std::string> text = readTextFile(file, limits::kXmlBytes);
  if (!text) return text.error();
  try {
    MjcfDocument document;
    if (std::optional<Notice> latin1 = turnIntoUtf8(file, *text))
      document.notices.push_back(std::move(*latin1));
    if (Result<void> ok = document.read(file, *text); !ok) return ok.error();
    Result<LoadedMjcf> loaded = readModel(document, packagePaths, progress);
    if (isCancelled(progress)) return cancelledLoad(file.string());
    return loaded;
  } catch (const std::exception& e) {
    return Error{ErrorCode::SyntaxError, oneLine(std::string("this MJCF file cannot be read: ") + e.what()),
                 file.string(), "simplify the file"};
  }
}

Result<LoadedScene> openMjcf(const fs::path& file, const LoadOptions& options) {
  Result<LoadedMjcf> loaded = loadMjcf(file, options.packagePaths, options.progress);
  if (!loaded) return loaded.error();
  LoadedScene result;
  result.scene = std::move(loaded->scene);
  result.notices = std::move(loaded->notices);
  result.notices.insert(result.notices.end(), loaded->sceneNotices.begin(), loaded->sceneNotices.end());
  return result;
}

}  // namespace slipstick::assets
