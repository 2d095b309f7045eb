#include "ui/plot.h"
#include "ui/text.h"

#include <QDataStream>
#include <QIODevice>
#include <algorithm>

#include "engine/runtime/columns.h"

namespace slipstick::ui {
namespace {

QString toQ(const std::string& text) {
  return QString::fromStdString(text);
}

PlotCurve curve(std::string name, const QString& label, const QString& unit,
                PlotRole role = PlotRole::Value) {
  return {std::move(name), label, unit, role};
}

Plot forcesOf(const Pin& pin, const std::string& sides) {
  const auto name = [&](const char* quantity) { return sides.empty() ? sides : sides + "." + quantity; };
  return {pin.label,
          {curve(name("friction_bound"), QString::fromUtf8("μN"), "N", PlotRole::Bound),
           curve(name("normal"), QObject::tr("normal"), "N", PlotRole::Normal),
           curve(name("friction"), QObject::tr("friction"), "N", PlotRole::Friction)},
          pin};
}

}  // namespace

std::string sidesOf(const ContactPair& pair, const Model& model) {
  return slipstick::sidesOf(model, pair);
}

const char* const kPlotMime = "application/x-slipstick-plots";

std::vector<QString> Plot::units() const {
  std::vector<QString> units;
  for (const PlotCurve& c : curves)
    if (std::find(units.begin(), units.end(), c.unit) == units.end()) units.push_back(c.unit);
  return units;
}

std::vector<Plot> plotsOf(const Pin& pin, const Model& model) {
  switch (pin.kind) {
    case Pin::Kind::Contact:
      return {forcesOf(pin, {})};
    case Pin::Kind::Pair:
      return {forcesOf(pin, sidesOf(pin.pair, model))};
    case Pin::Kind::Body: {
      const std::string name = model.tree.bodies[static_cast<std::size_t>(pin.index)].name + ".contact.";
      return {{pin.label, {curve("|" + name + "f|", QObject::tr("contact force"), "N")}, pin},
              {pin.label, {curve("|" + name + "m|", QObject::tr("moment"), "N m")}, pin}};
    }
    case Pin::Kind::Joint:
      break;
  }
  const multibody::Joint& joint = model.tree.joints[static_cast<std::size_t>(pin.index)];
  const bool linear = joint.type == multibody::JointType::Prismatic;
  return {{pin.label, {curve(joint.name + ".q", QObject::tr("position"), linear ? "m" : "rad")}, pin},
          {pin.label,
           {curve(joint.name + ".tau", linear ? QObject::tr("force") : QObject::tr("torque"),
                  linear ? "N" : "N m")},
           pin}};
}

std::vector<Plot> plotsOfBody(const Model& model, int body, const QString& label) {
  const std::string& name = model.tree.bodies[static_cast<std::size_t>(body)].name;
  return {plotOfLength(name + ".contact.f", label, QObject::tr("contact force"), "N"),
          plotOfVector(name + ".", label, "m")};
}

/// The torques of its joints together; a hand has too many of them to tell apart, so six are enough.
std::vector<Plot> plotsOfRobot(const Model& model, int index) {
  constexpr std::size_t kMax = 6;
  const Robot& robot = model.robots[static_cast<std::size_t>(index)];
  Plot torques{toQ(robot.name), {}, std::nullopt};
  for (const multibody::Joint& joint : model.tree.joints) {
    const bool own = joint.child >= robot.firstBody && joint.child < robot.endBody;
    if (!own || joint.type != multibody::JointType::Revolute || torques.curves.size() == kMax) continue;
    torques.curves.push_back(curve(joint.name + ".tau", nameInRobot(model, joint.name), "N m"));
  }
  if (torques.curves.empty()) return plotsOfBody(model, robot.firstBody, toQ(robot.name));
  return {torques};
}

std::vector<Plot> plotsOfDeformable(const Model& model, int deformable) {
  const std::string& name = model.deformables[static_cast<std::size_t>(deformable)].name;
  return {plotOfVector(name + ".", toQ(name), "m"),
          plotOfLength(name + ".v", toQ(name), QObject::tr("speed"), "m/s")};
}

std::vector<Plot> plotsOfBoundary(const Model& model, int boundary) {
  const std::string& name = model.boundaries[static_cast<std::size_t>(boundary)].name;
  return {plotOfVector(name + ".force.", toQ(name), "N")};
}

std::vector<Plot> plotsOfScene(const Model& model) {
  Plot energy{
      QObject::tr("energy"), {curve("total.kinetic_energy", QObject::tr("kinetic"), "J")}, std::nullopt};
  if (!model.deformables.empty())
    energy.curves.push_back(curve("total.elastic_energy", QObject::tr("elastic"), "J"));
  energy.curves.push_back(curve("total.potential_energy", QObject::tr("gravity"), "J"));
  return {energy};
}

Plot plotOfLength(const std::string& name, const QString& title, const QString& label, const QString& unit) {
  return {title, {curve("|" + name + "|", label, unit)}, std::nullopt};
}

Plot plotOf(const std::string& name, const QString& unit) {
  PlotRole role = PlotRole::Value;
  if (name.ends_with(".normal")) role = PlotRole::Normal;
  if (name.ends_with(".friction")) role = PlotRole::Friction;
  if (name.ends_with(".friction_bound")) role = PlotRole::Bound;
  return {toQ(name), {curve(name, toQ(name), unit, role)}, std::nullopt};
}

Plot plotOfVector(const std::string& name, const QString& title, const QString& unit) {
  Plot plot{title, {}, std::nullopt};
  for (const char* axis : {"x", "y", "z"}) plot.curves.push_back(curve(name + axis, axis, unit));
  return plot;
}

/// Curves keep their full names where they come from different plots.
std::optional<Plot> joined(const Plot& plot, const Plot& other) {
  Plot both = plot;
  const auto named = [](const Plot& from, PlotCurve c) {
    if (from.title != c.label) c.label = from.title + " " + c.label;
    return c;
  };
  const bool sameThing = plot.title == other.title;
  if (!sameThing)
    for (PlotCurve& c : both.curves) c = named(plot, c);
  for (const PlotCurve& c : other.curves) {
    const bool known = std::any_of(plot.curves.begin(), plot.curves.end(),
                                   [&](const PlotCurve& own) { return own.name == c.name; });
    if (!known) both.curves.push_back(sameThing ? c : named(other, c));
  }
  if (both.curves.size() == plot.curves.size()) return plot;
  if (both.units().size() > 2) return std::nullopt;
  if (!sameThing) {
    both.title.clear();
    both.pin.reset();
  }
  return both;
}

QMimeData* mimeOf(const std::vector<Plot>& plots) {
  QByteArray bytes;
  QDataStream out(&bytes, QIODevice::WriteOnly);
  QStringList names;
  out << static_cast<quint32>(plots.size());
  for (const Plot& plot : plots) {
    out << plot.title << static_cast<quint32>(plot.curves.size());
    for (const PlotCurve& c : plot.curves) {
      out << toQ(c.name) << c.label << c.unit << static_cast<quint8>(c.role);
      names << toQ(c.name);
    }
  }
  auto* mime = new QMimeData;
  mime->setData(kPlotMime, bytes);
  mime->setText(names.join('\n'));
  return mime;
}

std::vector<Plot> plotsIn(const QMimeData& mime) {
  std::vector<Plot> plots;
  QDataStream in(mime.data(kPlotMime));
  quint32 count = 0;
  in >> count;
  for (quint32 p = 0; p < count && in.status() == QDataStream::Ok; ++p) {
    Plot plot;
    quint32 curves = 0;
    in >> plot.title >> curves;
    for (quint32 i = 0; i < curves && in.status() == QDataStream::Ok; ++i) {
      QString name, label, unit;
      quint8 role = 0;
      in >> name >> label >> unit >> role;
      plot.curves.push_back(
          curve(name.toStdString(), label, unit, static_cast<PlotRole>(std::min<quint8>(role, 3))));
    }
    plots.push_back(std::move(plot));
  }
  return in.status() == QDataStream::Ok ? plots : std::vector<Plot>();
}

}  // namespace slipstick::ui
