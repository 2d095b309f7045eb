#include "engine/compile/sampling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>
#include <variant>

#include "engine/compile/shape_mass.h"
#include "engine/geometry/sdf_grid_cache.h"
#include "engine/geometry/shape_lowering.h"
#include "engine/geometry/signed_distance.h"
#include "engine/geometry/triangle_mesh.h"

namespace slipstick {
namespace {

constexpr double kMaxParticles = 2e7;
/// Volume per point of Bridson's process over the cube of its radius: a start value, corrected by the first
/// cloud.
constexpr double kPoissonVolume = 1.45;

Aabb boundsOf(const Shape& shape) {
  Vec3 half = Vec3::Zero();
  if (const auto* s = std::get_if<shape::Sphere>(&shape)) half.setConstant(s->radius);
  if (const auto* b = std::get_if<shape::Box>(&shape)) half = b->halfExtents;
  if (const auto* c = std::get_if<shape::Capsule>(&shape))
    half = {c->radius, c->radius, c->length / 2 + c->radius};
  if (const auto* c = std::get_if<shape::Cylinder>(&shape)) half = {c->radius, c->radius, c->length / 2};
  if (const auto* e = std::get_if<shape::Ellipsoid>(&shape)) half = e->radii;
  if (const auto* m = std::get_if<shape::Mesh>(&shape)) return slipstick::boundsOf(*m->mesh);
  return {-half, half};
}

std::vector<Vec3> lattice(const Aabb& bounds, const std::array<int, 3>& count) {
  std::vector<Vec3> points;
  const Vec3 size = bounds.upper - bounds.lower;
  const Vec3 step(size.x() / count[0], size.y() / count[1], size.z() / count[2]);
  for (int i = 0; i < count[0]; ++i)
    for (int j = 0; j < count[1]; ++j)
      for (int k = 0; k < count[2]; ++k)
        points.push_back(bounds.lower + step.cwiseProduct(Vec3(i + 0.5, j + 0.5, k + 0.5)));
  return points;
}

std::array<int, 3> latticeCount(const Aabb& bounds, double spacing, bool isBox) {
  std::array<int, 3> count;
  for (int a = 0; a < 3; ++a) {
    const double cells = (bounds.upper[a] - bounds.lower[a]) / spacing;
    // A box is filled without gaps by slightly oblong cells; other shapes keep cubic cells around their
    // centre.
    count[static_cast<std::size_t>(a)] =
        std::max(1, static_cast<int>(isBox ? std::lround(cells) : std::lround(std::ceil(cells - 1e-9))));
  }
  return count;
}

/// The box widened to a whole number of cubic cells around the centre.
Aabb widened(const Aabb& bounds, const std::array<int, 3>& count, double spacing) {
  const Vec3 centre = (bounds.lower + bounds.upper) / 2;
  const Vec3 half = spacing / 2 * Vec3(count[0], count[1], count[2]);
  return {centre - half, centre + half};
}

/// Uniform in [0, 1), the same on every machine (the standard library's distributions are not).
double uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1.0p-53;
}

/// Points at least `radius` apart, found by throwing darts into the shell around accepted points (Bridson
/// 2007).
class PoissonDisk {
 public:
  PoissonDisk(const GeometryShape<double>& shape, const Aabb& bounds, double radius, unsigned seed)
      : shape_(shape), bounds_(bounds), radius_(radius), cell_(radius / std::sqrt(3.0)), random_(seed) {
    // Points lie inside the shape and so inside its bounds.
    for (int a = 0; a < 3; ++a) size_[a] = cellOf(bounds_.upper, a) + 1;
    cells_.assign(indexOf(size_[0] - 1, size_[1] - 1, size_[2] - 1) + 1, -1);
  }

  /// Ends early once the load is cancelled.
  std::vector<Vec3> sample(const LoadProgress* progress) {
    for (int tries = 0; tries < kStartTries && points_.empty(); ++tries) {
      const Vec3 unit(uniform(random_), uniform(random_), uniform(random_));
      accept(bounds_.lower + unit.cwiseProduct(bounds_.upper - bounds_.lower));
    }
    std::vector<std::size_t> active;
    if (!points_.empty()) active.push_back(0);
    while (!active.empty() && !isCancelled(progress)) {
      const std::size_t slot =
          static_cast<std::size_t>(uniform(random_) * static_cast<double>(active.size()));
      const Vec3 centre = points_[active[slot]];
      bool found = false;
      for (int tries = 0; tries < kTries && !found; ++tries) found = accept(centre + shellOffset());
      if (found) {
        active.push_back(points_.size() - 1);
      } else {
        active[slot] = active.back();
        active.pop_back();
      }
    }
    return points_;
  }

 private:
  static constexpr int kTries = 30, kStartTries = 100000;
  /// Centres keep this part of the radius from the surface: a particle stands for a volume around it.
  static constexpr double kInset = 0.3;

  Vec3 shellOffset() {
    const double z = 2 * uniform(random_) - 1, angle = 2 * std::numbers::pi * uniform(random_);
    const double r = radius_ * std::cbrt(1 + 7 * uniform(random_));  // uniform in volume between r and 2r
    const double across = std::sqrt(1 - z * z);
    return r * Vec3(across * std::cos(angle), across * std::sin(angle), z);
  }

  /// Index of the cell that holds p along one axis; a cell's diagonal is the radius, so it holds one point at
  /// most.
  int cellOf(const Vec3& p, int axis) const {
    return static_cast<int>(std::floor((p[axis] - bounds_.lower[axis]) / cell_));
  }

  bool accept(const Vec3& p) {
    if (signedDistance(shape_, p) > -kInset * radius_) return false;
    int lower[3], upper[3];
    for (int a = 0; a < 3; ++a) {
      lower[a] = std::max(cellOf(p, a) - 2, 0);
      upper[a] = std::min(cellOf(p, a) + 2, size_[a] - 1);
    }
    for (int i = lower[0]; i <= upper[0]; ++i)
      for (int j = lower[1]; j <= upper[1]; ++j)
        for (int k = lower[2]; k <= upper[2]; ++k) {
          const int other = cells_[indexOf(i, j, k)];
          if (other >= 0 && (points_[static_cast<std::size_t>(other)] - p).squaredNorm() < radius_ * radius_)
            return false;
        }
    cells_[indexOf(cellOf(p, 0), cellOf(p, 1), cellOf(p, 2))] = static_cast<int>(points_.size());
    points_.push_back(p);
    return true;
  }

  std::size_t indexOf(int i, int j, int k) const {
    return (static_cast<std::size_t>(i) * static_cast<std::size_t>(size_[1]) + static_cast<std::size_t>(j)) *
               static_cast<std::size_t>(size_[2]) +
           static_cast<std::size_t>(k);
  }

  const GeometryShape<double>& shape_;
  Aabb bounds_;
  double radius_, cell_;
  std::mt19937_64 random_;
  std::vector<Vec3> points_;
  int size_[3] = {1, 1, 1};
  std::vector<int> cells_;  ///< index of the cell's point, or −1
};

/// The process sets its own density; three clouds, each with the radius corrected by the one before, reach
/// the wanted count.
std::vector<Vec3> poissonCloud(const GeometryShape<double>& shape, const Aabb& bounds, double wantedCount,
                               double volume, unsigned seed, const LoadProgress* progress) {
  double radius = std::cbrt(volume / wantedCount / kPoissonVolume);
  std::vector<Vec3> best;
  for (int round = 0; round < 4; ++round) {
    std::vector<Vec3> points = PoissonDisk(shape, bounds, radius, seed).sample(progress);
    if (isCancelled(progress)) break;
    const double count = static_cast<double>(points.size());
    if (best.empty() ||
        std::abs(count - wantedCount) < std::abs(static_cast<double>(best.size()) - wantedCount))
      best = std::move(points);
    if (std::abs(count - wantedCount) <= 0.002 * wantedCount) break;
    radius *= std::cbrt(std::max(count, 0.5) / wantedCount);
  }
  return best;
}

Error noParticles() {
  return {ErrorCode::InvalidValue, "the shape holds no particle", "",
          "make the shape larger, or the spacing (or grid.spacing) smaller"};
}

}  // namespace

double signedDistance(const GeometryShape<double>& shape, const Vec3& p_G) {
  return signedDistance<double>(shape, lanes::V3<double>{p_G.x(), p_G.y(), p_G.z()}).phi;
}

Result<SampledShape> sampleShape(const Shape& shape, const SamplingSpec& spec, double h,
                                 const LoadProgress* progress) {
  Result<MassProperties> mass = massProperties(shape);
  if (!mass) return mass.error();
  std::shared_ptr<const SdfGrid> sdf;
  if (const auto* m = std::get_if<shape::Mesh>(&shape)) {
    Result<std::shared_ptr<const SdfGrid>> built = SdfGridCache::shared().gridOf(*m->mesh, progress);
    if (!built) return built.error();
    sdf = *built;
  }
  const double volume = mass->volume;
  const double spacing = spec.spacing ? *spec.spacing : h / std::cbrt(spec.particlesPerCell);
  const Aabb bounds = boundsOf(shape);
  const GeometryShape<double> lowered = lowerShape<double>(shape, sdf.get());
  const bool isBox = std::holds_alternative<shape::Box>(shape);
  if (spec.count && !isBox)
    return Error{ErrorCode::InvalidValue, "'count' fills boxes only", "",
                 "use 'spacing' or 'particles_per_cell'"};
  const double cells = spec.count
                           ? static_cast<double>((*spec.count)[0]) * (*spec.count)[1] * (*spec.count)[2]
                           : (bounds.upper - bounds.lower).prod() / std::pow(spacing, 3);
  if (!(cells < kMaxParticles))
    return Error{ErrorCode::InvalidValue, "the shape would hold more than 20 million particles", "",
                 "make the spacing (or grid.spacing) larger"};

  SampledShape sampled;
  if (spec.kind == SamplingSpec::Kind::Poisson) {
    const double wanted = spec.count ? cells : volume / std::pow(spacing, 3);
    if (wanted < 0.5) return noParticles();
    sampled.points = poissonCloud(lowered, bounds, wanted, volume, spec.seed, progress);
  } else {
    if (!spec.count && (bounds.upper - bounds.lower).maxCoeff() < spacing / 2) return noParticles();
    const std::array<int, 3> count = spec.count ? *spec.count : latticeCount(bounds, spacing, isBox);
    for (const Vec3& p : lattice(isBox ? bounds : widened(bounds, count, spacing), count))
      if (!isCancelled(progress) && signedDistance(lowered, p) < 0) sampled.points.push_back(p);
  }
  if (isCancelled(progress)) return cancelledLoad("");
  if (sampled.points.empty()) return noParticles();
  sampled.volumePerParticle = volume / static_cast<double>(sampled.points.size());
  return sampled;
}

}  // namespace slipstick
