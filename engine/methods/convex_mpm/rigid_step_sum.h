// What mechanisms did in the substeps of a step, as if it had been one.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "engine/model/model.h"
#include "engine/rigid/rigid_step.h"

namespace slipstick::convex_mpm {

/// Sums over substeps. Keeps its memory from step to step.
class RigidStepSum {
 public:
  explicit RigidStepSum(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

  /// A step begins. @param X_WB  per body, at t_n
  void begin(const std::vector<Pose>& X_WB);
  /// A substep begins: pairs that do not touch any more are told where they touched last.
  /// @param before, now  contacts of the substep before, and of this one
  void keepWhatLetGo(const RigidContactSet& before, const RigidContactSet& now);
  /// Adds a substep of a duration [s].
  void add(const RigidStepOutput& substep, double dt);
  /// Sums and worst cases; of the contacts, what they gave to bodies. tau is the actuators' impulse [N s], [N m s].
  RigidStepOutput& total() { return total_; }

  /// Puts them beside what the step of all other mechanisms did, but for its velocities and actuators. Contacts are those of
  /// mechanisms that did not move, at t_n, and all that touched in a substep, where they did last.
  /// @param last   contacts of the last substep
  /// @param moves  whether a body moved with the substeps
  void addTo(RigidStepOutput& output, const RigidContactSet& last, const std::function<bool(int)>& moves);

 private:
  /// Of one pair of geometries, with impulses, bounds and work summed up.
  struct PairSum {
    int geometryA = 0, geometryB = 0;
    std::vector<RigidContactResult> points;  ///< since it touches in the same number of points
    RigidContactResult earlier;              ///< what it did before in this step, in other points
    double energy = 0;                       ///< of its springs at t_n [J]
    double last = 0;                         ///< when it touched last, from the step's start [s]
  };

  PairSum& sumOf(const RigidContactSet::Pair& pair, double dt);
  void addPair(const RigidStepOutput& substep, const RigidContactSet::Pair& pair, double dt);
  void addImpulse(const RigidContactSet::Pair& pair, const Vec3& p_W, const Vec3& impulse,
                  std::vector<Wrench>& onBodies) const;
  void addResting(const RigidStepOutput& output, const std::function<bool(int)>& moves);
  void addMoved(const RigidContactSet& last);

  std::shared_ptr<const Model> model_;
  RigidStepOutput total_;
  std::vector<PairSum> pairs_;
  std::vector<Pose> X_WB0_;
  double elapsed_ = 0;     ///< of the step [s]
  RigidContactSet letGo_;  ///< what no longer touched in the substep after
  // Of addTo():
  RigidContactSet contacts_;
  std::vector<RigidContactResult> results_;
};

}  // namespace slipstick::convex_mpm
