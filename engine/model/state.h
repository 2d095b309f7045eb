// Everything needed to continue identically: the form in which keyframes, recordings and tests see it. The
// live state belongs to the Stepper.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/math.h"
#include "engine/model/command.h"
#include "engine/model/model.h"
#include "engine/model/soft_state.h"

namespace slipstick {

struct State {
  std::uint64_t step = 0;
  double time = 0;  ///< step · Δt [s]
  VecX q, v;
  SoftState soft;  ///< empty in initial(): how soft bodies start is their method's to say
  /// Last joint goals of the end-effector controllers: the start of the next inverse kinematics. Size nq.
  VecX controllerQ;
  /// What the stepping method remembers from step to step, each under a name of its own.
  struct Memory {
    std::string name;
    VecX values;
  };
  std::vector<Memory> memory;  ///< in the order in which the method first asked for them
  /// The numbers in force; never null. Shared: whoever changes one makes a new tuning.
  std::shared_ptr<const Tuning> tuning;
  std::vector<Pull> pulls;    ///< at most one per body or particle
  std::vector<Twist> twists;  ///< at most one per body
  /// A driven joint: its goal, and the reference that is on its way there.
  struct Drive {
    std::int32_t joint = 0;
    double goal = 0;
    double q = 0, v = 0;
  };
  std::vector<Drive> drives;  ///< at most one per joint

  /// An effector that is driven: what is asked of it, and how far its joints are on the way there.
  struct Goal {
    std::int32_t effector = 0;
    Vec3 p = Vec3::Zero();      ///< asked for, of the tool frame in W [m]
    Quat R = Quat::Identity();  ///< likewise
    VecX q, v;                  ///< of the chain's joints, on the way
    VecX home;                  ///< posture that they keep near to
    VecX detour;                ///< joint positions to go to first; empty: none
    bool grips = false;         ///< its fingers are driven, too
    double closing = 0;         ///< asked for
    double closed = 0;          ///< on the way
  };
  std::vector<Goal> goals;  ///< at most one per effector, ascending

  /// The values of one memory; none when they are first asked for.
  VecX& remembered(std::string_view name);

  /// Of everything but soft bodies.
  static State initial(const Model& model);
  std::size_t byteCount() const;
};

/// 64-bit hash of everything in the state (bit patterns).
std::uint64_t hashOf(const State& state);
/// The same, with the soft bodies' part given: a method that keeps them elsewhere knows it.
std::uint64_t hashOf(const State& state, std::uint64_t softHash);

/// Applies one command. Requires that check() of engine/model/command.h accepts it.
void apply(const Command& command, const Model& model, State& state);

}  // namespace slipstick
