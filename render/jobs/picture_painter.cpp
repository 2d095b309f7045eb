#include "render/jobs/picture_painter.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/foundation/number_text.h"
#include "render/framing.h"
#include "render/selection_names.h"

namespace slipstick::render {
namespace {

constexpr double kTitleSeconds = 2, kTitleComes = 0.4, kTitleGoes = 0.6;
constexpr double kBandHeight = 30;  // under a still of a strip [logical px]

/// Cards are as large as their words. A picture that is lower than this would be hidden by them: there they are smaller, and
/// those that say what is drawn anyway are left out [device px].
constexpr int kLeastHeight = 480;
constexpr double kSmallest = 0.65;  ///< of words: smaller ones are not read [device px per logical px]

/// Device pixels per logical one.
double pixelRatioOf(const PictureRequest& request) {
  if (request.pixelRatio > 0) return request.pixelRatio;
  if (request.height < kLeastHeight) return std::max(kSmallest, request.height / double{kLeastHeight});
  return std::max(1.0, request.height / 1080.0);
}

/// 0 to 1, flat at both ends.
double smooth(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

PictureLayout layoutOf(const PictureRequest& request) {
  const int band = request.arrangement == Arrangement::Strip
                       ? static_cast<int>(std::lround(kBandHeight * pixelRatioOf(request)))
                       : 0;
  return {.width = request.width,
          .height = request.height + band,
          .columns = std::max(1, static_cast<int>(request.cameras.size())),
          .supersample = request.supersample,
          .band = band,
          .pixelRatio = pixelRatioOf(request)};
}

/// What is said once stands in the first column, at the left, or in the last one, at the right.
ViewOptions ofColumn(ViewOptions view, std::size_t column, std::size_t columns) {
  if (column > 0) view.timeCard = view.forceLegend = view.ghostCaption = view.contactCard = false;
  if (column + 1 < columns) view.colorBars = view.insets = false;
  return view;
}

}  // namespace

PicturePainter::PicturePainter(const PictureRequest& request, std::shared_ptr<const Model> model)
    : request_(request),
      model_(std::move(model)),
      layout_(layoutOf(request)),
      builders_(static_cast<std::size_t>(layout_.columns)) {
  if (request_.arrangement == Arrangement::Strip) request_.view.hud = false;
  ViewOptions& view = request_.view;
  if (request_.pixelRatio <= 0 && request_.height < kLeastHeight)
    view.forceLegend = view.contactCard = view.insets = false;
  if (request_.pass == PicturePass::Color) return;
  request_.view.inertia = false;  // it would hide what it belongs to
  request_.view.section = Section::None;
}

Result<std::unique_ptr<PicturePainter>> PicturePainter::create(const PictureRequest& request,
                                                               std::shared_ptr<const Model> model) {
  std::unique_ptr<PicturePainter> painter(new PicturePainter(request, std::move(model)));
  auto renderer = OffscreenRenderer::create(painter->layout_);
  if (!renderer) return renderer.error();
  painter->renderer_ = std::move(renderer).value();
  painter->renderer_->setModel(painter->model_);
  return painter;
}

/// An edit of the scene gives the steps after it another model.
void PicturePainter::adopt(std::shared_ptr<const Model> model) {
  request_.selection = sameSelection(*model_, *model, request_.selection);
  request_.looks = nullptr;
  model_ = std::move(model);
  renderer_->setModel(model_);
}

std::shared_ptr<const Frame> PicturePainter::buildFrame(const PictureMoment& moment, std::size_t column) {
  FrameInput input;
  input.model = model_;
  input.snapshot = moment.snapshot;
  input.looks = request_.looks;
  input.options = ofColumn(request_.view, column, builders_.size());
  input.camera = request_.cameras[column].at(*model_, *moment.snapshot);
  input.selection = request_.selection;
  input.largestForce = moment.largestForce;
  input.viewHeight = request_.height / pixelRatioOf(request_);
  input.aspect = renderer_->columnAspect();
  input.ghosts = ghosts_;
  if (column > 0) builders_[column].shareSoftParts(builders_.front());
  return builders_[column].build(std::move(input));
}

HudInput PicturePainter::overlayOf(const PictureMoment& moment) const {
  HudInput overlay;
  overlay.model = model_.get();
  overlay.snapshot = moment.snapshot.get();
  overlay.selection = request_.selection;
  overlay.onlyTime = request_.arrangement == Arrangement::Sheet;
  for (const auto& ghost : ghosts_) overlay.ghosts.push_back("ghost: " + fixed(ghost->time, 3) + " s");
  return overlay;
}

Caption PicturePainter::captionOf(const PictureMoment& moment) const {
  Caption caption;
  if (layout_.band > 0) {
    caption.bandHeight = layout_.band * layout_.supersample;
    caption.below = significant(moment.snapshot->time, 4) + " s";
  }
  constexpr Hex kLightWindow = 0xE9EBEE;
  caption.window = request_.view.backdrop() == Backdrop::Dark    ? palette::kWindow
                   : request_.view.backdrop() == Backdrop::Light ? kLightWindow
                                                                 : palette::kBright;
  const double since = static_cast<double>(moment.index) / request_.fps;
  const double left = static_cast<double>(moment.total - 1 - moment.index) / request_.fps;
  if (!request_.title.empty() || !request_.subtitle.empty()) {
    caption.title = request_.title;
    caption.subtitle = request_.subtitle;
    caption.titleOpacity = smooth(since / kTitleComes) * smooth((kTitleSeconds - since) / kTitleGoes);
  }
  if (request_.fade > 0) caption.veil = 1 - smooth(std::min(since, left) / request_.fade);
  return caption;
}

Image PicturePainter::paintPass(const PictureMoment& moment) {
  const auto start = std::chrono::steady_clock::now();
  const std::shared_ptr<const Frame> frame = buildFrame(moment, 0);
  const Camera camera = request_.cameras.front().at(*model_, *moment.snapshot);
  buildSeconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return passImage(renderer_->surfaces(*frame, camera, request_.view), request_.pass, *model_, camera);
}

Image PicturePainter::paint(const PictureMoment& moment) {
  if (moment.snapshot->model && moment.snapshot->model != model_) adopt(moment.snapshot->model);
  if (request_.cameras.empty())
    request_.cameras.emplace_back(openingCamera(*model_, *moment.snapshot, renderer_->columnAspect()));
  if (request_.pass != PicturePass::Color) return paintPass(moment);
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::shared_ptr<const Frame>> frames;
  std::vector<PictureColumn> columns;
  for (std::size_t i = 0; i < builders_.size(); ++i) {
    frames.push_back(buildFrame(moment, i));
    columns.push_back({frames.back().get(), request_.cameras[i].at(*model_, *moment.snapshot),
                       ofColumn(request_.view, i, builders_.size()), overlayOf(moment)});
  }
  buildSeconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return renderer_->render(columns, captionOf(moment));
}

}  // namespace slipstick::render
