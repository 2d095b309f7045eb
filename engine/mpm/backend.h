// What runs the N MPM substeps of one rigid step: the serial double oracle, the CPU lanes, a CUDA device.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/command.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/model/soft_outcome.h"
#include "engine/mpm/particle_state.h"

namespace slipstick::mpm {

class RigidSide;

/// What a step gives to the particles. The rigid motion is that of t_n: its velocities count for all substeps
/// (Yu 2025, IV-A), its poses as SolverSpec::geometry says.
struct StepInput {
  struct BodyMotion {
    Pose X_WB;
    Velocity V_WB;  ///< of the body's origin, W axes
  };
  std::vector<BodyMotion> bodies;          ///< per Model body
  std::vector<ContactLaw> laws;            ///< [deformable · geometries + geometry]
  std::vector<BoundaryMotion> boundaries;  ///< those that act now
  Vec3 gravity = Vec3::Zero();
  std::vector<Pull> pulls;  ///< those on particles
  /// Moves with the substeps, each of whose contact problems has its velocities as unknowns: `bodies` is where it starts
  /// from. Null: the rigid motion is that of t_n. Only for backends that couple strongly.
  RigidSide* rigid = nullptr;
  std::stop_token stop;  ///< ends the step by Stopped, as if it had not begun
};

/// Runs substeps on the particles, which live here, in the form that suits the hardware. Keeps no other
/// physical memory, so that equal particles and inputs give equal results. Its functions throw StepFailure when what
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
  virtual void advance(const StepInput& input, double dt, SoftOutcome& result) = 0;
  /// Exchanges the live particles and the copy of the last advance(), which was not refused: once takes the step, a
  /// second time takes it back. What has a memory of its own across that, such as facts(), goes with them.
  virtual void accept() noexcept = 0;

  /// Of the live particles.
  virtual const SoftFacts& facts() const = 0;
  virtual void look(SoftView& view) = 0;  ///< see Method::look
};

/// Serial, double precision, for reading and as the oracle.
std::unique_ptr<Backend> makeReferenceBackend(std::shared_ptr<const Model> model);

/// Float lanes, best instruction set of this CPU, `threads` workers (0 = all cores, capped at
/// particles/500).
std::unique_ptr<Backend> makeCpuBackend(std::shared_ptr<const Model> model, int threads);

/// Serial, double precision: implicit steps, one a rigid step unless the scene gives a number of substeps (Zong 2024).
/// StepInput::rigid may be null where nothing rigid can move.
std::unique_ptr<Backend> makeImplicitBackend(std::shared_ptr<const Model> model);

/// Instruction set that makeCpuBackend uses here: "avx512", "avx2" or "base".
std::string_view cpuInstructionSet();

/// Smallest N that meets both CFL conditions for particles of this speed and the one of
/// viscosity, with every material as stiff as at rest; at least 1.
int substepsByCfl(const Model& model, double dt, double maxParticleSpeed);

}  // namespace slipstick::mpm
