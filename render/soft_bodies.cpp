#include "render/soft_bodies.h"

#include <cmath>
#include <numeric>
#include <span>

#include "render/cloth_surface.h"
#include "render/palette.h"
#include "render/particle_surface.h"

namespace slipstick::render {
namespace {

bool drawnAsSpheres(const Deformable& d, SoftStyle style) {
  if (style != SoftStyle::Scene) return style == SoftStyle::Particles;
  return !d.cloth && d.draw == DrawStyle::Particles;
}

/// Root of the mean area of a cloth's triangles at rest [m].
double meshSize(const Deformable& d) {
  const double volume = std::accumulate(d.cloth->volume.begin(), d.cloth->volume.end(), 0.0);
  return std::sqrt(volume / d.material.thickness / std::max(1, d.cloth->triangleCount()));
}

/// Spheres of slightly more than half the spacing close the gaps of a lattice without hiding its grain.
float radiusOf(const Deformable& d) {
  return static_cast<float>(d.cloth ? 0.3 * meshSize(d) : 0.54 * d.particleSpacing);
}

/// By how much grains differ.
constexpr float kVariety = 0.22f;
/// A cloth is drawn no thinner than this part of its triangles' size.
constexpr double kThinnest = 0.07;
/// The back of a cloth is darker and cooler than its front, so that folds read.
const Eigen::Vector3f kBackTint(0.60f, 0.64f, 0.74f);

void colorVertices(const Deformable& d, const SoftColors& colors, bool mapped, const float* values,
                   SoftMesh& mesh) {
  const Eigen::Vector3f own = d.color.head<3>();
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    mesh.vertices[i].color.head<3>() = mapped ? colors.scale().color(values[i]) : own;
}

SoftMesh surfaceMesh(const Model& model, const Deformable& d, const SoftParts& parts,
                     const SoftColors& colors, bool mapped) {
  const auto first = static_cast<std::size_t>(d.begin), count = static_cast<std::size_t>(d.end - d.begin);
  ParticleCloud cloud;
  cloud.x = std::span(parts.particles).subspan(first, count);
  cloud.volume = std::span(model.particles.volume).subspan(first, count);
  if (mapped) cloud.values = std::span(colors.values()).subspan(first, count);
  cloud.spacing = d.particleSpacing;
  cloud.extraSmooth = d.material.model != MaterialModel::Liquid;
  // A colour that means a number must not mix with what lies behind.
  cloud.depths = d.material.model == MaterialModel::Liquid && !mapped;
  SurfaceMesh surface = particleSurface(cloud);
  SoftMesh mesh;
  mesh.look = cloud.depths ? SoftLook::Liquid : SoftLook::Matt;
  mesh.vertices.resize(surface.positions.size());
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    mesh.vertices[i].position = surface.positions[i];
    mesh.vertices[i].normal = surface.normals[i];
  }
  for (std::size_t i = 0; i < surface.depths.size(); ++i) mesh.vertices[i].color.w() = surface.depths[i];
  mesh.indices = std::move(surface.indices);
  colorVertices(d, colors, mapped, surface.values.data(), mesh);
  return mesh;
}

SoftMesh clothMesh(const Deformable& d, const SoftParts& parts, const SoftColors& colors, bool mapped,
                   bool withEdges) {
  const auto first = static_cast<std::size_t>(d.begin);
  const auto count = static_cast<std::size_t>(d.cloth->vertices);
  SoftMesh mesh = clothSurface(*d.cloth, std::span(parts.particles).subspan(first, count));
  colorVertices(d, colors, mapped, mapped ? colors.values().data() + first : nullptr, mesh);
  const double size = meshSize(d);
  ClothSides sides{static_cast<float>(std::max(d.material.thickness, kThinnest * size))};
  if (!mapped) {  // a colour that means a number stays what it is
    shadeFolds(*d.cloth, mesh);
    sides.backTint = kBackTint;
  }
  thickenCloth(*d.cloth, sides, mesh);
  mesh.lift = static_cast<float>(d.material.thickness + 0.4 * size);
  if (withEdges) mesh.edges = clothEdges(*d.cloth);
  return mesh;
}

}  // namespace

void addSpheres(const Model& model, const ViewOptions& options, const SoftColors& colors, SoftParts& parts) {
  bool anyMapped = false;
  for (std::size_t k = 0; k < model.deformables.size(); ++k) {
    const Deformable& d = model.deformables[k];
    SphereRange range{d.begin, d.end - d.begin, radiusOf(d), d.color.head<3>(),
                      colors.isMapped(static_cast<int>(k))};
    if (d.material.model == MaterialModel::DruckerPrager) range.variety = kVariety;
    const Eigen::Vector3f reach = Eigen::Vector3f::Constant(range.radius * (1 + range.variety));
    Eigen::AlignedBox3f box;
    for (int i = d.begin; i < d.end; ++i) box.extend(parts.particles[static_cast<std::size_t>(i)]);
    if (!box.isEmpty()) parts.box.extend(Eigen::AlignedBox3f(box.min() - reach, box.max() + reach));
    range.onlyCut = !drawnAsSpheres(d, options.softStyle);
    if (range.onlyCut && (options.section == Section::None || d.cloth)) continue;
    parts.spheres.push_back(range);
    anyMapped |= range.mapped;
  }
  if (!anyMapped) return;
  parts.values = colors.values();
  parts.scale = colors.scale();
  parts.column = colors.column();
}

void addSoftMeshes(const Model& model, const ViewOptions& options, const SoftColors& colors,
                   SoftParts& parts) {
  for (std::size_t k = 0; k < model.deformables.size(); ++k) {
    const Deformable& d = model.deformables[k];
    if (drawnAsSpheres(d, options.softStyle)) continue;
    const bool mapped = colors.isMapped(static_cast<int>(k));
    SoftMesh mesh = d.cloth ? clothMesh(d, parts, colors, mapped, options.wireframe)
                            : surfaceMesh(model, d, parts, colors, mapped);
    mesh.deformable = static_cast<int>(k);
    mesh.mapped = mapped;
    parts.meshes.push_back(std::move(mesh));
  }
}

}  // namespace slipstick::render
