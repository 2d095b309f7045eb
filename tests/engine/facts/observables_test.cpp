#include "engine/facts/observables.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/engine/runtime/fake_stepper.h"

namespace slipstick {
namespace {

std::shared_ptr<Model> ballSliderAndDough() {
  auto model = testing::oneBodyModel();
  multibody::Joint joint;
  joint.name = "rail.slide";
  joint.type = multibody::JointType::Prismatic;
  model->tree.add({.name = "rail.cart"}, joint);
  Deformable dough;
  dough.name = "dough";
  model->deformables.push_back(dough);
  Boundary wall;
  wall.name = "wall";
  model->boundaries.push_back(wall);
  return model;
}

TEST(Observables, NamesAreUniqueAndCarryTheirUnits) {
  const std::vector<Observable> all = observablesOf(*ballSliderAndDough());
  std::set<std::string> columns;
  for (const Observable& observable : all)
    EXPECT_TRUE(columns.insert(observable.column()).second) << observable.name;
  EXPECT_EQ(all.front().column(), "time [s]");
  for (const char* column :
       {"ball.x [m]", "ball.qw", "ball.vz [m/s]", "ball.contact.fx [N]", "ball.contact.mz [N m]",
        "rail.slide.q [m]", "rail.slide.v [m/s]", "rail.slide.tau [N]", "dough.min_z [m]",
        "dough.volume [m^3]", "wall.force.z [N]", "total.momentum_x [N s]", "contacts",
        "solver.iterations_max"}) {
    EXPECT_TRUE(columns.contains(column)) << column;
  }
}

TEST(Observables, ReadTheirValueFromTheSnapshot) {
  const auto model = ballSliderAndDough();
  Snapshot snapshot;
  snapshot.time = 1.5;
  snapshot.X_WB.resize(3);
  snapshot.X_WB[1] = Pose::fromQuat(Quat(0, 0, 0, 1), {1, 2, 3});
  snapshot.V_WB.resize(3);
  snapshot.contactWrench.resize(3);
  snapshot.contactWrench[1] = {{4, 5, 6}, {7, 8, 9}};
  snapshot.q = VecX::Zero(8);
  snapshot.q[7] = 0.25;
  snapshot.v = VecX::Zero(7);
  snapshot.tau = VecX::Constant(7, 11);
  snapshot.deformables.resize(1);
  snapshot.deformables[0].lower = {0, 0, -2};
  snapshot.contacts.resize(12);
  snapshot.boundaryForce = {{13, 14, 15}};
  std::map<std::string, double> values;
  for (const Observable& observable : observablesOf(*model))
    values[observable.name] = observable.value(snapshot);
  EXPECT_EQ(values["time"], 1.5);
  EXPECT_EQ(values["ball.y"], 2);
  EXPECT_EQ(values["wall.force.y"], 14);
  EXPECT_NEAR(std::abs(values["ball.qz"]), 1, 1e-12);
  EXPECT_EQ(values["ball.contact.fz"], 6);
  EXPECT_EQ(values["ball.contact.mx"], 7);
  EXPECT_EQ(values["rail.slide.q"], 0.25);
  EXPECT_EQ(values["rail.slide.tau"], 11);
  EXPECT_EQ(values["dough.min_z"], -2);
  EXPECT_EQ(values["contacts"], 12);
}

TEST(Observables, ASnapshotMadeOfThemHasThemAgain) {
  const auto model = ballSliderAndDough();
  const std::vector<Observable> all = observablesOf(*model);
  std::vector<double> values(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) values[i] = static_cast<double>(i % 97) + 1;
  const Quat turn = Quat(0.7, -0.1, 0.3, 0.64).normalized();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string& name = all[i].name;
    if (name.ends_with(".qw")) values[i] = turn.w();
    if (name.ends_with(".qx")) values[i] = turn.x();
    if (name.ends_with(".qy")) values[i] = turn.y();
    if (name.ends_with(".qz")) values[i] = turn.z();
    if (name == "contacts") values[i] = 0;
  }
  const Snapshot snapshot = snapshotFrom(model, all, values);
  EXPECT_EQ(snapshot.model, model);
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_NEAR(all[i].value(snapshot), values[i], 1e-13 * (1 + values[i])) << all[i].name;
  EXPECT_TRUE(snapshot.X_WB[1].R.isApprox(turn.toRotationMatrix(), 1e-14));
}

}  // namespace
}  // namespace slipstick
