#include "engine/step/carry_over.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "engine/compile/scene_edit.h"
#include "engine/model/named_entries.h"
#include "engine/step/energy_audit.h"

namespace slipstick {
namespace {

using multibody::Joint;

NamedEntries positionsOf(const Model& model) {
  NamedEntries places;
  for (const Joint& joint : model.tree.joints)
    places[joint.name] = {joint.qStart, multibody::positionCount(joint.type)};
  return places;
}

NamedEntries velocitiesOf(const Model& model) {
  NamedEntries places;
  for (const Joint& joint : model.tree.joints)
    places[joint.name] = {joint.vStart, multibody::velocityCount(joint.type)};
  return places;
}

NamedEntries nodesOf(const Model& model) {
  NamedEntries places;
  for (const Deformable& deformable : model.deformables)
    places[deformable.name] = {deformable.begin, deformable.end - deformable.begin};
  return places;
}

NamedEntries jointsOf(const Model& model) {
  NamedEntries places;
  for (std::size_t i = 0; i < model.tree.joints.size(); ++i)
    places[model.tree.joints[i].name] = {static_cast<Eigen::Index>(i), 1};
  return places;
}

NamedEntries bodiesOf(const Model& model) {
  NamedEntries places;
  for (std::size_t i = 0; i < model.tree.bodies.size(); ++i)
    places[model.tree.bodies[i].name] = {static_cast<Eigen::Index>(i), 1};
  return places;
}

/// The same places in an array with several numbers of each node.
NamedEntries scaled(NamedEntries places, int size) {
  for (auto& [name, place] : places) place = {place.begin * size, place.count * size};
  return places;
}

/// A field that the other method has not, or in another shape, starts anew.
void carrySoftBodies(const Model& from, const SoftState& source, const Model& to, SoftState& target) {
  const NamedEntries before = nodesOf(from), after = nodesOf(to);
  copyNamedEntries(before, source.x, after, target.x);
  copyNamedEntries(before, source.v, after, target.v);
  for (NodeField& field : target.fields) {
    const NodeField* const known = source.find(field.spec.name);
    if (known == nullptr || !fits(known->spec, field.spec)) continue;
    const int size = field.spec.size();
    copyNamedEntries(scaled(before, size), known->values, scaled(after, size), field.values);
  }
}

/// Gives an index into the arrays of one model the value that it has in another. @return false: not there
bool translate(const NamedEntries& from, const NamedEntries& to, std::int32_t& index) {
  const auto named = std::find_if(from.begin(), from.end(),
                                  [index](const auto& entry) { return entry.second.begin == index; });
  const auto found = named == from.end() ? to.end() : to.find(named->first);
  if (found == to.end()) return false;
  index = static_cast<std::int32_t>(found->second.begin);
  return true;
}

/// The same for a particle: at its place in its deformable.
bool translateParticle(const Model& from, const Model& to, std::int32_t& particle) {
  for (const Deformable& source : from.deformables) {
    if (particle < source.begin || particle >= source.end) continue;
    for (const Deformable& target : to.deformables) {
      if (target.name != source.name || target.end - target.begin != source.end - source.begin) continue;
      particle += target.begin - source.begin;
      return true;
    }
  }
  return false;
}

/// Where entry `index` of a list of things without names stands in the other list: the same of its equals.
template <class Specs, class Name>
std::optional<std::size_t> placeOf(const Specs& from, std::size_t index, const Specs& to, const Name& name) {
  if (index >= from.size()) return std::nullopt;
  const auto wanted = name(from[index]);
  auto before = std::count_if(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(index),
                              [&](const auto& spec) { return name(spec) == wanted; });
  for (std::size_t i = 0; i < to.size(); ++i)
    if (name(to[i]) == wanted && before-- == 0) return i;
  return std::nullopt;
}

/// A parameter's path in the terms of another model. Pair rules and controllers have numbers for names, which
/// change when one before them goes; a rule is known by its pair, a controller by its kind and robot.
std::optional<std::string> pathIn(const Model& to, const Model& from, const std::string& path) {
  constexpr std::string_view kRules = "pair_rules.", kControllers = "controllers.";
  const bool isRule = path.starts_with(kRules);
  if ((!isRule && !path.starts_with(kControllers)) || from.scene == to.scene) return path;
  if (!from.scene || !to.scene) return std::nullopt;
  const std::string_view prefix = isRule ? kRules : kControllers;
  std::size_t index = 0;
  const char* const end = path.data() + path.size();
  const auto number = std::from_chars(path.data() + prefix.size(), end, index);
  if (number.ec != std::errc()) return std::nullopt;
  const auto place =
      isRule ? placeOf(from.scene->pairRules, index, to.scene->pairRules,
                       [](const PairRuleSpec& rule) { return std::pair(rule.a, rule.b); })
             : placeOf(from.scene->controllers, index, to.scene->controllers,
                       [](const ControllerSpec& spec) { return std::pair(spec.index(), drivenBy(spec)); });
  if (!place) return std::nullopt;
  return std::string(prefix) + std::to_string(*place) + std::string(number.ptr, end);
}

struct Translator {
  const Model &from, &to;

  bool operator()(Pull& pull) const {
    return pull.body >= 0 ? translate(bodiesOf(from), bodiesOf(to), pull.body)
                          : translateParticle(from, to, pull.particle);
  }
  bool operator()(Twist& twist) const { return translate(bodiesOf(from), bodiesOf(to), twist.body); }
  bool operator()(SetParameter& set) const {
    const std::optional<std::string> path = pathIn(to, from, set.path);
    if (path) set.path = *path;
    return path.has_value();
  }
  bool operator()(Release&) const { return true; }
  bool operator()(DriveJoint& drive) const { return (*this)(drive.joint); }
  bool operator()(FreeJoint& free) const { return (*this)(free.joint); }
  bool operator()(Place& place) const { return translate(bodiesOf(from), bodiesOf(to), place.body); }
  bool operator()(State::Drive& drive) const { return (*this)(drive.joint) && canDrive(to, drive.joint); }

  bool operator()(Goal& goal) const { return toEffector(goal.effector); }
  bool operator()(Grip& grip) const { return toEffector(grip.effector); }
  bool operator()(Reposture& reposture) const { return toEffector(reposture.effector); }
  bool operator()(LetGo& letGo) const { return toEffector(letGo.effector); }
  /// An arm with other joints is another one.
  bool operator()(State::Goal& goal) const {
    return toEffector(goal.effector) &&
           to.effectors[static_cast<std::size_t>(goal.effector)].chain.joints.size() ==
               static_cast<std::size_t>(goal.q.size());
  }

  bool toEffector(std::int32_t& effector) const {
    effector =
        static_cast<std::int32_t>(to.findEffector(from.effectors[static_cast<std::size_t>(effector)].name));
    return effector >= 0;
  }
  bool operator()(std::int32_t& joint) const { return translate(jointsOf(from), jointsOf(to), joint); }
};

/// Values by their paths.
std::shared_ptr<const Tuning> carryTuning(const Model& from, const Tuning& source, const Model& to) {
  auto tuning = std::make_shared<Tuning>(to.tuning);
  // What the other model has not, or not so many of, keeps the value of its scene.
  for (const Parameter& parameter : from.parameters)
    if (const auto path = pathIn(to, from, parameter.path))
      (void)setParameter(to, *path, valueOf(parameter, source), *tuning);
  return tuning;
}

template <class Intent>
void carryIntents(const Model& from, const std::vector<Intent>& source, const Model& to,
                  std::vector<Intent>& target) {
  for (Intent intent : source)
    if (Translator{from, to}(intent)) target.push_back(intent);
}

/// Robots that are new in the other model keep their initial drives; joints that had been freed stay free.
void carryDrives(const Model& from, const std::vector<State::Drive>& source, const Model& to,
                 std::vector<State::Drive>& target) {
  const NamedEntries before = jointsOf(from);
  std::erase_if(target, [&](const State::Drive& drive) {
    return before.contains(to.tree.joints[static_cast<std::size_t>(drive.joint)].name);
  });
  carryIntents(from, source, to, target);
}

}  // namespace

std::optional<Command> inTermsOf(const Command& command, const Model& from, const Model& to) {
  Command translated = command;
  if (!std::visit(Translator{from, to}, translated) || !check(translated, to)) return std::nullopt;
  return translated;
}

State carryOver(const std::shared_ptr<const Model>& from, const State& state,
                const std::shared_ptr<const Model>& to, SoftState start, const CarryMemory& carryMemory) {
  State next = State::initial(*to);
  next.soft = std::move(start);
  next.step = state.step;
  next.time = state.time;
  next.tuning = carryTuning(*from, *state.tuning, *to);
  carryIntents(*from, state.pulls, *to, next.pulls);
  carryIntents(*from, state.twists, *to, next.twists);
  carryDrives(*from, state.drives, *to, next.drives);
  carryIntents(*from, state.goals, *to, next.goals);
  std::sort(next.goals.begin(), next.goals.end(),
            [](const State::Goal& a, const State::Goal& b) { return a.effector < b.effector; });
  const NamedEntries positions = positionsOf(*from), positionsAfter = positionsOf(*to);
  copyNamedEntries(positions, state.q, positionsAfter, next.q);
  copyNamedEntries(positions, state.controllerQ, positionsAfter, next.controllerQ);
  copyNamedEntries(velocitiesOf(*from), state.v, velocitiesOf(*to), next.v);
  for (const State::Memory& memory : state.memory) {
    VecX values = carryMemory(memory.name, memory.values);
    if (values.size() > 0) next.remembered(memory.name) = std::move(values);
  }
  carrySoftBodies(*from, state.soft, *to, next.soft);
  next.remembered(kAuditMemory) = EnergyAudit::unknownPast();
  return next;
}

}  // namespace slipstick
