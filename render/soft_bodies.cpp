#include "render/soft_bodies.h"

#include <algorithm>

#include "render/palette.h"
#include "render/particle_surface.h"
#include "render/sheet_surface.h"

namespace slipstick::render {
namespace {

bool drawnAsSpheres(const Deformable& d, SoftStyle style) {
  if (style != SoftStyle::Scene) return style == SoftStyle::Particles;
  return surfaceOf(d).triangles.empty() && d.draw == DrawStyle::Particles;
}

/// Spheres of slightly more than half the spacing close the gaps of a lattice without hiding its grain.
float radiusOf(const SoftSurface& surface) {
  return static_cast<float>((surface.isSheet ? 0.3 : 0.54) * surface.spacing);
}

/// By how much grains differ.
constexpr float kVariety = 0.22f;
/// A sheet is drawn no thinner than this part of its triangles' size.
constexpr double kThinnest = 0.07;
/// The back of a sheet is darker and cooler than its front, so that folds read.
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

SoftMesh skinOfParticles(const SoftLooks& style, int deformable, const SoftParts& parts) {
  const Model& model = style.model;
  const Deformable& d = model.deformables[static_cast<std::size_t>(deformable)];
  const SoftColors& colors = style.colors;
  const bool mapped = colors.isMapped(deformable);
  const SoftSurface points = surfaceOf(d);
  ParticleCloud cloud;
  cloud.x = points.of(parts.particles);
  cloud.volume = points.of(model.nodes.volume);
  if (mapped) cloud.values = points.of(colors.values());
  cloud.spacing = points.spacing;
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

SoftMesh sheetMesh(const SoftLooks& style, int deformable, const SoftParts& parts) {
  const Deformable& d = style.model.deformables[static_cast<std::size_t>(deformable)];
  const SoftColors& colors = style.colors;
  const bool mapped = colors.isMapped(deformable);
  const SoftSurface sheet = surfaceOf(d);
  SoftMesh mesh = sheetSurface(sheet, sheet.of(parts.particles));
  colorVertices(ownColor(style, deformable), colors, mapped,
                mapped ? sheet.of(colors.values()).data() : nullptr, mesh);
  SheetSides sides{static_cast<float>(std::max(d.material.thickness, kThinnest * sheet.spacing))};
  if (!mapped) {  // a colour that means a number stays what it is
    shadeFolds(sheet, mesh);
    sides.backTint = kBackTint;
  }
  thickenSheet(sheet, sides, mesh);
  mesh.lift = static_cast<float>(d.material.thickness + 0.4 * sheet.spacing);
  if (style.options.wireframe) mesh.edges = sheetEdges(sheet);
  return mesh;
}

}  // namespace

void addSpheres(const SoftLooks& style, SoftParts& parts) {
  const auto& [model, options, looks, colors] = style;
  bool anyMapped = false;
  for (int k = 0; k < static_cast<int>(model.deformables.size()); ++k) {
    const Deformable& d = model.deformables[static_cast<std::size_t>(k)];
    if (!looks.deformable(k).visible) continue;
    const SoftSurface surface = surfaceOf(d);
    SphereRange range{d.begin, d.end - d.begin, radiusOf(surface), ownColor(style, k), colors.isMapped(k)};
    if (materialFacts(d.material.model).hasGrains) range.variety = kVariety;
    const Eigen::Vector3f reach = Eigen::Vector3f::Constant(range.radius * (1 + range.variety));
    Eigen::AlignedBox3f box;
    for (int i = d.begin; i < d.end; ++i) box.extend(parts.particles[static_cast<std::size_t>(i)]);
    if (!box.isEmpty()) parts.box.extend(Eigen::AlignedBox3f(box.min() - reach, box.max() + reach));
    range.onlyCut = !drawnAsSpheres(d, options.softStyle);
    if (range.onlyCut && (options.section == Section::None || surface.isSheet)) continue;
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
    SoftMesh mesh = surfaceOf(d).isSheet ? sheetMesh(style, k, parts) : skinOfParticles(style, k, parts);
    mesh.deformable = k;
    mesh.mapped = style.colors.isMapped(k);
    parts.meshes.push_back(std::move(mesh));
  }
}

}  // namespace slipstick::render
