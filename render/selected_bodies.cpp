#include "render/selected_bodies.h"

#include "engine/model/world_link.h"

namespace slipstick::render {
namespace {

template <class List>
bool isIndexOf(std::int32_t index, const List& list) {
  return index >= 0 && static_cast<std::size_t>(index) < list.size();
}

std::vector<int> bodiesOfRobot(const Model& model, std::int32_t index) {
  std::vector<int> bodies;
  if (!isIndexOf(index, model.robots)) return bodies;
  const Robot& robot = model.robots[static_cast<std::size_t>(index)];
  for (int b = robot.firstBody; b < robot.endBody; ++b)
    if (!isOfItsWorld(model, robot, b)) bodies.push_back(b);
  return bodies;
}

std::vector<int> bodiesOfLoop(const Model& model, std::int32_t index) {
  std::vector<int> bodies;
  if (!isIndexOf(index, model.loops)) return bodies;
  const Loop& loop = model.loops[static_cast<std::size_t>(index)];
  for (const int body : {loop.bodyA, loop.bodyB})
    if (body > 0) bodies.push_back(body);
  return bodies;
}

std::vector<int> bodiesOf(const Model& model, const Selection& selection) {
  using Bodies = std::vector<int>;
  return std::visit(
      Overloaded{[](NothingSelected) { return Bodies(); },
                 [](SelectedBody body) { return Bodies{body.index}; },
                 [&](SelectedRobot robot) { return bodiesOfRobot(model, robot.index); },
                 [](SelectedDeformable) { return Bodies(); }, [](SelectedBoundary) { return Bodies(); },
                 [&](SelectedLoop loop) { return bodiesOfLoop(model, loop.index); },
                 [](const ContactKey&) { return Bodies(); }, [](const ContactPair&) { return Bodies(); }},
      selection);
}

}  // namespace

bool hasOutline(const Selection& selection) {
  return std::visit(
      Overloaded{[](NothingSelected) { return false; }, [](SelectedBody) { return true; },
                 [](SelectedRobot) { return true; }, [](SelectedDeformable) { return true; },
                 [](SelectedBoundary) { return true; }, [](SelectedLoop) { return true; },
                 [](const ContactKey&) { return false; }, [](const ContactPair&) { return false; }},
      selection);
}

std::vector<bool> selectedBodies(const Model& model, const Selection& selection) {
  std::vector<bool> selected(model.tree.bodies.size(), false);
  for (const int body : bodiesOf(model, selection))
    if (isIndexOf(body, selected)) selected[static_cast<std::size_t>(body)] = true;
  return selected;
}

}  // namespace slipstick::render
