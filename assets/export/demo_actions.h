// What was asked of the effectors of a model, as numbers per sample; and the commands that ask for it again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/model/command.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::assets {

/// Of one effector at one sample.
struct EffectorAction {
  static constexpr std::size_t kNumbers = 8;  ///< position, quaternion w x y z, closing
  enum Asked : std::uint8_t {
    kPose = 1,     ///< a goal is in force; without it, position and quaternion are where the tool is
    kClosing = 2,  ///< so is a closing; without it, that is 0
    kRepose = 4,   ///< another posture is asked for at this sample
  };
  Vec3 p = Vec3::Zero();      ///< [m], in W
  Quat R = Quat::Identity();  ///< as it was commanded, of any length
  double closing = 0;
  std::uint8_t asked = 0;
};

/// Follows the commands of a recording.
class ActionTrack {
 public:
  ActionTrack(std::shared_ptr<const Model> model, std::vector<StampedCommand> commands)
      : model_(std::move(model)), commands_(std::move(commands)), actions_(model_->effectors.size()) {}
  /// The actions once all commands up to a step, and those of it, are applied. Steps must ascend.
  /// @param snapshot  of the step: where tools are of which nothing was asked
  const std::vector<EffectorAction>& at(std::uint64_t step, const Snapshot& snapshot);

 private:
  std::shared_ptr<const Model> model_;
  std::vector<StampedCommand> commands_;
  std::vector<EffectorAction> actions_;
  std::size_t next_ = 0;
};

/// Why actions with a sample every `stride` steps from `first` on would not lead to the same states as the commands;
/// empty: they do.
std::string whyNotExact(const std::vector<StampedCommand>& commands, std::uint64_t first, std::uint64_t last,
                        std::uint64_t stride);

/// What brings the effectors from what was asked of them in the sample before to what is asked now.
/// @param before  empty for the first sample
std::vector<Command> commandsFor(const std::vector<EffectorAction>& before,
                                 const std::vector<EffectorAction>& now);

}  // namespace slipstick::assets
