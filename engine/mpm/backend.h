// What runs the N MPM substeps of one rigid step: the serial double oracle, the CPU lanes, later CUDA.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "engine/model/contact.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/model/state.h"

namespace slipstick::mpm {

/// The rigid motion at t_n. Its velocities count for all substeps (Yu 2025, IV-A), its poses as
/// SolverSpec::geometry says.
struct RigidMotion {
  struct BodyMotion {
    Pose X_WB;
    Velocity V_WB;  ///< of the body's origin, W axes
  };
  std::vector<BodyMotion> bodies;  ///< per Model body
  std::vector<ContactLaw> laws;    ///< [deformable · geometries + geometry], after live edits
  /// A region that imposes its velocity on the grid, with the motion that it has during this step.
  struct BoundaryMotion {
    int boundary = 0;  ///< into Model::boundaries
    Pose X_WS;
    Velocity V_WS;  ///< of the shape's origin
  };
  std::vector<BoundaryMotion> boundaries;  ///< those that act now
  Vec3 gravity = Vec3::Zero();
};

/// One (particle, geometry) pair that touched during the step, sums over its substeps.
struct ContactSum {
  int particle = 0;
  int geometry = 0;
  Vec3 impulse = Vec3::Zero();  ///< Σγ on the particle, W [N s]
  Vec3 point = Vec3::Zero();    ///< mean of x_p weighted by |γ| (plain mean if all are zero) [m]
  Vec3 normal = Vec3::UnitZ();  ///< at the last substep in contact, W
  double penetration = 0;       ///< at the last substep in contact [m]
  double slipSpeed = 0;         ///< after the last solve in contact [m/s]
  double frictionBound = 0;     ///< Σ μ n₀ [N s]
};

struct StepResult {
  std::vector<ContactSum> contacts;  ///< ordered by (geometry, particle)
  /// Impulse on each body about its origin at t_n, summed over substeps at each substep's contact positions
  /// [N s, N m s].
  std::vector<Wrench> wrenchImpulse;
  /// The part of them that no contact names: what solves left over, see ContactOutcome.
  std::vector<Wrench> remainderImpulse;
  /// Impulse on each Model boundary, summed over nodes and substeps [N s]; `boundaryMagnitude` is the sum of
  /// the nodes' absolute values over all of them.
  std::vector<Vec3> boundaryImpulse;
  double boundaryMagnitude = 0;
  StepReport report;     ///< substeps, iterations, health, phases Sort, Transfer, Contact
  double potential = 0;  ///< ℓ_p of the last substep's solve [J]
};

/// What is computed from a state for people to see.
struct ParticleMeasures {
  std::vector<float> stress;    ///< von Mises equivalent of the Kirchhoff stress, √(3/2)‖dev τ‖ [Pa]
  std::vector<float> pressure;  ///< −tr τ / 3 [Pa]
  std::vector<double> elasticEnergy;  ///< per deformable [J]
};

/// Runs substeps; keeps no physical memory between calls, so that equal inputs give equal outputs.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;  ///< "reference", "cpu", "cuda"

  /// Advances the particles by N substeps of dt/N. N = Model::time.substeps, or by CFL when that is 0.
  virtual void advance(const RigidMotion& motion, double dt, ParticleState& particles,
                       StepResult& result) = 0;

  virtual void measure(const ParticleState& particles, ParticleMeasures& measures) = 0;
};

/// Serial, double precision, for reading and as the oracle.
std::unique_ptr<Backend> makeReferenceBackend(std::shared_ptr<const Model> model);

/// Float lanes, best instruction set of this CPU, `threads` workers (0 = all cores, capped at
/// particles/1500).
std::unique_ptr<Backend> makeCpuBackend(std::shared_ptr<const Model> model, int threads);

/// Instruction set that makeCpuBackend uses here: "avx512", "avx2" or "base".
std::string_view cpuInstructionSet();

/// Smallest N that meets both CFL conditions for particles of this speed (physics.md §1) and the one of
/// viscosity, with every material as stiff as at rest; at least 1.
int substepsByCfl(const Model& model, double dt, double maxParticleSpeed);

}  // namespace slipstick::mpm
