// Meshes through Assimp, and who reads them: this process, or one of its own that cannot harm this one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "assets/convex_split.h"
#include "assets/mesh_content.h"
#include "engine/foundation/load_progress.h"
#include "engine/foundation/result.h"

namespace slipstick::assets {

/// Reads a mesh in this process: STL, OBJ, DAE, glTF 2.0 (.gltf, .glb), PLY and OFF, by name and content alike. All nodes
/// in their places, triangles only, equal vertices of a part joined. glTF is turned from y up to z up; the up axis of DAE
/// is ignored as RViz does, its unit is not; its skins stand as the geometry that they move. OBJ may bring .mtl files and
/// glTF .bin files, nothing else.
/// Errors: what loadMesh() says, without the file.
/// @param onFile  called before a file is read, with its size [bytes]
Result<MeshContent> readMeshContent(const std::filesystem::path& file,
                                    const std::function<void(std::uintmax_t bytes)>& onFile = {});

/// Whoever reads meshes for one load.
class MeshReader {
 public:
  MeshReader() = default;
  MeshReader(const MeshReader&) = delete;
  MeshReader& operator=(const MeshReader&) = delete;
  virtual ~MeshReader() = default;

  /// As readMeshContent().
  /// @param progress  null: nobody watches; once cancelled, the mesh is an error of that code
  virtual Result<MeshContent> read(const std::filesystem::path& file, const LoadProgress* progress) = 0;

  /// As splitIntoConvexParts(); here, in this process.
  virtual Result<ConvexSplit> split(const TriangleMesh& mesh, int most, const LoadProgress* progress);
};

using MakeMeshReader = std::function<std::unique_ptr<MeshReader>()>;

/// How meshes are read from now on; without it, or with null, in this process. Before other threads begin.
void readMeshesWith(MakeMeshReader make);

/// One reader for all meshes that its thread reads as long as it exists: a process that has been started serves a whole
/// load. Scopes may nest; the outermost counts.
class MeshReading {
 public:
  MeshReading();
  ~MeshReading();
  MeshReading(const MeshReading&) = delete;
  MeshReading& operator=(const MeshReading&) = delete;

  /// Of this thread's scope; made when first asked for.
  MeshReader& reader();

 private:
  MeshReading* outer_;
  std::unique_ptr<MeshReader> reader_;
};

}  // namespace slipstick::assets
