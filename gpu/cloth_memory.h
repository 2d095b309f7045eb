// All cloths of a model in device memory, and the order of their kernels.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/model/model.h"
#include "engine/mpm/particle_facts.h"
#include "gpu/copied_memory.h"
#include "gpu/executor.h"
#include "gpu/kernels/look_kernels.h"

namespace slipstick::gpu {

class ClothMemory {
 public:
  ClothMemory(Executor& executor, const Model& model);
  bool empty() const { return view_.vertexCount == 0; }

  /// Brings the mesh to where the vertices are and its forces to the particles: whenever they have moved,
  /// before the next Scatter.
  template <class Exec>
  void follow(Exec& executor, const GridView& grid) {
    if (empty()) return;
    executor.launch(CollectVertices{grid, view_}, teamsFor(view_.vertexCount));
    executor.launch(FindTriangleForces{grid, view_}, teamsFor(view_.triangleCount));
    if (view_.hingeCount > 0) executor.launch(FindHingeForces{grid, view_}, teamsFor(view_.hingeCount));
    executor.launch(SumVertexForces{grid, view_}, teamsFor(view_.vertexCount));
  }
  /// Of the particles as they are; changes nothing. addTo() afterwards.
  template <class Exec>
  void findFacts(Exec& executor, const GridView& grid) {
    if (empty()) return;
    const auto chunks = static_cast<int>(hostChunks_.size());
    executor.launch(CollectVertices{grid, view_}, teamsFor(view_.vertexCount));
    executor.launch(FindClothFacts{grid, view_, chunks_.data(), sums_.device}, chunks);
  }
  void placeReadBack(CopyLayout& layout) { sums_ = layout.take<mpm::ClothSums>(hostChunks_.size()); }
  /// Stress and pressure of the cloths' particles.
  template <class Exec>
  void lookAt(Exec& executor, const GridView& grid, const LookView& look) {
    if (empty()) return;
    executor.launch(LookAtTriangles{grid, view_, look}, teamsFor(view_.triangleCount));
    executor.launch(LookAtVertices{view_, look}, teamsFor(view_.vertexCount));
  }
  /// Elastic energy and stiffening, once they have been read back.
  void addTo(SoftFacts& facts) const;

 private:
  DeviceArray<int> particleOfVertex_, firstForce_, forceOfVertex_;
  DeviceArray<DeviceTriangle> triangles_;
  DeviceArray<DeviceHinge> hinges_;
  DeviceArray<DevicePoint> vertices_;
  DeviceArray<DeviceForce> forces_;
  DeviceArray<FactsChunk> chunks_;
  Copied<mpm::ClothSums> sums_;
  std::vector<FactsChunk> hostChunks_;
  ClothView view_{};
};

}  // namespace slipstick::gpu
