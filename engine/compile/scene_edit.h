// Changes of what a scene holds while it runs: things that come and go.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/scene.h"

namespace slipstick {

/// Adds a robot, or a plain body of one link.
struct SpawnBody {
  RobotSpec body;
  bool mayRename = false;  ///< to its freeName(), where the scene has something of its name
};

/// Adds a deformable. @param material  of a name that the scene does not have yet, or none
struct SpawnDeformable {
  DeformableSpec deformable;
  std::optional<MaterialSpec> material;
};

/// Removes the robot, body or deformable of a name, with the welds, controllers, pair rules, and
/// resets and tests of the task that name it; without its last success test the task goes, too.
struct Remove {
  std::string name;
};

/// Makes what the loader assumed of a robot's file the scene's own: masses and limits stand in its block from now on,
/// whatever the file or a later loader says.
struct AdoptRepairs {
  std::string robot;
  std::vector<std::string> links;   ///< whose mass and inertia are said
  std::vector<std::string> joints;  ///< whose limits are said
};

/// Has convex parts stand for meshes of a robot or body where rigid things meet.
struct SplitMeshes {
  std::string name;  ///< of the robot or body
  int most = 0;      ///< parts of one mesh; 0: the meshes themselves stand there again
  struct Mesh {
    std::string link;
    std::size_t collision = 0;  ///< among the link's collision shapes
    std::shared_ptr<const ConvexParts> parts;
  };
  std::vector<Mesh> meshes;
};

/// Makes the scene another one whose things are mostly the same: what an undo goes back to. Things that both have, by their
/// names, go on as they are.
struct Become {
  std::shared_ptr<const Scene> scene;  ///< not null
};

/// The robot, body or link that a controller drives.
const std::string& drivenBy(const ControllerSpec& controller);

struct Notice;
/// What notices of the loader assumed of a robot and its block does not say itself.
AdoptRepairs repairsOf(const std::vector<Notice>& notices, const RobotSpec& robot);

using SceneEdit = std::variant<SpawnBody, SpawnDeformable, Remove, AdoptRepairs, SplitMeshes, Become>;

/// The scene after the edit. Fails where a name is taken or unknown, or where other bodies hang on what
/// should go; compile() checks the rest.
Result<Scene> edited(Scene scene, const SceneEdit& edit);

/// A body of one link and one shape that floats in the world. Fails for a shape without a volume.
/// @param density  [kg/m³]   @param X_WB  pose of the shape's frame
Result<RobotSpec> floatingBody(const std::string& name, const Shape& shape, double density, const Pose& X_WB,
                               const Color& color);

/// "box", or "box_2" … if the scene has something of that name.
std::string freeName(const Scene& scene, const std::string& wanted);

}  // namespace slipstick
