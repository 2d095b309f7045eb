// dough_rolling: the pin flattens the dough, friction turns the pin, the two CPU paths agree.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

constexpr double kRollerRadius = 0.03;              // [m]
constexpr double kRollStart = 0.7, kRollEnd = 2.0;  // first roll of the script [s]
constexpr double kRollTravel = 130 * 0.0032;        // [m]

/// Highest particle [m] in each column of 2 cm along x, in the middle third of the dough's width.
std::map<int, double> profile(const Snapshot& snapshot) {
  std::map<int, double> top;
  for (const Eigen::Vector3f& x : snapshot.particles) {
    if (std::abs(x.y()) > 0.02f) continue;
    double& z = top.try_emplace(static_cast<int>(std::floor(x.x() / 0.02f)), -1e9).first->second;
    z = std::max(z, static_cast<double>(x.z()));
  }
  return top;
}

double rmsDistance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]).squaredNorm();
  return std::sqrt(sum / static_cast<double>(a.size()));
}

TEST(DoughRolling, FirstRollFlattensTheDoughAndFrictionTurnsThePin) {
  testing::SceneRun run("dough_rolling");
  ASSERT_TRUE(run.ok());
  EXPECT_NEAR(static_cast<double>(run.model().nodeCount()), 5920, 0.03 * 5920);
  const int joint = run.model().findJoint("pin.spin");
  ASSERT_GE(joint, 0);
  const int coordinate = run.model().tree.joints[static_cast<std::size_t>(joint)].qStart;
  const int roller = run.model().findBody("pin.roller");
  ASSERT_GT(roller, 0);

  const DeformableFacts start = run.snapshot().deformables.at(0);
  const double height = start.upper.z() - start.lower.z();
  double worstVolume = 0;
  run.runTo(kRollStart, [&](const Snapshot& s) {
    worstVolume = std::max(worstVolume, std::abs(s.deformables[0].volume / start.volume - 1));
  });
  const double angleBefore = run.state().q[coordinate];
  const double xBefore = run.snapshot().X_WB[static_cast<std::size_t>(roller)].p.x();
  run.runTo(kRollEnd, [&](const Snapshot& s) {
    worstVolume = std::max(worstVolume, std::abs(s.deformables[0].volume / start.volume - 1));
  });
  const double xAfter = run.snapshot().X_WB[static_cast<std::size_t>(roller)].p.x();

  EXPECT_NEAR(xAfter - xBefore, kRollTravel, 0.01) << "the arms do not follow the script";
  EXPECT_NEAR(std::abs(run.state().q[coordinate] - angleBefore), kRollTravel / kRollerRadius,
              0.25 * kRollTravel / kRollerRadius);

  // Columns that the pin has passed: from one radius after its start to one radius before its end.
  double highest = 0;
  int columns = 0;
  for (const auto& [column, z] : profile(run.snapshot())) {
    const double x = 0.02 * column;
    if (x < xBefore + kRollerRadius || x + 0.02 > xAfter - kRollerRadius) continue;
    highest = std::max(highest, z - start.lower.z());
    ++columns;
  }
  EXPECT_GT(columns, 8);
  EXPECT_LT(highest, 0.8 * height);
  EXPECT_LT(worstVolume, 0.05);
  EXPECT_FALSE(has(run.health(), Health::NotConverged));
  EXPECT_FALSE(has(run.health(), Health::NonFinite));
}

TEST(DoughRolling, ReferenceAndCpuBackendsAgreeAfterFiftySteps) {
  testing::SceneRun reference("dough_rolling", {}, {.method = "async", .backend = "reference", .threads = 1});
  testing::SceneRun cpu("dough_rolling", {}, {.method = "async", .backend = "cpu", .threads = 2});
  ASSERT_TRUE(reference.ok() && cpu.ok());
  for (int i = 0; i < 50; ++i) {
    reference.step();
    cpu.step();
  }
  const int joint = cpu.model().findJoint("pin.spin");
  ASSERT_GE(joint, 0);
  const int coordinate = cpu.model().tree.joints[static_cast<std::size_t>(joint)].qStart;
  EXPECT_LT(rmsDistance(reference.state().soft.x, cpu.state().soft.x), 1e-3);
  EXPECT_NEAR(reference.state().q[coordinate], cpu.state().q[coordinate], 1e-2);
  // The comparison must be about something: by now the pin presses the dough.
  EXPECT_GT(cpu.snapshot().contacts.size(), 0u);
}

TEST(DoughRolling, CpuBackendGivesTheSameBitsForAnyThreadCount) {
  testing::SceneRun one("dough_rolling", {}, {.backend = "cpu", .threads = 1});
  testing::SceneRun two("dough_rolling", {}, {.backend = "cpu", .threads = 2});
  ASSERT_TRUE(one.ok() && two.ok());
  for (int i = 0; i < 60; ++i) {
    one.step();
    two.step();
    ASSERT_EQ(hashOf(one.state()), hashOf(two.state())) << "step " << i + 1;
  }
}

/// Of the contacts that carry 99 % of each pair's force: how many show what Coulomb forbids.
struct Contradictions {
  int contacts = 0, beyondTheCone = 0, fastSticking = 0;

  void count(const Snapshot& snapshot, double stictionSpeed) {
    std::map<std::pair<int, int>, std::vector<const Contact*>> pairs;
    for (const Contact& c : snapshot.contacts)
      if (!c.isRigid()) pairs[{c.a.body, c.b.deformable}].push_back(&c);
    for (auto& [pair, members] : pairs) {
      std::sort(members.begin(), members.end(), [](const Contact* a, const Contact* b) {
        return a->f_Bc_W.squaredNorm() > b->f_Bc_W.squaredNorm();
      });
      double all = 0, carried = 0;
      for (const Contact* c : members) all += c->f_Bc_W.norm();
      for (const Contact* c : members) {
        if (carried >= 0.99 * all) break;
        carried += c->f_Bc_W.norm();
        ++contacts;
        beyondTheCone += c->frictionForce().norm() > 1.02 * c->friction * c->normalForce();
        fastSticking += c->mode == ContactMode::Stick && c->slipSpeed > 3 * stictionSpeed;
      }
    }
  }
};

TEST(DoughRolling, WhatItsContactsShowAgreesWithCoulomb) {
  testing::SceneRun run("dough_rolling");
  ASSERT_TRUE(run.ok());
  run.runTo(kRollStart);
  Contradictions seen;
  run.runTo(kRollEnd, [&](const Snapshot& s) { seen.count(s, run.model().stictionSpeed); });
  std::printf("of %d contacts %d beyond 1.02 μN, %d stick faster than 3 v_s\n", seen.contacts,
              seen.beyondTheCone, seen.fastSticking);
  ASSERT_GT(seen.contacts, 10000);
  EXPECT_LT(seen.beyondTheCone + seen.fastSticking, 0.01 * seen.contacts);
}

TEST(DoughRolling, DrawnForcesAddUpToTheWrenchOfTheRigidSolve) {
  testing::SceneRun run("dough_rolling");
  ASSERT_TRUE(run.ok());
  run.runTo(0.8);
  std::vector<Vec3> force(run.model().tree.bodies.size(), Vec3::Zero());
  double scale = 0;
  for (const Contact& contact : run.snapshot().contacts) {
    force[static_cast<std::size_t>(contact.a.body)] += contact.f_Bc_W;
    scale += contact.f_Bc_W.norm();
  }
  ASSERT_GT(scale, 1);
  for (std::size_t body = 0; body < force.size(); ++body)
    force[body] += run.snapshot().contactRemainder[body].force;
  for (std::size_t body = 0; body < force.size(); ++body)
    EXPECT_LT((force[body] - run.snapshot().contactWrench[body].force).norm(), 1e-9 * scale);
}

}  // namespace
}  // namespace slipstick
