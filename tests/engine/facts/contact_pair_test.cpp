// Sides of contacts: bodies, deformables, and a deformable on both.
#include "engine/facts/contact_pair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/facts/contact_columns.h"
#include "engine/facts/pair_force.h"
#include "engine/model/method_rows.h"

namespace slipstick {
namespace {

using ::testing::EndsWith;

constexpr PairSide kTable{0}, kBall{1}, kCube{-1, 0}, kTowel{-1, 1};

Model fewThings() {
  Model model;
  model.tree.add({.name = "ball"}, {});
  model.compositeOf = {0, 1};
  for (const char* name : {"cube", "towel"}) {
    Deformable deformable;
    deformable.name = name;
    model.deformables.push_back(deformable);
  }
  return model;
}

Contact between(const ContactSide& a, const ContactSide& b, const Vec3& force) {
  Contact contact;
  contact.a = a;
  contact.b = b;
  contact.normal_W = -Vec3::UnitZ();
  contact.f_Bc_W = force;
  contact.frictionBound = 4;
  contact.mode = ContactMode::Stick;
  return contact;
}

ContactSide elementOf(int deformable, int element) {
  return {.deformable = deformable, .element = element};
}

TEST(ContactPair, HasADeformableAfterABodyAndTheLaterOfTwoDeformablesFirst) {
  const Model model = fewThings();
  EXPECT_EQ(pairOf(model, kCube, kBall), (ContactPair{kBall, kCube}));
  EXPECT_EQ(pairOf(model, kBall, kCube), (ContactPair{kBall, kCube}));
  EXPECT_EQ(pairOf(model, kTable, kBall), (ContactPair{kBall, kTable}));
  EXPECT_EQ(pairOf(model, kCube, kTowel), (ContactPair{kTowel, kCube}));
  EXPECT_EQ(pairOf(model, kTowel, kCube), (ContactPair{kTowel, kCube}));
  EXPECT_EQ(pairOf(model, kCube, kCube), (ContactPair{kCube, kCube}));
}

TEST(ContactPair, KnowsWhatItsSidesAre) {
  const ContactPair self{kCube, kCube}, soft{kTowel, kCube}, mixed{kBall, kCube}, rigid{kBall, kTable};
  EXPECT_TRUE(self.isSelf() && self.isSoft() && !self.isRigid());
  EXPECT_TRUE(soft.isSoft() && !soft.isSelf() && !soft.isRigid());
  EXPECT_TRUE(!mixed.isSoft() && !mixed.isSelf() && !mixed.isRigid());
  EXPECT_TRUE(rigid.isRigid() && !rigid.isSoft() && !rigid.isSelf());
  EXPECT_TRUE(soft.hasDeformable(1) && soft.hasDeformable(0) && !soft.hasBody(0) && !soft.hasBody(1));
  EXPECT_TRUE(mixed.hasBody(1) && mixed.hasDeformable(0) && !mixed.hasDeformable(1) && !mixed.hasBody(0));
}

TEST(ContactPair, AContactWithItselfIsOneAndNotOneWithABody) {
  const Contact self = between(elementOf(0, 3), elementOf(0, 9), {0, 0, 5});
  EXPECT_TRUE(self.isSelf() && self.isSoft() && !self.isRigid());
  const Contact mixed = between({.body = 1, .geometry = 0}, elementOf(0, 3), {0, 0, 5});
  EXPECT_FALSE(mixed.isSelf() || mixed.isSoft() || mixed.isRigid());
  EXPECT_NE(self.key(), between(elementOf(0, 3), elementOf(0, 8), {}).key());
  EXPECT_EQ(signOn(kCube, self), 1);
}

TEST(ContactPair, ForcesBetweenDeformablesAreOpposite) {
  const Model model = fewThings();
  // Once told of the towel, once of the cube.
  const std::vector<Contact> contacts = {between(elementOf(1, 20), elementOf(0, 3), {1, 0, 5}),
                                         between(elementOf(0, 4), elementOf(1, 21), {0, 0, -3})};
  const std::vector<PairForce> forces = pairForces(model, contacts);
  ASSERT_EQ(forces.size(), 1u);
  EXPECT_EQ(forces[0].side, kTowel);
  EXPECT_EQ(forces[0].force, Vec3(1, 0, 8));
  EXPECT_EQ(forces[0].touching, 2);
  const PairForce other = forces[0].onOther();
  EXPECT_EQ(other.side, kCube);
  EXPECT_EQ(other.force, Vec3(-1, 0, -8));
  EXPECT_EQ(other.onOther().side, kTowel);
}

TEST(ContactPair, ContactsOfADeformableWithItselfAreAPairOfTheirOwn) {
  const Model model = fewThings();
  const std::vector<Contact> contacts = {between(elementOf(0, 3), elementOf(0, 9), {2, 0, 5}),
                                         between({.body = 1, .geometry = 0}, elementOf(0, 3), {0, 0, 1}),
                                         between(elementOf(1, 20), elementOf(0, 3), {0, 0, 2})};
  EXPECT_EQ(pairForces(model, contacts).size(), 3u);
  const PairForce self = pairForce(model, contacts, {kCube, kCube});
  EXPECT_EQ(self.force, Vec3(2, 0, 5)) << "on the elements that are told first";
  EXPECT_EQ(self.normalSum, 5);
  EXPECT_EQ(self.frictionBound, 4);
  EXPECT_EQ(self.sticking, 2);
}

TEST(ContactPair, TablesNameBothDeformablesWhereTheMethodTellsThem) {
  Model model = fewThings();
  Contact contact = between(elementOf(1, 20), elementOf(0, 3), {0, 0, 5});
  contact.gap = 0.5;
  StepFacts step;
  const auto commas = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
  EXPECT_EQ(commas(contactHeader(model).line()), 24);
  EXPECT_EQ(commas(contactRow(model, step, contact).line()), 24);
  auto rows = std::make_shared<MethodRows>();
  rows->softContacts = true;
  model.own = rows;
  EXPECT_THAT(contactHeader(model).line(), EndsWith(",mode,on_deformable,on_particle,gap [m]\n"));
  const std::string line = contactRow(model, step, contact).line();
  EXPECT_EQ(line.substr(0, 19), "0,0,,,cube,3,,,,0,0") << line;
  EXPECT_THAT(line, EndsWith(",stick,towel,20,0.5\n"));
}

}  // namespace
}  // namespace slipstick
