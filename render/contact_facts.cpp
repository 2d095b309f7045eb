#include "render/contact_facts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::render {

int findContact(const Snapshot& snapshot, const ContactKey& key) {
  const auto found = std::find_if(snapshot.contacts.begin(), snapshot.contacts.end(),
                                  [&key](const Contact& c) { return c.key() == key; });
  return found == snapshot.contacts.end() ? -1 : static_cast<int>(found - snapshot.contacts.begin());
}

Pose frameOf(const Model& model, const Snapshot& snapshot, const ContactSide& side) {
  if (side.isSoft()) {
    const auto d = static_cast<std::size_t>(side.deformable);
    return d < snapshot.deformables.size() ? Pose::translation(snapshot.deformables[d].center) : Pose{};
  }
  const Geometry& geometry = model.geometries[static_cast<std::size_t>(side.geometry)];
  return snapshot.X_WB[static_cast<std::size_t>(geometry.body)] * geometry.X_BG;
}

double particleSpacing(const Model& model, const ContactPair& pair) {
  double spacing = 0;
  for (const PairSide& side : {pair.a, pair.b})
    if (side.isSoft())
      spacing = std::max(spacing, model.deformables[static_cast<std::size_t>(side.deformable)].spacing);
  return spacing;
}

double frictionUsed(const Contact& contact) {
  if (!(contact.frictionBound > 0)) return 0;
  return std::min(1.0, contact.frictionForce().norm() / contact.frictionBound);
}

double creepSpeed(const Model& model, const Contact& contact) {
  const double x = frictionUsed(contact);
  if (x >= 1) return std::numeric_limits<double>::infinity();
  return model.rigidSolver.stictionSpeed * x / std::sqrt(1 - x * x);
}

double regularizationSpeed(const Contact& contact) {
  const double x = frictionUsed(contact);
  return x > 0 ? contact.slipSpeed * std::sqrt(1 - x * x) / x : 0;
}

PatchFacts factsOf(const PressurePatch& patch) {
  PatchFacts facts;
  double force = 0;
  std::size_t begin = 0;
  for (const std::int32_t polygonEnd : patch.polygonEnds) {
    const auto end = static_cast<std::size_t>(polygonEnd);
    for (std::size_t i = begin + 1; i + 1 < end; ++i) {
      const auto &a = patch.vertices[begin], &b = patch.vertices[i], &c = patch.vertices[i + 1];
      const double area = 0.5 * static_cast<double>((b.p_W - a.p_W).cross(c.p_W - a.p_W).norm());
      facts.area += area;
      force +=
          area * static_cast<double>(a.pressure + b.pressure + c.pressure) / 3;  // linear over a triangle
    }
    begin = end;
  }
  for (const PressurePatch::Vertex& v : patch.vertices)
    facts.largestPressure = std::max(facts.largestPressure, static_cast<double>(v.pressure));
  if (facts.area > 0) facts.meanPressure = force / facts.area;
  return facts;
}

const PressurePatch* patchOf(const Snapshot& snapshot, const Contact& contact) {
  const auto index = static_cast<std::size_t>(contact.patch);
  return contact.patch >= 0 && index < snapshot.patches.size() ? &snapshot.patches[index] : nullptr;
}

Unit pressureUnit(double pressure) {
  if (pressure >= 1e9) return {"GPa", 1e9};
  if (pressure >= 1e6) return {"MPa", 1e6};
  if (pressure >= 1e3) return {"kPa", 1e3};
  return {"Pa", 1};
}

}  // namespace slipstick::render
