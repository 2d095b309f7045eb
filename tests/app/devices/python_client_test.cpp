// Programs in Python, as people write them, at the network endpoint.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/devices/network_world.h"
#include "tests/support/python.h"
#include "tests/support/test_paths.h"

namespace slipstick {
namespace {

using testing::eventually;
using ::testing::HasSubstr;
using testing::Python;
using ::testing::SizeIs;
using Json = nlohmann::json;

class PythonClient : public testing::NetworkTest {
 protected:
  void startWithArm(std::chrono::milliseconds silence = std::chrono::seconds(20)) {
    startBound(silence);
    const auto model = testing::handModel();
    const auto snapshot = testing::handSnapshot(model);
    snapshot->contactWrench[testing::HandModel::kPalm].force = {0, 0, 12.5};
    show(model, snapshot);
  }
  static std::filesystem::path example(const std::string& name) {
    return testing::sourceDir() / "app/devices/examples" / name;
  }
  static std::filesystem::path poseClient() {
    return testing::sourceDir() / "tests/app/devices/pose_client.py";
  }
};

TEST_F(PythonClient, LosesNoneOfAThousandPosesAndKeepsTheirOrder) {
  startWithArm();
  constexpr std::size_t kPoses = 1000;
  Python client(poseClient(), {facts_->addresses().poses, "python", std::to_string(kPoses)});
  const Json taken = Json::parse(client.line());
  ASSERT_EQ(client.wait(), 0);
  ASSERT_THAT(taken, SizeIs(kPoses));
  const DeviceId device = log_.await([](const auto& seen) { return seen.poses.size() == kPoses; });
  ASSERT_NE(device, 0u);
  const auto seen = log_.seen()[device];
  EXPECT_EQ(seen.info.id, "network python");
  for (std::size_t seq = 0; seq < kPoses; ++seq) {
    ASSERT_EQ(taken[seq], seq);
    ASSERT_DOUBLE_EQ(seen.poses[seq].X_WE.p.x(), 0.001 * static_cast<double>(seq));
    ASSERT_EQ(seen.poses[seq].effector, "arm");
  }
}

TEST_F(PythonClient, OneThatIsKilledInMidMotionIsLostWithAllThatItSentBefore) {
  startWithArm(app::NetworkOptions{}.silence);
  Python client(poseClient(), {facts_->addresses().poses, "python", "0"});
  ASSERT_EQ(client.line(), "driving");
  const DeviceId device = log_.awaitDevice("network python");
  ASSERT_NE(device, 0u);
  ASSERT_TRUE(eventually([&] { return log_.seen()[device].poses.size() > 50; }));
  client.kill();
  ASSERT_TRUE(eventually([&] { return log_.seen()[device].isGone; }));
  const auto poses = log_.seen()[device].poses;
  for (std::size_t seq = 0; seq < poses.size(); ++seq)
    ASSERT_DOUBLE_EQ(poses[seq].X_WE.p.x(), 0.001 * static_cast<double>(seq)) << "no gap before the end";
  EXPECT_EQ(facts_->counts().taken, poses.size());
  EXPECT_TRUE(eventually([this] { return facts_->counts().clients == 0; }));
}

TEST_F(PythonClient, TheExampleThatSendsPosesDrives) {
  startWithArm();
  Python client(example("send_poses.py"), {facts_->addresses().poses, "30"});
  EXPECT_EQ(client.line(), "") << "it has nothing to complain of";
  EXPECT_EQ(client.wait(), 0);
  const DeviceId device = log_.await([](const auto& seen) { return seen.poses.size() == 30; });
  EXPECT_NE(device, 0u);
  EXPECT_EQ(log_.seen()[device].info.id, "network circle");
}

TEST_F(PythonClient, TheExampleThatReadsForcesPrintsThem) {
  startWithArm();
  Python client(example("read_forces.py"), {facts_->addresses().state, "1"});
  EXPECT_EQ(client.line(), "step 0, t = 0.000 s, joints 0.000 0.000 0.000 0.000");
  EXPECT_THAT(client.line(), HasSubstr("arm: [0.0, 0.0, 12.5] N, [0.0, 0.0, 0.0] N m"));
  EXPECT_THAT(client.line(), HasSubstr("elbow: [0.0, 0.0, 12.5] N"));
  EXPECT_EQ(client.wait(), 0);
}

}  // namespace
}  // namespace slipstick
