#include "app/method_tables.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "app/report_file.h"
#include "assets/export/output_file.h"
#include "engine/foundation/number_text.h"

namespace slipstick::app {

namespace {

constexpr int kNameWidth = 40, kColumnWidth = 14;

std::string padded(const std::string& text, std::size_t width, bool right) {
  // Counts letters, not bytes.
  const auto letters = static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
  const std::string gap(width > letters ? width - letters : 1, ' ');
  return right ? gap + text : text + gap;
}

}  // namespace

std::string methodTable(std::span<const MethodRun> runs, double from, double to) {
  const MethodTable table = tabulate(runs, from, to);
  std::string text;
  const auto row = [&](const std::string& name, const std::vector<std::string>& values) {
    text += padded(name, kNameWidth, false);
    for (const std::string& value : values) text += padded(value, kColumnWidth, true);
    text += '\n';
  };
  row(significant(from, 4) + " to " + significant(to, 4) + " s", table.runs);
  for (const MethodTable::Row& line : table.rows) row(line.name, line.values);
  return text;
}

nlohmann::ordered_json methodReport(std::span<const MethodRun> runs, double from, double to) {
  std::vector<MethodFigures> all;
  for (const MethodRun& run : runs) all.push_back(run.tally.figures(from, to));
  nlohmann::ordered_json report;
  report["scene"] = runs.front().tally.model().name;
  report["window_s"] = {from, to};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const MethodFigures& f = all[i];
    const auto ofWindow = [&f](double value) {
      return f.covered > 0 ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
    };
    nlohmann::ordered_json forces = nlohmann::ordered_json::object();
    for (const MethodFigures::Force& force : f.forces) {
      const Vec3 first = forceOn(all.front(), force.body);
      nlohmann::ordered_json on = {{"mean_N", {force.mean.x(), force.mean.y(), force.mean.z()}},
                                   {"norm_N", force.mean.norm()}};
      if (i > 0 && first.norm() > 0) on["differs_from_first"] = (force.mean - first).norm() / first.norm();
      forces[force.body] = on;
    }
    nlohmann::ordered_json entry = {{"run", runs[i].name},
                                    {"method", runs[i].method},
                                    {"set", runs[i].overrides},
                                    {"runs_on", runs[i].runsOn},
                                    {"dt_ms", 1e3 * runs[i].tally.model().time.dt},
                                    {"steps", f.steps},
                                    {"simulated_s", f.simulated},
                                    {"window_covered_s", f.covered},
                                    {"forces", forces},
                                    {"penetration_mean_m", ofWindow(f.penetration)},
                                    {"penetration_max_m", ofWindow(f.deepest)},
                                    {"slip_mean_m_s", ofWindow(f.slip)},
                                    {"energy_gain_J", f.energyGain},
                                    {"energy_end_J", f.energyEnd},
                                    {"momentum_error", f.momentumError},
                                    {"not_converged", f.notConverged},
                                    {"ms_per_step", msPerStep(f)},
                                    {"ms_per_simulated_s", msPerSimulatedSecond(f)}};
    if (!runs[i].outcome) entry["failed"] = runs[i].outcome.error().message();
    report["runs"].push_back(entry);
  }
  return report;
}

Result<void> writeMethodReport(std::span<const MethodRun> runs, double from, double to,
                               const std::string& file) {
  return writeReport(file, methodReport(runs, from, to));
}

Result<void> writeMethodCsv(std::span<const MethodRun> runs, const std::string& file) {
  std::set<std::string> touched;
  for (const MethodRun& run : runs)
    for (const MethodSample& sample : run.tally.samples())
      for (std::size_t b = 0; b < sample.forces.size(); ++b)
        if (!sample.forces[b].isZero(0)) touched.insert(run.tally.model().tree.bodies[b].name);
  std::ostringstream out;
  out << "run,time [s],energy.kinetic [J],energy.potential [J],energy.elastic [J],deepest_contact "
         "[m],slip [m/s],"
         "momentum_error,wall [ms]";
  for (const std::string& body : touched)
    for (const char axis : {'x', 'y', 'z'}) out << ',' << body << ".contact.f" << axis << " [N]";
  out << '\n';
  for (const MethodRun& run : runs)
    for (const MethodSample& s : run.tally.samples()) {
      out << run.name;
      for (const double value :
           {s.time, s.kinetic, s.potential, s.elastic, s.penetration, s.slip, s.momentumError, 1e3 * s.wall})
        out << ',' << significant(value, 12);
      for (const std::string& body : touched) {
        const int index = run.tally.model().findBody(body);
        const Vec3 force = index >= 0 ? s.forces[static_cast<std::size_t>(index)] : Vec3::Zero().eval();
        for (int k = 0; k < 3; ++k) out << ',' << significant(force[k], 12);
      }
      out << '\n';
    }
  return assets::writeWhole(file, out.str());
}

}  // namespace slipstick::app
