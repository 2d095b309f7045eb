#include "ui/plot_axis.h"

#include <algorithm>
#include <cmath>

#include "ui/text.h"

namespace slipstick::ui {
namespace {

/// What trembles by less is noise, whatever the unit [SI].
constexpr double kLeastRange = 1e-3;
/// Of a position: of its distance from zero, what is less is rounding.
constexpr double kLeastPart = 1e-6;

/// How large it is matters more than how it trembles: forces, energies, speeds. Of a place it is the reverse.
bool hasZeroInSight(const QString& unit) {
  return unit != "m" && unit != "rad" && unit != "s" && unit != "m^3";
}

/// What an axis can span: of values with an infinite end the other one, and no more than can be added up.
PlotSeries::Extremes spannable(const PlotSeries::Extremes& all) {
  constexpr double kMost = 1e300;
  const bool low = std::isfinite(all.lowest), high = std::isfinite(all.highest);
  if (!all.any() || (!low && !high)) return {.lowest = 0, .highest = 0};
  return {.lowest = std::clamp(low ? all.lowest : all.highest, -kMost, kMost),
          .highest = std::clamp(high ? all.highest : all.lowest, -kMost, kMost)};
}

}  // namespace

AxisRange axisRange(PlotSeries::Extremes all, const QString& unit) {
  all = spannable(all);
  const bool zero = hasZeroInSight(unit);
  if (zero) all.include(0.0);
  const double least =
      zero ? kLeastRange
           : std::max(kLeastRange / 10, kLeastPart * std::max(std::abs(all.lowest), std::abs(all.highest)));
  if (all.highest - all.lowest < least) {
    const double middle = (all.highest + all.lowest) / 2;
    const double lowest = zero ? all.lowest : middle - least / 2;
    all = {.lowest = lowest, .highest = lowest + least};
  }
  const double range = all.highest - all.lowest;
  return {zero && all.lowest >= 0 ? 0 : all.lowest - 0.06 * range, all.highest + 0.08 * range};
}

AxisRange decadeRange(PlotSeries::Extremes all) {
  constexpr double kDecades = 6, kFewest = -300;  // powers of ten beside which there are others
  all = spannable(all);
  const double highest = all.highest > 0 ? std::max(std::ceil(std::log10(all.highest) - 1e-9), kFewest) : 0;
  const double lowest = all.lowest > 0 ? std::floor(std::log10(all.lowest) + 1e-9) : highest - kDecades;
  return {std::pow(10.0, std::max(std::min(lowest, highest - 1), highest - kDecades)),
          std::pow(10.0, highest)};
}

double tickStep(double range, double count) {
  const double least = std::max(range, 1e-12) / count, power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

int decimalsOf(double step) {
  return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 6);
}

QString tickText(double value, double step) {
  const double shown = std::abs(value) < 1e-9 * step ? 0 : value;
  if (shown == 0) return "0";
  if (step >= 1e6) return number(shown / 1e6, 0) + "M";
  if (step >= 1e3) return number(shown / 1e3, 0) + "k";
  // Three digits tell neighbours apart up to a hundred steps from zero.
  if (step < 1e-4 && std::abs(shown) < 100 * step) return significant(shown);
  if (step < 1e-4) return number(shown, std::min(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 15));
  return number(shown, decimalsOf(step));
}

}  // namespace slipstick::ui
