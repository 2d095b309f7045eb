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

/// Linear RGB of what is not coloured by numbers.
Eigen::Vector3f ownColor(const SoftLooks& style, int deformable) {
  const Deformable& d = style.model.deformables[static_cast<std::size_t>(deformable)];
  return style.looks.deformable(deformable).color.value_or(d.color).head<3>();
}

void colorVertices(const Eigen::Vector3f& own, const SoftColors& colors, bool mapped, const float* values,
                   SoftMesh& mesh) {
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    mesh.vertices[i].color.head<3>() = mapped ? colors.scale().color(values[i]) : own;
}

SoftMesh surfaceMesh(const SoftLooks& style, int deformable, const SoftParts& parts) {
  const Model& model = style.model;
  const Deformable& d = model.deformables[static_cast<std::size_t>(deformable)];
  const SoftColors& colors = style.colors;
  const bool mapped = colors.isMapped(deformable);
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
  colorVertices(ownColor(style, deformable), colors, mapped, surface.values.data(), mesh);
  return mesh;
}

SoftMesh clothMesh(const SoftLooks& style, int deformable, const SoftParts& parts) {
  const Deformable& d = style.model.deformables[static_cast<std::size_t>(deformable)];
  const SoftColors& colors = style.colors;
  const bool mapped = colors.isMapped(deformable);
  const auto first = static_cast<std::size_t>(d.begin);
  const auto count = static_cast<std::size_t>(d.cloth->vertices);
  SoftMesh mesh = clothSurface(*d.cloth, std::span(parts.particles).subspan(first, count));
  colorVertices(ownColor(style, deformable), colors, mapped,
                mapped ? colors.values().data() + first : nullptr, mesh);
  const double size = meshSize(d);
  ClothSides sides{static_cast<float>(std::max(d.material.thickness, kThinnest * size))};
  if (!mapped) {  // a colour that means a number stays what it is
    shadeFolds(*d.cloth, mesh);
    sides.backTint = kBackTint;
  }
  thickenCloth(*d.cloth, sides, mesh);
  mesh.lift = static_cast<float>(d.material.thickness + 0.4 * size);
  if (style.options.wireframe) mesh.edges = clothEdges(*d.cloth);
  return mesh;
}

}  // namespace

void addSpheres(const SoftLooks& style, SoftParts& parts) {
  const auto& [model, options, looks, colors] = style;
  bool anyMapped = false;
  for (int k = 0; k < static_cast<int>(model.deformables.size()); ++k) {
    const Deformable& d = model.deformables[static_cast<std::size_t>(k)];
    if (!looks.deformable(k).visible) continue;
    SphereRange range{d.begin, d.end - d.begin, radiusOf(d), ownColor(style, k), colors.isMapped(k)};
    if (materialFacts(d.material.model).hasGrains) range.variety = kVariety;
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

void addSoftMeshes(const SoftLooks& style, SoftParts& parts) {
  for (int k = 0; k < static_cast<int>(style.model.deformables.size()); ++k) {
    const Deformable& d = style.model.deformables[static_cast<std::size_t>(k)];
    if (drawnAsSpheres(d, style.options.softStyle) || !style.looks.deformable(k).visible) continue;
    SoftMesh mesh = d.cloth ? clothMesh(style, k, parts) : surfaceMesh(style, k, parts);
    mesh.deformable = k;
    mesh.mapped = style.colors.isMapped(k);
    parts.meshes.push_back(std::move(mesh));
  }
}

}  // namespace slipstick::render
