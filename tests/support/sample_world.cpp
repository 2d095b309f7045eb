#include "tests/support/sample_world.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace slipstick::testing {
namespace {

constexpr std::array<int, 3> kCount = {37, 16, 10};
const Vec3 kDoughSize(0.32, 0.12, 0.10);
constexpr double kBoardTop = 0.03;
constexpr double kRollerRadius = 0.03;
constexpr double kRollerLength = 0.35;
constexpr double kIndentation = 0.018;
const Color kShell(0.56f, 0.57f, 0.59f, 1);
const Color kAccent(0.62f, 0.30f, 0.06f, 1);
const Color kDark(0.10f, 0.105f, 0.115f, 1);
const Color kWood(0.50f, 0.25f, 0.09f, 1);
const Color kRollerWood(0.62f, 0.33f, 0.12f, 1);

Mat3 rotationTo(const Vec3& z) {
  return Quat::FromTwoVectors(Vec3::UnitZ(), z).toRotationMatrix();
}

void addVisual(Model& model, int body, const Pose& pose, Shape shape, const Color& color) {
  model.visuals.push_back({.name = model.tree.bodies[static_cast<std::size_t>(body)].name + ".visual",
                           .body = body,
                           .X_BV = pose,
                           .shape = std::move(shape),
                           .color = color,
                           .finish = {}});
}

int addBody(Model& model, const std::string& name, multibody::Joint joint, double mass) {
  joint.name = name + "_joint";
  const int body =
      model.tree.add({.name = name, .mass = mass, .inertia = Mat3::Identity() * mass * 0.004}, joint);
  const bool fixed = joint.type == multibody::JointType::Fixed;
  model.compositeOf.push_back(fixed ? model.compositeOf[static_cast<std::size_t>(joint.parent)] : body);
  return body;
}

/// Seven links from the base to the pin's handle: an upper arm that leans out, an elbow, a hand from above.
int addArm(Model& model, const std::string& name, double side) {
  const int first = static_cast<int>(model.tree.bodies.size());
  const std::array<Vec3, 9> points = {Vec3(0.62, 0.42, 0.0),  Vec3(0.62, 0.42, 0.16), Vec3(0.62, 0.42, 0.34),
                                      Vec3(0.60, 0.37, 0.53), Vec3(0.56, 0.29, 0.68), Vec3(0.45, 0.18, 0.66),
                                      Vec3(0.34, 0.08, 0.56), Vec3(0.255, 0.0, 0.42), Vec3(0.215, 0.0, 0.30)};
  const std::array<double, 8> radius = {0.075, 0.07, 0.066, 0.062, 0.06, 0.056, 0.05, 0.042};
  const auto at = [&](std::size_t i) { return Vec3(side * points[i].x(), points[i].y(), points[i].z()); };
  int parent = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    multibody::Joint joint;
    joint.type = i == 0 ? multibody::JointType::Fixed : multibody::JointType::Revolute;
    joint.parent = parent;
    joint.X_PJ = Pose::translation(i == 0 ? at(0) : Vec3(at(i) - at(i - 1)));
    joint.axis = i % 2 == 1 ? Vec3::UnitZ() : Vec3::UnitY();
    const int body = addBody(model, name + ".link_" + std::to_string(i), joint, 2.0);
    const Vec3 along = at(i + 1) - at(i);
    const Pose middle{rotationTo(along.normalized()), along / 2};
    addVisual(model, body, middle, shape::Capsule{radius[i], along.norm()}, i % 3 == 2 ? kAccent : kShell);
    if (i > 0)
      addVisual(model, body, {middle.R, Vec3::Zero()}, shape::Cylinder{radius[i] * 1.08, 0.022}, kDark);
    model.tree.bodies[static_cast<std::size_t>(body)].com = along / 2;
    parent = body;
  }
  const Vec3 hand(side * 0.215, 0, 0.30);
  multibody::Joint joint;
  joint.parent = parent;
  joint.X_PJ = Pose::translation(hand - at(7));
  const int flange = addBody(model, name + ".flange", joint, 0.3);
  addVisual(model, flange, Pose::translation({0, 0, -0.05}), shape::Cylinder{0.036, 0.10}, kShell);
  addVisual(model, flange, Pose::translation({0, 0, -0.115}), shape::Box{Vec3(0.022, 0.032, 0.028)}, kDark);
  model.robots.push_back({name, name + ".urdf", first, flange + 1});
  return flange;
}

int addPin(Model& model) {
  multibody::Joint joint;
  joint.type = multibody::JointType::Floating;
  const int body = addBody(model, "pin.roller", joint, 0.57);
  const Pose alongX{rotationTo(Vec3::UnitX()), Vec3::Zero()};
  addVisual(model, body, alongX, shape::Cylinder{kRollerRadius, kRollerLength}, kRollerWood);
  addVisual(model, body, alongX, shape::Cylinder{0.016, 0.5}, kWood);
  model.robots.push_back({"pin", "", body, body + 1});
  return body;
}

int addBoard(Model& model) {
  multibody::Joint joint;
  joint.X_PJ = Pose::translation({0, 0, kBoardTop / 2});
  const int body = addBody(model, "board.board", joint, 3);
  addVisual(model, body, {}, shape::Box{Vec3(0.26, 0.20, kBoardTop / 2)}, kWood);
  model.robots.push_back({"board", "", body, body + 1});
  return body;
}

void addDough(Model& model) {
  Deformable dough;
  dough.name = "dough";
  dough.end = kCount[0] * kCount[1] * kCount[2];
  dough.spacing = 0.0087;
  dough.material = {.model = MaterialModel::LinearCorotatedVonMises, .E = 2e4, .nu = 0.4, .yieldStress = 1e3};
  dough.color = {0.69f, 0.60f, 0.41f, 1};
  model.deformables.push_back(dough);
  const Vec3 spacing = kDoughSize.cwiseQuotient(Vec3(kCount[0], kCount[1], kCount[2]));
  unsigned seed = 7;
  const auto jitter = [&seed] {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / double(1u << 24) - 0.5;
  };
  for (int k = 0; k < kCount[2]; ++k)
    for (int j = 0; j < kCount[1]; ++j)
      for (int i = 0; i < kCount[0]; ++i) {
        const Vec3 shake =
            k == 0 || k == kCount[2] - 1 ? Vec3(jitter(), jitter(), 0) : Vec3(jitter(), jitter(), jitter());
        model.nodes.x.push_back(Vec3(i + 0.5, j + 0.5, k + 0.5).cwiseProduct(spacing) +
                                Vec3(-kDoughSize.x() / 2, -kDoughSize.y() / 2, kBoardTop) +
                                0.45 * shake.cwiseProduct(spacing));
      }
  const std::size_t n = model.nodes.x.size();
  model.nodes.v.assign(n, Vec3::Zero());
  model.nodes.velocityGradient.assign(n, Mat3::Zero());
  model.nodes.volume.assign(n, spacing.prod());
  model.nodes.mass.assign(n, 1000 * spacing.prod());
}

/// Where the roller's axis is: half a period takes it from one long edge of the dough to the other.
Vec3 rollerCenter(double time) {
  return {0, 0.035 * std::sin(2 * time - 3.08), kBoardTop + kDoughSize.z() + kRollerRadius - kIndentation};
}

struct Push {
  double depth = 0;  ///< how far the roller would overlap the undeformed dough above this point [m]
  Vec3 x = Vec3::Zero();
};

/// The undeformed point pressed down by the roller: columns shorten in proportion, and bulge a little
/// sideways.
Push pressed(const Vec3& x, const Vec3& center) {
  const double dy = x.y() - center.y();
  const bool under = std::abs(dy) < kRollerRadius && std::abs(x.x()) < kRollerLength / 2;
  const double bottom = under ? center.z() - std::sqrt(kRollerRadius * kRollerRadius - dy * dy) : 1.0;
  const double top = kBoardTop + kDoughSize.z();
  const double depth = std::max(0.0, top - bottom);
  const double height = (x.z() - kBoardTop) / kDoughSize.z();
  Vec3 y = x;
  y.z() -= depth * height;
  const double bulge = 0.06 * std::exp(-dy * dy / 0.002) * 4 * height * (1 - height);
  y.x() *= 1 + bulge;
  y.y() += bulge * 0.1 * dy;
  return {depth, y};
}

Contact rollerContact(const SampleWorld& world, const Vec3& x, const Vec3& center, int particle) {
  const double along = x.x() / (kDoughSize.x() / 2);
  const double across = (x.y() - center.y()) / kRollerRadius;
  const double fn = (0.15 + 1.6 * (1 - along * along)) * std::max(0.05, 1 - across * across * 1.5);
  const double mu = 1;
  const bool slips = std::abs(along) > 0.8;
  Contact c{.a = {.body = world.roller, .geometry = world.rollerGeometry},
            .b = {.deformable = 0, .element = particle}};
  c.normal_W = (Vec3(0, x.y() - center.y(), x.z() - center.z())).normalized();
  c.p_WC = Vec3(x.x(), center.y(), center.z()) + kRollerRadius * c.normal_W;
  const Vec3 tangent = Vec3::UnitX().cross(c.normal_W);
  const double ft = slips ? mu * fn : mu * fn * (0.3 + 0.25 * along * along);
  c.f_Bc_W = -fn * c.normal_W + ft * tangent;
  c.gap = -1e-4 * fn;
  c.slipSpeed = slips ? 0.0148 : 0.0003;
  c.friction = mu;
  c.frictionBound = mu * fn;
  c.mode = slips ? ContactMode::Slip : ContactMode::Stick;
  return c;
}

Contact boardContact(const SampleWorld& world, const Vec3& x, double depth, int particle) {
  Contact c{.a = {.body = world.board, .geometry = world.boardGeometry},
            .b = {.deformable = 0, .element = particle}};
  const double fn = 0.05 + 8 * depth;
  c.p_WC = {x.x(), x.y(), kBoardTop};
  c.f_Bc_W = {0.1 * fn, 0.2 * fn, -fn};
  c.gap = -1e-4 * fn;
  c.slipSpeed = 2e-4;
  c.friction = 1;
  c.frictionBound = fn;
  c.mode = ContactMode::Stick;
  return c;
}

void addParticles(const SampleWorld& world, bool boardContacts, Snapshot& s) {
  const Vec3 center = rollerCenter(s.time);
  const int layer = kCount[0] * kCount[1];
  const int n = static_cast<int>(world.model->nodeCount());
  for (int i = 0; i < n; ++i) {
    const Push push = pressed(world.model->nodes.x[static_cast<std::size_t>(i)], center);
    const double gap = (push.x - Vec3(push.x.x(), center.y(), center.z())).norm() - kRollerRadius;
    const double closeness = push.depth > 0 ? std::exp(-gap / 0.02) : 0.35 * std::exp(-gap / 0.015);
    s.particles.push_back(push.x.cast<float>());
    s.stress.push_back(static_cast<float>(250 + 9500 * closeness));
    s.pressure.push_back(static_cast<float>(400 + 6000 * closeness));
    s.speed.push_back(static_cast<float>(0.05 * closeness));
    s.plasticStrain.push_back(static_cast<float>(0.4 * push.depth / kIndentation * closeness));
    if (i >= n - layer && push.depth > 0.6 * kIndentation && i % 2 == 0)
      s.contacts.push_back(rollerContact(world, push.x, center, i));
    if (boardContacts && i < layer) s.contacts.push_back(boardContact(world, push.x, push.depth, i));
  }
}

void addPoses(const SampleWorld& world, Snapshot& s) {
  const multibody::Tree& tree = world.model->tree;
  s.X_WB.assign(tree.bodies.size(), Pose{});
  const Vec3 carried = rollerCenter(s.time);
  for (const multibody::Joint& joint : tree.joints) {
    const auto child = static_cast<std::size_t>(joint.child);
    s.X_WB[child] = s.X_WB[static_cast<std::size_t>(joint.parent)] * joint.X_PJ;
  }
  const auto roller = static_cast<std::size_t>(world.roller);
  const double spin = -carried.y() / kRollerRadius;
  s.X_WB[roller] = {Eigen::AngleAxisd(spin, Vec3::UnitX()).toRotationMatrix(), carried};
  s.V_WB.assign(tree.bodies.size(), Velocity{});
  s.V_WB[roller] = {Vec3(-0.07 * std::cos(2 * s.time - 3.08) / kRollerRadius, 0, 0),
                    Vec3(0, 0.07 * std::cos(2 * s.time - 3.08), 0)};
  const auto floating = tree.joints[roller - 1];
  s.q = tree.zeroPosition();
  s.q.segment<3>(floating.qStart) = carried;
  s.q.segment<2>(floating.qStart + 3) << std::cos(spin / 2), std::sin(spin / 2);
  s.v = VecX::Zero(tree.nv);
  s.v.segment<3>(floating.vStart) = s.V_WB[roller].w;
  s.v.segment<3>(floating.vStart + 3) = s.V_WB[roller].v;
  s.tau = VecX::Zero(tree.nv);
}

void addFacts(const SampleWorld& world, Snapshot& s) {
  s.contactWrench.assign(world.model->tree.bodies.size(), Wrench{});
  for (const Contact& c : s.contacts) {
    const auto body = static_cast<std::size_t>(c.a.body);
    s.contactWrench[body] += {c.f_Bc_W, (c.p_WC - s.X_WB[body].p).cross(c.f_Bc_W)};
  }
  DeformableFacts facts{
      .lower = Vec3::Constant(1e9), .upper = Vec3::Constant(-1e9), .volume = kDoughSize.prod()};
  for (const Eigen::Vector3f& x : s.particles) {
    facts.center += x.cast<double>() / static_cast<double>(s.particles.size());
    facts.lower = facts.lower.cwiseMin(x.cast<double>());
    facts.upper = facts.upper.cwiseMax(x.cast<double>());
  }
  s.deformables = {facts};
  s.report.substeps = 10;
  s.report.contactIterationsMean = 13;
  s.report.contactIterationsMax = 21;
  s.report.rigidIterations = 4;
  s.report.contacts = static_cast<int>(s.contacts.size());
  s.report.activeNodes = 1840;
  s.report.phases = {0.0001, 0.0004, 0.0034, 0.0016, 0.0007, 0.0004};
  s.report.momentumError = 3e-7;
}

}  // namespace

SampleWorld sampleWorld() {
  SampleWorld world;
  Model model;
  model.name = "sample";
  model.title = "Two arms hold a pin over dough";
  model.gravity = {0, 0, -9.81};
  model.gridSpacing = 0.02;
  model.stictionSpeed = 1e-3;
  model.stictionSoftness = kStictionSoftness;
  model.compositeOf = {0};
  world.leftFlange = addArm(model, "left_arm", -1);
  addArm(model, "right_arm", 1);
  world.roller = addPin(model);
  world.board = addBoard(model);
  const Pose alongX{rotationTo(Vec3::UnitX()), Vec3::Zero()};
  world.rollerGeometry = 0;
  world.boardGeometry = 1;
  model.geometries.push_back({"roller",
                              world.roller,
                              alongX,
                              shape::Cylinder{kRollerRadius, kRollerLength},
                              nullptr,
                              nullptr,
                              1,
                              {}});
  model.geometries.push_back(
      {"board", world.board, {}, shape::Box{Vec3(0.26, 0.20, kBoardTop / 2)}, nullptr, nullptr, 1, {}});
  addDough(model);
  model.contactLaws.assign(2, {.friction = 1, .stiffness = 1e3, .dissipation = 10});
  model.softPairs.resize(2);
  model.contactPlaces = {"contact", "bodies.roller.contact", "bodies.board.contact"};
  model.tuning.contact.resize(3);
  for (std::size_t g = 0; g < 2; ++g) {
    model.geometries[g].contactPlaces = {static_cast<int>(g) + 1};
    model.tuning.contact[g + 1].friction = 1;
  }
  model.materials = {"dough"};
  model.tuning.materials = {model.deformables[0].material};
  model.tuning.apicDamping = {model.deformables[0].apicDamping};
  model.parameters = parametersOf(model);
  model.initialQ = model.tree.zeroPosition();
  model.initialV = VecX::Zero(model.tree.nv);
  model.cameras.push_back({"perspective", {0.50, -1.0, 0.68}, {0, 0.0, 0.13}, 40, {}});
  world.model = std::make_shared<const Model>(std::move(model));
  return world;
}

std::shared_ptr<const Snapshot> sampleSnapshot(const SampleWorld& world, double time, bool boardContacts) {
  auto s = std::make_shared<Snapshot>();
  s->time = time;
  s->step = static_cast<std::uint64_t>(std::lround(time / world.model->time.dt));
  s->stateHash = 0x9e3779b97f4a7c15ull * (s->step + 1);
  addPoses(world, *s);
  addParticles(world, boardContacts, *s);
  addFacts(world, *s);
  return s;
}

}  // namespace slipstick::testing
