// Dock with the facts of what is selected, with units, and the few values that may be edited while it runs.
#pragma once

#include <QGridLayout>
#include <functional>
#include <vector>

#include "ui/controls.h"
#include "ui/session.h"

namespace slipstick::ui {

class Inspector : public Panel {
  Q_OBJECT

 public:
  explicit Inspector(Session& session, QWidget* parent = nullptr);
  /// Field of the friction of a geometry of the selected body; null when it is not shown.
  NumberField* frictionField(int geometry) const;
  /// Text of a fact with this label, of the first or with `before` others above; empty when it is not shown.
  QString factText(const QString& label, int before = 0) const;

 private:
  using Text = std::function<QString(const Snapshot&)>;

  void rebuild();
  void refresh();
  void showScene();
  void showBody(int body);
  void showBodyContacts(int body);
  void showJoint(int joint);
  void showJointForce(int joint);
  void showDeformable(int deformable);
  void showMaterial(const MaterialParameters& material);
  void showSand(const MaterialParameters& material);
  void showLiquid(const MaterialParameters& material);
  void showCloth(const MaterialParameters& material);
  void showBoundary(int boundary);
  void showRobot(int robot);
  void showPair(const ContactPair& pair);
  void showContact(const ContactKey& key);
  void showContactForces();
  void showParticleContact(const ContactKey& key);
  void showRigidContact(const ContactKey& key);
  void showPatch();
  void showSurface(int geometry, const QString& name);
  void showLoops(int body);
  void addFriction(int geometry, const QString& label);
  void addGravity();

  void heading(const QString& title, const QString& kind = {});
  void fact(const QString& label, const QString& unit, Text text, const QString& tip = {});
  /// A number that does not change.
  void constant(const QString& label, const QString& unit, double value, const QString& tip = {});
  /// Of the selected contact; a dash while it does not touch.
  void contactFact(const QString& label, const QString& unit, std::function<QString(const Contact&)> text,
                   const QString& tip = {});
  NumberField* field(const QString& label, const QString& unit, double lowest, double highest,
                     std::function<double()> read);

  Session& session_;
  QWidget* sheet_ = nullptr;
  QGridLayout* grid_ = nullptr;
  int row_ = 0;
  struct Fact {
    QString name;
    ValueLabel* label;
    Text text;
  };
  struct Editable {
    NumberField* field;
    std::function<double()> read;
    int geometry = -1;
  };
  std::vector<Fact> facts_;
  std::vector<Editable> fields_;
  QTimer refreshTimer_;
};

}  // namespace slipstick::ui
