// The skin of a cloud of particles: where the share of space that they fill, smoothed, passes a level.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

namespace slipstick::render {

struct ParticleCloud {
  std::span<const Eigen::Vector3f> x;  ///< [m]; those that are not finite are left out
  std::span<const double> volume;      ///< of each, at rest [m³]
  std::span<const float> values;       ///< one per particle, to be carried to the surface; or empty
  double spacing = 0;                  ///< of the particles at rest, > 0 [m]
  /// The field is smoothed over 0.6 spacings, which keeps drops and sheets of one layer, or over 0.8, which
  /// evens out an irregular sampling.
  bool extraSmooth = false;
  bool depths = false;  ///< asks for SurfaceMesh::depths
};

struct SurfaceMesh {
  std::vector<Eigen::Vector3f> positions;  ///< [m]
  std::vector<Eigen::Vector3f> normals;    ///< outward, unit
  std::vector<float> values;  ///< per vertex: mean of the particles near it; empty without values
  /// Per vertex: how far the inside goes on below it, along the normal, up to about 12 spacings [m].
  std::vector<float> depths;
  std::vector<std::uint32_t> indices;  ///< triples, counter-clockwise seen from outside
};

/// A closed surface. Particles alone become drops of their volume; edges and corners round off by about the
/// smoothing. Work and memory grow with the particles, not with how far apart they are.
SurfaceMesh particleSurface(const ParticleCloud& cloud);

}  // namespace slipstick::render
