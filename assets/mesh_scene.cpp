#include "assets/mesh_scene.h"

#include <cmath>
#include <memory>
#include <numbers>

#include "assets/mesh_io.h"
#include "engine/compile/shape_mass.h"
#include "engine/foundation/number_text.h"
#include "engine/geometry/triangle_mesh.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

constexpr double kDensity = 1000;        // [kg/m³]
constexpr double kLargest = 50;          // [m], no part is larger: its file's unit is another one
constexpr double kMillimetre = 1e-3;     // [m]
constexpr double kTimeStep = 0.005;      // [s]
constexpr double kFieldOfView_deg = 40;  // of the camera
constexpr double kMargin = 1.3;          // of the picture around the body

/// In metres: as the file says, or as millimetres where metres make no sense.
Result<LoadedMesh> readMesh(const fs::path& file, double& scale, const LoadProgress* progress) {
  scale = 1;
  Result<LoadedMesh> loaded = loadMesh(MeshWish{file}, progress);
  if (!loaded || sizeOf(*loaded->mesh) <= kLargest) return loaded;
  const double asWritten = sizeOf(*loaded->mesh);
  scale = kMillimetre;
  loaded = loadMesh(MeshWish{file, Vec3::Constant(scale)}, progress);
  if (loaded)
    loaded->notices.insert(loaded->notices.begin(),
                           {Notice::Level::Warning, file.string(),
                            "it would be " + significant(asWritten, 4) + " m large: taken as millimetres, " +
                                significant(kMillimetre * asWritten, 4) +
                                " m; if that is wrong, write a scene with its 'scale'"});
  return loaded;
}

/// What it collides and weighs with: itself, or the box around it.
LinkGeometry collisionOf(const LinkGeometry& visual, const fs::path& file, std::vector<Notice>& notices) {
  LinkGeometry collision = visual;
  const auto mesh = collisionMesh(*std::get<shape::Mesh>(visual.shape).mesh);
  const std::size_t open = openEdges(*mesh);
  if (checkSolid(*mesh) && massProperties(shape::Mesh{mesh})) {
    collision.shape = shape::Mesh{mesh};
    return collision;
  }
  const Aabb box = boundsOf(*mesh);
  const double size = (box.upper - box.lower).maxCoeff();
  const Vec3 half = ((box.upper - box.lower) / 2).cwiseMax(1e-3 * size);  // a sheet has a thickness, too
  collision.shape = shape::Box{half};
  collision.X_BG.p = (box.lower + box.upper) / 2;
  collision.source = nullptr;
  collision.name = "box";
  notices.push_back({Notice::Level::Warning, file.string(),
                     (open > 0 ? "its surface is not closed (" + std::to_string(open) + " open edges)"
                               : std::string("its surface encloses no volume, or faces inwards")) +
                         ": it collides and weighs as the box around it; close it, and export it again"});
  return collision;
}

RobotSpec groundBody() {
  RobotSpec ground;
  ground.name = ground.description.name = "ground";
  LinkGeometry plane;
  plane.name = plane.key = "plane";
  plane.shape = shape::Plane{};
  LinkSpec link;
  link.collisions = {plane};
  ground.description.links = {link};
  return ground;
}

CameraSpec cameraFor(const Vec3& size) {
  CameraSpec camera;
  camera.name = "front";
  camera.fieldOfView = kFieldOfView_deg;
  camera.target = Vec3(0, 0, size.z() / 2);
  const double half = kFieldOfView_deg / 2 * std::numbers::pi / 180;
  camera.position =
      camera.target + kMargin * size.norm() / 2 / std::sin(half) * Vec3(1, -1.4, 0.8).normalized();
  return camera;
}

}  // namespace

Result<LoadedScene> sceneOfMesh(const fs::path& file, const LoadOptions& options) {
  if (Result<void> ok = refuseOverrides(options, "mesh"); !ok) return ok.error();
  if (options.progress) options.progress->say("reading mesh " + file.filename().string(), 0);
  double scale = 1;
  Result<LoadedMesh> loaded = readMesh(file, scale, options.progress);
  if (!loaded) return loaded.error();
  if (isCancelled(options.progress)) return cancelledLoad(file.string());
  LoadedScene result;
  result.notices = std::move(loaded->notices);
  noteConventions(file, *loaded, result.notices);
  LinkGeometry visual;
  visual.name = visual.key = "mesh";
  visual.shape = shape::Mesh{loaded->mesh};
  MeshSource source;
  source.file = file;
  source.written = file.string();
  source.scale = Vec3::Constant(scale);
  visual.source = std::make_shared<const MeshSource>(std::move(source));
  LinkSpec link;
  link.visuals = {visual};
  link.collisions = {collisionOf(visual, file, result.notices)};
  const Result<MassProperties> unit = massProperties(link.collisions);
  if (!unit) return Error{unit.error().code, unit.error().what, file.string(), unit.error().remedy};
  link.mass = kDensity * unit->volume;
  link.com = unit->com;
  link.inertia = kDensity * unit->inertiaPerDensity;

  Scene& scene = result.scene;
  scene.name = file.stem().string();
  scene.title = "Mesh " + file.filename().string();
  scene.file = file;
  scene.time.dt = kTimeStep;
  RobotSpec body;
  body.name = scene.name.empty() || scene.name == "ground" || scene.name == "world" ? "part" : scene.name;
  body.description.name = body.name;
  body.freeBase = true;
  const Aabb box = boundsOf(*loaded->mesh);
  const Vec3 middle = (box.lower + box.upper) / 2;
  body.X_PB.p = Vec3(-middle.x(), -middle.y(), -box.lower.z());
  body.description.links = {std::move(link)};
  scene.cameras = {cameraFor(box.upper - box.lower)};
  scene.robots = {groundBody(), std::move(body)};
  return result;
}

}  // namespace slipstick::assets
