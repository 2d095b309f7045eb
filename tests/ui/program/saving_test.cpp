// What a person changes is in the file that is saved, and in the window that opens it.
#include <QFile>
#include <QTemporaryDir>

#include "tests/ui/program/studio_fixture.h"
#include "ui/scene_document.h"

namespace slipstick::ui {
namespace {

struct SavingStudio : Studio {
  SceneDocument& document() { return session().document(); }
  void open(const QString& scene) {
    session().opener().open(scene);
    ASSERT_TRUE(eventually([&] {
      return !session().opener().isLoading() && session().isOpen() && session().moment().shown()->step == 0;
    }));
  }
  bool save(const QString& file) {
    bool saved = false;
    const QMetaObject::Connection connection =
        QObject::connect(&document(), &SceneDocument::saved, [&] { saved = true; });
    document().save(file);
    eventually([&] { return !document().isSaving(); });
    QObject::disconnect(connection);
    return saved;
  }
  int body(const char* name) { return session().model()->findBody(name); }
};

TEST_F(SavingStudio, EverythingIsFoundAgain) {
  open("stack");
  EXPECT_EQ(document().file(), QString()) << "a shipped scene has no file of its own to save to";
  EXPECT_FALSE(document().isEdited());
  EXPECT_FALSE(window.isWindowModified());

  session().numbers().editParameter("contact.friction", {0.25});
  EXPECT_TRUE(window.isWindowModified());
  session().undoStack().undo();
  EXPECT_FALSE(document().isEdited()) << "undone: as in the file";
  session().undoStack().redo();

  session().editor().addBody("ball", shape::Sphere{0.05});
  ASSERT_TRUE(eventually([&] { return body("ball") > 0; }));
  viewport().keepAsCamera();
  session().focus().select(render::SelectedBody{body("box_3")});
  PoseFields* pose = window.panel<Inspector>().poseFields();
  ASSERT_NE(pose, nullptr);
  NumberField* x = pose->field(0);
  x->setFocus();
  x->selectAll();
  QTest::keyClicks(x, "0.7");
  QTest::keyClick(x, Qt::Key_Return);
  ASSERT_TRUE(eventually([&] {
    return std::abs(session().moment().shown()->X_WB[static_cast<std::size_t>(body("box_3"))].p.x() - 0.7) <
           1e-6;
  })) << "it is put there at once";

  const QTemporaryDir folder;
  const QString file = folder.filePath("mine.yaml");
  ASSERT_TRUE(save(file));
  EXPECT_EQ(document().file(), file);
  EXPECT_FALSE(document().isEdited());
  EXPECT_EQ(window.windowTitle(), QString::fromUtf8("mine.yaml[*] – Slipstick"));
  QFile written(file);
  ASSERT_TRUE(written.open(QIODevice::ReadOnly));
  EXPECT_TRUE(written.readAll().startsWith("# Nguyen & Trinkle 2010")) << "comments stay";

  open(file);
  const auto model = session().model();
  EXPECT_EQ(model->tuning.contact.front().friction, 0.25);
  ASSERT_GT(body("ball"), 0);
  EXPECT_NEAR(session().moment().shown()->X_WB[static_cast<std::size_t>(body("box_3"))].p.x(), 0.7, 1e-12);
  ASSERT_EQ(model->cameras.size(), 2u);
  EXPECT_EQ(model->cameras[1].name, "view");
  EXPECT_EQ(document().file(), file);
  EXPECT_FALSE(document().isEdited());
}

TEST_F(SavingStudio, WhatIsHiddenOrColouredIsFoundAgain) {
  open("stack");
  const ThingName box{ThingKind::Robot, "box_3"}, other{ThingKind::Robot, "box_4"};
  const Color red(1, 0, 0, 1);
  document().setLooks({{box, {false, {}}}, {other, {true, red}}}, "looks");
  EXPECT_TRUE(document().isEdited());
  const QTemporaryDir folder;
  const QString file = folder.filePath("hidden.yaml");
  ASSERT_TRUE(save(file));
  EXPECT_FALSE(document().isEdited());
  EXPECT_EQ(document().lookOfFile(box), (LookSpec{false, {}})) << "what was saved is what it goes back to";
  open(file);
  EXPECT_FALSE(document().looks()->body(body("box_3")).visible);
  EXPECT_EQ(document().looks()->body(body("box_4")).color, red);
  EXPECT_TRUE(document().looks()->body(body("box_5")).visible);
  EXPECT_FALSE(document().isEdited());
  document().setLooks({{box, {true, {}}}}, "show");
  EXPECT_TRUE(document().isEdited());
}

TEST_F(SavingStudio, WhatCannotBeWrittenSaysSoAndStaysEdited) {
  open("stack");
  session().numbers().editParameter("contact.friction", {0.25});
  std::vector<Error> errors;
  QObject::connect(&session().messages(), &Messages::failed,
                   [&](const Error& error) { errors.push_back(error); });
  EXPECT_FALSE(save("/nowhere/at/all.yaml"));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].code, ErrorCode::FileUnwritable);
  EXPECT_TRUE(window.banner().isVisible());
  EXPECT_TRUE(document().isEdited());
}

TEST_F(SavingStudio, WhatWasBeingTypedIsNotOfTheSceneThatIsOpenedMeanwhile) {
  NumberField* friction = window.panel<Inspector>().parameterField("contact.friction");
  ASSERT_NE(friction, nullptr);
  friction->setFocus();
  friction->selectAll();
  QTest::keyClicks(friction, "0.123");
  open("stack");
  ASSERT_EQ(session().model()->name, "stack");
  EXPECT_EQ(session().numbers().parameter("contact.friction"),
            ParameterValue{*session().model()->tuning.contact.front().friction});
  EXPECT_FALSE(document().isEdited());
}

TEST_F(SavingStudio, APlaceIsUndone) {
  open("stack");
  const auto box = static_cast<std::size_t>(body("box_10"));
  const Vec3 before = session().moment().shown()->X_WB[box].p;
  document().place(static_cast<int>(box), Pose::translation({1, 1, 2}));
  ASSERT_TRUE(eventually([&] { return session().moment().shown()->X_WB[box].p.x() == 1; }));
  EXPECT_TRUE(document().isEdited());
  session().undoStack().undo();
  ASSERT_TRUE(eventually([&] { return session().moment().shown()->X_WB[box].p.x() == before.x(); }));
  EXPECT_FALSE(document().isEdited());
}

}  // namespace
}  // namespace slipstick::ui
