#include "ui/health_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>
#include <set>

#include "engine/facts/health_note.h"
#include "engine/model/model.h"
#include "ui/solver_words.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("HealthWords", text);
}

HealthCause saturated(const Model& model, int index) {
  const multibody::Joint& joint = model.tree.joints[static_cast<std::size_t>(index)];
  const QString unit = joint.type == multibody::JointType::Prismatic ? "N" : "N m";
  return {Health::ActuatorSaturated, joint.name,
          tr("%1 runs at its effort limit of %2 %3")
              .arg(QString::fromStdString(joint.name), effortText(joint.effortLimit), unit)};
}

HealthCause unreached(const Model& model, int index) {
  const std::string key = std::to_string(index);
  const auto* path = std::get_if<EndEffectorPath>(&model.controllers[static_cast<std::size_t>(index)]);
  if (path == nullptr) return {Health::IkFailed, key, tr("a goal is out of reach")};
  const auto& body = model.tree.bodies[static_cast<std::size_t>(path->body)].name;
  return {Health::IkFailed, key,
          tr("%1 cannot reach its goal on the path %2 (controller %3)")
              .arg(QString::fromStdString(body),
                   QString::fromStdString(model.paths[static_cast<std::size_t>(path->path)].name))
              .arg(index)};
}

/// "contact, substep 4 of 12: stopped after 500 iterations with a residual of 0.081, 0.05 wanted"
QString failedSolve(const contact::SolveTrace& trace, const QString& which) {
  return tr("%1: %2 with a residual of %3, %4 wanted")
      .arg(which, solveWord(trace), residualText(trace.points().back().residual),
           residualText(trace.tolerance()));
}

HealthCause notConverged(const Snapshot& s) {
  const StepReport& r = s.report;
  QStringList parts;
  if (!s.contactSolve.isEmpty() && !s.contactSolve.converged())
    parts << failedSolve(s.contactSolve,
                         tr("contact, substep %1 of %2").arg(s.contactSolve.index() + 1).arg(r.substeps));
  if (!s.rigidSolve.isEmpty() && !s.rigidSolve.converged())
    parts << failedSolve(s.rigidSolve, tr("rigid bodies"));
  QString words = r.notConvergedSolves == 1
                      ? tr("1 solve of the step did not converge")
                      : tr("%1 solves of the step did not converge").arg(r.notConvergedSolves);
  if (!parts.empty()) words += " (" + parts.join("; ") + ")";
  return {Health::NotConverged, {}, words};
}

/// The same pair has the same key, however much it is.
HealthCause noted(const Model& model, const HealthNote& note) {
  const auto [name, other] = namesOf(model, note);
  return {note.flag, name + "|" + other, toQString(noteText(model, note))};
}

// ------------------------------------------------------------------------------------------ pairs apart

using Names = std::pair<QString, QString>;

/// "left and right, a and b, c and d and 4 more"
QString listOf(const std::set<Names>& pairs) {
  constexpr std::size_t kMax = 4;
  QStringList words;
  for (const auto& [a, b] : pairs) {
    if (words.size() == kMax) break;
    words << tr("%1 with %2").arg(a, b);
  }
  QString text = words.join(", ");
  if (pairs.size() > kMax) text += tr(" and %1 more").arg(grouped(pairs.size() - kMax));
  return text;
}

/// By reason, in the order in which they are told.
class Apart {
 public:
  explicit Apart(const Model& model) : model_(model), labels_(bodyLabels(model)) {
    for (const Model::PairException& exception : model.pairExceptions)
      if (!exception.enabled && bodyOf(exception.a) != bodyOf(exception.b)) note(exception);
    for (std::size_t d = 0; d < model.deformables.size(); ++d)
      for (std::size_t g = 0; g < model.geometries.size(); ++g)
        if (!model.softPairs.empty() && !model.softPair(d, g).enabled)
          pairs_[Model::ApartBy::PairRule].emplace(QString::fromStdString(model.deformables[d].name),
                                                   label(model.geometries[g].body));
  }

  QStringList lines() const {
    static constexpr std::pair<Model::ApartBy, const char*> kReasons[] = {
        {Model::ApartBy::Overlap, "they overlap at the start"},
        {Model::ApartBy::RobotFile, "the robot's file says so"},
        {Model::ApartBy::PairRule, "a pair rule says so"},
        {Model::ApartBy::Joint, "a joint, weld or ball connects them"}};
    QStringList lines;
    for (const auto& [reason, why] : kReasons) {
      const auto found = pairs_.find(reason);
      if (found == pairs_.end()) continue;
      const std::size_t count = found->second.size();
      lines << (count == 1 ? tr("1 pair of bodies will not meet, as %1: %2")
                           : tr("%3 pairs of bodies will not meet, as %1: %2"))
                   .arg(tr(why), listOf(found->second))
                   .replace("%3", grouped(count));
    }
    return lines;
  }

 private:
  int bodyOf(int geometry) const { return model_.geometries[static_cast<std::size_t>(geometry)].body; }
  QString label(int body) const { return labels_[static_cast<std::size_t>(body)]; }
  void note(const Model::PairException& exception) {
    pairs_[exception.apartBy].emplace(label(bodyOf(exception.a)), label(bodyOf(exception.b)));
  }

  const Model& model_;
  std::vector<QString> labels_;
  std::map<Model::ApartBy, std::set<Names>> pairs_;
};

}  // namespace

QString healthWord(const HealthInfo& info) {
  return toQString(info.word);
}

QString remedyOf(const HealthInfo& info) {
  QString remedy = toQString(info.remedy);
  remedy[0] = remedy[0].toUpper();
  return remedy + ".";
}

HealthCause causeOf(const HealthInfo& info) {
  return {info.flag, {}, toQString(info.what)};
}

std::vector<HealthCause> causesOf(const Snapshot& s) {
  std::vector<HealthCause> causes;
  for (const HealthInfo* raised : raisedIn(s.report.health, s.own.get())) {
    const HealthInfo& info = *raised;
    const std::size_t before = causes.size();
    if (info.flag == Health::NotConverged && s.model) causes.push_back(notConverged(s));
    if (info.flag == Health::ActuatorSaturated && s.model)
      for (const std::int32_t joint : s.saturatedJoints) causes.push_back(saturated(*s.model, joint));
    if (info.flag == Health::IkFailed && s.model)
      for (const std::int32_t goal : s.unreachedGoals) causes.push_back(unreached(*s.model, goal));
    if (s.model)
      for (const HealthNote& note : s.healthNotes)
        if (note.flag == info.flag) causes.push_back(noted(*s.model, note));
    if (causes.size() == before) causes.push_back(causeOf(info));
  }
  return causes;
}

QStringList pairsApart(const Model& model) {
  return Apart(model).lines();
}

}  // namespace slipstick::ui
