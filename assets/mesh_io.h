// Meshes as bodies wear them: out of files, on a scale, with their images.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/foundation/load_progress.h"
#include "engine/foundation/result.h"
#include "engine/geometry/shape.h"
#include "engine/model/model.h"

namespace slipstick::assets {

struct LoadedMesh {
  std::shared_ptr<const TriangleMesh> mesh;
  std::vector<Notice> notices;
  /// What was made of the file's own unit and axes, "the unit is 0.001 m (millimetre)"; empty where it states none.
  std::string conventions = {};
};

/// Which part of which file, and how large.
struct MeshWish {
  std::filesystem::path file;
  Vec3 scale = Vec3::Ones();  ///< [m] per unit of the file
  std::string submesh =
      {};  ///< only the parts of this name, as nodes and meshes in the file have them; empty: all
  bool center = false;  ///< moves the middle of the box around it to the origin
};

/// STL, OBJ, DAE, glTF, PLY or OFF, all nodes merged, in the file's own units times `scale`. glTF and COLLADA are brought
/// to z up by their own metadata as robot tools do (glTF y up → z up; COLLADA up-axis ignored as RViz does), see
/// noteConventions(). Images of its materials that cannot be had are left out with notices.
/// The bytes of a file are read once (see MeshCache), by whom readMeshesWith() says.
/// @param progress  null: nobody watches; once cancelled, the mesh is an error of that code
Result<LoadedMesh> loadMesh(const MeshWish& wish, const LoadProgress* progress = nullptr);
Result<LoadedMesh> loadMesh(const std::filesystem::path& file, const Vec3& scale = Vec3::Ones());

/// An Info that says what was made of a file's unit and axes, and how large the mesh became; none where it states neither.
void noteConventions(const std::filesystem::path& file, const LoadedMesh& loaded,
                     std::vector<Notice>& notices);
/// Longest edge of the box around it [m].
double sizeOf(const TriangleMesh& mesh);
/// "0.12 x 0.3 x 1.5 m", of the box around it.
std::string sizeText(const TriangleMesh& mesh);

/// The mesh as contact needs it: vertices at the same place are one vertex, no normals, colours or images.
std::shared_ptr<const TriangleMesh> collisionMesh(const TriangleMesh& mesh);

}  // namespace slipstick::assets
