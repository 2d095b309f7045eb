#include "engine/runtime/packed_snapshot.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "tests/engine/runtime/same_particles.h"
#include "tests/support/allocation_count.h"

namespace slipstick {
namespace {

using testing::expectSameParticles;

using Random = std::mt19937;

Eigen::Vector3f somewhere(Random& random, float size) {
  std::uniform_real_distribution<float> along(-size, size);
  return {along(random), along(random), along(random)};
}

/// A block of edge 2 · size around a centre.
std::shared_ptr<Snapshot> soft(std::size_t count, const Eigen::Vector3f& center, float size) {
  Random random(7);
  std::uniform_real_distribution<float> color(-3e4f, 7e4f);
  auto snapshot = std::make_shared<Snapshot>();
  for (std::size_t i = 0; i < count; ++i) {
    snapshot->particles.emplace_back(center + somewhere(random, size));
    snapshot->speed.push_back(color(random));
    snapshot->stress.push_back(color(random));
    snapshot->pressure.push_back(color(random));
    snapshot->plasticStrain.push_back(0.25f);
  }
  return snapshot;
}

Contact someContact(Random& random, bool rigid, int index) {
  Contact c;
  c.a = {.body = 3, .geometry = 2 + index / 50};
  if (rigid)
    c.b = {.body = 4, .geometry = 5};
  else
    c.b = {.deformable = 1, .element = 100'000 + index};
  c.point = rigid ? index : -1;
  c.patch = rigid && index % 2 == 0 ? index / 10 : -1;
  c.p_WC = somewhere(random, 0.4f).cast<double>();
  c.normal_W = somewhere(random, 1).cast<double>().normalized();
  c.f_Bc_W = somewhere(random, 50).cast<double>();
  c.gap = -1e-5 * (index + 1);
  c.slipSpeed = 0.01 * index;
  c.friction = rigid ? 0.3 : 0.7;
  c.frictionBound = 3.3 * index;
  c.pressure = c.patch >= 0 ? 1000 + index : 0;
  c.mode = static_cast<ContactMode>(index % 3);
  c.law = CompliantLaw{rigid ? 1e5f * static_cast<float>(index + 1) : 2e4, 0.1};
  c.isIndeterminate = rigid && index % 2 == 1;
  return c;
}

TEST(PackedSnapshot, ParticlesAreOffByHalfASixtyFourThousandthOfTheirBlockAtMost) {
  // 10 m from the origin, where floats are 9.5e-7 m apart: a rounding of the sum on top.
  for (const Eigen::Vector3f& center : {Eigen::Vector3f(0, 0, 0), Eigen::Vector3f(10, -7, 3)}) {
    const auto exact = soft(1000, center, 0.2f);
    const auto unpacked = PackedSnapshot(*exact).unpack();
    ASSERT_EQ(unpacked->particles.size(), 1000u);
    const float bound = 0.5f * 0.4f / 65535 + 2 * 9.6e-7f * center.norm() / 10 + 1e-7f;
    for (std::size_t i = 0; i < 1000; ++i)
      EXPECT_LE((unpacked->particles[i] - exact->particles[i]).cwiseAbs().maxCoeff(), bound) << i;
  }
}

TEST(PackedSnapshot, ColoursAreOffByAFiveHundredthOfTheirRangeAtMost) {
  const auto exact = soft(300, Eigen::Vector3f::Zero(), 1);
  const auto unpacked = PackedSnapshot(*exact).unpack();
  for (std::size_t i = 0; i < 300; ++i) {
    EXPECT_NEAR(unpacked->speed[i], exact->speed[i], 1e5 / 510 * 1.001);
    EXPECT_NEAR(unpacked->stress[i], exact->stress[i], 1e5 / 510 * 1.001);
    EXPECT_NEAR(unpacked->pressure[i], exact->pressure[i], 1e5 / 510 * 1.001);
    EXPECT_EQ(unpacked->plasticStrain[i], 0.25f);  // a range of nothing is exact
  }
}

TEST(PackedSnapshot, ContactsKeepTheirKeysAndWhatPeopleRead) {
  Random random(3);
  Snapshot exact;
  for (int i = 0; i < 300; ++i) exact.contacts.push_back(someContact(random, i >= 200, i));
  const auto unpacked = PackedSnapshot(exact).unpack();
  ASSERT_EQ(unpacked->contacts.size(), 300u);
  for (std::size_t i = 0; i < 300; ++i) {
    const Contact &a = exact.contacts[i], &b = unpacked->contacts[i];
    EXPECT_EQ(b.key(), a.key());
    EXPECT_EQ(b.patch, a.patch);
    EXPECT_EQ(b.mode, a.mode);
    EXPECT_EQ(b.friction, a.friction);
    EXPECT_EQ(b.law, a.law);
    EXPECT_EQ(b.isIndeterminate, a.isIndeterminate);
    EXPECT_NEAR(b.gap, a.gap, 1e-7 * std::abs(a.gap));
    EXPECT_NEAR(b.slipSpeed, a.slipSpeed, 1e-7 * a.slipSpeed);
    EXPECT_NEAR(b.frictionBound, a.frictionBound, 1e-7 * a.frictionBound);
    EXPECT_NEAR(b.pressure, a.pressure, 1e-7 * a.pressure);
    EXPECT_LE((b.f_Bc_W - a.f_Bc_W).norm(), 1e-7 * a.f_Bc_W.norm());
    EXPECT_LE((b.p_WC - a.p_WC).cwiseAbs().maxCoeff(), 0.5 * 0.8 / 65535 + 1e-7);
    EXPECT_LE((b.normal_W - a.normal_W).norm(), 1e-4);  // √3 · 2⁻¹⁵, twice for the normalisation
    EXPECT_NEAR(b.normal_W.norm(), 1, 1e-12);
  }
}

TEST(PackedSnapshot, ContactsBetweenDeformablesKeepBothElements) {
  Random random(4);
  Snapshot exact;
  for (int i = 0; i < 60; ++i) {
    Contact c = someContact(random, i % 3 == 0, i);
    if (i % 3 == 1) c.a = {.deformable = i % 2, .element = 7 * i};  // with deformable 1: once itself
    if (i % 4 == 1) c.point = i;
    if (i % 5 == 1) c.gap = 1e-4, c.law = BarrierLaw{1e-3, 1e5};
    if (i % 5 == 2) c.law = HardLaw{};
    if (i % 5 == 3) c.law = {};
    if (i % 7 == 2) c.isIndeterminate = true;
    exact.contacts.push_back(c);
  }
  const auto unpacked = PackedSnapshot(exact).unpackContacts();
  ASSERT_EQ(unpacked->contacts.size(), 60u);
  for (std::size_t i = 0; i < 60; ++i) {
    EXPECT_EQ(unpacked->contacts[i].key(), exact.contacts[i].key()) << i;
    EXPECT_EQ(unpacked->contacts[i].isSelf(), i % 6 == 1) << i;
    EXPECT_EQ(unpacked->contacts[i].law, exact.contacts[i].law) << i;
    EXPECT_EQ(unpacked->contacts[i].isIndeterminate, exact.contacts[i].isIndeterminate) << i;
    EXPECT_NEAR(unpacked->contacts[i].gap, exact.contacts[i].gap, 1e-7 * std::abs(exact.contacts[i].gap));
  }
}

TEST(PackedSnapshot, PatchesKeepTheirPolygons) {
  Random random(5);
  Snapshot exact;
  for (int i = 0; i < 4; ++i) {
    PressurePatch patch{i, i + 1, {}, {}};
    for (int k = 0; k < 3 + 4 + 5; ++k)
      patch.vertices.push_back({somewhere(random, 0.05f), 1e4f + static_cast<float>(k)});
    patch.polygonEnds = {3, 7, 12};
    exact.patches.push_back(patch);
  }
  const auto unpacked = PackedSnapshot(exact).unpack();
  ASSERT_EQ(unpacked->patches.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    const PressurePatch &a = exact.patches[i], &b = unpacked->patches[i];
    EXPECT_EQ(b.geometry, a.geometry);
    EXPECT_EQ(b.otherGeometry, a.otherGeometry);
    EXPECT_EQ(b.polygonEnds, a.polygonEnds);
    ASSERT_EQ(b.vertices.size(), a.vertices.size());
    for (std::size_t k = 0; k < a.vertices.size(); ++k) {
      EXPECT_LE((b.vertices[k].p_W - a.vertices[k].p_W).cwiseAbs().maxCoeff(), 0.5f * 0.1f / 65535 + 1e-8f);
      EXPECT_NEAR(b.vertices[k].pressure, a.vertices[k].pressure, 0.5 * 11 / 65535 + 1e-3);
    }
  }
}

TEST(PackedSnapshot, FactsStayExactAndBytesAreThoseHeld) {
  const auto exact = soft(5920, Eigen::Vector3f::Zero(), 0.2f);
  exact->step = 17;
  exact->time = 0.17;
  exact->q = VecX::LinSpaced(9, 0.1, 0.9);
  exact->X_WB.resize(20);
  exact->stateHash = 0xfeedbeefcafe;
  exact->totals.kineticEnergy = 1.0 / 3;
  exact->deformables.resize(2);
  const PackedSnapshot packed(*exact);
  const auto unpacked = packed.unpack();
  EXPECT_EQ(unpacked->step, 17u);
  EXPECT_EQ(unpacked->time, 0.17);
  EXPECT_EQ(unpacked->q, exact->q);
  EXPECT_EQ(unpacked->stateHash, exact->stateHash);
  EXPECT_EQ(unpacked->totals.kineticEnergy, 1.0 / 3);
  // Per particle 3 · 2 + 4 · 1 bytes; per 128 of them a box of 24 and four ranges of 8.
  EXPECT_GE(packed.byteCount(), 5920u * 10 + 5920 / 128 * 56);
  EXPECT_LE(packed.byteCount(), 5920u * 10 + (5920 / 128 + 1) * 56 + exact->StepFacts::byteCount() + 512);
}

TEST(PackedSnapshot, WhatIsNotANumberDoesNotSpoilItsNeighbours) {
  auto exact = soft(256, Eigen::Vector3f::Zero(), 0.2f);
  exact->stress[5] = std::numeric_limits<float>::quiet_NaN();
  exact->speed[200] = std::numeric_limits<float>::infinity();
  const auto unpacked = PackedSnapshot(*exact).unpack();
  EXPECT_NEAR(unpacked->stress[200], exact->stress[200], 1e5 / 510 * 1.001);
  EXPECT_NEAR(unpacked->speed[5], exact->speed[5], 1e5 / 510 * 1.001);
  EXPECT_TRUE(PackedSnapshot(Snapshot{}).unpack()->particles.empty());
}

TEST(PackedSnapshot, ContactsAloneAreThoseOfTheWhole) {
  auto exact = soft(300, {0, 0, 0}, 0.2f);
  exact->step = 12;
  exact->contactWrench.resize(6);
  exact->contactRemainder.resize(6);
  exact->contactRemainder[4].force = {1, 2, 3};
  Random random(11);
  for (int i = 0; i < 120; ++i) exact->contacts.push_back(someContact(random, i >= 60, i));
  const PackedSnapshot packed(*exact);
  const auto whole = packed.unpack(), contacts = packed.unpackContacts();
  EXPECT_EQ(contacts->step, 12u);
  EXPECT_EQ(contacts->contactRemainder[4].force, Vec3(1, 2, 3));
  EXPECT_TRUE(contacts->particles.empty());
  EXPECT_TRUE(contacts->patches.empty());
  ASSERT_EQ(contacts->contacts.size(), 120u);
  for (std::size_t i = 0; i < 120; ++i) {
    EXPECT_EQ(contacts->contacts[i].key(), exact->contacts[i].key());
    EXPECT_EQ(contacts->contacts[i].f_Bc_W, whole->contacts[i].f_Bc_W);
    EXPECT_EQ(contacts->contacts[i].pressure, whole->contacts[i].pressure);
  }
}

TEST(PackedSnapshot, ParticlesThatWaitAreTheSameForWhoReadsThem) {
  const std::shared_ptr<const Snapshot> exact = soft(1000, Eigen::Vector3f::Zero(), 0.2f);
  const PackedSnapshot atOnce(*exact), later(exact);
  EXPECT_FALSE(atOnce.isWaiting());
  ASSERT_TRUE(later.isWaiting());
  EXPECT_EQ(later.byteCount(), atOnce.byteCount());
  EXPECT_EQ(later.unpackContacts()->particles.size(), 0u);
  EXPECT_TRUE(later.isWaiting());
  expectSameParticles(*later.unpack(), *atOnce.unpack());
  EXPECT_FALSE(later.isWaiting());
  EXPECT_EQ(later.byteCount(), atOnce.byteCount());
}

TEST(PackedSnapshot, TakesAllItsMemoryBeforeItsParticlesArePacked) {
  const std::shared_ptr<const Snapshot> exact = soft(1000, Eigen::Vector3f::Zero(), 0.2f);
  const PackedSnapshot later(exact);
  EXPECT_EQ(exact.use_count(), 2);
  const std::size_t before = testing::allocationCount();
  later.finish();
  EXPECT_EQ(testing::allocationCount(), before);
  EXPECT_EQ(exact.use_count(), 1);
}

TEST(PackedSnapshot, WithoutParticlesNothingWaits) {
  EXPECT_FALSE(PackedSnapshot(std::make_shared<const Snapshot>()).isWaiting());
}

TEST(PackedSnapshot, WhoComesFirstPacksForAllOthers) {
  const std::shared_ptr<const Snapshot> exact = soft(20'000, Eigen::Vector3f::Zero(), 0.2f);
  const auto expected = PackedSnapshot(*exact).unpack();
  const PackedSnapshot later(exact);
  std::vector<std::shared_ptr<const Snapshot>> read(4);
  {
    std::vector<std::jthread> readers;
    for (auto& snapshot : read) readers.emplace_back([&] { snapshot = later.unpack(); });
    later.finish();
  }
  for (const auto& snapshot : read) expectSameParticles(*snapshot, *expected);
}

}  // namespace
}  // namespace slipstick
