#include "ui/solver_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/plot_painter.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

QString tr(const char* text, int n = -1) {
  return QCoreApplication::translate("SolverWords", text, nullptr, n);
}

QString times(int count, const char* one, const char* many) {
  return (count == 1 ? tr(one) : tr(many)).arg(grouped(static_cast<std::size_t>(std::max(count, 0))));
}

QString substeps(const StepReport& report) {
  return times(report.substeps, "%1 substep", "%1 substeps");
}

/// What makes a phase long in this step.
QString causeOf(Phase phase, const Snapshot& s) {
  const StepReport& r = s.report;
  const std::size_t particles = s.model ? s.model->nodeCount() : s.particles.size();
  switch (phase) {
    case Phase::Sort:
    case Phase::Transfer:
    case Phase::Device:
      return tr("%1 of %2 particles on %3 nodes")
          .arg(substeps(r), grouped(particles),
               grouped(static_cast<std::size_t>(std::max(r.activeNodes, 0))));
    case Phase::Contact:
      return tr("%1 with %2, %3 on average")
          .arg(substeps(r), times(r.contacts, "%1 contact", "%1 contacts"),
               times(r.contactIterationsMean, "%1 iteration", "%1 iterations"));
    case Phase::Rigid:
      return tr("%1 in %2, %3")
          .arg(times(r.rigidContacts, "%1 contact point", "%1 contact points"),
               times(r.rigidPairs, "%1 pair", "%1 pairs"),
               times(r.rigidIterations, "%1 iteration", "%1 iterations"));
    case Phase::Control:
    case Phase::Snapshot:
    case Phase::Count:
      break;
  }
  return phaseMeaning(phase, s.own.get());
}

}  // namespace

QString phaseWord(Phase phase, const MethodRows* own) {
  return tr(std::string(infoOf(phase, own).word).c_str());
}

QString phaseMeaning(Phase phase, const MethodRows* own) {
  return tr(std::string(infoOf(phase, own).meaning).c_str());
}

double wallTime(const StepReport& report) {
  return std::accumulate(report.phases.begin(), report.phases.end(), 0.0);
}

QString whySlow(const Snapshot& snapshot) {
  const PhaseTimes& phases = snapshot.report.phases;
  const double total = wallTime(snapshot.report);
  if (!(total > 0)) return {};
  const auto longest = std::max_element(phases.begin(), phases.end());
  const auto phase = static_cast<Phase>(longest - phases.begin());
  QString word = phaseWord(phase, snapshot.own.get());
  word[0] = word[0].toUpper();
  return tr("%1: %2 % of the step. %3.")
      .arg(word, number(100 * *longest / total, 0), causeOf(phase, snapshot));
}

bool wasFalling(const contact::SolveTrace& trace) {
  constexpr double kPatience = 10;
  const auto& points = trace.points();
  if (points.size() < 2 || !std::isfinite(points.back().residual)) return false;
  auto begin = points.size() - 1;  // of the last pass
  while (begin > 0 && !points[begin].beginsPass) --begin;
  const auto& middle = points[begin + (points.size() - 1 - begin) / 2];
  const auto& last = points.back();
  if (last.iteration == middle.iteration || !(last.residual < middle.residual)) return false;
  const double fall = std::log(middle.residual / last.residual) / (last.iteration - middle.iteration);
  return std::log(last.residual / trace.tolerance()) / fall < kPatience * last.iteration;
}

QString solveWord(const contact::SolveTrace& trace) {
  const QString iterations = times(trace.iterations(), "%1 iteration", "%1 iterations");
  if (trace.converged()) return tr("converged in %1").arg(iterations);
  return std::isfinite(trace.points().back().residual)
             ? tr("stopped after %1").arg(iterations)
             : tr("met a number that is not finite after %1").arg(iterations);
}

QString solveRemedy(const contact::SolveTrace& trace) {
  if (trace.converged()) return {};
  if (!std::isfinite(trace.points().back().residual))
    return tr("Shorten time.dt_ms or lower the contact stiffness.");
  return wasFalling(trace)
             ? tr("It was still falling: raise max_iterations, or loosen relative_tolerance.")
             : tr("It no longer fell: loosen relative_tolerance, shorten time.dt_ms or lower the stiffness.");
}

QString residualText(double residual) {
  const double exponent = std::log10(residual);
  if (exponent < -2.5 && std::abs(exponent - std::round(exponent)) < 1e-4)
    return powerOfTen(static_cast<int>(std::lround(exponent)));
  return QString::number(residual, 'g', 3).replace('-', QChar(0x2212));
}

}  // namespace slipstick::ui
