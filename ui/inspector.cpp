#include "ui/inspector.h"

#include <QScrollArea>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "render/boundary_surfaces.h"
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
  connect(&session_, &Session::selectionChanged, this, &Inspector::rebuild);
  connect(&session_, &Session::opened, this, &Inspector::rebuild);
  connect(&session_, &Session::modelChanged, this, &Inspector::rebuild);
}

NumberField* Inspector::frictionField(int geometry) const {
  for (const Editable& editable : fields_)
    if (editable.geometry == geometry) return editable.field;
  return nullptr;
}

QString Inspector::factText(const QString& label, int before) const {
  for (const Fact& fact : facts_)
    if (fact.name == label && before-- == 0) return fact.label->text();
  return {};
}

void Inspector::rebuild() {
  if (!session_.isOpen()) return;
  facts_.clear();
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
  else
    showScene();
  grid_->setRowStretch(row_, 1);
  static_cast<QScrollArea*>(widget())->setWidget(sheet_);  // deletes the previous sheet
  refresh();
}

void Inspector::refresh() {
  const auto shown = session_.shown();
  if (!shown) return;
  for (const Fact& fact : facts_) fact.label->setText(fact.text(*shown));
  for (const Editable& editable : fields_) editable.field->setValue(editable.read());
}

// ------------------------------------------------------------------------------------ what can be inspected

void Inspector::showScene() {
  const auto model = session_.model();
  heading(QString::fromStdString(model->name), tr("scene"));
  fact(tr("time step"), "ms", [model](const Snapshot&) { return significant(model->time.dt * 1e3); });
  if (!model->deformables.empty()) {
    fact(tr("substeps"), {}, [](const Snapshot& s) { return QString::number(s.report.substeps); });
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
  addGravity();
  heading(tr("energy"));
  fact(tr("kinetic"), "J", [](const Snapshot& s) { return significant(s.totals.kineticEnergy); });
  if (!model->deformables.empty())
    fact(tr("elastic"), "J", [](const Snapshot& s) { return significant(s.totals.elasticEnergy); });
  fact(tr("gravity"), "J", [](const Snapshot& s) { return significant(s.totals.potentialEnergy); });
  heading(tr("momentum"));
  fact(tr("total"), "N s", [](const Snapshot& s) { return significant(s.totals.momentum.norm()); });
  if (model->deformables.empty()) return;
  fact(tr("exchange error"), {}, [](const Snapshot& s) { return significant(s.report.momentumError); });
  fact(tr("solve remainder"), {}, [](const Snapshot& s) { return significant(s.report.contactRemainder); });
}

void Inspector::showBody(int body) {
  const auto model = session_.model();
  const auto index = static_cast<std::size_t>(body);
  heading(session_.bodyLabels()[index], tr("rigid body"));
  fact(tr("mass"), "kg",
       [model, index](const Snapshot&) { return significant(model->tree.bodies[index].mass); });
  int collisions = 0;
  for (const Geometry& geometry : model->geometries) collisions += geometry.body == body;
  for (std::size_t g = 0; g < model->geometries.size(); ++g) {
    const bool touches = !model->deformables.empty() || model->geometries[g].contactShape;
    if (model->geometries[g].body != body || !touches) continue;
    addFriction(static_cast<int>(g), collisions == 1
                                         ? tr("friction μ")
                                         : tr("μ %1").arg(QString::fromStdString(model->geometries[g].name)));
  }
  showBodyContacts(body);
  for (std::size_t g = 0; g < model->geometries.size(); ++g)
    if (model->geometries[g].body == body)
      showSurface(static_cast<int>(g), QString::fromStdString(model->geometries[g].name));
  showLoops(body);
  heading(tr("motion"));
  fact(tr("position"), "m", [index](const Snapshot& s) { return vectorText(s.X_WB[index].p, 3); });
  fact(tr("speed"), "m/s", [index](const Snapshot& s) { return significant(s.V_WB[index].v.norm()); });
  fact(tr("spin"), "rad/s", [index](const Snapshot& s) { return significant(s.V_WB[index].w.norm()); });
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
  heading(tr("material"), materialText(d.material));
  showMaterial(d.material);
  heading(tr("state"));
  fact(tr("size"), "m", [index](const Snapshot& s) {
    return vectorText(s.deformables[index].upper - s.deformables[index].lower, 3);
  });
  fact(tr("volume"), "L",
       [index](const Snapshot& s) { return significant(s.deformables[index].volume * 1e3); });
  fact(tr("center"), "m", [index](const Snapshot& s) { return vectorText(s.deformables[index].center, 3); });
  fact(tr("velocity"), "m/s",
       [index](const Snapshot& s) { return vectorText(s.deformables[index].velocity, 3); });
  fact(tr("elastic energy"), "J",
       [index](const Snapshot& s) { return significant(s.deformables[index].elasticEnergy); });
  fact(
      tr("largest stress"), "kPa", [=](const Snapshot& s) { return largestOf(s.stress, begin, end, 1e-3); },
      tr("Of any particle: von Mises equivalent of the Kirchhoff stress"));
  fact(tr("largest pressure"), "kPa",
       [=](const Snapshot& s) { return largestOf(s.pressure, begin, end, 1e-3); });
}

void Inspector::showMaterial(const MaterialParameters& material) {
  constant(tr("density"), "kg/m³", material.density);
  if (material.model == MaterialModel::Liquid) return showLiquid(material);
  constant(tr("Young's modulus"), "kPa", material.E / 1e3);
  constant(tr("Poisson's ratio"), {}, material.nu);
  switch (material.model) {
    case MaterialModel::LinearCorotatedVonMises:
    case MaterialModel::HenckyVonMises:
    case MaterialModel::CorotatedHenckyVonMises:
      fact(tr("yield stress"), "kPa", [material](const Snapshot&) {
        return std::isfinite(material.yieldStress) ? significant(material.yieldStress / 1e3) : tr("none");
      });
      break;
    case MaterialModel::DruckerPrager:
      showSand(material);
      break;
    case MaterialModel::Snow:
      constant(tr("yields compressed"), "%", 100 * material.snowCompression,
               tr("Elastic compression beyond which it packs"));
      constant(tr("yields stretched"), "%", 100 * material.snowStretch,
               tr("Elastic stretch beyond which it breaks"));
      constant(tr("hardening"), {}, material.snowHardening);
      break;
    case MaterialModel::Cloth:
      showCloth(material);
      break;
    default:
      break;
  }
  constant(tr("wave speed"), "m/s", material.waveSpeed(), tr("Of compression waves at rest"));
}

void Inspector::showSand(const MaterialParameters& material) {
  const auto [h0, h1, h2, h3] = material.sandHardening;
  constant(tr("friction angle"), "°", h0 - h3, tr("Of sand that has not flowed yet"));
  constant(tr("after much flow"), "°", h0, tr("Friction angle of sand that has flowed for long"));
  constant(tr("hardening h₁"), "°", h1);
  constant(tr("hardening h₂"), {}, h2);
}

void Inspector::showLiquid(const MaterialParameters& material) {
  constant(tr("bulk modulus"), "kPa", material.bulkModulus / 1e3);
  constant(tr("exponent γ"), {}, material.tait, tr("Of the pressure: B (J^−γ − 1)"));
  constant(tr("viscosity"), "Pa s", material.viscosity);
  constant(tr("speed of sound"), "m/s", material.waveSpeed());
  const bool parts = material.largestJ <= 1;
  fact(tr("pulled apart"), {}, [parts](const Snapshot&) { return parts ? tr("parts") : tr("resists"); });
}

void Inspector::showCloth(const MaterialParameters& material) {
  constant(tr("thickness"), "mm", material.thickness * 1e3);
  constant(tr("normal stiffness"), "kPa", material.normalStiffness / 1e3,
           tr("Against compression of the thickness"));
  constant(tr("layer shear"), "kPa", material.shearStiffness / 1e3, tr("Against shear between layers"));
  constant(tr("layer friction"), {}, material.layerFriction);
  constant(tr("bending stiffness"), "N m", material.bendingStiffness);
}

void Inspector::showBoundary(int boundary) {
  const auto model = session_.model();
  const Boundary& b = model->boundaries[static_cast<std::size_t>(boundary)];
  heading(QString::fromStdString(b.name), tr("boundary"));
  fact(
      tr("kind"), {}, [kind = b.kind](const Snapshot&) { return boundaryWord(kind); }, boundaryTip(b.kind));
  fact(tr("acts"), {},
       [b](const Snapshot& s) { return render::actsAt(b, s.time) ? tr("now") : tr("not now"); });
  if (b.kind != BoundaryKind::Sticky) constant(tr("friction"), {}, b.friction);
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
  fact(tr("x, y, z"), "N",
       [pressed](const Snapshot& s) { return pressed(s, [](const Vec3& f) { return vectorText(f, 1); }); });
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
    if (loop.kind == LoopKind::Distance)
      fact(tr("distance"), "m", [loop](const Snapshot&) { return number(loop.distance, 4); });
    fact(
        tr("gap"), "mm", [loop](const Snapshot& s) { return significant(1e3 * gapOf(loop, s)); },
        tr("How far the loop is from closed"));
  }
}

// ------------------------------------------------------------------------------------------------- rows

void Inspector::addFriction(int geometry, const QString& label) {
  NumberField* edit = field(label, {}, 0, 100, [this, geometry] { return session_.friction(geometry); });
  edit->setToolTip(
      tr("Friction coefficient of this surface, against particles and rigid bodies; in force from the next "
         "step on"));
  fields_.back().geometry = geometry;
  connect(edit, &NumberField::entered, this, [this, geometry](double mu) {
    session_.editParameter(frictionPath(*session_.model(), geometry), {mu});
  });
}

void Inspector::addGravity() {
  for (int axis = 0; axis < 3; ++axis) {
    const QString label = tr("gravity %1").arg(QChar("xyz"[axis]));
    NumberField* edit = field(label, "m/s²", -1000, 1000, [this, axis] { return session_.gravity()[axis]; });
    const std::string path = std::string("gravity.") + "xyz"[axis];
    connect(edit, &NumberField::entered, this,
            [this, path](double value) { session_.editParameter(path, {value}); });
  }
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
  facts_.push_back({label, value, std::move(text)});
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

NumberField* Inspector::field(const QString& label, const QString& unit, double lowest, double highest,
                              std::function<double()> read) {
  grid_->addWidget(new ThemedLabel(label, secondaryColor), row_, kColumnLabel);
  auto* edit = new NumberField(lowest, highest);
  edit->setFixedWidth(84);
  grid_->addWidget(edit, row_, kColumnValue, Qt::AlignRight);
  grid_->addWidget(new ThemedLabel(unit, faintColor), row_++, kColumnUnit);
  fields_.push_back({edit, std::move(read), -1});
  return edit;
}

}  // namespace slipstick::ui
