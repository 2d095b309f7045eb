#include "ui/run_events.h"

#include <QCoreApplication>
#include <algorithm>
#include <tuple>

#include "ui/text.h"

namespace slipstick::ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("RunEvents", text);
}

/// The last part of each side's name: "pin.roller+dough" is "roller", "dough".
std::pair<QString, QString> sidesOf(const std::string& pair) {
  const QString text = QString::fromStdString(pair);
  return {text.section('+', 0, 0).section('.', -1), text.section('+', 1).section('.', -1)};
}

}  // namespace

QStringList eventsBetween(const RunColumns& run, std::uint64_t from, std::uint64_t to, double dt) {
  constexpr std::string_view kNormal = ".normal";
  from = std::max(from, run.firstStep());
  to = std::min(to, run.endStep());
  if (from >= to) return {};
  const std::uint64_t first = from > run.firstStep() ? from - 1 : from;
  std::vector<std::tuple<std::uint64_t, QString>> events;
  for (const RunColumns::Name& name : run.names()) {
    if (!name.name.ends_with(kNormal) || name.name.find('+') == std::string::npos) continue;
    const std::string pair = name.name.substr(0, name.name.size() - kNormal.size());
    const std::vector<double> normal = run.values(name.name, first, to);
    const std::vector<double> slipping = run.values(pair + ".slipping", first, to);
    const auto [a, b] = sidesOf(pair);
    for (std::size_t i = 1; i < std::min(normal.size(), slipping.size()); ++i) {
      const std::uint64_t step = first + i;
      const bool touches = normal[i] > 0, touched = normal[i - 1] > 0;
      if (touches && !touched) events.emplace_back(step, tr("%1 touches %2").arg(a, b));
      if (!touches && touched) events.emplace_back(step, tr("%1 lets go of %2").arg(a, b));
      if (slipping[i] > 0 && !(slipping[i - 1] > 0))
        events.emplace_back(step, tr("%1 slips on %2").arg(a, b));
    }
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const auto& x, const auto& y) { return std::get<0>(x) < std::get<0>(y); });
  QStringList lines;
  for (const auto& [step, what] : events)
    lines << tr("%1 s: %2").arg(number(static_cast<double>(step) * dt, 3), what);
  return lines;
}

}  // namespace slipstick::ui
