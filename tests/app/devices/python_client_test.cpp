// Programs in Python, as people write them, at the network endpoint.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "tests/app/devices/network_world.h"
#include "tests/support/test_paths.h"

extern char** environ;

namespace slipstick {
namespace {

using testing::eventually;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using Json = nlohmann::json;

/// A Python program that runs beside the test.
class Python {
 public:
  Python(const std::filesystem::path& script, const std::vector<std::string>& arguments) {
    std::array<int, 2> pipe{};
    EXPECT_EQ(::pipe2(pipe.data(), O_CLOEXEC), 0);
    std::vector<std::string> words = {"/usr/bin/python3", script.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
    EXPECT_EQ(posix_spawn(&process_, argv[0], &actions, nullptr, argv.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    ::close(pipe[1]);
    output_ = fdopen(pipe[0], "r");
  }
  ~Python() {
    kill();
    std::fclose(output_);
  }
  Python(const Python&) = delete;
  Python& operator=(const Python&) = delete;

  /// The next line of its output, empty at its end.
  std::string line() {
    std::string line;
    for (int c = std::fgetc(output_); c != EOF && c != '\n'; c = std::fgetc(output_))
      line += static_cast<char>(c);
    return line;
  }
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    wait();
  }
  /// @return its exit status
  int wait() {
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t process_ = -1;
  std::FILE* output_ = nullptr;
};

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
