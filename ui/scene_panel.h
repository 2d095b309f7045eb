// Dock with everything that is in the scene: robots and their links, bodies, deformables, loops, boundaries.
// Click selects.
#pragma once

#include <QMenu>
#include <QTreeWidget>

#include "engine/facts/looks.h"
#include "render/selection.h"
#include "ui/controls.h"
#include "ui/plot.h"
#include "ui/session.h"

namespace slipstick::ui {

class ScenePanel : public Panel {
  Q_OBJECT

 public:
  explicit ScenePanel(Session& session, QWidget* parent = nullptr);
  QTreeWidget& tree() { return *tree_; }
  FlatButton& addButton() { return *add_; }
  /// Shapes that can be added; the button shows it.
  QMenu* addMenu();
  /// What can be done with an item, or null; a right click shows it.
  QMenu* itemMenu(const QTreeWidgetItem* item);
  /// Where the eye of a row is, in the tree's viewport; empty where it has none. A click hides or shows.
  QRect eyeOf(const QTreeWidgetItem* item) const;

 private:
  void build();
  void rebuild();
  /// What the row stands for and has a look; several for a group.
  std::vector<ThingName> thingsOf(const QTreeWidgetItem& item) const;
  void refreshEyes();
  bool clickEye(const QPoint& position);
  void describe(QTreeWidgetItem& item, const render::Selection& thing) const;
  QTreeWidgetItem* addItem(QTreeWidgetItem* parent, const QString& name, const render::Selection& thing,
                           const QString& note) const;
  void addRobot(QTreeWidgetItem* root, const Robot& robot);
  void addDeformables(QTreeWidgetItem* root);
  void addLoops(QTreeWidgetItem* root);
  void addBoundaries(QTreeWidgetItem* root);
  void applyFilter(const QString& text);
  void follow();
  void click(QTreeWidgetItem* item);
  std::vector<Plot> plotsOf(const QTreeWidgetItem& item) const;

  Session& session_;
  FlatButton* add_;
  QTreeWidget* tree_;
};

}  // namespace slipstick::ui
