// What every robot file must satisfy, whatever its format: links form a tree, inertias belong to bodies.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "assets/image_io.h"
#include "engine/foundation/load_progress.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

inline constexpr std::size_t kLargestRobotFile = std::size_t{64} << 20;  // [bytes]
/// No robot has more; bounds the time and the depth of everything that walks the tree.
inline constexpr std::size_t kMostLinks = 10000;

struct TreeLink {
  std::string name;
  std::string where;  ///< "file:line, link 'name'"
};
struct TreeJoint {
  std::string parent, child;  ///< names of links
  std::string where;
};
/// Errors: a link that hangs from two joints, a cycle, several roots.
Result<void> checkTree(const std::vector<TreeLink>& links, const std::vector<TreeJoint>& joints);

/// "file:line, link 'name'" for the name of a link.
using PlaceOfLink = std::function<std::string(const std::string&)>;

/// Errors for inertias that no body has; repairs, each with a notice: a zero inertia of a moving link, slight
/// breaches of the triangle inequality, movable joints beyond which nothing has mass.
Result<void> settleInertias(RobotDescription& robot, const PlaceOfLink& where, std::vector<Notice>& notices);

/// Colours of robot files are what a painter saw (sRGB): to linear RGBA.
Color linearColor(float r, float g, float b, float a);

/// Shapes of one robot, with meshes read once however often they are placed.
class RobotMeshes {
 public:
  /// @param text      of the robot's file: how often it says "<mesh" is how many there are to read
  /// @param progress  null: nobody watches; once cancelled, nothing more is read
  RobotMeshes(std::filesystem::path file, std::vector<std::filesystem::path> packagePaths,
              std::string_view text, LoadProgress* progress);

  Result<Shape> read(const std::string& uri, const Vec3& scale, std::vector<Notice>& notices);
  /// An image that the robot's file names; null, with a notice, for one that cannot be had, and for "".
  SharedImage image(const std::string& uri, ImageUse use, const std::string& where,
                    std::vector<Notice>& notices) const;

 private:
  std::filesystem::path file_;
  std::vector<std::filesystem::path> packagePaths_;
  std::map<std::string, std::shared_ptr<const TriangleMesh>> meshes_;
  LoadProgress* progress_;
  std::size_t total_ = 0, asked_ = 0;  ///< meshes, however often each is placed
};

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
