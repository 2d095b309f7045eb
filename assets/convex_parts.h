// Convex parts of the meshes that a scene has stand for them in rigid contact: asked of whoever reads meshes, and kept.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "assets/convex_split.h"
#include "engine/compile/scene_edit.h"
#include "engine/model/model.h"

namespace slipstick::assets {

/// As splitIntoConvexParts(), by the reader of this thread's MeshReading. The same mesh with the same `most` is split once.
Result<std::shared_ptr<const ConvexSplit>> convexPartsOf(const TriangleMesh& mesh, int most,
                                                         const LoadProgress* progress = nullptr);
/// How many meshes were split so far.
std::uint64_t meshesSplit();

/// "12 convex parts, volume 3.1 % larger, up to 2.3 mm outside"
std::string inWords(const ConvexSplit& split);

/// Whether it is a mesh without a pressure field: not convex, and without parts that are.
bool isConcaveMesh(const Shape& shape);

/// Puts parts on the shape if it isConcaveMesh(). @return inWords(); empty: the shape stays as it is
Result<std::string> splitShape(Shape& shape, int most, const LoadProgress* progress = nullptr);

/// Does so for the collision shapes of a robot as it says itself, see RobotSpec::convexParts; what is not to touch rigid
/// things stays. One that cannot be split stays as well; both are said. Error: Cancelled.
Result<void> splitMeshes(RobotSpec& robot, std::vector<Notice>& notices, LoadProgress* progress = nullptr);

/// The edit that splits all concave meshes of a robot or body, but for links that the scene says a number of. What became of
/// each has a notice, as of splitMeshes(). Error: Cancelled.
Result<SplitMeshes> splitOf(const RobotSpec& robot, int most, std::vector<Notice>& notices,
                            LoadProgress* progress = nullptr);

/// For the process that reads meshes.
std::string encodedSplitRequest(const TriangleMesh& mesh, int most);
/// What it answers to whatever bytes: a split or an error, encoded.
std::string answerSplitRequest(std::string_view request);
/// Trusts nothing: errors where the bytes are cut, or no convex parts. @param name  of the mesh
Result<ConvexSplit> decodedSplit(std::string_view bytes, const std::string& name);

}  // namespace slipstick::assets
