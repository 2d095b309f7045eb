#include "ui/plot_list.h"

#include <algorithm>

namespace slipstick::ui {

bool PlotList::insert(Plot plot) {
  const bool known = std::any_of(plots_.begin(), plots_.end(), [&](const Plot& own) {
    return own.curves == plot.curves && own.pin == plot.pin;
  });
  if (known || plot.curves.empty()) return false;
  plot.id = ++lastId_;
  plots_.push_back(std::move(plot));
  return true;
}

void PlotList::add(const std::vector<Plot>& plots) {
  bool any = false;
  for (const Plot& plot : plots) any |= insert(plot);
  if (any) Q_EMIT changed();
}

bool PlotList::join(std::uint64_t id, const std::vector<Plot>& plots) {
  const auto own = std::find_if(plots_.begin(), plots_.end(), [id](const Plot& p) { return p.id == id; });
  if (own == plots_.end()) return false;
  Plot all = *own;
  for (const Plot& plot : plots) {
    const std::optional<Plot> both = joined(all, plot);
    if (!both) return false;
    all = *both;
  }
  if (all.curves == own->curves) return true;
  all.id = ++lastId_;  // another plot, for those who show it
  *own = std::move(all);
  Q_EMIT changed();
  return true;
}

void PlotList::remove(std::uint64_t id) {
  if (std::erase_if(plots_, [id](const Plot& plot) { return plot.id == id; }) > 0) Q_EMIT changed();
}

void PlotList::clear() {
  if (plots_.empty()) return;
  plots_.clear();
  Q_EMIT changed();
}

/// A plot that was closed stays so while its pin stays.
void PlotList::follow(const std::vector<Pin>& pins, const Model& model) {
  const auto holds = [](const std::vector<Pin>& all, const Pin& pin) {
    return std::find(all.begin(), all.end(), pin) != all.end();
  };
  bool any = std::erase_if(plots_, [&](const Plot& plot) { return plot.pin && !holds(pins, *plot.pin); }) > 0;
  for (const Pin& pin : pins)
    if (!holds(pins_, pin))
      for (const Plot& plot : plotsOf(pin, model)) any |= insert(plot);
  pins_ = pins;
  if (any) Q_EMIT changed();
}

}  // namespace slipstick::ui
