// The tables of scene files' blocks, see scene_keys.h. A new key of one of them is a member of its Spec and a row here.
#pragma once

#include <string>
#include <vector>

#include "assets/scene_keys.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

// Settings: scene_settings_tables.cpp
const Keys<Scene>& sceneTable();
const Keys<TimeSpec>& timeTable();
const Keys<Scene>& gridTable();
const Keys<Scene>& viewTable();
const Keys<Scene>& solverTable();
const Keys<RigidSolverSpec>& rigidSolverTable();
const Keys<ContactSpec>& contactTable();  ///< of all shapes, a body or one of them
const Keys<RigidSurfaceSpec>& rigidContactTable();
const Keys<Scene>& sceneContactTable();  ///< what only the scene says of contact

// Things: scene_thing_tables.cpp
const Keys<MaterialParameters>& materialTable();  ///< of all models; each has some of them
std::vector<std::string> keysOfModel(MaterialModel model);
const Keys<DeformableSpec>& deformableTable();
const Keys<DeformableSpec>& deformableLookTable();
const Keys<SamplingSpec>& samplingTable();
const Keys<LookSpec>& lookTable();
const Keys<RobotSpec>& robotTable();
const Keys<JointLimitSpec>& limitsTable();
const Keys<LinkInertiaSpec>& linkTable();  ///< what it says of a link besides its contact, look and parts
const Keys<BoundarySpec>& boundaryTable();
const Keys<PairRuleSpec>& pairRuleTable();
const Keys<CameraSpec>& cameraTable();
const Keys<SensorSpec>& sensorTable();

/// Of all that may have a velocity at the start.
template <class Spec>
const Keys<Spec>& movingTable() {
  static const Keys<Spec> kKeys{
      "moving",
      {},
      {{"velocity", &Spec::velocity, vector("m/s"), "at the start"},
       {"angular_velocity", &Spec::angularVelocity, vector("rad/s"), "at the start"}}};
  return kKeys;
}

// Motion: scene_motion_tables.cpp
const Keys<PathSpec>& pathTable();
Codec<Interpolation> interpolation();
const Keys<LoopSpec>& loopTable();
const Keys<EffectorSpec>& effectorTable();
const Keys<EffectorSpec>& workspaceTable();
const Keys<GripperRangeSpec>& gripperTable();
const Keys<TaskSpec>& taskTable();
const Keys<ResetSpec>& resetTable();
const Keys<ResetSpec>& resetPositionTable();
const Keys<ConditionSpec>& testTable();

}  // namespace slipstick::assets
