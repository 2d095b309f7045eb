// Whose contacts are drawn, and on which side.
#include "render/shown_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/render/frame_input.h"

namespace slipstick::render {
namespace {

using multibody::JointType;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A model of bodies and joints alone.
struct Bodies {
  Model model;

  int add(int parent = 0, JointType type = JointType::Revolute) {
    multibody::Joint joint;
    joint.type = type;
    joint.parent = parent;
    const int body = model.tree.add({.name = std::to_string(model.tree.bodies.size())}, joint);
    model.compositeOf.resize(model.tree.bodies.size());
    model.compositeOf[static_cast<std::size_t>(body)] =
        type == JointType::Fixed ? model.compositeOf[static_cast<std::size_t>(parent)] : body;
    return body;
  }
  void follow(int follower, int leader) {
    model.tree.joints[static_cast<std::size_t>(jointOf(follower))].mimic = jointOf(leader);
  }
  void hold(int a, int b) {
    Loop loop;
    loop.bodyA = a;
    loop.bodyB = b;
    model.loops.push_back(loop);
  }
  void robot(int first, int end) {
    Robot robot;
    robot.firstBody = first;
    robot.endBody = end;
    model.robots.push_back(robot);
  }
  void drive(int body) {
    JointEffort effort;
    effort.joint = jointOf(body);
    model.controllers.emplace_back(effort);
  }
  static int jointOf(int body) { return body - 1; }
  std::vector<int> driven() const {
    const std::vector<bool> flags = drivenBodies(model);
    EXPECT_EQ(flags.size(), model.tree.bodies.size());
    std::vector<int> bodies;
    for (std::size_t b = 0; b < flags.size(); ++b)
      if (flags[b]) bodies.push_back(static_cast<int>(b));
    return bodies;
  }
};

// --------------------------------------------------------------------------------------------------- drivenBodies

TEST(DrivenBodies, AreNoneWhereNothingDrives) {
  Bodies bodies;
  EXPECT_THAT(bodies.driven(), IsEmpty());
  bodies.hold(bodies.add(), bodies.add());
  EXPECT_THAT(bodies.driven(), IsEmpty());
}

TEST(DrivenBodies, AreThoseOfEachKindOfControllerAndOfPaths) {
  const auto drivenBy = [](const Controller& controller) {
    Bodies bodies;
    for (int i = 0; i < 4; ++i) bodies.add();
    bodies.model.controllers = {controller};
    return bodies.driven();
  };
  EndEffectorPath tool;
  tool.joints = {0, 2};
  EXPECT_THAT(drivenBy(tool), ElementsAre(1, 3));
  JointPath path;
  path.joints = {1};
  EXPECT_THAT(drivenBy(path), ElementsAre(2));
  JointEffort effort;
  effort.joint = 3;
  EXPECT_THAT(drivenBy(effort), ElementsAre(4));
  JointVelocity velocity;
  velocity.joint = 2;
  EXPECT_THAT(drivenBy(velocity), ElementsAre(3));
  LinkForce force;
  force.body = 1;
  EXPECT_THAT(drivenBy(force), ElementsAre(1));
  Bodies bodies;
  bodies.add();
  bodies.add(0, JointType::Floating);
  bodies.model.prescribed = {{.joint = 1, .path = 0}};
  EXPECT_THAT(bodies.driven(), ElementsAre(2));
}

TEST(DrivenBodies, CarryWhatHangsOnThemAndNotWhatTheyHangOn) {
  Bodies bodies;
  const int base = bodies.add(), arm = bodies.add(base), hand = bodies.add(arm, JointType::Fixed);
  const int finger = bodies.add(hand);
  bodies.add(base);
  bodies.drive(arm);
  EXPECT_THAT(bodies.driven(), ElementsAre(arm, hand, finger));
}

TEST(DrivenBodies, AreFollowedByWhatMimicsThem) {
  Bodies bodies;
  const int leader = bodies.add(), follower = bodies.add(), onFollower = bodies.add(follower);
  const int second = bodies.add();
  bodies.add();
  bodies.follow(second, onFollower);
  bodies.follow(follower, leader);
  bodies.drive(leader);
  EXPECT_THAT(bodies.driven(), ElementsAre(leader, follower, onFollower, second));
}

TEST(DrivenBodies, DriveWhatALoopHoldsWithItsWholeRobot) {
  for (const bool turned : {false, true}) {
    Bodies bodies;
    const int arm = bodies.add();
    const int stand = bodies.add(0, JointType::Fixed), box = bodies.add(stand), lid = bodies.add(box);
    const int next = bodies.add();
    bodies.robot(arm, stand);
    bodies.robot(stand, next);
    bodies.robot(next, next + 1);
    turned ? bodies.hold(lid, arm) : bodies.hold(arm, lid);
    bodies.drive(arm);
    EXPECT_THAT(bodies.driven(), ElementsAre(arm, box, lid)) << "not the stand, which cannot move";
  }
}

/// A table that an arm is welded to stays where it is, and so does what hangs on it.
TEST(DrivenBodies, LeaveOutWhatALoopHoldsThatCannotMove) {
  Bodies bodies;
  const int arm = bodies.add(), table = bodies.add(0, JointType::Fixed), drawer = bodies.add(table);
  bodies.robot(arm, table);
  bodies.robot(table, drawer + 1);
  bodies.hold(arm, table);
  bodies.drive(arm);
  EXPECT_THAT(bodies.driven(), ElementsAre(arm));
}

/// A held lid moves its box, whatever else moves the lid.
TEST(DrivenBodies, DriveTheRobotOfWhatALoopHoldsHoweverThatIsDriven) {
  for (const char* lidBy : {"the loop alone", "a motor", "the arm", "the hand", "the finger"})
    for (const bool turned : {false, true}) {
      Bodies bodies;
      const int arm = bodies.add(), hand = bodies.add(arm), finger = bodies.add();
      const int box = bodies.add(0, JointType::Floating), lid = bodies.add(box);
      bodies.robot(arm, box);
      bodies.robot(box, lid + 1);
      turned ? bodies.hold(lid, arm) : bodies.hold(arm, lid);
      bodies.drive(arm);
      bodies.follow(finger, hand);
      const std::string by = lidBy;
      if (by == "a motor") bodies.drive(lid);
      if (by == "the arm") bodies.follow(lid, arm);
      if (by == "the hand") bodies.follow(lid, hand);
      if (by == "the finger") bodies.follow(lid, finger);
      EXPECT_THAT(bodies.driven(), ElementsAre(arm, hand, finger, box, lid)) << by;
    }
}

/// Two legs of five bars: both motors drive their rods, and what the legs hang on is not held.
TEST(DrivenBodies, AreNotAllOfARobotWhoseLoopJoinsTwoThatAreDriven) {
  Bodies bodies;
  const int trunk = bodies.add(0, JointType::Floating), left = bodies.add(trunk), right = bodies.add(trunk);
  const int leftRod = bodies.add(left), rightRod = bodies.add(right);
  bodies.robot(trunk, rightRod + 1);
  bodies.hold(leftRod, rightRod);
  bodies.drive(left);
  bodies.drive(right);
  EXPECT_THAT(bodies.driven(), ElementsAre(left, right, leftRod, rightRod));
}

/// The drive goes from an arm to what it holds, and not back to what the arm's base carries besides.
TEST(DrivenBodies, DoNotGoBackThroughTheLoopThatTheyCameThrough) {
  Bodies bodies;
  const int trunk = bodies.add(0, JointType::Floating), left = bodies.add(trunk), right = bodies.add(trunk);
  const int box = bodies.add(0, JointType::Floating);
  bodies.robot(trunk, box);
  bodies.robot(box, box + 1);
  for (int weld = 0; weld < 2; ++weld) bodies.hold(box, left);
  bodies.drive(left);
  EXPECT_THAT(bodies.driven(), ElementsAre(left, box)) << "not the trunk, nor the arm " << right;
}

TEST(DrivenBodies, AreTheSameInWhateverOrderLoopsStand) {
  std::mt19937 random(4);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int run = 0; run < 200; ++run) {
    Bodies bodies;
    const int count = 4 + below(12);
    for (int i = 1; i <= count; ++i)
      bodies.add(below(3) > 0 ? below(i) : 0, below(4) > 0 ? JointType::Revolute : JointType::Fixed);
    for (int first = 1, end = 0; first <= count; first = end)
      bodies.robot(first, end = std::min(first + 1 + below(4), count + 1));
    for (int i = 0; i < 4; ++i) bodies.hold(below(count + 1), below(count + 1));
    bodies.follow(1 + below(count), 1 + below(count));
    for (int i = 0; i < 2; ++i) bodies.drive(1 + below(count));
    const std::vector<int> once = bodies.driven();
    std::vector<Loop>& loops = bodies.model.loops;
    for (int order = 0; order < 5; ++order) {
      std::shuffle(loops.begin(), loops.end(), random);
      for (Loop& loop : loops)
        if (below(2) == 0) std::swap(loop.bodyA, loop.bodyB);
      EXPECT_EQ(bodies.driven(), once);
    }
  }
}

TEST(DrivenBodies, ReachThroughChainsOfLoopsAndNeverThroughTheWorld) {
  Bodies bodies;
  std::vector<int> chain;
  for (int i = 0; i < 6; ++i) chain.push_back(bodies.add());
  for (std::size_t i = 5; i > 0; --i) bodies.hold(chain[i], chain[i - 1]);
  bodies.hold(chain[0], 0);
  const int apart = bodies.add();
  bodies.hold(0, apart);
  bodies.drive(chain[0]);
  EXPECT_THAT(bodies.driven(), ::testing::ElementsAreArray(chain));
}

/// Whoever can be reached from a driven body along joints and from leaders to followers, one after the other.
TEST(DrivenBodies, OfAnyTreeAreThoseThatCanBeReached) {
  std::mt19937 random(1);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int run = 0; run < 200; ++run) {
    Bodies bodies;
    const int count = 2 + below(12);
    std::vector<std::vector<int>> from(static_cast<std::size_t>(count) + 1);
    for (int i = 1; i <= count; ++i) {
      const int parent = below(i);
      bodies.add(parent);
      from[static_cast<std::size_t>(parent)].push_back(i);
    }
    for (int i = 0; i < count / 3; ++i) {
      const int leader = 1 + below(count), follower = 1 + below(count);
      if (bodies.model.tree.joints[static_cast<std::size_t>(follower - 1)].mimic >= 0) continue;
      bodies.follow(follower, leader);
      from[static_cast<std::size_t>(leader)].push_back(follower);
    }
    const int start = 1 + below(count);
    bodies.drive(start);
    std::vector<int> reached = {start};
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const int next : from[static_cast<std::size_t>(reached[i])])
        if (std::find(reached.begin(), reached.end(), next) == reached.end()) reached.push_back(next);
    EXPECT_THAT(bodies.driven(), ::testing::UnorderedElementsAreArray(reached));
  }
}

// ------------------------------------------------------------------------------------------------------ shownPairs

/// The side that a pair is shown on, and the force along z on it.
struct Shown {
  int body;
  double force;
  bool operator==(const Shown&) const = default;
};
void PrintTo(const Shown& shown, std::ostream* out) {
  *out << shown.force << " N on " << shown.body;
}

/// A table that cannot move, two boxes, an arm of two links, and dough: 1, 2, 3, 4–5 and the deformable 0. Each touches
/// something.
struct ShownPairs : ::testing::Test {
  static constexpr int kTable = 1, kBox = 2, kLid = 3, kArm = 4, kHand = 5, kDough = 0;
  Bodies bodies;
  Snapshot snapshot;
  ViewOptions options;
  Selection selection;

  void SetUp() override {
    bodies.add(0, JointType::Fixed);
    bodies.add(0, JointType::Floating);
    bodies.add(0, JointType::Floating);
    bodies.add();
    bodies.add(kArm);
    for (const auto& [first, end] : {std::pair(1, 2), {2, 3}, {3, 4}, {4, 6}}) bodies.robot(first, end);
    bodies.model.deformables.resize(2);
    rigid(kTable, kBox, -30);
    rigid(kLid, kBox, 10);
    rigid(kHand, kLid, -5);
    soft(kHand, kDough, 4);
    soft(kTable, kDough, -20);
    soft(kBox, 1, 1);
  }
  /// @param force  on `body`, along z
  void rigid(int body, int other, double force) {
    Contact contact;
    contact.a = {.body = body, .geometry = body};
    contact.b = {.body = other, .geometry = other};
    contact.point = 0;
    contact.f_Bc_W = {0, 0, force};
    snapshot.contacts.push_back(contact);
  }
  void soft(int body, int deformable, double force) {
    Contact contact;
    contact.a = {.body = body, .geometry = body};
    contact.b = {.deformable = deformable, .element = 7};
    contact.f_Bc_W = {0, 0, force};
    snapshot.contacts.push_back(contact);
  }
  /// @param force  on the deformable, along z
  void betweenSoft(int deformable, int other, double force) {
    Contact contact;
    contact.a = {.deformable = deformable, .element = 7};
    contact.b = {.deformable = other, .element = 8};
    contact.f_Bc_W = {0, 0, force};
    snapshot.contacts.push_back(contact);
  }
  std::vector<Shown> shown() const {
    std::vector<Shown> all;
    for (const PairForce& pair : shownPairs(inputOf(bodies.model, snapshot, options, selection)))
      all.push_back({pair.side.body, pair.force.z()});
    return all;
  }
};

TEST_F(ShownPairs, AreThoseOfWhatIsDriven) {
  bodies.drive(kHand);
  EXPECT_THAT(shown(), ElementsAre(Shown{kHand, -5}, Shown{kHand, 4}));
}

TEST_F(ShownPairs, AreThoseOfAllThatCanMoveWhereNothingIsDriven) {
  EXPECT_THAT(shown(), ElementsAre(Shown{kBox, 30}, Shown{kLid, 10}, Shown{kHand, -5}, Shown{kHand, 4},
                                   Shown{kBox, 1}))
      << "but not of the dough on the table";
}

TEST_F(ShownPairs, AreAllWhereNothingCanMove) {
  bodies.model.compositeOf.assign(bodies.model.tree.bodies.size(), 0);
  EXPECT_EQ(shown().size(), 6u);
}

TEST_F(ShownPairs, AreAllWhereAPersonWantsAll) {
  bodies.drive(kHand);
  options.everyContact = true;
  EXPECT_THAT(shown(), ElementsAre(Shown{kBox, 30}, Shown{kTable, -20}, Shown{kLid, 10}, Shown{kHand, -5},
                                   Shown{kHand, 4}, Shown{kBox, 1}));
}

TEST_F(ShownPairs, OfASelectedBodyAreItsOwnWithTheForceOnIt) {
  bodies.drive(kHand);
  selection = SelectedBody{kBox};
  EXPECT_THAT(shown(), ElementsAre(Shown{kBox, 30}, Shown{kBox, -10}, Shown{kBox, 1}));
  options.everyContact = true;
  selection = SelectedBody{kTable};
  EXPECT_THAT(shown(), ElementsAre(Shown{kTable, -30}, Shown{kTable, -20}));
  selection = SelectedBody{kArm};
  EXPECT_THAT(shown(), IsEmpty()) << "its own touches nothing";
}

TEST_F(ShownPairs, OfASelectedRobotAreThoseOfAllItsBodies) {
  selection = SelectedRobot{3};
  EXPECT_THAT(shown(), ElementsAre(Shown{kHand, -5}, Shown{kHand, 4}));
  rigid(kArm, kHand, 2);
  EXPECT_THAT(shown(), ElementsAre(Shown{kHand, -5}, Shown{kHand, 4}, Shown{kHand, -2}))
      << "a pair within it once, on the side that all pairs are shown on";
}

TEST_F(ShownPairs, OfASelectedDeformableHaveTheForceOnIt) {
  bodies.drive(kHand);
  selection = SelectedDeformable{kDough};
  EXPECT_THAT(shown(), ElementsAre(Shown{-1, 20}, Shown{-1, -4}));
}

TEST_F(ShownPairs, AreAlwaysThereWhereTheyAreSelected) {
  bodies.drive(kHand);
  selection = ContactPair{{kLid}, {kBox}};
  EXPECT_THAT(shown(), ElementsAre(Shown{kLid, 10}, Shown{kHand, -5}, Shown{kHand, 4}));
  selection = ContactKey{{.body = kBox, .geometry = kBox}, {.deformable = 1, .element = 7}};
  EXPECT_THAT(shown(), ElementsAre(Shown{kHand, -5}, Shown{kHand, 4}, Shown{kBox, 1}));
  selection = ContactPair{{kHand}, {kLid}};
  EXPECT_THAT(shown(), ElementsAre(Shown{kHand, -5}, Shown{kHand, 4})) << "it is there anyway";
}

TEST_F(ShownPairs, BetweenDeformablesBelongToWhatCanMoveAndToTheSelectedOne) {
  betweenSoft(1, kDough, 50);
  betweenSoft(kDough, kDough, 40);
  EXPECT_THAT(shown(), ElementsAre(Shown{-1, 50}, Shown{-1, 40}, Shown{kBox, 30}, Shown{kLid, 10},
                                   Shown{kHand, -5}, Shown{kHand, 4}, Shown{kBox, 1}));
  selection = SelectedDeformable{kDough};
  EXPECT_THAT(shown(), ElementsAre(Shown{-1, -50}, Shown{-1, 40}, Shown{-1, 20}, Shown{-1, -4}));
  bodies.drive(kHand);
  selection = {};
  EXPECT_THAT(shown(), ElementsAre(Shown{kHand, -5}, Shown{kHand, 4}));
  selection = ContactPair{{-1, 1}, {-1, kDough}};
  EXPECT_THAT(shown(), ElementsAre(Shown{-1, 50}, Shown{kHand, -5}, Shown{kHand, 4}));
}

TEST_F(ShownPairs, AreNoneWithoutContacts) {
  snapshot.contacts.clear();
  selection = ContactPair{{kLid}, {kBox}};
  options.everyContact = true;
  EXPECT_THAT(shown(), IsEmpty());
}

TEST_F(ShownPairs, SumTheContactsOfAPair) {
  soft(kHand, kDough, 2.5);
  bodies.drive(kHand);
  EXPECT_THAT(shown(), ElementsAre(Shown{kHand, 6.5}, Shown{kHand, -5})) << "now it is the larger one";
}

TEST_F(ShownPairs, TheSelectedOneIsThatOfItsContactWhileThatLasts) {
  const auto selected = [this] { return selectedPair(inputOf(bodies.model, snapshot, options, selection)); };
  EXPECT_FALSE(selected());
  selection = ContactKey{{.body = kTable, .geometry = kTable}, {.body = kBox, .geometry = kBox}, 0};
  EXPECT_EQ(selected(), (ContactPair{{kBox}, {kTable}})) << "the side that moves comes first";
  snapshot.contacts.erase(snapshot.contacts.begin());
  EXPECT_FALSE(selected());
  selection = ContactPair{{kHand}, {-1, kDough}};
  EXPECT_EQ(selected(), (ContactPair{{kHand}, {-1, kDough}}));
}

}  // namespace
}  // namespace slipstick::render
