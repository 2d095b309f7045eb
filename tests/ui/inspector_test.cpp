// The inspector's parameters in the window: edited, dragged, reset; its facts as sources of plots.
#include "ui/inspector.h"

#include <gtest/gtest.h>

#include <QPointer>
#include <QScrollArea>
#include <QTest>

#include "tests/support/sample_world.h"
#include "tests/ui/sample_studio.h"
#include "ui/plot_list.h"

namespace slipstick::ui {
namespace {

using testing::eventually;
using testing::SampleWindow;

struct InspectedWindow : ::testing::Test {
  SampleWindow window{QSize(1000, 900)};
  Inspector& inspector = window->panel<Inspector>();
  Session& session = window.session();

  void selectRoller() { session.focus().select(render::SelectedBody{testing::sampleWorld().roller}); }
  void selectDough() { session.focus().select(render::SelectedDeformable{0}); }
  ParameterField* fieldOf(const std::string& path) {
    for (ParameterField* field : inspector.findChildren<ParameterField*>())
      if (field->row().path == path) return field;
    return nullptr;
  }
  void type(NumberField& field, const char* text) {
    field.setFocus();
    field.selectAll();
    QTest::keyClicks(&field, text);
    QTest::keyClick(&field, Qt::Key_Return);
  }
};

TEST_F(InspectedWindow, ShowsEveryParameterOfTheSceneWhereNothingIsSelected) {
  for (const Parameter& parameter : session.model()->parameters) {
    if (parameter.kind->block != ParameterBlock::Scene) continue;
    const bool isVector = parameter.kind->key == "gravity";
    EXPECT_NE(inspector.parameterField(parameter.path + (isVector ? ".z" : "")), nullptr) << parameter.path;
  }
  NumberField* gravity = inspector.parameterField("gravity.z");
  ASSERT_NE(gravity, nullptr);
  type(*gravity, "-1.62");
  EXPECT_EQ(session.numbers().tuning().gravity, Vec3(0, 0, -1.62));
}

/// A sheet is hundreds of widgets for a large robot: the window stands still while it is made.
TEST_F(InspectedWindow, ASheetIsMadeAnewOnlyForSomethingElse) {
  selectRoller();
  const QPointer<QWidget> sheet = static_cast<QScrollArea*>(inspector.widget())->widget();
  Q_EMIT session.focus().selectionChanged();
  EXPECT_EQ(static_cast<QScrollArea*>(inspector.widget())->widget(), sheet.data());
  selectDough();
  EXPECT_TRUE(sheet.isNull());
}

TEST_F(InspectedWindow, ModuliAreEditedInTheUnitThatIsShown) {
  selectDough();
  const std::string path = "materials." + session.model()->materials[0] + ".E";
  NumberField* field = inspector.parameterField(path);
  ASSERT_NE(field, nullptr);
  const double E = session.numbers().parameter(path)[0];
  ASSERT_GE(E, 1e3);
  EXPECT_EQ(field->value(), E / 1e3);
  EXPECT_EQ(fieldOf(path)->unit()->text(), "kPa");
  const QString wave = inspector.factText("wave speed");
  type(*field, "80");
  EXPECT_EQ(session.numbers().parameter(path), ParameterValue{8e4});
  EXPECT_NE(inspector.factText("wave speed"), wave) << "what follows from it follows";
}

TEST_F(InspectedWindow, ADragOfANameIsOneUndo) {
  selectDough();
  const std::string path = "materials." + session.model()->materials[0] + ".nu";
  ParameterField* field = fieldOf(path);
  ASSERT_NE(field, nullptr);
  const ParameterValue before = session.numbers().parameter(path);
  DragLabel* label = field->label();
  const QPoint from(4, 6);
  QTest::mousePress(label, Qt::LeftButton, {}, from);
  for (const int x : {8, 16, 24, 12}) {
    QMouseEvent move(QEvent::MouseMove, from + QPointF(x, 0), label->mapToGlobal(from + QPointF(x, 0)),
                     Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(label, &move);
  }
  QTest::mouseRelease(label, Qt::LeftButton, {}, from + QPoint(12, 0));
  EXPECT_NEAR(session.numbers().parameter(path)[0], before[0] + 0.03, 1e-12)
      << "three notches of four pixels";
  EXPECT_EQ(session.undoStack().count(), 1);
  session.undoStack().undo();
  EXPECT_EQ(session.numbers().parameter(path), before);
}

TEST_F(InspectedWindow, ADotMarksWhatDiffersFromTheFileAndGoesBack) {
  selectRoller();
  const std::string path = frictionPath(*session.model(), 0);
  ParameterField* field = fieldOf(path);
  ASSERT_NE(field, nullptr);
  EXPECT_FALSE(field->resetDot()->isVisible());
  const ParameterValue ofFile = session.numbers().parameter(path);
  type(*field->field(), "0.25");
  EXPECT_TRUE(field->resetDot()->isVisible());
  QTest::mouseClick(field->resetDot(), Qt::LeftButton);
  EXPECT_EQ(session.numbers().parameter(path), ofFile);
  EXPECT_FALSE(field->resetDot()->isVisible());
  session.undoStack().undo();
  EXPECT_EQ(session.numbers().parameter(path), ParameterValue{0.25}) << "resetting is undone too";
}

TEST_F(InspectedWindow, WhatIsNotSetComesBehindAButtonAndShowsWhatIsInForce) {
  selectRoller();
  const std::string place = frictionPath(*session.model(), 0);
  const std::string path = place.substr(0, place.rfind('.')) + ".rigid.modulus";
  ParameterField* field = fieldOf(path);
  ASSERT_NE(field, nullptr);
  EXPECT_FALSE(field->field()->isVisible());
  FlatButton* more = nullptr;
  for (FlatButton* button : inspector.findChildren<FlatButton*>())
    if (button->text().endsWith("more")) more = button;
  ASSERT_NE(more, nullptr);
  more->click();
  EXPECT_TRUE(field->field()->isVisible());
  EXPECT_EQ(field->field()->text(), "");
  type(*field->field(), "1000");
  EXPECT_EQ(session.numbers().parameter(path), ParameterValue{1000});
  type(*field->field(), "");
  QTest::keyClick(field->field(), Qt::Key_Delete);
  QTest::keyClick(field->field(), Qt::Key_Return);
  EXPECT_EQ(session.numbers().parameter(path), ParameterValue{})
      << "emptied: what is further out decides again";
}

TEST_F(InspectedWindow, WhatCannotBeIsRefusedInWordsAndChangesNothing) {
  selectRoller();
  const std::string path = frictionPath(*session.model(), 0);
  NumberField* field = inspector.frictionField(0);
  ASSERT_NE(field, nullptr);
  std::vector<Error> errors;
  QObject::connect(&session.messages(), &Messages::failed,
                   [&](const Error& error) { errors.push_back(error); });
  const ParameterValue before = session.numbers().parameter(path);
  for (const char* typed : {"-1", "1.2.3"}) {
    type(*field, typed);
    EXPECT_EQ(session.numbers().parameter(path), before);
    EXPECT_EQ(field->value(), before[0]);
  }
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].where, path);
  EXPECT_EQ(errors[1].what, "'1.2.3' is not a number");
  EXPECT_EQ(session.undoStack().count(), 0);
}

TEST_F(InspectedWindow, TypingEndsWhereSomethingElseIsSelected) {
  selectRoller();
  const std::string path = frictionPath(*session.model(), 0);
  NumberField* field = inspector.frictionField(0);
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, "0.125");
  selectDough();
  EXPECT_EQ(session.numbers().parameter(path), ParameterValue{0.125});
}

TEST_F(InspectedWindow, KeysOfTheWindowWaitWhileANumberHasTheFocus) {
  selectRoller();
  NumberField* field = inspector.frictionField(0);
  type(*field, "0.5");
  ASSERT_TRUE(field->hasFocus());
  QTest::keyClick(field, Qt::Key_G);
  EXPECT_FALSE(session.marks().ghost()) << "what is typed is meant for the number";
  QTest::keyClick(field, Qt::Key_Up);
  EXPECT_EQ(session.numbers().friction(0), 0.51);
}

TEST_F(InspectedWindow, FactsAreDraggedIntoThePlots) {
  selectRoller();
  QWidget* speed = inspector.factWidget("speed");
  ASSERT_NE(speed, nullptr);
  QContextMenuEvent asked(QContextMenuEvent::Mouse, QPoint(3, 3), speed->mapToGlobal(QPoint(3, 3)));
  QCoreApplication::sendEvent(speed, &asked);
  QMenu* menu = nullptr;
  ASSERT_TRUE(eventually(
      [&] { return (menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) != nullptr; }));
  ASSERT_FALSE(menu->actions().isEmpty());
  menu->actions().first()->trigger();
  menu->close();
  ASSERT_EQ(session.plots().plots().size(), 1u);
  const std::string& body =
      session.model()->tree.bodies[static_cast<std::size_t>(testing::sampleWorld().roller)].name;
  EXPECT_EQ(session.plots().plots()[0].curves[0].name, "|" + body + ".v|");
}

}  // namespace
}  // namespace slipstick::ui
