#include "app/devices/network.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>
#include <zmq.hpp>
#include <zmq_addon.hpp>

#include "app/devices/network_address.h"
#include "app/devices/state_message.h"
#include "assets/limits.h"

namespace slipstick::app {

namespace limits = assets::limits;

struct NetworkSockets {
  zmq::context_t context{1};
  zmq::socket_t poses{context, zmq::socket_type::router};
  zmq::socket_t state{context, zmq::socket_type::pub};
};

struct NetworkClient {
  std::string id;
  std::vector<DevicePose> poses;  ///< since the last reading
  std::optional<Error> trouble;   ///< likewise
  DeviceReading::Clock::time_point heardAt, movedAt;
  bool isLost = false;
  bool isGiven = false;  ///< as a Device
};

namespace {

class NetworkDevice final : public Device {
 public:
  explicit NetworkDevice(std::shared_ptr<NetworkClient> client) : client_(std::move(client)) {
    info_.id = client_->id;
    info_.name = "Client '" + client_->id.substr(client_->id.find(' ') + 1) + "'";
    info_.kind = DeviceKind::Network;
    info_.isFelt = true;
  }
  const DeviceInfo& info() const override { return info_; }

  bool read(DeviceReading& reading) override {
    if (client_->isLost) return false;
    reading = {};
    reading.at = client_->movedAt;
    reading.poses = std::exchange(client_->poses, {});
    reading.trouble = std::exchange(client_->trouble, {});
    return true;
  }

 private:
  std::shared_ptr<NetworkClient> client_;
  DeviceInfo info_;
};

/// A signal is nothing to us: false, as if there were nothing to do.
template <class Call>
bool unlessInterrupted(const Call& call) {
  try {
    return call();
  } catch (const zmq::error_t& error) {
    if (error.num() == EINTR) return false;
    throw;
  }
}

/// Names that a client has given itself; ZeroMQ's own are bytes, other ones after each connection.
bool isNamed(const std::string& identity) {
  return !identity.empty() && std::all_of(identity.begin(), identity.end(), [](char c) {
    return std::isgraph(static_cast<unsigned char>(c)) != 0;
  });
}

/// @param option  of the command line that names another address
Result<void> bindTo(zmq::socket_t& socket, const std::string& address, const std::string& option) {
  std::optional<std::string> trouble = whyPathIsTaken(address);
  try {
    if (!trouble) socket.bind(address);
  } catch (const zmq::error_t& error) {
    trouble = error.what();
  }
  if (!trouble) return {};
  return Error{ErrorCode::DeviceFailure, "cannot listen: " + *trouble, option + " " + address,
               "close the other program that uses it, or name another address with " + option};
}

Result<std::unique_ptr<NetworkSockets>> boundSockets(const NetworkOptions& options) {
  auto sockets = std::make_unique<NetworkSockets>();
  for (zmq::socket_t* socket : {&sockets->poses, &sockets->state}) socket->set(zmq::sockopt::linger, 0);
  // What is longer than a message may be is refused with words up to here; beyond, the connection is cut.
  sockets->poses.set(zmq::sockopt::maxmsgsize, std::int64_t{1} << 20);
  // A client whose machine is gone must not keep its name.
  sockets->poses.set(zmq::sockopt::heartbeat_ivl, 1000);
  sockets->poses.set(zmq::sockopt::heartbeat_timeout, 2000);
  if (Result<void> bound = bindTo(sockets->poses, options.poses, "--poses-at"); !bound) return bound.error();
  if (Result<void> bound = bindTo(sockets->state, options.state, "--states-at"); !bound) return bound.error();
  return sockets;
}

}  // namespace

Network::Network(NetworkOptions options, std::function<DeviceFeedback()> newest)
    : options_(std::move(options)), newest_(std::move(newest)) {}

Network::~Network() {
  Network::startOver();
}

void Network::startOver() {
  for (auto& [identity, client] : clients_) client->isLost = true;
  clients_.clear();
  sockets_.reset();
  nextBind_ = {};
  bindTrouble_.reset();
  strangersTrouble_.reset();
  facts_->set({});
}

std::vector<std::unique_ptr<Device>> Network::arrivals() {
  std::vector<std::unique_ptr<Device>> arrived;
  const auto now = Clock::now();
  if (!sockets_) bind(now);
  if (!sockets_) return arrived;
  const DeviceFeedback feedback = newest_ ? newest_() : DeviceFeedback{};
  receive(feedback);
  forgetSilent(now);
  publish(feedback, now);
  for (auto& [identity, client] : clients_)
    if (!std::exchange(client->isGiven, true)) arrived.push_back(std::make_unique<NetworkDevice>(client));
  facts_->count([this](NetworkCounts& counts) { counts.clients = clients_.size(); });
  return arrived;
}

std::optional<DriverTrouble> Network::trouble() const {
  if (bindTrouble_) return DriverTrouble{*bindTrouble_, true};
  if (strangersTrouble_) return DriverTrouble{*strangersTrouble_};
  return std::nullopt;
}

void Network::bind(Clock::time_point now) {
  constexpr std::chrono::seconds kTryAgain{2};
  if (now < nextBind_) return;
  nextBind_ = now + kTryAgain;
  Result<std::unique_ptr<NetworkSockets>> bound = boundSockets(options_);
  if (!bound) {
    bindTrouble_ = bound.error();
    return;
  }
  bindTrouble_.reset();
  sockets_ = std::move(*bound);
  facts_->set(
      {sockets_->poses.get(zmq::sockopt::last_endpoint), sockets_->state.get(zmq::sockopt::last_endpoint)});
}

void Network::receive(const DeviceFeedback& feedback) {
  std::size_t bytes = 0;
  for (int i = 0; i < limits::kMessagesAtOnce && bytes < limits::kMessageBytesAtOnce; ++i) {
    std::vector<zmq::message_t> parts;
    const bool isThere = unlessInterrupted([&] {
      return zmq::recv_multipart(sockets_->poses, std::back_inserter(parts), zmq::recv_flags::dontwait)
          .has_value();
    });
    if (!isThere) return;
    if (parts.size() < 2) continue;
    const std::string identity = parts.front().to_string();
    const std::string_view text = parts.back().to_string_view();
    bytes += std::min(text.size(), limits::kMessageBytes);
    // A REQ socket puts an empty part between its identity and the message, and wants it back.
    const bool isWhole = parts.size() == 2 || (parts.size() == 3 && parts[1].size() == 0);
    const std::string reply =
        isWhole ? answer(identity, text, feedback.model.get())
                : refuse(identity, {Refusal::Malformed, "a message is one part, not several", {}});
    if (!isWhole) parts.erase(parts.begin() + 1, parts.end() - 1);
    parts.back().rebuild(reply.data(), reply.size());
    // Dropped where the client does not read its replies.
    unlessInterrupted(
        [&] { return zmq::send_multipart(sockets_->poses, parts, zmq::send_flags::dontwait).has_value(); });
  }
}

std::string Network::answer(const std::string& identity, std::string_view text, const Model* model) {
  const auto known = clients_.find(identity);
  if (known != clients_.end()) known->second->heardAt = Clock::now();
  auto read = readPoseMessage(text, model);
  if (const auto* refused = std::get_if<RefusedMessage>(&read)) return refuse(identity, *refused);
  PoseMessage& message = std::get<PoseMessage>(read);
  if (!message.poses.empty()) {
    NetworkClient* client = clientOf(identity);
    if (client == nullptr)
      return refuse(identity, {Refusal::TooManyClients, "there are 16 clients already", message.seq});
    client->movedAt = Clock::now();
    client->poses.insert(client->poses.end(), std::make_move_iterator(message.poses.begin()),
                         std::make_move_iterator(message.poses.end()));
    strangersTrouble_.reset();
  }
  facts_->count([](NetworkCounts& counts) { ++counts.taken; });
  return takenReply(message.seq);
}

std::string Network::refuse(const std::string& identity, const RefusedMessage& refused) {
  const auto known = clients_.find(identity);
  const std::string who = known != clients_.end() ? known->second->id : "network client";
  const Error error{ErrorCode::InvalidValue, "a message was refused: " + refused.what, who,
                    "app/devices/network_protocol.md has the form of messages"};
  if (known != clients_.end())
    known->second->trouble = error;
  else
    strangersTrouble_ = error;
  facts_->count([&](NetworkCounts& counts) {
    ++counts.refused[static_cast<std::size_t>(refused.reason)];
    counts.newestRefusal = who + ": " + refused.what;
  });
  return refusedReply(refused);
}

NetworkClient* Network::clientOf(const std::string& identity) {
  const auto known = clients_.find(identity);
  if (known != clients_.end()) return known->second.get();
  if (clients_.size() == limits::kNetworkClients) return nullptr;
  auto client = std::make_shared<NetworkClient>();
  client->id = freeId(identity);
  client->heardAt = Clock::now();
  return (clients_[identity] = std::move(client)).get();
}

std::string Network::freeId(const std::string& identity) const {
  const std::string base = isNamed(identity) ? "network " + identity : "network client";
  const auto isTaken = [this](const std::string& id) {
    return std::any_of(clients_.begin(), clients_.end(),
                       [&](const auto& each) { return each.second->id == id; });
  };
  std::string id = base;
  for (int ordinal = 2; isTaken(id); ++ordinal) id = base + " #" + std::to_string(ordinal);
  return id;
}

/// After what has come was read, so that a late reading takes nobody for lost.
void Network::forgetSilent(Clock::time_point now) {
  std::erase_if(clients_, [&](const auto& each) {
    NetworkClient& client = *each.second;
    // One that came and went between two readings has still poses to hand over.
    client.isLost = client.isGiven && now - client.heardAt > options_.silence;
    return client.isLost;
  });
}

/// New steps at once, which are read at most as often as devices are; an old one now and then, for who came late.
void Network::publish(const DeviceFeedback& feedback, Clock::time_point now) {
  constexpr std::chrono::milliseconds kAgain{500};
  if (!feedback.model || !feedback.snapshot) return;
  if (feedback.snapshot == published_ && now - publishedAt_ < kAgain) return;
  published_ = feedback.snapshot;
  publishedAt_ = now;
  zmq::message_t message(stateMessage(*feedback.model, *feedback.snapshot));
  unlessInterrupted([&] { return sockets_->state.send(message, zmq::send_flags::dontwait).has_value(); });
  facts_->count([](NetworkCounts& counts) { ++counts.states; });
}

}  // namespace slipstick::app
