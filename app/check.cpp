// slipstick check: load report of a robot, a mesh or a scene.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>

#include "app/verbs.h"
#include "assets/robot_io.h"
#include "assets/scene_io.h"

namespace slipstick::app {

namespace {

std::string extensionOf(const std::string& file) {
  std::string extension = std::filesystem::path(file).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

void print(const std::vector<Notice>& notices) {
  for (const Notice& notice : notices) {
    std::printf("  %s: %s: %s\n", notice.level == Notice::Level::Warning ? "warning" : "note",
                notice.where.c_str(), notice.what.c_str());
  }
  if (notices.empty()) std::printf("  nothing was dropped, repaired or guessed\n");
}

int checkMesh(const std::string& file) {
  const Result<assets::LoadedMesh> loaded = assets::loadMesh(file);
  if (!loaded) return fail(loaded.error());
  const TriangleMesh& mesh = *loaded->mesh;
  Eigen::AlignedBox3d box;
  for (const Vec3& vertex : mesh.vertices) box.extend(vertex);
  const Vec3 size = box.isEmpty() ? Vec3::Zero() : Vec3(box.sizes());
  std::printf("%s: mesh, %zu vertices, %zu triangles, %.4g x %.4g x %.4g m\n", file.c_str(),
              mesh.vertices.size(), mesh.triangles.size(), size.x(), size.y(), size.z());
  print(loaded->notices);
  return kSuccess;
}

int checkRobot(const std::string& file, const std::vector<std::filesystem::path>& packages) {
  const Result<assets::LoadedRobot> loaded = assets::loadUrdf(file, packages);
  if (!loaded) return fail(loaded.error());
  const RobotDescription& robot = loaded->robot;
  const auto movable = std::count_if(robot.joints.begin(), robot.joints.end(), [](const JointSpec& joint) {
    return joint.type != multibody::JointType::Fixed;
  });
  double mass = 0;
  for (const LinkSpec& link : robot.links) mass += link.mass;
  std::printf("%s: robot '%s', %zu links, %zu joints (%d movable), %.4g kg\n", file.c_str(),
              robot.name.c_str(), robot.links.size(), robot.joints.size(), static_cast<int>(movable), mass);
  print(loaded->notices);
  return kSuccess;
}

int checkScene(const CheckOptions& options, const std::vector<std::filesystem::path>& packages) {
  const Result<assets::LoadedModel> loaded = assets::loadModel(options.file, {options.overrides, packages});
  if (!loaded) return fail(loaded.error());
  const Model& model = *loaded->model;
  std::printf(
      "%s: scene '%s', %zu bodies, %d degrees of freedom, %zu particles, %zu geometries, %zu controllers\n",
      options.file.c_str(), model.name.c_str(), model.tree.bodies.size() - 1, model.tree.nv,
      model.particleCount(), model.geometries.size(), model.controllers.size());
  print(loaded->notices);
  return kSuccess;
}

}  // namespace

int check(const CheckOptions& options) {
  constexpr std::array<std::string_view, 7> kMeshes = {".stl", ".obj", ".dae", ".gltf",
                                                       ".glb", ".ply", ".off"};
  const std::vector<std::filesystem::path> packages(options.packagePaths.begin(), options.packagePaths.end());
  const std::string extension = extensionOf(options.file);
  if (std::find(kMeshes.begin(), kMeshes.end(), extension) != kMeshes.end()) return checkMesh(options.file);
  if (extension == ".urdf") return checkRobot(options.file, packages);
  return checkScene(options, packages);
}

}  // namespace slipstick::app
