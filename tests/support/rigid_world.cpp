#include "tests/support/rigid_world.h"

#include <cmath>

namespace slipstick::testing {
namespace {

constexpr double kHalf = 0.06;  // of a crate
constexpr double kBallRadius = 0.04;
constexpr double kWeight = 29.43;  // of a crate [N]
constexpr int kCells = 6;          // polygons along each side of a patch
const Vec3 kBarHalf(0.12, 0.015, 0.01);
const Vec3 kLowerAt(0, 0, kHalf), kUpperAt(0.025, 0.01, 3 * kHalf), kBarAt(0.02, -0.15, 0.01);

int addBody(Model& model, const std::string& name, multibody::JointType type, const Shape& shape,
            const Color& color, ContactRepresentation representation) {
  multibody::Joint joint;
  joint.type = type;
  joint.name = name + "_joint";
  const int body =
      model.tree.add({.name = name + "." + name, .mass = 3, .inertia = Mat3::Identity() * 0.01}, joint);
  model.robots.push_back({name, "", body, body + 1});
  model.visuals.push_back(
      {.name = name, .body = body, .X_BV = {}, .shape = shape, .color = color, .finish = {}});
  Geometry geometry;
  geometry.name = name;
  geometry.body = body;
  geometry.shape = shape;
  geometry.friction = 0.5;
  geometry.contactShape =
      ContactShape::build(shape, {.representation = representation, .modulus = 2e7}).value();
  model.geometries.push_back(geometry);
  model.compositeOf.push_back(type == multibody::JointType::Fixed ? 0 : body);
  return body;
}

Contact contactOf(int body, int other, const Vec3& p, double normal, const Vec3& friction) {
  Contact c{.a = {.body = body, .geometry = body - 1}, .b = {.body = other, .geometry = other - 1}};
  c.p_WC = p;
  c.f_Bc_W = friction - normal * c.normal_W;
  c.gap = -normal * 1e-6;
  c.friction = 0.5;
  c.frictionBound = 0.5 * normal;
  c.slipSpeed = 4e-5;
  c.mode = ContactMode::Stick;
  return c;
}

/// A rectangle in which the pressure rises along x, as squares with their own vertices.
PressurePatch patchOf(int geometry, int other, const Vec3& center, const Eigen::Vector2d& half, double load) {
  PressurePatch patch;
  patch.geometry = geometry;
  patch.otherGeometry = other;
  const double mean = load / (4 * half.x() * half.y());
  const auto vertex = [&](int i, int j) {
    const double x = 2.0 * i / kCells - 1, y = 2.0 * j / kCells - 1;
    patch.vertices.push_back({(center + Vec3(x * half.x(), y * half.y(), 0)).cast<float>(),
                              static_cast<float>(mean * (1 + 0.6 * x))});
  };
  for (int i = 0; i < kCells; ++i)
    for (int j = 0; j < kCells; ++j) {
      for (const auto& [di, dj] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}}) vertex(i + di, j + dj);
      patch.polygonEnds.push_back(static_cast<int>(patch.vertices.size()));
    }
  return patch;
}

/// Four points at the quarters of a rectangle that share a load.
void addFour(Snapshot& s, int body, int other, const Vec3& center, const Eigen::Vector2d& quarter,
             double load, int patch) {
  for (int k = 0; k < 4; ++k) {
    const double x = k % 2 ? 1 : -1, y = k / 2 ? 1 : -1;
    const double normal = load / 4 * (1 + 0.3 * x);
    const Vec3 p = center + Vec3(x * quarter.x(), y * quarter.y(), 0);
    Contact c = contactOf(body, other, p, normal, Vec3(0.2 * normal, 0, 0));
    c.point = k;
    c.patch = patch;
    s.contacts.push_back(c);
  }
}

void addContacts(const RigidWorld& w, double time, Snapshot& s) {
  const double load = kWeight * (1 + 0.1 * std::sin(time));
  const Eigen::Vector2d overlap(kHalf - 0.0125, kHalf - 0.005);
  const Vec3 between(0.0125, 0.005, 2 * kHalf);
  s.patches = {patchOf(w.geometryOf(w.ground), w.geometryOf(w.lower), Vec3::Zero(), {kHalf, kHalf}, 2 * load),
               patchOf(w.geometryOf(w.lower), w.geometryOf(w.upper), between, overlap, load)};
  addFour(s, w.ground, w.lower, Vec3::Zero(), {kHalf / 2, kHalf / 2}, 2 * load, 0);
  addFour(s, w.lower, w.upper, between, overlap / 2, load, 1);
  addFour(s, w.ground, w.bar, {kBarAt.x(), kBarAt.y(), 0}, {kBarHalf.x(), kBarHalf.y()}, 8, -1);
  const Vec3 foot = s.X_WB[static_cast<std::size_t>(w.ball)].p - Vec3(0, 0, kBallRadius);
  Contact ball = contactOf(w.ground, w.ball, foot, 6, Vec3(3, 0, 0));
  ball.point = 0;
  ball.mode = ContactMode::Slip;
  ball.slipSpeed = 0.1;
  s.contacts.push_back(ball);
}

}  // namespace

RigidWorld rigidWorld() {
  using multibody::JointType;
  RigidWorld w;
  Model model;
  model.name = "crates";
  model.title = "Crates, a bar and a ball on the ground";
  model.gravity = {0, 0, -9.81};
  model.compositeOf = {0};
  const auto compliant = ContactRepresentation::Compliant, points = ContactRepresentation::Point;
  w.ground = addBody(model, "ground", JointType::Fixed, shape::Box{Vec3(0.4, 0.3, 0.02)},
                     {0.30f, 0.31f, 0.33f, 1}, compliant);
  w.lower = addBody(model, "lower", JointType::Floating, shape::Box{Vec3::Constant(kHalf)},
                    {0.50f, 0.25f, 0.09f, 1}, compliant);
  w.upper = addBody(model, "upper", JointType::Floating, shape::Box{Vec3::Constant(kHalf)},
                    {0.62f, 0.33f, 0.12f, 1}, compliant);
  w.bar = addBody(model, "bar", JointType::Floating, shape::Box{kBarHalf}, {0.2f, 0.22f, 0.25f, 1}, points);
  w.ball =
      addBody(model, "ball", JointType::Floating, shape::Sphere{kBallRadius}, {0.1f, 0.3f, 0.5f, 1}, points);
  model.loops.push_back({LoopKind::Distance, "tether", w.upper, {}, w.ball, {}, 0.2});
  model.initialQ = model.tree.zeroPosition();
  model.initialV = VecX::Zero(model.tree.nv);
  model.parameters = parametersOf(model);
  model.cameras.push_back({"perspective", {0.35, -0.75, 0.45}, {0, 0, 0.08}, 40, {}});
  w.model = std::make_shared<const Model>(std::move(model));
  return w;
}

std::shared_ptr<const Snapshot> rigidSnapshot(const RigidWorld& w, double time) {
  auto s = std::make_shared<Snapshot>();
  s->time = time;
  s->step = static_cast<std::uint64_t>(std::lround(time / w.model->time.dt));
  const multibody::Tree& tree = w.model->tree;
  s->X_WB.assign(tree.bodies.size(), Pose{});
  s->V_WB.assign(tree.bodies.size(), Velocity{});
  s->contactWrench.assign(tree.bodies.size(), Wrench{});
  s->q = tree.zeroPosition();
  s->v = s->tau = VecX::Zero(tree.nv);
  const auto pose = [&s](int body) -> Pose& { return s->X_WB[static_cast<std::size_t>(body)]; };
  pose(w.ground).p = {0, 0, -0.02};
  pose(w.lower).p = kLowerAt;
  pose(w.upper).p = kUpperAt;
  pose(w.bar).p = kBarAt;
  pose(w.ball).p = {-0.22 + 0.01 * std::sin(time), -0.05, kBallRadius};
  addContacts(w, time, *s);
  for (const Contact& c : s->contacts) {
    const auto a = static_cast<std::size_t>(c.a.body), b = static_cast<std::size_t>(c.b.body);
    s->contactWrench[a] += {c.f_Bc_W, (c.p_WC - s->X_WB[a].p).cross(c.f_Bc_W)};
    s->contactWrench[b] += {-c.f_Bc_W, (c.p_WC - s->X_WB[b].p).cross(-c.f_Bc_W)};
  }
  s->report.rigidIterations = 5;
  s->report.rigidContacts = static_cast<int>(s->contacts.size());
  s->report.rigidPairs = 4;
  return s;
}

}  // namespace slipstick::testing
