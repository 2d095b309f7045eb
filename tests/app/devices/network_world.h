// The network endpoint on a device thread, as the program has it, with ports of its own.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#include <zmq.hpp>
#include <zmq_addon.hpp>

#include "app/devices/network.h"
#include "tests/support/device_log.h"
#include "tests/support/hand_model.h"

namespace slipstick::testing {

inline nlohmann::json poseJson(std::uint64_t seq) {
  return {{"seq", seq},
          {"position", {0.001 * static_cast<double>(seq), 0, 0.5}},
          {"quaternion_wxyz", {1, 0, 0, 0}}};
}

/// A program elsewhere.
class Client {
 public:
  Client(const std::string& address, const std::string& name,
         zmq::socket_type type = zmq::socket_type::dealer)
      : socket_(context_, type) {
    socket_.set(zmq::sockopt::linger, 0);
    socket_.set(zmq::sockopt::rcvtimeo, 20000);
    if (!name.empty()) socket_.set(zmq::sockopt::routing_id, name);
    if (type == zmq::socket_type::sub) socket_.set(zmq::sockopt::subscribe, "");
    socket_.connect(address);
  }
  void send(const std::string& text) { socket_.send(zmq::buffer(text)); }
  void send(const std::vector<std::string>& parts) {
    for (const std::string& part : parts)
      socket_.send(zmq::buffer(part),
                   &part == &parts.back() ? zmq::send_flags::none : zmq::send_flags::sndmore);
  }
  /// Null: nothing came.
  nlohmann::json receive() {
    zmq::message_t message;
    if (!socket_.recv(message)) return nullptr;
    return nlohmann::json::parse(message.to_string());
  }
  nlohmann::json ask(const std::string& text) {
    send(text);
    return receive();
  }

 private:
  zmq::context_t context_;
  zmq::socket_t socket_;
};

class NetworkTest : public ::testing::Test {
 protected:
  void start(app::NetworkOptions options) {
    auto network = std::make_unique<app::Network>(std::move(options), [this] {
      if (fails_.exchange(false)) throw std::runtime_error("there is no newest step");
      const std::lock_guard lock(mutex_);
      return newest_;
    });
    facts_ = network->facts();
    std::vector<std::unique_ptr<DeviceDriver>> drivers;
    drivers.push_back(std::move(network));
    const std::chrono::milliseconds rest(50);
    thread_ = std::make_unique<DeviceThread>(std::move(drivers), log_, DeviceThread::FeedbackFor(),
                                             DriverRest{rest, rest});
  }
  /// @param silence  long: no test that is not about it may depend on how busy the machine is
  void startBound(std::chrono::milliseconds silence = std::chrono::seconds(20)) {
    start({"tcp://127.0.0.1:*", "tcp://127.0.0.1:*", silence});
    ASSERT_TRUE(eventually([this] { return !facts_->addresses().state.empty(); }));
  }
  void show(std::shared_ptr<const Model> model, std::shared_ptr<const Snapshot> snapshot) {
    const std::lock_guard lock(mutex_);
    newest_ = {std::move(model), std::move(snapshot), -1};
  }
  Client client(const std::string& name, zmq::socket_type type = zmq::socket_type::dealer) const {
    return {facts_->addresses().poses, name, type};
  }
  std::uint64_t refused(app::Refusal reason) const {
    return facts_->counts().refused[static_cast<std::size_t>(reason)];
  }

  DeviceLog log_;
  std::shared_ptr<const app::NetworkFacts> facts_;
  std::atomic<bool> fails_ = false;  ///< the next reading
  std::mutex mutex_;
  DeviceFeedback newest_;
  std::unique_ptr<DeviceThread> thread_;  ///< last: it uses the others
};

}  // namespace slipstick::testing
