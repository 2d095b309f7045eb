// The docks of the window, one row each: a new panel is its own two files and a row here.
#pragma once

#include <span>

#include "ui/controls.h"
#include "ui/session.h"

namespace slipstick::ui {

struct PanelKind {
  Panel* (*make)(Session& session);
  Qt::DockWidgetArea area;
  int share;           ///< of its column's height [%]; panels without one lie as tabs on the one above them
  bool startsVisible;  ///< when a scene opens for the first time
};

/// In the order in which they stand, by column from top to bottom.
std::span<const PanelKind> panelKinds();

}  // namespace slipstick::ui
