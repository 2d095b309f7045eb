// The wrench that a joint transmits at the step shown, as the inspector says it.
#pragma once

#include <memory>
#include <optional>

#include "ui/session.h"

namespace slipstick::ui {

/// Computes it once per step shown: the step before must be unpacked for it.
class JointReading {
 public:
  /// @param joint  index into Model::tree.joints
  JointReading(const Session& session, int joint) : session_(session), joint_(joint) {}

  /// On the link and all that hangs on it, about the link's origin, W axes; none where the step before
  /// `shown` is not stored, or was of another model.
  std::optional<Wrench> at(const Snapshot& shown);
  /// Torque along the joint's axis [N m]; of a joint without one 0.
  double torqueAlongAxis(const Snapshot& shown, const Wrench& wrench) const;

 private:
  const Session& session_;
  int joint_;
  std::shared_ptr<const Snapshot> readFor_;
  Vec3 readGravity_ = Vec3::Zero();
  std::optional<Wrench> read_;
};

}  // namespace slipstick::ui
