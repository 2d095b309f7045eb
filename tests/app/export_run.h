// A scene of everything that can be exported, and its snapshots to compare files with.
#pragma once

#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "app/walk_of.h"
#include "engine/runtime/run_walk.h"
#include "tests/app/program_run.h"

namespace slipstick::testing {

/// 60 steps of a soft cube and a cloth that fall, and a dumbbell of two shapes that spins and hits the table.
class ExportedRun : public ProgramTest {
 protected:
  ExportedRun() { writeScene("async"); }

  void writeScene(const std::string& method) const {
    std::ofstream(folder_ / "mix.yaml") << R"(title: a soft cube, a cloth and a dumbbell fall
time: {dt_ms: 5, duration: 0.3}
solver: {method: )" << method << R"(}
grid: {spacing: 0.05}
materials:
  gel: {model: fixed_corotated, E: 1e4, nu: 0.3, density: 1000}
  cotton: {model: cloth, E: 1e4, nu: 0.3, density: 1000, thickness: 0.002}
deformables:
  cube: {material: gel, shape: box, size: [0.1, 0.1, 0.1], position: [0, 0, 0.055], sampling: {count: [4, 4, 4]}}
  flag: {material: cotton, shape: sheet, size: [0.3, 0.3], count: [7, 7], position: [0.6, 0, 0.15], rpy_deg: [20, 40, 0]}
bodies:
  table: {shapes: [{name: top, shape: box, size: [3, 3, 0.1], position: [0, 0, -0.05]}]}
  dumbbell:
    base: free
    mass: 2
    position: [-0.3, 0, 0.2]
    velocity: [0, 0.4, 0]
    angular_velocity: [3, -8, 5]
    shapes:
      - {name: ball, shape: sphere, radius: 0.05, position: [0.1, 0, 0], color: "#cc3333"}
      - {name: bar, shape: cylinder, radius: 0.01, length: 0.2, rpy_deg: [0, 90, 0], color: "#333333"}
)";
  }

  /// The run from its start, with what its snapshots hold.
  std::vector<std::shared_ptr<const Snapshot>> snapshots(std::uint64_t steps) {
    app::SceneOptions options;
    options.scene = path("mix.yaml");
    options.quiet = true;
    Result<std::unique_ptr<RunWalk>> run =
        app::walkOf(options, Detail::Particles, [](const Snapshot&) { return true; });
    EXPECT_TRUE(run) << (run ? "" : run.error().message());
    std::vector<std::shared_ptr<const Snapshot>> all;
    for (std::uint64_t step = 0; run && step <= steps; ++step) all.push_back(*(*run)->goTo(step));
    if (run) model_ = (*run)->model();
    return all;
  }

  std::size_t body(const char* name) const { return static_cast<std::size_t>(model_->findBody(name)); }

  /// Rows of a CSV file by their heads.
  std::vector<std::map<std::string, std::string>> rows(const std::string& name) const {
    std::stringstream text(readText(path(name)));
    const auto cells = [](const std::string& line) {
      std::vector<std::string> all;
      std::stringstream stream(line);
      for (std::string cell; std::getline(stream, cell, ',');) all.push_back(cell);
      if (line.ends_with(',')) all.emplace_back();
      return all;
    };
    std::string line;
    std::getline(text, line);
    const std::vector<std::string> heads = cells(line);
    std::vector<std::map<std::string, std::string>> all;
    while (std::getline(text, line)) {
      const std::vector<std::string> row = cells(line);
      EXPECT_EQ(row.size(), heads.size()) << line;
      auto& named = all.emplace_back();
      for (std::size_t i = 0; i < std::min(row.size(), heads.size()); ++i) named[heads[i]] = row[i];
    }
    return all;
  }

  bool leftHalfFiles() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
      if (entry.path().extension() == ".part") return true;
    return false;
  }

  std::shared_ptr<const Model> model_;
};

inline Vec3 vectorOf(const aiVector3D& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

}  // namespace slipstick::testing
