// The meshes and images that a robot's file names.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "assets/image_io.h"
#include "assets/mesh_io.h"
#include "engine/foundation/load_progress.h"
#include "engine/foundation/result.h"
#include "engine/geometry/shape.h"
#include "engine/model/model.h"

namespace slipstick::assets {

/// Shapes of one robot, with meshes read once however often they are placed.
class RobotMeshes {
 public:
  /// @param text      of the robot's file: how often it says "<mesh" is how many there are to read
  /// @param progress  null: nobody watches; once cancelled, nothing more is read
  RobotMeshes(std::filesystem::path file, std::vector<std::filesystem::path> packagePaths,
              std::string_view text, LoadProgress* progress);

  /// Which part of a mesh, and where it goes: as MeshWish.
  struct Submesh {
    std::string name = {};
    bool center = false;
  };
  Result<Shape> read(const std::string& uri, const Vec3& scale, std::vector<Notice>& notices) {
    return read(uri, scale, Submesh(), notices);
  }
  Result<Shape> read(const std::string& uri, const Vec3& scale, const Submesh& submesh,
                     std::vector<Notice>& notices);
  /// An image that the robot's file names; null, with a notice, for one that cannot be had, and for "".
  SharedImage image(const std::string& uri, ImageUse use, const std::string& where,
                    std::vector<Notice>& notices) const;
  /// What was made of the units and axes of the meshes that were read; those for which it is the same have one Info.
  void noteConventions(std::vector<Notice>& notices) const;

 private:
  using Mesh = std::shared_ptr<const TriangleMesh>;
  Result<Mesh> load(const std::string& uri, const Vec3& scale, const Submesh& submesh,
                    std::vector<Notice>& notices);

  std::filesystem::path file_;
  std::vector<std::filesystem::path> packagePaths_;
  std::map<std::string, Result<Mesh>>
      meshes_;  ///< those that cannot be had, too: nobody looks for them again
  struct Agreeing {
    std::size_t count = 0;
    std::filesystem::path largest;
    LoadedMesh mesh;  ///< the largest
  };
  std::map<std::string, Agreeing> conventions_;
  LoadProgress* progress_;
  std::size_t total_ = 0, asked_ = 0;  ///< meshes, however often each is placed
};

}  // namespace slipstick::assets
