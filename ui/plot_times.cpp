#include "ui/plot_times.h"

#include <algorithm>

namespace slipstick::ui {
namespace {

constexpr double kFewestSteps = 4;  // of a window that was zoomed into

}  // namespace

double PlotTimes::newestTime() const {
  return std::max(session_.moment().newestTime(), session_.model()->time.dt);
}

bool PlotTimes::show(double from, double to) {
  if (!session_.isOpen()) return false;
  const double width = std::clamp(to - from, kFewestSteps * session_.model()->time.dt,
                                  std::max(newestTime(), kFewestSteps * session_.model()->time.dt));
  from = std::clamp(from, 0.0, std::max(0.0, newestTime() - width));
  chosen_ = {from, from + width};
  kind_ = Kind::Chosen;
  return true;
}

bool PlotTimes::zoom(double factor, double about) {
  const PlotWindow now = window();
  return show(about - (about - now.from) / factor, about + (now.to - about) / factor);
}

bool PlotTimes::pan(double seconds) {
  const PlotWindow now = window();
  return show(now.from + seconds, now.to + seconds);
}

QString PlotTimes::word() const {
  switch (kind_) {
    case Kind::LastSeconds:
      return QObject::tr("last %1 s").arg(kLastSeconds);
    case Kind::WholeRun:
      return QObject::tr("whole run");
    case Kind::Chosen:
      break;
  }
  return QObject::tr("zoomed");
}

PlotWindow PlotTimes::window() const {
  if (!session_.isOpen()) return {};
  const double newest = newestTime();
  PlotWindow window{.from = 0,
                    .to = newest,
                    .cursor = session_.moment().presented() ? session_.moment().presented()->time : newest,
                    .ghostShift = 0,
                    .range = session_.marks().range(),
                    .spectra = false};
  if (kind_ == Kind::Chosen) {
    window.from = chosen_.from;
    window.to = chosen_.to;
  } else if (kind_ == Kind::LastSeconds) {
    window.from = std::max(0.0, newest - kLastSeconds);
    // Scrubbed back: it comes along.
    if (window.cursor < window.from) window.from = std::max(0.0, window.cursor - kLastSeconds / 2);
    window.to = std::min(newest, window.from + kLastSeconds);
  }
  return window;
}

}  // namespace slipstick::ui
