#include "assets/robot_meshes.h"

#include <algorithm>

#include "assets/drake_tags.h"
#include "assets/mesh_io.h"
#include "assets/one_line.h"
#include "assets/shipped.h"
#include "engine/foundation/number_text.h"

namespace slipstick::assets {
namespace fs = std::filesystem;

RobotMeshes::RobotMeshes(fs::path file, std::vector<fs::path> packagePaths, std::string_view text,
                         LoadProgress* progress)
    : file_(std::move(file)), packagePaths_(std::move(packagePaths)), progress_(progress) {
  constexpr std::string_view kMesh = "<mesh";
  for (std::size_t at = text.find(kMesh); at != std::string_view::npos; at = text.find(kMesh, at + 1))
    ++total_;
}

Result<Shape> RobotMeshes::read(const std::string& uri, const Vec3& scale, const Submesh& submesh,
                                std::vector<Notice>& notices) {
  ++asked_;
  if (isCancelled(progress_)) return cancelledLoad(file_.string());
  if (progress_)
    progress_->say(
        "reading mesh " + std::to_string(asked_) + " of " + std::to_string(total_) + ", " +
            fs::path(uri).filename().string(),
        std::min(1.0, static_cast<double>(asked_ - 1) / static_cast<double>(std::max(total_, asked_))));
  const std::string key = uri + "|" + shortest(scale.x()) + "|" + shortest(scale.y()) + "|" +
                          shortest(scale.z()) + "|" + submesh.name + (submesh.center ? "|centred" : "|");
  auto known = meshes_.find(key);
  if (known == meshes_.end()) {
    Result<Mesh> mesh = load(uri, scale, submesh, notices);
    if (!mesh && mesh.error().code == ErrorCode::Cancelled) return mesh.error();
    known = meshes_.emplace(key, std::move(mesh)).first;
  }
  if (!known->second) return known->second.error();
  return Shape(shape::Mesh{*known->second});
}

Result<RobotMeshes::Mesh> RobotMeshes::load(const std::string& uri, const Vec3& scale, const Submesh& submesh,
                                            std::vector<Notice>& notices) {
  const Result<FoundFile> found = findFile(uri, file_.parent_path(), packagePaths_);
  if (!found) return found.error();
  if (!found->remark.empty())
    noteOnce(notices,
             {Notice::Level::Info, file_.string(), oneLine("the file '" + uri + "' " + found->remark)});
  Result<LoadedMesh> mesh = loadMesh({found->file, scale, submesh.name, submesh.center}, progress_);
  if (!mesh) return mesh.error();
  notices.insert(notices.end(), mesh->notices.begin(), mesh->notices.end());
  if (!mesh->conventions.empty()) {
    Agreeing& agreeing = conventions_[mesh->conventions];
    if (agreeing.count++ == 0 || sizeOf(*mesh->mesh) > sizeOf(*agreeing.mesh.mesh))
      agreeing.largest = found->file, agreeing.mesh = *mesh;
  }
  return std::move(mesh->mesh);
}

void RobotMeshes::noteConventions(std::vector<Notice>& notices) const {
  for (const auto& [conventions, agreeing] : conventions_)
    if (agreeing.count == 1)
      assets::noteConventions(agreeing.largest, agreeing.mesh, notices);
    else
      notices.push_back({Notice::Level::Info, agreeing.largest.string(),
                         "it is " + sizeText(*agreeing.mesh.mesh) + " large, and the largest of " +
                             std::to_string(agreeing.count) + " meshes: " + conventions});
}

SharedImage RobotMeshes::image(const std::string& uri, ImageUse use, const std::string& where,
                               std::vector<Notice>& notices) const {
  if (uri.empty() || isCancelled(progress_)) return nullptr;
  const Result<fs::path> path = resolveFile(uri, file_.parent_path(), packagePaths_);
  const Result<SharedImage> image = path ? loadImage(*path, use) : Result<SharedImage>(path.error());
  if (image) return *image;
  noteOnce(notices, {Notice::Level::Warning, where,
                     oneLine("it is shown without its image " + (path ? path->string() : uri) + ": " +
                             image.error().what + "; " + image.error().remedy)});
  return nullptr;
}

}  // namespace slipstick::assets
