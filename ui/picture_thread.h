// Draws pictures of frames with OpenGL on a thread of its own, so that neither a slow driver nor its wait for the screen
// ever holds up the window.
#pragma once

#include <QImage>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/foundation/latest_slot.h"
#include "render/hud.h"
#include "render/renderer.h"

class QOffscreenSurface;
class QOpenGLContext;

namespace slipstick::ui {

/// What a picture shall show.
struct PictureRequest {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const Snapshot> snapshot;
  std::shared_ptr<const render::Frame> frame;  ///< of this snapshot
  render::Camera camera;
  /// Selection and options, too; its pointers are set here.
  render::HudInput hud;
  int width = 0, height = 0;  ///< [device px]
  double pixelRatio = 1;      ///< device pixels per logical pixel
  bool still = false;         ///< nothing moves: all effects, however long that takes
};

/// A finished one.
struct Picture {
  PictureRequest request;
  QImage image;  ///< opaque
  std::vector<render::Rect> cards;
  std::vector<render::HudButton> buttons;
  double seconds = 0;        ///< that drawing it took, until the last pixel was there [s]
  std::string_view without;  ///< effects that it leaves out for speed; empty: none
  QImage scene;              ///< of what stands still: the same without what is written over it
};

class PictureThread {
 public:
  using Notify = std::function<void()>;
  using Answer = std::function<void(std::optional<render::Picked>)>;

  /// Needs the UI thread. @param notify  called on the drawing thread when take() or failure() have something new
  explicit PictureThread(Notify notify);
  ~PictureThread();  ///< waits for the picture in work

  /// Replaces a request that is still waiting.
  void request(PictureRequest request);
  /// What lies under a point of the last finished picture ([0,1]² from the top left). A later question replaces one
  /// that is still waiting, whose answer never comes. @param answer  called on the drawing thread
  void pick(double u, double v, render::Pickable pickable, Answer answer);
  /// The newest finished picture, once.
  std::shared_ptr<const Picture> take() { return finished_.take().value_or(nullptr); }
  /// Why nothing can be drawn here, or why the newest request has no picture, once.
  std::optional<Error> failure() { return failure_.take(); }

 private:
  struct Device;
  struct Question {
    double u = 0, v = 0;
    render::Pickable pickable = render::Pickable::All;
    Answer answer;
  };
  struct Wanted {
    std::optional<PictureRequest> picture;
    std::optional<Question> question;
  };
  void run(const std::stop_token& stop);
  Result<void> open(Device& device);
  void serve(Device& device, const std::stop_token& stop);
  void answer(Device& device, Wanted wanted);
  void fail(const Error& error);
  std::shared_ptr<Picture> draw(Device& device, PictureRequest request);
  void chooseQuality(double seconds);

  Notify notify_;
  std::unique_ptr<QOffscreenSurface> surface_;
  std::unique_ptr<QOpenGLContext> context_;
  LatestSlot<Wanted> wanted_;
  LatestSlot<std::shared_ptr<const Picture>> finished_;
  LatestSlot<Error> failure_;
  std::size_t level_ = 0;       ///< into render::qualityLevels(), of pictures of what moves
  int tooSlow_ = 0, fast_ = 0;  ///< pictures in a row
  std::jthread thread_;         ///< last: it uses all of the above
};

}  // namespace slipstick::ui
