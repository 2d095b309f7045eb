#include "ui/plot_strokes.h"

#include <algorithm>
#include <cmath>

namespace slipstick::ui {

void forEachStroke(const PlotSeries& series, const SeriesStretch& stretch,
                   const std::function<void(const QPolygonF&, std::uint64_t)>& stroke) {
  const std::uint64_t begin = stretch.begin, end = stretch.end, stride = stretch.stride;
  QPolygonF run;
  std::uint64_t runStart = begin;
  bool slips = false;
  const auto flush = [&] {
    if (!run.isEmpty()) stroke(run, runStart);
    run.clear();
  };
  for (std::uint64_t step = begin / stride * stride; step < end; step += stride) {
    const std::uint64_t from = std::max(step, begin);
    const PlotSeries::Extremes e = series.extremes(from, std::min(step + stride, end));
    if (!e.any()) {
      if (!stretch.bridged) flush();
      continue;
    }
    const bool now = stretch.slips && stretch.slips(from);
    const qreal at = stretch.xOf(static_cast<double>(step));
    const qreal low = stretch.yOf(e.lowest), high = stretch.yOf(e.highest);
    if (now != slips && !run.isEmpty()) {
      const QPointF last = run.back();
      flush();
      run << last;
      runStart = from;
    }
    if (run.isEmpty()) runStart = from;
    slips = now;
    // The nearer of the two first, so that the stroke does not run back and forth.
    const bool fromBelow = !run.isEmpty() && std::abs(run.back().y() - low) < std::abs(run.back().y() - high);
    run << QPointF(at, fromBelow ? low : high);
    if (low != high) run << QPointF(at, fromBelow ? high : low);
  }
  flush();
}

}  // namespace slipstick::ui
