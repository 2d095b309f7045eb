#include "app/devices/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "assets/limits.h"
#include "tests/app/devices/network_world.h"

namespace slipstick::app {
namespace {

using testing::Client;
using testing::eventually;
using ::testing::HasSubstr;
using testing::poseJson;
using ::testing::SizeIs;
using Json = nlohmann::json;

class Network : public testing::NetworkTest {};

TEST_F(Network, LosesNoneOfAThousandPosesAndKeepsTheirOrder) {
  startBound();
  Client leader = client("leader");
  constexpr std::uint64_t kPoses = 1000;
  for (std::uint64_t seq = 0; seq < kPoses; ++seq) {
    leader.send(poseJson(seq).dump());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  for (std::uint64_t seq = 0; seq < kPoses; ++seq) {
    const Json reply = leader.receive();
    ASSERT_EQ(reply, (Json{{"seq", seq}, {"taken", true}}));
  }
  const DeviceId device = log_.await([](const auto& seen) { return seen.poses.size() >= kPoses; });
  ASSERT_NE(device, 0u);
  const auto seen = log_.seen()[device];
  EXPECT_EQ(seen.info.id, "network leader");
  EXPECT_EQ(seen.info.kind, DeviceKind::Network);
  ASSERT_THAT(seen.poses, SizeIs(kPoses));
  for (std::uint64_t seq = 0; seq < kPoses; ++seq)
    ASSERT_DOUBLE_EQ(seen.poses[seq].X_WE.p.x(), 0.001 * static_cast<double>(seq));
  EXPECT_EQ(facts_->counts().taken, kPoses);
  EXPECT_EQ(facts_->counts().refusedInAll(), 0u);
}

/// More than one reading takes: what does not fit waits, and the devices' thread goes on.
TEST_F(Network, AFloodFromTwoClientsIsReadBitByBitAndNoneIsLost) {
  startBound();
  constexpr std::uint64_t kPoses = 10000;
  const auto flood = [this](const std::string& name) {
    Client leader = client(name);
    for (std::uint64_t seq = 0; seq < kPoses; ++seq) leader.send(poseJson(seq).dump());
    // Not all replies need to be read, but a client that leaves takes along what it has not sent yet.
    EXPECT_TRUE(eventually([&] {
      for (const auto& [id, seen] : log_.seen())
        if (seen.info.id == "network " + name && seen.poses.size() == kPoses) return true;
      return false;
    }));
  };
  std::thread other([&] { flood("left"); });
  flood("right");
  other.join();
  for (const auto& [id, seen] : log_.seen()) {
    ASSERT_THAT(seen.poses, SizeIs(kPoses));
    for (std::uint64_t seq = 0; seq < kPoses; ++seq)
      ASSERT_DOUBLE_EQ(seen.poses[seq].X_WE.p.x(), 0.001 * static_cast<double>(seq));
  }
}

TEST_F(Network, TakesPosesOfTwoArmsInOneMessage) {
  startBound();
  const auto model = testing::handModel();
  show(model, testing::handSnapshot(model));
  Client leader = client("leader");
  const Json left = {
      {"effector", "arm"}, {"position", {1, 2, 3}}, {"quaternion_wxyz", {0, 0, 0, 1}}, {"closing", 0.25}};
  const Json right = {{"effector", "elbow"},
                      {"position", {4, 5, 6}},
                      {"quaternion_wxyz", {0.7071, 0.7071, 0, 0}},
                      {"frame", "world"}};
  ASSERT_EQ(leader.ask(Json{{"seq", 8}, {"poses", {left, right}}}.dump()),
            (Json{{"seq", 8}, {"taken", true}}));
  const DeviceId device = log_.await([](const auto& seen) { return seen.poses.size() == 2; });
  const auto poses = log_.seen()[device].poses;
  ASSERT_THAT(poses, SizeIs(2));
  EXPECT_EQ(poses[0].effector, "arm");
  EXPECT_EQ(poses[0].closing, 0.25);
  EXPECT_TRUE(poses[0].X_WE.R.isApprox(Vec3(-1, -1, 1).asDiagonal().toDenseMatrix()));
  EXPECT_TRUE(poses[0].X_WE.p.isApprox(Vec3(1, 2, 3)));
  EXPECT_EQ(poses[1].effector, "elbow");
  EXPECT_FALSE(poses[1].closing);
  EXPECT_TRUE((poses[1].X_WE.R.transpose() * poses[1].X_WE.R).isApprox(Mat3::Identity(), 1e-12))
      << "normalised";
}

TEST_F(Network, RefusesWhatItDoesNotUnderstandCountsItAndSaysWhatIsWrong) {
  startBound();
  const auto model = testing::handModel();
  show(model, testing::handSnapshot(model));
  Client leader = client("leader");
  ASSERT_EQ(leader.ask(poseJson(0).dump())["taken"], true);
  const auto with = [](const char* key, const Json& value) {
    Json pose = poseJson(7);
    pose[key] = value;
    return pose.dump();
  };
  const auto without = [](const char* key) {
    Json pose = poseJson(7);
    pose.erase(key);
    return pose.dump();
  };
  const std::string rest = R"(, "quaternion_wxyz": [1, 0, 0, 0]})";
  struct Fault {
    std::string text;
    Refusal reason;
    std::string says;
  };
  const std::vector<Fault> faults = {
      {"", Refusal::Malformed, "no JSON"},
      {"{\"seq\": 7,", Refusal::Malformed, "from byte 11"},
      {"\xff\xfe\x00 not text", Refusal::Malformed, "no JSON"},
      {std::string(60000, '['), Refusal::Malformed, "no JSON"},
      {"[1, 2]", Refusal::WrongType, "one JSON object"},
      {R"({"seq": 7, "position": [NaN, 0, 0])" + rest, Refusal::NotFinite, "NaN or Infinity"},
      {R"({"seq": 7, "position": [-Infinity, 0, 0])" + rest, Refusal::NotFinite, "NaN or Infinity"},
      {R"({"seq": 7, "position": [1e999, 0, 0])" + rest, Refusal::NotFinite, "larger than a double"},
      {with("position", {1e6, 0, 0}), Refusal::OutOfRange, "write metres"},
      {with("closing", 1.5), Refusal::OutOfRange, "from 0, open, to 1"},
      {without("position"), Refusal::MissingField, "'position' is missing"},
      {without("quaternion_wxyz"), Refusal::MissingField, "'quaternion_wxyz' is missing"},
      {without("seq"), Refusal::MissingField, "'seq' is missing"},
      {with("position", {1, 2}), Refusal::WrongLength, "has 2 numbers; write 3"},
      {with("quaternion_wxyz", {1, 0, 0, 0, 0}), Refusal::WrongLength, "write 4"},
      {with("quaternion_wxyz", {1, 0.5, 0, 0}), Refusal::NotUnit, "1.11803"},
      {with("quaternion_wxyz", {0, 0, 0, 0}), Refusal::NotUnit, "unit quaternion"},
      {with("position", "here"), Refusal::WrongType, "list of 3 numbers"},
      {with("position", {1, "2", 3}), Refusal::WrongType, "'position[1]' must be a number"},
      {with("position", {1, true, 3}), Refusal::WrongType, "must be a number"},
      {with("position", {1, nullptr, 3}), Refusal::WrongType, "must be a number"},
      {with("seq", -1), Refusal::WrongType, "whole number"},
      {with("seq", "7"), Refusal::WrongType, "whole number"},
      {with("effector", 3), Refusal::WrongType, "must be a name"},
      {with("effector", "leg"), Refusal::UnknownEffector, "no effector 'leg'; it has arm, elbow"},
      {with("frame", "tool"), Refusal::UnknownFrame, "'world' only"},
      {with("quaternion", {1, 0, 0, 0}), Refusal::UnknownKey, "no key 'quaternion' here"},
      {Json{{"seq", 7}, {"poses", Json::array({Json{{"position", {0, 0, 0}}}})}}.dump(),
       Refusal::MissingField, "'quaternion_wxyz'"},
      {Json{{"seq", 7}, {"poses", Json::array({1})}}.dump(), Refusal::WrongType, "must be an object"},
      {Json{{"seq", 7}, {"poses", Json::array()}, {"position", {0, 0, 0}}}.dump(), Refusal::UnknownKey,
       "'position'"},
      {with("effector", std::string(70000, 'x')), Refusal::TooLong, "64 KiB"},
  };
  std::array<std::uint64_t, kRefusalCount> expected{};
  for (const Fault& fault : faults) {
    const Json reply = leader.ask(fault.text);
    SCOPED_TRACE(fault.text.substr(0, 100));
    ++expected[static_cast<std::size_t>(fault.reason)];
    EXPECT_EQ(reply["taken"], false);
    EXPECT_EQ(reply["reason"], kRefusalNames[static_cast<std::size_t>(fault.reason)]);
    EXPECT_THAT(reply["error"].get<std::string>(), HasSubstr(fault.says));
    EXPECT_EQ(facts_->counts().refused, expected);
  }
  EXPECT_THAT(facts_->counts().newestRefusal, HasSubstr("network leader: a message may have 64 KiB"));
  ASSERT_EQ(leader.ask(poseJson(1).dump())["taken"], true);
  const DeviceId device = log_.await([](const auto& seen) { return seen.poses.size() == 2; });
  ASSERT_NE(device, 0u);
  ASSERT_FALSE(log_.seen()[device].troubles.empty());
  EXPECT_THAT(log_.seen()[device].troubles.back().message(),
              HasSubstr("network leader: a message was refused"));
  EXPECT_EQ(facts_->counts().taken, 2u);
}

TEST_F(Network, AThousandBrokenMessagesAreCountedAndTheNextGoodOneIsTaken) {
  startBound();
  const auto model = testing::handModel();
  show(model, testing::handSnapshot(model));
  Client leader = client("leader");
  ASSERT_EQ(leader.ask(poseJson(0).dump())["taken"], true);
  const std::string whole = poseJson(7).dump();
  constexpr std::size_t kCount = 1000;
  for (std::size_t i = 0; i < kCount; ++i) {
    std::string text = whole.substr(0, i % whole.size());  // cut anywhere, and with a stray byte in it
    if (i >= whole.size()) text.insert(text.begin() + static_cast<std::ptrdiff_t>(text.size() / 2), '\x01');
    leader.send(text);
  }
  for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(leader.receive()["taken"], false);
  EXPECT_EQ(facts_->counts().refusedInAll(), kCount);
  EXPECT_EQ(leader.ask(poseJson(1).dump())["taken"], true);
  EXPECT_EQ(facts_->counts().taken, 2u);
}

TEST_F(Network, EchoesSeqAlsoOfARefusedMessageWhereItCouldBeRead) {
  startBound();
  Client leader = client("leader");
  EXPECT_EQ(leader.ask(R"({"seq": 31})")["seq"], 31);
  EXPECT_EQ(leader.ask("nonsense")["seq"], nullptr);
  EXPECT_THAT(log_.seen(), SizeIs(0)) << "who never sent a pose drives nothing";
  EXPECT_TRUE(eventually([this] {
    const auto troubles = log_.troubles("network");
    return !troubles.empty() && troubles.back() &&
           troubles.back()->message().find("refused") != std::string::npos;
  })) << "but a person learns why";
}

TEST_F(Network, AMessageOfSeveralPartsIsRefused) {
  startBound();
  Client leader = client("leader");
  leader.send(std::vector<std::string>{"a", "b", "c"});
  EXPECT_EQ(leader.receive()["reason"], "malformed");
  EXPECT_EQ(refused(Refusal::Malformed), 1u);
}

TEST_F(Network, AMessageOfMegabytesEndsItsConnectionAndNothingElse) {
  startBound();
  Client other = client("other"), leader = client("leader");
  ASSERT_EQ(other.ask(poseJson(0).dump())["taken"], true);
  leader.send(std::string(5 << 20, ' '));
  EXPECT_EQ(other.ask(poseJson(1).dump())["taken"], true);
  Client again = client("again");
  EXPECT_EQ(again.ask(poseJson(0).dump())["taken"], true);
}

TEST_F(Network, AClientThatIsGoneInMidMotionIsLostAndANewArrivalWhenItComesBack) {
  startBound(NetworkOptions{}.silence);
  std::optional<Client> leader(client("leader"));
  for (std::uint64_t seq = 0; seq < 20; ++seq) ASSERT_EQ(leader->ask(poseJson(seq).dump())["taken"], true);
  const DeviceId first = log_.awaitDevice("network leader");
  ASSERT_NE(first, 0u);
  leader.reset();
  ASSERT_TRUE(eventually([&] { return log_.seen()[first].isGone; }));
  EXPECT_THAT(log_.seen()[first].poses, SizeIs(20)) << "all that it has sent arrived before";
  leader.emplace(client("leader"));
  ASSERT_EQ(leader->ask(poseJson(0).dump())["taken"], true);
  const DeviceId second = log_.awaitDevice("network leader");
  EXPECT_GT(second, first);
}

TEST_F(Network, AnEmptyListOfPosesKeepsAClientThatRests) {
  const auto silence = std::chrono::milliseconds(1500);
  startBound(silence);
  Client leader = client("leader");
  ASSERT_EQ(leader.ask(poseJson(0).dump())["taken"], true);
  const DeviceId device = log_.awaitDevice("network leader");
  const auto until = std::chrono::steady_clock::now() + silence + silence / 4;
  while (std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ASSERT_EQ(leader.ask(R"({"seq": 1, "poses": []})")["taken"], true);
  }
  EXPECT_FALSE(log_.seen()[device].isGone);
  EXPECT_THAT(log_.seen()[device].poses, SizeIs(1));
}

TEST_F(Network, EveryClientIsADeviceOfItsOwn) {
  startBound();
  Client left = client("left"), right = client("right"), nameless = client(""), other = client("");
  for (Client* each : {&left, &right, &nameless, &other})
    ASSERT_EQ(each->ask(poseJson(5).dump())["taken"], true);
  for (const std::string id : {"network left", "network right", "network client", "network client #2"})
    EXPECT_NE(log_.awaitDevice(id), 0u) << id;
  EXPECT_THAT(log_.seen(), SizeIs(4));
}

TEST_F(Network, ClientsBeyondTheSixteenthAreTurnedAway) {
  startBound();
  std::vector<Client> clients;
  for (std::size_t i = 0; i < assets::limits::kNetworkClients; ++i)
    clients.push_back(client("c" + std::to_string(i)));
  Client late = client("late");
  // Together, so that none falls silent meanwhile.
  for (Client& each : clients) each.send(poseJson(0).dump());
  for (Client& each : clients) ASSERT_EQ(each.receive()["taken"], true);
  EXPECT_EQ(late.ask(poseJson(0).dump())["reason"], "too many clients");
  EXPECT_EQ(refused(Refusal::TooManyClients), 1u);
}

TEST_F(Network, AnswersASocketThatAsksAndWaits) {
  startBound();
  Client asker = client("asker", zmq::socket_type::req);
  for (std::uint64_t seq = 0; seq < 5; ++seq)
    ASSERT_EQ(asker.ask(poseJson(seq).dump()), (Json{{"seq", seq}, {"taken", true}}));
}

TEST_F(Network, TellsJointsAndContactForcesOfTheNewestStep) {
  startBound();
  const auto model = testing::handModel();
  const auto snapshot = testing::handSnapshot(model);
  snapshot->step = 42;
  snapshot->time = 0.21;
  snapshot->q[1] = 0.5;
  snapshot->v[1] = -0.25;
  snapshot->tau[1] = 3;
  snapshot->contactWrench[testing::HandModel::kLeftFinger].force = {0, 2, 0};
  show(model, snapshot);
  Client reader(facts_->addresses().state, "", zmq::socket_type::sub);
  const Json state = reader.receive();
  ASSERT_TRUE(state.is_object()) << "also where the step is older than the reader";
  EXPECT_EQ(state["step"], 42);
  EXPECT_EQ(state["time"], 0.21);
  EXPECT_EQ(state["scene"], "hand");
  EXPECT_EQ(state["joints"]["names"],
            Json({"arm.to upper", "arm.to lower", "arm.to left finger", "arm.to right finger"}));
  EXPECT_EQ(state["joints"]["positions"], Json({0, 0.5, 0, 0}));
  EXPECT_EQ(state["joints"]["velocities"], Json({0, -0.25, 0, 0}));
  EXPECT_EQ(state["joints"]["torques"], Json({0, 3, 0, 0}));
  ASSERT_THAT(state["effectors"], SizeIs(2));
  const Json& arm = state["effectors"][0];
  EXPECT_EQ(arm["name"], "arm");
  EXPECT_EQ(arm["position"], Json({3, 0, 0.1}));
  EXPECT_EQ(arm["quaternion_wxyz"], Json({1, 0, 0, 0}));
  EXPECT_EQ(arm["force"], Json({0, 2, 0}));
  EXPECT_NEAR(arm["moment"][0].get<double>(), 0.2, 1e-15);
  EXPECT_EQ(arm["pressing"], 2);
  EXPECT_THAT(arm["bodies"], SizeIs(4));
  EXPECT_EQ(arm["bodies"][2]["name"], "arm.left finger");
  auto next = std::make_shared<Snapshot>(*snapshot);
  next->step = 43;
  show(model, next);
  Json later = reader.receive();
  while (later.is_object() && later["step"] == 42) later = reader.receive();
  EXPECT_EQ(later["step"], 43);
}

TEST_F(Network, SaysWhenItsAddressIsTakenAndBindsItOnceItIsFree) {
  zmq::context_t context;
  std::optional<zmq::socket_t> holder(std::in_place, context, zmq::socket_type::router);
  holder->bind("tcp://127.0.0.1:*");
  const std::string address = holder->get(zmq::sockopt::last_endpoint);
  start({address, "tcp://127.0.0.1:*", NetworkOptions{}.silence});
  ASSERT_TRUE(eventually([this] { return !log_.troubles("network").empty(); }));
  EXPECT_THAT(log_.troubles("network")[0]->message(),
              ::testing::AllOf(HasSubstr("--poses-at " + address), HasSubstr("in use"),
                               HasSubstr("close the other program that uses it, or name another address")));
  holder.reset();
  ASSERT_TRUE(eventually([this] { return !facts_->addresses().poses.empty(); }));
  EXPECT_TRUE(eventually([this] { return !log_.troubles("network").back(); }));
  EXPECT_EQ(client("leader").ask(poseJson(0).dump())["taken"], true);
}

TEST_F(Network, SaysWhichOfItsAddressesIsTaken) {
  zmq::context_t context;
  zmq::socket_t holder(context, zmq::socket_type::pub);
  holder.bind("tcp://127.0.0.1:*");
  const std::string address = holder.get(zmq::sockopt::last_endpoint);
  start({"tcp://127.0.0.1:*", address, NetworkOptions{}.silence});
  ASSERT_TRUE(eventually([this] { return !log_.troubles("network").empty(); }));
  EXPECT_THAT(log_.troubles("network")[0]->message(), HasSubstr("--states-at " + address));
}

class NetworkPath : public testing::NetworkTest {
 protected:
  NetworkPath() {
    std::string name = (std::filesystem::temp_directory_path() / "slipstick_XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~NetworkPath() override {
    thread_.reset();
    std::filesystem::remove_all(folder_);
  }
  std::string address() const { return "ipc://" + (folder_ / "arm").string(); }
  std::filesystem::path folder_;
};

TEST_F(NetworkPath, IsListenedAtAlsoWhereADeadProgramHasLeftItsSocket) {
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  (folder_ / "arm").string().copy(at.sun_path, sizeof at.sun_path - 1);
  const int left = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(left, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
  ::close(left);
  start({address(), "tcp://127.0.0.1:*", std::chrono::seconds(20)});
  ASSERT_TRUE(eventually([this] { return !facts_->addresses().poses.empty(); }));
  EXPECT_EQ(facts_->addresses().poses, address());
  EXPECT_EQ(client("leader").ask(poseJson(0).dump())["taken"], true);
}

TEST_F(NetworkPath, OfAnotherProgramOrOfAFileIsLeftAlone) {
  zmq::context_t context;
  zmq::socket_t holder(context, zmq::socket_type::router);
  holder.bind(address());
  std::ofstream(folder_ / "notes") << "precious";
  start({address(), "ipc://" + (folder_ / "notes").string(), std::chrono::seconds(20)});
  ASSERT_TRUE(eventually([this] { return !log_.troubles("network").empty(); }));
  EXPECT_THAT(log_.troubles("network")[0]->message(), HasSubstr("--poses-at " + address()));
  holder.unbind(address());
  ASSERT_TRUE(eventually([this] { return log_.troubles("network").size() > 1; }));
  EXPECT_THAT(log_.troubles("network")[1]->message(), HasSubstr("a file that is no socket"));
  std::string text;
  std::ifstream(folder_ / "notes") >> text;
  EXPECT_EQ(text, "precious");
}

TEST_F(Network, IsThereAgainAfterAFailure) {
  startBound();
  ASSERT_EQ(client("leader").ask(poseJson(0).dump())["taken"], true);
  const DeviceId leader = log_.awaitDevice("network leader");
  fails_ = true;
  ASSERT_TRUE(eventually([&] { return log_.seen()[leader].isGone; }));
  ASSERT_TRUE(eventually([&] { return log_.troubles("network").size() == 2; })) << "it began and is over";
  EXPECT_EQ(client("leader").ask(poseJson(1).dump())["taken"], true);
  EXPECT_GT(log_.awaitDevice("network leader"), leader);
}

TEST_F(Network, AnAddressThatIsNoneIsATrouble) {
  start({"nowhere", "tcp://127.0.0.1:*", NetworkOptions{}.silence});
  ASSERT_TRUE(eventually([this] { return !log_.troubles("network").empty(); }));
  EXPECT_THAT(log_.troubles("network")[0]->message(), HasSubstr("nowhere"));
}

TEST(NetworkOptions, OnlyThisMachineReachesItUnlessAPersonSaysOtherwise) {
  EXPECT_THAT(NetworkOptions{}.poses, ::testing::StartsWith("tcp://127.0.0.1:"));
  EXPECT_THAT(NetworkOptions{}.state, ::testing::StartsWith("tcp://127.0.0.1:"));
}

}  // namespace
}  // namespace slipstick::app
