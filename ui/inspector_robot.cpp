// What the inspector says of robots and joints.
#include <QFileInfo>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/compile/scene_edit.h"
#include "engine/model/world_link.h"
#include "ui/inspector.h"
#include "ui/joint_reading.h"
#include "ui/text.h"

namespace slipstick::ui {

namespace {

/// Notices begin with the file that they are of, as "/robots/hand.urdf:12"; what comes out of it may be told by name alone.
bool isOf(const Notice& notice, const QString& file) {
  const QString where = QString::fromStdString(notice.where);
  return where.startsWith(file) || where.contains(QFileInfo(file).fileName());
}

}  // namespace

void Inspector::showRobot(int index) {
  const auto model = session_.model();
  const Robot& robot = model->robots[static_cast<std::size_t>(index)];
  const auto first = static_cast<std::size_t>(robot.firstBody), end = static_cast<std::size_t>(robot.endBody);
  heading(QString::fromStdString(robot.name), tr("robot"));
  double mass = 0;
  for (std::size_t b = first; b < end; ++b) mass += model->tree.bodies[b].mass;
  constant(tr("mass"), "kg", mass);
  addLook();
  fact(tr("links"), {}, [count = end - first](const Snapshot&) { return grouped(count); });
  int freedom = 0, held = 0;
  for (std::size_t b = first; b < end; ++b) {
    const multibody::Joint& joint = model->tree.joints[b - 1];
    if (joint.mimic < 0) freedom += multibody::velocityCount(joint.type);
    held += joint.mimic >= 0;
  }
  fact(tr("degrees of freedom"), {}, [n = freedom](const Snapshot&) { return QString::number(n); });
  if (held > 0)
    fact(
        tr("joints that follow"), {}, [n = held](const Snapshot&) { return QString::number(n); },
        tr("They mimic another joint"));
  int shapes = 0;
  for (const Geometry& g : model->geometries) shapes += g.body >= robot.firstBody && g.body < robot.endBody;
  fact(tr("collision shapes"), {}, [n = shapes](const Snapshot&) { return QString::number(n); });
  if (!robot.file.empty()) showLoadReport(QString::fromStdString(robot.file));
  offerRepairs(robot.name);
  offerConvexParts(robot);
  heading(tr("net contact"));
  std::vector<std::size_t> touched;
  for (std::size_t b = first; b < end; ++b)
    if (!isOfItsWorld(*model, robot, static_cast<int>(b))) touched.push_back(b);
  const auto net = [touched](const Snapshot& s) {
    Vec3 force = Vec3::Zero();
    for (const std::size_t b : touched) force += s.contactWrench[b].force;
    return force;
  };
  fact(tr("force"), "N", [net](const Snapshot& s) { return significant(net(s).norm()); });
  fact(tr("x, y, z"), "N", [net](const Snapshot& s) { return vectorText(net(s), 2); });
  showSensors(robot.firstBody, robot.endBody);
  heading(tr("joints"), tr("position [rad], torque [N m]"));
  for (const multibody::Joint& joint : model->tree.joints) {
    if (joint.child < robot.firstBody || joint.child >= robot.endBody ||
        multibody::velocityCount(joint.type) != 1)
      continue;
    const bool linear = joint.type == multibody::JointType::Prismatic;
    const auto q = joint.qStart, v = joint.vStart;
    const QString name = nameInRobot(*model, joint.name);
    fact(name, linear ? "m, N" : "",
         [q, v](const Snapshot& s) { return number(s.q[q], 3) + ", " + significant(s.tau[v]); });
    plottable(
        {plotOf(joint.name + ".q", linear ? "m" : "rad"), plotOf(joint.name + ".tau", linear ? "N" : "N m")});
  }
  addParameters();
}

/// What became of the file, in whatever scene it is.
void Inspector::showLoadReport(const QString& file) {
  const QString name = QFileInfo(file).fileName(), folder = QFileInfo(file).path() + "/";
  heading(tr("load report"), name);
  std::vector<Notice> notices = session_.opener().notices();
  const std::size_t all = notices.size();
  if (all == 0) return note(tr("Everything in the file was taken as it is written."));
  std::erase_if(notices, [&](const Notice& notice) { return !isOf(notice, file); });
  if (notices.empty())
    return note(tr("None of the %1 notices of the scene is of this file: the log has them").arg(all));
  constexpr std::size_t kMax = 8;
  for (std::size_t i = 0; i < std::min(notices.size(), kMax); ++i)
    note(QString::fromStdString(notices[i].where + ": " + notices[i].what).remove(folder), notices[i].level);
  if (notices.size() > kMax) note(tr("and %1 more: the log has them all").arg(notices.size() - kMax));
}

/// A button that writes what the loader assumed into the scene, where there is any.
void Inspector::offerRepairs(const std::string& robot) {
  const auto& scene = session_.model()->scene;
  if (!scene || !session_.moment().isLive()) return;
  const auto spec = std::find_if(scene->robots.begin(), scene->robots.end(),
                                 [&](const RobotSpec& r) { return r.name == robot; });
  if (spec == scene->robots.end()) return;
  const AdoptRepairs repairs = repairsOf(session_.opener().notices(), *spec);
  const std::size_t count = repairs.links.size() + repairs.joints.size();
  if (count == 0) return;
  auto* adopt = new FlatButton("plus", count == 1 ? tr("Write the assumption into the scene")
                                                  : tr("Write the %1 assumptions into the scene").arg(count));
  adopt->setObjectName("adoptRepairs");
  adopt->setToolTip(
      tr("Masses, inertias and limits that the robot's file does not say, or says as no body has them"));
  connect(adopt, &FlatButton::clicked, this, [this, adopt, repairs] {
    adopt->setEnabled(false);
    session_.editor().edit(repairs, tr("write the assumptions"));
  });
  grid_->addWidget(adopt, row_++, 0, 1, 3, Qt::AlignLeft);
}

/// A button that has convex parts stand for meshes without a pressure field, where there are any.
void Inspector::offerConvexParts(const Robot& robot) {
  const auto model = session_.model();
  if (!model->scene || !session_.moment().isLive()) return;
  const auto isOffered = [&](const Geometry& g) {
    return g.body >= robot.firstBody && g.body < robot.endBody && g.contactShape &&
           g.contactShape->isSurface();
  };
  const auto count = std::count_if(model->geometries.begin(), model->geometries.end(), isOffered);
  if (count == 0) return;
  auto* split = new FlatButton("plus", count == 1 ? tr("Split its mesh into convex parts")
                                                  : tr("Split %1 meshes into convex parts").arg(count));
  split->setObjectName("splitMeshes");
  split->setEnabled(!session_.editor().isSplitting());
  split->setToolTip(
      tr("A mesh that is not convex touches rigid things as a hard surface; convex parts of it do so in "
         "patches of pressure. Writes 'convex_parts: 12' into the scene"));
  connect(split, &FlatButton::clicked, this, [this, split, name = robot.name] {
    split->setEnabled(false);
    session_.editor().splitMeshes(name);
  });
  grid_->addWidget(split, row_++, 0, 1, 3, Qt::AlignLeft);
}

/// The joint that leads to the body.
void Inspector::showJoint(int index) {
  const auto model = session_.model();
  const multibody::Joint& joint = model->tree.joints[static_cast<std::size_t>(index)];
  const bool single = multibody::velocityCount(joint.type) == 1;
  const bool linear = joint.type == multibody::JointType::Prismatic;
  const auto q = joint.qStart, v = joint.vStart;
  if (joint.type != multibody::JointType::Floating) showJointForce(index);
  if (!single) return;
  heading(tr("joint"), QString::fromStdString(joint.name));
  fact(tr("position"), linear ? "m" : "rad", [q](const Snapshot& s) { return number(s.q[q], 3); });
  plottable({plotOf(joint.name + ".q", linear ? "m" : "rad")});
  fact(tr("velocity"), linear ? "m/s" : "rad/s", [v](const Snapshot& s) { return number(s.v[v], 3); });
  plottable({plotOf(joint.name + ".v", linear ? "m/s" : "rad/s")});
  fact(tr("actuator"), linear ? "N" : "N m", [v](const Snapshot& s) { return significant(s.tau[v]); });
  plottable({plotOf(joint.name + ".tau", linear ? "N" : "N m")});
  showJointLimits(joint, linear);
}

/// What the robot's file allows; nothing of what it leaves open.
void Inspector::showJointLimits(const multibody::Joint& joint, bool linear) {
  if (std::isfinite(joint.lower) || std::isfinite(joint.upper)) {
    const auto text = [](double limit) {
      return std::isfinite(limit) ? number(limit, 3) : QString(limit < 0 ? "−∞" : "∞");
    };
    const QString range = tr("%1 to %2").arg(text(joint.lower), text(joint.upper));
    constexpr double kDegrees = 180 / std::numbers::pi;
    const bool hasDegrees = !linear && std::isfinite(joint.lower) && std::isfinite(joint.upper);
    fact(
        tr("limits"), linear ? "m" : "rad", [range](const Snapshot&) { return range; },
        hasDegrees
            ? tr("%1° to %2°").arg(number(kDegrees * joint.lower, 1), number(kDegrees * joint.upper, 1))
            : QString());
  }
  const auto limit = [this](const QString& label, const QString& unit, double value) {
    if (std::isfinite(value)) constant(label, unit, value);
  };
  limit(tr("fastest"), linear ? "m/s" : "rad/s", joint.velocityLimit);
  if (joint.effortLimit.isBounded())
    fact(tr("strongest"), linear ? "N" : "N m",
         [range = effortText(joint.effortLimit)](const Snapshot&) { return range; });
  if (joint.damping > 0) constant(tr("damping"), linear ? "N s/m" : "N m s/rad", joint.damping);
}

void Inspector::showJointForce(int index) {
  const multibody::Joint& joint = session_.model()->tree.joints[static_cast<std::size_t>(index)];
  const auto reading = std::make_shared<JointReading>(session_, index);
  const auto wrenchFact = [&](const QString& label, const QString& unit,
                              std::function<QString(const Snapshot&, const Wrench&)> text) {
    const auto read = [reading, text = std::move(text)](const Snapshot& s) {
      const std::optional<Wrench> wrench = reading->at(s);
      return wrench ? text(s, *wrench) : QString(QChar(0x2013));
    };
    fact(label, unit, read,
         tr("x, y, z: on this body and all that hangs on it, mean over the step, about its origin, along "
            "the axes of the world. A dash: the step before is not stored"));
  };
  heading(tr("joint, force through it"), QString::fromStdString(joint.name));
  wrenchFact(tr("force"), "N", [](const Snapshot&, const Wrench& w) { return vectorText(w.force, 1); });
  wrenchFact(tr("torque"), "N m", [](const Snapshot&, const Wrench& w) { return vectorText(w.torque, 2); });
  if (multibody::velocityCount(joint.type) == 1 && joint.type != multibody::JointType::Prismatic)
    wrenchFact(tr("about its axis"), "N m", [reading](const Snapshot& s, const Wrench& w) {
      return number(reading->torqueAlongAxis(s, w), 3);
    });
}

void Inspector::showBodyContacts(int body) {
  const auto index = static_cast<std::size_t>(body);
  const auto count = [body](const Snapshot& s, ContactMode mode) {
    return std::count_if(s.contacts.begin(), s.contacts.end(), [&](const Contact& c) {
      return (c.a.body == body || c.b.body == body) && c.mode == mode;
    });
  };
  heading(tr("net contact"));
  fact(tr("force"), "N",
       [index](const Snapshot& s) { return significant(s.contactWrench[index].force.norm()); });
  const std::string wrench = session_.model()->tree.bodies[index].name + ".contact.";
  const QString& label = session_.names().bodyLabels()[index];
  plottable({plotOfLength(wrench + "f", label, tr("contact force"), "N")});
  fact(tr("x, y, z"), "N",
       [index](const Snapshot& s) { return vectorText(s.contactWrench[index].force, 1); });
  plottable({plotOfVector(wrench + "f", label, "N")});
  fact(tr("moment"), "N m",
       [index](const Snapshot& s) { return significant(s.contactWrench[index].torque.norm()); });
  plottable({plotOfLength(wrench + "m", label, tr("moment"), "N m")});
  fact(tr("stick"), {}, [count](const Snapshot& s) { return QString::number(count(s, ContactMode::Stick)); });
  fact(tr("slip"), {}, [count](const Snapshot& s) { return QString::number(count(s, ContactMode::Slip)); });
}

}  // namespace slipstick::ui
