// Cloth in the CPU backend. Its particles live in the packs of their blocks as all others do; here is the
// mesh between them, in the mesh's order: what the stress pass reads and writes. In each substep
//   collect     moved vertices and trial directors, range by range, from the packs
//   runTask     centroids, directors and forces of a piece of mesh
//   distribute  these to the packs, with the forces of each vertex summed in a fixed order
#pragma once

#include <cstdint>
#include <vector>

#include "engine/mpm/particle_blocks.h"

namespace slipstick::mpm {

class CpuCloth {
 public:
  /// @param materials  per deformable
  CpuCloth(const Model& model, const KernelTable& kernels, const std::vector<MaterialFloats>& materials);

  bool isCloth(const ParticleRange& range) const { return clothOf(range) >= 0; }
  /// After a sort, before the first place().
  void begin(const ParticleBlocks& blocks);
  /// After a sort: where the range's tile is. @param block  of the range, here and below
  void place(const ParticleRange& range, const ParticleBlock& block, const ParticleBlocks& blocks);
  void collect(const ParticleRange& range, const ParticleBlock& block, const ParticleBlocks& blocks);
  void distribute(const ParticleRange& range, const ParticleBlock& block, ParticleBlocks& blocks) const;

  int taskCount() const { return static_cast<int>(tasks_.size()); }
  /// Tasks are independent of each other. @param withSums  for sums()
  void runTask(int task, bool withSums);
  /// Of a cloth at the last run of all tasks, which had to be with sums.
  ClothSums sums(std::size_t deformable) const;
  /// Whether the last run of all tasks found a centroid whose nodes are no longer in its tile.
  bool leftTile() const;

 private:
  struct Sheet {
    int begin = 0;  ///< first particle
    Vec3 origin =
        Vec3::Zero();  ///< from where the kernels count positions: near the sheet, for precision [m]
    int vertexCount = 0, triangleCount = 0, hingeCount = 0;
    MaterialFloats material{};
    std::vector<float> vertices;   ///< 8 per vertex
    std::vector<float> triangles;  ///< kTriangleFloats per pack
    std::vector<float> hinges;     ///< kHingeFloats per pack
    std::vector<std::int32_t> triangleCorners, hingeCorners;
    std::vector<float> forces;       ///< 4 per corner of triangles, then of hinges
    std::vector<int> firstForce;     ///< per vertex, and the end: into forceIndex
    std::vector<int> forceOfVertex;  ///< into forces
  };
  /// Packs of triangles or hinges.
  struct Task {
    int sheet, first, count;  ///< elements; first is a multiple of kPackLanes
    bool hinges;
  };

  static Sheet makeSheet(const Deformable& deformable);
  static void listForces(const ClothMesh& mesh, Sheet& sheet);
  void addTasks(int sheet);
  int clothOf(const ParticleRange& range) const {
    return sheetOfDeformable_[static_cast<std::size_t>(range.deformable)];
  }

  const KernelTable& kernels_;
  float h_;
  std::vector<int> sheetOfDeformable_;  ///< −1 = no cloth
  std::vector<Sheet> sheets_;
  std::vector<Task> tasks_;
  std::vector<char> left_;       ///< per task
  std::vector<ClothSums> sums_;  ///< per task
};

}  // namespace slipstick::mpm
