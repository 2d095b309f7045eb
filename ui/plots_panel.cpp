#include "ui/plots_panel.h"

#include <QScrollArea>
#include <algorithm>
#include <cmath>

#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr double kLastSeconds = 5;
constexpr int kRefreshPeriod_ms = 100;

struct StripKind {
  QString title, unit;
  struct Line {
    QString name;
    PlotRole role;
    std::size_t value;  ///< into PinSample::values
  };
  std::vector<Line> lines;
};

/// What is plotted of a pin: a strip per unit.
std::vector<StripKind> stripsOf(const Pin& pin, const Model& model) {
  if (pin.isContact())
    return {{pin.label,
             "N",
             {{QString::fromUtf8("μN"), PlotRole::Bound, 2},
              {QObject::tr("normal"), PlotRole::Normal, 0},
              {QObject::tr("friction"), PlotRole::Friction, 1}}}};
  if (pin.kind == Pin::Kind::Body)
    return {{pin.label, "N", {{QObject::tr("contact force"), PlotRole::Value, 0}}},
            {pin.label, "N m", {{QObject::tr("moment"), PlotRole::Value, 1}}}};
  const bool linear =
      model.tree.joints[static_cast<std::size_t>(pin.index)].type == multibody::JointType::Prismatic;
  return {{pin.label, linear ? "m" : "rad", {{QObject::tr("position"), PlotRole::Value, 0}}},
          {pin.label,
           linear ? "N" : "N m",
           {{linear ? QObject::tr("force") : QObject::tr("torque"), PlotRole::Value, 1}}}};
}

PlotLine lineOf(const StripKind::Line& kind, const PinCurve& curve, const PinCurve* ghost) {
  PlotLine line{kind.name, kind.role, {}, {}, {}};
  for (const PinSample& sample : curve) {
    line.points.emplace_back(sample.time, sample.values[kind.value]);
    if (kind.role == PlotRole::Friction) line.slips.push_back(sample.slips);
  }
  if (ghost)
    for (const PinSample& sample : *ghost) line.ghost.emplace_back(sample.time, sample.values[kind.value]);
  return line;
}

}  // namespace

PlotsPanel::PlotsPanel(Session& session, QWidget* parent)
    : Panel(tr("Plots"), "plots", parent), session_(session) {
  build();
  refreshTimer_.setSingleShot(true);
  connect(&refreshTimer_, &QTimer::timeout, this, &PlotsPanel::ask);
  connect(&session_.reader(), &RunReader::curvesRead, this, &PlotsPanel::onCurves);
  connect(&session_, &Session::pinsChanged, this, [this] {
    rebuild();
    Q_EMIT wanted(!session_.pins().empty());
  });
  for (const auto changed : {&Session::shownChanged, &Session::statusChanged, &Session::ghostChanged})
    connect(&session_, changed, this, &PlotsPanel::plan);
  // The moment that the picture shows, not one that it will show.
  connect(&session_, &Session::presentedChanged, this, [this] {
    for (PlotStrip* strip : strips_) strip->setWindow(window());
    if (session_.ghost()) plan();  // other steps of its run lie in the window now
  });
}

void PlotsPanel::build() {
  range_ = new FlatButton({}, tr("last %1 s").arg(kLastSeconds));
  range_->setToolTip(tr("The last seconds, or the whole run"));
  addToHeader(range_);
  connect(range_, &FlatButton::clicked, this, [this] {
    wholeRun_ = !wholeRun_;
    range_->setText(wholeRun_ ? tr("whole run") : tr("last %1 s").arg(kLastSeconds));
    range_->updateGeometry();
    ask();
  });
  sheet_ = new QWidget;
  sheet_->setAutoFillBackground(true);
  sheet_->setBackgroundRole(QPalette::Base);
  column_ = new QVBoxLayout(sheet_);
  column_->setContentsMargins(0, 0, 0, kSpace);
  column_->setSpacing(2);
  hint_ = new ThemedLabel(
      tr("Select a contact, a pair or a body and press N: what is pinned is plotted here."), faintColor);
  hint_->setWordWrap(true);
  hint_->setContentsMargins(kSpace * 3 / 2, 0, kSpace * 3 / 2, 0);
  column_->addWidget(hint_);
  column_->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(sheet_);
  setWidget(scroll);
  setMinimumHeight(140);
}

void PlotsPanel::showEvent(QShowEvent* event) {
  Panel::showEvent(event);
  ask();
}

/// One strip more or less: the others stay as they are.
void PlotsPanel::rebuild() {
  for (PlotStrip* strip : strips_) strip->deleteLater();
  strips_.clear();
  hint_->setVisible(session_.pins().empty());
  setSubtitle(session_.pins().empty() ? QString() : tr("%1 pinned").arg(session_.pins().size()));
  if (!session_.isOpen()) return;
  for (const Pin& pin : session_.pins())
    for (const StripKind& kind : stripsOf(pin, *session_.model())) {
      auto* strip = new PlotStrip(sheet_);
      PlotData plot{kind.title, kind.unit, {}};
      for (const StripKind::Line& line : kind.lines) plot.lines.push_back({line.name, line.role, {}, {}, {}});
      strip->setData(std::move(plot));
      strip->setWindow(window());
      connect(strip, &PlotStrip::dragged, &session_, &Session::lookAtTime);
      column_->insertWidget(column_->count() - 1, strip, 100);  // before the rest of the space
      strips_.push_back(strip);
    }
  if (!strips_.empty()) strips_.back()->setTimesShown(true);
  ask();
}

/// Soon: what changes faster cannot be read.
void PlotsPanel::plan() {
  if (refreshTimer_.isActive() || session_.pins().empty() || !isVisible()) return;
  complete_ = false;
  refreshTimer_.start(kRefreshPeriod_ms);
}

PlotWindow PlotsPanel::window() const {
  if (!session_.isOpen()) return {};
  const double newest = std::max(session_.newestTime(), session_.model()->time.dt);
  const double cursor = session_.presented() ? session_.presented()->time : newest;
  if (wholeRun_) return {0, newest, cursor, ghostShift()};
  double from = std::max(0.0, newest - kLastSeconds);
  if (cursor < from) from = std::max(0.0, cursor - kLastSeconds / 2);  // scrubbed back: it comes along
  return {from, std::min(newest, from + kLastSeconds), cursor, ghostShift()};
}

/// What the ghost's times differ by: of the same branch its moment lies under the cursor, of another one the
/// same times lie above each other [s].
double PlotsPanel::ghostShift() const {
  const auto& ghost = session_.ghost();
  if (!ghost || ghost->branch != session_.shownBranch() || !session_.presented()) return 0;
  return session_.presented()->time - session_.timeOf(ghost->step);
}

void PlotsPanel::ask() {
  complete_ = !session_.isOpen() || session_.pins().empty() || !isVisible();
  if (complete_) return;
  const PlotWindow shown = window();
  for (PlotStrip* strip : strips_) strip->setWindow(shown);
  const double dt = session_.model()->time.dt;
  const auto add = [&](std::shared_ptr<const RunSource> run, double shift, CurvesQuestion& question) {
    if (!run) return;
    const std::uint64_t last = run->status().lastStep;
    const auto stepAt = [&](double time) {
      return std::min(last, static_cast<std::uint64_t>(std::max(0.0, std::round((time - shift) / dt))));
    };
    question.runs.push_back({std::move(run), stepAt(shown.from), stepAt(shown.to)});
  };
  CurvesQuestion question;
  question.pins = session_.pins();
  question.model = session_.model();
  add(session_.sharedSource(), 0, question);
  if (session_.ghost()) add(session_.sharedBranch(session_.ghost()->branch), ghostShift(), question);
  session_.reader().ask(std::move(question));
}

void PlotsPanel::onCurves() {
  const std::optional<PinCurves> curves = session_.reader().takeCurves();
  if (!curves || curves->question.pins != session_.pins() || curves->question.model != session_.model())
    return;
  fill(*curves);
  complete_ = curves->complete && !refreshTimer_.isActive();
  Q_EMIT filled();
}

void PlotsPanel::fill(const PinCurves& curves) {
  const bool ghost = curves.curves.size() > 1 && session_.ghost();
  std::size_t at = 0;
  for (std::size_t p = 0; p < curves.question.pins.size(); ++p)
    for (const StripKind& kind : stripsOf(curves.question.pins[p], *session_.model())) {
      if (at == strips_.size()) return;
      PlotData plot{kind.title, kind.unit, {}};
      for (const StripKind::Line& line : kind.lines)
        plot.lines.push_back(lineOf(line, curves.curves[0][p], ghost ? &curves.curves[1][p] : nullptr));
      strips_[at++]->setData(std::move(plot));
    }
}

}  // namespace slipstick::ui
