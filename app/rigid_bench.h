// Rigid scenes of `slipstick bench`: a seven-joint arm and settled piles of boxes, microseconds per step.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/scene.h"

namespace slipstick::app {

/// Names that `bench` takes beside scenes: "rigid_arm7", "rigid_pile_30", "rigid_pile_100", "rigid_pile_400".
std::vector<std::string> rigidBenchNames();
bool isRigidBench(const std::string& name);

/// Boxes of three sizes that fall from a loose cloud into a heap on the ground; the same for the same count.
Scene pileScene(int boxes);

/// Rigid steps take microseconds: as many as it takes for a mean that stands.
inline constexpr int kRigidSteps = 500;

/// One of these scenes with nothing but the rigid solver, one thread: a pile that has come to rest, or the arm off
/// its balance, swinging freely.
class RigidWindow {
 public:
  /// @param name  isRigidBench()
  static Result<RigidWindow> open(const std::string& name);
  RigidWindow(RigidWindow&&) noexcept;
  ~RigidWindow();

  /// One step of 1 ms. @return how long it took [s]
  double step();
  std::size_t points() const;  ///< of contact, in the last step

  /// Measures `steps` steps and prints their row. @return the row for the JSON file
  nlohmann::ordered_json bench(int steps);

 private:
  struct Motion;
  explicit RigidWindow(std::unique_ptr<Motion> motion);
  std::unique_ptr<Motion> motion_;
};

/// The heading of the rows.
void printRigidBenchHeading();

}  // namespace slipstick::app
