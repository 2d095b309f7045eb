#include "ui/parameter_rows.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <set>

#include "engine/foundation/path_key.h"
#include "engine/model/method_rows.h"
#include "engine/model/model.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

using Block = ParameterBlock;

QString tr(const char* text) {
  return QCoreApplication::translate("ParameterRows", text);
}

/// A unit, and what one of it is in SI.
struct ShownUnit {
  QString text;
  double scale = 1;
};

/// Thousandths or thousands where the number would be long; only of units that people write so.
ShownUnit shownUnit(const QString& unit, double value) {
  const double size = std::abs(value);
  if (unit == "Pa" || unit == "N/m") {
    if (size >= 1e9) return {"G" + unit, 1e9};
    if (size >= 1e6) return {"M" + unit, 1e6};
    if (size >= 1e3) return {"k" + unit, 1e3};
  }
  if ((unit == "m" || unit == "m/s" || unit == "s") && size > 0 && size < 0.1) return {"m" + unit, 1e-3};
  return {unit, 1};
}

/// What a key is called: "friction_angle_deg" is "friction angle".
QString labelOf(std::string_view key) {
  static constexpr std::pair<std::string_view, const char*> kSymbols[] = {
      {"E", "modulus E"}, {"nu", "Poisson's ratio"}, {"kp", "gain kp"},
      {"kd", "gain kd"},  {"cfl", "CFL number"},     {"apic_damping", "APIC damping"}};
  const std::string_view name = key.substr(key.rfind('.') + 1);  // npos + 1 is 0
  for (const auto& [symbol, label] : kSymbols)
    if (name == symbol) return tr(label);
  QString label = toQString(name);
  if (label.endsWith("_deg")) label.chop(4);
  label.replace('_', ' ');
  return key.starts_with("rigid.") ? tr("rigid %1").arg(label) : label;
}

QString rangeText(const Range& range, const QString& unit) {
  const QString in = unit.isEmpty() ? QString() : " " + unit;
  const auto bound = [&](double x) { return QString::number(x, 'g', 6) + in; };
  if (std::isfinite(range.lower) && std::isfinite(range.upper))
    return tr("%1 %2 to %3 %4")
        .arg(range.openLower ? tr("above") : tr("from"), bound(range.lower),
             range.openUpper ? tr("below") : QString(), bound(range.upper))
        .simplified();
  if (std::isfinite(range.lower))
    return (range.openLower ? tr("more than %1") : tr("at least %1")).arg(bound(range.lower));
  if (std::isfinite(range.upper))
    return (range.openUpper ? tr("less than %1") : tr("at most %1")).arg(bound(range.upper));
  return tr("any number");
}

/// Joints that a controller drives; empty where it drives none.
struct JointsOf {
  std::vector<int> operator()(const EndEffectorPath& c) const { return c.joints; }
  std::vector<int> operator()(const JointPath& c) const { return c.joints; }
  std::vector<int> operator()(const JointEffort& c) const { return {c.joint}; }
  std::vector<int> operator()(const JointVelocity& c) const { return {c.joint}; }
  std::vector<int> operator()(const LinkForce&) const { return {}; }
};

struct KindWord {
  QString operator()(const EndEffectorPath&) const { return tr("follows a path"); }
  QString operator()(const JointPath& c) const {
    return c.isGripper ? tr("gripper") : tr("follows joint positions");
  }
  QString operator()(const JointEffort&) const { return tr("joint effort"); }
  QString operator()(const JointVelocity&) const { return tr("joint velocity"); }
  QString operator()(const LinkForce&) const { return tr("force on a link"); }
};

class Groups {
 public:
  explicit Groups(const Model& model) : model_(model) {}

  void addScene() {
    const std::vector<const Parameter*> all = of(Block::Scene, 0);
    std::vector<QString> titles;
    for (const Parameter* parameter : all) {
      const QString title = sectionOf(parameter->kind->key);
      if (titles.empty() || titles.back() != title) {
        titles.push_back(title);
        groups_.push_back({title, {}, {}});
      }
      add(*parameter, groups_.back());
    }
    addOwn();
    addPlace(0, tr("contact"), tr("of all that say nothing else"), {});
    for (std::size_t rule = 0; rule < model_.tuning.pairFriction.size(); ++rule)
      addRule(static_cast<int>(rule));
  }

  void addMaterial(const Deformable& d, int index) {
    addBlock(Block::Material, static_cast<std::size_t>(d.materialIndex), tr("material"),
             QString::fromStdString(model_.materials[static_cast<std::size_t>(d.materialIndex)]));
    addBlock(Block::Deformable, static_cast<std::size_t>(index), tr("transfer"), tr("particles and grid"));
  }

  void addBoundary(int index) {
    addBlock(Block::Boundary, static_cast<std::size_t>(index), tr("contact"), {});
  }

  /// Where the contact of a body's shapes is written.
  void addBody(int body, const QString& note) {
    std::set<int> seen;
    std::vector<const Geometry*> own;
    for (const Geometry& g : model_.geometries)
      if (g.body == body && !g.contactPlaces.empty() && seen.insert(g.contactPlaces.front()).second)
        own.push_back(&g);
    for (const Geometry* g : own) addGeometry(*g, own.size() == 1 ? note : QString::fromStdString(g->name));
  }

  void addGeometry(const Geometry& g, const QString& note) {
    if (g.contactPlaces.empty()) return;
    addPlace(g.contactPlaces.front(), tr("contact"), note,
             std::vector<int>(g.contactPlaces.begin() + 1, g.contactPlaces.end()));
  }

  /// The joint that leads to a body.
  void addJoint(int body) {
    const auto joint = static_cast<std::size_t>(body - 1);
    addBlock(Block::Joint, joint, tr("joint"), nameOfJoint(joint));
  }

  void addRobot(int index) {
    const Robot& robot = model_.robots[static_cast<std::size_t>(index)];
    const std::string path = (robot.file.empty() ? "bodies." : "robots.") + pathKey(robot.name) + ".contact";
    for (std::size_t place = 0; place < model_.contactPlaces.size(); ++place)
      if (model_.contactPlaces[place] == path)
        addPlace(static_cast<int>(place), tr("contact"), tr("of all its links"), {});
    addJoints(robot);
    addControllers(robot.firstBody, robot.endBody);
  }

  /// Of what drives the joints that lead to bodies [first, end).
  void addControllers(int first, int end) {
    for (std::size_t c = 0; c < model_.controllers.size(); ++c) {
      const std::vector<int> joints = std::visit(JointsOf{}, model_.controllers[c]);
      const bool drives = std::any_of(joints.begin(), joints.end(), [&](int j) {
        const int child = model_.tree.joints[static_cast<std::size_t>(j)].child;
        return child >= first && child < end;
      });
      if (!drives) continue;
      const QString word = std::visit(KindWord{}, model_.controllers[c]);
      for (const Block block : {Block::Servo, Block::Gripper, Block::JointEffort, Block::JointVelocity})
        addBlock(block, c, tr("controller %1").arg(c), word);
    }
  }

  /// Of two deformables, which may be the same one.
  void addMaterials(int a, int b) {
    addMaterial(model_.deformables[static_cast<std::size_t>(a)], a);
    if (b != a) addMaterial(model_.deformables[static_cast<std::size_t>(b)], b);
  }

  /// The rule that decides the friction of a pair, or what its sides say.
  void addPair(const ContactPair& pair) {
    if (pair.isSoft()) return addMaterials(pair.a.deformable, pair.b.deformable);
    std::set<int> rules;
    for (std::size_t g = 0; g < model_.geometries.size(); ++g) {
      if (model_.geometries[g].body != pair.a.body) continue;
      if (pair.b.isSoft())
        rules.insert(model_.softPair(static_cast<std::size_t>(pair.b.deformable), g).frictionRule);
      for (std::size_t h = 0; h < model_.geometries.size(); ++h) {
        if (model_.geometries[h].body != pair.b.body) continue;
        const auto* exception = model_.findException(static_cast<int>(g), static_cast<int>(h));
        rules.insert(exception ? exception->frictionRule : -1);
        if (exception && exception->restitutionRule >= 0) rules.insert(exception->restitutionRule);
      }
    }
    for (const int rule : rules)
      if (rule >= 0) addRule(rule);
    if (!rules.contains(-1) && !rules.empty()) return;
    const auto labels = bodyLabels(model_);
    for (const PairSide& side : {pair.a, pair.b})
      if (side.isRigid()) addBody(side.body, labels[static_cast<std::size_t>(side.body)]);
  }

  std::vector<ParameterGroup> take() {
    std::erase_if(groups_, [](const ParameterGroup& group) { return group.rows.empty(); });
    return std::move(groups_);
  }

 private:
  /// Of the method that steps the model.
  void addOwn() {
    if (model_.own == nullptr) return;
    ParameterGroup group{tr("solver, %1").arg(QString::fromStdString(model_.own->name)), {}, {}};
    for (const Parameter& parameter : model_.parameters)
      if (parameter.kind->block == Block::Method && parameter.path.starts_with(ownPath(model_.own->name, "")))
        add(parameter, group);
    groups_.push_back(std::move(group));
  }

  std::vector<const Parameter*> of(Block block, std::size_t index) const {
    std::vector<const Parameter*> found;
    for (const Parameter& parameter : model_.parameters)
      if (parameter.kind->block == block && parameter.index == index) found.push_back(&parameter);
    return found;
  }

  static QString sectionOf(std::string_view key) {
    if (key.starts_with("solver.rigid.")) return tr("solver, rigid contacts");
    if (key.starts_with("solver.")) return tr("solver, contacts with particles");
    if (key.starts_with("contact.")) return tr("solver, contacts with particles");
    return tr("scene");
  }

  void addBlock(Block block, std::size_t index, const QString& title, const QString& note) {
    ParameterGroup group{title, note, {}};
    for (const Parameter* parameter : of(block, index)) add(*parameter, group);
    groups_.push_back(std::move(group));
  }

  /// One group for each key, with all joints of a robot.
  void addJoints(const Robot& robot) {
    for (const std::string& key : keysOf(Block::Joint)) {
      ParameterGroup group{tr("joint %1").arg(labelOf(key)), {}, {}};
      for (int body = robot.firstBody + 1; body < robot.endBody; ++body)
        for (const Parameter* parameter : of(Block::Joint, static_cast<std::size_t>(body - 1)))
          if (parameter->kind->key == key) {
            add(*parameter, group);
            group.rows.back().label = nameOfJoint(parameter->index);
          }
      groups_.push_back(std::move(group));
    }
  }

  /// Without its robot's.
  QString nameOfJoint(std::size_t joint) const {
    const QString name = QString::fromStdString(model_.tree.joints[joint].name);
    for (const Robot& robot : model_.robots)
      if (const QString prefix = QString::fromStdString(robot.name + "."); name.startsWith(prefix))
        return name.mid(prefix.size());
    return name;
  }

  void addRule(int rule) {
    const auto index = static_cast<std::size_t>(rule);
    const PairRuleSpec& spec = model_.scene->pairRules[index];
    addBlock(Block::PairRule, index, tr("pair rule"), QString::fromStdString(spec.a + " + " + spec.b));
  }

  /// @param outer  places that decide where this one says nothing
  void addPlace(int place, const QString& title, const QString& note, const std::vector<int>& outer) {
    const std::size_t before = groups_.size();
    addBlock(Block::Contact, static_cast<std::size_t>(place), title, note);
    std::vector<int> further = outer;
    if (place != 0) further.push_back(0);
    const std::size_t prefix = model_.contactPlaces[static_cast<std::size_t>(place)].size();
    for (ParameterRow& row : groups_[before].rows)
      for (const int p : further)
        if (const std::string& path = model_.contactPlaces[static_cast<std::size_t>(p)]; !path.empty())
          row.outer.push_back(path + row.path.substr(prefix));
  }

  /// Of the unit of a controller's or joint's number: of turning joints or of sliding ones.
  QString unitOf(const Parameter& parameter) const {
    const QString unit = toQString(parameter.kind->unit);
    const QStringList either = unit.split(" or ");
    if (either.size() != 2) return unit;
    const std::vector<int> joints = parameter.kind->block == Block::Joint
                                        ? std::vector<int>{static_cast<int>(parameter.index)}
                                        : std::visit(JointsOf{}, model_.controllers[parameter.index]);
    const bool slides = !joints.empty() && model_.tree.joints[static_cast<std::size_t>(joints[0])].type ==
                                               multibody::JointType::Prismatic;
    const bool firstTurns = either[0].contains("rad") || either[0].startsWith("N m");
    return slides == firstTurns ? either[1] : either[0];
  }

  bool isOfNoSpring(const Parameter& parameter) const {
    const std::string_view key = parameter.kind->key;
    return parameter.kind->block == Block::Joint && (key == "stiffness" || key == "spring_reference") &&
           model_.tree.joints[parameter.index].stiffness == 0;
  }

  void add(const Parameter& parameter, ParameterGroup& group) const {
    const ParameterValue value = valueOf(parameter, model_.tuning);
    const QStringList units = unitOf(parameter).split(", ");
    for (std::size_t entry = 0; entry < std::max<std::size_t>(1, value.size()); ++entry) {
      ParameterRow row;
      row.path = parameter.path;
      row.label = labelOf(parameter.kind->key);
      row.range = parameter.kind->range;
      row.isMinor = isOfNoSpring(parameter);
      row.isWhole = isWhole(parameter, model_.tuning);
      row.isOptional = parameter.isOptional;
      if (value.size() > 1) {
        const std::string name = entryName(parameter, value.size(), entry);
        row.path += "." + name;
        row.label += " " + toQString(name);
      } else if (parameter.entries > 1) {
        row.label += tr(", each");
      }
      QString unit = units[static_cast<qsizetype>(
          std::min<std::size_t>(entry, static_cast<std::size_t>(units.size()) - 1))];
      if (unit == QChar(0x2013)) unit.clear();
      const ShownUnit shown = shownUnit(unit, value.empty() ? 0 : value[entry]);
      row.unit = shown.text;
      row.scale = shown.scale;
      row.about =
          QString("%1\n%2").arg(QString::fromStdString(row.path), rangeText(parameter.kind->range, unit));
      if (!parameter.kind->about.empty()) row.about += "\n" + toQString(parameter.kind->about);
      group.rows.push_back(std::move(row));
    }
  }

  static std::string entryName(const Parameter& parameter, std::size_t entries, std::size_t entry) {
    const bool isVector = parameter.kind->block == Block::Scene && entries == 3;
    return isVector ? std::string(1, "xyz"[entry]) : std::to_string(entry);
  }

  const Model& model_;
  std::vector<ParameterGroup> groups_;
};

}  // namespace

std::vector<ParameterGroup> parametersOfScene(const Model& model) {
  Groups groups(model);
  groups.addScene();
  return groups.take();
}

std::vector<ParameterGroup> parametersOfBody(const Model& model, int body) {
  if (body == 0) return {};
  Groups groups(model);
  groups.addBody(body, {});
  groups.addJoint(body);
  groups.addControllers(body, body + 1);
  return groups.take();
}

std::vector<ParameterGroup> parametersOfRobot(const Model& model, int robot) {
  Groups groups(model);
  groups.addRobot(robot);
  return groups.take();
}

std::vector<ParameterGroup> parametersOfDeformable(const Model& model, int deformable) {
  Groups groups(model);
  groups.addMaterial(model.deformables[static_cast<std::size_t>(deformable)], deformable);
  return groups.take();
}

std::vector<ParameterGroup> parametersOfBoundary(const Model& model, int boundary) {
  Groups groups(model);
  groups.addBoundary(boundary);
  return groups.take();
}

std::vector<ParameterGroup> parametersOfContact(const Model& model, const ContactKey& contact) {
  Groups groups(model);
  if (contact.isSoft()) groups.addMaterials(contact.a.deformable, contact.b.deformable);
  for (const int g : {contact.a.geometry, contact.b.geometry}) {
    if (g < 0) continue;
    const Geometry& geometry = model.geometries[static_cast<std::size_t>(g)];
    groups.addGeometry(geometry, QString::fromStdString(geometry.name));
  }
  return groups.take();
}

std::vector<ParameterGroup> parametersOfPair(const Model& model, const ContactPair& pair) {
  Groups groups(model);
  groups.addPair(pair);
  return groups.take();
}

ParameterValue inForce(const Model& model, const ParameterRow& row, const Tuning& tuning) {
  ParameterValue value = valueOf(model, row.path, tuning);
  for (const std::string& path : row.outer)
    if (value.empty()) value = valueOf(model, path, tuning);
  return value;
}

}  // namespace slipstick::ui
