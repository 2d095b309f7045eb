// slipstick check: load report of a robot, a mesh or a scene.
#include <array>
#include <cstdio>

#include "app/load_report.h"
#include "app/progress.h"
#include "app/task_report.h"
#include "app/verbs.h"
#include "assets/openable.h"
#include "assets/scene_io.h"
#include "engine/foundation/number_text.h"
#include "engine/geometry/triangle_mesh.h"

namespace slipstick::app {

namespace {

using nlohmann::json;

/// The report as one JSON document, or its text and then what was noticed.
int print(json report, const std::vector<Notice>& notices, bool asJson, const std::string& text) {
  report["notices"] = noticesReport(notices);
  const std::string out = asJson ? report.dump(2, ' ', false, json::error_handler_t::replace) + "\n"
                                 : text + noticesText(report["notices"]);
  std::fputs(out.c_str(), stdout);
  return kSuccess;
}

/// Of a mesh alone: its body is the last one of its scene.
int printMesh(const CheckOptions& options, const Scene& scene, const std::vector<Notice>& notices) {
  const LinkSpec& link = scene.robots.back().description.links.front();
  const TriangleMesh& mesh = *std::get<shape::Mesh>(link.visuals.front().shape).mesh;
  const Aabb box = boundsOf(mesh);
  const Vec3 size = box.upper - box.lower;
  const std::string counts = ": mesh, " + std::to_string(mesh.vertices.size()) + " vertices, " +
                             std::to_string(mesh.triangles.size()) + " triangles, " +
                             significant(size.x(), 4) + " x " + significant(size.y(), 4) + " x " +
                             significant(size.z(), 4) + " m, " + significant(link.mass, 4) +
                             " kg at 1000 kg/m^3\n";
  const json report = {{"kind", "mesh"},
                       {"file", options.file},
                       {"vertices", mesh.vertices.size()},
                       {"triangles", mesh.triangles.size()},
                       {"size_m", {size.x(), size.y(), size.z()}},
                       {"mass_kg", link.mass}};
  return print(report, notices, options.json, options.file + counts);
}

}  // namespace

/// All of them must also compile, which checks what only shows when everything is put together.
int check(const CheckOptions& options) {
  LoadProgress progress;
  const LoadWatch watch(progress, options.json);
  assets::LoadOptions load{
      options.overrides, {options.packagePaths.begin(), options.packagePaths.end()}, &progress};
  load.srdf = options.srdf;
  load.mayRunXacro = options.mayRunXacro;
  const Result<assets::LoadedScene> loaded = assets::loadScene(options.file, load);
  if (!loaded) return fail(loaded.error());
  const Result<CompiledScene> compiled = assets::compileLoaded(*loaded, &progress);
  if (!compiled) return fail(compiled.error());
  const std::vector<Notice>& notices = compiled->notices;
  const auto kind = assets::kindOfFile(loaded->scene.file);
  if (kind == assets::FileKind::Mesh) return printMesh(options, loaded->scene, notices);
  if (kind == assets::FileKind::Robot) {
    const json report = robotReport(loaded->scene.robots.front().description);
    return print(report, notices, options.json, robotText(report));
  }
  json report = sceneReport(loaded->scene, *compiled->model);
  if (loaded->scene.task) report["task"] = taskReport(*loaded->scene.task);
  std::array<char, 256> counts{};
  std::snprintf(counts.data(), counts.size(),
                "%d bodies, %d degrees of freedom, %d particles, %d geometries, %d loops, %d controllers\n",
                report["bodies"].get<int>(), report["degrees_of_freedom"].get<int>(),
                report["particles"].get<int>(), report["geometries"].get<int>(), report["loops"].get<int>(),
                report["controllers"].get<int>());
  std::string text = options.file + ": scene '" + compiled->model->name + "', " + counts.data();
  for (const json& robot : report["robots"])
    text += "'" + robot["placed_as"].get<std::string>() + "' from " + robotText(robot);
  if (loaded->scene.task) text += taskText(*loaded->scene.task, TaskWatch(compiled->model));
  return print(report, notices, options.json, text);
}

}  // namespace slipstick::app
