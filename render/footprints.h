// Footprints: pressure painted on the surfaces of bodies, with friction as strokes over it. Part of
// buildFrame().
#pragma once

#include "render/footprint_surface.h"
#include "render/frame.h"

namespace slipstick::render {

/// A footprint before it has colours, in the frame of its geometry.
struct PaintedSurface {
  int pair = 0;                       ///< into ContactParts::pairs
  int geometry = 0;                   ///< into Model::geometries
  std::vector<Vec3> points, normals;  ///< [m]
  std::vector<double> areas;          ///< [m²]
  std::vector<double> pressure;       ///< [Pa]; its integral, linear over each triangle, is `force`
  std::vector<double> depth;          ///< [m]
  std::vector<Eigen::Vector3i> triangles;
  double force = 0;             ///< Σ N of the contacts that are spread over it [N]
  Vec3 outward = Vec3::Zero();  ///< sum of the normals, weighted by N
};

/// Spreads the contacts of a pair with one geometry over its surface: a contact presses on the points within
/// the radius R whose normals agree with its own, by (1 − r²/R²)³, normalised by their areas to one. R is three
/// particle spacings, the grid 0.6 of them; both double until the grid is two and a half pixels wide.
/// Contacts that find no surface there are left out of `force`: their indices are appended to `lost`.
PaintedSurface paintParticles(const FrameInput& input, FootprintCache& cache, const PairForce& force,
                              int geometry, std::vector<int>& lost);

/// Fills patches, strokes, their marks, insets and the colour bar for every pair with PairView::footprint,
/// and its PairView::footprintForce. Insets are for what one does not see: the selected pair has one, and with
/// ContactView::Footprints every pair of two bodies, for there the one always hides it, and those with particles
/// where one looks at the back of the surface.
void addFootprints(const FrameInput& input, FootprintCache& cache, ContactParts& parts);

}  // namespace slipstick::render
