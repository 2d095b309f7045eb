#include "render/frame.h"

#include <algorithm>
#include <cmath>

#include "render/contact_arrows.h"
#include "render/contact_facts.h"
#include "render/palette.h"
#include "render/patch_surfaces.h"

namespace slipstick::render {
namespace {

/// A scalar per particle with what the colour bar says about it.
struct Quantity {
  const std::vector<float>* values = nullptr;
  const char* name = "";
  double floor = 0;  ///< the bar's top never goes below: noise must not look like load [SI]
};

Quantity quantityOf(const Model& model, const Snapshot& s, ParticleColor color) {
  double stiffest = 0;
  for (const Deformable& d : model.deformables) stiffest = std::max(stiffest, d.material.E);
  switch (color) {
    case ParticleColor::Stress:
      return {&s.stress, "von Mises stress", 1e-4 * stiffest};
    case ParticleColor::PlasticStrain:
      return {&s.plasticStrain, "plastic strain", 1e-3};
    case ParticleColor::Speed:
      return {&s.speed, "speed", 1e-3};
    case ParticleColor::Plain:
      break;
  }
  return {};
}

/// The value that 99 % of the particles stay below: one wild particle must not wash the picture out.
double robustMaximum(std::vector<float> values) {
  if (values.empty()) return 0;
  const auto rank = static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

Unit unitFor(ParticleColor color, double maximum) {
  switch (color) {
    case ParticleColor::Stress:
      return pressureUnit(maximum);
    case ParticleColor::Speed:
      if (maximum < 0.1) return {"mm/s", 1e-3};
      return {"m/s", 1};
    default:
      return {"", 1};
  }
}

std::string barTitle(const Model& model, const char* quantity) {
  return model.deformables.size() == 1 ? model.deformables.front().name + " · " + quantity : quantity;
}

/// Spheres of slightly more than half the spacing close the gaps of a lattice without hiding its grain.
float radiusOf(const Deformable& d) {
  return static_cast<float>(0.54 * d.particleSpacing);
}

void colorParticles(const Model& model, const Snapshot& snapshot, const ViewOptions& options, Frame& frame) {
  frame.particleColors.resize(frame.particles.size());
  const Quantity quantity = quantityOf(model, snapshot, options.particleColor);
  const bool mapped =
      quantity.values && quantity.values->size() == frame.particles.size() && !frame.particles.empty();
  double maximum = 0;
  if (mapped) {
    const double automatic = roundUp125(std::max(robustMaximum(*quantity.values), quantity.floor));
    maximum = options.colorMax > 0 ? options.colorMax : automatic;
    const Unit unit = unitFor(options.particleColor, maximum);
    frame.particleBar = {barTitle(model, quantity.name), unit.name, 0, maximum / unit.size};
  }
  for (const Deformable& d : model.deformables) {
    for (auto i = static_cast<std::size_t>(d.begin); i < static_cast<std::size_t>(d.end); ++i) {
      const Eigen::Vector3f color =
          mapped && maximum > 0 ? toLinear(scalarMap((*quantity.values)[i] / maximum)) : d.color.head<3>();
      frame.particleColors[i] = append(color, radiusOf(d));
    }
  }
}

void addMarks(const Snapshot& snapshot, const ViewOptions& options, Frame& frame) {
  for (const Contact& c : snapshot.contacts) {
    const bool rigidPoint = options.pressure && c.isRigid() && c.patch < 0;
    if (!options.contactPoints && !rigidPoint) continue;
    if (c.mode == ContactMode::Open || c.f_Bc_W.norm() <= options.forceThreshold) continue;
    const bool slips = c.mode == ContactMode::Slip;
    ContactMark mark;
    mark.point = c.p_WC.cast<float>();
    mark.normal = c.normal_W.cast<float>();
    mark.color = append(linear(slips ? palette::kSlip : palette::kStick), 1);
    mark.ring = slips;
    frame.marks.push_back(mark);
  }
}

}  // namespace

Frame buildFrame(const Model& model, const Snapshot& snapshot, const ViewOptions& options,
                 const Selection& selection, double previousMetresPerNewton) {
  SIM_REQUIRE(snapshot.particles.size() == model.particleCount(), snapshot.particles.size(),
              model.particleCount());
  Frame frame;
  frame.time = snapshot.time;
  frame.X_WB = snapshot.X_WB;
  frame.particles = snapshot.particles;
  colorParticles(model, snapshot, options, frame);
  if (options.forces) addArrows(model, snapshot, options, selection, previousMetresPerNewton, frame);
  if (options.pressure) addPatches(model, snapshot, selection, frame);
  addMarks(snapshot, options, frame);
  return frame;
}

}  // namespace slipstick::render
