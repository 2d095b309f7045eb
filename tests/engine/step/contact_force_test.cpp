#include "engine/step/contact_force.h"

#include <gtest/gtest.h>

namespace slipstick {
namespace {

TouchImpulse pressing(double friction) {
  TouchImpulse sum;
  sum.particle = 5;
  sum.geometry = 2;
  sum.impulse = {friction, 0, 0.03};
  sum.point = {1, 2, 3};
  sum.normal = Vec3::UnitZ();
  sum.frictionBound = 0.015;
  sum.penetration = 1e-3;
  sum.slipSpeed = 0.2;
  return sum;
}

ContactLaw withFriction(double friction) {
  return {.friction = friction, .stiffness = 1e4, .dissipation = 0.25};
}

TEST(ContactForce, IsTheNegativeImpulseOverTheStep) {
  const Contact contact = contactFrom(pressing(0.01), 0.01, 4, 1, withFriction(0.5), 1e-3);
  EXPECT_TRUE(contact.f_Bc_W.isApprox(Vec3(-1, 0, -3), 1e-15));
  EXPECT_DOUBLE_EQ(contact.normalForce(), 3);
  EXPECT_TRUE(contact.frictionForce().isApprox(Vec3(-1, 0, 0), 1e-15));
  EXPECT_DOUBLE_EQ(contact.frictionBound, 0.5 * contact.normalForce()) << "μN of the N shown";
  EXPECT_EQ(contact.a.body, 4);
  EXPECT_EQ(contact.a.geometry, 2);
  EXPECT_EQ(contact.b.deformable, 1);
  EXPECT_EQ(contact.b.element, 5);
  EXPECT_EQ(contact.p_WC, Vec3(1, 2, 3));
  EXPECT_EQ(contact.penetration(), 1e-3);
  EXPECT_EQ(contact.slipSpeed, 0.2);
  EXPECT_EQ(contact.friction, 0.5);
  EXPECT_EQ(contact.law, ForceLaw(CompliantLaw{1e4, 0.25}));
  EXPECT_FALSE(contact.isIndeterminate);
}

TEST(ContactForce, SticksUpToThreeStictionSpeedsAndSlipsBeyond) {
  TouchImpulse sum = pressing(0.01);
  sum.slipSpeed = 2.9e-3;
  EXPECT_EQ(contactFrom(sum, 0.01, 0, 0, withFriction(0.5), 1e-3).mode, ContactMode::Stick);
  sum.slipSpeed = 3.1e-3;
  EXPECT_EQ(contactFrom(sum, 0.01, 0, 0, withFriction(0.5), 1e-3).mode, ContactMode::Slip);
}

TEST(ContactForce, WithoutFrictionNothingHolds) {
  TouchImpulse sum = pressing(0);
  sum.slipSpeed = 0;
  EXPECT_EQ(contactFrom(sum, 0.01, 0, 0, withFriction(0), 1e-3).mode, ContactMode::Slip);
}

TEST(ContactForce, AContactWithoutImpulseIsOpen) {
  TouchImpulse sum = pressing(0);
  sum.impulse.setZero();
  EXPECT_EQ(contactFrom(sum, 0.01, 0, 0, withFriction(0.5), 1e-3).mode, ContactMode::Open);
}

TEST(ContactForce, HasTheLawThatItsMethodTells) {
  TouchImpulse sum = pressing(0.01);
  sum.law = BarrierLaw{1e-3, 50};
  EXPECT_EQ(contactFrom(sum, 0.01, 4, 1, withFriction(0.5), 1e-3).law, ForceLaw(BarrierLaw{1e-3, 50}));
}

/// Nodes 0 … 4 are those of the first, 5 … 8 those of the second.
Model twoSoftBodies() {
  Model model;
  model.deformables.resize(2);
  model.deformables[0].end = 5;
  model.deformables[1].begin = 5;
  model.deformables[1].end = 9;
  model.stictionSpeed = 1e-3;
  return model;
}

SoftTouchImpulse squeezed(int nodeA, int nodeB) {
  SoftTouchImpulse sum{.nodeA = nodeA, .nodeB = nodeB};
  sum.impulse = {0.01, 0, -0.03};
  sum.point = {1, 2, 3};
  sum.gap = 2e-4;
  sum.slipSpeed = 0.2;
  sum.friction = 0.5;
  sum.isIndeterminate = true;
  sum.law = HardLaw{};
  return sum;
}

TEST(ContactForce, OfTwoSoftBodiesIsTheImpulseOnTheFirstOverTheStep) {
  const Contact contact = contactFrom(squeezed(2, 7), twoSoftBodies(), 0.01);
  EXPECT_EQ(contact.a, (ContactSide{.deformable = 0, .element = 2}));
  EXPECT_EQ(contact.b, (ContactSide{.deformable = 1, .element = 7}));
  EXPECT_TRUE(contact.isSoft());
  EXPECT_TRUE(contact.f_Bc_W.isApprox(Vec3(1, 0, -3), 1e-15));
  EXPECT_DOUBLE_EQ(contact.normalForce(), 3);
  EXPECT_DOUBLE_EQ(contact.frictionBound, 1.5);
  EXPECT_EQ(contact.gap, 2e-4) << "which is still open";
  EXPECT_EQ(contact.mode, ContactMode::Slip);
  EXPECT_EQ(contact.law, ForceLaw(HardLaw{}));
  EXPECT_TRUE(contact.isIndeterminate);
}

TEST(ContactForce, OfTwoSoftBodiesStandBehindThoseWithShapes) {
  Model model = twoSoftBodies();
  model.geometries.resize(3);
  model.contactLaws.resize(6);
  SoftOutcome outcome;
  outcome.softContacts.push_back(squeezed(7, 8));
  outcome.contacts.push_back(pressing(0.01));
  std::vector<Contact> contacts;
  contactsFrom(outcome, model, 0.01, contacts);
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_TRUE(contacts[0].a.isRigid());
  EXPECT_TRUE(contacts[1].isSelf());
}

TEST(ContactForce, NamesTheDeformableThatOwnsTheParticleAndTheEditedFriction) {
  Model model = twoSoftBodies();
  model.geometries.resize(3);
  model.geometries[2].body = 7;
  model.contactLaws.resize(6);
  model.contactLaws[5].friction = 0.8;
  SoftOutcome result;
  result.contacts.push_back(pressing(0.01));
  std::vector<Contact> contacts;
  contactsFrom(result, model, 0.01, contacts);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].b.deformable, 1);
  EXPECT_EQ(contacts[0].a.body, 7);
  EXPECT_EQ(contacts[0].friction, 0.8);
}

}  // namespace
}  // namespace slipstick
