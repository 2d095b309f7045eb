// What runs the N MPM substeps of one rigid step: the serial double oracle, the CPU lanes, a CUDA device.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/contact.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/model/state.h"
#include "engine/mpm/particle_facts.h"

namespace slipstick::mpm {

class RigidSide;

/// What a step gives to the particles. The rigid motion is that of t_n: its velocities count for all substeps
/// (Yu 2025, IV-A), its poses as SolverSpec::geometry says.
struct StepInput {
  struct BodyMotion {
    Pose X_WB;
    Velocity V_WB;  ///< of the body's origin, W axes
  };
  std::vector<BodyMotion> bodies;  ///< per Model body
  std::vector<ContactLaw> laws;    ///< [deformable · geometries + geometry]
  /// A region that imposes its velocity on the grid, with the motion that it has during this step.
  struct BoundaryMotion {
    int boundary = 0;  ///< into Model::boundaries
    Pose X_WS;
    Velocity V_WS;  ///< of the shape's origin
  };
  std::vector<BoundaryMotion> boundaries;  ///< those that act now
  Vec3 gravity = Vec3::Zero();
  std::vector<Pull> pulls;  ///< those on particles
  /// Moves with the substeps, each of whose contact problems has its velocities as unknowns: `bodies` is where it starts
  /// from. Null: the rigid motion is that of t_n. Only for backends that couple strongly.
  RigidSide* rigid = nullptr;
};

/// One (particle, geometry) pair that touched during the step, sums over its substeps.
struct ContactSum {
  int particle = 0;
  int geometry = 0;
  Vec3 impulse = Vec3::Zero();  ///< Σγ on the particle, W [N s]
  Vec3 point = Vec3::Zero();    ///< mean of x_p weighted by |γ| (plain mean if all are zero) [m]
  Vec3 normal = Vec3::UnitZ();  ///< mean over the substeps, weighted by γ_n (plain mean if all are zero), W
  double penetration = 0;       ///< at the last substep in contact [m]
  double slipSpeed = 0;         ///< |mean tangential velocity|, weighted as the normal [m/s]
  double frictionBound = 0;     ///< Σ μ n₀ [N s]
  /// By which the contact's spring is pressed where the step leaves it; 0 where it has let go [m].
  double springDepth = 0;
  /// Largest ratio of its depth to that of the shape's middle, where it has passed that: > 1; else 0 [-].
  double beyondMiddle = 0;
  double middle = 0;  ///< that depth [m]
};

struct StepResult {
  ParticleFacts facts;               ///< of the advanced particles
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
  Vec3 pullImpulse = Vec3::Zero();  ///< of StepInput::pulls on the particles [N s]
  StepReport report;     ///< substeps, iterations, health, phases Sort, Transfer, Contact or Device
  double potential = 0;  ///< ℓ_p of the last substep's solve [J]
  /// Of the last substep in which something touched, or the last that did not converge; empty where none was solved
  /// or what solves it keeps none.
  contact::SolveTrace contactSolve;

  /// Nothing has touched yet; keeps the memory.
  void reset(std::size_t bodies, std::size_t boundaries) {
    facts.deformables.clear();
    contacts.clear();
    wrenchImpulse.assign(bodies, {});
    remainderImpulse.assign(bodies, {});
    boundaryImpulse.assign(boundaries, Vec3::Zero());
    boundaryMagnitude = 0;
    pullImpulse.setZero();
    report = {};
    potential = 0;
    contactSolve.clear();
  }
};

/// Runs substeps on the particles, which live here, in the form that suits the hardware. Keeps no other
/// physical memory, so that equal particles and inputs give equal results. Its functions throw BackendFailure when what
/// it runs on fails.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;  ///< "reference", "cpu", "cuda", "cuda-fast"
  /// What it runs on, for people: "CPU · 2 threads · avx512".
  virtual std::string runsOn() const = 0;
  /// Whether equal particles and inputs give the same bits again here.
  virtual bool reproduces() const { return true; }
  /// Name of the contact solver, where it is not the scene's choice; else empty.
  virtual std::string_view contactSolver() const { return {}; }
  /// Whether StepInput::rigid may be given.
  virtual bool couplesStrongly() const { return false; }

  /// From now on the numbers of this model count: it differs from the one before in Model::tuning and what
  /// follows from that. The live particles stay, also where it throws; then it must be called again before anything else
  /// counts on the numbers.
  virtual void tune(std::shared_ptr<const Model> model) = 0;

  /// Takes over the particles, rounded to the numbers that the backend computes with; those before are gone.
  virtual void restore(const ParticleState& particles) = 0;
  /// The live particles; restore(save()) is the identity, bit for bit.
  virtual void save(ParticleState& particles) const = 0;

  /// Advances a copy of the live particles by N substeps of dt/N. N = Model::time.substeps, or by CFL when
  /// that is 0. When result.report is refused(), the copy is worthless.
  virtual void advance(const StepInput& input, double dt, StepResult& result) = 0;
  /// Exchanges the live particles and the copy of the last advance(), which was not refused: once takes the step, a
  /// second time takes it back. What has a memory of its own across that, such as facts(), goes with them.
  virtual void accept() noexcept = 0;

  /// Of the live particles.
  virtual const ParticleFacts& facts() const = 0;
  virtual void look(ParticleView& view) = 0;
};

/// Serial, double precision, for reading and as the oracle.
std::unique_ptr<Backend> makeReferenceBackend(std::shared_ptr<const Model> model);

/// Float lanes, best instruction set of this CPU, `threads` workers (0 = all cores, capped at
/// particles/1500).
std::unique_ptr<Backend> makeCpuBackend(std::shared_ptr<const Model> model, int threads);

/// Serial, double precision: implicit steps, one a rigid step unless the scene gives a number of substeps (Zong 2024).
/// StepInput::rigid may be null where nothing rigid can move.
std::unique_ptr<Backend> makeImplicitBackend(std::shared_ptr<const Model> model);

/// Instruction set that makeCpuBackend uses here: "avx512", "avx2" or "base".
std::string_view cpuInstructionSet();

/// Smallest N that meets both CFL conditions for particles of this speed (physics.md §1) and the one of
/// viscosity, with every material as stiff as at rest; at least 1.
int substepsByCfl(const Model& model, double dt, double maxParticleSpeed);

}  // namespace slipstick::mpm
