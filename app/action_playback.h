// Drives the effectors of a run as a demonstration did, and says whether the run stays the same.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/scene_options.h"
#include "assets/export/demo_reader.h"
#include "engine/model/command.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::app {

class ActionPlayback {
 public:
  /// @param place  "FILE.hdf5:demo_3". Errors: those of assets::readDemo().
  static Result<ActionPlayback> open(const std::string& place);

  /// Fills in what the demonstration says and a person has not: seed, method, backend, threads. Errors: another seed.
  Result<void> choose(SceneOptions& options) const;
  /// Whether a model is of the demonstration's scene. Errors: it is not, with the first line that differs.
  Result<void> check(const Model& model) const;

  std::uint64_t steps() const { return demo_.steps; }
  /// What is to be applied before the step that leads on from `step`. Steps must ascend.
  std::vector<Command> commandsAt(std::uint64_t step);
  /// Each step in turn, the first one too.
  void compare(const Snapshot& snapshot);

  /// file, demo, samples, compared, equal, first_difference_step (null where there is none).
  nlohmann::ordered_json report() const;
  /// One line for people.
  std::string text() const;

 private:
  explicit ActionPlayback(std::string place, assets::Demo demo)
      : place_(std::move(place)), demo_(std::move(demo)) {}

  std::string place_;
  assets::Demo demo_;
  std::vector<assets::EffectorAction> before_;
  std::uint64_t compared_ = 0;
  std::optional<std::uint64_t> difference_;  ///< step
};

}  // namespace slipstick::app
