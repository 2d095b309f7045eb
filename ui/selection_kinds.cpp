#include "ui/selection_kinds.h"

#include <tuple>

#include "engine/model/soft_surface.h"
#include "ui/visibility.h"

namespace slipstick::ui {
namespace {

using render::NothingSelected;
using render::SelectedBody;
using render::SelectedBoundary;
using render::SelectedDeformable;
using render::SelectedLoop;
using render::SelectedRobot;
using render::Selection;

using Labels = std::vector<QString>;
using Look = std::optional<ThingName>;

/// What there is of one kind; null: nothing.
template <class Kind>
struct Row {
  std::string (*name)(const Model&, const Kind&) = nullptr;
  QString (*icon)(const Model&, const Kind&) = nullptr;
  std::vector<Plot> (*plots)(const Model&, const Kind&, const Labels&) = nullptr;
  std::vector<ParameterGroup> (*parameters)(const Model&, const Kind&) = nullptr;
  Look (*look)(const Model&, const Kind&) = nullptr;
  bool (*canBeRemoved)(const Model&, const Kind&) = nullptr;
};

template <class List, class Kind>
const auto& in(const List& things, const Kind& kind) {
  return things[static_cast<std::size_t>(kind.index)];
}

bool isAlone(const Model& model, const SelectedBody& body) {
  return thingOfBody(model, body.index).kind == ThingKind::Robot;
}

Look lookOfBody(const Model& model, const SelectedBody& body) {
  return body.index > 0 ? Look(thingOfBody(model, body.index)) : std::nullopt;
}

const std::tuple kTable = {
    Row<NothingSelected>{
        .icon = [](auto&, auto&) { return QString("scene"); },
        .plots = [](auto& model, auto&, auto&) { return plotsOfScene(model); },
        .parameters = [](auto& model, auto&) { return parametersOfScene(model); },
    },
    Row<SelectedBody>{
        .name = [](auto& model, auto& body) { return in(model.tree.bodies, body).name; },
        .icon = [](auto& model, auto& body) { return QString(isAlone(model, body) ? "body" : "link"); },
        .plots = [](auto& model, auto& body,
                    auto& labels) { return plotsOfBody(model, body.index, in(labels, body)); },
        .parameters = [](auto& model, auto& body) { return parametersOfBody(model, body.index); },
        .look = lookOfBody,
        .canBeRemoved = isAlone,
    },
    Row<SelectedRobot>{
        .name = [](auto& model, auto& robot) { return in(model.robots, robot).name; },
        .icon = [](auto&, auto&) { return QString("robot"); },
        .plots = [](auto& model, auto& robot, auto&) { return plotsOfRobot(model, robot.index); },
        .parameters = [](auto& model, auto& robot) { return parametersOfRobot(model, robot.index); },
        .look =
            [](auto& model, auto& robot) {
              return Look({ThingKind::Robot, in(model.robots, robot).name});
            },
        .canBeRemoved = [](auto&, auto&) { return true; },
    },
    Row<SelectedDeformable>{
        .name = [](auto& model, auto& soft) { return in(model.deformables, soft).name; },
        .icon =
            [](auto& model, auto& soft) {
              return QString(surfaceOf(in(model.deformables, soft)).isSheet ? "cloth" : "particles");
            },
        .plots = [](auto& model, auto& soft, auto&) { return plotsOfDeformable(model, soft.index); },
        .parameters = [](auto& model, auto& soft) { return parametersOfDeformable(model, soft.index); },
        .look =
            [](auto& model, auto& soft) {
              return Look({ThingKind::Deformable, in(model.deformables, soft).name});
            },
        .canBeRemoved = [](auto&, auto&) { return true; },
    },
    Row<SelectedBoundary>{
        .name = [](auto& model, auto& boundary) { return in(model.boundaries, boundary).name; },
        .icon = [](auto&, auto&) { return QString("boundary"); },
        .plots = [](auto& model, auto& boundary, auto&) { return plotsOfBoundary(model, boundary.index); },
        .parameters = [](auto& model, auto& boundary) { return parametersOfBoundary(model, boundary.index); },
        .look =
            [](auto& model, auto& boundary) {
              return Look({ThingKind::Boundary, in(model.boundaries, boundary).name});
            },
    },
    Row<SelectedLoop>{
        .name = [](auto& model, auto& loop) { return in(model.loops, loop).name; },
        .icon = [](auto&, auto&) { return QString("link"); },
    },
    Row<ContactKey>{
        .parameters = [](auto& model, auto& contact) { return parametersOfContact(model, contact); },
    },
    Row<ContactPair>{
        .name = [](auto& model, auto& pair) { return sidesOf(pair, model); },
        .parameters = [](auto& model, auto& pair) { return parametersOfPair(model, pair); },
    },
};

/// What one column says of a selection; an empty value where its kind has nothing there. A kind without a row does
/// not compile.
template <class Value, class Column, class... More>
Value lookUp(const Model& model, const Selection& selection, const Column& column, const More&... more) {
  return std::visit(
      [&]<class Kind>(const Kind& kind) {
        const auto cell = column(std::get<Row<Kind>>(kTable));
        return cell ? cell(model, kind, more...) : Value();
      },
      selection);
}

}  // namespace

std::string nameOf(const Model& model, const Selection& selection) {
  return lookUp<std::string>(model, selection, [](auto& row) { return row.name; });
}

QString iconOf(const Model& model, const Selection& selection) {
  return lookUp<QString>(model, selection, [](auto& row) { return row.icon; });
}

std::vector<Plot> plotsOf(const Model& model, const Selection& selection, const Labels& bodyLabels) {
  return lookUp<std::vector<Plot>>(
      model, selection, [](auto& row) { return row.plots; }, bodyLabels);
}

std::vector<ParameterGroup> parametersOf(const Model& model, const Selection& selection) {
  return lookUp<std::vector<ParameterGroup>>(model, selection, [](auto& row) { return row.parameters; });
}

Look thingOf(const Model& model, const Selection& selection) {
  return lookUp<Look>(model, selection, [](auto& row) { return row.look; });
}

bool canBeRemoved(const Model& model, const Selection& selection) {
  return lookUp<bool>(model, selection, [](auto& row) { return row.canBeRemoved; });
}

}  // namespace slipstick::ui
