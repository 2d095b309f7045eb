#include "ui/inspector.h"

#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "render/boundary_surfaces.h"
#include "ui/plot_drag.h"
#include "ui/plot_list.h"
#include "ui/scene_document.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kRefreshPeriod_ms = 80;  // faster cannot be read
constexpr int kColumnLabel = 0, kColumnValue = 1, kColumnUnit = 2;

QString materialText(const MaterialParameters& material) {
  const auto name = kMaterialNames[static_cast<std::size_t>(material.model)];
  return QString::fromUtf8(name.data(), static_cast<int>(name.size())).replace('_', ' ');
}

/// What a boundary does to what comes to it.
QString boundaryTip(BoundaryKind kind) {
  switch (kind) {
    case BoundaryKind::Sticky:
      return Inspector::tr("What is inside moves with it");
    case BoundaryKind::Slip:
      return Inspector::tr("What touches it slides along it and cannot leave it");
    case BoundaryKind::Separate:
      break;
  }
  return Inspector::tr("What touches it slides along it and may leave it");
}

/// Of the particles [begin, end), in units of 1 / scale.
QString largestOf(const std::vector<float>& values, int begin, int end, double scale) {
  if (values.size() < static_cast<std::size_t>(end) || begin == end) return QString(QChar(0x2013));
  const float largest = *std::max_element(values.begin() + begin, values.begin() + end);
  return significant(scale * static_cast<double>(largest));
}

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
  connect(&session_, &Session::shownChanged, this, [this] {
    if (!refreshTimer_.isActive()) refreshTimer_.start(kRefreshPeriod_ms);
  });
  connect(&session_, &Session::settingsChanged, this, &Inspector::refresh);
  connect(&session_.document(), &SceneDocument::changed, this, &Inspector::refresh);
  connect(&session_, &Session::selectionChanged, this, &Inspector::rebuild);
  connect(&session_, &Session::opened, this, [this] {
    fields_.clear();  // what was being typed was for the scene before
    rebuild();
  });
  connect(&session_, &Session::modelChanged, this, &Inspector::rebuild);
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
  const bool isSame = inspected_ == session_.selection();
  const int scrolled = scroll->verticalScrollBar()->value();
  inspected_ = session_.selection();
  model_ = session_.model();
  facts_.clear();
  pose_ = nullptr;
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

  const render::Selection& selection = session_.selection();
  if (selection.contact)
    showContact(*selection.contact);
  else if (selection.pair)
    showPair(*selection.pair);
  else if (selection.body && *selection.body > 0)
    showBody(*selection.body);
  else if (selection.robot)
    showRobot(*selection.robot);
  else if (selection.deformable)
    showDeformable(*selection.deformable);
  else if (selection.boundary)
    showBoundary(*selection.boundary);
  else if (selection.loop)
    showLoop(*selection.loop);
  else
    showScene();
  grid_->setRowStretch(row_, 1);
  scroll->setWidget(sheet_);  // deletes the previous sheet
  refresh();
  if (!isSame) return;
  grid_->activate();
  sheet_->resize(sheet_->width(), sheet_->sizeHint().height());
  scroll->verticalScrollBar()->setValue(scrolled);
}

void Inspector::refresh() {
  const auto shown = session_.shown();
  if (!shown || shown->model != model_) return;  // what is shown here is about to be another thing
  for (const Fact& fact : facts_) fact.label->setText(fact.text(*shown));
  for (ParameterField* field : fields_) field->refresh();
  if (pose_) pose_->refresh();
}

// ------------------------------------------------------------------------------------ what can be inspected

void Inspector::showScene() {
  const auto model = session_.model();
  heading(QString::fromStdString(model->name), tr("scene"));
  fact(tr("time step"), "ms", [model](const Snapshot&) { return significant(model->time.dt * 1e3); });
  if (!model->deformables.empty()) {
    fact(tr("substeps"), {}, [](const Snapshot& s) { return QString::number(s.report.substeps); });
    plottable({plotOf("solver.substeps", {})});
    fact(tr("grid spacing"), "mm",
         [model](const Snapshot&) { return significant(model->gridSpacing * 1e3); });
    fact(tr("particles"), {}, [](const Snapshot& s) { return grouped(s.particles.size()); });
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
  addParameters();
}

void Inspector::showBody(int body) {
  const auto model = session_.model();
  const auto index = static_cast<std::size_t>(body);
  heading(session_.bodyLabels()[index], tr("rigid body"));
  fact(tr("mass"), "kg",
       [model, index](const Snapshot&) { return significant(model->tree.bodies[index].mass); });
  addParameters();
  if (canPlace(*model, body)) addPose(body);
  showBodyContacts(body);
  for (std::size_t g = 0; g < model->geometries.size(); ++g)
    if (model->geometries[g].body == body)
      showSurface(static_cast<int>(g), QString::fromStdString(model->geometries[g].name));
  showLoops(body);
  const std::string& name = model->tree.bodies[index].name;
  const QString& label = session_.bodyLabels()[index];
  heading(tr("motion"));
  fact(tr("position"), "m", [index](const Snapshot& s) { return vectorText(s.X_WB[index].p, 3); });
  plottable({plotOfVector(name + ".", label, "m")});
  fact(tr("speed"), "m/s", [index](const Snapshot& s) { return significant(s.V_WB[index].v.norm()); });
  plottable({plotOfLength(name + ".v", label, tr("speed"), "m/s")});
  fact(tr("spin"), "rad/s", [index](const Snapshot& s) { return significant(s.V_WB[index].w.norm()); });
  plottable({plotOfLength(name + ".w", label, tr("spin"), "rad/s")});
  showJoint(body - 1);
}

void Inspector::showDeformable(int deformable) {
  const auto model = session_.model();
  const auto index = static_cast<std::size_t>(deformable);
  const Deformable& d = model->deformables[index];
  const auto begin = d.begin, end = d.end;
  heading(QString::fromStdString(d.name), d.cloth ? tr("cloth") : tr("deformable"));
  fact(tr("particles"), {}, [=](const Snapshot&) { return grouped(static_cast<std::size_t>(end - begin)); });
  if (d.cloth) {
    const auto vertices = static_cast<std::size_t>(d.cloth->vertices), triangles = d.cloth->triangles.size();
    fact(tr("vertices"), {}, [=](const Snapshot&) { return grouped(vertices); });
    fact(tr("triangles"), {}, [=](const Snapshot&) { return grouped(triangles); });
  }
  constant(tr("mass"), "kg",
           std::accumulate(model->particles.mass.begin() + begin, model->particles.mass.begin() + end, 0.0));
  fact(tr("material"), {},
       [model, index](const Snapshot&) { return materialText(model->deformables[index].material); });
  showMaterial(d.materialIndex);
  addParameters();
  heading(tr("state"));
  fact(tr("size"), "m", [index](const Snapshot& s) {
    return vectorText(s.deformables[index].upper - s.deformables[index].lower, 3);
  });
  fact(tr("volume"), "L",
       [index](const Snapshot& s) { return significant(s.deformables[index].volume * 1e3); });
  plottable({plotOf(d.name + ".volume", "m^3")});
  fact(tr("center"), "m", [index](const Snapshot& s) { return vectorText(s.deformables[index].center, 3); });
  plottable({plotOfVector(d.name + ".", QString::fromStdString(d.name), "m")});
  fact(tr("velocity"), "m/s",
       [index](const Snapshot& s) { return vectorText(s.deformables[index].velocity, 3); });
  plottable({plotOfVector(d.name + ".v", QString::fromStdString(d.name), "m/s")});
  fact(tr("elastic energy"), "J",
       [index](const Snapshot& s) { return significant(s.deformables[index].elasticEnergy); });
  fact(
      tr("largest stress"), "kPa", [=](const Snapshot& s) { return largestOf(s.stress, begin, end, 1e-3); },
      tr("Of any particle: von Mises equivalent of the Kirchhoff stress"));
  fact(tr("largest pressure"), "kPa",
       [=](const Snapshot& s) { return largestOf(s.pressure, begin, end, 1e-3); });
}

/// What a material is besides its parameters, and what follows from them.
void Inspector::showMaterial(int material) {
  const auto index = static_cast<std::size_t>(material);
  const MaterialParameters& ofFile = session_.model()->tuning.materials[index];
  constant(tr("density"), "kg/m³", ofFile.density);
  const auto now = [this, index](const auto& text) {
    return
        [this, index, text](const Snapshot&) -> QString { return text(session_.tuning().materials[index]); };
  };
  if (ofFile.model == MaterialModel::Cloth) constant(tr("thickness"), "mm", ofFile.thickness * 1e3);
  if (ofFile.model == MaterialModel::DruckerPrager)
    fact(tr("friction angle"), "°", now([](const MaterialParameters& m) {
           return significant(m.sandHardening[0] - m.sandHardening[3]);
         }),
         tr("Of sand that has not flowed yet"));
  if (ofFile.model == MaterialModel::Liquid)
    fact(tr("pulled apart"), {},
         now([](const MaterialParameters& m) { return m.largestJ <= 1 ? tr("parts") : tr("resists"); }));
  fact(ofFile.model == MaterialModel::Liquid ? tr("speed of sound") : tr("wave speed"), "m/s",
       now([](const MaterialParameters& m) { return significant(m.waveSpeed()); }),
       tr("Of compression waves at rest"));
}

void Inspector::showBoundary(int boundary) {
  const auto model = session_.model();
  const Boundary& b = model->boundaries[static_cast<std::size_t>(boundary)];
  heading(QString::fromStdString(b.name), tr("boundary"));
  fact(
      tr("kind"), {}, [kind = b.kind](const Snapshot&) { return boundaryWord(kind); }, boundaryTip(b.kind));
  fact(tr("acts"), {},
       [b](const Snapshot& s) { return render::actsAt(b, s.time) ? tr("now") : tr("not now"); });
  constant(tr("from"), "s", b.from);
  fact(tr("until"), "s",
       [b](const Snapshot&) { return std::isfinite(b.until) ? significant(b.until) : tr("the end"); });
  const auto pressed = [boundary](const Snapshot& s, const auto& text) {
    const auto index = static_cast<std::size_t>(boundary);
    return index < s.boundaryForce.size() ? text(s.boundaryForce[index]) : QString(QChar(0x2013));
  };
  fact(
      tr("force on it"), "N",
      [pressed](const Snapshot& s) {
        return pressed(s, [](const Vec3& f) { return significant(f.norm()); });
      },
      tr("Of the particles"));
  plottable({plotOfVector(b.name + ".force.", QString::fromStdString(b.name), "N")});
  fact(tr("x, y, z"), "N",
       [pressed](const Snapshot& s) { return pressed(s, [](const Vec3& f) { return vectorText(f, 1); }); });
  plottable({plotOfVector(b.name + ".force.", QString::fromStdString(b.name), "N")});
  addParameters();
  heading(tr("shape"), shapeWord(b.shape));
  if (const auto* box = std::get_if<shape::Box>(&b.shape))
    fact(tr("size"), "m",
         [size = Vec3(2 * box->halfExtents)](const Snapshot&) { return vectorText(size, 3); });
  if (const auto* sphere = std::get_if<shape::Sphere>(&b.shape)) constant(tr("radius"), "m", sphere->radius);
  fact(tr("position"), "m",
       [model, b](const Snapshot& s) { return vectorText(model->boundaryPose(b, s.time).p, 3); });
  if (std::holds_alternative<shape::Plane>(b.shape))
    fact(tr("normal"), {},
         [model, b](const Snapshot& s) { return vectorText(model->boundaryPose(b, s.time).R.col(2), 2); });
  if (b.path < 0) return;
  const std::string path = model->paths[static_cast<std::size_t>(b.path)].name;
  fact(tr("follows"), {}, [path](const Snapshot&) { return QString::fromStdString(path); });
  fact(tr("speed"), "m/s", [model, b](const Snapshot& s) {
    const double dt = model->time.dt;
    const Vec3 moved = model->boundaryPose(b, s.time + dt).p - model->boundaryPose(b, s.time).p;
    return significant(moved.norm() / dt);
  });
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
    fact(tr("held to"), {},
         [this, other](const Snapshot&) { return session_.bodyLabels()[static_cast<std::size_t>(other)]; });
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
    fact(label, {}, [this, b](const Snapshot&) { return session_.bodyLabels()[b]; });
    fact(
        tr("its frame at"), "m", [b, p = X_BF.p](const Snapshot& s) { return vectorText(s.X_WB[b] * p, 3); },
        tr("In the world"));
  };
  side(loop.bodyA, loop.X_AaA, tr("holds"));
  side(loop.bodyB, loop.X_BbB, tr("to"));
  showGap(loop);
}

// ------------------------------------------------------------------------------------------------- rows

void Inspector::addParameters() {
  for (const ParameterGroup& group : parameterGroups(*session_.model(), session_.selection()))
    addParameterGroup(group);
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
    auto* dot = new QWidget;  // holds the dot's place, which comes and goes
    auto* line = new QHBoxLayout(dot);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(2);
    line->addStretch(1);
    line->addWidget(field->resetDot());
    line->addWidget(field->field());
    grid_->addWidget(field->label(), row_, kColumnLabel);
    grid_->addWidget(dot, row_, kColumnValue);
    grid_->addWidget(field->unit(), row_++, kColumnUnit);
    fields_.push_back(field);
    const bool isMain = field->isSet() || row.label == tr("friction");
    if (!isMain && !expanded_.contains(name)) behind.push_back(field);
  }
  if (!behind.empty()) addMore(name, std::move(behind));
}

void Inspector::addMore(const QString& group, std::vector<ParameterField*> fields) {
  auto* more = new FlatButton("chevron-down", tr("%1 more").arg(fields.size()));
  more->setFocusPolicy(Qt::TabFocus);
  more->setQuiet(true);
  more->setToolTip(tr("Numbers that are not set here: what is further out, or a default, decides"));
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
  grid_->addWidget(name, row_, kColumnLabel);
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
    const Contact* contact = session_.selectedContact();
    return contact ? text(*contact) : QString(QChar(0x2013));
  };
  fact(label, unit, read, tip);
}

void Inspector::plottable(const std::vector<Plot>& plots) {
  const Fact& fact = facts_.back();
  new PlotHandle(plots, session_.plots(), {fact.title, fact.label}, sheet_);
}

}  // namespace slipstick::ui
