// Leader arms, headsets and policies on the network: poses in, states and contact forces out. network_protocol.md has what
// they say.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/devices/network_facts.h"
#include "engine/teleop/device.h"

namespace slipstick::app {

struct NetworkOptions {
  /// Where to listen, see checkNetworkAddress(). Only programs of this machine reach these; there is no password.
  std::string poses = "tcp://127.0.0.1:5757";
  std::string state = "tcp://127.0.0.1:5758";
  /// A client that says nothing for so long is lost.
  std::chrono::milliseconds silence{500};
};

struct NetworkSockets;
struct NetworkClient;

/// Every client that sends poses is a device of its own. Its poses are kept in their order and none is left out, also where
/// more come than one call reads (assets/limits.h): the rest waits, in the end in the client. Where an address
/// cannot be bound, trouble() says why and it is tried again every two seconds.
class Network final : public DeviceDriver {
 public:
  /// @param newest  the step to tell clients, and the model whose effectors they may name; called on the devices' thread
  Network(NetworkOptions options, std::function<DeviceFeedback()> newest);
  ~Network() override;
  std::string_view name() const override { return "network"; }
  std::vector<std::unique_ptr<Device>> arrivals() override;
  std::optional<DriverTrouble> trouble() const override;
  void startOver() override;

  /// Outlives the driver; may be read by any thread.
  std::shared_ptr<const NetworkFacts> facts() const { return facts_; }

 private:
  using Clock = DeviceReading::Clock;

  void bind(Clock::time_point now);
  void receive(const DeviceFeedback& feedback);
  /// @return what the client gets back
  std::string answer(const std::string& identity, std::string_view text, const Model* model);
  std::string refuse(const std::string& identity, const RefusedMessage& refused);
  NetworkClient* clientOf(const std::string& identity);
  std::string freeId(const std::string& identity) const;
  void forgetSilent(Clock::time_point now);
  void publish(const DeviceFeedback& feedback, Clock::time_point now);

  const NetworkOptions options_;
  const std::function<DeviceFeedback()> newest_;
  const std::shared_ptr<NetworkFacts> facts_ = std::make_shared<NetworkFacts>();
  std::unique_ptr<NetworkSockets> sockets_;  ///< null: not bound
  std::map<std::string, std::shared_ptr<NetworkClient>>
      clients_;  ///< that have sent a pose, by ZeroMQ identity
  std::optional<Error> bindTrouble_, strangersTrouble_;
  Clock::time_point nextBind_, publishedAt_;
  std::shared_ptr<const Snapshot> published_;
};

}  // namespace slipstick::app
