// Random trees and states for tests that must hold for every tree.
#pragma once

#include <memory>
#include <random>

#include "engine/model/model.h"
#include "engine/multibody/tree.h"

namespace slipstick::multibody::testing {

using Random = std::mt19937;

double uniform(Random& random, double lower, double upper);
/// Components in [−1, 1].
Vec3 randomVec3(Random& random);
VecX randomVecX(Random& random, int size);
Quat randomQuat(Random& random);
Pose randomPose(Random& random);

/// 1 to `maxBodies` bodies, all joint types, some joints with armature; floating joints may hang from any
/// body.
Tree randomTree(Random& random, int maxBodies);
/// A Model that holds nothing but the tree.
std::shared_ptr<Model> modelOf(Tree tree);
/// A position with unit quaternions.
VecX randomPosition(Random& random, const Tree& tree);

/// A seven-joint serial arm with position limits, about one metre long; the joints are 0…6 and the hand is
/// body 7.
Tree sevenJointArm();
/// Adds the same arm to a tree, its base at X_WBase; returns the index of its hand.
int addSevenJointArm(Tree& tree, const Pose& X_WBase);

}  // namespace slipstick::multibody::testing
