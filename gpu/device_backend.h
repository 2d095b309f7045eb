// The MPM step on a device, behind the engine's backend interface. A step is a transaction: the device advances a copy of
// the live particles in one graph and answers with one read-back; if a capacity was too small, particles left their tiles
// between two sorts, or automatic N was too low, it is done again with more. Nothing of an attempt is kept.
#pragma once

#include <memory>

#include "engine/foundation/scope_timer.h"
#include "engine/mpm/backend.h"
#include "engine/mpm/particle_facts.h"
#include "engine/mpm/particle_health.h"
#include "engine/mpm/particle_pull.h"
#include "gpu/device_step.h"
#include "gpu/executor.h"
#include "gpu/particle_look.h"
#include "gpu/particle_store.h"

namespace slipstick::gpu {

template <class Exec>
class DeviceBackend final : public mpm::Backend {
 public:
  DeviceBackend(std::shared_ptr<const Model> model, std::unique_ptr<Exec> executor,
                Reproducibility reproducibility = Reproducibility::RunToRun)
      : executor_(std::move(executor)),
        reproducibility_(reproducibility),
        name_(std::string(executor_->name()) + (reproducibility == Reproducibility::RunToRun ? "" : "-fast")),
        model_(std::move(model)),
        live_(*executor_),
        pulled_(*executor_),
        staging_(*executor_),
        look_(*executor_) {
    step_ = std::make_unique<DeviceStep<Exec>>(*model_, *executor_, reproducibility_);
  }

  std::string_view name() const override { return name_; }
  std::string runsOn() const override {
    return executor_->runsOn() + (reproduces() ? "" : " · not reproducible");
  }
  bool reproduces() const override { return reproducibility_ == Reproducibility::RunToRun; }
  Exec& executor() { return *executor_; }

  void tune(std::shared_ptr<const Model> model) override {
    mpm::ParticleState particles;
    save(particles);
    step_->forgetGraphs();  // the executor has one list of them, and the step that goes drops all
    auto step = std::make_unique<DeviceStep<Exec>>(*model, *executor_, reproducibility_);
    ParticleStore live(*executor_);
    SoftFacts facts;
    if (unfitness_ == 0) {
      live.load(*model, particles, staging_);
      facts = step->settle(live);
      step->forgetGraphs();
    } else {
      facts = mpm::factsOf(*model, particles);
    }
    // Nothing fails from here on.
    std::swap(step_, step);
    step.reset();
    swap(live_, live);
    std::swap(facts_, facts);
    model_ = std::move(model);
  }

  void restore(const mpm::ParticleState& particles) override {
    unfitness_ = mpm::particleHealth(particles, model_->gridSpacing);
    if (unfitness_ != 0) {
      unfit_ = particles;
      facts_ = mpm::factsOf(*model_, particles);
      return;
    }
    live_.load(*model_, particles, staging_);
    facts_ = step_->settle(live_);
  }

  void save(mpm::ParticleState& particles) const override {
    if (unfitness_ != 0) {
      particles = unfit_;
      return;
    }
    live_.save(*model_, particles, staging_);
  }

  void advance(const mpm::StepInput& input, double dt, SoftOutcome& result) override {
    result.reset(input.bodies.size(), model_->boundaries.size());
    result.report.health = unfitness_;
    if (unfitness_ != 0) return;
    double speed = facts_.maxSpeed();
    ParticleStore& start = input.pulls.empty() ? live_ : pulled(input, dt, result, speed);
    double seconds = 0;
    {
      const ScopeTimer timer(seconds);
      step_->run(start, input, dt, facts_, speed, result);
    }
    at(result.report.phases, Phase::Device) = seconds;
    advancedFacts_ = result.facts;
  }

  void accept() noexcept override {
    step_->accept(live_);
    std::swap(facts_, advancedFacts_);
  }

  const SoftFacts& facts() const override { return facts_; }

  void look(SoftView& view) override {
    view.source.reset();
    if (unfitness_ != 0) return mpm::lookAtMotion(unfit_, view);
    step_->lookAt(live_, look_.begin(model_->nodeCount()));
    look_.finish(view);
  }

 private:
  /// Velocities as the device will have them.
  struct FloatMotion : mpm::StateMotion {
    void setVelocity(int particle, const Vec3& v) {
      StateMotion::setVelocity(particle, v.cast<float>().cast<double>());
    }
  };

  /// The live particles after somebody has pulled at them, by way of the host: a person pulls now and then.
  ParticleStore& pulled(const mpm::StepInput& input, double dt, SoftOutcome& result, double& speed) {
    mpm::ParticleState particles;
    save(particles);
    for (const Pull& pull : input.pulls) {
      const mpm::PullImpulse given = mpm::pullParticles(pull, *model_, dt, FloatMotion{{particles}});
      result.pullImpulse += given.sum;
      speed += given.fastest;
    }
    pulled_.load(*model_, particles, staging_);
    return pulled_;
  }

  std::unique_ptr<Exec> executor_;  ///< outlives everything that holds its memory
  Reproducibility reproducibility_;
  std::string name_;
  std::shared_ptr<const Model> model_;
  std::unique_ptr<DeviceStep<Exec>> step_;
  ParticleStore live_, pulled_;
  mutable PinnedArray<std::byte> staging_;
  ParticleLook look_;
  SoftFacts facts_, advancedFacts_;
  /// Particles that cannot be stepped, kept as they came.
  mpm::ParticleState unfit_;
  HealthFlags unfitness_ = 0;
};

}  // namespace slipstick::gpu
