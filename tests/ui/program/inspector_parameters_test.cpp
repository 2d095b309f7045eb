// No number of the table of parameters is out of a person's reach.
#include <gtest/gtest.h>

#include <set>

#include "assets/scene_io.h"
#include "ui/selection_kinds.h"

namespace slipstick::ui {
namespace {

/// Paths that the inspector shows of anything that can be selected.
std::set<std::string> pathsInReach(const Model& model) {
  std::set<std::string> paths;
  const auto add = [&](const render::Selection& selection) {
    for (const ParameterGroup& group : parametersOf(model, selection))
      for (const ParameterRow& row : group.rows) paths.insert(row.path);
  };
  const auto addAll = [&]<class Kind>(std::size_t count, Kind kind) {
    for (; static_cast<std::size_t>(kind.index) < count; ++kind.index) add(kind);
  };
  add({});
  addAll(model.tree.bodies.size(), render::SelectedBody{});
  addAll(model.robots.size(), render::SelectedRobot{});
  addAll(model.deformables.size(), render::SelectedDeformable{});
  addAll(model.boundaries.size(), render::SelectedBoundary{});
  return paths;
}

TEST(InspectorParameters, ReachEveryNumberOfShippedScenes) {
  for (const char* scene : {"dough_rolling", "hold", "water_pouring", "shake", "box_bagging", "sand_scoop",
                            "tshirt_folding", "stack"}) {
    const Result<assets::LoadedModel> loaded = assets::loadModel(scene);
    ASSERT_TRUE(loaded) << loaded.error().message();
    const Model& model = *loaded->model;
    const std::set<std::string> inReach = pathsInReach(model);
    for (const Parameter& parameter : model.parameters) {
      const auto from = inReach.lower_bound(parameter.path);  // itself, or its entries
      const bool isThere = from != inReach.end() && from->starts_with(parameter.path);
      EXPECT_TRUE(isThere) << scene << ": " << parameter.path;
    }
    for (const std::string& path : inReach) {
      Tuning tuning = model.tuning;
      const ParameterValue value = valueOf(model, path, tuning);
      EXPECT_LE(value.size(), 1u) << path << " is one number";
      if (value.empty()) continue;
      EXPECT_TRUE(setParameter(model, path, value, tuning)) << path;
    }
  }
}

}  // namespace
}  // namespace slipstick::ui
