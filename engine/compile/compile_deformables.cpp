// Stages of compile(): deformables, their nodes and their contact laws.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "engine/compile/compilation.h"
#include "engine/compile/discretize.h"
#include "engine/compile/sampling.h"
#include "engine/foundation/number_text.h"
#include "engine/geometry/sdf_grid_cache.h"
#include "engine/model/cloth.h"
#include "engine/model/shape_thickness.h"

namespace slipstick {
namespace {

/// The grid cannot resolve bending or shear of parts thinner than this many cells.
constexpr double kCellsAcross = 2;

/// Of particles: with fewer the grid's nodes move in ways that the particles' stress hardly feels.
constexpr double kFewPerCell = 4;

/// What a material must fulfil: a limit of one value, and what to say when it is broken.
struct Check {
  bool ok;
  const char* what;
  const char* remedy;
};

Result<void> passAll(const Compilation& c, const Element& element, const std::vector<Check>& checks) {
  for (const Check& check : checks)
    if (!check.ok) return c.invalid(element, check.what, check.remedy);
  return {};
}

bool positive(double x) {
  return x > 0 && std::isfinite(x);
}

Result<void> checkMaterial(const Compilation& c, const std::string& name, std::size_t material) {
  const MaterialParameters& m = c.model.tuning.materials[material];
  const Element element = elementOf("material", "materials", name);
  const bool isLiquid = m.model == MaterialModel::Liquid, isCloth = m.model == MaterialModel::Cloth;
  const std::vector<Check> checks = {
      {positive(m.density), "the density is not positive", "write density in kg/m³, greater than 0"},
      {!isLiquid || m.largestJ >= 1, "the largest volume ratio is below 1", "write tension: false, or true"},
      {!isCloth || positive(m.thickness), "the thickness is not positive",
       "write thickness in m, greater than 0"}};
  if (Result<void> ok = passAll(c, element, checks); !ok) return ok;
  return c.checkNumbers(element, ParameterBlock::Material, material);
}

/// A notice where the grid cannot resolve a volume.
void inspectThickness(Compilation& c, const DeformableSpec& spec) {
  const double h = c.scene.gridSpacing;
  const std::optional<double> thickness = thinnestPart(spec.shape);
  if (!thickness || *thickness > kCellsAcross * h * (1 - 1e-9)) return;
  c.notice(elementOf(spec),
           "its thinnest part is " + millimetres(*thickness) + ", less than two cells of " + millimetres(h) +
               ": it will be too stiff and will stick together; write grid: {spacing: …} of at most " +
               millimetres(*thickness / kCellsAcross));
}

/// A word where particles are so few that the grid can deform between them unnoticed.
void inspectSampling(Compilation& c, const DeformableSpec& spec, double particleSpacing) {
  const double h = c.scene.gridSpacing, perCell = std::pow(h / particleSpacing, 3);
  if (perCell >= kFewPerCell) return;
  c.notices.push_back(
      {Notice::Level::Info, c.where(elementOf(spec)),
       fixed(perCell, 1) + " particles per cell of " + millimetres(h) +
           ", where 8 are usual: how stiff it is depends on where they lie in the cells, and on the "
           "method; take more particles, or write grid: {spacing: …} of at least " +
           millimetres(particleSpacing * std::cbrt(kFewPerCell))});
}

/// Index of a deformable's material.
Result<int> findMaterial(const Compilation& c, const DeformableSpec& spec) {
  const std::vector<std::string>& names = c.model.materials;
  const auto found = std::find(names.begin(), names.end(), spec.material);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  return c.unknown(elementOf(spec).at("material"), "material", spec.material, names);
}

Result<DeformableNodes> fillVolume(const Compilation& c, const DeformableSpec& spec) {
  Result<SampledShape> sampled =
      sampleShape(spec.shape, spec.sampling, c.scene.gridSpacing, c.options.progress);
  if (!sampled) return c.invalid(elementOf(spec), sampled.error().what, sampled.error().remedy);
  DeformableNodes nodes;
  nodes.volumes.assign(sampled->points.size(), sampled->volumePerParticle);
  nodes.points = std::move(sampled->points);
  nodes.spacing = std::cbrt(sampled->volumePerParticle);
  return nodes;
}

Result<void> checkCloth(const Compilation& c, const DeformableSpec& spec) {
  const Element element = elementOf(spec);
  if (!spec.sheet && !std::holds_alternative<shape::Mesh>(spec.shape))
    return c.invalid(element, "cloth has no volume to fill",
                     "use the shape 'sheet' or 'mesh', or another material");
  if (spec.sheet && (!positive(spec.sheet->size.x()) || !positive(spec.sheet->size.y())))
    return c.invalid(element, "the sheet's size is not positive", "write size: [x, y] in metres");
  if (spec.sheet && (spec.sheet->count[0] < 2 || spec.sheet->count[1] < 2))
    return c.invalid(element, "the sheet has fewer than two vertices along an edge", "write count: [nx, ny]");
  return {};
}

/// Vertices, then the centroids of the triangles; a triangle's volume is shared ¼ to each of its corners and
/// to its centroid (Jiang et al. 2017).
Result<DeformableNodes> layCloth(const Compilation& c, const DeformableSpec& spec,
                                 const MaterialParameters& parameters) {
  if (Result<void> ok = checkCloth(c, spec); !ok) return ok.error();
  const TriangleMesh mesh = spec.sheet ? sheetMesh(*spec.sheet) : *std::get<shape::Mesh>(spec.shape).mesh;
  Result<ClothMesh> cloth = buildClothMesh(mesh.vertices, mesh.triangles, parameters);
  if (!cloth) return c.invalid(elementOf(spec), cloth.error().what, cloth.error().remedy);
  DeformableNodes nodes;
  nodes.points = mesh.vertices;
  nodes.volumes.assign(mesh.vertices.size(), 0);
  double area = 0;
  for (std::size_t t = 0; t < cloth->triangles.size(); ++t) {
    Vec3 sum = Vec3::Zero();
    for (const int v : cloth->triangles[t]) {
      nodes.volumes[static_cast<std::size_t>(v)] += cloth->volume[t] / 4;
      sum += mesh.vertices[static_cast<std::size_t>(v)];
    }
    nodes.points.push_back(sum / 3);
    nodes.volumes.push_back(cloth->volume[t] / 4);
    area += cloth->volume[t] / parameters.thickness;
  }
  nodes.spacing = std::sqrt(area / static_cast<double>(nodes.points.size()));
  nodes.surface = surfaceOf(*cloth, parameters.thickness);
  nodes.discretization = std::make_shared<const ClothMesh>(std::move(*cloth));
  return nodes;
}

Deformable deformableOf(const DeformableSpec& spec, const MaterialParameters& parameters, int material) {
  Deformable deformable;
  deformable.name = spec.name;
  deformable.material = parameters;
  deformable.materialIndex = material;
  deformable.apicDamping = spec.apicDamping;
  deformable.color = spec.color;
  deformable.visible = spec.visible;
  deformable.draw = spec.draw;
  return deformable;
}

/// Where its nodes start, and how fast.
void place(const DeformableNodes& made, const DeformableSpec& spec, double density, SoftNodes& nodes) {
  for (std::size_t i = 0; i < made.points.size(); ++i) {
    const Vec3 arm = spec.X_WD.R * made.points[i];
    nodes.x.push_back(spec.X_WD.p + arm);
    nodes.v.push_back(spec.velocity + spec.angularVelocity.cross(arm));
    nodes.velocityGradient.push_back(skew(spec.angularVelocity));
    nodes.volume.push_back(made.volumes[i]);
    nodes.mass.push_back(density * made.volumes[i]);
  }
}

Result<void> addNodes(Compilation& c, const DeformableSpec& spec, int material) {
  const MaterialParameters& parameters = c.model.tuning.materials[static_cast<std::size_t>(material)];
  const Discretize discretize = c.model.discretize ? c.model.discretize : asParticles;
  Result<DeformableNodes> made = discretize(c, spec, parameters);
  if (!made) return made.error();
  Deformable deformable = deformableOf(spec, parameters, material);
  deformable.begin = static_cast<int>(c.model.nodeCount());
  place(*made, spec, parameters.density, c.model.nodes);
  deformable.end = static_cast<int>(c.model.nodeCount());
  deformable.spacing = made->spacing;
  deformable.resolution = made->resolution;
  deformable.surface = std::move(made->surface);
  deformable.discretization = std::move(made->discretization);
  c.model.deformables.push_back(std::move(deformable));
  return {};
}

}  // namespace

Result<DeformableNodes> asParticles(Compilation& c, const DeformableSpec& spec,
                                    const MaterialParameters& material) {
  const bool isCloth = material.model == MaterialModel::Cloth;
  if (!isCloth) inspectThickness(c, spec);
  if (spec.sheet && !isCloth)
    return c.invalid(elementOf(spec), "a sheet has no volume for the material '" + spec.material + "'",
                     "use a material of the model 'cloth', or another shape");
  Result<DeformableNodes> nodes = isCloth ? layCloth(c, spec, material) : fillVolume(c, spec);
  if (nodes && !isCloth && material.model != MaterialModel::Liquid) inspectSampling(c, spec, nodes->spacing);
  return nodes;
}

Result<void> compileDeformables(Compilation& c) {
  std::set<std::string> materials, deformables;
  for (const MaterialSpec& material : c.scene.materials) {
    if (!materials.insert(material.name).second)
      return c.invalid(elementOf("material", "materials", material.name), "two materials have this name",
                       "rename one of them");
    c.model.materials.push_back(material.name);
    c.model.tuning.materials.push_back(material.parameters);
    if (Result<void> ok = checkMaterial(c, material.name, c.model.materials.size() - 1); !ok) return ok;
  }
  for (const DeformableSpec& spec : c.scene.deformables) {
    const Element element = elementOf(spec);
    if (!deformables.insert(spec.name).second)
      return c.invalid(element, "two deformables have this name", "rename one of them");
    if (!spec.X_WD.R.allFinite() || !spec.X_WD.p.allFinite() || !spec.velocity.allFinite() ||
        !spec.angularVelocity.allFinite())
      return c.invalid(element, "its pose or velocity is not a number", "write finite numbers");
    c.model.tuning.apicDamping.push_back(spec.apicDamping);
    if (Result<void> ok =
            c.checkNumbers(element, ParameterBlock::Deformable, c.model.tuning.apicDamping.size() - 1);
        !ok)
      return ok;
    if (!(spec.sampling.particlesPerCell > 0) || (spec.sampling.spacing && !(*spec.sampling.spacing > 0)))
      return c.invalid(element, "its sampling is not positive",
                       "write particles_per_cell or spacing greater than 0");
    const Result<int> material = findMaterial(c, spec);
    if (!material) return material.error();
    const MaterialParameters& parameters = c.model.tuning.materials[static_cast<std::size_t>(*material)];
    if (hasParameter(materialFacts(parameters.model), "yield_stress") &&
        !std::isfinite(parameters.yieldStress))
      c.notice(element,
               "the material '" + spec.material + "' can yield but has no yield_stress: it stays elastic");
    const auto done = static_cast<double>(deformables.size() - 1);
    if (!c.goesOn(
            c.model.discretize ? "discretizing " + spec.name : "filling " + spec.name + " with particles",
            done / static_cast<double>(c.scene.deformables.size())))
      return c.cancelled();
    if (Result<void> added = addNodes(c, spec, *material); !added) return added;
  }
  return {};
}

Result<void> compileContactLaws(Compilation& c) {
  Model& model = c.model;
  model.softPairs.clear();
  for (std::size_t d = 0; d < model.deformables.size(); ++d)
    for (std::size_t g = 0; g < model.geometries.size(); ++g)
      model.softPairs.push_back({.enabled = c.contactOf(g).enabled.value_or(true)});
  if (Result<void> applied = applyDeformableRules(c); !applied) return applied;
  // Distance grids cost time and memory: only where particles can touch the mesh.
  for (std::size_t g = 0; g < model.geometries.size(); ++g) {
    Geometry& geometry = model.geometries[g];
    const auto* mesh = std::get_if<shape::Mesh>(&geometry.shape);
    bool touched = false;
    for (std::size_t d = 0; d < model.deformables.size(); ++d) touched |= model.softPair(d, g).enabled;
    if (!mesh || !touched) continue;
    if (!c.goesOn("building the distance grid of " + geometry.name,
                  static_cast<double>(g) / static_cast<double>(model.geometries.size())))
      return c.cancelled();
    Result<std::shared_ptr<const SdfGrid>> sdf =
        SdfGridCache::shared().gridOf(*mesh->mesh, c.options.progress);
    if (sdf) {
      geometry.sdf = *sdf;
      continue;
    }
    if (sdf.error().code == ErrorCode::Cancelled) return c.cancelled();
    if (c.geometryIsAuthored[g])
      return c.invalid(shapeElement(c, geometry), sdf.error().what, sdf.error().remedy);
    c.notice(shapeElement(c, geometry), "no contact with particles: " + sdf.error().what);
    for (std::size_t d = 0; d < model.deformables.size(); ++d)
      model.softPairs[d * model.geometries.size() + g].enabled = false;
  }
  return {};
}

}  // namespace slipstick
