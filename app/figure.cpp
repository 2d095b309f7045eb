// slipstick figure: pictures of a run and plots below them, for a paper.
#include "app/exit_status.h"
#include "app/figure_options.h"
#include "app/verb.h"

#ifdef SLIPSTICK_HAS_STUDIO

#include <QGuiApplication>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <stop_token>

#include "app/figure_plots.h"
#include "app/observed_walk.h"
#include "app/output_path.h"
#include "app/picture_view.h"
#include "app/progress.h"
#include "app/walk_of.h"
#include "engine/foundation/number_text.h"
#include "render/jobs/picture_job.h"
#include "ui/figure.h"
#include "ui/text.h"

#endif

namespace slipstick::app {

#ifdef SLIPSTICK_HAS_STUDIO

namespace {

using render::PictureRequest;

constexpr double kMillimetresPerInch = 25.4;
/// Of words in pictures, which are 12.5 logical pixels high: 7 points.
constexpr double kLogicalPerInch = 72 * 12.5 / 7;
/// A lower picture has smaller arrows instead of fewer of these, and no numbers at them [logical px].
constexpr double kLeastHeight = 400;

/// One figure under way.
class Maker {
 public:
  Maker(const FigureOptions& options, RunWalk& walk)
      : options_(options),
        walk_(walk),
        from_(options.from.value_or(walk.timeOf(walk.firstStep()))),
        to_(options.to.value_or(walk.timeOf(walk.lastStep()))) {}

  /// What cannot be, before anything is simulated.
  Result<void> prepare();
  double end() const { return plots_.empty() ? moments_.back() : std::max(to_, moments_.back()); }
  /// Pictures, and the values of the plots. Cancelled: it was stopped, and write() has what there was until then.
  Result<void> draw(const std::stop_token& stop);
  Result<ui::FigureReport> write() const;

  bool hasPictures() const { return !pictures_.empty(); }
  const std::string& name() const { return walk_.model()->name; }
  std::string contents() const;
  double reached() const { return reached_; }

 private:
  Result<void> chooseMoments();
  void complete();
  Result<void> drawPictures(RunWalk& walk, const std::stop_token& stop);
  int columns() const {
    const int pictures = static_cast<int>(request_.moments.size());
    return options_.columns > 0 ? std::min(options_.columns, pictures) : pictures;
  }
  QString below(std::size_t picture) const;

  const FigureOptions& options_;
  RunWalk& walk_;
  double from_, to_;
  std::vector<double> moments_;  ///< that the figure is of, ascending
  PictureRequest request_;
  std::vector<FigurePlotData> plots_;
  std::vector<render::Image> pictures_;
  std::vector<double> times_;  ///< of the pictures
  double reached_ = 0;
};

/// Times of the figure, in their order; from start to end where there are none.
Result<void> Maker::chooseMoments() {
  if (const Result<void> inside = checkTimes(walk_, "--to", from_, to_); !inside) return inside;
  moments_ = options_.at;
  std::sort(moments_.begin(), moments_.end());
  const int count = moments_.empty() ? options_.strip : 0;
  for (int i = 0; i < count; ++i) moments_.push_back(from_ + (to_ - from_) * i / std::max(1, count - 1));
  const double half = 0.5 * walk_.model()->time.dt;
  for (const double moment : moments_)
    if (moment < from_ - half || moment > to_ + half)
      return Error{ErrorCode::InvalidValue,
                   "the figure is of " + significant(from_) + " s to " + significant(to_) + " s",
                   "--at " + significant(moment), "choose times in it, or widen it by --from and --to"};
  if (options_.ghosts && moments_.size() < 2)
    return Error{ErrorCode::InvalidValue, "one moment alone has no ghosts", "--ghosts",
                 "name two moments or more by --at"};
  return {};
}

/// What is drawn: paper behind it, nothing over it but arrows, what colours mean, and what --show asks for.
void Maker::complete() {
  request_.arrangement = render::Arrangement::Apart;
  request_.moments = moments_;
  if (options_.ghosts) {
    request_.ghosts.assign(moments_.begin(), moments_.end() - 1);
    request_.moments = {moments_.back()};
  }
  const double width = ui::pictureWidth_mm(options_.width, columns()) / kMillimetresPerInch * options_.dpi;
  request_.width = std::max(1, static_cast<int>(std::lround(width)));
  request_.height = std::max(1, static_cast<int>(std::lround(width / options_.aspect)));
  request_.supersample = 2;
  const double readable = options_.dpi / kLogicalPerInch, roomy = request_.height / kLeastHeight;
  request_.pixelRatio = std::min(readable, roomy);
  render::ViewOptions& view = request_.view;
  view.forceLabels = roomy > 0.75 * readable;
  view.whiteBackground = true;
  view.timeCard = view.forceLegend = view.contactCard = view.insets = false;
  view.ghostCaption = false;
}

Result<void> Maker::prepare() {
  if (const Result<void> chosen = chooseMoments(); !chosen) return chosen;
  complete();
  if (const Result<void> applied = applyView(options_.view, request_.view); !applied) return applied;
  if (const Result<void> aimed = aim(request_, options_.view, *walk_.model()); !aimed) return aimed;
  for (const std::string& plot : options_.plots) {
    Result<FigurePlotData> data = FigurePlotData::create(plot, walk_.model(), walk_.stepAt(from_));
    if (!data) return data.error();
    plots_.push_back(std::move(*data));
  }
  return {};
}

Result<void> Maker::drawPictures(RunWalk& walk, const std::stop_token& stop) {
  const Result<render::PictureReport> drawn =
      render::drawStills(walk, request_, pictures_, stop, [&](const render::PictureProgress& progress) {
        times_.push_back(progress.reached);
        reached_ = progress.reached;
      });
  if (!drawn) return drawn.error();
  if (drawn->isWhole) return {};
  return Error{ErrorCode::Cancelled, "it was stopped", name(), "let it go on"};
}

Result<void> Maker::draw(const std::stop_token& stop) {
  if (plots_.empty()) return drawPictures(walk_, stop);
  ObservedWalk observed(walk_, walk_.stepAt(from_), [&](const Snapshot& snapshot) {
    for (FigurePlotData& plot : plots_) plot.add(snapshot);
    reached_ = snapshot.time;
  });
  if (const Result<void> drawn = drawPictures(observed, stop); !drawn) return drawn;
  const Result<std::shared_ptr<const Snapshot>> last = observed.contactsAt(walk_.stepAt(to_));
  return last ? Result<void>() : last.error();
}

QString Maker::below(std::size_t picture) const {
  if (!options_.times) return {};
  std::string text;
  const std::vector<double>& ghosts = request_.ghosts;
  for (std::size_t i = 0; i < ghosts.size(); ++i)
    text += significant(ghosts[i], 4) + (i + 1 < ghosts.size() ? ", " : " and ");
  return ui::toQString(text + significant(times_[picture], 4) + " s");
}

Result<ui::FigureReport> Maker::write() const {
  ui::Figure figure;
  figure.title = ui::toQString(name());
  for (std::size_t i = 0; i < pictures_.size(); ++i) figure.pictures.push_back({pictures_[i], below(i)});
  figure.columns = columns();
  for (const FigurePlotData& plot : plots_) figure.plots.push_back(plot.plot());
  figure.dt = walk_.model()->time.dt;
  figure.range = {from_, to_};
  figure.rules = times_;
  figure.rules.insert(figure.rules.begin(), request_.ghosts.begin(), request_.ghosts.end());
  figure.letters = options_.letters;
  figure.width_mm = options_.width;
  figure.plotHeight_mm = options_.plotHeight;
  figure.dpi = options_.dpi;
  figure.font = options_.font == "sans" ? ui::FigureFont::Sans : ui::FigureFont::Serif;
  return ui::writeFigure(figure, options_.out);
}

/// "4 pictures of 472 x 315 px and 2 plots"
std::string Maker::contents() const {
  const auto counted = [](std::size_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  const std::string plots = plots_.empty() ? "" : " and " + counted(plots_.size(), "plot");
  return counted(pictures_.size(), "picture") + " of " + std::to_string(request_.width) + " x " +
         std::to_string(request_.height) + " px" + plots;
}

Result<void> checkOutput(const FigureOptions& options) {
  const Result<ui::FigureFormat> format = ui::figureFormatOf(options.out);
  if (!format)
    return Error{format.error().code, format.error().what, "--out " + options.out, format.error().remedy};
  return checkWritableFile(options.out);
}

/// Paints without a display. @return the exit status
int finish(const Maker& maker, const FigureOptions& options, double wall, bool isWhole) {
  std::string name = "slipstick", platform = "-platform", offscreen = "offscreen";
  char* arguments[] = {name.data(), platform.data(), offscreen.data(), nullptr};
  int count = 3;
  qInstallMessageHandler(
      [](QtMsgType, const QMessageLogContext&, const QString&) {});  // of the desktop it misses
  const QGuiApplication application(count, arguments);
  const Result<ui::FigureReport> written = maker.write();
  if (!written) return fail(written.error());
  if (!isWhole) {
    InterruptWatch::say(maker.name() + ": stopped early at " + fixed(maker.reached(), 3) + " s",
                        options.out + " shows what there was until then: " + maker.contents());
    return InterruptWatch::status();
  }
  if (options.scene.quiet) return kSuccess;
  std::fprintf(stderr, "slipstick: %s: %s x %s mm, %s, text in %s; in %s s\n", options.out.c_str(),
               fixed(written->width_mm, 1).c_str(), fixed(written->height_mm, 1).c_str(),
               maker.contents().c_str(), written->family.toStdString().c_str(), fixed(wall, 1).c_str());
  std::printf("%s\n", options.out.c_str());
  return kSuccess;
}

int figure(const FigureOptions& options) {
  if (const Result<void> checked = checkOutput(options); !checked) return fail(checked.error());
  const InterruptWatch interrupt;
  std::stop_source stop;
  std::optional<Progress> progress;
  const Result<std::unique_ptr<RunWalk>> walk =
      walkOf(options.scene, Detail::Particles, [&](const Snapshot& snapshot) {
        if (progress) progress->update(snapshot.time);
        if (InterruptWatch::requested()) stop.request_stop();
        return !stop.stop_requested();
      });
  if (!walk) return fail(walk.error());
  Maker maker(options, **walk);
  if (const Result<void> prepared = maker.prepare(); !prepared) return fail(prepared.error());
  progress.emplace(maker.end(), options.scene.quiet);
  const Result<void> drawn = maker.draw(stop.get_token());
  const double wall = progress->wall();
  progress.reset();
  const bool isStopped = !drawn && drawn.error().code == ErrorCode::Cancelled;
  if (isStopped && !maker.hasPictures()) {
    InterruptWatch::say(maker.name() + ": stopped before its first picture", "there is no figure");
    return InterruptWatch::status();
  }
  if (!drawn && !isStopped) return fail(drawn.error());
  return finish(maker, options, wall, !isStopped);
}

#else

int figure(const FigureOptions&) {
  return fail({ErrorCode::Unsupported, "this program was built without what draws figures", "figure",
               "build with -DSLIPSTICK_STUDIO=ON, or use slipstick render --strip"});
}

#endif

VerbAction offer(CLI::App& verb) {
  const auto options = std::make_shared<FigureOptions>();
  addScene(verb, options->scene, true, Takes::ScenesAndRecordings);
  addFigureOptions(verb, *options);
  addSoftLook(verb, options->view.look);
  return [options] { return figure(*options); };
}

}  // namespace

Verb figureVerb() {
  return {"figure", "Draw a figure for a paper: pictures, and plots below them", offer};
}

}  // namespace slipstick::app
