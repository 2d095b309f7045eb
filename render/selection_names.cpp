#include "render/selection_names.h"

#include <algorithm>
#include <set>

#include "engine/model/method_rows.h"
#include "render/force_words.h"

namespace slipstick::render {
namespace {

template <class List, class Name>
std::optional<std::int32_t> indexOf(const List& list, const Name& isMeant) {
  const auto found = std::find_if(list.begin(), list.end(), isMeant);
  if (found == list.end()) return std::nullopt;
  return static_cast<std::int32_t>(found - list.begin());
}

std::optional<std::int32_t> bodyNamed(const Model& model, const std::string& name) {
  const auto& bodies = model.tree.bodies;
  if (const auto full = indexOf(bodies, [&](const auto& body) { return body.name == name; })) return full;
  return indexOf(bodies, [&](const auto& body) { return shortName(body.name) == name; });
}

std::optional<std::int32_t> deformableNamed(const Model& model, const std::string& name) {
  return indexOf(model.deformables, [&](const Deformable& d) { return d.name == name; });
}

Error unknown(const Model& model, const std::string& words, const std::string& name) {
  std::string choices;
  std::set<std::string> added;
  const auto add = [&](const std::string& choice) {
    if (added.insert(choice).second) choices += (choices.empty() ? "" : ", ") + choice;
  };
  for (const Deformable& d : model.deformables) add(d.name);
  for (const Robot& robot : model.robots) add(robot.name);
  for (std::size_t b = 1; b < model.tree.bodies.size(); ++b) add(model.tree.bodies[b].name);
  for (const Boundary& boundary : model.boundaries) add(boundary.name);
  for (const Loop& loop : model.loops) add(loop.name);
  return {ErrorCode::UnknownName, "there is no '" + name + "'", "--select " + words,
          "choose from: " + choices + "; A+B selects what acts between two of them"};
}

Result<Selection> oneNamed(const Model& model, const std::string& name) {
  const auto isMeant = [&](const auto& thing) { return thing.name == name; };
  if (const auto soft = deformableNamed(model, name)) return Selection(SelectedDeformable{*soft});
  const std::optional<std::int32_t> robot = indexOf(model.robots, isMeant);
  // A robot of one body is that body.
  const bool more = robot && model.robots[static_cast<std::size_t>(*robot)].endBody >
                                 model.robots[static_cast<std::size_t>(*robot)].firstBody + 1;
  if (more) return Selection(SelectedRobot{*robot});
  if (const auto body = bodyNamed(model, name)) return Selection(SelectedBody{*body});
  if (robot) return Selection(SelectedRobot{*robot});
  if (const auto boundary = indexOf(model.boundaries, isMeant)) return Selection(SelectedBoundary{*boundary});
  if (const auto loop = indexOf(model.loops, isMeant)) return Selection(SelectedLoop{*loop});
  return unknown(model, name, name);
}

/// The one of the same name among the things of another model.
template <class List>
std::optional<std::int32_t> sameIn(const List& before, const List& things, std::int32_t index) {
  const std::string& name = before[static_cast<std::size_t>(index)].name;
  return indexOf(things, [&](const auto& thing) { return thing.name == name; });
}

std::optional<PairSide> sameSide(const Model& before, const Model& model, const PairSide& side) {
  if (side.isRigid()) {
    const auto body = sameIn(before.tree.bodies, model.tree.bodies, side.body);
    return body ? std::optional(PairSide{*body, -1}) : std::nullopt;
  }
  const auto deformable = sameIn(before.deformables, model.deformables, side.deformable);
  return deformable ? std::optional(PairSide{-1, *deformable}) : std::nullopt;
}

std::optional<ContactPair> samePair(const Model& before, const Model& model, const ContactPair& pair) {
  const auto a = sameSide(before, model, pair.a), b = sameSide(before, model, pair.b);
  return a && b ? std::optional(ContactPair{*a, *b}) : std::nullopt;
}

/// A selection in another model. A contact is one of numbers, which mean others there.
struct SameIn {
  Selection operator()(NothingSelected) const { return {}; }
  Selection operator()(SelectedBody body) const { return same(before.tree.bodies, model.tree.bodies, body); }
  Selection operator()(SelectedRobot robot) const { return same(before.robots, model.robots, robot); }
  Selection operator()(SelectedDeformable soft) const {
    return same(before.deformables, model.deformables, soft);
  }
  Selection operator()(SelectedBoundary) const { return {}; }
  Selection operator()(SelectedLoop) const { return {}; }
  Selection operator()(const ContactKey&) const { return {}; }
  Selection operator()(const ContactPair& pair) const {
    const std::optional<ContactPair> found = samePair(before, model, pair);
    return found ? Selection(*found) : Selection();
  }
  template <class List, class Kind>
  Selection same(const List& then, const List& now, Kind thing) const {
    const std::optional<std::int32_t> index = sameIn(then, now, thing.index);
    return index ? Selection(Kind{*index}) : Selection();
  }

  const Model& before;
  const Model& model;
};

}  // namespace

Selection sameSelection(const Model& before, const Model& model, const Selection& selection) {
  return std::visit(SameIn{before, model}, selection);
}

Result<Selection> selectionNamed(const Model& model, const std::string& words) {
  const std::size_t plus = words.find('+');
  if (plus == std::string::npos) return oneNamed(model, words);
  std::vector<PairSide> sides;
  for (const std::string& name : {words.substr(0, plus), words.substr(plus + 1)}) {
    const std::optional<std::int32_t> body = bodyNamed(model, name), soft = deformableNamed(model, name);
    if (!body && !soft) return unknown(model, words, name);
    sides.push_back(soft ? PairSide{-1, *soft} : PairSide{*body, -1});
  }
  const ContactPair pair = pairOf(model, sides[0], sides[1]);
  if (pair.isSoft() && !tellsSoftContacts(model))
    return Error{ErrorCode::InvalidValue, "this is no pair", "--select " + words,
                 "name a body and a deformable, or two bodies"};
  return Selection(pair);
}

}  // namespace slipstick::render
