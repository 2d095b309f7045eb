// Which times the plots of a panel show: the last seconds, the whole run, or a stretch of it.
#pragma once

#include "ui/plot_painter.h"
#include "ui/session.h"

namespace slipstick::ui {

class PlotTimes {
 public:
  enum class Kind { LastSeconds, WholeRun, Chosen };
  static constexpr double kLastSeconds = 5;

  explicit PlotTimes(const Session& session) : session_(session) {}

  void set(Kind kind) { kind_ = kind; }
  /// From the last seconds to the whole run, and from anything else back.
  void toggle() { kind_ = kind_ == Kind::LastSeconds ? Kind::WholeRun : Kind::LastSeconds; }
  /// Chosen times [s], as far as the run has them. @return false where no scene is open
  bool show(double from, double to);
  bool zoom(double factor, double about);  ///< less time for factors above 1
  bool pan(double seconds);
  QString word() const;  ///< "last 5 s"
  /// With the moment that the picture shows, and the range of the session; without a ghost.
  PlotWindow window() const;

 private:
  double newestTime() const;

  const Session& session_;
  Kind kind_ = Kind::LastSeconds;
  TimeRange chosen_;
};

}  // namespace slipstick::ui
