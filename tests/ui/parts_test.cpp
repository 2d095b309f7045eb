// The parts of the window that need no scene: numbers, the timeline's geometry, the pointer's spring, CSV.
#include <gtest/gtest.h>

#include <numbers>

#include <QTest>
#include <limits>

#include "tests/support/sample_world.h"
#include "ui/contact_table.h"
#include "ui/controls.h"
#include "ui/mouse_spring.h"
#include "ui/parameter_field.h"
#include "ui/text.h"
#include "ui/theme.h"
#include "ui/timeline_bar.h"

namespace slipstick::ui {
namespace {

TEST(NumberText, NeverShowsANegativeZeroAndUsesATrueMinusSign) {
  EXPECT_EQ(number(-0.001, 2), "0.00");
  EXPECT_EQ(number(-1.5, 1), QString::fromUtf8("−1.5"));
  EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN(), 2), QString::fromUtf8("–"));
}

TEST(NumberText, SignificantKeepsThreeDigitsOverManyMagnitudes) {
  EXPECT_EQ(significant(38.42), "38.4");
  EXPECT_EQ(significant(0.01234), "0.0123");
  EXPECT_EQ(significant(1234), "1234");
  EXPECT_EQ(significant(2.5e7), "2.50e+07");
}

TEST(NumberText, TabularWidthDoesNotDependOnTheDigits) {
  const QFontMetricsF metrics(textFont());
  EXPECT_EQ(tabularWidth(metrics, "1.11"), tabularWidth(metrics, "8.08"));
}

TEST(BodyLabels, AreShortWhereThatIsUnique) {
  const auto world = testing::sampleWorld();
  const auto labels = bodyLabels(*world.model);
  EXPECT_EQ(labels[static_cast<std::size_t>(world.leftFlange)], "left_arm.flange");
  EXPECT_EQ(labels[static_cast<std::size_t>(world.board)], "board");
}

TEST(TimelineBar, PixelsAndTimesAreInverse) {
  TimelineBar bar;
  bar.resize(600, 58);
  bar.setRange({9, 0, 4, 2});
  for (const double time : {0.0, 1.54, 4.0, 9.0}) EXPECT_NEAR(bar.timeAt(bar.xOf(time)), time, 1e-9);
}

TEST(TimelineBar, DraggingToTheNewestStepAsksToFollowIt) {
  TimelineBar bar;
  bar.resize(600, 58);
  bar.setRange({9, 0, 4, 2});
  std::vector<double> times;
  int toEnd = 0;
  QObject::connect(&bar, &TimelineBar::dragged, [&](double time) { times.push_back(time); });
  QObject::connect(&bar, &TimelineBar::draggedToEnd, [&] { ++toEnd; });
  QTest::mousePress(&bar, Qt::LeftButton, {}, QPoint(static_cast<int>(bar.xOf(1.0)), 20));
  ASSERT_EQ(times.size(), 1u);
  EXPECT_NEAR(times[0], 1.0, 0.02);
  EXPECT_EQ(toEnd, 0);
  QTest::mousePress(&bar, Qt::LeftButton, {}, QPoint(static_cast<int>(bar.xOf(6.0)), 20));
  EXPECT_EQ(toEnd, 1);
}

TEST(NumberField, EmitsWhatWasTypedAndSaysWhatIsNoNumber) {
  NumberField field;
  field.setValue(1.0 / 3);
  std::vector<double> entered;
  std::vector<QString> refused;
  int cleared = 0;
  QObject::connect(&field, &NumberField::entered, [&](double value) { entered.push_back(value); });
  QObject::connect(&field, &NumberField::refused, [&](const QString& typed) { refused.push_back(typed); });
  QObject::connect(&field, &NumberField::cleared, [&] { ++cleared; });
  const auto type = [&](const char* text) {
    field.selectAll();
    QTest::keyClicks(&field, text);
    QTest::keyClick(&field, Qt::Key_Return);
  };
  QTest::keyClick(&field, Qt::Key_Return);
  EXPECT_TRUE(entered.empty()) << "0.333333 is shown, not typed";
  for (const char* text : {"0,25", "soft", "nan", "0.333333"}) type(text);
  EXPECT_EQ(entered, (std::vector<double>{0.25, 0.333333}));
  EXPECT_EQ(refused, (std::vector<QString>{"soft", "nan"}));
  EXPECT_EQ(field.text(), "0.333333");
  EXPECT_EQ(field.value(), 1.0 / 3) << "it shows what it is given, not what is typed";

  field.selectAll();
  QTest::keyClicks(&field, "7");
  QTest::keyClick(&field, Qt::Key_Escape);
  EXPECT_EQ(entered.size(), 2u);
  EXPECT_EQ(field.text(), "0.333333");
  field.selectAll();
  QTest::keyClick(&field, Qt::Key_Delete);
  QTest::keyClick(&field, Qt::Key_Return);
  EXPECT_EQ(cleared, 1);
}

TEST(ParameterField, IsMovedInStepsOfItsSizeAndStaysInItsRange) {
  ParameterRow row;
  row.range = {0, 1.4, true, false};
  EXPECT_EQ(nudged(0.5, 3, {}, row), 0.53);
  EXPECT_EQ(nudged(0.5, 3, Qt::ShiftModifier, row), 0.503);
  EXPECT_EQ(nudged(0.5, 300, {}, row), 1.4);
  EXPECT_EQ(nudged(0.5, -300, {}, row), 0.5) << "0 itself is not allowed";
  ParameterRow stiffness;
  stiffness.scale = 1e3;
  stiffness.range = {0, 1e9, true, true};
  EXPECT_EQ(nudged(2e5, -1, {}, stiffness), 1.9e5);
  ParameterRow count;
  count.range = {1, 1e6};
  count.isWhole = true;
  EXPECT_EQ(nudged(5, 2, {}, count), 7);
}

TEST(MouseSpring, ADragIsAGoalForTheGrippedPointAndTheEndOfItARelease) {
  const auto world = testing::sampleWorld();
  const auto snapshot = testing::sampleSnapshot(world, 1);
  const Pose& X_WB = snapshot->X_WB[static_cast<std::size_t>(world.roller)];
  const Vec3 grip = X_WB * Vec3(0.01, 0, 0.02);
  const render::Selection roller = render::SelectedBody{world.roller}, dough = render::SelectedDeformable{0};
  MouseSpring spring;
  spring.grip(*snapshot, *world.model, roller, grip, Vec3::UnitY());
  ASSERT_TRUE(spring.isActive());
  spring.moveTo(grip + Vec3(5, -1, 0), Vec3::UnitY());
  const auto pull = std::get<Pull>(spring.command());
  EXPECT_EQ(pull.body, world.roller);
  EXPECT_TRUE(pull.p_B.isApprox(Vec3(0.01, 0, 0.02), 1e-9));
  EXPECT_TRUE(pull.goal_W.isApprox(grip + Vec3(5, 0, 0), 1e-9)) << "in the plane through the point";
  EXPECT_TRUE(check(spring.command(), *world.model));
  EXPECT_TRUE(std::holds_alternative<Release>(spring.release()));
  EXPECT_FALSE(spring.isActive());

  spring.grip(*snapshot, *world.model, roller, grip, Vec3::UnitY(), MouseSpring::Kind::Twist);
  spring.turnBy(0.5, 0);
  const auto twist = std::get<Twist>(spring.command());
  EXPECT_NEAR(Eigen::AngleAxisd(twist.goal_WB.toRotationMatrix() * X_WB.R.transpose()).angle(),
              std::numbers::pi / 2, 1e-9);
  spring.release();

  spring.grip(*snapshot, *world.model, dough, snapshot->particles[5].cast<double>(), Vec3::UnitY());
  EXPECT_EQ(std::get<Pull>(spring.command()).particle, 5);
  spring.release();
  spring.grip(*snapshot, *world.model, {}, grip, Vec3::UnitY());
  EXPECT_FALSE(spring.isActive()) << "nothing is there";
}

TEST(ContactsCsv, HasOneLinePerContactWithTheForceOnTheBody) {
  const auto world = testing::sampleWorld();
  const auto snapshot = testing::sampleSnapshot(world, 1);
  const auto lines = contactsAsCsv(*world.model, *snapshot).trimmed().split('\n');
  ASSERT_EQ(lines.size(), static_cast<qsizetype>(snapshot->contacts.size()) + 1);
  const auto names = lines[0].split(','), first = lines[1].split(',');
  ASSERT_EQ(names.size(), first.size());
  EXPECT_NEAR(first[names.indexOf("fz [N]")].toDouble(), snapshot->contacts[0].f_Bc_W.z(), 1e-6);
}

}  // namespace
}  // namespace slipstick::ui
