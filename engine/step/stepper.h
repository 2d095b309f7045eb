// One signature for every method that can move a state forward.
#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/command.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/model/state.h"

namespace slipstick {

/// What stands for the fastest backend that suits the method.
inline constexpr std::string_view kAutoBackend = "auto";

/// Names are those of a Registry.
struct StepperOptions {
  std::string method = {};  ///< empty: the scene's
  std::string backend = std::string(kAutoBackend);
  int threads = 0;  ///< 0 = all cores
};

/// Owns the live state, in the form in which it is stepped fastest; a new one is at the start of its model's scene. Where what
/// it runs on fails, its functions throw StepFailure.
class Stepper {
 public:
  virtual ~Stepper() = default;
  virtual std::string_view method() const = 0;
  virtual std::string_view backendName() const = 0;
  /// What it runs on, for people: "CPU · 2 threads · avx512".
  virtual std::string runsOn() const = 0;
  /// Name of what solves contact problems, where it is not the scene's solver.contact; else empty.
  virtual std::string_view contactSolver() const { return {}; }
  /// Whether equal states and commands give the same bits again here.
  virtual bool reproduces() const { return true; }

  /// Applies the commands, advances the live state by one Δt and fills the snapshot of the new one. When the
  /// report is refused(), and when it throws, the live state is what it was before the call, commands included.
  /// @param stop  once asked to, the step throws Stopped within some hundredths of a second, however long it would take
  virtual StepReport step(std::span<const Command> commands, Snapshot& snapshot,
                          Detail detail = Detail::Particles, const std::stop_token& stop = {}) = 0;
  /// Snapshot of the live state without stepping (contacts empty): the picture at t = 0.
  virtual void observe(Snapshot& snapshot, Detail detail = Detail::Particles) = 0;

  /// The live state as arrays: for keyframes, recordings, tests.
  virtual void save(State& state) const = 0;
  /// Goes on from another state, rounded to the numbers that the stepper computes with. restore(save()) is
  /// the identity: what follows is the same, bit for bit. Where it throws, the stepper has no state that counts.
  virtual void restore(const State& state) = 0;
  /// What a stepper of the same method remembered of another model, by name, in the terms of this one's; empty: nobody else
  /// knows what the numbers stand for.
  virtual VecX carried(const std::shared_ptr<const Model>& /*from*/, std::string_view /*name*/,
                       const VecX& /*values*/) const {
    return {};
  }
  /// Takes the last step() back, which was neither refused nor threw: the live state is what it was before, bit for bit.
  /// Once, and only up to the next step() or restore().
  virtual void takeBack() noexcept = 0;
};

}  // namespace slipstick
