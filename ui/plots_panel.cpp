#include "ui/plots_panel.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QMenu>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <set>

#include "ui/companions.h"
#include "ui/exports.h"
#include "ui/observable_chooser.h"
#include "ui/plot_figure.h"
#include "ui/plot_list.h"
#include "ui/run_csv.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kRefreshPeriod_ms = 100;

}  // namespace

PlotsPanel::PlotsPanel(Session& session, QWidget* parent)
    : Panel(tr("Plots"), "plots", parent), session_(session), times_(session) {
  build();
  connectSession();
}

PlotsPanel::~PlotsPanel() = default;

void PlotsPanel::build() {
  buildHeader();
  sheet_ = new QWidget;
  sheet_->setAutoFillBackground(true);
  sheet_->setBackgroundRole(QPalette::Base);
  column_ = new QVBoxLayout(sheet_);
  column_->setContentsMargins(0, 0, 0, kSpace);
  column_->setSpacing(2);
  hint_ = new ThemedLabel(
      tr("Drag a value from the scene, the inspector or the contacts to here, press + for a list, "
         "or select a pair or a body and press N."),
      faintColor);
  hint_->setWordWrap(true);
  hint_->setContentsMargins(kSpace * 3 / 2, 0, kSpace * 3 / 2, 0);
  column_->addWidget(hint_);
  column_->addStretch(1);
  scroll_ = new QScrollArea;
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setWidget(sheet_);
  setWidget(scroll_);
  setMinimumHeight(140);
  setAcceptDrops(true);
  // Before it is painted: what comes into sight is read then.
  connect(scroll_->verticalScrollBar(), &QScrollBar::valueChanged, this, &PlotsPanel::fillVisible);
}

void PlotsPanel::buildHeader() {
  range_ = new FlatButton({}, times_.word());
  range_->setToolTip(
      tr("The last seconds, or the whole run. Ctrl+wheel zooms, Shift+wheel moves, a double click shows "
         "the whole run"));
  spectra_ = new FlatButton({}, tr("Spectrum"));
  spectra_->setToolTip(
      tr("Of the selected range: drag with Shift over a plot or the timeline to select one"));
  spectra_->setCheckable(true);
  add_ = new FlatButton("plus", {});
  add_->setToolTip(tr("Plot another value of this run"));
  add_->setAccessibleName(tr("add a plot"));
  export_ = new FlatButton("export", {});
  export_->setToolTip(tr("Save the plots: numbers of every step, or a figure"));
  export_->setAccessibleName(tr("export plots"));
  for (FlatButton* button : {range_, spectra_, add_, export_}) addToHeader(button);
  connect(range_, &FlatButton::clicked, this, [this] {
    times_.toggle();
    onTimes();
  });
  connect(spectra_, &FlatButton::toggled, this, [this] {
    if (spectra_->isChecked() && !session_.marks().range())
      session_.messages().tell(LogLevel::Info,
                               tr("drag with Shift over a plot to select the time that the spectrum is of"));
    setWindows();
  });
  connect(add_, &FlatButton::clicked, this, [this] { openChooser(); });
  connect(export_, &FlatButton::clicked, this, [this] {
    QMenu* menu = exportMenu();
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(export_->mapToGlobal(QPoint(0, export_->height())));
  });
}

void PlotsPanel::connectSession() {
  refreshTimer_.setSingleShot(true);
  connect(&refreshTimer_, &QTimer::timeout, this, &PlotsPanel::refresh);
  connect(&session_.reader(), &RunReader::curvesRead, this, &PlotsPanel::onCurves);
  connect(&session_.plots(), &PlotList::changed, this, [this] {
    rebuild();
    Q_EMIT wanted(!session_.plots().plots().empty());
  });
  connect(&session_.moment(), &ShownMoment::shownChanged, this, &PlotsPanel::plan);
  connect(&session_.run(), &OpenRun::statusChanged, this, &PlotsPanel::plan);
  connect(&session_.marks(), &TimeMarks::ghostChanged, this, &PlotsPanel::plan);
  connect(&session_.companions(), &Companions::stepped, this, &PlotsPanel::plan);
  connect(&session_.companions(), &Companions::changed, this, &PlotsPanel::plan);
  connect(&session_.opener(), &SceneOpener::opened, this, [this] {
    times_.set(PlotTimes::Kind::LastSeconds);
    onTimes();
    rebuild();
  });
  connect(&session_.marks(), &TimeMarks::rangeChanged, this, &PlotsPanel::setWindows);
  // The moment that the picture shows, not one that it will show.
  connect(&session_.moment(), &ShownMoment::presentedChanged, this, [this] {
    setWindows();
    if (session_.marks().ghost()) plan();  // other steps of its run lie in the window now
  });
}

void PlotsPanel::showEvent(QShowEvent* event) {
  Panel::showEvent(event);
  refresh();
}

// ------------------------------------------------------------------------------------------------- strips

/// Those that stay are the same widgets, wherever they stand now.
void PlotsPanel::rebuild() {
  const std::vector<Plot>& plots = session_.plots().plots();
  std::vector<PlotStrip*> strips;
  for (const Plot& plot : plots) {
    const auto known = std::find_if(strips_.begin(), strips_.end(),
                                    [&](const PlotStrip* s) { return s->plot() == plot.id; });
    PlotStrip* strip = known == strips_.end() ? makeStrip(plot) : *known;
    column_->removeWidget(strip);
    column_->insertWidget(column_->count() - 1, strip, 100);  // before the rest of the space
    strips.push_back(strip);
  }
  for (PlotStrip* strip : strips_)
    if (std::find(strips.begin(), strips.end(), strip) == strips.end()) {
      strip->hide();
      strip->deleteLater();
    }
  strips_ = std::move(strips);
  for (PlotStrip* strip : strips_) strip->setTimesShown(strip == strips_.back());
  hint_->setVisible(strips_.empty());
  setSubtitle(strips_.empty() ? QString() : tr("%1").arg(strips_.size()));
  refresh();
}

PlotStrip* PlotsPanel::makeStrip(const Plot& plot) {
  auto* strip = new PlotStrip(plot.id, sheet_);
  connect(strip, &PlotStrip::dragged, &session_.moment(), &ShownMoment::lookAtTime);
  connect(strip, &PlotStrip::selected, &session_, [this](const TimeRange& range) {
    session_.marks().setRange(range.to > range.from ? std::optional(range) : std::nullopt);
  });
  connect(strip, &PlotStrip::zoomed, this, [this](double factor, double about) {
    if (times_.zoom(factor, about)) onTimes();
  });
  connect(strip, &PlotStrip::panned, this, [this](double seconds) {
    if (times_.pan(seconds)) onTimes();
  });
  connect(strip, &PlotStrip::wholeRunWanted, this, &PlotsPanel::showWholeRun);
  connect(strip, &PlotStrip::closed, this, [this, id = plot.id] { session_.plots().remove(id); });
  connect(strip, &PlotStrip::dropped, this, [this, id = plot.id](const std::vector<Plot>& plots) {
    if (session_.plots().join(id, plots)) return;
    session_.plots().add(plots);  // a third unit has no axis
    session_.messages().tell(LogLevel::Info,
                             tr("a plot has two axes at most, so the third unit has its own plot"));
  });
  connect(strip, &PlotStrip::menuWanted, this, [this](QPoint at) {
    QMenu* menu = exportMenu();
    menu->addSeparator();
    menu->addAction(tr("Close all plots"), this, [this] { session_.plots().clear(); });
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(at);
  });
  return strip;
}

void PlotsPanel::dragEnterEvent(QDragEnterEvent* event) {
  if (!plotsIn(*event->mimeData()).empty()) event->acceptProposedAction();
}

void PlotsPanel::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  session_.plots().add(plotsIn(*event->mimeData()));
}

QWidget* PlotsPanel::openChooser() {
  if (!session_.isOpen()) return nullptr;
  auto* chooser = new ObservableChooser(session_.moment().source().columns().names(), this);
  connect(chooser, &ObservableChooser::chosen, this, [this](const RunColumns::Name& name) {
    session_.plots().add({plotOf(name.name, toQString(name.unit))});
  });
  const QSize size(std::max(280, width() - 2 * kSpace), 320);
  chooser->resize(size);
  chooser->move(add_->mapToGlobal(QPoint(add_->width() - size.width(), add_->height() + 2)));
  chooser->show();
  return chooser;
}

// -------------------------------------------------------------------------------------------------- times

void PlotsPanel::onTimes() {
  range_->setText(times_.word());
  range_->updateGeometry();
  setWindows();
  plan();
}

void PlotsPanel::showWholeRun() {
  times_.set(PlotTimes::Kind::WholeRun);
  onTimes();
}

void PlotsPanel::showTimes(double from, double to) {
  if (times_.show(from, to)) onTimes();
}

PlotWindow PlotsPanel::window() const {
  if (!session_.isOpen()) return {};
  PlotWindow window = times_.window();
  window.ghostShift = ghostShift();
  window.spectra = spectra_->isChecked();
  return window;
}

/// What the ghost's times differ by: of the same branch its moment lies under the cursor, of another one the
/// same times lie above each other [s].
double PlotsPanel::ghostShift() const {
  const auto& ghost = session_.marks().ghost();
  if (!ghost || ghost->branch != session_.moment().shownBranch() || !session_.moment().presented()) return 0;
  return session_.moment().presented()->time - session_.moment().timeOf(ghost->step);
}

void PlotsPanel::setWindows() {
  const PlotWindow shown = window();
  for (PlotStrip* strip : strips_) strip->setWindow(shown);
}

// ------------------------------------------------------------------------------------------------- curves

/// Soon: what changes faster cannot be read.
void PlotsPanel::plan() {
  if (refreshTimer_.isActive() || strips_.empty() || !isVisible()) return;
  complete_ = false;
  refreshTimer_.start(kRefreshPeriod_ms);
}

void PlotsPanel::refresh() {
  complete_ = !session_.isOpen() || strips_.empty() || !isVisible();
  if (complete_) return;
  live_.follow(session_.moment().sharedSource());
  ghost_.follow(session_.marks().ghost() ? session_.moment().sharedBranch(session_.marks().ghost()->branch)
                                         : nullptr);
  followBesides();
  setWindows();
  askContacts();
  fillVisible();
  if (!complete_) return;
  Q_EMIT filled();
}

void PlotsPanel::askContacts() {
  CurvesQuestion question;
  for (const Plot& plot : session_.plots().plots())
    if (plot.pin && plot.pin->kind == Pin::Kind::Contact) question.pins.push_back(*plot.pin);
  complete_ = question.pins.empty();
  if (complete_) return contacts_.reset();
  const PlotWindow shown = window();
  const double dt = session_.model()->time.dt;
  const auto add = [&](std::shared_ptr<const RunSource> run, double shift) {
    if (!run) return;
    const std::uint64_t last = run->status().lastStep;
    const auto stepAt = [&](double time) {
      return std::min(last, static_cast<std::uint64_t>(std::max(0.0, std::round((time - shift) / dt))));
    };
    question.runs.push_back({std::move(run), stepAt(shown.from), stepAt(shown.to)});
  };
  question.model = session_.model();
  add(session_.moment().sharedSource(), 0);
  if (session_.marks().ghost())
    add(session_.moment().sharedBranch(session_.marks().ghost()->branch), ghostShift());
  session_.reader().ask(std::move(question));
}

void PlotsPanel::onCurves() {
  std::optional<PinCurves> curves = session_.reader().takeCurves();
  if (!curves || curves->question.model != session_.model()) return;
  contacts_ = std::move(curves);
  fillVisible();
  complete_ = contacts_->complete && !refreshTimer_.isActive();
  Q_EMIT filled();
}

/// What cannot be seen is not read.
void PlotsPanel::fillVisible() {
  const std::vector<Plot>& plots = session_.plots().plots();
  const int top = scroll_->verticalScrollBar()->value(), bottom = top + scroll_->viewport()->height();
  sheet_->layout()->activate();  // new ones have their places
  for (std::size_t i = 0; i < strips_.size() && i < plots.size(); ++i) {
    const QRect place = strips_[i]->geometry();
    if (place.bottom() >= top && place.top() <= bottom) strips_[i]->setData(dataOf(plots[i]));
  }
}

void PlotsPanel::followBesides() {
  const Companions& companions = session_.companions();
  std::erase_if(besides_, [&](const auto& source) { return !companions.find(source.first); });
  const BranchId branch = session_.moment().shownBranch();
  for (const Companions::Entry& entry : companions.all()) besides_[entry.id].follow(entry.run->along(branch));
}

std::vector<BesideCurve> PlotsPanel::besidesOf(const std::string& curve) {
  std::vector<BesideCurve> curves;
  for (const Companions::Entry& entry : session_.companions().all()) {
    const auto source = besides_.find(entry.id);
    if (source != besides_.end() && source->second.hasRun())
      curves.push_back({entry.name, entry.hue, source->second.series(curve)});
  }
  return curves;
}

PlotData PlotsPanel::dataOf(const Plot& plot) {
  PlotData drawn{plot.title, {}, session_.model()->time.dt};
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const PlotCurve& curve = plot.curves[i];
    if (curve.name.empty()) {
      drawn.lines.push_back(contactLine(plot, i));
      continue;
    }
    PlotLine line{curve.label, curve.unit, curve.role, live_.series(curve.name), nullptr, nullptr, false};
    if (ghost_.hasRun()) line.ghost = ghost_.series(curve.name);
    line.besides = besidesOf(curve.name);
    const std::string friction = ".friction";
    if (curve.role == PlotRole::Friction && curve.name.ends_with(friction))
      line.slipping = live_.series(curve.name.substr(0, curve.name.size() - friction.size()) + ".slipping");
    drawn.lines.push_back(std::move(line));
  }
  return drawn;
}

/// Of a single contact: stored steps know it, and lie apart where the history was thinned.
PlotLine PlotsPanel::contactLine(const Plot& plot, std::size_t curve) const {
  constexpr std::array<std::size_t, 3> kValues = {2, 0, 1};  // of PinSample: bound, normal, friction
  const PlotCurve& wanted = plot.curves[curve];
  PlotLine line{wanted.label, wanted.unit, wanted.role, nullptr, nullptr, nullptr, true};
  if (!contacts_) return line;
  const std::vector<Pin>& pins = contacts_->question.pins;
  const auto pin = static_cast<std::size_t>(std::find(pins.begin(), pins.end(), *plot.pin) - pins.begin());
  if (pin == pins.size()) return line;
  const auto seriesOf = [&](const PinCurve& samples, auto value) {
    if (samples.empty()) return std::make_shared<PlotSeries>();
    auto series = std::make_shared<PlotSeries>(samples.front().step);
    std::vector<double> values(samples.back().step - samples.front().step + 1,
                               std::numeric_limits<double>::quiet_NaN());
    for (const PinSample& sample : samples) values[sample.step - samples.front().step] = value(sample);
    series->append(values);
    return series;
  };
  const auto force = [&](const PinSample& s) { return s.values[kValues[curve]]; };
  line.values = seriesOf(contacts_->curves[0][pin], force);
  if (wanted.role == PlotRole::Friction)
    line.slipping =
        seriesOf(contacts_->curves[0][pin], [](const PinSample& s) { return s.slips ? 1.0 : 0.0; });
  if (contacts_->curves.size() > 1 && session_.marks().ghost())
    line.ghost = seriesOf(contacts_->curves[1][pin], force);
  return line;
}

// ------------------------------------------------------------------------------------------------- files

QMenu* PlotsPanel::exportMenu() {
  auto* menu = new QMenu(this);
  const bool any = !strips_.empty();
  const auto add = [&](const QString& text, const QString& filter,
                       void (PlotsPanel::*write)(const QString&)) {
    menu->addAction(text, this, [this, filter, write] { chooseFile(filter, write); })->setEnabled(any);
  };
  add(tr("Save numbers as CSV…"), tr("CSV (*.csv)"), &PlotsPanel::exportCsv);
  add(tr("Save figure as SVG…"), tr("SVG (*.svg)"), &PlotsPanel::exportFigure);
  add(tr("Save figure as PDF…"), tr("PDF (*.pdf)"), &PlotsPanel::exportFigure);
  return menu;
}

void PlotsPanel::chooseFile(const QString& filter, void (PlotsPanel::*write)(const QString&)) {
  const QString suffix = filter.section("*", 1).chopped(1);
  auto* dialog = new QFileDialog(this, tr("Save plots"), toQString(session_.model()->name) + suffix, filter);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(suffix.mid(1));
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, write](const QString& file) { (this->*write)(file); });
  dialog->open();
}

void PlotsPanel::exportCsv(const QString& file) {
  if (!session_.isOpen()) return;
  RunColumns columns = session_.moment().source().columns();
  std::vector<RunColumns::Name> names = {{"time", "s"}};
  std::set<std::string> known = {"time"};
  for (const Plot& plot : session_.plots().plots())
    for (const PlotCurve& curve : plot.curves)
      if (!curve.name.empty() && known.insert(curve.name).second)
        names.push_back({curve.name, curve.unit.toStdString()});
  const PlotWindow shown = window();
  const TimeRange times = shown.range.value_or(TimeRange{shown.from, shown.to});
  const double dt = session_.model()->time.dt;
  const StepRange steps{static_cast<std::uint64_t>(std::max(0.0, std::ceil(times.from / dt - 1e-6))),
                        static_cast<std::uint64_t>(std::floor(times.to / dt + 1e-6)) + 1};
  session_.exports().begin(
      file, [=, names = std::move(names), columns = std::move(columns)](const std::stop_token& stop) {
        return writeColumns(columns, names, steps, file, stop);
      });
}

void PlotsPanel::exportFigure(const QString& file) {
  if (!session_.isOpen()) return;
  live_.follow(session_.moment().sharedSource());
  followBesides();
  std::vector<PlotData> plots;
  for (const Plot& plot : session_.plots().plots()) plots.push_back(dataOf(plot));
  if (const Result<void> written = writePlots(plots, window(), file); !written)
    return session_.messages().failed(written.error());
  session_.messages().tell(LogLevel::Info, tr("wrote %1").arg(file));
}

}  // namespace slipstick::ui
