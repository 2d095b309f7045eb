#include "engine/mpm/step_geometry.h"

#include <algorithm>
#include <limits>

#include "engine/model/shape_thickness.h"

namespace slipstick::mpm {

namespace {

/// Of a mesh: twice the largest depth in it, as contact with particles sees it [m].
double thicknessOf(const Geometry& geometry) {
  if (!geometry.sdf) return thinnestPart(geometry.shape).value_or(std::numeric_limits<double>::infinity());
  const std::vector<float>& distance = geometry.sdf->distance;
  return -2.0 * static_cast<double>(*std::min_element(distance.begin(), distance.end()));
}

}  // namespace

std::vector<double> heldReaches(const Model& model) {
  std::vector<double> reaches;
  for (const Geometry& geometry : model.geometries)
    reaches.push_back(thicknessOf(geometry) < model.gridSpacing ? model.gridSpacing : 0);
  return reaches;
}

}  // namespace slipstick::mpm
