// What every robot file must satisfy, whatever its format: links form a tree, inertias belong to bodies.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "assets/robot_meshes.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

struct TreeLink {
  std::string name;
  std::string where;  ///< "file:line, link 'name'"
};
struct TreeJoint {
  std::string parent, child;  ///< names of links
  std::string where;
};
/// Errors: a link that hangs from two joints, a cycle. Several roots are several trees, see noteTrees().
Result<void> checkTree(const std::vector<TreeLink>& links, const std::vector<TreeJoint>& joints);

/// "file:line, link 'name'" for the name of a link.
using PlaceOfLink = std::function<std::string(const std::string&)>;

/// Says that the links form several trees, where they do.
void noteTrees(const RobotDescription& robot, const PlaceOfLink& where, std::vector<Notice>& notices);

/// Makes bodies of what files say of masses, changing as little as the dynamics allow; see robot_inertias.cpp. What was
/// assumed has a notice with the keys by which a scene says the same.
void settleInertias(RobotDescription& robot, const PlaceOfLink& where, std::vector<Notice>& notices);

/// The same for the roots of a robot whose base is free, which its file does not know. Roots without mass stay so: what they
/// are to be is anyone's guess.
/// @param said  what the scene says over the file, by link: it is taken as it is
void settleFreeBase(RobotDescription& robot, const std::map<std::string, LinkInertiaSpec>& said,
                    const PlaceOfLink& where, std::vector<Notice>& notices);

/// Joints that a file draws outside their limits start there, as in its own simulator, where nothing else is said of them.
void startAsWritten(const RobotDescription& file, RobotSpec& robot);

/// Colours of robot files are what a painter saw (sRGB): to linear RGBA.
Color linearColor(float r, float g, float b, float a);

/// What a file says about a shape's looks; it goes over what the shape's mesh brings, as in other tools.
struct GivenLooks {
  bool color = false, finish = false;
  SurfaceMaps maps;  ///< images for the whole shape, in place of the mesh's own
};
/// Whether a shape says where its surface is in images: meshes with texture coordinates.
bool wearsImages(const Shape& shape);
/// Takes from a mesh the looks that are given elsewhere, and puts the given images on one that wears them.
void giveLooks(Shape& shape, const GivenLooks& given);
/// Adds a visual; a shape that cannot be had becomes a box of 5 cm and a notice.
/// @param given  what the robot's file says
void addVisual(LinkSpec& link, LinkGeometry visual, const Result<Shape>& shape, const GivenLooks& given,
               const std::string& where, std::vector<Notice>& notices);
/// Adds a collision shape; one that cannot be had is left out with a notice.
void addCollision(LinkSpec& link, LinkGeometry collision, const Result<Shape>& shape,
                  const std::string& where, std::vector<Notice>& notices);

}  // namespace slipstick::assets
