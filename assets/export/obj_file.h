// Bodies and deformables at one moment as OBJ files, and their colours as an MTL file.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "assets/export/display_shapes.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::assets {

/// The colours of all that is drawn; OBJ files name them.
class ObjMaterials {
 public:
  /// @param deformables  one colour per deformable
  ObjMaterials(std::span<const DisplayShape> shapes, std::span<const Color> deformables);
  const std::string& of(const DisplayMesh::Part& part) const { return find(part.color, part.finish); }
  const std::string& of(const Color& color) const { return find(color, {}); }
  /// Kd and d in sRGB; Pr and Pm as renderers that shade by physics take them.
  Result<void> write(const std::filesystem::path& file) const;

 private:
  struct Material {
    std::string name;
    Color color;
    Finish finish;
  };
  void add(const Color& color, const Finish& finish);
  const std::string& find(const Color& color, const Finish& finish) const;
  std::vector<Material> materials_;
};

/// All bodies at their places in W, a group for each with its name.
/// @param library  the name of the MTL file beside it
Result<void> writeBodiesObj(const std::filesystem::path& file, const std::string& library, const Model& model,
                            std::span<const DisplayShape> shapes, const ObjMaterials& materials,
                            const Snapshot& snapshot);

/// One deformable: the triangles of its surface, or points. The snapshot must hold particles.
Result<void> writeDeformableObj(const std::filesystem::path& file, const std::string& library,
                                const Deformable& deformable, const std::string& material,
                                const Snapshot& snapshot);

}  // namespace slipstick::assets
