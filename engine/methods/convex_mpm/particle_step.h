// What the methods of this folder do alike: their particles, on a backend of MPM.
#pragma once

#include <memory>

#include "engine/mpm/backend.h"
#include "engine/step/method.h"

namespace slipstick::convex_mpm {

/// The part of a method that is particles. Keeps workspaces only.
class ParticleStep : public Method {
 public:
  std::string_view backendName() const override { return backend_ ? backend_->name() : "rigid only"; }
  std::string runsOn() const override { return backend_ ? backend_->runsOn() : "CPU · 1 thread"; }
  std::string_view contactSolver() const override {
    return backend_ ? backend_->contactSolver() : std::string_view();
  }
  bool reproduces() const override { return !backend_ || backend_->reproduces(); }

  void tune(std::shared_ptr<const Model> model) final;
  void restore(const SoftState& soft) final;
  void save(SoftState& soft) const final;
  void accept() noexcept final;
  const SoftFacts* facts() const final { return backend_ ? &backend_->facts() : nullptr; }
  void look(SoftView& view) final { backend_->look(view); }

 protected:
  /// @param backend  null for a scene without particles
  ParticleStep(std::shared_ptr<const Model> model, std::unique_ptr<mpm::Backend> backend);

  /// Makes whatever depends on a model's numbers, without taking it into use: may run out of memory.
  virtual void prepare(const std::shared_ptr<const Model>& tuned) = 0;
  /// Takes into use what prepare() made.
  virtual void use() noexcept = 0;

  /// The backend's substeps: fills the outcome's soft part, and adds their report.
  /// @param rigid  null: bodies move as they did at t_n
  void advanceParticles(const StepFrame& frame, mpm::RigidSide* rigid, StepOutcome& outcome);

  std::shared_ptr<const Model> model_;  ///< with the numbers of the tuning in force
  std::unique_ptr<mpm::Backend> backend_;

 private:
  void describe(const StepFrame& frame, mpm::RigidSide* rigid);

  mpm::StepInput input_;
};

}  // namespace slipstick::convex_mpm
