#include "ui/solver_curves.h"

#include <QCoreApplication>
#include <limits>
#include <numeric>

#include "ui/solver_words.h"

namespace slipstick::ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("SolverCurves", text);
}

/// In the order of Phase; a device takes the place of what a CPU does. Those of a method's own begin again.
int hueOfPhase(Phase phase) {
  constexpr std::array<int, kPhaseCount> kHues = {3, 0, 4, 2, 4, 1, 5};
  return kHues[static_cast<std::size_t>(phase) % kHues.size()];
}

std::string nameOf(std::size_t phase, const MethodRows* own) {
  return "solver.time." + std::string(infoOf(static_cast<Phase>(phase), own).name);
}

std::vector<std::string> namesOfPhases(const MethodRows* own) {
  std::vector<std::string> names;
  for (std::size_t phase = 0; phase < phaseCount(own); ++phase) names.push_back(nameOf(phase, own));
  return names;
}

double sumOf(std::span<const double> times) {
  return std::accumulate(times.begin(), times.end(), 0.0);
}

}  // namespace

void SolverCurves::follow(std::shared_ptr<const RunSource> run, std::shared_ptr<const Model> model) {
  source_.follow(std::move(run));
  model_ = std::move(model);
}

std::vector<PhaseLegend::Row> SolverCurves::phases() {
  std::vector<PhaseLegend::Row> rows;
  for (std::size_t phase = 0; phase < phaseCount(own()); ++phase) {
    const auto series = source_.series(nameOf(phase, own()));
    const PlotSeries::Extremes all = series->extremes(series->firstStep(), series->endStep());
    if (all.any() && all.highest > 0)
      rows.push_back({static_cast<Phase>(phase), hueOfPhase(static_cast<Phase>(phase))});
  }
  return rows;
}

/// [ms]
std::shared_ptr<const PlotSeries> SolverCurves::total() {
  return source_.derived("Σ solver.time", namesOfPhases(own()), sumOf);
}

PlotLine SolverCurves::line(const QString& label, const char* name, const QString& unit) {
  PlotLine line;
  line.name = label;
  line.unit = unit;
  line.values = source_.series(name);
  return line;
}

PlotData SolverCurves::timePerStep() {
  PlotData data{.title = tr("Time per step"), .lines = {}, .dt = dt(), .stacked = true};
  for (const PhaseLegend::Row& row : phases()) {
    const auto phase = static_cast<std::size_t>(row.phase);
    PlotLine layer = line(phaseWord(row.phase, own()), nameOf(phase, own()).c_str(), "ms");
    layer.hue = row.hue;
    data.lines.push_back(std::move(layer));
  }
  PlotLine sum;
  sum.name = tr("all");
  sum.unit = "ms";
  sum.role = PlotRole::Bound;
  sum.values = total();
  data.lines.push_back(std::move(sum));
  return data;
}

PlotData SolverCurves::realTimeRate() {
  PlotLine rate;
  rate.unit = QString::fromUtf8("×");
  const double step = 1e3 * dt();
  rate.values = source_.derived("solver.rate", namesOfPhases(own()), [step](std::span<const double> times) {
    const double wall = sumOf(times);
    return wall > 0 ? step / wall : std::numeric_limits<double>::quiet_NaN();
  });
  return {.title = tr("Real-time rate"), .lines = {std::move(rate)}, .dt = dt()};
}

/// In the colour of the phase that it makes long.
PlotLine SolverCurves::count(const QString& label, const char* name, Phase phase) {
  PlotLine line = this->line(label, name);
  line.isCount = true;
  line.hue = hueOfPhase(phase);
  return line;
}

PlotData SolverCurves::iterations() {
  PlotData data{.title = tr("Iterations"), .lines = {}, .dt = dt()};
  if (hasParticles()) {
    data.lines.push_back(count(tr("most"), "solver.iterations_max", Phase::Snapshot));
    data.lines.push_back(count(tr("contact, mean"), "solver.iterations_mean", Phase::Contact));
  }
  if (hasJoints()) data.lines.push_back(count(tr("rigid"), "solver.rigid_iterations", Phase::Rigid));
  return data;
}

PlotData SolverCurves::contacts() {
  PlotData data{.title = tr("Contacts"), .lines = {}, .dt = dt()};
  data.lines.push_back(count(tr("all"), "contacts", Phase::Contact));
  if (hasJoints()) data.lines.push_back(count(tr("rigid"), "solver.rigid_contacts", Phase::Rigid));
  return data;
}

PlotData SolverCurves::activeNodes() {
  PlotData data{.title = tr("Active nodes"), .lines = {}, .dt = dt()};
  if (hasParticles()) data.lines.push_back(count({}, "solver.active_nodes", Phase::Transfer));
  return data;
}

PlotData SolverCurves::errors() {
  PlotData data{.title = tr("Left over"), .lines = {}, .dt = dt()};
  data.logarithmic = true;
  if (!hasParticles()) return data;
  data.lines.push_back(line(tr("momentum error"), "solver.momentum_error"));
  data.lines.push_back(line(tr("remainder"), "solver.contact_remainder"));
  data.lines[1].hue = 2;
  return data;
}

}  // namespace slipstick::ui
