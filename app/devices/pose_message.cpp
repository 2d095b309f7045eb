#include "app/devices/pose_message.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "assets/limits.h"
#include "engine/foundation/number_text.h"

namespace slipstick::app {
namespace {

using Json = nlohmann::json;
namespace limits = assets::limits;

/// Thrown within this file only.
struct Objection {
  Refusal reason;
  std::string what;
};

/// Something of a client's in one of our sentences.
std::string inQuotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  return "'" + std::string(text.substr(0, kLongest)) + (text.size() > kLongest ? "…'" : "'");
}

void allowOnly(const Json& object, std::initializer_list<std::string_view> keys) {
  for (const auto& [key, value] : object.items())
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      std::string allowed;
      for (const std::string_view each : keys) allowed += (allowed.empty() ? "" : ", ") + std::string(each);
      throw Objection{Refusal::UnknownKey, "there is no key " + inQuotes(key) + " here; write " + allowed};
    }
}

const Json& field(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) throw Objection{Refusal::MissingField, inQuotes(key) + " is missing"};
  return *found;
}

double number(const Json& value, const std::string& key) {
  if (!value.is_number()) throw Objection{Refusal::WrongType, inQuotes(key) + " must be a number"};
  const double number = value.get<double>();
  if (!std::isfinite(number)) throw Objection{Refusal::NotFinite, inQuotes(key) + " must be finite"};
  return number;
}

template <int size>
Eigen::Matrix<double, size, 1> vector(const Json& object, const char* key) {
  const Json& values = field(object, key);
  if (!values.is_array())
    throw Objection{Refusal::WrongType,
                    inQuotes(key) + " must be a list of " + std::to_string(size) + " numbers"};
  if (values.size() != size)
    throw Objection{Refusal::WrongLength, inQuotes(key) + " has " + std::to_string(values.size()) +
                                              " numbers; write " + std::to_string(size)};
  Eigen::Matrix<double, size, 1> vector;
  for (int i = 0; i < size; ++i) {
    const std::string place = std::string(key).append("[").append(std::to_string(i)).append("]");
    vector[i] = number(values[static_cast<std::size_t>(i)], place);
  }
  return vector;
}

Pose poseOf(const Json& object) {
  constexpr double kUnitWithin = 1e-3;
  const Vec3 position = vector<3>(object, "position");
  if (position.cwiseAbs().maxCoeff() > kFarthest)
    throw Objection{Refusal::OutOfRange, "'position' is farther than 1000 m from the origin; write metres"};
  const Eigen::Vector4d wxyz = vector<4>(object, "quaternion_wxyz");
  if (std::abs(wxyz.norm() - 1) > kUnitWithin)
    throw Objection{Refusal::NotUnit, "the length of 'quaternion_wxyz' is " + significant(wxyz.norm(), 6) +
                                          "; write a unit quaternion, w first"};
  return Pose::fromQuat(Quat(wxyz[0], wxyz[1], wxyz[2], wxyz[3]), position);
}

std::string effectorOf(const Json& object, const Model* model) {
  const auto found = object.find("effector");
  if (found == object.end()) return {};
  if (!found->is_string()) throw Objection{Refusal::WrongType, "'effector' must be a name"};
  auto name = found->get<std::string>();
  if (name.empty() || model == nullptr || model->findEffector(name) >= 0) return name;
  std::string names;
  for (const Effector& effector : model->effectors) names += (names.empty() ? "" : ", ") + effector.name;
  throw Objection{Refusal::UnknownEffector, "the scene has no effector " + inQuotes(name) + "; it has " +
                                                (names.empty() ? "none" : names)};
}

std::optional<double> closingOf(const Json& object) {
  const auto found = object.find("closing");
  if (found == object.end()) return std::nullopt;
  const double closing = number(*found, "closing");
  if (closing < 0 || closing > 1)
    throw Objection{Refusal::OutOfRange, "'closing' goes from 0, open, to 1, closed"};
  return closing;
}

void checkFrame(const Json& object) {
  const auto found = object.find("frame");
  if (found == object.end()) return;
  if (!found->is_string()) throw Objection{Refusal::WrongType, "'frame' must be a name"};
  if (found->get<std::string>() != "world")
    throw Objection{Refusal::UnknownFrame, "poses are taken in the frame 'world' only"};
}

DevicePose devicePose(const Json& object, const Model* model) {
  checkFrame(object);
  return {effectorOf(object, model), poseOf(object), closingOf(object)};
}

std::vector<DevicePose> batch(const Json& poses, const Model* model) {
  if (!poses.is_array()) throw Objection{Refusal::WrongType, "'poses' must be a list"};
  if (poses.size() > limits::kMessagePoses)
    throw Objection{Refusal::WrongLength,
                    "'poses' may have " + std::to_string(limits::kMessagePoses) + " entries"};
  std::vector<DevicePose> read;
  for (const Json& pose : poses) {
    if (!pose.is_object()) throw Objection{Refusal::WrongType, "each of 'poses' must be an object"};
    allowOnly(pose, {"effector", "position", "quaternion_wxyz", "closing", "frame"});
    read.push_back(devicePose(pose, model));
  }
  return read;
}

std::optional<std::uint64_t> seqOf(const Json& message) {
  const auto found = message.find("seq");
  if (found == message.end() || !found->is_number_unsigned()) return std::nullopt;
  return found->get<std::uint64_t>();
}

PoseMessage poseMessage(const Json& message, const Model* model) {
  const bool isBatch = message.contains("poses");
  if (isBatch)
    allowOnly(message, {"poses", "seq"});
  else
    allowOnly(message, {"effector", "position", "quaternion_wxyz", "closing", "frame", "seq"});
  field(message, "seq");
  const std::optional<std::uint64_t> seq = seqOf(message);
  if (!seq) throw Objection{Refusal::WrongType, "'seq' must be a whole number from 0 on"};
  if (isBatch) return {*seq, batch(message["poses"], model)};
  return {*seq, {devicePose(message, model)}};
}

/// Python and others write NaN and Infinity, which JSON does not have.
bool isNonFinite(std::string_view text, std::size_t byte) {
  if (byte == 0 || byte > text.size()) return false;
  const std::string_view rest = text.substr(byte - 1);
  return rest.starts_with("NaN") || rest.starts_with("Infinity");
}

std::string textOf(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::variant<PoseMessage, RefusedMessage> readPoseMessage(std::string_view text, const Model* model) {
  if (text.size() > limits::kMessageBytes)
    return RefusedMessage{Refusal::TooLong,
                          "a message may have 64 KiB; this one has " + std::to_string(text.size()) + " bytes",
                          {}};
  std::optional<std::uint64_t> seq;
  try {
    const Json message = Json::parse(text);
    if (!message.is_object()) throw Objection{Refusal::WrongType, "a message is one JSON object"};
    seq = seqOf(message);
    return poseMessage(message, model);
  } catch (const Objection& objection) {
    return RefusedMessage{objection.reason, objection.what, seq};
  } catch (const Json::parse_error& error) {
    if (isNonFinite(text, error.byte))
      return RefusedMessage{Refusal::NotFinite, "NaN or Infinity at byte " + std::to_string(error.byte), seq};
    return RefusedMessage{Refusal::Malformed,
                          "this is no JSON from byte " + std::to_string(error.byte) + " on", seq};
  } catch (const Json::out_of_range&) {
    return RefusedMessage{Refusal::NotFinite, "a number is larger than a double holds", seq};
  }
}

std::string takenReply(std::uint64_t seq) {
  return textOf({{"seq", seq}, {"taken", true}});
}

std::string refusedReply(const RefusedMessage& refused) {
  Json reply = {{"seq", nullptr},
                {"taken", false},
                {"reason", kRefusalNames[static_cast<std::size_t>(refused.reason)]},
                {"error", refused.what}};
  if (refused.seq) reply["seq"] = *refused.seq;
  return textOf(reply);
}

}  // namespace slipstick::app
