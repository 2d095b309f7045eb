// The device is lost while a scene plays: what the window says and offers.
#include <gtest/gtest.h>

#include <QTest>

#include "engine/compile/compile.h"
#include "engine/compile/scene_edit.h"
#include "tests/support/failing_device.h"
#include "tests/ui/sample_studio.h"

namespace slipstick::ui {
namespace {

using testing::eventually;
using testing::FailingDevice;

/// The soft cube on a device, and the CPU beside it.
StudioServices servicesOn(const std::shared_ptr<FailingDevice>& device) {
  StudioServices services = testing::sampleServices(std::make_shared<testing::SampleControl>());
  services.load = [](const std::string&, LoadProgress&) -> Result<StudioServices::Loaded> {
    return StudioServices::Loaded{compile(testing::softCube()).value().model, {}};
  };
  const auto on = [registry = testing::deviceRegistry(device)](const std::string& backend) -> MakeStepper {
    return [registry, backend](std::shared_ptr<const Model> model) {
      return registry.makeStepper(std::move(model), StepperOptions{.backend = backend, .threads = 1});
    };
  };
  services.makeStepper = on("auto");
  services.makeCpuStepper = on("cpu");
  return services;
}

class LostDevice : public ::testing::Test {
 protected:
  LostDevice() : window(servicesOn(device), QSize(1200, 760), false) {
    window.show();
    open();
    SIM_REQUIRE(QTest::qWaitForWindowExposed(&window));
  }

  void open() {
    window.session().opener().open("cube");
    SIM_REQUIRE(eventually([this] { return session.isOpen() && !session.opener().isLoading(); }));
  }
  void runTo(double time) {
    session.transport().runUntil(time);
    SIM_REQUIRE(eventually([this] { return !session.run().status().playing; }));
  }
  /// Runs to step 20 and is lost on the way to the next, while it plays.
  void lose() {
    runTo(0.1);
    device->lose();
    QTest::mouseClick(&playButton(), Qt::LeftButton);
    SIM_REQUIRE(eventually([this] { return window.banner().isVisible(); }));
  }
  QAbstractButton& playButton() { return window.timeline().playButton(); }

  std::shared_ptr<FailingDevice> device = std::make_shared<FailingDevice>();
  MainWindow window;
  Session& session = window.session();
};

TEST_F(LostDevice, ARunThatFailsAgainSaysSoAgainAndOneThatGoesOnDoesNot) {
  lose();
  for (int i = 0; i < 2; ++i) {
    window.banner().hide();
    QTest::mouseClick(&playButton(), Qt::LeftButton);
    ASSERT_TRUE(
        eventually([this] { return window.banner().isVisible() && !session.run().status().playing; }));
    EXPECT_TRUE(eventually([this] { return window.timeline().playButton().iconName() == "play"; }));
    EXPECT_EQ(window.statusLine().health(), "stopped");
    EXPECT_TRUE(eventually([this] {
      const Picture* picture = window.viewport().picture();
      return picture && picture->request.hud.hasFailed;
    })) << "F2 says it, too";
  }
  session.transport().goOnOnCpu();
  ASSERT_TRUE(eventually([this] { return session.run().status().lastStep >= 25; }));
  session.transport().pause();
  ASSERT_TRUE(eventually([this] { return !session.run().status().playing; }));
  EXPECT_FALSE(window.banner().isVisible());
  EXPECT_EQ(window.statusLine().health(), "converged");
  session.moment().lookAtStep(3);
  session.transport().resumeFromHere();
  ASSERT_TRUE(eventually([this] { return session.moment().isLive() && !session.transport().isGoingBack(); }));
  EXPECT_FALSE(window.banner().isVisible());
}

TEST_F(LostDevice, TheBannerOffersTheCpuAndItsButtonGoesOnThere) {
  EXPECT_TRUE(window.statusLine().device().contains("as a CUDA device"));
  lose();
  EXPECT_TRUE(window.banner().text().contains("the device was lost"));
  EXPECT_TRUE(window.banner().text().contains("step 21"));
  EXPECT_EQ(window.statusLine().health(), "stopped");
  ASSERT_TRUE(window.banner().action().isVisible());
  EXPECT_EQ(window.banner().action().text(), "Go on on the CPU");
  // What was simulated can be looked at before anything is decided.
  session.moment().lookAtStep(7);
  EXPECT_EQ(session.moment().shown()->step, 7u);
  const std::uint64_t hash = session.moment().shown()->stateHash;

  QTest::mouseClick(&window.banner().action(), Qt::LeftButton);
  ASSERT_TRUE(eventually([this] { return session.run().status().lastStep >= 25; }));  // it plays on
  EXPECT_FALSE(window.banner().isVisible());
  EXPECT_TRUE(session.run().status().playing);
  ASSERT_TRUE(eventually([this] { return session.moment().isLive(); }));
  QTest::mouseClick(&playButton(), Qt::LeftButton);
  ASSERT_TRUE(eventually([this] { return window.statusLine().device().contains("CPU · 1 thread · "); }));
  EXPECT_FALSE(window.statusLine().device().contains("CUDA"));
  ASSERT_TRUE(eventually([this] { return window.statusLine().health() == "converged"; }));
  // The timeline still has the past.
  session.moment().lookAtStep(7);
  EXPECT_EQ(session.moment().shown()->step, 7u);
  EXPECT_EQ(session.moment().shown()->stateHash, hash);
  ASSERT_EQ(session.moment().branches().size(), 2u);
  EXPECT_EQ(session.moment().branches()[1].name, "branch 1 on cpu");
  EXPECT_EQ(session.moment().branches()[1].start, 20u);
}

TEST_F(LostDevice, WhoTriesTheDeviceAgainIsToldAgain) {
  lose();
  window.banner().hide();
  QTest::mouseClick(&playButton(), Qt::LeftButton);
  ASSERT_TRUE(eventually([this] { return window.banner().isVisible(); }));
  EXPECT_TRUE(window.banner().action().isVisible());
  EXPECT_EQ(session.run().status().lastStep, 20u);
}

TEST_F(LostDevice, AnotherMessageTakesTheOfferAwayTheMenuKeepsIt) {
  lose();
  window.exportObservables("/no/such/folder/run.csv");
  ASSERT_TRUE(eventually([this] { return window.banner().text().contains("/no/such/folder"); }));
  EXPECT_FALSE(window.banner().action().isVisible());
  EXPECT_TRUE(session.transport().canGoOnOnCpu());
  session.transport().goOnOnCpu();
  ASSERT_TRUE(eventually([this] { return session.run().status().lastStep >= 22; }));
}

TEST_F(LostDevice, WhatIsOpenedAfterGoingOnRunsOnTheCpuToo) {
  lose();
  QTest::mouseClick(&window.banner().action(), Qt::LeftButton);
  ASSERT_TRUE(eventually([this] { return session.run().status().lastStep >= 22; }));
  open();
  EXPECT_FALSE(window.banner().isVisible());
  runTo(0.05);
  EXPECT_EQ(session.run().status().lastStep, 10u);
  EXPECT_EQ(session.run().status().runsOn.find("CUDA"), std::string::npos);
}

}  // namespace
}  // namespace slipstick::ui
