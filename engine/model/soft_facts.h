// What soft bodies amount to, and how people see them: what every method that steps some says of their live state.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "engine/foundation/math.h"
#include "engine/model/particle_source.h"
#include "engine/model/snapshot.h"

namespace slipstick {

/// Sums over the particles of one deformable. Angular momentum and kinetic energy include the affine part
/// with D = h²/4: Σm(x × v + D ε:Cᵀ), ½Σm(|v|² + D|C|²) (tests/data/README.md, Totals).
struct DeformableSums {
  double mass = 0;                                                        ///< [kg]
  Vec3 moment = Vec3::Zero();                                             ///< Σ m x [kg m]
  Vec3 momentum = Vec3::Zero();                                           ///< [N s]
  Vec3 angularMomentum = Vec3::Zero();                                    ///< about W's origin [N m s]
  double kineticEnergy = 0;                                               ///< [J]
  double elasticEnergy = 0;                                               ///< [J]
  double volume = 0;                                                      ///< Σ J V⁰, J = det F_E [m³]
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity());   ///< bounding box [m]
  Vec3 upper = Vec3::Constant(-std::numeric_limits<double>::infinity());  ///< bounding box [m]
  double maxSpeed = 0;                                                    ///< [m/s]
  /// The largest square of a particle's wave speed over that of the material at rest [-].
  double stiffening = 1;

  void add(const DeformableSums& part);
};

struct SoftFacts {
  std::vector<DeformableSums> deformables;  ///< per Model deformable
  std::uint64_t hash = 0;                   ///< hashOf(SoftState)

  double mass() const;
  Vec3 momentum() const;
  double maxSpeed() const;
  /// @param gravity  [m/s²]
  Totals totals(const Vec3& gravity) const;
  /// Centre, velocity, box, volume and elastic energy of one deformable. Plastic flow of the von Mises models
  /// is isochoric, so the elastic gradient has the whole change of volume.
  DeformableFacts deformable(std::size_t index) const;
};

/// What people look at, per particle in the model's order.
struct SoftView {
  std::vector<Eigen::Vector3f> x;  ///< [m]
  std::vector<float> speed;        ///< [m/s]
  std::vector<float> stress;    ///< von Mises equivalent of the Kirchhoff stress, √(3/2)‖dev τ‖ [Pa]
  std::vector<float> pressure;  ///< −tr τ / 3 [Pa]
  std::vector<float> plasticStrain;              ///< [-]
  std::shared_ptr<const ParticleSource> source;  ///< the same as a device has it; null where none does
};

}  // namespace slipstick
