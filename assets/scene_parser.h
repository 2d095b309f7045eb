// YAML document → Scene. The format is documented in assets/scene_format.md.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assets/robot_io.h"
#include "assets/yaml_reader.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

/// Of the format of scene files, see assets/scene_format.md.
inline constexpr int kFormatVersion = 1;

/// A fault in its document where the version is one that this program does not know.
void checkVersion(const YamlValue& version);

/// Reads one scene document; files that it names are looked up beside the document, then among the shipped
/// assets.
class SceneParser {
 public:
  /// @param progress  null: nobody watches
  SceneParser(YamlDocument& document, std::vector<std::filesystem::path> packagePaths, LoadProgress* progress)
      : document_(&document), packagePaths_(std::move(packagePaths)), progress_(progress) {}

  /// Faults are left in the document.
  void parse(const YamlValue& root, Scene& scene);
  std::vector<Notice>& notices() { return notices_; }

 private:
  // scene_parser.cpp
  void parseNamedThings(const YamlMap& root, Scene& scene);
  bool goesOn(const std::string& what);
  void parseSettings(const YamlMap& root, Scene& scene);
  MaterialParameters parseMaterial(const YamlValue& value);
  DeformableSpec parseDeformable(const std::string& name, const YamlValue& value,
                                 const std::vector<MaterialSpec>& materials);
  void parseDeformableShape(const YamlMap& map, DeformableSpec& deformable);
  SheetSpec parseSheet(const YamlMap& map);
  CameraSpec parseCamera(const std::string& name, const YamlValue& value);
  // scene_frames.cpp
  struct Frame {
    std::string link = "world";  ///< or "robot.link"
    Pose X_LF;
    bool isSettled = false;
  };
  void parseFrames(const YamlMap& root);
  void settleFrame(const std::string& name, const YamlValue& value);
  void ontoLink(std::string& link, Pose& pose) const;
  Frame frameOf(const YamlMap& map) const;
  Pose inWorld(const YamlMap& map, const Pose& pose, const std::string& what) const;
  void placeInFrame(const YamlMap& map, RobotSpec& robot) const;
  void rideOnFrame(CameraSpec& camera) const;
  // scene_bodies.cpp
  void parseLink(const std::string& link, const YamlValue& value, RobotSpec& robot);
  RobotSpec parseBody(const std::string& name, const YamlValue& bodyValue);
  std::optional<std::filesystem::path> findRobot(const YamlValue& value);
  const LoadedRobot* robotOf(const YamlMap& map);
  RobotSpec parseRobot(const std::string& name, const YamlValue& value);
  void parseSrdf(const YamlMap& map, RobotSpec& robot);
  int parseConvexParts(const YamlMap& map);
  void splitElement(const YamlMap& map, const std::string& body, LinkGeometry& collision);
  LinkGeometry parseElement(const YamlMap& map);
  void setMass(const YamlMap& map, const RobotSpec& body, LinkSpec& link);
  void parsePlacement(const YamlMap& map, RobotSpec& robot);
  Shape parseShape(const YamlMap& map);
  void putOn(const YamlValue& texture, Shape& shape);
  Shape parseMesh(const YamlMap& map);
  std::shared_ptr<const MeshSource> sourceOf(const YamlMap& map);
  Vec3 parseScale(const YamlMap& map);
  Mat3 parseRotation(const YamlMap& map);
  Pose parsePose(const YamlMap& map);
  Pose parsePoseBlock(const YamlValue& value);
  void parseBasePath(const YamlMap& map, RobotSpec& robot);
  std::optional<std::filesystem::path> findFile(const YamlValue& value);
  // scene_overrides.cpp
  void parseLinkInertia(const std::string& link, const YamlMap& map, RobotSpec& robot);
  void parseJointLimits(const YamlMap& map, RobotSpec& robot);
  void parseJointStarts(const YamlMap& map, RobotSpec& robot);
  void addNotices(const std::vector<Notice>& notices, const RobotSpec& robot);
  std::string linkBeyond(const YamlValue& joint, const Scene& scene);
  SensorSpec parseSensor(const std::string& name, const YamlValue& value, const Scene& scene);
  // scene_motion.cpp
  LoopSpec parseLoop(const std::string& name, const YamlValue& value);
  LoopSpec parseWeld(const std::string& name, const YamlValue& value);
  void parseLoopEnds(const YamlMap& map, LoopSpec& loop);
  BoundarySpec parseBoundary(const std::string& name, const YamlValue& value);
  PathSpec parsePath(const std::string& name, const YamlValue& value);
  Quat parseQuaternion(const YamlMap& key);
  std::vector<PathSpec::Key> parsePathKeys(const YamlMap& map);
  std::vector<PathSpec::Key> parseMoves(const YamlMap& map);
  ControllerSpec parseController(const YamlValue& value);
  EffectorSpec parseEffector(const std::string& name, const YamlValue& value);
  JointPathSpec parseJointPath(const YamlMap& map);
  JointEffortSpec parseJointEffort(const YamlMap& map);
  JointVelocitySpec parseJointVelocity(const YamlMap& map);
  EndEffectorPathSpec parseEndEffectorPath(const YamlMap& map);
  GripperSpec parseGripper(const YamlMap& map);
  LinkForceSpec parseLinkForce(const YamlMap& map);
  PdGains parseGains(const YamlMap& map, PdGains defaults);

  YamlDocument* document_;
  std::vector<std::filesystem::path> packagePaths_;
  LoadProgress* progress_;
  std::vector<Notice> notices_;
  std::map<std::string, Frame> frames_;
  std::map<std::filesystem::path, LoadedRobot>
      robots_;  ///< each file is read once, however often it is placed
};

}  // namespace slipstick::assets
