// A window of the program with one method more, with the scene of that method's tests.
#pragma once

#include <QFile>
#include <QTemporaryDir>
#include <limits>

#include "tests/support/drifting/drifting.h"
#include "tests/support/drifting/scene.h"
#include "tests/ui/program/studio_fixture.h"

namespace slipstick::ui {

struct DriftingWindow : Studio {
  QTemporaryDir folder;

  void SetUp() override {
    window.show();
    open("drift.yaml", drifting::kScene);
    QApplication::setActiveWindow(&window);
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    session().transport().setSpeed(std::numeric_limits<double>::infinity());
  }
  /// A file in the folder, written before where there is a text for it.
  void open(const QString& name, const char* text = nullptr) {
    if (text) {
      QFile scene(folder.filePath(name));
      ASSERT_TRUE(scene.open(QIODevice::WriteOnly) && scene.write(text) > 0);
    }
    bool opened = false;
    const auto connection =
        QObject::connect(&session().opener(), &SceneOpener::opened, [&] { opened = true; });
    session().opener().open(folder.filePath(name));
    ASSERT_TRUE(eventually([&] { return opened; })) << window.panel<LogPanel>().text().toStdString();
    QObject::disconnect(connection);
  }
  /// Up to this step of the branch that is simulated, which is shown.
  void runToStep(std::uint64_t step) {
    session().transport().runUntil(static_cast<double>(step) * session().model()->time.dt);
    ASSERT_TRUE(eventually([&] { return !session().run().status().playing && shown().step == step; }));
  }
  const Snapshot& shown() { return *session().moment().shown(); }
  const Pose& ball() { return shown().X_WB[static_cast<std::size_t>(session().model()->findBody("ball"))]; }
  std::uint64_t hashAt(std::uint64_t step) { return session().moment().source().mark(step)->stateHash; }
  const render::SoftParts& soft() { return *viewport().picture()->request.frame->soft; }
  /// Where one of the tetrahedra has its middle.
  Eigen::Vector3f middle(std::size_t deformable) {
    return shown().deformables[deformable].center.cast<float>();
  }
};

}  // namespace slipstick::ui
