// Dock with the facts of what is selected, with units, and the numbers that may be edited while it runs. Facts that
// are observables are dragged into the plots.
#pragma once

#include <QGridLayout>
#include <functional>
#include <set>
#include <vector>

#include "render/selection.h"
#include "ui/controls.h"
#include "ui/look_fields.h"
#include "ui/parameter_field.h"
#include "ui/plot.h"
#include "ui/pose_fields.h"
#include "ui/session.h"

namespace slipstick::ui {

class Inspector : public Panel {
  Q_OBJECT

 public:
  explicit Inspector(Session& session, QWidget* parent = nullptr);
  /// Field of a parameter by its path; null when it is not shown.
  NumberField* parameterField(const std::string& path) const;
  /// Of the pose of a free body; null where there is none.
  PoseFields* poseFields() const { return pose_; }
  /// Of how the selection is shown; null where it has no look.
  LookFields* lookFields() const { return look_; }
  /// Of the friction of a geometry, at the place nearest to it.
  NumberField* frictionField(int geometry) const;
  /// Widget of a fact with this label, to drag; null when it is not shown.
  QWidget* factWidget(const QString& label, int before = 0) const;
  /// Text of a fact with this label, of the first or with `before` others above; empty when it is not shown.
  QString factText(const QString& label, int before = 0) const;

 private:
  using Text = std::function<QString(const Snapshot&)>;

  void rebuild();
  void refresh();
  void showSelection();
  void showScene();
  void showBody(int body);
  void showBodyContacts(int body);
  void showJoint(int joint);
  void showJointLimits(const multibody::Joint& joint, bool linear);
  void showJointForce(int joint);
  void showDeformable(int deformable);
  void showMaterial(int material);
  void showBoundary(int boundary);
  void showRobot(int robot);
  void showLoadReport(const QString& file);
  void offerRepairs(const std::string& robot);
  void offerConvexParts(const Robot& robot);
  void showPair(const ContactPair& pair);
  void showContact(const ContactKey& key);
  void showContactForces();
  void showParticleContact(const ContactKey& key);
  void showRigidContact(const ContactKey& key);
  void showSoftContact(const ContactKey& key);
  void showPlace(const ContactPair& pair);
  void showPatch();
  void showSurface(int geometry, const QString& name);
  void showSensors(int first, int end);
  void showLoops(int body);
  void showLoop(int loop);
  void showGap(const Loop& loop);

  /// The parameters of the selection, by group; those that are not set come behind a button.
  void addParameters();
  void addLook();
  void addPose(int body);
  /// A name, a value with the dot that resets it, and a unit.
  void addRow(QWidget* label, ResetDot* reset, QWidget* value, QWidget* unit);
  void addParameterGroup(const ParameterGroup& group);
  void addMore(const QString& group, std::vector<ParameterField*> fields);
  void heading(const QString& title, const QString& kind = {});
  void fact(const QString& label, const QString& unit, Text text, const QString& tip = {});
  /// A sentence over the whole width.
  void note(const QString& text, Notice::Level level = Notice::Level::Info);
  /// A number that does not change.
  void constant(const QString& label, const QString& unit, double value, const QString& tip = {});
  /// Of the selected contact; a dash while it does not touch.
  void contactFact(const QString& label, const QString& unit, std::function<QString(const Contact&)> text,
                   const QString& tip = {});
  /// The last fact can be dragged into the plots, or plotted from its menu.
  void plottable(const std::vector<Plot>& plots);

  Session& session_;
  QWidget* sheet_ = nullptr;
  QGridLayout* grid_ = nullptr;
  int row_ = 0;
  struct Fact {
    QString name;
    ThemedLabel* title;
    ValueLabel* label;
    Text text;
  };
  std::vector<Fact> facts_;
  std::vector<ParameterField*> fields_;
  PoseFields* pose_ = nullptr;  ///< of a free body
  LookFields* look_ = nullptr;
  std::set<QString> expanded_;  ///< groups of which all parameters are shown
  render::Selection inspected_;
  std::shared_ptr<const Model> model_;  ///< that it is of
  QTimer refreshTimer_;
};

}  // namespace slipstick::ui
