// What a scene, a robot or a mesh is called on the command line, from any folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/program_run.h"

namespace slipstick {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Names : public testing::ProgramTest {
 protected:
  void writeRobot(const std::string& file, const std::string& name) const {
    std::ofstream(folder_ / file) << "<robot name=\"" << name << "\"><link name=\"only\"/></robot>";
  }
};

TEST_F(Names, ShippedRobotsAreFoundFromAnyFolder) {
  EXPECT_THAT(run("check arm7").out, HasSubstr("robot 'arm7'"));
  EXPECT_THAT(run("check hand16").out, HasSubstr("robot 'hand16'"));
  EXPECT_THAT(run("check hand16.urdf").out, HasSubstr("robot 'hand16'"));
  EXPECT_EQ(run("run arm7 --duration 0.02 --quiet").status, 0);
}

TEST_F(Names, AFileCountsIfWrittenWithAPathOrASuffix) {
  writeRobot("arm7.urdf", "mine");
  writeRobot("arm7", "without_suffix");
  std::filesystem::create_directory(path("hold"));
  EXPECT_THAT(run("check arm7.urdf").out, HasSubstr("robot 'mine'"));
  EXPECT_THAT(run("check ./arm7.urdf").out, HasSubstr("robot 'mine'"));
  EXPECT_THAT(run("check arm7").out, HasSubstr("robot 'arm7'"));
  EXPECT_EQ(run("check hold").status, 0) << "a folder of that name is in nobody's way";
}

/// A scene and a robot may share a name: the scene has it, and the robot goes by its file's.
TEST_F(Names, ASceneGoesBeforeARobotOfItsName) {
  EXPECT_THAT(run("check pendulum").out, HasSubstr("scene 'pendulum'"));
  EXPECT_THAT(run("check pendulum.urdf").out, HasSubstr("robot 'pendulum'"));
  const std::string list = run("scenes").out;
  EXPECT_THAT(list, AllOf(HasSubstr("scenes\n"), HasSubstr("robots\n"), HasSubstr("\n  arm7\n"),
                          HasSubstr("\n  pendulum.urdf\n")));
}

TEST_F(Names, AScenePlacesThemByName) {
  std::ofstream(path("arms.yaml"))
      << "robots:\n  left: {urdf: arm7}\n  right: {urdf: arm7.urdf, position: [2, 0, 0]}\n";
  writeRobot("arm7.urdf", "mine");
  const Outcome outcome = run("check arms.yaml");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("robot 'arm7'"), HasSubstr("robot 'mine'")));
}

TEST_F(Names, UnknownOnesAreAnsweredWithTheNearest) {
  EXPECT_THAT(run("run dough_roling").err, HasSubstr("did you mean 'dough_rolling'?"));
  EXPECT_THAT(run("check arm8").err, HasSubstr("did you mean 'arm7'?"));
}

TEST_F(Names, AMeshRunsAsABodyOnTheGround) {
  std::ofstream(path("block.obj"))
      << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
         "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  const Outcome outcome = run("run block.obj --duration 0.5 --csv o.csv");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(testing::readText(path("o.csv")), HasSubstr("block.z [m]"));
  EXPECT_EQ(run("render block.obj --to 0 --size 160x90 --out p.png").status, 0);
  EXPECT_THAT(run("run block.obj --set time.dt_ms=1").err, HasSubstr("a mesh file has no keys to override"));
}

}  // namespace
}  // namespace slipstick
