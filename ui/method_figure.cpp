#include "ui/method_figure.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/foundation/number_text.h"
#include "render/jobs/picture_job.h"
#include "ui/text.h"

namespace slipstick::ui {

namespace {

constexpr double kMillimetresPerInch = 25.4, kAspect = 1.25;

using Snapshots = std::vector<std::shared_ptr<const Snapshot>>;

/// A walk over snapshots of several runs of a scene: step i is the i-th of them.
class SnapshotWalk final : public RunWalk {
 public:
  /// @param largest  force, of the scale of arrows [N]
  SnapshotWalk(std::shared_ptr<const Model> model, Snapshots snapshots, double largest)
      : model_(std::move(model)), snapshots_(std::move(snapshots)), largest_(largest) {}

  const std::shared_ptr<const Model>& model() const override { return model_; }
  std::uint64_t firstStep() const override { return 0; }
  std::uint64_t lastStep() const override { return snapshots_.size() - 1; }
  bool endsThere() const override { return true; }
  Result<std::shared_ptr<const Snapshot>> goTo(std::uint64_t step) override {
    return snapshots_[std::min<std::size_t>(step, snapshots_.size() - 1)];
  }
  Result<std::shared_ptr<const Snapshot>> contactsAt(std::uint64_t step) override { return goTo(step); }
  double largestForce() const override { return largest_; }

 private:
  std::shared_ptr<const Model> model_;
  Snapshots snapshots_;
  double largest_ = 0;
};

/// One scale of arrows for all of them [N].
double largestForce(const Snapshots& all) {
  double largest = 0;
  for (const auto& snapshot : all)
    for (const Contact& contact : snapshot->contacts) largest = std::max(largest, contact.f_Bc_W.norm());
  return largest;
}

bool hasBodiesOf(const Snapshot& snapshot, const Model& model) {
  return snapshot.X_WB.size() == model.tree.bodies.size();
}

/// Whether it can be drawn as one of this model, which may differ from its own in numbers.
bool fits(const Snapshot& snapshot, const Model& model) {
  return hasBodiesOf(snapshot, model) && snapshot.particles.size() == model.nodeCount() &&
         snapshot.model->discretize == model.discretize;
}

std::shared_ptr<const Snapshot> asOf(const std::shared_ptr<const Model>& model, const Snapshot& snapshot) {
  auto same = std::make_shared<Snapshot>(snapshot);
  same->model = model;
  return same;
}

/// The first ones from a place on that can be drawn as of one model, that of the first: in one go.
Snapshots alikeFrom(const Snapshots& all, std::size_t place) {
  const std::shared_ptr<const Model>& model = all[place]->model;
  Snapshots alike = {all[place]};
  while (++place < all.size() && fits(*all[place], *model)) alike.push_back(asOf(model, *all[place]));
  return alike;
}

/// As of the last one's model: whoever draws ghosts needs that. Their nodes may be others.
Snapshots ghostsAndLast(const Snapshots& all) {
  Snapshots together;
  for (const auto& snapshot : all)
    if (hasBodiesOf(*snapshot, *all.back()->model)) together.push_back(asOf(all.back()->model, *snapshot));
  return together;
}

/// Time of a step of a SnapshotWalk [s].
double timeOf(const Model& model, std::size_t step) {
  return static_cast<double>(step) * model.time.dt;
}

std::shared_ptr<PlotSeries> seriesOf(const MethodRun& run, double dt, const auto& value) {
  auto series = std::make_shared<PlotSeries>();
  const std::vector<MethodSample>& samples = run.tally.samples();
  std::size_t next = 0;
  for (std::uint64_t step = 0; !samples.empty(); ++step) {
    const double time = static_cast<double>(step) * dt;
    while (next < samples.size() && samples[next].time < time - 1e-9) ++next;
    if (next == samples.size()) break;
    const double at = value(samples[next]);
    series->append({&at, 1});
  }
  return series;
}

/// Whether fixed joints alone lead to a body.
bool isStill(const multibody::Tree& tree, int body) {
  for (; body > 0; body = tree.parentOf(body))
    if (tree.joints[static_cast<std::size_t>(body - 1)].type != multibody::JointType::Fixed) return false;
  return true;
}

/// The moving body, else the one that stands, on which contacts press most; −1: none.
int busiestBody(std::span<const MethodRun> runs) {
  const Model& model = runs.front().tally.model();
  std::vector<double> sums(model.tree.bodies.size(), 0);
  for (const MethodSample& sample : runs.front().tally.samples())
    for (std::size_t b = 1; b < std::min(sums.size(), sample.forces.size()); ++b)
      sums[b] += sample.forces[b].norm();
  int busiest = -1;
  std::pair<bool, double> most(false, 0);
  for (std::size_t b = 1; b < sums.size(); ++b) {
    const std::pair press(sums[b] > 0 && !isStill(model.tree, static_cast<int>(b)), sums[b]);
    if (press <= most) continue;
    most = press;
    busiest = static_cast<int>(b);
  }
  return busiest;
}

FigurePlot plotOf(std::span<const MethodRun> runs, const std::string& label, const std::string& unit,
                  double dt, const auto& value) {
  FigurePlot plot;
  plot.label = toQString(label);
  plot.unit = toQString(unit);
  for (const MethodRun& run : runs)
    plot.curves.push_back({toQString(run.name), PlotRole::Value, seriesOf(run, dt, value)});
  return plot;
}

/// Draws the last ones of the snapshots, the others as ghosts.
Result<std::vector<render::Image>> draw(const Snapshots& all, std::size_t ghosts, double largest,
                                        render::PictureRequest& request, const std::stop_token& stop) {
  const std::shared_ptr<const Model>& model = all.front()->model;
  request.moments.clear();
  request.ghosts.clear();
  for (std::size_t i = 0; i < all.size(); ++i)
    (i < ghosts ? request.ghosts : request.moments).push_back(timeOf(*model, i));
  SnapshotWalk walk(model, all, largest);
  std::vector<render::Image> images;
  const Result<render::PictureReport> drawn = render::drawStills(walk, request, images, stop, {});
  if (!drawn) return drawn.error();
  if (images.size() < request.moments.size())
    return Error{ErrorCode::Cancelled, "the pictures were stopped", model->name, {}};
  return images;
}

/// The pictures of a moment: every method's, and if there are several, the last one's with the others as ghosts.
Result<void> addPictures(std::span<const MethodRun> runs, std::size_t moment, render::PictureRequest& request,
                         const std::stop_token& stop, Figure& figure) {
  Snapshots all;
  for (const MethodRun& run : runs) all.push_back(run.pictures[moment]);
  const double largest = largestForce(all);
  const QString at = toQString(", " + slipstick::significant(all.front()->time, 4) + " s");
  for (std::size_t done = 0; done < all.size();) {
    const Result<std::vector<render::Image>> each = draw(alikeFrom(all, done), 0, largest, request, stop);
    if (!each) return each.error();
    for (const render::Image& image : *each)
      figure.pictures.push_back({image, toQString(runs[done++].name) + at});
  }
  if (all.size() < 2) return {};
  const Snapshots together = ghostsAndLast(all);
  const Result<std::vector<render::Image>> overlaid =
      draw(together, together.size() - 1, largest, request, stop);
  if (!overlaid) return overlaid.error();
  figure.pictures.push_back({overlaid->front(), toQString(runs.back().name + ", the others as ghosts")});
  return {};
}

void addPlots(std::span<const MethodRun> runs, Figure& figure) {
  double dt = 0, end = 0;
  for (const MethodRun& run : runs) {
    dt = std::max(dt, run.tally.model().time.dt);
    end = std::max(end, run.tally.samples().back().time);
  }
  if (const int body = busiestBody(runs); body >= 0)
    figure.plots.push_back(plotOf(
        runs, "force on " + runs.front().tally.model().tree.bodies[static_cast<std::size_t>(body)].name, "N",
        dt, [&](const MethodSample& s) { return s.forces[static_cast<std::size_t>(body)].norm(); }));
  const double start = runs.front().tally.samples().front().energy();
  figure.plots.push_back(
      plotOf(runs, "energy gained", "J", dt, [&](const MethodSample& s) { return s.energy() - start; }));
  figure.dt = dt;
  figure.range = {0, end};
}

}  // namespace

render::PictureRequest methodPictures(double dpi) {
  /// Pixels of the figure per logical one of words and arrows.
  constexpr double kLogicalPerInch = 110;
  render::PictureRequest request;
  request.arrangement = render::Arrangement::Apart;
  request.supersample = 2;
  request.pixelRatio = dpi / kLogicalPerInch;
  render::ViewOptions& view = request.view;
  view.whiteBackground = true;
  view.timeCard = view.forceLegend = view.contactCard = view.colorBars = view.insets = view.ghostCaption =
      false;
  view.forceLabels = false;
  return request;
}

Result<Figure> methodFigure(std::span<const MethodRun> runs, render::PictureRequest request, double width_mm,
                            double dpi, const std::stop_token& stop) {
  std::size_t moments = runs.front().pictures.size();
  for (const MethodRun& run : runs) moments = std::min(moments, run.pictures.size());
  if (moments == 0)
    return Error{ErrorCode::SimulationFailed, "no method has reached the first moment",
                 runs.front().tally.model().name, "choose an earlier one"};
  Figure figure;
  figure.columns = static_cast<int>(runs.size()) + (runs.size() > 1 ? 1 : 0);
  figure.title = toQString(runs.front().tally.model().name);
  figure.width_mm = width_mm;
  figure.dpi = dpi;
  figure.font = FigureFont::Sans;
  const double width = pictureWidth_mm(width_mm, figure.columns) / kMillimetresPerInch * dpi;
  request.width = std::max(1, static_cast<int>(std::lround(width)));
  request.height = std::max(1, static_cast<int>(std::lround(width / kAspect)));
  for (std::size_t m = 0; m < moments; ++m) {
    if (const Result<void> added = addPictures(runs, m, request, stop, figure); !added) return added.error();
    figure.rules.push_back(runs.front().pictures[m]->time);
  }
  addPlots(runs, figure);
  return figure;
}

}  // namespace slipstick::ui
