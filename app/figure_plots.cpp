#ifdef SLIPSTICK_HAS_STUDIO

#include "app/figure_plots.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "ui/text.h"

namespace slipstick::app {

namespace {

using Names = std::vector<RunColumns::Name>;

Error refused(std::string what, const std::string& plot, std::string remedy) {
  return {ErrorCode::InvalidValue, std::move(what), "--plot " + plot, std::move(remedy)};
}

std::vector<std::string> patternsIn(const std::string& text) {
  std::vector<std::string> patterns;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) patterns.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return patterns;
}

/// "force" of N; of a pure number what its name ends in.
std::string quantityOf(const Names& names) {
  constexpr std::array<std::pair<std::string_view, const char*>, 11> kQuantities = {
      {{"N", "force"},
       {"N m", "moment"},
       {"m", "position"},
       {"m/s", "velocity"},
       {"rad", "angle"},
       {"rad/s", "angular velocity"},
       {"J", "energy"},
       {"N s", "momentum"},
       {"N m s", "angular momentum"},
       {"m^3", "volume"},
       {"s", "time"}}};
  for (const auto& [unit, quantity] : kQuantities)
    if (names.front().unit == unit) return quantity;
  const auto endOf = [](const std::string& name) { return name.substr(name.rfind('.') + 1); };
  const std::string end = endOf(names.front().name);
  const bool shared = std::all_of(names.begin(), names.end(),
                                  [&](const RunColumns::Name& n) { return endOf(n.name) == end; });
  return shared ? end : "value";
}

/// What several names begin and end with: said once, in front of the legend.
struct Shared {
  std::string begin, end;
  /// "roller.contact", "|*.contact.f|"
  std::string text() const {
    if (!end.empty()) return begin + "*" + end;
    return begin.ends_with('.') ? begin.substr(0, begin.size() - 1) : begin;
  }
  std::string rest(const std::string& name) const {
    return name.substr(begin.size(), name.size() - begin.size() - end.size());
  }
};

/// Whole parts between dots, and bars.
Shared sharedOf(const Names& names) {
  if (names.size() < 2) return {};
  std::size_t begin = names.front().name.size(), end = begin, shortest = begin;
  const std::string& first = names.front().name;
  for (const RunColumns::Name& n : names) {
    const auto differs = std::mismatch(first.begin(), first.end(), n.name.begin(), n.name.end());
    const auto differsBack = std::mismatch(first.rbegin(), first.rend(), n.name.rbegin(), n.name.rend());
    if (n.name != first) {
      begin = std::min(begin, static_cast<std::size_t>(differs.first - first.begin()));
      end = std::min(end, static_cast<std::size_t>(differsBack.first - first.rbegin()));
    }
    shortest = std::min(shortest, n.name.size());
  }
  begin = begin == 0 ? 0 : first.find_last_of(".|", begin - 1) + 1;
  const std::size_t dot = first.find('.', first.size() - end);
  end = dot == std::string::npos ? 0 : first.size() - dot;
  if (begin + end >= shortest) end = 0;
  return {first.substr(0, begin), first.substr(first.size() - end)};
}

ui::PlotRole roleOf(const std::string& name) {
  if (name.find('+') == std::string::npos) return ui::PlotRole::Value;
  if (name.ends_with(".normal")) return ui::PlotRole::Normal;
  if (name.ends_with(".friction")) return ui::PlotRole::Friction;
  return name.ends_with(".friction_bound") ? ui::PlotRole::Bound : ui::PlotRole::Value;
}

Result<void> checkCurves(const Names& names, const std::string& plot) {
  if (names.size() > FigurePlotData::kMax)
    return refused("that chooses " + std::to_string(names.size()) + " curves, more than a plot can show",
                   plot,
                   "choose at most " + std::to_string(FigurePlotData::kMax) + ": " + names[0].name + ", " +
                       names[1].name + ", …");
  for (const RunColumns::Name& n : names)
    if (n.unit != names.front().unit)
      return refused("a plot has one axis; that chooses " + names.front().column() + " and " + n.column(),
                     plot, "write one --plot for each unit");
  return {};
}

}  // namespace

Result<FigurePlotData> FigurePlotData::create(const std::string& plot, std::shared_ptr<const Model> model,
                                              std::uint64_t firstStep) {
  const std::size_t equals = plot.find('=');
  const std::string label = equals == std::string::npos ? "" : plot.substr(0, equals);
  const std::vector<std::string> patterns =
      patternsIn(equals == std::string::npos ? plot : plot.substr(equals + 1));
  if (patterns.empty())
    return refused("it chooses nothing", plot, "name observables, as 'roller.contact.f?'");
  Result<ObservableChoice> choice = ObservableChoice::matching(std::move(model), patterns);
  if (!choice)
    return Error{choice.error().code, choice.error().what, "--plot " + plot, choice.error().remedy};
  if (const Result<void> checked = checkCurves(choice->names(), plot); !checked) return checked.error();
  FigurePlotData data(std::move(*choice));
  for (std::size_t i = 0; i < data.choice_.names().size(); ++i)
    data.series_.push_back(std::make_shared<ui::PlotSeries>(firstStep));
  data.name(label);
  return data;
}

void FigurePlotData::name(const std::string& label) {
  const Names& names = choice_.names();
  const Shared shared = sharedOf(names);
  plot_.label = ui::toQString(label.empty() ? quantityOf(names) : label);
  plot_.unit = ui::toQString(names.front().unit).replace("^3", QChar(0x00B3));
  plot_.prefix = ui::toQString(shared.text());
  for (std::size_t i = 0; i < names.size(); ++i)
    plot_.curves.push_back({ui::toQString(shared.rest(names[i].name)), roleOf(names[i].name), series_[i]});
}

void FigurePlotData::add(const Snapshot& snapshot) {
  const std::vector<double> values = choice_.values(snapshot);
  for (std::size_t i = 0; i < series_.size(); ++i) series_[i]->append({&values[i], 1});
}

}  // namespace slipstick::app

#endif
