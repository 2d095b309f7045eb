// Scenes from the URDF files and start states of tests/data/rigid (conventions in tests/data/README.md).
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/model/model.h"
#include "engine/model/scene.h"

namespace slipstick::testing {

Vec3 vec3(const nlohmann::json& values);
VecX vecX(const nlohmann::json& values);
Quat quat(const nlohmann::json& wxyz);

/// One robot per tree of a URDF file, which may hold several: what hangs from the link "world" is fixed and
/// called "rig", every other tree floats and is called as its root. Fails the test where the file cannot be
/// read.
std::vector<RobotSpec> robotsOf(const std::filesystem::path& urdf);

/// The robots of `entry["urdf"]` (in `folder` of tests/data) under `entry["gravity"]`; bases start as the
/// entry says, joints at zero.
Scene referenceScene(const std::string& folder, const nlohmann::json& entry, double dt);

/// q and v of `entry["initial_state"]`.
void referenceState(const Model& model, const nlohmann::json& entry, VecX& q, VecX& v);

/// Index of the body of a link, whichever robot it belongs to; −1 if there is none. "world" is body 0.
int bodyOfLink(const Model& model, const std::string& link);
/// Index of a joint by its name in its robot; −1 if there is none.
int jointNamed(const Model& model, const std::string& joint);

}  // namespace slipstick::testing
