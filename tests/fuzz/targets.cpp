#include "tests/fuzz/targets.h"

#include <cstdlib>
#include <string>

#include "app/devices/pose_message.h"
#include "app/mesh_child.h"
#include "assets/camera_path_io.h"
#include "assets/convex_parts.h"
#include "assets/export/demo_reader.h"
#include "assets/image_io.h"
#include "assets/mesh_content.h"
#include "assets/mesh_reader.h"
#include "assets/recording/episode.h"
#include "assets/recording/recording_reader.h"
#include "assets/robot_io.h"
#include "assets/scene_io.h"
#include "assets/srdf_io.h"
#include "tests/fuzz/scratch_file.h"

#if __has_include("assets/mjcf_io.h")
#include "assets/mjcf_io.h"
#define SLIPSTICK_HAS_MJCF
#endif

namespace slipstick::fuzz {
namespace {

/// A reader that succeeds where its own check of the result fails has a fault.
void require(bool holds) {
  if (!holds) std::abort();
}

void readYaml(std::string_view bytes) {
  (void)assets::parseScene(std::string(bytes), "/nonexistent", "fuzz.yaml");
}

/// "path=value" in a scene.
void readOverride(std::string_view bytes) {
  static const std::string kScene =
      "gravity: [0, 0, -9.81]\nmaterials: {gel: {model: neo_hookean, E: 1e5, nu: 0.3, density: 500}}\n"
      "bodies: {table: {shapes: [{name: top, shape: box, size: [1, 1, 0.1]}]}}\n";
  assets::LoadOptions options;
  options.overrides = {std::string(bytes)};
  (void)assets::parseScene(kScene, "/nonexistent", "fuzz.yaml", options);
}

void readUrdf(std::string_view bytes) {
  (void)assets::loadUrdf(scratchFile("fuzz.urdf", bytes));
}

void readSdf(std::string_view bytes) {
  (void)assets::loadSdf(scratchFile("fuzz.sdf", bytes));
}

/// Of a robot of three links.
void readSrdf(std::string_view bytes) {
  RobotDescription robot;
  robot.name = "r";
  robot.links.resize(3);
  robot.links[0].name = "a", robot.links[1].name = "b", robot.links[2].name = "d";
  std::vector<Notice> notices;
  (void)assets::addSrdf(scratchFile("fuzz.srdf", bytes), robot, notices);
}

#ifdef SLIPSTICK_HAS_MJCF
void readMjcf(std::string_view bytes) {
  (void)assets::loadMjcf(scratchFile("fuzz.xml", bytes), {}, nullptr);
}
#endif

/// By the name, as the program does: a child that is slipstick itself stands between Assimp and this process. What it has
/// read is read here too, where the sanitizers see our part of it, and where it counts for the fuzzer what is new.
void readMesh(const std::string& name, std::string_view bytes) {
  static app::MeshChild child(SLIPSTICK_PROGRAM);
  const std::filesystem::path file = scratchFile(name, bytes);
  const Result<assets::MeshContent> there = child.read(file, nullptr);
  if (!there) return;  // refused, or too much for the child, as it would be for this process
  require(assets::checkContent(*there).ok());
  const Result<assets::MeshContent> here = assets::readMeshContent(file);
  require(here && assets::checkContent(*here));
}

void readStl(std::string_view bytes) {
  readMesh("fuzz.stl", bytes);
}
void readObj(std::string_view bytes) {
  readMesh("fuzz.obj", bytes);
}
void readDae(std::string_view bytes) {
  readMesh("fuzz.dae", bytes);
}
void readGltf(std::string_view bytes) {
  readMesh("fuzz.gltf", bytes);
}
void readGlb(std::string_view bytes) {
  readMesh("fuzz.glb", bytes);
}
void readPly(std::string_view bytes) {
  readMesh("fuzz.ply", bytes);
}
void readOff(std::string_view bytes) {
  readMesh("fuzz.off", bytes);
}

/// What the child that reads meshes hands over.
void readContent(std::string_view bytes) {
  const Result<assets::MeshContent> content = assets::decoded(bytes);
  require(!content || assets::checkContent(*content));
  if (content) require(assets::decoded(assets::encoded(*content)).ok());
}

/// What the child hands over of a mesh that it has split.
void readSplit(std::string_view bytes) {
  (void)assets::decodedSplit(bytes, "fuzz");
}

void readImage(std::string_view bytes) {
  (void)assets::loadImage(scratchFile("fuzz.image", bytes), assets::ImageUse::Color);
}

void readCameraPath(std::string_view bytes) {
  (void)assets::loadCameraPath(scratchFile("fuzz.yaml", bytes), {});
}

void readRecording(std::string_view bytes) {
  const std::filesystem::path file = scratchFile("fuzz.h5", bytes);
  (void)assets::episodeIn(file);
  const auto opened = assets::RecordingReader::open(file);
  if (!opened) return;
  const assets::RecordingReader& recording = **opened;
  const std::uint64_t last = recording.lastStep();
  (void)recording.marks();
  (void)recording.pairs();
  (void)recording.hashes(last, last + 1);
  (void)recording.values(last, last + 1);
  (void)recording.contactsAt(last);
  (void)recording.keyframeBefore(last);
}

void readDemo(std::string_view bytes) {
  (void)assets::readDemo(scratchFile("fuzz.hdf5", bytes).string() + ":demo_0");
}

void readMessage(std::string_view bytes) {
  (void)app::readPoseMessage(bytes, nullptr);
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> kTargets = {
      {"yaml", readYaml, 512},
      {"override", readOverride, 512},
      {"urdf", readUrdf, 512},
      {"sdf", readSdf, 512},
      {"srdf", readSrdf, 512},
#ifdef SLIPSTICK_HAS_MJCF
      {"mjcf", readMjcf, 512},
#endif
      {"stl", readStl, 512},
      {"obj", readObj, 512},
      {"dae", readDae, 512},
      {"gltf", readGltf, 512},
      {"glb", readGlb, 512},
      {"ply", readPly, 512},
      {"off", readOff, 512},
      {"mesh_content", readContent, 512},
      {"convex_parts", readSplit, 512},
      {"image", readImage, 2048},
      {"camera_path", readCameraPath, 512},
      {"recording", readRecording, 2048},
      {"demo", readDemo, 2048},
      {"message", readMessage, 256},
  };
  return kTargets;
}

}  // namespace slipstick::fuzz
