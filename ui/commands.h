// Commands of the window to the simulation.
#pragma once

#include "engine/model/command.h"
#include "ui/messages.h"
#include "ui/shown_moment.h"

namespace slipstick::ui {

class Commands {
 public:
  Commands(OpenRun& run, const ShownMoment& moment, Messages& messages)
      : run_(run), moment_(moment), messages_(messages) {}

  /// Carried out with the next step; failed() says why where that cannot be. Without a scene nothing is done.
  /// @param command  its indices are those of the step shown
  void post(const Command& command);

 private:
  OpenRun& run_;
  const ShownMoment& moment_;
  Messages& messages_;
};

}  // namespace slipstick::ui
