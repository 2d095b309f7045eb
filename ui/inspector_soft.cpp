// What the inspector says of deformables, their materials and boundaries.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/model/soft_surface.h"
#include "render/boundary_surfaces.h"
#include "ui/inspector.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

QString materialText(const MaterialParameters& material) {
  const std::string_view name = materialFacts(material.model).name;
  return QString::fromUtf8(name.data(), static_cast<int>(name.size())).replace('_', ' ');
}

/// What a boundary does to what comes to it.
QString boundaryTip(BoundaryKind kind) {
  switch (kind) {
    case BoundaryKind::Sticky:
      return Inspector::tr("What is inside moves with it");
    case BoundaryKind::Slip:
      return Inspector::tr("What touches it slides along it and cannot leave it");
    case BoundaryKind::Separate:
      break;
  }
  return Inspector::tr("What touches it slides along it and may leave it");
}

/// Of the particles [begin, end), in units of 1 / scale.
QString largestOf(const std::vector<float>& values, int begin, int end, double scale) {
  if (values.size() < static_cast<std::size_t>(end) || begin == end) return QString(QChar(0x2013));
  const float largest = *std::max_element(values.begin() + begin, values.begin() + end);
  return significant(scale * static_cast<double>(largest));
}

}  // namespace

void Inspector::showDeformable(int deformable) {
  const auto model = session_.model();
  const auto index = static_cast<std::size_t>(deformable);
  const Deformable& d = model->deformables[index];
  const auto begin = d.begin, end = d.end;
  const SoftSurface surface = surfaceOf(d);
  heading(QString::fromStdString(d.name), surface.isSheet ? tr("cloth") : tr("deformable"));
  fact(tr("particles"), {}, [=](const Snapshot&) { return grouped(static_cast<std::size_t>(end - begin)); });
  if (!surface.triangles.empty()) {
    const std::size_t vertices = surface.vertexCount, triangles = surface.triangles.size();
    fact(tr("vertices"), {}, [=](const Snapshot&) { return grouped(vertices); });
    fact(tr("triangles"), {}, [=](const Snapshot&) { return grouped(triangles); });
  }
  constant(tr("mass"), "kg",
           std::accumulate(model->nodes.mass.begin() + begin, model->nodes.mass.begin() + end, 0.0));
  addLook();
  fact(tr("material"), {},
       [model, index](const Snapshot&) { return materialText(model->deformables[index].material); });
  showMaterial(d.materialIndex);
  addParameters();
  heading(tr("state"));
  fact(tr("size"), "m", [index](const Snapshot& s) {
    return vectorText(s.deformables[index].upper - s.deformables[index].lower, 3);
  });
  fact(tr("volume"), "L",
       [index](const Snapshot& s) { return significant(s.deformables[index].volume * 1e3); });
  plottable({plotOf(d.name + ".volume", "m^3")});
  fact(tr("center"), "m", [index](const Snapshot& s) { return vectorText(s.deformables[index].center, 3); });
  plottable({plotOfVector(d.name + ".", QString::fromStdString(d.name), "m")});
  fact(tr("velocity"), "m/s",
       [index](const Snapshot& s) { return vectorText(s.deformables[index].velocity, 3); });
  plottable({plotOfVector(d.name + ".v", QString::fromStdString(d.name), "m/s")});
  fact(tr("elastic energy"), "J",
       [index](const Snapshot& s) { return significant(s.deformables[index].elasticEnergy); });
  fact(
      tr("largest stress"), "kPa", [=](const Snapshot& s) { return largestOf(s.stress, begin, end, 1e-3); },
      tr("Of any particle: von Mises equivalent of the Kirchhoff stress"));
  fact(tr("largest pressure"), "kPa",
       [=](const Snapshot& s) { return largestOf(s.pressure, begin, end, 1e-3); });
}

/// What a material is besides its parameters, and what follows from them.
void Inspector::showMaterial(int material) {
  const auto index = static_cast<std::size_t>(material);
  const MaterialParameters& ofFile = session_.model()->tuning.materials[index];
  constant(tr("density"), "kg/m³", ofFile.density);
  const auto now = [this, index](const auto& text) {
    return [this, index, text](const Snapshot&) -> QString {
      return text(session_.numbers().tuning().materials[index]);
    };
  };
  if (ofFile.model == MaterialModel::Cloth) constant(tr("thickness"), "mm", ofFile.thickness * 1e3);
  if (ofFile.model == MaterialModel::DruckerPrager)
    fact(tr("friction angle"), "°", now([](const MaterialParameters& m) {
           return significant(m.sandHardening[0] - m.sandHardening[3]);
         }),
         tr("Of sand that has not flowed yet"));
  if (ofFile.model == MaterialModel::Liquid)
    fact(tr("pulled apart"), {},
         now([](const MaterialParameters& m) { return m.largestJ <= 1 ? tr("parts") : tr("resists"); }));
  fact(ofFile.model == MaterialModel::Liquid ? tr("speed of sound") : tr("wave speed"), "m/s",
       now([](const MaterialParameters& m) { return significant(m.waveSpeed()); }),
       tr("Of compression waves at rest"));
}

void Inspector::showBoundary(int boundary) {
  const auto model = session_.model();
  const Boundary& b = model->boundaries[static_cast<std::size_t>(boundary)];
  heading(QString::fromStdString(b.name), tr("boundary"));
  fact(
      tr("kind"), {}, [kind = b.kind](const Snapshot&) { return boundaryWord(kind); }, boundaryTip(b.kind));
  fact(tr("acts"), {},
       [b](const Snapshot& s) { return render::actsAt(b, s.time) ? tr("now") : tr("not now"); });
  constant(tr("from"), "s", b.from);
  if (std::isfinite(b.until))
    constant(tr("until"), "s", b.until);
  else
    fact(tr("until"), {}, [](const Snapshot&) { return tr("the end"); });
  const auto pressed = [boundary](const Snapshot& s, const auto& text) {
    const auto index = static_cast<std::size_t>(boundary);
    return index < s.boundaryForce.size() ? text(s.boundaryForce[index]) : QString(QChar(0x2013));
  };
  fact(
      tr("force on it"), "N",
      [pressed](const Snapshot& s) {
        return pressed(s, [](const Vec3& f) { return significant(f.norm()); });
      },
      tr("Of the particles"));
  plottable({plotOfVector(b.name + ".force.", QString::fromStdString(b.name), "N")});
  fact(tr("x, y, z"), "N",
       [pressed](const Snapshot& s) { return pressed(s, [](const Vec3& f) { return vectorText(f, 1); }); });
  plottable({plotOfVector(b.name + ".force.", QString::fromStdString(b.name), "N")});
  addLook();
  addParameters();
  heading(tr("shape"), shapeWord(b.shape));
  if (const auto* box = std::get_if<shape::Box>(&b.shape))
    fact(tr("size"), "m",
         [size = Vec3(2 * box->halfExtents)](const Snapshot&) { return vectorText(size, 3); });
  if (const auto* sphere = std::get_if<shape::Sphere>(&b.shape)) constant(tr("radius"), "m", sphere->radius);
  fact(tr("position"), "m",
       [model, b](const Snapshot& s) { return vectorText(model->boundaryPose(b, s.time).p, 3); });
  if (std::holds_alternative<shape::Plane>(b.shape))
    fact(tr("normal"), {},
         [model, b](const Snapshot& s) { return vectorText(model->boundaryPose(b, s.time).R.col(2), 2); });
  if (b.path < 0) return;
  const std::string path = model->paths[static_cast<std::size_t>(b.path)].name;
  fact(tr("follows"), {}, [path](const Snapshot&) { return QString::fromStdString(path); });
  fact(tr("speed"), "m/s", [model, b](const Snapshot& s) {
    const double dt = model->time.dt;
    const Vec3 moved = model->boundaryPose(b, s.time + dt).p - model->boundaryPose(b, s.time).p;
    return significant(moved.norm() / dt);
  });
}

}  // namespace slipstick::ui
