#include "ui/scene_panel.h"

#include <QHeaderView>
#include <QMouseEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include "ui/icons.h"
#include "ui/plot_drag.h"
#include "ui/plot_list.h"
#include "ui/scene_document.h"
#include "ui/selection_kinds.h"
#include "ui/solver_words.h"
#include "ui/text.h"
#include "ui/theme.h"
#include "ui/visibility.h"

namespace slipstick::ui {
namespace {

/// kThing: what a click selects, nothing for the scene; a group, which is in the tree alone, has none.
enum Role { kThing = Qt::UserRole, kIcon, kNote, kEye };

/// Whether the row has an eye, and what it says: hidden by itself, or with the robot that it belongs to.
enum Eye { kNoEye, kShown, kHidden, kHiddenWithParent };

constexpr int kRowHeight = 25, kEyeWidth = 26;

bool isHidden(const QModelIndex& index) {
  return index.data(kEye).toInt() >= kHidden;
}

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
    paintEye(*painter, option, index);
    rect.setLeft(rect.left() + 25);
    if (index.data(kEye).toInt() != kNoEye) rect.setRight(rect.right() - kEyeWidth);
    painter->setFont(textFont(index.parent().isValid() ? 400 : 600));
    painter->setPen(isHidden(index) ? t.faint : t.text);
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

 private:
  /// Closed ones always, open ones where the pointer or the selection is: a tree full of eyes says nothing.
  static void paintEye(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) {
    const int eye = index.data(kEye).toInt();
    const bool isMeant = option.state & (QStyle::State_MouseOver | QStyle::State_Selected);
    if (eye == kNoEye || (eye == kShown && !isMeant)) return;
    const QRectF rect = option.rect;
    painter.drawPixmap(QPointF(rect.right() - kEyeWidth + 5, rect.center().y() - 7.5),
                       iconPixmap(eye == kShown ? "eye" : "eye-off",
                                  eye == kHiddenWithParent ? theme().faint : theme().secondary));
  }
};

class Tree : public QTreeWidget {
 public:
  std::function<void(const QTreeWidgetItem&)> drag;
  std::function<bool(const QPoint&)> clickEye;  ///< @return whether there was one

 protected:
  void mousePressEvent(QMouseEvent* event) override {
    if (event->button() == Qt::LeftButton && clickEye(event->pos())) return;
    QTreeWidget::mousePressEvent(event);
  }
  void mouseDoubleClickEvent(QMouseEvent* event) override {
    if (event->button() == Qt::LeftButton && clickEye(event->pos())) return;
    QTreeWidget::mouseDoubleClickEvent(event);
  }
  void startDrag(Qt::DropActions) override {
    if (currentItem()) drag(*currentItem());
  }
  /// The selection stays in sight when the inspector below takes its place; where it was out of sight, it stays so.
  void resizeEvent(QResizeEvent* event) override {
    const QRect before(QPoint(0, 0), event->oldSize());
    const bool wasSeen = currentItem() && before.intersects(visualItemRect(currentItem()));
    QTreeWidget::resizeEvent(event);
    if (wasSeen) scrollToItem(currentItem());
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

bool isGroup(const QTreeWidgetItem& item) {
  return !item.data(0, kThing).isValid();
}

render::Selection selectionOf(const render::PairSide& side) {
  if (side.isRigid()) return render::SelectedBody{side.body};
  return render::SelectedDeformable{side.deformable};
}

render::Selection selectionOf(const QTreeWidgetItem& item) {
  return item.data(0, kThing).value<render::Selection>();
}

bool isRobot(const QTreeWidgetItem* item) {
  return item && std::holds_alternative<render::SelectedRobot>(selectionOf(*item));
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
  build();
  connect(&session_.opener(), &SceneOpener::opened, this, &ScenePanel::rebuild);
  connect(&session_.moment(), &ShownMoment::modelChanged, this, &ScenePanel::rebuild);
  connect(&session_.focus(), &Focus::selectionChanged, this, &ScenePanel::follow);
  connect(&session_.document(), &SceneDocument::looksChanged, this, &ScenePanel::refreshEyes);
}

void ScenePanel::build() {
  auto* search = new Field(tr("search"));
  search->setFixedWidth(112);
  search->setClearButtonEnabled(true);
  add_ = new FlatButton({}, tr("Add"));
  add_->setToolTip(tr("Add a body to the running scene; it falls from above what is selected"));
  addToHeader(search);
  addToHeader(add_);
  auto* tree = new Tree;
  tree->drag = [this](const QTreeWidgetItem& item) { dragPlots(*tree_, plotsOf(item)); };
  tree->clickEye = [this](const QPoint& position) { return clickEye(position); };
  tree_ = tree;
  tree_->setDragEnabled(true);
  tree_->setHeaderHidden(true);
  tree_->setMouseTracking(true);
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
    const bool isByKey = tree_->hasFocus() && item && !isGroup(*item);
    if (isByKey) click(item);
  });
}

QMenu* ScenePanel::addMenu() {
  const std::pair<QString, Shape> shapes[] = {{"box", shape::Box{Vec3::Constant(0.05)}},
                                              {"ball", shape::Sphere{0.05}},
                                              {"cylinder", shape::Cylinder{0.04, 0.1}},
                                              {"capsule", shape::Capsule{0.03, 0.08}}};
  auto* menu = new QMenu(this);
  for (const auto& [name, shape] : shapes)
    menu->addAction(tr("Add a %1").arg(name), &session_,
                    [this, name = name, shape = shape] { session_.editor().addBody(name, shape); });
  return menu;
}

QMenu* ScenePanel::itemMenu(const QTreeWidgetItem* item) {
  if (!item) return nullptr;
  auto* menu = new QMenu(this);
  addPlotAction(*menu, session_.plots(), plotsOf(*item));
  if (const std::vector<ThingName> things = thingsOf(*item); !things.empty())
    menu->addAction(item->data(0, kEye).toInt() == kHidden ? tr("Show") : tr("Hide"), &session_,
                    [this, things] { toggleVisible(session_, things); });
  if (!canBeRemoved(*session_.model(), selectionOf(*item))) return menu;
  const QString name = item->text(0);
  menu->addAction(tr("Remove %1").arg(name), &session_, [this, name] {
    session_.editor().edit(Remove{name.toStdString()}, tr("remove %1").arg(name));
  });
  return menu;
}

std::vector<Plot> ScenePanel::plotsOf(const QTreeWidgetItem& item) const {
  if (isGroup(item)) return {};
  return ui::plotsOf(*session_.model(), selectionOf(item), session_.names().bodyLabels());
}

std::vector<ThingName> ScenePanel::thingsOf(const QTreeWidgetItem& item) const {
  if (isGroup(item)) {
    std::vector<ThingName> things;
    for (int i = 0; i < item.childCount(); ++i)
      for (const ThingName& thing : thingsOf(*item.child(i))) things.push_back(thing);
    return things;
  }
  const std::optional<ThingName> thing = thingOf(*session_.model(), selectionOf(item));
  return thing ? std::vector<ThingName>{*thing} : std::vector<ThingName>{};
}

void ScenePanel::refreshEyes() {
  if (!session_.isOpen()) return;
  const SceneDocument& document = session_.document();
  for (QTreeWidgetItemIterator it(tree_); *it; ++it) {
    const std::vector<ThingName> things = thingsOf(**it);
    const bool isShown = std::any_of(things.begin(), things.end(),
                                     [&](const ThingName& thing) { return document.look(thing).visible; });
    const bool isLink = isRobot((*it)->parent());
    const bool parentIsHidden = isLink && (*it)->parent()->data(0, kEye).toInt() == kHidden;
    const Eye eye = things.empty()   ? kNoEye
                    : !isShown       ? kHidden
                    : parentIsHidden ? kHiddenWithParent
                                     : kShown;
    (*it)->setData(0, kEye, eye);
    (*it)->setToolTip(0, eye == kHidden             ? tr("Hidden. It still acts; H or its eye shows it")
                         : eye == kHiddenWithParent ? tr("Hidden with its robot")
                                                    : QString());
  }
}

QRect ScenePanel::eyeOf(const QTreeWidgetItem* item) const {
  if (!item || item->data(0, kEye).toInt() == kNoEye) return {};
  QRect rect = tree_->visualItemRect(item);
  rect.setLeft(rect.right() - kEyeWidth);
  return rect;
}

bool ScenePanel::clickEye(const QPoint& position) {
  const QTreeWidgetItem* item = tree_->itemAt(position);
  if (!eyeOf(item).contains(position)) return false;
  toggleVisible(session_, thingsOf(*item));
  return true;
}

void ScenePanel::rebuild() {
  tree_->clear();
  const auto model = session_.model();
  auto* root = new QTreeWidgetItem(tree_, {QString::fromStdString(model->name)});
  describe(*root, render::NothingSelected{});
  for (const Robot& robot : model->robots) addRobot(root, robot);
  addDeformables(root);
  addLoops(root);
  addBoundaries(root);
  root->setExpanded(true);
  refreshEyes();
  follow();
}

/// Says what an item stands for.
void ScenePanel::describe(QTreeWidgetItem& item, const render::Selection& thing) const {
  item.setData(0, kThing, QVariant::fromValue(thing));
  item.setData(0, kIcon, iconOf(*session_.model(), thing));
}

QTreeWidgetItem* ScenePanel::addItem(QTreeWidgetItem* parent, const QString& name,
                                     const render::Selection& thing, const QString& note) const {
  auto* item = new QTreeWidgetItem(parent, {name});
  describe(*item, thing);
  item->setData(0, kNote, note);
  return item;
}

void ScenePanel::addRobot(QTreeWidgetItem* root, const Robot& robot) {
  const auto model = session_.model();
  const int dof = freedom(*model, robot.firstBody, robot.endBody);
  const QString note = dof > 0 ? tr("%1 dof").arg(dof) : tr("fixed");
  if (robot.endBody - robot.firstBody == 1) {
    addItem(root, QString::fromStdString(robot.name), render::SelectedBody{robot.firstBody}, note);
    return;
  }
  const auto index = static_cast<int>(&robot - model->robots.data());
  auto* group = addItem(root, QString::fromStdString(robot.name), render::SelectedRobot{index}, note);
  for (int body = robot.firstBody; body < robot.endBody; ++body) {
    const auto& full = model->tree.bodies[static_cast<std::size_t>(body)].name;
    addItem(group, nameInRobot(*model, full), render::SelectedBody{body}, {});
  }
  group->setExpanded(robot.endBody - robot.firstBody <= 4);
}

void ScenePanel::addDeformables(QTreeWidgetItem* root) {
  const auto model = session_.model();
  for (std::size_t i = 0; i < model->deformables.size(); ++i) {
    const Deformable& deformable = model->deformables[i];
    const auto count = static_cast<std::size_t>(deformable.end - deformable.begin);
    addItem(root, QString::fromStdString(deformable.name), render::SelectedDeformable{static_cast<int>(i)},
            QString("%1 %2").arg(grouped(count), nodeWord(*model)));
  }
}

void ScenePanel::addLoops(QTreeWidgetItem* root) {
  const auto model = session_.model();
  const auto& labels = session_.names().bodyLabels();
  for (std::size_t i = 0; i < model->loops.size(); ++i) {
    const Loop& loop = model->loops[i];
    addItem(root, QString::fromStdString(loop.name), render::SelectedLoop{static_cast<int>(i)},
            QString("%1, %2 – %3")
                .arg(loopWord(loop.kind), labels[static_cast<std::size_t>(loop.bodyA)],
                     labels[static_cast<std::size_t>(loop.bodyB)]));
  }
}

void ScenePanel::addBoundaries(QTreeWidgetItem* root) {
  const auto model = session_.model();
  if (model->boundaries.empty()) return;
  auto* group = new QTreeWidgetItem(root, {tr("Boundaries")});
  group->setData(0, kIcon, QString("boundary"));
  for (std::size_t i = 0; i < model->boundaries.size(); ++i) {
    const Boundary& boundary = model->boundaries[i];
    addItem(group, QString::fromStdString(boundary.name), render::SelectedBoundary{static_cast<int>(i)},
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

// The selection was made here or in the viewport: show it either way. A selected contact marks its first side.
void ScenePanel::follow() {
  render::Selection thing = session_.focus().selection();
  if (const Contact* contact = session_.focus().selectedContact())
    thing = selectionOf(render::pairOf(*session_.model(), *contact).a);
  else if (const auto* pair = std::get_if<ContactPair>(&session_.focus().selection()))
    thing = selectionOf(pair->a);
  QTreeWidgetItem* found = nullptr;
  for (QTreeWidgetItemIterator it(tree_); *it && thing != render::Selection(); ++it)
    if (!isGroup(**it) && selectionOf(**it) == thing) found = *it;
  if (!found) {
    tree_->clearSelection();
    tree_->setCurrentItem(nullptr);
    return;
  }
  tree_->setCurrentItem(found);
  tree_->scrollToItem(found);
}

void ScenePanel::click(QTreeWidgetItem* item) {
  if (isGroup(*item))
    item->setExpanded(!item->isExpanded());
  else
    session_.focus().select(selectionOf(*item));
}

}  // namespace slipstick::ui
