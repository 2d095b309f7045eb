// A run as one animated glTF 2.0 file: what Blender and viewers in browsers open.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "assets/export/display_shapes.h"
#include "assets/export/gltf_buffer.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/model/soft_surface.h"

namespace slipstick::assets {

/// Below a root node that turns z up to y up lies a node per body, with its shapes as nodes in it, and a node per
/// deformable. Bodies move by linear samples of translation and rotation. Deformables are morph targets, one per sample
/// after the first, which is the mesh itself; weights are linear between them. What has a surface of triangles is those, others are points:
/// a surface of particles has other triangles at each moment, and morph targets need the same ones.
class GltfWriter {
 public:
  static constexpr std::size_t kMaxMorphs = 5000;  ///< the weights grow with its square

  /// @param file  OUT.glb, or OUT.gltf, which puts the numbers into OUT.bin beside it
  static Result<std::unique_ptr<GltfWriter>> create(const std::filesystem::path& file,
                                                    std::shared_ptr<const Model> model,
                                                    const std::vector<DisplayShape>& shapes);
  /// The next sample of all bodies. Time 0 of the animation is the first sample of all.
  Result<void> addPoses(const Snapshot& snapshot);
  /// The next sample of all deformables that are not hidden. The snapshot must hold particles.
  Result<void> addDeformables(const Snapshot& snapshot);
  Result<void> finish();

 private:
  struct Soft {
    SoftSurface surface;  ///< of a deformable of the model
    int node = 0, mesh = 0;
    std::vector<float> positions, normals;  ///< of the first sample; no normals of points
    nlohmann::json targets = nlohmann::json::array();
  };
  struct Motion {
    std::vector<float> translations, rotations;
  };
  GltfWriter(OutputFile file, std::optional<OutputFile> bin, GltfBuffer buffer,
             std::shared_ptr<const Model> model);
  void addBodies(const std::vector<DisplayShape>& shapes);
  int meshOf(const std::shared_ptr<const DisplayMesh>& mesh, const std::string& name);
  int materialOf(const Color& color, const Finish& finish, bool isDoubleSided);
  int addNode(nlohmann::json node, int parent);
  void beginDeformables(const Snapshot& snapshot);
  void addMorph(Soft& soft, const Snapshot& snapshot);
  float animationTime(const Snapshot& snapshot);
  void addChannel(int node, const char* path, int input, int output);
  void animateBodies();
  void animateDeformables();
  nlohmann::json document();
  Result<void> writeGlb(std::string text);

  OutputFile file_;
  std::optional<OutputFile> bin_;  ///< of a .gltf
  GltfBuffer buffer_;
  std::shared_ptr<const Model> model_;
  nlohmann::json nodes_ = nlohmann::json::array(), meshes_ = nlohmann::json::array();
  nlohmann::json materials_ = nlohmann::json::array(), samplers_ = nlohmann::json::array();
  nlohmann::json channels_ = nlohmann::json::array();
  std::vector<std::pair<std::shared_ptr<const DisplayMesh>, int>> knownMeshes_;
  std::vector<int> bodyNodes_;
  std::vector<Motion> motions_;  ///< per body
  std::vector<Soft> softs_;
  std::vector<float> poseTimes_, softTimes_;  ///< [s]
  std::optional<double> start_;               ///< simulated time of the first sample [s]
};

}  // namespace slipstick::assets
