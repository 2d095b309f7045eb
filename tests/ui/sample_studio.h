// What app/ supplies to the window, replaced: two sample scenes whose steps can be made slow.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "tests/support/rigid_world.h"
#include "tests/support/sample_world.h"
#include "tests/support/soft_world.h"
#include "ui/contacts_panel.h"
#include "ui/inspector.h"
#include "ui/log_panel.h"
#include "ui/main_window.h"
#include "ui/plots_panel.h"
#include "ui/scene_panel.h"

namespace slipstick::testing {

/// Shared by a test and the steppers of the window it opens.
struct SampleControl {
  std::atomic<int> stepSleep_ms = 0;
  std::atomic<int> stepsBegun = 0;
  std::mutex mutex;
  std::vector<Command> commands;  ///< every command that a step was given, in order; guarded by mutex
};

/// "sample", "crates" (rigid bodies only) and "soft" (cloth, water, dough, sand, boundaries) load, and
/// "editable", which is really simulated; every other name fails as a missing file does.
ui::StudioServices sampleServices(std::shared_ptr<SampleControl> control);

/// Runs the event loop until a condition holds; false when it does not within 20 s. Looks often even where
/// drawing in software keeps the loop busy (QTest::qWaitFor looks only when the loop has nothing to do).
bool eventually(const std::function<bool()>& condition);

/// A window on one of the scenes, opened and shown.
class SampleWindow {
 public:
  explicit SampleWindow(QSize size = QSize(900, 560), const QString& scene = "sample");
  ui::MainWindow* operator->() { return &window_; }
  ui::MainWindow& operator*() { return window_; }
  ui::Session& session() { return window_.session(); }
  SampleControl& control() { return *control_; }
  /// Computes steps at full speed until `time`, then pauses; the newest step is shown.
  void runTo(double time);
  /// The friction values that steps were given for one geometry.
  std::vector<double> frictionCommands(int geometry);

 private:
  std::shared_ptr<SampleControl> control_ = std::make_shared<SampleControl>();
  ui::MainWindow window_;
};

}  // namespace slipstick::testing
