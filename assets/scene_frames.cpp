// Named frames of a scene document, and what is placed in them.
#include <algorithm>
#include <set>

#include "assets/scene_format.h"
#include "assets/scene_parser.h"
#include "engine/foundation/nearest_name.h"

namespace slipstick::assets {
namespace {

constexpr const char* kWorld = "world";

}  // namespace

/// Each from the frame or link that it is attached to, whatever their order in the file.
void SceneParser::parseFrames(const YamlMap& root) {
  const auto entries = root.entries("frames");
  if (entries.empty()) return;
  std::set<std::string> taken = {kWorld};
  for (const char* block : {"bodies", "robots"})
    for (const auto& [name, value] : root.entries(block)) taken.insert(name);
  for (const auto& [name, value] : entries) {
    const YamlMap map = value.map(keyNamesOf("frame"));
    if (taken.contains(name))
      value.fail(ErrorCode::InvalidValue, "something else is called '" + name + "', too", "rename the frame");
    frames_[name] = {map.text("attach_to", kWorld), parsePose(map)};
  }
  for (const auto& [name, value] : entries)
    if (!document_->fault) settleFrame(name, value);
}

/// Follows a frame to the link, or the world, that it moves with at last.
void SceneParser::settleFrame(const std::string& name, const YamlValue& value) {
  std::vector<std::string> chain;
  std::set<std::string> met;
  for (std::string at = name; frames_.contains(at) && !frames_[at].isSettled; at = frames_[at].link) {
    if (!met.insert(at).second) {
      value.fail(ErrorCode::InvalidValue, "the frame is attached to itself, directly or by others",
                 "attach one of them to the world or to a link");
      return;
    }
    chain.push_back(at);
  }
  for (; !chain.empty(); chain.pop_back()) {
    Frame& frame = frames_[chain.back()];
    ontoLink(frame.link, frame.X_LF);
    frame.isSettled = true;
  }
}

/// Where a link is expected a frame may be named: then the pose is in that frame.
void SceneParser::ontoLink(std::string& link, Pose& pose) const {
  const auto found = frames_.find(link);
  if (found == frames_.end()) return;
  link = found->second.link;
  pose = found->second.X_LF * pose;
}

/// The frame that 'in' names.
SceneParser::Frame SceneParser::frameOf(const YamlMap& map) const {
  const std::string name = map["in"].text();
  if (const auto found = frames_.find(name); found != frames_.end()) return found->second;
  std::vector<std::string> names = {kWorld};
  for (const auto& [known, frame] : frames_) names.push_back(known);
  if (name != kWorld)
    map["in"].fail(ErrorCode::UnknownName, "there is no frame '" + name + "'",
                   frames_.empty() ? "write it into 'frames:'" : suggestName(name, names));
  return {};
}

/// A pose in the world. @param what  that has it
Pose SceneParser::inWorld(const YamlMap& map, const Pose& pose, const std::string& what) const {
  if (!map.has("in")) return pose;
  const Frame frame = frameOf(map);
  if (frame.link != kWorld)
    map["in"].fail(ErrorCode::InvalidValue,
                   "the frame moves with '" + frame.link + "', and " + what + " starts in the world",
                   "name a frame that is attached to the world");
  return frame.X_LF * pose;
}

/// Bodies and robots: what is fixed moves with the link of the frame that it is placed in.
void SceneParser::placeInFrame(const YamlMap& map, RobotSpec& robot) const {
  if (robot.freeBase) {
    robot.X_PB = inWorld(map, robot.X_PB, "what has a free base");
  } else if (map.has("in")) {
    if (map.has("attach_to"))
      map["in"].fail(ErrorCode::InvalidValue, "'in' and 'attach_to' both say what the base is fixed to",
                     "keep one of the two; 'attach_to' takes a frame, too");
    const Frame frame = frameOf(map);
    robot.attachTo = frame.link;
    robot.X_PB = frame.X_LF * robot.X_PB;
  } else {
    ontoLink(robot.attachTo, robot.X_PB);
  }
}

void SceneParser::rideOnFrame(CameraSpec& camera) const {
  const auto found = frames_.find(camera.body);
  if (found == frames_.end()) return;
  const Pose& X_LF = found->second.X_LF;
  camera.body = found->second.link == kWorld ? "" : found->second.link;
  camera.position = X_LF * camera.position;
  camera.target = X_LF * camera.target;
  camera.up = X_LF.R * camera.up;
}

}  // namespace slipstick::assets
