// What is typed into the fields of the window, and what becomes of it: text is no shortcut, a number is the number that was
// typed, and what cannot be taken is said.
#include <gtest/gtest.h>

#include <QTest>

#include "tests/ui/sample_studio.h"
#include "ui/joints_panel.h"
#include "ui/parameter_field.h"
#include "ui/text.h"
#include "ui/timeline.h"

namespace slipstick::ui {
namespace {

using testing::eventually;
using testing::SampleWindow;

/// Keys as a keyboard sends them: to the shortcuts of the window first.
void type(QWidget& field, const QString& text) {
  field.setFocus();
  if (auto* line = qobject_cast<QLineEdit*>(&field)) line->selectAll();
  for (const QChar c : text) QTest::keyClick(&field, c.toLatin1());
}

std::vector<NumberField*> fieldsOf(SampleWindow& window) {
  std::vector<NumberField*> shown;
  for (auto* field : window->findChildren<NumberField*>())
    if (field->isVisible() && field->isEnabled()) shown.push_back(field);
  return shown;
}

TEST(Typing, IsNoShortcutInAnyFieldOfNumbers) {
  SampleWindow window(QSize(1300, 900));
  window->panel<JointsPanel>().show();
  window->panel<JointsPanel>().raise();
  ASSERT_TRUE(eventually([&] { return fieldsOf(window).size() > 3; }));
  const render::ViewOptions view = window.session().focus().view();
  int joints = 0;
  for (NumberField* field : fieldsOf(window)) {
    joints += window->panel<JointsPanel>().isAncestorOf(field);
    type(*field, "w");
    EXPECT_EQ(field->text(), "w") << field->accessibleName().toStdString();
    QTest::keyClick(field, Qt::Key_Escape);
    type(*field, "2 mchgvij");
    EXPECT_EQ(field->text(), "2 mchgvij") << field->accessibleName().toStdString();
    EXPECT_FALSE(window.session().run().status().playing);
    EXPECT_EQ(window.session().focus().view(), view);
    QTest::keyClick(field, Qt::Key_Escape);
  }
  EXPECT_GT(joints, 0);
}

TEST(Typing, ANumberMayHaveItsUnitAndNoOther) {
  SampleWindow window(QSize(900, 560), "editable");
  NumberField* gravity = window->panel<Inspector>().parameterField("gravity.z");
  ASSERT_NE(gravity, nullptr);
  const auto enter = [&](const QString& text) {
    gravity->setFocus();
    gravity->selectAll();
    QTest::keyClicks(gravity, text);
    QTest::keyClick(gravity, Qt::Key_Return);
  };
  enter("-2 m/s²");
  EXPECT_EQ(window.session().numbers().parameter("gravity.z"), ParameterValue{-2});
  EXPECT_FALSE(window->banner().isVisible());
  enter("2 m");
  EXPECT_EQ(window.session().numbers().parameter("gravity.z"), ParameterValue{-2});
  EXPECT_TRUE(window->banner().text().contains("'2 m' is not a number"))
      << window->banner().text().toStdString();
  QTest::keyClick(gravity, Qt::Key_Space);
  EXPECT_TRUE(window.session().run().status().playing)
      << "nothing is being typed: Space plays, as everywhere";
  window.session().transport().pause();
}

TEST(Typing, WhatNobodyMeansIsRefusedAloud) {
  SampleWindow window(QSize(900, 560), "editable");
  NumberField* gravity = window->panel<Inspector>().parameterField("gravity.z");
  const ParameterValue before = window.session().numbers().parameter("gravity.z");
  gravity->setFocus();
  gravity->selectAll();
  QTest::keyClicks(gravity, "1e9");
  QTest::keyClick(gravity, Qt::Key_Return);
  EXPECT_EQ(window.session().numbers().parameter("gravity.z"), before);
  EXPECT_TRUE(window->banner().text().contains("gravity is not from -10000 to 10000"))
      << window->banner().text().toStdString();

  QLineEdit* speed = nullptr;
  for (auto* field : window->timeline().findChildren<Field*>())
    if (field->accessibleName() == "Speed") speed = field;
  ASSERT_NE(speed, nullptr);
  for (const char* typed : {"0", "-3", "abc", "nan"}) {
    window->banner().hide();
    speed->setFocus();
    speed->selectAll();
    QTest::keyClicks(speed, typed);
    QTest::keyClick(speed, Qt::Key_Return);
    EXPECT_TRUE(window->banner().isVisible()) << typed;
    EXPECT_TRUE(window->banner().text().contains(QString("'%1' is not a speed").arg(typed)))
        << window->banner().text().toStdString();
    EXPECT_EQ(window.session().run().status().speedWanted, 1);
  }
  window->banner().hide();
  speed->setFocus();
  speed->clearFocus();
  EXPECT_FALSE(window->banner().isVisible()) << "nothing was typed";
  speed->setFocus();
  speed->selectAll();
  QTest::keyClicks(speed, "0.5x");
  QTest::keyClick(speed, Qt::Key_Return);
  EXPECT_EQ(window.session().run().status().speedWanted, 0.5);
}

/// In another unit a product of two numbers is off by a rounding; what is written into a scene is what was typed.
TEST(Typing, ANumberInAnotherUnitIsTheOneThatWasMeant) {
  for (int i = 1; i < 2000; ++i)
    for (const double scale : {1e-6, 1e-3, 1e3, 1e6}) {
      const double shown = i / 1000.0;
      const QString digits = QString::number(inOwnUnit(shown, scale), 'g', QLocale::FloatingPointShortest);
      const QString mantissa = digits.section('e', 0, 0).remove('.').remove('-');
      EXPECT_LE(mantissa.size(), 11) << shown << " × " << scale << ": " << digits.toStdString();
      EXPECT_NEAR(inOwnUnit(shown, scale) / scale, shown, 1e-15 * shown);
    }
  EXPECT_EQ(inOwnUnit(0.04, 1e-6), 4e-8);
  constexpr double kDegree = 3.14159265358979323846 / 180;
  EXPECT_EQ(inOwnUnit(45, kDegree), 45 * kDegree) << "that has no short form, and keeps all of its digits";
}

TEST(Typing, AFieldShowsAsManyDigitsAsItHasRoomFor) {
  NumberField field;
  field.setFixedSize(70, 29);
  field.show();
  for (const double value : {-0.129474, 1234.56, -1.23456e-12, 0.5, -98765.4}) {
    field.setValue(value);
    EXPECT_LE(field.fontMetrics().horizontalAdvance(field.text()) + 8, field.width())
        << field.text().toStdString();
    EXPECT_NEAR(field.text().toDouble(), value, 6e-3 * std::abs(value));
    EXPECT_EQ(field.value(), value) << "the number is the whole one";
  }
  field.setFixedWidth(200);
  field.setValue(-0.129474);
  EXPECT_EQ(field.text(), "-0.129474");
}

}  // namespace
}  // namespace slipstick::ui
