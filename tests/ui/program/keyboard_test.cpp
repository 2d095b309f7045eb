// From the start page to a contact's force, an edit and a screenshot without a mouse.
#include <QFile>
#include <QTableView>

#include "tests/ui/program/studio_fixture.h"
#include "ui/contacts_panel.h"

namespace slipstick::ui {
namespace {

struct Keyboard : ::testing::Test {
  MainWindow window{app::studioServices(sceneOptions("")), QSize(1280, 800), false};
  Session& session() { return window.session(); }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QWidget* focused = QApplication::focusWidget();
    QTest::keyClick(focused ? focused : &window, key, modifiers);
  }
  /// What has the focus, for people who cannot see it.
  QString focusName() {
    const QWidget* focused = QApplication::focusWidget();
    return focused ? focused->accessibleName() : QString();
  }
  /// Presses a key until something has the focus.
  bool pressUntil(Qt::Key key, const QString& name, int most = 80) {
    for (int i = 0; i < most && focusName() != name; ++i) press(key);
    return focusName() == name;
  }
};

TEST_F(Keyboard, LeadsFromTheStartToAForceAnEditAndAScreenshot) {
  window.show();
  QApplication::setActiveWindow(&window);
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
  // The start page: its first card has the focus; Tab walks on to the scene.
  ASSERT_TRUE(eventually([&] { return !focusName().isEmpty(); }));
  ASSERT_TRUE(pressUntil(Qt::Key_Tab, "hold")) << focusName().toStdString();
  press(Qt::Key_Return);
  ASSERT_TRUE(eventually([&] { return session().isOpen(); }));
  EXPECT_TRUE(window.viewport().hasFocus());

  press(Qt::Key_Space);
  ASSERT_TRUE(eventually([&] { return session().moment().shown()->contacts.size() > 10; }));
  press(Qt::Key_Space);
  ASSERT_TRUE(eventually([&] { return !session().run().status().playing; }));

  // The contacts: Down selects a row; the inspector has its force.
  ASSERT_TRUE(pressUntil(Qt::Key_F6, "Contacts"));
  auto* table = qobject_cast<QTableView*>(QApplication::focusWidget());
  ASSERT_NE(table, nullptr);
  ASSERT_TRUE(eventually([&] { return table->model()->rowCount() > 1; }));
  press(Qt::Key_Down);
  press(Qt::Key_Down);
  const render::Selection& selection = session().focus().selection();
  ASSERT_TRUE(std::holds_alternative<ContactPair>(selection) ||
              std::holds_alternative<render::SelectedBody>(selection) ||
              std::holds_alternative<ContactKey>(selection));
  EXPECT_FALSE(window.panel<Inspector>().factText("force").isEmpty() &&
               window.panel<Inspector>().factText("normal force").isEmpty());

  // A thing of the tree, and its friction.
  ASSERT_TRUE(pressUntil(Qt::Key_F6, "Scene"));
  for (int i = 0;
       i < 20 && !std::holds_alternative<render::SelectedDeformable>(session().focus().selection()); ++i)
    press(Qt::Key_Down);
  ASSERT_TRUE(std::holds_alternative<render::SelectedDeformable>(session().focus().selection()));
  press(Qt::Key_F6);
  const std::string path = "materials." + session().model()->materials[0] + ".E";
  ASSERT_TRUE(pressUntil(Qt::Key_Tab, "modulus E, kPa")) << focusName().toStdString();
  const ParameterValue before = session().numbers().parameter(path);
  press(Qt::Key_Up);
  EXPECT_GT(session().numbers().parameter(path), before);
  QTest::keyClicks(QApplication::focusWidget(), "80");
  press(Qt::Key_Return);
  EXPECT_EQ(session().numbers().parameter(path), ParameterValue{8e4});

  ASSERT_TRUE(eventually([&] { return window.viewport().picture() != nullptr; }));
  QString wrote;
  QObject::connect(&session().messages(), &Messages::told, [&](LogLevel, const QString& text) {
    if (text.startsWith("wrote ")) wrote = text.mid(6);
  });
  press(Qt::Key_P, Qt::ControlModifier);
  ASSERT_TRUE(QFile::exists(wrote)) << wrote.toStdString();
  EXPECT_TRUE(QFile::remove(wrote));
}

}  // namespace
}  // namespace slipstick::ui
