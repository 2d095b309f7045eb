#include "render/goal_parts.h"

#include "render/palette.h"

namespace slipstick::render {
namespace {

/// Of tools that are nearer to their goals [m], [rad] a ghost says nothing.
constexpr double kApart = 2e-3, kTurned = 0.02;

/// All that hangs on the effector's body at the goal, everything else where it is.
Ghost ghostOfTool(const Model& model, int body, const Pose& move, const Frame& frame) {
  Ghost ghost;
  ghost.X_WB = frame.X_WB;
  ghost.color = linear(palette::kBookmark);
  std::vector<char> moves(model.tree.bodies.size(), 0);
  for (std::size_t b = static_cast<std::size_t>(body); b < moves.size(); ++b) {
    const int parent = model.tree.parentOf(static_cast<int>(b));
    moves[b] = static_cast<int>(b) == body || moves[static_cast<std::size_t>(parent)] != 0;
    if (moves[b]) ghost.X_WB[b] = move * frame.X_WB[b];
  }
  return ghost;
}

}  // namespace

void addGoals(const FrameInput& input, Frame& frame) {
  const Model& model = *input.model;
  for (std::size_t i = 0; i < model.effectors.size(); ++i) {
    const multibody::Chain& chain = model.effectors[i].chain;
    const Pose X_WE = frame.X_WB[static_cast<std::size_t>(chain.body)] * chain.X_BE;
    const auto index = static_cast<int>(i);
    GoalMark mark{index, X_WE, input.hasHandles, {}};
    bool isDriven = false;
    for (const StepFacts::EffectorGoal& goal : input.snapshot->goals)
      if (goal.effector == index) {
        mark.X_WG = goal.wanted;
        isDriven = true;
      }
    if (!isDriven && !input.hasHandles) continue;
    if (input.held && input.held->first == index) mark.held = input.held->second;
    frame.goals.push_back(mark);
    const Pose move = mark.X_WG * X_WE.inverse();
    const double turn = Eigen::AngleAxisd(move.R).angle();
    if ((mark.X_WG.p - X_WE.p).norm() > kApart || turn > kTurned)
      frame.ghosts.push_back(ghostOfTool(model, chain.body, move, frame));
  }
}

}  // namespace slipstick::render
