// slipstick check: load report of a robot, a mesh or a scene; what is in a recording.
#include <array>
#include <cstdio>
#include <memory>

#include "app/exit_status.h"
#include "app/load_report.h"
#include "app/method_facts.h"
#include "app/progress.h"
#include "app/scene_options.h"
#include "app/stepping.h"
#include "app/task_report.h"
#include "app/verb.h"
#include "app/walk_of.h"
#include "app/word_option.h"
#include "assets/openable.h"
#include "assets/recording/recorded_run.h"
#include "assets/scene_io.h"
#include "engine/compile/compile.h"
#include "engine/foundation/number_text.h"
#include "engine/geometry/triangle_mesh.h"
#include "engine/model/assumed_mass.h"

namespace slipstick::app {

namespace {

struct CheckOptions {
  std::string file;
  bool json = false;  ///< the report as JSON on stdout
  std::vector<std::string> overrides;
  std::vector<std::string> packagePaths;
  std::string srdf;  ///< --srdf: of a robot, which of its links do not collide; or empty
  bool mayRunXacro = false;
};

using nlohmann::json;

/// The report as one JSON document, or its text and then what was noticed.
int print(json report, const std::vector<Notice>& notices, bool asJson, const std::string& text) {
  report["notices"] = noticesReport(notices);
  const std::string out = asJson ? report.dump(2, ' ', false, json::error_handler_t::replace) + "\n"
                                 : text + noticesText(report["notices"]);
  std::fwrite(out.data(), 1, out.size(), stdout);  // names may hold any character
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

/// Of a recording: what is in it. Whether its states come out again is what replay says.
int checkRecording(const CheckOptions& options) {
  LoadProgress progress;
  const LoadWatch watch(progress, options.json);
  const auto run = assets::RecordedRun::open(options.file, &progress, stepping().table());
  if (!run) return fail(run.error());
  const assets::RecordingReader& recording = (*run)->recording();
  const double dt = recording.model()->time.dt;
  const double from = dt * static_cast<double>(recording.firstStep());
  const double to = dt * static_cast<double>(recording.lastStep());
  const json report = {{"kind", "recording"},
                       {"file", options.file},
                       {"scene", recording.model()->name},
                       {"program", recording.program()},
                       {"method", recording.method()},
                       {"runs_on", recording.runsOn()},
                       {"steps", recording.stepCount()},
                       {"from_s", from},
                       {"to_s", to},
                       {"commands", recording.commands().size()},
                       {"frames", recording.frames().size()}};
  const std::string text =
      options.file + ": recording of scene '" + recording.model()->name + "', " +
      std::to_string(recording.stepCount()) + " steps from " + significant(from, 6) + " to " +
      significant(to, 6) + " s, " + std::to_string(recording.commands().size()) + " commands, " +
      std::to_string(recording.frames().size()) + " frames of particles, by " + recording.program() + ", " +
      recording.method() + " on " + recording.runsOn() + "\n";
  return print(report, recording.notices(), options.json, text);
}

/// And that the method is wrong for one of the scene's bodies, and what it ignores.
std::vector<Notice> withWarnings(std::vector<Notice> notices, const json& report,
                                 const std::vector<std::string>& ignored) {
  const std::string where = report["file"].get<std::string>() + ", solver.method";
  const json& warning = report["method_choice"]["warning"];
  if (warning.is_string()) notices.push_back({Notice::Level::Warning, where, warning, {}});
  for (const std::string& note : ignored) notices.push_back({Notice::Level::Warning, where, note, {}});
  return notices;
}

/// Why the method that is to step a model cannot.
std::vector<Error> obstaclesOf(const std::string& method, const Model& model) {
  for (const MethodEntry& entry : stepping().methods())
    if (entry.name == method) return stepping().obstacles(entry, model, std::string(kAutoBackend));
  return {};
}

/// All of them must also compile, which checks what only shows when everything is put together.
int check(const CheckOptions& options) {
  if (isRecording(options.file)) return checkRecording(options);
  LoadProgress progress;
  const LoadWatch watch(progress, options.json);
  assets::LoadOptions load{
      options.overrides, {options.packagePaths.begin(), options.packagePaths.end()}, &progress};
  load.srdf = options.srdf;
  load.mayRunXacro = options.mayRunXacro;
  load.methods = stepping().table();
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
  const Result<std::string> method = stepping().methodFor(*compiled->model, {});
  if (!method) return fail(method.error());
  if (const std::vector<Error> obstacles = obstaclesOf(*method, *compiled->model); !obstacles.empty()) {
    for (const Error& obstacle : obstacles) fail(obstacle);
    return 1;
  }
  const std::vector<char> assumed = assumedMasses(*compiled->model, notices);
  report["method"] = *method;
  report["method_choice"] = methodReport(*compiled->model, *method, {}, assumed);
  if (loaded->scene.task) report["task"] = taskReport(*loaded->scene.task);
  std::array<char, 256> counts{};
  std::snprintf(counts.data(), counts.size(),
                "%d bodies, %d degrees of freedom, %d %s, %d geometries, %d loops, %d controllers\n",
                report["bodies"].get<int>(), report["degrees_of_freedom"].get<int>(),
                report["particles"].get<int>(), compiled->model->discretize ? "nodes" : "particles",
                report["geometries"].get<int>(), report["loops"].get<int>(),
                report["controllers"].get<int>());
  std::string text = options.file + ": scene '" + compiled->model->name + "', " + counts.data();
  for (const json& robot : report["robots"])
    text += "'" + robot["placed_as"].get<std::string>() + "' from " + robotText(robot);
  text += "method: " + report["method_choice"]["why"].get<std::string>() + "\n";
  if (loaded->scene.task) text += taskText(*loaded->scene.task, TaskWatch(compiled->model));
  const std::vector<std::string> ignored = stepping().notes(*method, *compiled->model);
  return print(report, withWarnings(notices, report, ignored), options.json, text);
}

VerbAction offer(CLI::App& verb) {
  const auto options = std::make_shared<CheckOptions>();
  verb.add_option("file", options->file)->required()->type_name(kScene);
  verb.add_flag("--json", options->json, "the report as JSON");
  verb.add_option("--srdf", options->srdf, "of a robot: a file that says which links do not collide")
      ->type_name(kFile);
  addOverrides(verb, options->overrides, options->packagePaths, options->mayRunXacro);
  return [options] { return check(*options); };
}

}  // namespace

Verb checkVerb() {
  return {"check", "Load report of a robot, mesh, scene or recording; status 1 if it cannot be used", offer};
}

}  // namespace slipstick::app
