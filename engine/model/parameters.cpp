#include "engine/model/parameters.h"
#include "engine/foundation/path_key.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/foundation/nearest_name.h"
#include "engine/model/method_rows.h"
#include "engine/model/model.h"

namespace slipstick {
namespace {

using Block = ParameterBlock;
using Slot = ParameterSlot;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// A thousand times the earth's, as in a centrifuge: beyond it a number is a slip of the hand [m/s²].
constexpr double kMaxGravity = 1e4;
constexpr Range kFinite{-kInfinity, kInfinity, true, true};
constexpr Range kPositive{0, kInfinity, true, true};
constexpr Range kNonNegative{0, kInfinity, false, true};
/// Beyond it forces overflow; nothing holds tighter than at a thousandth of that.
constexpr Range kFriction{0, 1e6};
constexpr Range kRestitution{0, 1};
constexpr Range kTolerance{0, 1, true, false};
/// Less is lost in rounding, more is not stiction.
constexpr Range kSoftness{1e-12, 1};
constexpr Range kCfl{0, kLargestCfl, true, false};

template <auto kMember>
Slot ofScene(Tuning& t, std::size_t) {
  return &(t.*kMember);
}
template <auto kMember>
Slot ofSolver(Tuning& t, std::size_t) {
  return &(t.solver.*kMember);
}
template <auto kMember>
Slot ofRigidSolver(Tuning& t, std::size_t) {
  return &(t.rigidSolver.*kMember);
}
template <auto kMember>
Slot ofMaterial(Tuning& t, std::size_t index) {
  return &(t.materials[index].*kMember);
}
template <auto kMember>
Slot ofContact(Tuning& t, std::size_t index) {
  return &(t.contact[index].*kMember);
}
template <auto kMember>
Slot ofSurface(Tuning& t, std::size_t index) {
  return &(t.contact[index].rigid.*kMember);
}
template <auto kMember>
Slot ofGains(Tuning& t, std::size_t index) {
  return &(t.controllers[index].gains.*kMember);
}
template <auto kMember>
Slot ofController(Tuning& t, std::size_t index) {
  return &(t.controllers[index].*kMember);
}
Slot ofApicDamping(Tuning& t, std::size_t index) {
  return &t.apicDamping[index];
}
Slot ofPairFriction(Tuning& t, std::size_t index) {
  return &t.pairFriction[index];
}
Slot ofPairRestitution(Tuning& t, std::size_t index) {
  return &t.pairRestitution[index];
}
Slot ofBoundary(Tuning& t, std::size_t index) {
  return &t.boundaryFriction[index];
}
template <auto kMember>
Slot ofJoint(Tuning& t, std::size_t index) {
  return &(t.joints[index].*kMember);
}
Slot ofFrictionAngle(Tuning& t, std::size_t index) {
  return &t.materials[index].sandHardening[0];
}

constexpr std::string_view kSoftnessWhat = "the softness of stiction is not from 1e-12 to 1",
                           kSoftnessRemedy = "write stiction_softness such as 1e-8";
constexpr std::string_view kGains = "write gains of at least 0";

const ParameterKind kKinds[] = {
    {Block::Scene,
     "gravity",
     "m/s²",
     {-kMaxGravity, kMaxGravity},
     "gravity is not from -10000 to 10000 m/s²",
     "write [x, y, z] in m/s², such as [0, 0, -9.81]",
     ofScene<&Tuning::gravity>},
    {Block::Scene, "time.cfl", "", kCfl, "the CFL number is not from 0 to 1.4",
     "write cfl greater than 0, such as 0.5", ofScene<&Tuning::cfl>},
    {Block::Scene, "contact.stiction_speed", "m/s", kPositive, "the stiction speed is not positive",
     "write stiction_speed in m/s, such as 0.001", ofScene<&Tuning::stictionSpeed>},
    {Block::Scene, "contact.stiction_softness", "", kSoftness, kSoftnessWhat, kSoftnessRemedy,
     ofScene<&Tuning::stictionSoftness>},
    {Block::Scene, "solver.relative_tolerance", "", kTolerance, "the tolerance is not from 0 to 1",
     "write relative_tolerance greater than 0, such as 0.05",
     ofSolver<&ContactTolerances::relativeTolerance>},
    {Block::Scene, "solver.absolute_tolerance", "√J", kNonNegative, "the absolute tolerance is negative",
     "write absolute_tolerance of at least 0, such as 1e-14",
     ofSolver<&ContactTolerances::absoluteTolerance>},
    {Block::Scene,
     "solver.max_iterations",
     "",
     {1, 1e6},
     "the iteration limit is not from 1 to 1000000",
     "write max_iterations such as 500",
     ofSolver<&ContactTolerances::maxIterations>},
    {Block::Scene,
     "solver.lag_iterations",
     "",
     {0, 1000},
     "the iterations are not from 0 to 1000",
     "write lag_iterations such as 2, or 0 for friction as published",
     ofSolver<&ContactTolerances::lagIterations>},
    {Block::Scene, "solver.rigid.stiction_speed", "m/s", kPositive, "the stiction speed is not positive",
     "write stiction_speed in m/s, such as 1e-4", ofRigidSolver<&RigidTolerances::stictionSpeed>},
    {Block::Scene, "solver.rigid.stiction_softness", "", kSoftness, kSoftnessWhat, kSoftnessRemedy,
     ofRigidSolver<&RigidTolerances::stictionSoftness>},
    {Block::Scene, "solver.rigid.relaxation_time", "s", kNonNegative, "the relaxation time is negative",
     "write relaxation_time of at least 0, such as 0.1", ofRigidSolver<&RigidTolerances::relaxationTime>},
    {Block::Scene, "solver.rigid.relative_tolerance", "", kTolerance, "the tolerance is not from 0 to 1",
     "write relative_tolerance greater than 0, such as 1e-6",
     ofRigidSolver<&RigidTolerances::relativeTolerance>},
    {Block::Scene,
     "solver.rigid.max_iterations",
     "",
     {1, 1e6},
     "the iteration limit is not from 1 to 1000000",
     "write max_iterations such as 100",
     ofRigidSolver<&RigidTolerances::maxIterations>},
    {Block::Scene,
     "solver.rigid.lag_iterations",
     "",
     {0, 1000},
     "the iterations are not from 0 to 1000",
     "write lag_iterations such as 2",
     ofRigidSolver<&RigidTolerances::lagIterations>},

    {Block::Material, "E", "Pa", kPositive, "Young's modulus E is not positive",
     "write E in Pa, greater than 0", ofMaterial<&MaterialParameters::E>},
    {Block::Material,
     "nu",
     "",
     {-1, 0.5, true, true},
     "Poisson's ratio nu is not between -1 and 0.5",
     "write nu such as 0.3; 0.49 is as incompressible as an explicit step can be",
     ofMaterial<&MaterialParameters::nu>},
    {Block::Material,
     "yield_stress",
     "Pa",
     {0, kInfinity, true},
     "the yield stress is not positive",
     "write yield_stress in Pa, or remove it for no yielding",
     ofMaterial<&MaterialParameters::yieldStress>},
    {Block::Material,
     "friction_angle_deg",
     "°",
     {0, 90, false, true},
     "the friction angle leaves 0 … 90 degrees",
     "write friction_angle_deg such as 35",
     ofFrictionAngle},
    {Block::Material, "hardening_deg", "°, –, –, °", kFinite, "the friction angle leaves 0 … 90 degrees",
     "write friction_angle_deg such as 35, or hardening_deg such as [35, 9, 0.2, 10]",
     ofMaterial<&MaterialParameters::sandHardening>},
    {Block::Material,
     "critical_compression",
     "",
     {0, 1, true, true},
     "the critical compression is not between 0 and 1",
     "write critical_compression such as 0.025",
     ofMaterial<&MaterialParameters::snowCompression>},
    {Block::Material, "critical_stretch", "", kPositive, "the critical stretch is not positive",
     "write critical_stretch such as 0.0075", ofMaterial<&MaterialParameters::snowStretch>},
    {Block::Material, "hardening", "", kNonNegative, "the hardening is negative",
     "write hardening such as 10", ofMaterial<&MaterialParameters::snowHardening>},
    {Block::Material, "bulk_modulus", "Pa", kPositive, "the bulk modulus is not positive",
     "write bulk_modulus in Pa, greater than 0", ofMaterial<&MaterialParameters::bulkModulus>},
    {Block::Material,
     "exponent",
     "",
     {1, 100, true},
     "the exponent is not greater than 1, up to 100",
     "write exponent such as 7",
     ofMaterial<&MaterialParameters::tait>},
    {Block::Material, "viscosity", "Pa s", kNonNegative, "the viscosity is negative",
     "write viscosity in Pa s, of at least 0", ofMaterial<&MaterialParameters::viscosity>},
    {Block::Material, "normal_stiffness", "Pa", kPositive, "the normal stiffness is not positive",
     "write normal_stiffness in Pa, greater than 0", ofMaterial<&MaterialParameters::normalStiffness>},
    {Block::Material, "shear_stiffness", "Pa", kNonNegative, "the shear stiffness is negative",
     "write shear_stiffness in Pa, of at least 0", ofMaterial<&MaterialParameters::shearStiffness>},
    {Block::Material, "layer_friction", "", kNonNegative, "the friction between layers is negative",
     "write layer_friction of at least 0", ofMaterial<&MaterialParameters::layerFriction>},
    {Block::Material, "bending_stiffness", "N m", kNonNegative, "the bending stiffness is negative",
     "write bending_stiffness in N m, of at least 0", ofMaterial<&MaterialParameters::bendingStiffness>},

    {Block::Contact, "friction", "", kFriction, "the friction is not from 0 to 1000000",
     "write friction of at least 0", ofContact<&ContactSpec::friction>},
    {Block::Contact, "restitution", "", kRestitution, "the restitution is not from 0 to 1",
     "write restitution from 0 to 1", ofContact<&ContactSpec::restitution>},
    {Block::Contact, "stiffness", "N/m", kPositive, "the stiffness is not positive",
     "write stiffness greater than 0", ofContact<&ContactSpec::stiffness>,
     ofContact<&ContactSpec::stiffnessFactor>},
    {Block::Contact, "stiffness_factor", "", kPositive, "the stiffness factor is not positive",
     "write stiffness_factor greater than 0, such as 1", ofContact<&ContactSpec::stiffnessFactor>,
     ofContact<&ContactSpec::stiffness>},
    {Block::Contact, "dissipation", "s/m", kNonNegative, "the dissipation is negative",
     "write dissipation of at least 0", ofContact<&ContactSpec::dissipation>},
    {Block::Contact, "rigid.modulus", "Pa", kPositive, "the modulus of its rigid contact is not positive",
     "write modulus greater than 0", ofSurface<&RigidSurfaceSpec::modulus>},
    {Block::Contact, "rigid.stiffness", "N/m", kPositive,
     "the stiffness of its rigid contact is not positive", "write stiffness greater than 0",
     ofSurface<&RigidSurfaceSpec::stiffness>},
    {Block::Contact, "rigid.dissipation", "s/m", kNonNegative,
     "the dissipation of its rigid contact is negative", "write dissipation of at least 0",
     ofSurface<&RigidSurfaceSpec::dissipation>},

    {Block::Deformable,
     "apic_damping",
     "",
     {0, 1},
     "apic_damping is not from 0 to 1",
     "write 1 for APIC, 0 for RPIC",
     ofApicDamping},
    {Block::PairRule, "friction", "", kFriction, "its friction is not from 0 to 1000000",
     "write friction of at least 0", ofPairFriction},
    {Block::PairRule, "restitution", "", kRestitution, "its restitution is not from 0 to 1",
     "write restitution from 0 to 1", ofPairRestitution},
    {Block::Boundary, "friction", "", kFriction, "its friction is not from 0 to 1000000",
     "write 'friction' as 0.5, say", ofBoundary},

    {Block::Servo, "kp", "N m/rad or N/m", kNonNegative, "a gain is negative", kGains, ofGains<&PdGains::kp>},
    {Block::Servo, "kd", "N m s/rad or N s/m", kNonNegative, "a gain is negative", kGains,
     ofGains<&PdGains::kd>},
    {Block::Gripper, "effort", "N or N m", kPositive, "its largest effort is not positive",
     "write 'effort' in N or N m, such as 20", ofController<&ControllerNumbers::effort>},
    {Block::JointEffort, "effort", "N m or N", kFinite, "its effort is not a number", "write a finite number",
     ofController<&ControllerNumbers::effort>},
    {Block::JointVelocity, "velocity", "rad/s or m/s", kFinite, "its velocity is not a number",
     "write a finite number", ofController<&ControllerNumbers::velocity>},
    {Block::JointVelocity, "kd", "N m s/rad or N s/m", kPositive, "its gain kd is not positive",
     "write kd greater than 0", ofGains<&PdGains::kd>},

    {Block::Joint, "damping", "N m s/rad or N s/m", kNonNegative, "the damping of a joint is negative",
     "write a damping of at least 0", ofJoint<&JointNumbers::damping>},
    {Block::Joint, "dry_friction", "N m or N", kNonNegative, "the dry friction of a joint is negative",
     "write a dry friction of at least 0", ofJoint<&JointNumbers::dryFriction>},
    {Block::Joint, "stiffness", "N m/rad or N/m", kNonNegative,
     "the stiffness of a joint's spring is negative", "write a stiffness of at least 0",
     ofJoint<&JointNumbers::stiffness>},
    {Block::Joint, "spring_reference", "rad or m", kFinite, "where a joint's spring rests is not a number",
     "write a finite number", ofJoint<&JointNumbers::springReference>},
};

/// The numbers in a slot, none where nothing is set; and back.
struct ReadSlot {
  ParameterValue operator()(const double* x) const { return {*x}; }
  ParameterValue operator()(const int* x) const { return {static_cast<double>(*x)}; }
  ParameterValue operator()(const Vec3* x) const { return {x->x(), x->y(), x->z()}; }
  ParameterValue operator()(const std::array<double, 4>* x) const { return {x->begin(), x->end()}; }
  ParameterValue operator()(const std::optional<double>* x) const {
    return *x ? ParameterValue{**x} : ParameterValue{};
  }
  ParameterValue operator()(const std::vector<double>* x) const { return *x; }
};

struct WriteSlot {
  const ParameterValue& value;

  void operator()(double* x) const { *x = value[0]; }
  void operator()(int* x) const { *x = static_cast<int>(value[0]); }
  void operator()(Vec3* x) const { *x = {value[0], value[1], value[2]}; }
  void operator()(std::array<double, 4>* x) const { std::copy_n(value.begin(), 4, x->begin()); }
  void operator()(std::optional<double>* x) const {
    *x = value.empty() ? std::nullopt : std::optional(value[0]);
  }
  void operator()(std::vector<double>* x) const { *x = value; }
};

/// Whether a slot takes so many numbers; `entries` are those of a list of gains.
bool fits(std::size_t count, const Slot& slot, std::size_t entries) {
  if (std::holds_alternative<Vec3*>(slot)) return count == 3;
  if (std::holds_alternative<std::array<double, 4>*>(slot)) return count == 4;
  return count == 1 || (count == entries && std::holds_alternative<std::vector<double>*>(slot));
}

Slot slotOf(const ParameterKind& kind, const Tuning& tuning, std::size_t index) {
  return kind.slot(const_cast<Tuning&>(tuning), index);  // read only: what comes of it is copied at once
}

ParameterValue read(const ParameterKind& kind, const Tuning& tuning, std::size_t index) {
  return std::visit(ReadSlot{}, slotOf(kind, tuning, index));
}

/// Whether the friction angle h₀ + (h₁ q − h₃) e^{−h₂ q} stays from 0 to below 90° for any flow q ≥ 0: at its
/// start, its end and its extremum q = 1/h₂ + h₃/h₁.
bool isFrictionAngle(const ParameterValue& h) {
  const auto allowed = [](double degrees) { return degrees >= 0 && degrees < 90; };
  if (h[2] < 0 || !allowed(h[0] - h[3])) return false;
  if (h[2] == 0) return h[1] == 0;  // otherwise it grows without end
  const double extremum = h[1] == 0 ? 0 : std::max(0.0, 1 / h[2] + h[3] / h[1]);
  return allowed(h[0]) && allowed(h[0] + (h[1] * extremum - h[3]) * std::exp(-h[2] * extremum));
}

bool accepts(const ParameterKind& kind, const Slot& slot, const ParameterValue& value) {
  const bool isWhole = kind.isWhole || std::holds_alternative<int*>(slot);
  for (const double x : value)
    if (!kind.range.contains(x) || (isWhole && x != std::floor(x))) return false;
  return !std::holds_alternative<std::array<double, 4>*>(slot) || isFrictionAngle(value);
}

bool contains(const std::vector<std::string>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// Whether a material has the key: of sand, the one of its two that its file can have used; of cloth, no
/// bending stiffness where its mesh was made without.
bool hasKey(const MaterialParameters& material, std::string_view key) {
  const auto& h = material.sandHardening;
  const bool hardens = h[1] != 0 || h[2] != 0 || h[3] != 0;
  if (key == "friction_angle_deg" && hardens) return false;
  if (key == "hardening_deg" && !hardens) return false;
  if (key == "bending_stiffness" && material.bendingStiffness == 0) return false;  // its mesh has no hinges
  return contains(materialKeys(material.model), key);
}

/// Adds the rows of a block, one place after the other.
class Listing {
 public:
  explicit Listing(std::vector<Parameter>& parameters) : parameters_(parameters) {}

  void add(Block block, const std::string& path, const Parameter& common) {
    for (const ParameterKind& kind : kKinds)
      if (kind.block == block) add(kind, path, common);
  }
  /// The keys stand before the name of what they belong to.
  void addBefore(Block block, const std::string& path, const std::string& name, const Parameter& common) {
    for (const ParameterKind& kind : kKinds) {
      if (kind.block != block) continue;
      add(kind, path, common);
      parameters_.back().path += "." + name;
    }
  }
  void add(const ParameterKind& kind, const std::string& path, const Parameter& common) {
    parameters_.push_back(common);
    parameters_.back().kind = &kind;
    parameters_.back().path = path.empty() ? std::string(kind.key) : path + "." + std::string(kind.key);
  }

 private:
  std::vector<Parameter>& parameters_;
};

/// Of the joints that come from a robot's file, have one degree of freedom and numbers in the tuning.
void listJoints(const Model& model, Listing& listing) {
  for (const Robot& robot : model.robots) {
    if (robot.file.empty()) continue;
    const int end = std::min(robot.endBody, static_cast<int>(model.tuning.joints.size()) + 1);
    for (int body = robot.firstBody + 1; body < end; ++body) {
      const auto j = static_cast<std::size_t>(body - 1);  // the joint that leads to it
      const multibody::Joint& joint = model.tree.joints[j];
      if (multibody::velocityCount(joint.type) == 1)
        listing.addBefore(Block::Joint, "robots." + pathKey(robot.name),
                          pathKey(joint.name.substr(robot.name.size() + 1)), {.index = j});
    }
  }
}

/// Of all methods of the program: which of them steps the model may change.
void listOwn(const Model& model, Listing& listing) {
  for (std::size_t i = 0; i < model.tuning.own.size(); ++i)
    listing.add(model.methods->settings()[i], "", {.index = i});
}

/// Rows of one controller, by its kind.
struct ListController {
  Listing& listing;
  std::string path;
  std::size_t index;

  void operator()(const EndEffectorPath& c) const {
    listing.add(Block::Servo, path, {.index = index, .entries = c.joints.size()});
  }
  void operator()(const JointPath& c) const {
    listing.add(Block::Servo, path, {.index = index, .entries = c.joints.size(), .isOptional = c.isGripper});
    if (c.isGripper) listing.add(Block::Gripper, path, {.index = index});
  }
  void operator()(const JointEffort&) const { listing.add(Block::JointEffort, path, {.index = index}); }
  void operator()(const JointVelocity&) const { listing.add(Block::JointVelocity, path, {.index = index}); }
  void operator()(const LinkForce&) const {}
};

/// A parameter, or one entry of its list.
struct Target {
  const Parameter* parameter = nullptr;
  std::optional<std::size_t> entry;
};

/// The name of today of a number that had its unit of the SI as a suffix; empty for all others.
std::string todaysPath(std::string_view path) {
  constexpr std::pair<std::string_view, std::string_view> kBefore[] = {
      {".relaxation_time_s", ".relaxation_time"},
      {".stiffness_N_per_m", ".stiffness"},
      {".dissipation_s_per_m", ".dissipation"},
      {".modulus_Pa", ".modulus"},
  };
  for (const auto& [was, now] : kBefore)
    if (path.ends_with(was)) return std::string(path.substr(0, path.size() - was.size())) + std::string(now);
  return {};
}

const Parameter* find(const Model& model, std::string_view path) {
  // Recordings and programs from before know the names of then.
  if (const std::string today = todaysPath(path); !today.empty()) return find(model, today);
  for (const Parameter& parameter : model.parameters)
    if (parameter.path == path) return &parameter;
  // Recordings from before names were quoted have them as they are.
  for (const Parameter& parameter : model.parameters)
    if (parameter.path.find('"') != std::string::npos) {
      std::string plain;
      for (const std::string& key : keysOfPath(parameter.path).value_or(std::vector<std::string>{}))
        plain += (plain.empty() ? "" : ".") + key;
      if (plain == path) return &parameter;
    }
  return nullptr;
}

/// The entry that the last name of a path means: its place, or an axis.
std::optional<std::size_t> entryNamed(std::string_view name, std::size_t entries) {
  constexpr std::string_view kAxes = "xyz";
  const std::size_t axis = name.size() == 1 ? kAxes.find(name[0]) : std::string_view::npos;
  if (entries == 3 && axis != std::string_view::npos) return axis;
  std::size_t entry = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), entry);
  const bool isPlace = error == std::errc{} && end == name.data() + name.size() && entry < entries;
  return isPlace ? std::optional(entry) : std::nullopt;
}

std::size_t entriesOf(const Parameter& parameter, const Tuning& tuning) {
  const Slot slot = slotOf(*parameter.kind, tuning, parameter.index);
  if (std::holds_alternative<Vec3*>(slot)) return 3;
  if (std::holds_alternative<std::array<double, 4>*>(slot)) return 4;
  return std::holds_alternative<std::vector<double>*>(slot) ? parameter.entries : 1;
}

Result<Target> resolve(const Model& model, const std::string& path, const Tuning& tuning) {
  if (const Parameter* whole = find(model, path)) return Target{whole, std::nullopt};
  const std::size_t dot = path.rfind('.');
  if (dot != std::string::npos) {
    const Parameter* list = find(model, std::string_view(path).substr(0, dot));
    const auto entry =
        list ? entryNamed(std::string_view(path).substr(dot + 1), entriesOf(*list, tuning)) : std::nullopt;
    if (entry && entriesOf(*list, tuning) > 1) return Target{list, entry};
  }
  std::vector<std::string> paths;
  for (const Parameter& parameter : model.parameters) paths.push_back(parameter.path);
  const std::optional<std::string> nearest = nearestName(path, paths);
  return Error{ErrorCode::UnknownName, "no number of this name can change while it runs", path,
               nearest ? "did you mean '" + *nearest + "'?" : "edit the scene's file and open it again"};
}

}  // namespace

Range rangeOf(ParameterBlock block, std::string_view key) {
  for (const ParameterKind& kind : kKinds)
    if (kind.block == block && kind.key == key) return kind.range;
  SIM_REQUIRE(false, key);
  return {};
}

std::string_view unitOf(ParameterBlock block, std::string_view key) {
  for (const ParameterKind& kind : kKinds)
    if (kind.block == block && kind.key == key) return kind.unit;
  SIM_REQUIRE(false, key);
  return {};
}

std::vector<std::string> keysOf(ParameterBlock block) {
  std::vector<std::string> keys;
  for (const ParameterKind& kind : kKinds)
    if (kind.block == block) keys.emplace_back(kind.key);
  return keys;
}

bool setNumber(ParameterBlock block, std::string_view key, double value, std::size_t index, Tuning& tuning) {
  for (const ParameterKind& kind : kKinds) {
    if (kind.block != block || kind.key != key) continue;
    if (!kind.range.contains(value)) return false;
    *std::get<double*>(kind.slot(tuning, index)) = value;
    return true;
  }
  SIM_REQUIRE(false, key);
  return false;
}

std::vector<std::string> materialKeys(MaterialModel model) {
  std::vector<std::string> keys;
  for (const std::string_view key : materialFacts(model).keys)
    if (!key.empty()) keys.emplace_back(key);
  return keys;
}

std::vector<Parameter> parametersOf(const Model& model) {
  std::vector<Parameter> parameters;
  Listing listing(parameters);
  listing.add(Block::Scene, "", {});
  listOwn(model, listing);
  for (std::size_t m = 0; m < model.materials.size(); ++m)
    for (const ParameterKind& kind : kKinds)
      if (kind.block == Block::Material && hasKey(model.tuning.materials[m], kind.key))
        listing.add(kind, "materials." + pathKey(model.materials[m]), {.index = m});
  for (std::size_t place = 0; place < model.contactPlaces.size(); ++place)
    if (!model.contactPlaces[place].empty())
      listing.add(Block::Contact, model.contactPlaces[place], {.index = place, .isOptional = true});
  for (std::size_t d = 0; d < model.deformables.size(); ++d)
    listing.add(Block::Deformable, "deformables." + pathKey(model.deformables[d].name), {.index = d});
  for (std::size_t rule = 0; rule < model.tuning.pairFriction.size(); ++rule)
    for (const ParameterKind& kind : kKinds)
      if (kind.block == Block::PairRule && !read(kind, model.tuning, rule).empty())
        listing.add(kind, "pair_rules." + std::to_string(rule), {.index = rule});
  for (std::size_t b = 0; b < model.boundaries.size(); ++b)
    if (model.boundaries[b].kind != BoundaryKind::Sticky)
      listing.add(Block::Boundary, "boundaries." + pathKey(model.boundaries[b].name), {.index = b});
  for (std::size_t c = 0; c < model.controllers.size(); ++c)
    std::visit(ListController{listing, "controllers." + std::to_string(c), c}, model.controllers[c]);
  listJoints(model, listing);
  return parameters;
}

ParameterValue valueOf(const Parameter& parameter, const Tuning& tuning) {
  return read(*parameter.kind, tuning, parameter.index);
}

bool isWhole(const Parameter& parameter, const Tuning& tuning) {
  return parameter.kind->isWhole ||
         std::holds_alternative<int*>(slotOf(*parameter.kind, tuning, parameter.index));
}

ParameterValue valueOf(const Model& model, const std::string& path, const Tuning& tuning) {
  const Result<Target> target = resolve(model, path, tuning);
  if (!target) return {};
  const ParameterValue whole = valueOf(*target->parameter, tuning);
  if (!target->entry || whole.empty()) return whole;
  return {whole.size() == 1 ? whole[0] : whole[*target->entry]};
}

std::string frictionPath(const Model& model, int geometry) {
  const std::vector<int>& places = model.geometries[static_cast<std::size_t>(geometry)].contactPlaces;
  return model.contactPlaces[static_cast<std::size_t>(places.empty() ? 0 : places.front())] + ".friction";
}

bool isWithin(const ParameterKind& kind, const Tuning& tuning, std::size_t index) {
  return accepts(kind, slotOf(kind, tuning, index), read(kind, tuning, index));
}

const ParameterKind* brokenKind(ParameterBlock block, const Tuning& tuning, std::size_t index) {
  for (const ParameterKind& kind : kKinds) {
    if (kind.block != block) continue;
    if (block == Block::Material && !hasKey(tuning.materials[index], kind.key)) continue;
    if (!isWithin(kind, tuning, index)) return &kind;
  }
  return nullptr;
}

Result<void> setParameter(const Model& model, const std::string& path, const ParameterValue& value,
                          Tuning& tuning) {
  const Result<Target> target = resolve(model, path, tuning);
  if (!target) return target.error();
  const Parameter& parameter = *target->parameter;
  const ParameterKind& kind = *parameter.kind;
  ParameterValue whole = value;
  if (target->entry) {
    if (value.size() != 1)
      return Error{ErrorCode::InvalidValue, "one number is expected here", path, std::string(kind.remedy)};
    whole = valueOf(parameter, tuning);
    if (whole.empty())
      return Error{ErrorCode::InvalidValue, "the list is not set", path, "set all of it: " + parameter.path};
    if (whole.size() == 1) whole.assign(parameter.entries, whole[0]);  // one gain for all joints
    whole[*target->entry] = value[0];
  }
  const Slot slot = kind.slot(tuning, parameter.index);
  const bool isUnset = whole.empty() && parameter.isOptional;
  if (!isUnset && !fits(whole.size(), slot, parameter.entries))
    return Error{ErrorCode::InvalidValue, "a list of " + std::to_string(whole.size()) + " does not fit here",
                 path, std::string(kind.remedy)};
  if (!accepts(kind, slot, whole))
    return Error{ErrorCode::InvalidValue, std::string(kind.what), path, std::string(kind.remedy)};
  std::visit(WriteSlot{whole}, slot);
  const ParameterValue none;
  if (kind.displaces && !isUnset) std::visit(WriteSlot{none}, kind.displaces(tuning, parameter.index));
  return {};
}

}  // namespace slipstick
