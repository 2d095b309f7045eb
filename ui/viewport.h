// The picture in the middle: shows the newest finished one, asks for the next, and turns the pointer into camera moves,
// selections and pulls. Frames and pictures are made on threads of their own.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>

#include "render/camera.h"
#include "render/jobs/camera_path.h"
#include "ui/frame_worker.h"
#include "ui/moment_facts.h"
#include "ui/mouse_spring.h"
#include "ui/picture_thread.h"
#include "ui/session.h"

namespace slipstick::ui {

class Viewport : public QWidget {
  Q_OBJECT

 public:
  explicit Viewport(Session& session, QWidget* parent = nullptr);
  ~Viewport() override;

  /// Asks for OpenGL 4.5 core everywhere; before the QApplication exists.
  static void requestOpenGl();

  enum class Card { Help, Info, Profiler };
  void toggleCard(Card card);
  MomentFacts& facts() { return facts_; }
  void setKeys(std::vector<std::pair<std::string, std::string>> keys) { keys_ = std::move(keys); }
  /// The scene's cameras, in order. With one that a body carries the view rides along until a person moves it.
  void nextCamera(int direction);
  void keepAsCamera();  ///< the view as it is becomes one of them
  void forgetCamera();  ///< the one that nextCamera() or keepAsCamera() was last at
  /// Shows all that moves; once more: everything.
  void fit();
  void fitSelection();
  void resetCamera();          ///< as it is when the scene opens
  void setFollowing(bool on);  ///< the view goes along with what is selected
  bool isFollowing() const { return following_; }
  void setParallel(bool on);  ///< projection
  const render::Camera& camera() const { return camera_; }
  /// Of pictures that look from where the view does, and ride on the body that it rides on.
  render::CameraPath cameraPath() const {
    return ridden_ ? render::CameraPath(*ridden_) : render::CameraPath(camera_);
  }
  void setCamera(const render::Camera& camera);
  /// Step of the snapshot in the picture on the screen, if any was shown since the scene opened.
  std::optional<std::uint64_t> paintedStep() const { return paintedStep_; }
  /// The picture on the screen; null where none was shown yet.
  const Picture* picture() const { return picture_.get(); }
  /// The scene as it was shown last while it stood still, without cards and labels, or else with them; null: it was not.
  QImage sceneImage() const;
  /// What the hand gives in the picture on the screen, as it stands beside it: "12.3 N"; empty while nothing is held.
  QString pullText() const;
  /// Whether the picture on the screen shows everything as it is now, with all effects.
  bool isSettled() const;

 Q_SIGNALS:
  void painted();
  /// What the picture leaves out for speed, in words; empty: nothing.
  void effectsChanged(std::string_view without);
  void deviceFailed(slipstick::Error error);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  /// What a click asks for, once it is known what it hit.
  using UsePick = std::function<void(const std::optional<render::Picked>&)>;

  /// What the camera shall hold, until a person moves it.
  enum class Fit { Free, Opening, Moving, Everything };

  void adoptModel();
  void applyFit();
  void follow();
  void ride();
  void show(const CameraSpec& camera);
  std::optional<Vec3> followed() const;
  void requestFrame();
  void onFrame();
  void requestPicture();
  void requestWords();
  void askForPicture();
  void onPicture();
  bool lacksDetail() const;
  void cameraMoved();
  void requestView();
  void paintSpring(QPainter& painter) const;
  void paintPull(QPainter& painter, const QPointF& at) const;
  void clickCard(std::string_view button);
  void pick(const QPointF& position, render::Pickable pickable, UsePick use);
  void look(const QPointF& position);
  std::optional<std::pair<int, render::Handle>> handleUnder(const QPointF& position) const;
  bool holdHandle(const QPointF& position);
  void dragHandle(const QPointF& position, bool snaps);
  void showHandle(const std::optional<std::pair<int, render::Handle>>& handle);
  void grip(const render::Picked& picked, MouseSpring::Kind kind, const Vec3& ray);
  render::FrameInput frameInput() const;
  render::HudInput hudInput() const;
  QSize pixels() const;
  double aspect() const;
  Vec3 rayAt(const QPointF& position) const;

  Session& session_;
  MomentFacts facts_;
  std::shared_ptr<const Model> model_;
  render::Camera camera_;
  std::optional<std::size_t> cameraIndex_;  ///< into the document's; none: through none of them yet
  std::optional<CameraSpec> ridden_;        ///< the camera on a body that the view is from
  Fit fit_ = Fit::Free;
  bool following_ = false;
  std::optional<Vec3> followedAt_;                         ///< in the frame before [m]
  std::vector<std::pair<std::string, std::string>> keys_;  ///< what F1 lists
  bool help_ = false, info_ = false, profiler_ = false;

  std::optional<BuiltFrame> built_;                        ///< newest frame
  bool building_ = false;                                  ///< one is on its way
  std::shared_ptr<const Picture> picture_;                 ///< on the screen
  std::pair<std::shared_ptr<const Model>, QImage> scene_;  ///< see sceneImage()
  std::uint64_t shownStep_ = 0;
  std::optional<std::uint64_t> paintedStep_;
  bool drawing_ = false;  ///< a picture is on its way
  bool stale_ = true;     ///< and it, or the one on the screen, will not show everything as it is now
  bool moving_ = false;   ///< the picture asked for is one of many: it may drop effects
  QTimer pace_;           ///< until the screen can show another picture
  QTimer rest_;           ///< until what moved is taken to be still
  QElapsedTimer sinceRequest_;

  UsePick usePick_;
  std::uint64_t questions_ = 0;  ///< asked so far: an answer to an earlier one is none to the last
  QPointF pressedAt_, lastPosition_;
  bool pressed_ = false, orbiting_ = false, panning_ = false;
  MouseSpring spring_;
  /// A handle of an effector's goal that is held, and how the drag began.
  struct HeldHandle {
    int effector = 0;
    render::Handle handle = render::Handle::AxisX;
    render::Gizmo start;
    Vec3 ray = Vec3::Zero();
  };
  std::optional<HeldHandle> heldHandle_;
  bool hasHandles_ = false;
  std::optional<std::pair<int, render::Handle>> shownHandle_;  ///< held or pointed at
  QTimer hover_;  ///< until a pointer that rests is taken to point at something
  std::optional<ContactPair> hovered_;

  FrameWorker worker_;
  std::unique_ptr<PictureThread> pictures_;  ///< from the first showing on
};

}  // namespace slipstick::ui
