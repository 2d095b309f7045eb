// Joints that the person moves one by one.
#pragma once

#include <QCoreApplication>
#include <vector>

#include "ui/commands.h"
#include "ui/messages.h"
#include "ui/shown_moment.h"
#include "ui/transport.h"

namespace slipstick::ui {

/// Looking at the past both say in the log why they do nothing.
class JointDriver {
  Q_DECLARE_TR_FUNCTIONS(JointDriver)

 public:
  JointDriver(const ShownMoment& moment, Commands& commands, Transport& transport, Messages& messages)
      : moment_(moment), commands_(commands), transport_(transport), messages_(messages) {}

  /// Drives a joint to a position [rad] or [m] and holds it there, see DriveJoint. Where a robot is looked at alone,
  /// time goes on until it has arrived.
  void drive(int joint, double goal);
  void free(const std::vector<int>& joints);

 private:
  bool isPast() const;

  const ShownMoment& moment_;
  Commands& commands_;
  Transport& transport_;
  Messages& messages_;
};

}  // namespace slipstick::ui
