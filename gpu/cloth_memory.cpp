#include "gpu/cloth_memory.h"
#include "engine/model/cloth.h"

namespace slipstick::gpu {
namespace {

/// The meshes, one after the other.
struct Meshes {
  std::vector<int> particleOfVertex;
  std::vector<DeviceTriangle> triangles;
  std::vector<DeviceHinge> hinges;

  void add(int deformable, int begin, const ClothMesh& mesh) {
    const auto first = static_cast<int>(particleOfVertex.size());
    for (int v = 0; v < mesh.vertices; ++v) particleOfVertex.push_back(begin + v);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const Eigen::Matrix2d& inverse = mesh.restInverse[t];
      DeviceTriangle to{};
      to.particle = begin + mesh.vertices + static_cast<int>(t);
      to.deformable = deformable;
      for (int c = 0; c < 3; ++c) to.corner[c] = first + mesh.triangles[t][c];
      to.restInverse[0] = static_cast<float>(inverse(0, 0));
      to.restInverse[1] = static_cast<float>(inverse(0, 1));
      to.restInverse[2] = static_cast<float>(inverse(1, 1));
      to.volume = static_cast<float>(mesh.volume[t]);
      triangles.push_back(to);
    }
    for (const ClothMesh::Hinge& from : mesh.hinges) {
      DeviceHinge to{};
      for (std::size_t c = 0; c < 4; ++c) to.corner[c] = first + from.vertices[c];
      to.stiffness = static_cast<float>(from.stiffness);
      to.restAngle = static_cast<float>(from.restAngle);
      hinges.push_back(to);
    }
  }
};

/// Which forces act on each vertex, as ClothView has it.
struct ForceLists {
  std::vector<int> first, force;

  explicit ForceLists(const Meshes& meshes) : first(meshes.particleOfVertex.size() + 1, 0) {
    std::vector<int> vertexOfForce;
    for (const DeviceTriangle& t : meshes.triangles)
      vertexOfForce.insert(vertexOfForce.end(), t.corner, t.corner + 3);
    for (const DeviceHinge& h : meshes.hinges)
      vertexOfForce.insert(vertexOfForce.end(), h.corner, h.corner + 4);
    for (const int v : vertexOfForce) ++first[static_cast<std::size_t>(v) + 1];
    for (std::size_t v = 1; v < first.size(); ++v) first[v] += first[v - 1];
    std::vector<int> next = first;
    force.resize(vertexOfForce.size());
    for (std::size_t f = 0; f < force.size(); ++f)
      force[static_cast<std::size_t>(next[static_cast<std::size_t>(vertexOfForce[f])]++)] =
          static_cast<int>(f);
  }
};

/// Chunks of a deformable's elements [begin, end).
void addChunks(int deformable, int begin, int end, std::vector<FactsChunk>& chunks) {
  for (int first = begin; first < end; first += kFactsChunk)
    chunks.push_back({deformable, first, std::min(end, first + kFactsChunk)});
}

std::vector<FactsChunk> chunksOf(const Model& model, int triangleCount) {
  std::vector<FactsChunk> chunks;
  int triangle = 0, hinge = triangleCount;
  for (std::size_t d = 0; d < model.deformables.size(); ++d) {
    const ClothMesh* const mesh = clothOf(model.deformables[d]);
    if (mesh == nullptr) continue;
    const int triangles = mesh->triangleCount(), hinges = static_cast<int>(mesh->hinges.size());
    addChunks(static_cast<int>(d), triangle, triangle + triangles, chunks);
    addChunks(static_cast<int>(d), hinge, hinge + hinges, chunks);
    triangle += triangles, hinge += hinges;
  }
  return chunks;
}

}  // namespace

ClothMemory::ClothMemory(Executor& executor, const Model& model)
    : particleOfVertex_(executor),
      firstForce_(executor),
      forceOfVertex_(executor),
      triangles_(executor),
      hinges_(executor),
      vertices_(executor),
      forces_(executor),
      chunks_(executor) {
  Meshes meshes;
  for (std::size_t d = 0; d < model.deformables.size(); ++d)
    if (const Deformable& from = model.deformables[d]; clothOf(from))
      meshes.add(static_cast<int>(d), from.begin, *clothOf(from));
  if (meshes.particleOfVertex.empty()) return;
  const ForceLists lists(meshes);
  hostChunks_ = chunksOf(model, static_cast<int>(meshes.triangles.size()));
  uploadAll(executor, particleOfVertex_, meshes.particleOfVertex);
  uploadAll(executor, triangles_, meshes.triangles);
  uploadAll(executor, hinges_, meshes.hinges);
  uploadAll(executor, firstForce_, lists.first);
  uploadAll(executor, forceOfVertex_, lists.force);
  uploadAll(executor, chunks_, hostChunks_);
  vertices_.ensure(meshes.particleOfVertex.size());
  forces_.ensure(lists.force.size());
  view_ = {static_cast<int>(meshes.particleOfVertex.size()),
           static_cast<int>(meshes.triangles.size()),
           static_cast<int>(meshes.hinges.size()),
           particleOfVertex_.data(),
           triangles_.data(),
           hinges_.data(),
           firstForce_.data(),
           forceOfVertex_.data(),
           vertices_.data(),
           forces_.data()};
}

void ClothMemory::addTo(SoftFacts& facts) const {
  for (std::size_t c = 0; c < hostChunks_.size(); ++c) {
    DeformableSums& sums = facts.deformables[static_cast<std::size_t>(hostChunks_[c].deformable)];
    sums.elasticEnergy += sums_.host[c].energy;
    sums.stiffening = std::max(sums.stiffening, static_cast<double>(sums_.host[c].stiffening));
  }
}

}  // namespace slipstick::gpu
