// Things that move further in a step than what is in their way is thick, where all lengths are known.
#include "engine/step/fast_bodies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "engine/geometry/contact_shape.h"

namespace slipstick {
namespace {

using ::testing::IsEmpty;

constexpr double kRadius = 0.01;  // of balls [m]
const shape::Box kPlate{Vec3(0.5, 0.5, 0.01)};

/// Bodies with a way each; Δt = 10 ms.
struct Fast : ::testing::Test {
  Fast() {
    model->time.dt = 0.01;
    model->compositeOf = {0};
    from = to = {Pose{}};
    V_WB.resize(1);
  }
  int add(const Shape& shape, const Pose& start, const Vec3& way, bool moves = true) {
    const int body = static_cast<int>(model->compositeOf.size());
    multibody::Joint joint;
    joint.type = moves ? multibody::JointType::Floating : multibody::JointType::Fixed;
    model->tree.add({.name = "body", .mass = 1}, joint);
    model->compositeOf.push_back(moves ? body : 0);
    from.push_back(start);
    to.push_back({start.R, start.p + way});
    V_WB.push_back({Vec3::Zero(), way / model->time.dt});
    addShape(body, shape, {});
    return body;
  }
  int add(const Shape& shape, const Vec3& start, const Vec3& way) {
    return add(shape, Pose::translation(start), way);
  }
  int addPlate(const Pose& X_WB = {}) { return add(kPlate, X_WB, Vec3::Zero(), false); }
  void addShape(int body, const Shape& shape, const Pose& X_BG) {
    Geometry geometry;
    geometry.body = body;
    geometry.X_BG = X_BG;
    geometry.shape = shape;
    geometry.contactShape =
        ContactShape::build(shape, {.representation = ContactRepresentation::Point}).value();
    model->geometries.push_back(geometry);
  }
  std::vector<HealthNote> notes() {
    std::vector<HealthNote> found;
    const std::shared_ptr<const Model> shared = model;
    FastBodies bodies;
    bodies.find({shared, from, to, V_WB, particles, particleInterval, keepsVelocity}, found);
    return found;
  }
  /// A soft body that fills a box, of particles 2 mm apart.
  void addSoft(const Vec3& lower, const Vec3& upper, const Vec3& velocity = Vec3::Zero()) {
    model->deformables.emplace_back().spacing = 2e-3;
    model->contactLaws.resize(model->deformables.size() * model->geometries.size());
    DeformableSums& sums = soft.deformables.emplace_back();
    sums.mass = 3;
    sums.momentum = 3 * velocity;
    sums.lower = lower;
    sums.upper = upper;
    particles = &soft;
  }

  std::shared_ptr<Model> model = std::make_shared<Model>();
  std::vector<Pose> from, to;
  std::vector<Velocity> V_WB;
  SoftFacts soft;
  const SoftFacts* particles = nullptr;
  double particleInterval = 0;
  bool keepsVelocity = false;
};

void expectNote(const std::vector<HealthNote>& notes, int body, int other, int deformable, double value,
                double limit) {
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].flag, Health::FastBody);
  EXPECT_EQ(notes[0].body, body);
  EXPECT_EQ(notes[0].other, other);
  EXPECT_EQ(notes[0].deformable, deformable);
  EXPECT_NEAR(notes[0].value, value, 1e-6);
  EXPECT_NEAR(notes[0].limit, limit, 1e-6);
}

// ---- bodies

TEST_F(Fast, WithoutShapesNothingIsFast) {
  EXPECT_THAT(notes(), IsEmpty());
}

TEST_F(Fast, WhatMovesThroughAPlateInOneStepIsNoted) {
  const int plate = addPlate(), ball = add(shape::Sphere{kRadius}, {0, 0, 0.095}, {0, 0, -0.2});
  // 0.2 m, where plate and ball are 20 mm thick each.
  expectNote(notes(), ball, plate, -1, 0.2, 0.04);
}

TEST_F(Fast, TheFasterOneIsNamedFirstWhateverTheirOrder) {
  const int ball = add(shape::Sphere{kRadius}, {0, 0, 0.095}, {0, 0, -0.2}), plate = addPlate();
  expectNote(notes(), ball, plate, -1, 0.2, 0.04);
}

TEST_F(Fast, WhatGoesNoFurtherThanBothAreThickIsSeen) {
  addPlate();
  add(shape::Sphere{kRadius}, {0, 0, 0.035}, {0, 0, -0.0399});
  EXPECT_THAT(notes(), IsEmpty());
}

TEST_F(Fast, WhatMissesIsFine) {
  add(shape::Sphere{kRadius}, {0.08, 0.08, 0}, Vec3::Zero());
  // Its box sweeps over that ball, its way does not.
  add(shape::Sphere{kRadius}, {0.1, -0.1, 0}, {-0.2, 0.2, 0});
  EXPECT_THAT(notes(), IsEmpty());
}

TEST_F(Fast, WhatFliesAwayIsFine) {
  addPlate();
  add(shape::Sphere{kRadius}, {0, 0, 0.095}, {0, 0, 0.2});
  EXPECT_THAT(notes(), IsEmpty());
}

TEST_F(Fast, WhatTouchesAtItsStartIsSeen) {
  addPlate();
  add(shape::Sphere{kRadius}, {0, 0, 0.015}, {0, 0, -0.2});
  EXPECT_THAT(notes(), IsEmpty());
}

TEST_F(Fast, TwoThatComeTowardsEachOtherAreFastTogether) {
  // 30 mm each: less than both are thick, but not together.
  add(shape::Sphere{kRadius}, {-0.025, 0, 0}, {0.03, 0, 0});
  add(shape::Sphere{kRadius}, {0.025, 0, 0}, {-0.03, 0, 0});
  const std::vector<HealthNote> found = notes();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].value, 0.06, 1e-9);
  EXPECT_NEAR(found[0].limit, 0.04, 1e-9);
}

TEST_F(Fast, TwoThatFlyTogetherAreNot) {
  add(shape::Sphere{kRadius}, {0, 0, 0.021}, {0, 0, -0.5});
  add(shape::Sphere{kRadius}, {0, 0, 0}, {0, 0, -0.5});
  EXPECT_THAT(notes(), IsEmpty());
}

TEST_F(Fast, HowThickAThingIsDependsOnWhereItIsHit) {
  addPlate();
  // At its edge the plate is a metre thick.
  add(shape::Sphere{kRadius}, {0.555, 0, 0}, {-0.2, 0, 0});
  EXPECT_THAT(notes(), IsEmpty());
}

TEST_F(Fast, AThingIsAsThickAsItIsTurned) {
  const double quarter = std::numbers::pi / 2;
  const int plate = addPlate(Pose::fromRpy({0, quarter, 0}, Vec3::Zero()));
  const int ball = add(shape::Sphere{kRadius}, {0.095, 0, 0}, {-0.2, 0, 0});
  expectNote(notes(), ball, plate, -1, 0.2, 0.04);
  // The same where the shape is turned in its body.
  model->geometries[0].X_BG = Pose::fromRpy({0, -quarter, 0}, Vec3::Zero());
  EXPECT_THAT(notes(), IsEmpty()) << "now it lies again, and the ball comes from within its plane";
}

TEST_F(Fast, ShapesThatDoNotMeetPassThroughEachOther) {
  addPlate();
  add(shape::Sphere{kRadius}, {0, 0, 0.095}, {0, 0, -0.2});
  model->pairExceptions = {{.a = 0, .b = 1, .enabled = false}};
  EXPECT_THAT(notes(), IsEmpty());
  model->pairExceptions.clear();
  EXPECT_EQ(notes().size(), 1u);
  model->geometries[1].contactShape = nullptr;
  EXPECT_THAT(notes(), IsEmpty());
}

TEST_F(Fast, AHalfSpaceIsThickEnough) {
  add(shape::Plane{}, Pose{}, Vec3::Zero(), false);
  add(shape::Sphere{kRadius}, {0, 0, 0.095}, {0, 0, -0.2});
  EXPECT_THAT(notes(), IsEmpty());
}

TEST_F(Fast, APairOfBodiesIsNotedOnce) {
  const int plate = addPlate(), ball = add(shape::Sphere{kRadius}, {0, 0, 0.095}, {0, 0, -0.2});
  addShape(ball, shape::Sphere{kRadius}, Pose::translation({0.1, 0, 0}));
  expectNote(notes(), ball, plate, -1, 0.2, 0.04);
}

TEST_F(Fast, EachPairOfBodiesHasItsNote) {
  addPlate();
  add(shape::Sphere{kRadius}, {0, 0, 0.095}, {0, 0, -0.2});
  add(shape::Sphere{kRadius}, {0.1, 0, 0.095}, {0, 0, -0.2});
  EXPECT_EQ(notes().size(), 2u);
}

TEST_F(Fast, OneThatIsAskedAgainSeesWhatHasChanged) {
  addPlate();
  add(shape::Sphere{kRadius}, {0, 0, 0.095}, {0, 0, -0.2});
  FastBodies bodies;
  const std::shared_ptr<const Model> first = model;
  std::vector<HealthNote> found;
  bodies.find({first, from, to, V_WB}, found);
  EXPECT_EQ(found.size(), 1u);
  bodies.find({first, from, to, V_WB}, found);
  EXPECT_EQ(found.size(), 1u) << "what is noted already is not noted again";
  to[2] = from[2];
  found.clear();
  bodies.find({first, from, to, V_WB}, found);
  EXPECT_THAT(found, IsEmpty());
}

// ---- bodies and particles

TEST_F(Fast, WhatParticlesLookForTooRarelyIsNoted) {
  const int ball = add(shape::Sphere{kRadius}, {0, 0, 0.095}, {0, 0, -0.2});  // at 20 m/s
  addSoft({-0.1, -0.1, -0.05}, {0.1, 0.1, 0.05});
  particleInterval = 2e-3;
  expectNote(notes(), ball, -1, 0, 20 * 2e-3, 0.02);
  particleInterval = 0.9e-3;
  EXPECT_THAT(notes(), IsEmpty());
  particleInterval = 0;
  EXPECT_THAT(notes(), IsEmpty()) << "they foresee it";
}

TEST_F(Fast, ParticlesThatMoveAlongAreNotGoneThrough) {
  add(shape::Sphere{kRadius}, {0, 0, 0.095}, {0, 0, -0.2});
  addSoft({-0.1, -0.1, -0.05}, {0.1, 0.1, 0.05}, {0, 0, -19.9});
  particleInterval = 2e-3;
  EXPECT_THAT(notes(), IsEmpty());
}

TEST_F(Fast, ParticlesMayHitABodyAtRest) {
  const int ball = add(shape::Sphere{kRadius}, {0, 0, 0.095}, Vec3::Zero());
  addSoft({-0.1, -0.1, -0.05}, {0.1, 0.1, 0.05}, {0, 0, 20});
  particleInterval = 2e-3;
  expectNote(notes(), ball, -1, 0, 20 * 2e-3, 0.02);
}

TEST_F(Fast, SoftBodiesThatAreNotInTheWayAreFine) {
  add(shape::Sphere{kRadius}, {0, 0, 0.095}, {0, 0, 0.2});
  addSoft({-0.1, -0.1, -0.05}, {0.1, 0.1, 0.05});
  particleInterval = 2e-3;
  EXPECT_THAT(notes(), IsEmpty());
}

TEST_F(Fast, SoftBodiesThatDoNotTouchTheShapeAreFine) {
  add(shape::Sphere{kRadius}, {0, 0, 0.095}, {0, 0, -0.2});
  addSoft({-0.1, -0.1, -0.05}, {0.1, 0.1, 0.05});
  addSoft({-0.1, -0.1, -0.05}, {0.1, 0.1, 0.05});
  particleInterval = 2e-3;
  model->contactLaws[0].enabled = false;
  const std::vector<HealthNote> found = notes();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].deformable, 1);
}

TEST_F(Fast, ABodyThatKeepsItsVelocityMayGoThroughASoftBodyAsAWhole) {
  const int ball = add(shape::Sphere{kRadius}, {0, 0, 0.095}, {0, 0, -0.2});
  addSoft({-0.1, -0.1, -0.05}, {0.1, 0.1, 0.05});
  keepsVelocity = true;
  // The soft body is 100 mm deep, and particles are the middles of cells of 2 mm.
  expectNote(notes(), ball, -1, 0, 0.2, 0.02 + 0.102);
  soft.deformables[0].lower.z() = -0.5;
  EXPECT_THAT(notes(), IsEmpty()) << "deep enough";
}

TEST_F(Fast, ABodyThatIsInASoftBodyAlreadyIsSeen) {
  add(shape::Sphere{kRadius}, {0, 0, 0.05}, {0, 0, -0.2});
  addSoft({-0.1, -0.1, -0.05}, {0.1, 0.1, 0.05});
  keepsVelocity = true;
  EXPECT_THAT(notes(), IsEmpty());
}

TEST_F(Fast, ABodyOnAPathKeepsItsVelocityByRight) {
  add(shape::Sphere{kRadius}, {0, 0, 0.095}, {0, 0, -0.2});
  addSoft({-0.1, -0.1, -0.05}, {0.1, 0.1, 0.05});
  keepsVelocity = true;
  model->prescribed = {{.joint = 0, .path = 0}};
  EXPECT_THAT(notes(), IsEmpty());
}

/// The way through the middle of a shape along a direction, which is the limit of what goes through particles.
TEST_F(Fast, AShapeIsAsThickAsTheWayThroughItsMiddle) {
  const Vec3 x = Vec3::UnitX(), z = Vec3::UnitZ(), between = Vec3(1, 0, 1).normalized();
  struct Case {
    Shape shape;
    Vec3 direction;
    double limit;
  };
  const double root = std::numbers::sqrt2;
  const std::vector<Case> cases = {
      {shape::Box{{0.01, 0.02, 0.03}}, x, 0.02},
      {shape::Box{{0.01, 0.02, 0.03}}, z, 0.06},
      {shape::Box{{0.01, 0.02, 0.03}}, between, 0.02 * root},  // out by the nearer faces
      {shape::Capsule{0.01, 0.05}, x, 0.02},
      {shape::Capsule{0.01, 0.05}, z, 0.07},
      {shape::Capsule{0.01, 0.05}, between, 0.02 * root},
      {shape::Cylinder{0.01, 0.05}, x, 0.02},
      {shape::Cylinder{0.01, 0.05}, z, 0.05},
      {shape::Cylinder{0.01, 0.015}, between, 0.015 * root},  // out by its ends
      {shape::Ellipsoid{{0.01, 0.02, 0.03}}, x, 0.02},
      {shape::Ellipsoid{{0.01, 0.02, 0.03}}, z, 0.06},
      // (s/√2)² (1/0.01² + 1/0.03²) = 1 with s half of the way
      {shape::Ellipsoid{{0.01, 0.02, 0.03}}, between, 2 * root / std::sqrt(1 / 1e-4 + 1 / 9e-4)}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(i);
    *model = Model();
    model->time.dt = 0.01;
    model->compositeOf = {0};
    from = to = {Pose{}};
    V_WB.assign(1, {});
    soft = {};
    add(cases[i].shape, -0.1 * cases[i].direction, 0.2 * cases[i].direction);
    addSoft(Vec3::Constant(-0.05), Vec3::Constant(0.05));
    particleInterval = 0.01;
    expectNote(notes(), 1, -1, 0, 0.2, cases[i].limit);
  }
}

}  // namespace
}  // namespace slipstick
