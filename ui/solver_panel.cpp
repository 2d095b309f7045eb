#include "ui/solver_panel.h"

#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kRefreshPeriod_ms = 100, kTimeHeight = 132;

/// Which solve of the step a curve is of.
QString contactTitle(const Snapshot& s) {
  return SolverPanel::tr("Contact, substep %1 of %2").arg(s.contactSolve.index() + 1).arg(s.report.substeps);
}

/// Why there is no curve of the particles' contacts.
QString noContactSolve(const Snapshot& s) {
  if (s.model->nodeCount() == 0) return SolverPanel::tr("no particles");
  if (s.step == 0) return SolverPanel::tr("not computed");
  return s.report.phases[static_cast<std::size_t>(Phase::Device)] > 0
             ? SolverPanel::tr("the device keeps no curve")
             : SolverPanel::tr("nothing touched");
}

QString noRigidSolve(const Snapshot& s) {
  if (s.model->tree.nv == 0) return SolverPanel::tr("nothing moves");
  return s.step == 0 ? SolverPanel::tr("not computed") : SolverPanel::tr("a body without inertia");
}

}  // namespace

SolverPanel::SolverPanel(Session& session, QWidget* parent)
    : Panel(tr("Solver"), "solver", parent), session_(session), log_(session), times_(session) {
  build();
  connectSession();
}

void SolverPanel::build() {
  range_ = new FlatButton({}, times_.word());
  range_->setToolTip(
      tr("The last seconds, or the whole run. Ctrl+wheel zooms, Shift+wheel moves, a double click "
         "shows the whole run"));
  addToHeader(range_);
  auto* sheet = new QWidget;
  sheet->setAutoFillBackground(true);
  sheet->setBackgroundRole(QPalette::Base);
  auto* column = new QVBoxLayout(sheet);
  column->setContentsMargins(0, 0, 0, kSpace);
  column->setSpacing(2);
  card_ = new StepCard;
  legend_ = new PhaseLegend;
  contactResidual_ = new ResidualChart;
  rigidResidual_ = new ResidualChart;
  health_ = new HealthList(session_);
  for (int strip = 0; strip < StripCount; ++strip)
    strips_[static_cast<std::size_t>(strip)] = makeStrip(static_cast<Strip>(strip));
  strips_[Time]->setFixedHeight(kTimeHeight);
  strips_[Time]->setTimesShown(true);
  auto* healthTitle = new ThemedLabel(tr("Health of the run"), textColor);
  healthTitle->setFont(textFont(600, 0.95));
  healthTitle->setContentsMargins(kSpace * 3 / 2, 4, 0, 0);
  for (QWidget* part : std::initializer_list<QWidget*>{
           card_, strips_[Time], legend_, contactResidual_, rigidResidual_, healthTitle, health_,
           strips_[Iterations], strips_[Contacts], strips_[Nodes], strips_[Rate], strips_[Errors]})
    column->addWidget(part);
  column->addStretch(1);
  scroll_ = new QScrollArea;
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setWidget(sheet);
  setWidget(scroll_);
  setMinimumHeight(140);
}

PlotStrip* SolverPanel::makeStrip(Strip strip) {
  auto* plot = new PlotStrip(static_cast<std::uint64_t>(strip));
  plot->setChangeable(false);
  connect(plot, &PlotStrip::dragged, &session_.moment(), &ShownMoment::lookAtTime);
  connect(plot, &PlotStrip::selected, &session_, [this](const TimeRange& range) {
    session_.marks().setRange(range.to > range.from ? std::optional(range) : std::nullopt);
  });
  connect(plot, &PlotStrip::zoomed, this, [this](double factor, double about) {
    if (times_.zoom(factor, about)) onTimes();
  });
  connect(plot, &PlotStrip::panned, this, [this](double seconds) {
    if (times_.pan(seconds)) onTimes();
  });
  connect(plot, &PlotStrip::wholeRunWanted, this, [this] {
    times_.set(PlotTimes::Kind::WholeRun);
    onTimes();
  });
  return plot;
}

void SolverPanel::connectSession() {
  refreshTimer_.setSingleShot(true);
  connect(&refreshTimer_, &QTimer::timeout, this, &SolverPanel::refresh);
  connect(range_, &FlatButton::clicked, this, [this] {
    times_.toggle();
    onTimes();
  });
  connect(&session_.moment(), &ShownMoment::shownChanged, this, &SolverPanel::plan);
  connect(&session_.run(), &OpenRun::statusChanged, this, &SolverPanel::plan);
  connect(&session_.opener(), &SceneOpener::opened, this, [this] {
    times_.set(PlotTimes::Kind::LastSeconds);
    onTimes();
  });
  connect(&session_.marks(), &TimeMarks::rangeChanged, this, &SolverPanel::setWindows);
  connect(&session_.moment(), &ShownMoment::presentedChanged, this, &SolverPanel::setWindows);
}

void SolverPanel::showEvent(QShowEvent* event) {
  Panel::showEvent(event);
  refresh();
}

void SolverPanel::onTimes() {
  range_->setText(times_.word());
  range_->updateGeometry();
  setWindows();
  plan();
}

void SolverPanel::setWindows() {
  const PlotWindow window = times_.window();
  for (PlotStrip* strip : strips_) strip->setWindow(window);
}

/// Soon: what changes faster cannot be read.
void SolverPanel::plan() {
  if (!refreshTimer_.isActive() && isVisible()) refreshTimer_.start(kRefreshPeriod_ms);
}

void SolverPanel::refresh() {
  if (!session_.isOpen() || !isVisible()) return;
  curves_.follow(session_.moment().sharedSource(), session_.model());
  legend_->setRows(curves_.phases());
  strips_[Time]->setData(curves_.timePerStep());
  strips_[Iterations]->setData(curves_.iterations());
  strips_[Contacts]->setData(curves_.contacts());
  strips_[Rate]->setData(curves_.realTimeRate());
  for (const auto& [strip, drawn] :
       {std::pair(Nodes, curves_.activeNodes()), std::pair(Errors, curves_.errors())}) {
    strips_[strip]->setVisible(!drawn.lines.empty());
    strips_[strip]->setData(drawn);
  }
  showStep();
  health_->refresh();
  setWindows();
}

void SolverPanel::showStep() {
  const Snapshot& shown = *session_.moment().shown();
  setSubtitle(tr("step %1, %2 s").arg(grouped(shown.step), number(shown.time, 3)));
  card_->show(shown);
  legend_->setTimes(shown);
  showResiduals(shown);
}

void SolverPanel::showResiduals(const Snapshot& s) {
  if (s.contactSolve.isEmpty())
    contactResidual_->showNone(tr("Contact"), noContactSolve(s));
  else
    contactResidual_->show({contactTitle(s), s.contactSolve});
  contactResidual_->setVisible(s.model->nodeCount() > 0);
  if (s.rigidSolve.isEmpty())
    rigidResidual_->showNone(tr("Rigid bodies"), noRigidSolve(s));
  else
    rigidResidual_->show({tr("Rigid bodies"), s.rigidSolve});
  rigidResidual_->setVisible(s.model->tree.nv > 0);
}

}  // namespace slipstick::ui
