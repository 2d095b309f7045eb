#include "assets/export/demo_actions.h"

#include <algorithm>
#include <variant>

#include "assets/export/demo_observations.h"

namespace slipstick::assets {
namespace {

struct Applied {
  std::vector<EffectorAction>& actions;

  EffectorAction& of(std::int32_t effector) const { return actions[static_cast<std::size_t>(effector)]; }
  void operator()(const Goal& goal) const {
    EffectorAction& action = of(goal.effector);
    action.p = goal.p;
    action.R = goal.R;
    action.asked |= EffectorAction::kPose;
  }
  void operator()(const Grip& grip) const {
    EffectorAction& action = of(grip.effector);
    action.closing = grip.closing;
    action.asked |= EffectorAction::kClosing;
  }
  void operator()(const Reposture& reposture) const {
    of(reposture.effector).asked |= EffectorAction::kRepose;
  }
  void operator()(const LetGo& letGo) const { of(letGo.effector) = {}; }
  template <class Other>
  void operator()(const Other&) const {}
};

/// The effector of a command that actions can say; −1 of all others.
struct EffectorOf {
  std::int32_t operator()(const Goal& c) const { return c.effector; }
  std::int32_t operator()(const Grip& c) const { return c.effector; }
  std::int32_t operator()(const Reposture& c) const { return c.effector; }
  std::int32_t operator()(const LetGo& c) const { return c.effector; }
  template <class Other>
  std::int32_t operator()(const Other&) const {
    return -1;
  }
};

}  // namespace

const std::vector<EffectorAction>& ActionTrack::at(std::uint64_t step, const Snapshot& snapshot) {
  for (EffectorAction& action : actions_) action.asked &= static_cast<std::uint8_t>(~EffectorAction::kRepose);
  for (; next_ < commands_.size() && commands_[next_].step <= step; ++next_)
    std::visit(Applied{actions_}, commands_[next_].command);
  for (std::size_t i = 0; i < actions_.size(); ++i) {
    if ((actions_[i].asked & EffectorAction::kPose) != 0) continue;
    const Pose X_WE = effectorPose(*model_, i, snapshot);
    actions_[i].p = X_WE.p;
    actions_[i].R = Quat(X_WE.R);
  }
  return actions_;
}

std::string whyNotExact(const std::vector<StampedCommand>& commands, std::uint64_t first, std::uint64_t last,
                        std::uint64_t stride) {
  for (std::size_t i = 0; i < commands.size() && commands[i].step < last; ++i) {
    const StampedCommand& now = commands[i];
    const std::int32_t effector = std::visit(EffectorOf{}, now.command);
    if (effector < 0) return "a person did what is no action (pulled, set a number, drove a joint)";
    if ((now.step - first) % stride != 0) return "commands came between two samples";
    // Within one step, an action knows what was asked for last, and not in which order.
    for (std::size_t k = i; k-- > 0 && commands[k].step == now.step;) {
      if (std::visit(EffectorOf{}, commands[k].command) != effector) continue;
      const bool mixes = std::holds_alternative<LetGo>(now.command) ||
                         std::holds_alternative<LetGo>(commands[k].command) ||
                         std::holds_alternative<Reposture>(commands[k].command);
      if (mixes) return "an effector was let go or put to another posture between two commands of one step";
    }
  }
  return {};
}

std::vector<Command> commandsFor(const std::vector<EffectorAction>& before,
                                 const std::vector<EffectorAction>& now) {
  std::vector<Command> commands;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const auto effector = static_cast<std::int32_t>(i);
    const EffectorAction& action = now[i];
    constexpr std::uint8_t kHeld = EffectorAction::kPose | EffectorAction::kClosing;
    const std::uint8_t was = before.empty() ? std::uint8_t{0} : before[i].asked;
    // Nothing takes a single goal or closing back but letting go of the whole effector.
    if ((was & kHeld & ~action.asked) != 0) commands.emplace_back(LetGo{effector});
    if ((action.asked & EffectorAction::kPose) != 0)
      commands.emplace_back(Goal{effector, action.p, action.R});
    if ((action.asked & EffectorAction::kClosing) != 0) commands.emplace_back(Grip{effector, action.closing});
    if ((action.asked & EffectorAction::kRepose) != 0) commands.emplace_back(Reposture{effector});
  }
  return commands;
}

}  // namespace slipstick::assets
