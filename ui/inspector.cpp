#include "ui/inspector.h"

#include <Eigen/Eigenvalues>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "engine/model/method_choice.h"
#include "ui/plot_drag.h"
#include "ui/plot_list.h"
#include "ui/scene_document.h"
#include "ui/selection_kinds.h"
#include "ui/solver_words.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kRefreshPeriod_ms = 80;  // faster cannot be read
constexpr int kWidest = 340;           // that the panel asks for by itself [px]
constexpr int kColumnLabel = 0, kColumnValue = 1, kColumnUnit = 2;

/// Distance that a loop leaves between its frames beyond what it should [m].
double gapOf(const Loop& loop, const Snapshot& s) {
  const Vec3 a = s.X_WB[static_cast<std::size_t>(loop.bodyA)] * loop.X_AaA.p;
  const Vec3 b = s.X_WB[static_cast<std::size_t>(loop.bodyB)] * loop.X_BbB.p;
  const double wanted = loop.kind == LoopKind::Distance ? loop.distance : 0;
  return std::abs((a - b).norm() - wanted);
}

}  // namespace

Inspector::Inspector(Session& session, QWidget* parent)
    : Panel(tr("Inspector"), "inspector", parent), session_(session) {
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  setWidget(scroll);
  setMinimumHeight(160);
  refreshTimer_.setSingleShot(true);
  connect(&refreshTimer_, &QTimer::timeout, this, &Inspector::refresh);
  connect(&session_.moment(), &ShownMoment::shownChanged, this, [this] {
    if (!refreshTimer_.isActive()) refreshTimer_.start(kRefreshPeriod_ms);
  });
  connect(&session_.numbers(), &NumberEditor::settingsChanged, this, &Inspector::refresh);
  connect(&session_.document(), &SceneDocument::changed, this, &Inspector::refresh);
  // Also said of a scene that has just been opened, whose sheet of hundreds of widgets is there already.
  connect(&session_.focus(), &Focus::selectionChanged, this, [this] {
    if (inspected_ != session_.focus().selection() || model_ != session_.model()) rebuild();
  });
  connect(&session_.opener(), &SceneOpener::opened, this, [this] {
    fields_.clear();  // what was being typed was for the scene before
    rebuild();
  });
  connect(&session_.moment(), &ShownMoment::modelChanged, this, &Inspector::rebuild);
}

NumberField* Inspector::parameterField(const std::string& path) const {
  for (const ParameterField* field : fields_)
    if (field->row().path == path) return field->field();
  return nullptr;
}

NumberField* Inspector::frictionField(int geometry) const {
  return parameterField(frictionPath(*session_.model(), geometry));
}

QWidget* Inspector::factWidget(const QString& label, int before) const {
  for (const Fact& fact : facts_)
    if (fact.name == label && before-- == 0) return fact.title;
  return nullptr;
}

QString Inspector::factText(const QString& label, int before) const {
  for (const Fact& fact : facts_)
    if (fact.name == label && before-- == 0) return fact.label->text();
  return {};
}

void Inspector::rebuild() {
  if (!session_.isOpen()) return;
  for (const ParameterField* field : fields_) field->field()->commit();  // a click elsewhere ends typing too
  auto* scroll = static_cast<QScrollArea*>(widget());
  const bool isSame = inspected_ == session_.focus().selection();
  const int scrolled = scroll->verticalScrollBar()->value();
  inspected_ = session_.focus().selection();
  model_ = session_.model();
  facts_.clear();
  pose_ = nullptr;
  look_ = nullptr;
  fields_.clear();
  sheet_ = new QWidget;
  sheet_->setAutoFillBackground(true);
  sheet_->setBackgroundRole(QPalette::Base);
  grid_ = new QGridLayout(sheet_);
  grid_->setContentsMargins(kSpace * 3 / 2, 0, kSpace * 3 / 2, kSpace);
  grid_->setHorizontalSpacing(kSpace);
  grid_->setVerticalSpacing(5);
  grid_->setColumnStretch(kColumnValue, 1);
  row_ = 0;

  showSelection();
  grid_->setRowStretch(row_, 1);
  scroll->setWidget(sheet_);  // deletes the previous sheet
  refresh();
  // Long names and units of a robot's joints need more room than most things do.
  const int needed = sheet_->minimumSizeHint().width() + scroll->verticalScrollBar()->sizeHint().width();
  scroll->setMinimumWidth(std::min(needed, kWidest));
  if (!isSame) return;
  grid_->activate();
  sheet_->resize(sheet_->width(), sheet_->sizeHint().height());
  scroll->verticalScrollBar()->setValue(scrolled);
}

void Inspector::refresh() {
  const auto shown = session_.moment().shown();
  if (!shown || shown->model != model_) return;  // what is shown here is about to be another thing
  for (const Fact& fact : facts_) fact.label->setText(fact.text(*shown));
  for (ParameterField* field : fields_) field->refresh();
  if (pose_) pose_->refresh();
  if (look_) look_->refresh();
}

// ------------------------------------------------------------------------------------ what can be inspected

void Inspector::showSelection() {
  const auto bodyOrWorld = [this](render::SelectedBody body) {
    if (body.index > 0)
      showBody(body.index);
    else
      showScene();
  };
  std::visit(Overloaded{[this](render::NothingSelected) { showScene(); }, bodyOrWorld,
                        [this](render::SelectedRobot robot) { showRobot(robot.index); },
                        [this](render::SelectedDeformable soft) { showDeformable(soft.index); },
                        [this](render::SelectedBoundary boundary) { showBoundary(boundary.index); },
                        [this](render::SelectedLoop loop) { showLoop(loop.index); },
                        [this](const ContactKey& contact) { showContact(contact); },
                        [this](const ContactPair& pair) { showPair(pair); }},
             session_.focus().selection());
}

void Inspector::showScene() {
  const auto model = session_.model();
  heading(QString::fromStdString(model->name), tr("scene"));
  fact(tr("time step"), "ms", [model](const Snapshot&) { return significant(model->time.dt * 1e3); });
  fact(tr("method"), {}, [this](const Snapshot& s) {
    const auto& methods = session_.services().methods;
    const std::string first = methods.empty() ? std::string() : methods.front().name;
    const std::string& named = s.model ? s.model->solver.method : first;
    const QString name = QString::fromStdString(named.empty() ? first : named);
    return s.model && isChosenFor(*s.model) ? tr("%1 (auto)").arg(name) : name;
  });
  if (!model->deformables.empty()) {
    fact(tr("substeps"), {}, [](const Snapshot& s) {
      return s.step > 0 ? QString::number(s.report.substeps)
                        : QString(QChar(0x2013));  // no step was made yet
    });
    plottable({plotOf("solver.substeps", {})});
    if (!model->discretize)  // what has particles has a grid
      fact(tr("grid spacing"), "mm",
           [model](const Snapshot&) { return significant(model->gridSpacing * 1e3); });
    fact(nodeWord(*model), {}, [](const Snapshot& s) { return grouped(s.particles.size()); });
  }
  fact(tr("bodies"), {}, [model](const Snapshot&) { return grouped(model->tree.bodies.size() - 1); });
  if (!model->loops.empty())
    fact(tr("loops"), {}, [model](const Snapshot&) { return grouped(model->loops.size()); });
  fact(tr("rigid contacts"), {}, [](const Snapshot& s) {
    return tr("%1 in %2 pairs").arg(s.report.rigidContacts).arg(s.report.rigidPairs);
  });
  plottable({plotOf("solver.rigid_contacts", {})});
  heading(tr("energy"));
  fact(tr("kinetic"), "J", [](const Snapshot& s) { return significant(s.totals.kineticEnergy); });
  plottable({plotOf("total.kinetic_energy", "J")});
  if (!model->deformables.empty()) {
    fact(tr("elastic"), "J", [](const Snapshot& s) { return significant(s.totals.elasticEnergy); });
    plottable({plotOf("total.elastic_energy", "J")});
  }
  fact(tr("gravity"), "J", [](const Snapshot& s) { return significant(s.totals.potentialEnergy); });
  plottable({plotOf("total.potential_energy", "J")});
  heading(tr("momentum"));
  fact(tr("total"), "N s", [](const Snapshot& s) { return significant(s.totals.momentum.norm()); });
  plottable({plotOfVector("total.momentum_", tr("momentum"), "N s")});
  if (!model->deformables.empty()) {
    fact(tr("exchange error"), {}, [](const Snapshot& s) { return significant(s.report.momentumError); });
    plottable({plotOf("solver.momentum_error", {})});
    fact(tr("solve remainder"), {}, [](const Snapshot& s) { return significant(s.report.contactRemainder); });
    plottable({plotOf("solver.contact_remainder", {})});
  }
  showSensors(0, static_cast<int>(model->tree.bodies.size()));
  addParameters();
}

void Inspector::showBody(int body) {
  const auto model = session_.model();
  const auto index = static_cast<std::size_t>(body);
  heading(session_.names().bodyLabels()[index], tr("rigid body"));
  fact(session_.names().hasAssumedMass(static_cast<int>(index)) ? tr("mass, assumed") : tr("mass"), "kg",
       [model, index](const Snapshot&) { return significant(model->tree.bodies[index].mass); });
  if (const multibody::Body& b = model->tree.bodies[index]; b.mass > 0) {
    fact(
        tr("centre"), "m", [com = b.com](const Snapshot&) { return vectorText(com, 3); },
        tr("Centre of mass in the frame of the body. M shows it in the picture"));
    const Vec3 principal =
        Eigen::SelfAdjointEigenSolver<Mat3>(b.inertia, Eigen::EigenvaluesOnly).eigenvalues();
    const bool isSmall = principal.maxCoeff() < 0.01;
    fact(
        tr("inertia"), isSmall ? "kg cm²" : "kg m²",
        [I = Vec3(principal * (isSmall ? 1e4 : 1))](const Snapshot&) { return vectorText(I, 2); },
        tr("Principal moments about the centre of mass. I shows the box that has them"));
  }
  addLook();
  addParameters();
  if (canPlace(*model, body)) addPose(body);
  showBodyContacts(body);
  for (std::size_t g = 0; g < model->geometries.size(); ++g)
    if (model->geometries[g].body == body)
      showSurface(static_cast<int>(g), QString::fromStdString(model->geometries[g].name));
  for (const Robot& robot : model->robots)
    if (robot.file.empty() && body >= robot.firstBody && body < robot.endBody) offerConvexParts(robot);
  showLoops(body);
  showSensors(body, body + 1);
  const std::string& name = model->tree.bodies[index].name;
  const QString& label = session_.names().bodyLabels()[index];
  heading(tr("motion"));
  fact(tr("position"), "m", [index](const Snapshot& s) { return vectorText(s.X_WB[index].p, 3); });
  plottable({plotOfVector(name + ".", label, "m")});
  fact(tr("speed"), "m/s", [index](const Snapshot& s) { return significant(s.V_WB[index].v.norm()); });
  plottable({plotOfLength(name + ".v", label, tr("speed"), "m/s")});
  fact(tr("spin"), "rad/s", [index](const Snapshot& s) { return significant(s.V_WB[index].w.norm()); });
  plottable({plotOfLength(name + ".w", label, tr("spin"), "rad/s")});
  showJoint(body - 1);
}

/// What a collision shape is towards other rigid ones.
void Inspector::showSurface(int geometry, const QString& name) {
  const auto model = session_.model();
  const Geometry& g = model->geometries[static_cast<std::size_t>(geometry)];
  heading(name, tr("surface"));
  if (!g.contactShape) {
    fact(tr("representation"), {}, [](const Snapshot&) { return tr("passes through"); });
    return;
  }
  const SurfaceProperties properties = g.contactShape->properties();
  const bool points = properties.representation == ContactRepresentation::Point;
  fact(tr("representation"), {},
       [properties](const Snapshot&) { return representationWord(properties.representation); });
  if (properties.representation == ContactRepresentation::Compliant)
    fact(tr("modulus"), "MPa",
         [properties](const Snapshot&) { return significant(properties.modulus / 1e6); });
  if (points)
    fact(tr("stiffness"), "N/m", [properties](const Snapshot&) { return significant(properties.stiffness); });
  fact(tr("dissipation"), "s/m",
       [properties](const Snapshot&) { return significant(properties.dissipation); });
}

/// Loops that hold a body, with how far their frames have come apart.
void Inspector::showLoops(int body) {
  const auto model = session_.model();
  for (const Loop& loop : model->loops) {
    if (loop.bodyA != body && loop.bodyB != body) continue;
    const int other = loop.bodyA == body ? loop.bodyB : loop.bodyA;
    heading(QString::fromStdString(loop.name), loopWord(loop.kind));
    fact(tr("held to"), {}, [this, other](const Snapshot&) {
      return session_.names().bodyLabels()[static_cast<std::size_t>(other)];
    });
    showGap(loop);
  }
}

void Inspector::showGap(const Loop& loop) {
  if (loop.kind == LoopKind::Distance)
    fact(tr("distance"), "m", [loop](const Snapshot&) { return number(loop.distance, 4); });
  fact(
      tr("gap"), "mm", [loop](const Snapshot& s) { return significant(1e3 * gapOf(loop, s)); },
      tr("How far the loop is from closed"));
}

void Inspector::showLoop(int index) {
  const auto model = session_.model();
  const Loop& loop = model->loops[static_cast<std::size_t>(index)];
  heading(QString::fromStdString(loop.name), tr("loop, %1").arg(loopWord(loop.kind)));
  const auto side = [this](int body, const Pose& X_BF, const QString& label) {
    const auto b = static_cast<std::size_t>(body);
    fact(label, {}, [this, b](const Snapshot&) { return session_.names().bodyLabels()[b]; });
    fact(
        tr("at"), "m", [b, p = X_BF.p](const Snapshot& s) { return vectorText(s.X_WB[b] * p, 3); },
        tr("In the world"));
  };
  side(loop.bodyA, loop.X_AaA, tr("holds"));
  side(loop.bodyB, loop.X_BbB, tr("to"));
  showGap(loop);
}

// ------------------------------------------------------------------------------------------------- rows

void Inspector::addParameters() {
  for (const ParameterGroup& group : parametersOf(*session_.model(), session_.focus().selection()))
    addParameterGroup(group);
}

void Inspector::addRow(QWidget* label, ResetDot* reset, QWidget* value, QWidget* unit) {
  auto* cell = new QWidget;  // holds the dot's place, which comes and goes
  auto* line = new QHBoxLayout(cell);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(2);
  line->addStretch(1);
  line->addWidget(reset);
  line->addWidget(value);
  grid_->addWidget(label, row_, kColumnLabel);
  grid_->addWidget(cell, row_, kColumnValue);
  grid_->addWidget(unit, row_++, kColumnUnit);
}

void Inspector::addLook() {
  const std::optional<ThingName> thing = thingOf(*session_.model(), session_.focus().selection());
  if (!thing) return;
  look_ = new LookFields(*thing, session_, sheet_);
  addRow(new ThemedLabel(tr("visible"), secondaryColor), look_->visibleReset(), look_->visible(),
         new QWidget);
  addRow(new ThemedLabel(tr("colour"), secondaryColor), look_->colorReset(), look_->color(), new QWidget);
}

void Inspector::addPose(int body) {
  heading(tr("pose"), tr("of a free body"));
  pose_ = new PoseFields(body, session_, sheet_);
  for (int i = 0; i < PoseFields::kCount; ++i) {
    grid_->addWidget(new ThemedLabel(PoseFields::label(i), secondaryColor), row_, kColumnLabel);
    grid_->addWidget(pose_->field(i), row_, kColumnValue, Qt::AlignRight);
    grid_->addWidget(new ThemedLabel(PoseFields::unit(i), faintColor), row_++, kColumnUnit);
  }
}

void Inspector::addParameterGroup(const ParameterGroup& group) {
  heading(group.title, group.note);
  const QString name = group.title + "/" + group.note;
  std::vector<ParameterField*> behind;
  for (const ParameterRow& row : group.rows) {
    auto* field = new ParameterField(row, session_, sheet_);
    addRow(field->label(), field->resetDot(), field->field(), field->unit());
    fields_.push_back(field);
    const bool isMain = (field->isSet() && !row.isMinor) || row.label == tr("friction");
    if (!isMain && !expanded_.contains(name)) behind.push_back(field);
  }
  if (!behind.empty()) addMore(name, std::move(behind));
}

void Inspector::addMore(const QString& group, std::vector<ParameterField*> fields) {
  auto* more = new FlatButton("chevron-down", tr("%1 more").arg(fields.size()));
  more->setFocusPolicy(Qt::TabFocus);
  more->setQuiet(true);
  more->setToolTip(tr(
      "Numbers that are not set here, so that what is further out or a default decides, or without effect"));
  grid_->addWidget(more, row_++, kColumnLabel, 1, 3, Qt::AlignLeft);
  for (ParameterField* field : fields) field->setVisible(false);
  connect(more, &FlatButton::clicked, this, [this, more, group, fields = std::move(fields)] {
    expanded_.insert(group);
    for (ParameterField* field : fields) field->setVisible(true);
    more->hide();
    fields.front()->field()->setFocus();
  });
}

void Inspector::heading(const QString& title, const QString& kind) {
  if (row_ > 0) grid_->setRowMinimumHeight(row_++, 6);
  auto* line = new QHBoxLayout;
  line->setSpacing(kSpace);
  auto* label = new ThemedLabel(title, textColor);
  label->setFont(textFont(600));
  line->addWidget(label);
  auto* kindLabel = new ThemedLabel(kind, faintColor);
  kindLabel->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // cut before it widens the panel
  line->addWidget(kindLabel, 1);
  grid_->addLayout(line, row_++, kColumnLabel, 1, 3);
}

void Inspector::fact(const QString& label, const QString& unit, Text text, const QString& tip) {
  auto* name = new ThemedLabel(label, secondaryColor);
  grid_->addWidget(name, row_, kColumnLabel, 1, 2);  // a long name takes no room from the fields below
  auto* value = new ValueLabel(Qt::AlignRight);
  name->setToolTip(tip);
  value->setToolTip(tip);
  grid_->addWidget(value, row_, kColumnLabel, 1, 2);  // three numbers may reach under a short label
  auto* unitLabel = new ThemedLabel(unit, faintColor);
  unitLabel->setMinimumWidth(38);
  grid_->addWidget(unitLabel, row_++, kColumnUnit);
  facts_.push_back({label, name, value, std::move(text)});
}

void Inspector::note(const QString& text, Notice::Level level) {
  auto* label = new ThemedLabel(
      text, level == Notice::Level::Info ? secondaryColor : [] { return theme().bookmark; });
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::MinimumExpanding);
  grid_->addWidget(label, row_++, kColumnLabel, 1, 3);
}

void Inspector::constant(const QString& label, const QString& unit, double value, const QString& tip) {
  fact(
      label, unit, [value](const Snapshot&) { return significant(value); }, tip);
}

void Inspector::contactFact(const QString& label, const QString& unit,
                            std::function<QString(const Contact&)> text, const QString& tip) {
  const auto read = [this, text = std::move(text)](const Snapshot&) {
    const Contact* contact = session_.focus().selectedContact();
    return contact ? text(*contact) : QString(QChar(0x2013));
  };
  fact(label, unit, read, tip);
}

void Inspector::plottable(const std::vector<Plot>& plots) {
  const Fact& fact = facts_.back();
  new PlotHandle(plots, session_.plots(), {fact.title, fact.label}, sheet_);
}

}  // namespace slipstick::ui
