// Cloth in the CPU backend. Its particles live in the packs of their blocks as all others do; here is the
// mesh between them. In each substep
//   collect     moved vertices, range by range, from the packs
//   runTask     centroids, directors and forces: of the triangles in a block, in their packs, or of some hinges
//   distribute  the forces of each vertex, summed in a fixed order, to the packs
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/cloth.h"
#include "engine/mpm/particle_blocks.h"

namespace slipstick::mpm {

class CpuCloth {
 public:
  /// @param materials  per deformable
  CpuCloth(const Model& model, const KernelTable& kernels, const std::vector<MaterialFloats>& materials);

  bool hasCloth() const { return !sheets_.empty(); }
  bool isCloth(const ParticleRange& range) const { return sheetOf(range) >= 0; }
  /// After a sort, before the first place().
  void begin(const ParticleBlocks& blocks);
  /// After a sort: what the mesh knows of the range's lanes. @param block  of the range, here and below
  void place(const ParticleRange& range, ParticleBlocks& blocks);
  void collect(const ParticleRange& range, const ParticleBlock& block, const ParticleBlocks& blocks);
  void distribute(const ParticleRange& range, ParticleBlocks& blocks) const;
  /// A vertex has no director for the grid to carry, and no couple: gives it back the one that it started with.
  void resetVertices(const ParticleRange& range, ParticleBlocks& blocks) const;

  enum class Run {
    Forces,
    ForcesAndSums,  ///< for sums()
    Sums            ///< leaves packs and forces as they are
  };
  int taskCount(const ParticleBlocks& blocks) const {
    return hasCloth() ? static_cast<int>(hingeTasks_.size() + blocks.blocks.size()) : 0;
  }
  /// Tasks are independent of each other.
  void runTask(int task, ParticleBlocks& blocks, Run run);
  /// Of a cloth at the last run of all tasks, which had to be with sums.
  ClothSums sums(const ParticleBlocks& blocks, std::size_t deformable) const;
  /// Whether the last run of all tasks found a centroid whose nodes are no longer in its tile.
  bool leftTile() const;

 private:
  struct Sheet {
    int begin = 0;  ///< first particle
    Vec3 origin =
        Vec3::Zero();  ///< from where the kernels count positions: near the sheet, for precision [m]
    const ClothMesh* mesh = nullptr;  ///< of the model
    int vertexCount = 0, triangleCount = 0, hingeCount = 0;
    MaterialFloats material{};
    AlignedVector<float> vertices;  ///< 8 per vertex
    AlignedVector<float> hinges;    ///< kHingeFloats per pack
    std::vector<std::int32_t> hingeCorners;
    AlignedVector<float> forces;     ///< 4 per corner of triangles, then of hinges
    std::vector<int> firstForce;     ///< per vertex, and the end: into forceIndex
    std::vector<int> forceOfVertex;  ///< into forces
  };
  /// Packs of hinges.
  struct HingeTask {
    int sheet, first, count;  ///< first is a multiple of kPackLanes
  };

  static Sheet makeSheet(const Deformable& deformable);
  static void listForces(const ClothMesh& mesh, Sheet& sheet);
  void addHingeTasks(int sheet);
  void runTriangles(std::size_t block, ParticleBlocks& blocks, Run run);
  void runHinges(std::size_t task, Run run);
  int sheetOf(const ParticleRange& range) const {
    return sheetOfDeformable_[static_cast<std::size_t>(range.deformable)];
  }

  const KernelTable& kernels_;
  float h_;
  std::vector<int> sheetOfDeformable_;  ///< −1 = no cloth
  std::vector<Sheet> sheets_;
  std::vector<HingeTask> hingeTasks_;
  std::vector<ClothSums> hingeSums_;     ///< per task
  std::vector<ClothSums> triangleSums_;  ///< per range of particles
  std::vector<char> left_;               ///< per block of particles
  PositionFormat format_;

  // Per slot of the particles, as ClothTriangleArgs has them; of no meaning where there is no cloth.
  AlignedVector<float> lanes_;
  AlignedVector<std::int32_t> corners_, elements_;
};

}  // namespace slipstick::mpm
