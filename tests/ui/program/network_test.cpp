// The network endpoint at the addresses that the command line names.
#include <fstream>

#include "tests/app/program_run.h"
#include "tests/ui/program/studio_fixture.h"
#include "ui/driving.h"

namespace slipstick::ui {
namespace {

struct NamedAddresses : testing::ProgramTest {
  std::string address(const std::string& name) const { return "ipc://" + path(name); }
};

TEST_F(NamedAddresses, AreListenedAtFromTheStartOfTheWindow) {
  const Outcome outcome =
      run("drop.yaml --poses-at ipc://poses --states-at ipc://states --screenshot window.png");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* name : {"poses", "states"})
    EXPECT_EQ(std::filesystem::symlink_status(path(name)).type(), std::filesystem::file_type::socket) << name;
}

TEST_F(NamedAddresses, ThatAreTakenAreSaidInTheLogOnceAndSoIsThatTheyAreFree) {
  std::ofstream(path("states")) << "a file of somebody";
  app::NetworkOptions network;
  network.poses = address("poses");
  network.state = address("states");
  MainWindow window{app::studioServices(sceneOptions(""), network), QSize(900, 600), false};
  window.show();
  window.session().driving().startDevices();
  const QString trouble = "--states-at " + QString::fromStdString(network.state);
  ASSERT_TRUE(eventually([&] { return logCount(window, trouble) == 1; }));
  EXPECT_EQ(window.session().driving().networkText(), "");
  std::filesystem::remove(path("states"));
  ASSERT_TRUE(eventually([&] { return logCount(window, "network: works now") == 1; }));
  EXPECT_EQ(logCount(window, trouble), 1);
  EXPECT_TRUE(window.session().driving().networkText().contains(QString::fromStdString(network.poses)));
  EXPECT_FALSE(window.session().driving().isOn());
}

}  // namespace
}  // namespace slipstick::ui
