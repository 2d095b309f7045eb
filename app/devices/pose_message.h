// What a client on the network asks for, out of the text that it sent; network_protocol.md has the schema.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/teleop/device.h"

namespace slipstick::app {

inline constexpr double kFarthest = 1000;  ///< of any coordinate of a position [m]

/// Why a message was not taken.
enum class Refusal {
  TooLong,
  Malformed,
  UnknownKey,
  MissingField,
  WrongType,
  WrongLength,
  NotFinite,
  OutOfRange,
  NotUnit,
  UnknownEffector,
  UnknownFrame,
  TooManyClients,
};
inline constexpr std::size_t kRefusalCount = 12;
inline constexpr std::array<std::string_view, kRefusalCount> kRefusalNames = {
    "too long",   "malformed",    "unknown key", "missing field",    "wrong type",    "wrong length",
    "not finite", "out of range", "not unit",    "unknown effector", "unknown frame", "too many clients"};

struct PoseMessage {
  std::uint64_t seq = 0;
  std::vector<DevicePose> poses;  ///< none: it only says that it is there
};

struct RefusedMessage {
  Refusal reason = Refusal::Malformed;
  std::string what;                  ///< for the person who wrote the client
  std::optional<std::uint64_t> seq;  ///< where it could be read
};

/// @param model  whose effectors a pose may name; null: any
std::variant<PoseMessage, RefusedMessage> readPoseMessage(std::string_view text, const Model* model);

/// What the client gets back, JSON.
std::string takenReply(std::uint64_t seq);
std::string refusedReply(const RefusedMessage& refused);

}  // namespace slipstick::app
