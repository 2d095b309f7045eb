// What a person can undo: edits of the running scene.
#pragma once

#include <QUndoCommand>

#include "ui/session.h"

namespace slipstick::ui {

class FrictionEdit : public QUndoCommand {
 public:
  FrictionEdit(Session& session, int geometry, double friction)
      : session_(session), geometry_(geometry), before_(session.friction(geometry)), after_(friction) {
    setText(QObject::tr("friction"));
  }
  void redo() override { session_.applyFriction(geometry_, after_); }
  void undo() override { session_.applyFriction(geometry_, before_); }

 private:
  Session& session_;
  int geometry_;
  double before_, after_;
};

class GravityEdit : public QUndoCommand {
 public:
  GravityEdit(Session& session, const Vec3& gravity)
      : session_(session), before_(session.gravity()), after_(gravity) {
    setText(QObject::tr("gravity"));
  }
  void redo() override { session_.applyGravity(after_); }
  void undo() override { session_.applyGravity(before_); }

 private:
  Session& session_;
  Vec3 before_, after_;
};

}  // namespace slipstick::ui
