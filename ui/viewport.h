// The picture in the middle: draws the shown snapshot with the renderer and turns the pointer into camera
// moves, selections and pulls.
#pragma once

#include <QElapsedTimer>
#include <QOpenGLWidget>
#include <QTimer>
#include <memory>
#include <optional>

#include "render/camera.h"
#include "render/hud.h"
#include "render/renderer.h"
#include "ui/mouse_spring.h"
#include "ui/session.h"

namespace slipstick::ui {

class Viewport : public QOpenGLWidget {
  Q_OBJECT

 public:
  explicit Viewport(Session& session, QWidget* parent = nullptr);
  ~Viewport() override;

  /// Asks for OpenGL 4.5 core in every window; before the QApplication exists.
  static void requestOpenGl();

  enum class Card { Help, Info, Profiler };
  void toggleCard(Card card);
  void setKeys(std::vector<std::pair<std::string, std::string>> keys) { keys_ = std::move(keys); }
  void nextCamera(int direction);  ///< the scene's cameras, in order
  void align();                    ///< back to the scene's present camera
  const render::Camera& camera() const { return camera_; }
  /// Step of the snapshot in the last painted frame, if any was painted since the scene opened.
  std::optional<std::uint64_t> paintedStep() const { return paintedStep_; }

 Q_SIGNALS:
  void painted();
  void deviceFailed(slipstick::Error error);

 protected:
  void initializeGL() override;
  void paintGL() override;
  void showEvent(QShowEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  void adoptModel();
  void requestFrame();
  void rebuildFrame();
  void paintSpring();
  void clickCard(std::string_view button);
  void releaseDevice();
  void fail(const Error& error);
  render::HudInput hudInput() const;
  render::Target target() const;
  double aspect() const;
  Vec3 rayAt(const QPointF& position) const;
  std::optional<render::Picked> pickAt(const QPointF& position);

  Session& session_;
  std::unique_ptr<render::Renderer> renderer_;
  std::unique_ptr<render::Hud> hud_;
  std::shared_ptr<const Model> model_;
  bool modelIsNew_ = false;

  render::Camera camera_;
  std::size_t cameraIndex_ = 0;
  render::Frame frame_;
  std::shared_ptr<const Snapshot> framed_;  ///< what frame_ was built from
  bool frameStale_ = true;
  std::optional<std::uint64_t> paintedStep_;
  std::vector<std::pair<std::string, std::string>> keys_;  ///< what F1 lists
  bool help_ = false, info_ = false, profiler_ = false;

  QTimer frameTimer_;        ///< leaves the window time to answer when painting is slow
  QElapsedTimer painting_;   ///< since the last frame was begun
  double paintSeconds_ = 0;  ///< what that frame took [s]
  bool drawing_ = false;     ///< begun, not yet on the screen
  QPointF lastPosition_;
  bool orbiting_ = false, panning_ = false;
  MouseSpring spring_;
};

}  // namespace slipstick::ui
