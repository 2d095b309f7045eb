// Trees from the `model` block of ../shared/reference/rigid (conventions in its README).
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/model/model.h"

namespace slipstick::multibody::testing {

/// A tree in the order of the reference's `joint_order`; links that no joint leads to float.
Tree buildTree(const nlohmann::json& model);

/// A Model that holds nothing but the tree.
std::shared_ptr<Model> modelOf(Tree tree);

/// Index of a body by its name; −1 if there is none.
int bodyIndex(const Tree& tree, const std::string& name);
/// Index of a joint by its name; −1 if there is none.
int jointIndex(const Tree& tree, const std::string& name);

Vec3 vec3(const nlohmann::json& values);
VecX vecX(const nlohmann::json& values);
Quat quat(const nlohmann::json& wxyz);

/// q and v from the `initial_state` block.
void initialState(const Tree& tree, const nlohmann::json& state, VecX& q, VecX& v);

/// q and v of all joints but the floating ones, in tree order: the reference's `q` and `v` columns.
void jointCoordinates(const Tree& tree, const VecX& q, const VecX& v, VecX& jointQ, VecX& jointV);

}  // namespace slipstick::multibody::testing
