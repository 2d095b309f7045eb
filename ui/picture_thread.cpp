#include "ui/picture_thread.h"

#include <QCoreApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <chrono>
#include <mutex>
#include <utility>

#include "engine/foundation/guarded.h"
#include "render/readable_target.h"

namespace slipstick::ui {
namespace {

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A picture of what moves that takes longer leaves out an effect; one that takes much less gets one back [s].
constexpr double kTooSlow = 1.0 / 20, kFast = 1.0 / 60;
/// Pictures in a row that decide so.
constexpr int kSlowInARow = 2, kFastInARow = 12;

/// Pictures are given away; those that came back are drawn into again.
class SparePictures : public std::enable_shared_from_this<SparePictures> {
 public:
  /// Comes back by itself when nobody has it any more, from whatever thread.
  std::shared_ptr<Picture> take() {
    std::unique_ptr<Picture> picture;
    {
      const std::scoped_lock lock(mutex_);
      if (!pictures_.empty()) {
        picture = std::move(pictures_.back());
        pictures_.pop_back();
      }
    }
    if (!picture) picture = std::make_unique<Picture>();
    return {picture.release(),
            [spare = shared_from_this()](Picture* back) { spare->add(std::unique_ptr<Picture>(back)); }};
  }

 private:
  static constexpr std::size_t kMax = 3;
  void add(std::unique_ptr<Picture> picture) {
    const std::scoped_lock lock(mutex_);
    if (pictures_.size() < kMax) pictures_.push_back(std::move(picture));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Picture>> pictures_;
};

}  // namespace

/// All that belongs to the context, and dies with it current.
struct PictureThread::Device {
  std::unique_ptr<render::Renderer> renderer;
  std::unique_ptr<render::Hud> hud;
  std::shared_ptr<const Model> model;
  render::ReadableTarget target;  ///< has nothing of OpenGL before its first resize
  std::shared_ptr<SparePictures> spare = std::make_shared<SparePictures>();
};

PictureThread::PictureThread(Notify notify)
    : notify_(std::move(notify)),
      surface_(std::make_unique<QOffscreenSurface>()),
      context_(std::make_unique<QOpenGLContext>()) {
  surface_->create();
  context_->create();
  context_->moveToThread(nullptr);  // the thread takes it
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

PictureThread::~PictureThread() = default;

void PictureThread::request(PictureRequest request) {
  std::optional<PictureRequest> old(std::move(request));  // freed outside of the lock
  wanted_.change([&old](Wanted& wanted) { wanted.picture.swap(old); });
}

void PictureThread::pick(double u, double v, render::Pickable pickable, Answer answer) {
  std::optional<Question> old(Question{u, v, pickable, std::move(answer)});
  wanted_.change([&old](Wanted& wanted) { wanted.question.swap(old); });
}

Result<void> PictureThread::open(Device& device) {
  if (!context_->isValid() || !context_->makeCurrent(surface_.get()))
    return Error{ErrorCode::DeviceFailure, "OpenGL 4.5 is not available here", "viewport",
                 "install a driver with OpenGL 4.5, or Mesa for drawing in software"};
  auto renderer = render::Renderer::create();
  if (!renderer) return renderer.error();
  auto hud = render::Hud::create();
  if (!hud) return hud.error();
  device.renderer = std::move(renderer).value();
  device.hud = std::move(hud).value();
  return {};
}

void PictureThread::run(const std::stop_token& stop) {
  context_->moveToThread(QThread::currentThread());
  {
    Device device;
    if (const Result<void> opened = open(device); !opened) fail(opened.error());
    serve(device, stop);
  }
  context_->doneCurrent();
  context_->moveToThread(QCoreApplication::instance()->thread());
}

void PictureThread::serve(Device& device, const std::stop_token& stop) {
  while (std::optional<Wanted> wanted = wanted_.wait(stop)) {
    if (!device.hud) continue;
    const Result<void> answered =
        guarded(ErrorCode::DeviceFailure, "viewport", [&] { answer(device, *std::move(wanted)); });
    if (!answered) fail(answered.error());
  }
}

void PictureThread::fail(const Error& error) {
  failure_.put(error);
  notify_();
}

void PictureThread::answer(Device& device, Wanted wanted) {
  if (const std::optional<Question>& question = wanted.question)
    question->answer(device.renderer->pick(question->u, question->v, question->pickable));
  if (!wanted.picture) return;
  finished_.put(draw(device, *std::move(wanted.picture)));
  notify_();
}

std::shared_ptr<Picture> PictureThread::draw(Device& device, PictureRequest request) {
  const auto begin = std::chrono::steady_clock::now();
  if (device.model != request.model) device.renderer->setModel(request.model);
  device.model = request.model;
  device.target.resize(request.width, request.height);
  const render::Target target = device.target.target(request.pixelRatio);
  std::shared_ptr<Picture> picture = device.spare->take();
  picture->request = std::move(request);
  PictureRequest& shown = picture->request;
  shown.hud.model = shown.model.get();
  shown.hud.snapshot = shown.snapshot.get();
  shown.hud.frame = shown.frame.get();
  shown.hud.camera = &shown.camera;
  const render::QualityLevel& level = render::qualityLevels()[shown.still ? 0 : level_];
  device.renderer->setQuality(level.quality);
  picture->without = level.without;
  device.renderer->draw(*shown.frame, shown.camera, shown.hud.options, shown.hud.selection, target);
  picture->scene = {};  // the image may be that of another one
  if (shown.still) {
    picture->scene = QImage(target.width, target.height, QImage::Format_RGB32);
    device.target.read(picture->scene.bits());
  }
  if (shown.hud.options.hud) device.hud->draw(shown.hud, target);
  picture->cards = shown.hud.options.hud ? device.hud->cards() : std::vector<render::Rect>{};
  picture->buttons = shown.hud.options.hud ? device.hud->buttons() : std::vector<render::HudButton>{};
  if (picture->image.size() != QSize(target.width, target.height))
    picture->image = QImage(target.width, target.height, QImage::Format_RGB32);
  device.target.read(picture->image.bits());
  picture->seconds = secondsSince(begin);
  if (!shown.still) chooseQuality(picture->seconds);
  return picture;
}

/// One effect at a time, by what pictures took; a level that was too slow is not tried again at once.
void PictureThread::chooseQuality(double seconds) {
  tooSlow_ = seconds > kTooSlow ? tooSlow_ + 1 : 0;
  fast_ = seconds < kFast ? fast_ + 1 : 0;
  if (tooSlow_ >= kSlowInARow && level_ + 1 < render::qualityLevels().size()) {
    ++level_;
    tooSlow_ = 0;
  } else if (fast_ >= kFastInARow && level_ > 0) {
    --level_;
    fast_ = 0;
  }
}

}  // namespace slipstick::ui
