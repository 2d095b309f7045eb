// Rigid scenes of `slipstick bench`: a seven-joint arm and settled piles of boxes, microseconds per step.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
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

/// Steps of 1 ms once the scene has come to rest, one thread; prints its row.
/// @param steps  measured steps   @return the row for the JSON file
Result<nlohmann::ordered_json> benchRigid(const std::string& name, int steps);

/// The heading of the rows.
void printRigidBenchHeading();

}  // namespace slipstick::app
