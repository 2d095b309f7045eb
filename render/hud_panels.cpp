// The overlays behind F1, F2 and F3: keys, facts, and where the time goes.
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <numeric>

#include "render/force_words.h"
#include "render/hud_cards.h"
#include "render/hud_layout.h"

namespace slipstick::render {
namespace {

constexpr float kPad = 14;
constexpr float kLine = 20;

/// Phases of a method's own begin with the first colours again.
Hex phaseColor(std::size_t phase, const Tokens& t) {
  const std::array<Hex, kPhaseCount> colors = {t.faint,    0x6B7FF2, t.stick, t.slip,
                                               t.bookmark, t.axis,   t.good};
  return colors[phase % colors.size()];
}

std::string hexadecimal(std::uint64_t value) {
  std::array<char, 20> text{};
  std::snprintf(text.data(), text.size(), "%016" PRIx64, value);
  return text.data();
}

}  // namespace

void drawHelp(HudCanvas& canvas, const HudInput& in) {
  const std::size_t rows = (in.keys.size() + 1) / 2;
  const float w = 640, h = 56 + kLine * static_cast<float>(rows) + 10;
  const Rect r{std::max(8.f, (canvas.width() - w) / 2), std::max(8.f, (canvas.height() - h) / 2), w, h};
  canvas.card(r);
  canvas.plate(r);  // twice as dense: it covers what else is read
  canvas.text(r.x + kPad + 4, r.y + 14, "Keys", Ink::Bright, TextStyle::Strong);
  for (std::size_t i = 0; i < in.keys.size(); ++i) {
    const float x = r.x + kPad + 4 + (i < rows ? 0 : w / 2);
    const float y = r.y + 44 + kLine * static_cast<float>(i % rows);
    canvas.text(x, y, in.keys[i].first, Ink::Text, TextStyle::Strong);
    canvas.text(x + 128, y, in.keys[i].second, Ink::Secondary);
  }
}

void drawInfo(HudCanvas& canvas, const HudInput& in) {
  if (!in.snapshot || !in.model) return;
  const Snapshot& s = *in.snapshot;
  const StepReport& report = s.report;
  const auto rigid = static_cast<std::size_t>(
      std::count_if(s.contacts.begin(), s.contacts.end(), [](const Contact& c) { return c.isRigid(); }));
  const std::string pairs =
      report.rigidPairs > 0 ? " in " + std::to_string(report.rigidPairs) + " pairs" : "";
  using Row = std::pair<std::string, std::string>;
  const std::vector<Row> rows = {
      {"step", std::to_string(s.step) + (s.branch ? ", branch " + std::to_string(s.branch) : "")},
      {"particles", std::to_string(s.particles.size())},
      {"particle contacts", std::to_string(s.contacts.size() - rigid)},
      {"rigid contacts", std::to_string(rigid) + pairs},
      {"grid nodes", std::to_string(report.activeNodes)},
      {"substeps", std::to_string(report.substeps)},
      {"iterations", std::to_string(report.contactIterationsMean) + " mean, " +
                         std::to_string(report.contactIterationsMax) + " most"},
      {"rigid iterations", std::to_string(report.rigidIterations)},
      {"momentum error", number(report.momentumError)},
      {"contact remainder", number(report.contactRemainder)},
      {"state", hexadecimal(s.stateHash)}};
  const std::vector<const HealthInfo*> flags = raisedIn(report.health, s.own.get());
  float w = 260;
  for (const HealthInfo* info : flags) w = std::max(w, canvas.textWidth(info->line()) + 2 * kPad);
  const std::size_t words = 2 * (flags.size() + in.hasFailed);
  const float h = 24 + kLine * static_cast<float>(rows.size() + std::max<std::size_t>(1, words)) + 8;
  const Rect corner{kCardMargin, 86, w, h};
  const Rect r = freePlace(canvas, {.places = {corner}, .near = middle(corner), .clear = {}});
  canvas.card(r);
  float y = r.y + 12;
  for (const auto& [name, value] : rows) {
    canvas.text(r.x + kPad, y, name, Ink::Secondary);
    canvas.text(r.x + kPad + 118, y, value, Ink::Text);
    y += kLine;
  }
  y += 6;
  if (in.hasFailed) {
    canvas.text(r.x + kPad, y, "stopped", canvas.tokens().error, TextStyle::Strong);
    canvas.text(r.x + kPad, y + kLine - 3, "the log says why", Ink::Secondary);
    y += 2 * kLine;
  } else if (flags.empty())
    canvas.text(r.x + kPad, y, "healthy", canvas.tokens().good, TextStyle::Strong);
  for (const HealthInfo* info : flags) {
    canvas.text(r.x + kPad, y, std::string(info->name),
                info->isInformation() ? canvas.tokens().bookmark : canvas.tokens().error, TextStyle::Strong);
    canvas.text(r.x + kPad, y + kLine - 3, info->line(), Ink::Secondary);
    y += 2 * kLine;
  }
}

void drawProfiler(HudCanvas& canvas, const HudInput& in) {
  if (!in.snapshot) return;
  const PhaseTimes& phases = in.snapshot->report.phases;
  const MethodRows* const own = in.snapshot->own.get();
  const std::size_t count = phaseCount(own);
  const double total = std::accumulate(phases.begin(), phases.end(), 0.0);
  const float w = 270, bar = w - 2 * kPad, h = 66 + kLine * static_cast<float>(count);
  const Rect corner{canvas.width() - kCardMargin - w, 60, w, h};
  const Rect r = freePlace(canvas, {.places = {corner}, .near = middle(corner), .clear = {}});
  canvas.card(r);
  canvas.text(r.x + kPad, r.y + 12, "Step", Ink::Bright, TextStyle::Strong);
  const std::string sum = number(1e3 * total) + " ms";
  canvas.text(r.x + w - kPad - canvas.textWidth(sum, TextStyle::Strong), r.y + 12, sum, Ink::Bright,
              TextStyle::Strong);
  float x = r.x + kPad;
  for (std::size_t i = 0; i < count; ++i) {
    const Hex color = phaseColor(i, canvas.tokens());
    const float part = total > 0 ? static_cast<float>(phases[i] / total) * bar : 0;
    canvas.fill({x, r.y + 36, std::max(0.f, part - 1), 9}, color);
    x += part;
    const float y = r.y + 56 + kLine * static_cast<float>(i);
    canvas.fill({r.x + kPad, y + 4, 8, 8}, color, 2);
    canvas.text(r.x + kPad + 17, y, std::string(infoOf(static_cast<Phase>(i), own).name), Ink::Secondary);
    const std::string value = number(1e3 * phases[i]) + " ms";
    canvas.text(r.x + w - kPad - canvas.textWidth(value), y, value, Ink::Text);
  }
}

}  // namespace slipstick::render
