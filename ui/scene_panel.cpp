#include "ui/scene_panel.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include "ui/icons.h"
#include "ui/plot_drag.h"
#include "ui/plot_list.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

enum Role { kKind = Qt::UserRole, kIndex, kIcon, kNote };
enum Kind { kScene, kBody, kDeformable, kLoop, kBoundary, kRobot, kGroup };

constexpr int kRowHeight = 25;

class RowPainter : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {120, kRowHeight}; }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Theme& t = theme();
    painter->save();
    QRectF rect = option.rect;
    if (option.state & QStyle::State_Selected)
      painter->fillRect(QRectF(0, rect.top(), rect.right() + 1, rect.height()), t.selection);
    painter->drawPixmap(QPointF(rect.left() + 2, rect.center().y() - 8),
                        iconPixmap(index.data(kIcon).toString(), t.secondary));
    rect.setLeft(rect.left() + 25);
    painter->setFont(textFont(index.data(kKind) == kScene ? 600 : 400));
    painter->setPen(t.text);
    const QFontMetricsF metrics(painter->font());
    const QString name = metrics.elidedText(index.data().toString(), Qt::ElideRight, rect.width() - 4);
    drawTabular(*painter, rect, Qt::AlignLeft, name);
    rect.setLeft(rect.left() + tabularWidth(metrics, name) + 10);
    painter->setFont(textFont());
    painter->setPen(t.faint);
    const QString note = index.data(kNote).toString();
    if (tabularWidth(metrics, note) <= rect.width()) drawTabular(*painter, rect, Qt::AlignLeft, note);
    painter->restore();
  }
};

class Tree : public QTreeWidget {
 public:
  std::function<void(const QTreeWidgetItem&)> drag;

 protected:
  void startDrag(Qt::DropActions) override {
    if (currentItem()) drag(*currentItem());
  }
  void drawRow(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
    if (selectionModel()->isSelected(index)) painter->fillRect(option.rect, theme().selection);
    QTreeWidget::drawRow(painter, option, index);
  }
  void drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const override {
    if (!model()->hasChildren(index)) return;
    const QPixmap arrow = iconPixmap(isExpanded(index) ? "chevron-down" : "chevron-right", theme().faint);
    painter->drawPixmap(QPointF(rect.right() - 16, rect.center().y() - 7.5), arrow);
  }
};

QTreeWidgetItem* addItem(QTreeWidgetItem* parent, const QString& name, Kind kind, int index,
                         const char* iconName, const QString& note = {}) {
  auto* item = new QTreeWidgetItem(parent, {name});
  item->setData(0, kKind, kind);
  item->setData(0, kIndex, index);
  item->setData(0, kIcon, QString(iconName));
  item->setData(0, kNote, note);
  return item;
}

void popUp(QMenu* menu, const QPoint& at) {
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->popup(at);
}

/// Degrees of freedom of the joints that lead to bodies [first, end).
int freedom(const Model& model, int first, int end) {
  int count = 0;
  for (const auto& joint : model.tree.joints)
    if (joint.child >= first && joint.child < end && joint.mimic < 0)
      count += multibody::velocityCount(joint.type);
  return count;
}

}  // namespace

ScenePanel::ScenePanel(Session& session, QWidget* parent)
    : Panel(tr("Scene"), "scene", parent), session_(session) {
  auto* search = new Field(tr("search"));
  search->setFixedWidth(112);
  search->setClearButtonEnabled(true);
  add_ = new FlatButton({}, tr("Add"));
  add_->setToolTip(tr("Add a body to the running scene; it falls from above what is selected"));
  addToHeader(search);
  addToHeader(add_);
  auto* tree = new Tree;
  tree->drag = [this](const QTreeWidgetItem& item) { dragPlots(*tree_, plotsOf(item)); };
  tree_ = tree;
  tree_->setDragEnabled(true);
  tree_->setHeaderHidden(true);
  tree_->setIndentation(18);
  tree_->setFocusPolicy(Qt::TabFocus);
  tree_->setAccessibleName(tr("Scene"));
  tree_->setUniformRowHeights(true);
  tree_->setItemDelegate(new RowPainter(tree_));
  setWidget(tree_);
  setMinimumWidth(220);
  tree_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(tree_, &QTreeWidget::customContextMenuRequested, this, [this](const QPoint& position) {
    if (QMenu* menu = itemMenu(tree_->itemAt(position)))
      popUp(menu, tree_->viewport()->mapToGlobal(position));
  });
  connect(add_, &FlatButton::clicked, this,
          [this] { popUp(addMenu(), add_->mapToGlobal(QPoint(0, add_->height()))); });
  connect(search, &QLineEdit::textChanged, this, &ScenePanel::applyFilter);
  connect(tree_, &QTreeWidget::itemClicked, this, &ScenePanel::click);
  connect(tree_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
    const bool isByKey = tree_->hasFocus() && item && item->data(0, kKind).toInt() != kGroup;
    if (isByKey) click(item);
  });
  connect(&session_, &Session::opened, this, &ScenePanel::rebuild);
  connect(&session_, &Session::modelChanged, this, &ScenePanel::rebuild);
  connect(&session_, &Session::selectionChanged, this, &ScenePanel::follow);
}

QMenu* ScenePanel::addMenu() {
  const std::pair<QString, Shape> shapes[] = {{"box", shape::Box{Vec3::Constant(0.05)}},
                                              {"ball", shape::Sphere{0.05}},
                                              {"cylinder", shape::Cylinder{0.04, 0.1}},
                                              {"capsule", shape::Capsule{0.03, 0.08}}};
  auto* menu = new QMenu(this);
  for (const auto& [name, shape] : shapes)
    menu->addAction(tr("Add a %1").arg(name), &session_,
                    [this, name = name, shape = shape] { session_.addBody(name, shape); });
  return menu;
}

// Robots, bodies and deformables hang from the root and can be removed; links and boundaries do not come and go alone.
QMenu* ScenePanel::itemMenu(const QTreeWidgetItem* item) {
  if (!item) return nullptr;
  auto* menu = new QMenu(this);
  addPlotAction(*menu, session_.plots(), plotsOf(*item));
  const int kind = item->data(0, kKind).toInt();
  if (!item->parent() || item->parent()->parent() || (kind != kBody && kind != kDeformable && kind != kRobot))
    return menu;
  const QString name = item->text(0);
  menu->addAction(tr("Remove %1").arg(name), &session_,
                  [this, name] { session_.edit(Remove{name.toStdString()}); });
  return menu;
}

std::vector<Plot> ScenePanel::plotsOf(const QTreeWidgetItem& item) const {
  const Model& model = *session_.model();
  const int index = item.data(0, kIndex).toInt();
  switch (item.data(0, kKind).toInt()) {
    case kScene:
      return plotsOfScene(model);
    case kBody:
      return plotsOfBody(model, index, session_.bodyLabels()[static_cast<std::size_t>(index)]);
    case kRobot:
      return plotsOfRobot(model, index);
    case kDeformable:
      return plotsOfDeformable(model, index);
    case kBoundary:
      return plotsOfBoundary(model, index);
    default:
      return {};
  }
}

void ScenePanel::rebuild() {
  tree_->clear();
  const auto model = session_.model();
  auto* root = new QTreeWidgetItem(tree_, {QString::fromStdString(model->name)});
  root->setData(0, kKind, kScene);
  root->setData(0, kIcon, QString("scene"));
  for (const Robot& robot : model->robots) addRobot(root, robot);
  addDeformables(root);
  addLoops(root);
  addBoundaries(root);
  root->setExpanded(true);
  follow();
}

void ScenePanel::addRobot(QTreeWidgetItem* root, const Robot& robot) {
  const auto model = session_.model();
  const int dof = freedom(*model, robot.firstBody, robot.endBody);
  const QString note = dof > 0 ? tr("%1 dof").arg(dof) : tr("fixed");
  if (robot.endBody - robot.firstBody == 1) {
    addItem(root, QString::fromStdString(robot.name), kBody, robot.firstBody, "body", note);
    return;
  }
  const auto index = static_cast<int>(&robot - model->robots.data());
  auto* group = addItem(root, QString::fromStdString(robot.name), kRobot, index, "robot", note);
  for (int body = robot.firstBody; body < robot.endBody; ++body) {
    const auto& full = model->tree.bodies[static_cast<std::size_t>(body)].name;
    addItem(group, QString::fromStdString(full).section('.', -1), kBody, body, "link");
  }
  group->setExpanded(robot.endBody - robot.firstBody <= 4);
}

void ScenePanel::addDeformables(QTreeWidgetItem* root) {
  const auto model = session_.model();
  for (std::size_t i = 0; i < model->deformables.size(); ++i) {
    const Deformable& deformable = model->deformables[i];
    const auto count = static_cast<std::size_t>(deformable.end - deformable.begin);
    addItem(root, QString::fromStdString(deformable.name), kDeformable, static_cast<int>(i),
            deformable.cloth ? "cloth" : "particles", tr("%1 particles").arg(grouped(count)));
  }
}

void ScenePanel::addLoops(QTreeWidgetItem* root) {
  const auto model = session_.model();
  const auto& labels = session_.bodyLabels();
  for (std::size_t i = 0; i < model->loops.size(); ++i) {
    const Loop& loop = model->loops[i];
    addItem(root, QString::fromStdString(loop.name), kLoop, static_cast<int>(i), "link",
            QString("%1, %2 – %3")
                .arg(loopWord(loop.kind), labels[static_cast<std::size_t>(loop.bodyA)],
                     labels[static_cast<std::size_t>(loop.bodyB)]));
  }
}

void ScenePanel::addBoundaries(QTreeWidgetItem* root) {
  const auto model = session_.model();
  if (model->boundaries.empty()) return;
  auto* group = addItem(root, tr("Boundaries"), kGroup, 0, "boundary");
  for (std::size_t i = 0; i < model->boundaries.size(); ++i) {
    const Boundary& boundary = model->boundaries[i];
    addItem(group, QString::fromStdString(boundary.name), kBoundary, static_cast<int>(i), "boundary",
            QString("%1 %2").arg(boundaryWord(boundary.kind), shapeWord(boundary.shape)));
  }
  group->setExpanded(true);
}

void ScenePanel::applyFilter(const QString& text) {
  const std::function<bool(QTreeWidgetItem*)> filter = [&](QTreeWidgetItem* item) {
    bool childShown = false;
    for (int i = 0; i < item->childCount(); ++i) childShown |= filter(item->child(i));
    const bool shown = childShown || item->text(0).contains(text.trimmed(), Qt::CaseInsensitive);
    item->setHidden(!shown);
    if (!text.isEmpty() && childShown) item->setExpanded(true);
    return shown;
  };
  for (int i = 0; i < tree_->topLevelItemCount(); ++i) {
    filter(tree_->topLevelItem(i));
    tree_->topLevelItem(i)->setHidden(false);
  }
}

// The selection was made here or in the viewport: show it either way. A selected contact marks its body.
void ScenePanel::follow() {
  const render::Selection& selection = session_.selection();
  std::optional<int> body = selection.body;
  if (const Contact* contact = session_.selectedContact())
    body = render::pairOf(*session_.model(), *contact).body;
  else if (selection.pair)
    body = selection.pair->body;
  QTreeWidgetItem* found = nullptr;
  for (QTreeWidgetItemIterator it(tree_); *it; ++it) {
    const int kind = (*it)->data(0, kKind).toInt(), index = (*it)->data(0, kIndex).toInt();
    if (kind == kBody && body == index) found = *it;
    if (kind == kRobot && selection.robot == index) found = *it;
    if (kind == kDeformable && selection.deformable == index) found = *it;
    if (kind == kBoundary && selection.boundary == index) found = *it;
    if (kind == kLoop && selection.loop == index) found = *it;
  }
  if (!found) {
    tree_->clearSelection();
    tree_->setCurrentItem(nullptr);
    return;
  }
  tree_->setCurrentItem(found);
  tree_->scrollToItem(found);
}

void ScenePanel::click(QTreeWidgetItem* item) {
  render::Selection selection;
  const int index = item->data(0, kIndex).toInt();
  switch (item->data(0, kKind).toInt()) {
    case kBody:
      selection.body = index;
      break;
    case kDeformable:
      selection.deformable = index;
      break;
    case kBoundary:
      selection.boundary = index;
      break;
    case kLoop:
      selection.loop = index;
      break;
    case kRobot:
      selection.robot = index;
      break;
    case kGroup:
      item->setExpanded(!item->isExpanded());
      return;
    default:
      break;
  }
  session_.select(selection);
}

}  // namespace slipstick::ui
