// What serial backends in double precision share: particles one after the other, their transfers to and from the grid, and
// the bookkeeping of a step. How the grid moves within a substep is each one's own.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "engine/mpm/backend.h"
#include "engine/mpm/boundary_nodes.h"
#include "engine/mpm/cloth_forces.h"
#include "engine/mpm/contact/contact_outcome.h"
#include "engine/mpm/contact/last_impulses.h"
#include "engine/mpm/grid.h"
#include "engine/mpm/step_account.h"
#include "engine/mpm/step_geometry.h"
#include "engine/mpm/substeps.h"

namespace slipstick::mpm {

class SerialBackend : public Backend {
 public:
  std::string runsOn() const override { return "CPU · 1 thread · double precision"; }
  bool couplesStrongly() const override { return true; }
  void tune(std::shared_ptr<const Model> model) override;
  void restore(const ParticleState& particles) override;
  void save(ParticleState& particles) const override { particles = live_; }
  void advance(const StepInput& motion, double dt, SoftOutcome& result) override;
  void accept() noexcept override;
  const SoftFacts& facts() const override { return facts_; }
  void look(SoftView& view) override;

 protected:
  explicit SerialBackend(std::shared_ptr<const Model> model)
      : model_(std::move(model)), heldReaches_(heldReaches(*model_)) {}

  /// The 27 nodes around a particle.
  struct Stencil {
    std::array<std::size_t, 27> node;  ///< into grid_
    std::array<double, 27> weight;
    std::array<V3<double>, 27> offset;  ///< x_i − x_p [m]
  };

  /// Brings p_ one substep further, within the rigid side's, if there is one.
  virtual void substep(double dt, const StepInput& motion) = 0;
  /// Whether return maps take the rotation of the substep's start, as Zong's tangent does (2024, Algorithm 1).
  virtual bool lagsRotation() const { return false; }
  /// How a step is divided.
  virtual SubstepSchedule scheduleOf(double dt) const = 0;

  /// How far from a geometry a particle is in contact before it touches it, in grid spacings, and all that it approaches
  /// within the step beside that. Where steps are long, contacts that only overlaps make come and go.
  virtual double foresight() const { return 0; }

  void detectContacts(const StepInput& motion, double dt);
  void detectContact(std::size_t particle, const StepGeometry<double>& geometry, const Pose& X_GW, double dt);
  /// What a contact gave, for the next substep.
  void remember(const DetectedContact& contact, const V3<double>& impulse);
  /// Masses and momenta of the nodes. @param stress  with what stress, cloth with its forces, gives within dt
  void particlesToGrid(double dt, bool stress);
  /// v of the nodes without contact: (mv)_i/m_i + dt g, without a mass threshold.
  void freeMotion(double dt, const Vec3& gravity);
  void findBoundaryNodes();
  void gridToParticles(double dt);
  Vec3 positionOf(std::size_t gridNode) const;

  std::shared_ptr<const Model> model_;
  ParticleState p_;  ///< the particles inside a step; become the live ones when it is accepted
  std::vector<double> heldReaches_;  ///< per geometry
  std::vector<StepGeometry<double>> geometries_;
  BoundaryNodes boundaryNodes_;
  std::vector<Stencil> stencils_;  ///< per particle
  SparseGrid<double> grid_;
  std::vector<DetectedContact> detected_;
  LastImpulses<double> last_;
  StepAccount account_;
  int activeNodes_ = 0;
  PhaseTimes phases_{};

 private:
  void moveRigid(const StepInput& motion, double elapsed);
  void clothToGrid(const Deformable& deformable, double dt, bool stress);
  void addToGrid(std::size_t particle, const V3<double>& momentum, const M3<double>& affine);
  void gridToCloth(const Deformable& deformable, double dt);
  M3<double> takeVelocity(std::size_t particle, double dt);
  Stencil stencilAt(const Vec3& x);
  SoftFacts factsOf(const ParticleState& particles) const;

  ParticleState live_;
  SoftFacts facts_, advancedFacts_;  ///< of the live ones, of those inside the step
  std::vector<FrozenBoundary> boundaries_;
  ClothForces cloth_;
  std::vector<Wrench> rigidImpulses_;  ///< per body, of a substep
};

}  // namespace slipstick::mpm
