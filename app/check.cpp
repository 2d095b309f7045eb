// slipstick check: load report of a robot, a mesh or a scene.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>

#include "app/load_report.h"
#include "app/verbs.h"
#include "assets/robot_io.h"
#include "assets/scene_io.h"
#include "engine/foundation/number_text.h"

namespace slipstick::app {

namespace {

using nlohmann::json;

std::string extensionOf(const std::string& file) {
  std::string extension = std::filesystem::path(file).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

/// The report as one JSON document, or its text and then what was noticed.
int print(json report, const std::vector<Notice>& notices, bool asJson, const std::string& text) {
  report["notices"] = noticesReport(notices);
  const std::string out = asJson ? report.dump(2, ' ', false, json::error_handler_t::replace) + "\n"
                                 : text + noticesText(report["notices"]);
  std::fputs(out.c_str(), stdout);
  return kSuccess;
}

int checkMesh(const CheckOptions& options) {
  const Result<assets::LoadedMesh> loaded = assets::loadMesh(options.file);
  if (!loaded) return fail(loaded.error());
  const TriangleMesh& mesh = *loaded->mesh;
  Eigen::AlignedBox3d box;
  for (const Vec3& vertex : mesh.vertices) box.extend(vertex);
  const Vec3 size = box.isEmpty() ? Vec3::Zero() : Vec3(box.sizes());
  const std::string counts = ": mesh, " + std::to_string(mesh.vertices.size()) + " vertices, " +
                             std::to_string(mesh.triangles.size()) + " triangles, " +
                             significant(size.x(), 4) + " x " + significant(size.y(), 4) + " x " +
                             significant(size.z(), 4) + " m\n";
  const json report = {{"kind", "mesh"},
                       {"file", options.file},
                       {"vertices", mesh.vertices.size()},
                       {"triangles", mesh.triangles.size()},
                       {"size_m", {size.x(), size.y(), size.z()}}};
  return print(report, loaded->notices, options.json, options.file + counts);
}

/// Robots and scenes: both must also compile, which checks what only shows when everything is put together.
int checkScene(const CheckOptions& options, const std::vector<std::filesystem::path>& packages) {
  Result<assets::LoadedScene> loaded = assets::loadScene(options.file, {options.overrides, packages});
  if (!loaded) return fail(loaded.error());
  const Result<CompiledScene> compiled = compile(loaded->scene);
  if (!compiled) return fail(compiled.error());
  std::vector<Notice> notices = std::move(loaded->notices);
  notices.insert(notices.end(), compiled->notices.begin(), compiled->notices.end());
  if (assets::isRobotFile(options.file)) {
    const json report = robotReport(loaded->scene.robots.front().description);
    return print(report, notices, options.json, robotText(report));
  }
  const json report = sceneReport(loaded->scene, *compiled->model);
  std::array<char, 256> counts{};
  std::snprintf(counts.data(), counts.size(),
                "%d bodies, %d degrees of freedom, %d particles, %d geometries, %d loops, %d controllers\n",
                report["bodies"].get<int>(), report["degrees_of_freedom"].get<int>(),
                report["particles"].get<int>(), report["geometries"].get<int>(), report["loops"].get<int>(),
                report["controllers"].get<int>());
  std::string text = options.file + ": scene '" + compiled->model->name + "', " + counts.data();
  for (const json& robot : report["robots"])
    text += "'" + robot["placed_as"].get<std::string>() + "' from " + robotText(robot);
  return print(report, notices, options.json, text);
}

}  // namespace

int check(const CheckOptions& options) {
  constexpr std::array<std::string_view, 7> kMeshes = {".stl", ".obj", ".dae", ".gltf",
                                                       ".glb", ".ply", ".off"};
  const std::vector<std::filesystem::path> packages(options.packagePaths.begin(), options.packagePaths.end());
  const std::string extension = extensionOf(options.file);
  if (std::find(kMeshes.begin(), kMeshes.end(), extension) != kMeshes.end()) return checkMesh(options);
  return checkScene(options, packages);
}

}  // namespace slipstick::app
