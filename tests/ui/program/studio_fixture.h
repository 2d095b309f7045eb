// A shipped scene in a window of its own, with the real program behind it.
#pragma once

#include <gtest/gtest.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QTest>
#include <functional>

#include "app/studio_services.h"
#include "ui/inspector.h"
#include "ui/log_panel.h"
#include "ui/main_window.h"

namespace slipstick::ui {

inline bool eventually(const std::function<bool()>& condition) {
  QElapsedTimer clock;
  clock.start();
  while (!condition()) {
    if (clock.elapsed() > 60000) return false;
    QTest::qWait(10);
  }
  return true;
}

inline app::SceneOptions sceneOptions(const std::string& scene) {
  app::SceneOptions options;
  options.scene = scene;
  return options;
}

/// Lines of the log that say this.
inline std::ptrdiff_t logCount(MainWindow& window, const QString& text) {
  return window.panel<LogPanel>().text().split('\n').filter(text).size();
}

/// A shipped scene in a shown window of its own.
struct Studio : ::testing::Test {
  static constexpr const char* kScene = "hold";
  MainWindow window{app::studioServices(sceneOptions(kScene)), QSize(1280, 800), false};

  Session& session() { return window.session(); }
  Viewport& viewport() { return window.viewport(); }
  const render::ContactParts& drawn() { return *viewport().picture()->request.frame->contact; }
  std::string fact(const char* label) { return window.panel<ui::Inspector>().factText(label).toStdString(); }
  double number(const char* label) {
    return window.panel<ui::Inspector>().factText(label).replace(QChar(0x2212), '-').toDouble();
  }

  void SetUp() override {
    window.show();
    session().opener().open(kScene);
    ASSERT_TRUE(eventually([&] { return session().isOpen(); }));
    QApplication::setActiveWindow(&window);
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
  }
  /// The picture on the screen shows all as it is now.
  bool isSettled() {
    return viewport().isSettled() && viewport().paintedStep() == session().moment().shown()->step &&
           viewport().picture()->request.frame->step == session().moment().shown()->step;
  }
  void settle() {
    ASSERT_TRUE(eventually([&] { return isSettled(); }));
  }
  QPoint pixelOf(const Eigen::Vector3f& p) {
    const render::Camera& camera = viewport().picture()->request.camera;
    const Eigen::Vector4f clip =
        camera.projection(static_cast<double>(viewport().width()) / viewport().height()) * camera.view() *
        p.homogeneous();
    return {static_cast<int>((clip.x() / clip.w() + 1) / 2 * static_cast<float>(viewport().width())),
            static_cast<int>((1 - clip.y() / clip.w()) / 2 * static_cast<float>(viewport().height()))};
  }
};

}  // namespace slipstick::ui
