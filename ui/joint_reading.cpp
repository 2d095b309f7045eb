#include "ui/joint_reading.h"

#include "engine/rigid/joint_wrench.h"

namespace slipstick::ui {

std::optional<Wrench> JointReading::at(const Snapshot& shown) {
  const Vec3 gravity = session_.numbers().tuning().gravity;
  if (readFor_ && readFor_.get() == &shown && readGravity_ == gravity) return read_;
  readFor_ = session_.moment().shown();
  readGravity_ = gravity;
  read_.reset();
  if (shown.step == 0) return read_;
  const std::shared_ptr<const Snapshot> before = session_.moment().source().contactsAt(shown.step - 1);
  if (before->step + 1 == shown.step && before->model == shown.model)
    read_ = jointWrench(*shown.model, gravity, *before, shown, joint_);
  return read_;
}

double JointReading::torqueAlongAxis(const Snapshot& shown, const Wrench& wrench) const {
  const multibody::Joint& joint = shown.model->tree.joints[static_cast<std::size_t>(joint_)];
  const Pose& X_WP = shown.X_WB[static_cast<std::size_t>(joint.parent)];
  return wrench.torque.dot(X_WP.R * joint.X_PJ.R * joint.axis);
}

}  // namespace slipstick::ui
