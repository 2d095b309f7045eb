// A folder with the geometry of a run, numbered files for each moment.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assets/export/display_shapes.h"
#include "assets/export/obj_file.h"
#include "assets/export/output_file.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::assets {

/// How deformables are written; bodies are always OBJ.
enum class SoftFormat { Ply, Obj };

/// bodies_000000.obj, dough_000000.ply …, bodies.mtl with the colours, and frames.csv, which says what time is which.
class GeometrySequence {
 public:
  static constexpr std::uint64_t kMaxFrames = 1'000'000;  ///< six digits number the files

  /// @param folder  that exists
  static Result<std::unique_ptr<GeometrySequence>> create(const std::filesystem::path& folder,
                                                          std::shared_ptr<const Model> model,
                                                          std::vector<DisplayShape> shapes,
                                                          SoftFormat format);
  /// The next moment. The snapshot must hold particles.
  Result<void> add(const Snapshot& snapshot);
  Result<void> finish() { return index_.commit(); }

 private:
  GeometrySequence(OutputFile index, std::filesystem::path folder, std::shared_ptr<const Model> model,
                   std::vector<DisplayShape> shapes, SoftFormat format);
  Result<void> addDeformable(std::size_t deformable, const Snapshot& snapshot) const;
  std::filesystem::path numbered(const std::string& stem, const char* suffix) const;

  OutputFile index_;
  std::filesystem::path folder_;
  std::shared_ptr<const Model> model_;
  std::vector<DisplayShape> shapes_;
  SoftFormat format_;
  std::vector<Color> colors_;       ///< per deformable
  std::vector<std::string> stems_;  ///< per deformable: its name as one of a file
  ObjMaterials materials_;
  std::uint64_t frames_ = 0;
};

}  // namespace slipstick::assets
