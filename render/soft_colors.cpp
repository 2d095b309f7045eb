#include "render/soft_colors.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/model/soft_surface.h"
#include "render/contact_facts.h"
#include "render/palette.h"

namespace slipstick::render {
namespace {

struct Quantity {
  ParticleColor color;
  const char* name;
  std::vector<float> Snapshot::*values;
  ParticleColumns::Column column;
};
constexpr std::array<Quantity, 4> kQuantities = {
    {{ParticleColor::Stress, "von Mises stress", &Snapshot::stress, ParticleColumns::Stress},
     {ParticleColor::Pressure, "pressure", &Snapshot::pressure, ParticleColumns::Pressure},
     {ParticleColor::PlasticStrain, "plastic strain", &Snapshot::plasticStrain,
      ParticleColumns::PlasticStrain},
     {ParticleColor::Speed, "speed", &Snapshot::speed, ParticleColumns::Speed}}};

/// Null for colours that mean no number.
const Quantity* quantityOf(ParticleColor color) {
  const auto found = std::find_if(kQuantities.begin(), kQuantities.end(),
                                  [color](const Quantity& quantity) { return quantity.color == color; });
  return found == kQuantities.end() ? nullptr : &*found;
}

Unit unitFor(ParticleColor quantity, double maximum) {
  switch (quantity) {
    case ParticleColor::Stress:
    case ParticleColor::Pressure:
      return pressureUnit(maximum);
    case ParticleColor::Speed:
      if (maximum < 0.1) return {"mm/s", 1e-3};
      return {"m/s", 1};
    default:
      return {"", 1};
  }
}

/// A liquid that cannot be pulled has no pressure below zero.
bool mayBeNegative(const MaterialParameters& m) {
  return !(m.model == MaterialModel::Liquid && m.largestJ <= 1);
}

/// The value that a part of the values stays below.
double quantile(std::vector<float>& values, double part) {
  if (values.empty()) return 0;
  const auto rank = static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return static_cast<double>(values[static_cast<std::size_t>(rank)]);
}

/// One wild particle must not wash the picture out.
constexpr double kQuantile = 0.98;

}  // namespace

SoftColors::SoftColors(const Model& model, const Snapshot& snapshot, const ViewOptions& options,
                       const Looks& looks)
    : mapped_(model.deformables.size(), false) {
  const bool automatic = options.particleColor == ParticleColor::Automatic;
  quantity_ = automatic ? ParticleColor::Stress : options.particleColor;
  const Quantity* const quantity = quantityOf(quantity_);
  if (!quantity || (snapshot.*quantity->values).size() != snapshot.particles.size()) return;
  values_ = &(snapshot.*quantity->values);
  column_ = quantity->column;
  std::vector<float> seen;
  for (std::size_t i = 0; i < model.deformables.size(); ++i) {
    const Deformable& d = model.deformables[i];
    mapped_[i] = looks.deformable(static_cast<int>(i)).visible &&
                 !(automatic && materialFacts(d.material.model).keepsItsColor);
    if (!mapped_[i]) continue;
    const auto own = surfaceOf(d).of(*values_);
    std::copy_if(own.begin(), own.end(), std::back_inserter(seen), [](float v) { return std::isfinite(v); });
    bar_.diverging |= quantity_ == ParticleColor::Pressure && mayBeNegative(d.material);
  }
  if (seen.empty()) {
    mapped_.assign(mapped_.size(), false);
    return;
  }
  const double high = std::max(quantile(seen, kQuantile), floorOf(model));
  setScale(quantile(seen, 1 - kQuantile), high, options);
  bar_.title = title(model);
}

void SoftColors::setScale(double low, double high, const ViewOptions& options) {
  const double automatic = roundUp125(bar_.diverging ? std::max(-low, high) : high);
  const double maximum = options.colorMax > 0 ? options.colorMax : automatic;
  const Unit unit = unitFor(quantity_, maximum);
  bar_.unit = unit.name;
  bar_.max = maximum / unit.size;
  bar_.min = bar_.diverging ? -bar_.max : 0;
  scale_.low = static_cast<float>(bar_.min * unit.size);
  scale_.perUnit = static_cast<float>(1 / (maximum - static_cast<double>(scale_.low)));
  scale_.diverging = bar_.diverging;
  scale_.map = bar_.map = options.colorMap;
}

/// The bar's top never goes below: noise must not look like load [SI].
double SoftColors::floorOf(const Model& model) const {
  if (quantity_ != ParticleColor::Stress && quantity_ != ParticleColor::Pressure) return 1e-3;
  double floor = 1e-3;
  for (std::size_t i = 0; i < mapped_.size(); ++i) {
    const MaterialParameters& m = model.deformables[i].material;
    // The stress of a liquid is viscous: its bulk modulus says nothing about it.
    const bool liquid = m.model == MaterialModel::Liquid;
    if (mapped_[i] && !(liquid && quantity_ == ParticleColor::Stress))
      floor = std::max(floor, 1e-4 * (liquid ? m.bulkModulus : m.E));
  }
  return floor;
}

std::string SoftColors::title(const Model& model) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < mapped_.size(); ++i)
    if (mapped_[i]) names.push_back(model.deformables[i].name);
  std::string who = names.front();
  if (names.size() == 2) who += ", " + names.back();
  if (names.size() > 2) who = std::to_string(names.size()) + " deformables";
  return who + " · " + quantityOf(quantity_)->name;
}

}  // namespace slipstick::render
