// Dock with everything that is in the scene: robots and their links, bodies, deformables, loops, boundaries.
// Click selects.
#pragma once

#include <QTreeWidget>

#include "ui/controls.h"
#include "ui/session.h"

namespace slipstick::ui {

class ScenePanel : public Panel {
  Q_OBJECT

 public:
  explicit ScenePanel(Session& session, QWidget* parent = nullptr);
  QTreeWidget& tree() { return *tree_; }

 private:
  void rebuild();
  void addRobot(QTreeWidgetItem* root, const Robot& robot);
  void addDeformables(QTreeWidgetItem* root);
  void addLoops(QTreeWidgetItem* root);
  void addBoundaries(QTreeWidgetItem* root);
  void applyFilter(const QString& text);
  void follow();
  void click(QTreeWidgetItem* item);

  Session& session_;
  QTreeWidget* tree_;
};

}  // namespace slipstick::ui
