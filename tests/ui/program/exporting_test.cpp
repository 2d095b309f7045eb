// Pictures and data out of the real window: what its dialogs write is what the command line writes.
#include <gmock/gmock.h>

#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QTemporaryDir>
#include <QUrl>

#include "app/export_data.h"
#include "app/walk_of.h"
#include "assets/recording/recorded_run.h"
#include "render/jobs/picture_job.h"
#include "tests/render/sample_walk.h"
#include "tests/ui/nameless.h"
#include "tests/ui/own_settings.h"
#include "tests/ui/program/studio_fixture.h"
#include "ui/export_jobs.h"
#include "ui/exports.h"
#include "ui/run_recording.h"

namespace slipstick::ui {
namespace {

QByteArray contentOf(const QString& file) {
  QFile opened(file);
  return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

/// In place of the programs that open files.
class UrlCatcher : public QObject {
  Q_OBJECT

 public:
  QStringList opened;
 public Q_SLOTS:
  void open(const QUrl& url) { opened << url.toLocalFile(); }
};

/// A scene of a few milliseconds' work, run to 0.3 s.
struct Exporting : Studio {
  QTemporaryDir folder;
  std::vector<Error> errors;
  QStringList told;

  Exports& exports() { return session().exports(); }
  ExportCard& card() { return window.exportCard(); }
  PictureDialog& pictures() { return *window.pictureDialog(); }
  DataDialog& data() { return *window.dataDialog(); }

  void runScene(const QString& scene, double time) {
    session().opener().open(scene);
    ASSERT_TRUE(
        eventually([&] { return session().isOpen() && session().model()->name == scene.toStdString(); }));
    session().transport().runUntil(time);
    ASSERT_TRUE(eventually(
        [&] { return session().moment().newestTime() > time - 1e-9 && !session().run().status().playing; }));
    session().moment().goLive();
  }
  void SetUp() override {
    Studio::SetUp();
    QObject::connect(&session().messages(), &Messages::failed,
                     [this](const Error& error) { errors.push_back(error); });
    QObject::connect(&session().messages(), &Messages::told,
                     [this](LogLevel, const QString& text) { told << text; });
    runScene("pendulum", 0.3);
  }
  void openPictures() {
    QApplication::setActiveWindow(&window);
    QTest::keyClick(&window, Qt::Key_R, Qt::ControlModifier);
    ASSERT_NE(window.pictureDialog(), nullptr);
    ASSERT_TRUE(pictures().isVisible());
    // Where there is no window manager, nothing else says which of two windows has the keys.
    QApplication::setActiveWindow(&pictures());
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&pictures()));
  }
  void openData() {
    QApplication::setActiveWindow(&window);
    QTest::keyClick(&window, Qt::Key_E, Qt::ControlModifier);
    ASSERT_NE(window.dataDialog(), nullptr);
  }
  static void type(NumberField& field, const char* text) {
    field.setFocus();
    field.selectAll();
    QTest::keyClicks(&field, text);
  }
  /// A small video of 0.1 s to 0.3 s.
  void choosePictures(PictureKind kind, const QString& file) {
    openPictures();
    QTest::mouseClick(&pictures().kinds().button(static_cast<int>(kind)), Qt::LeftButton);
    pictures().file().setText(file);
    type(pictures().widthField(), "160");
    type(pictures().heightField(), "90");
    type(pictures().rate(), "20");
    type(pictures().range().from(), "0.1");
    type(pictures().range().to(), "0.3");
  }
  void exportNow(ExportDialog& dialog) {
    QTest::mouseClick(&dialog.exportButton(), Qt::LeftButton);
    EXPECT_FALSE(dialog.hasError()) << dialog.summary().toStdString();
  }
  void awaitFiles() {
    ASSERT_TRUE(eventually([&] { return !exports().isWriting(); }));
  }
  /// What the command line simulates of the scene.
  std::unique_ptr<RunWalk> simulated(const char* scene, Detail detail) {
    app::SceneOptions options = sceneOptions(scene);
    options.quiet = true;
    return std::move(app::walkOf(options, detail, [](const Snapshot&) { return true; })).value();
  }
};

TEST_F(Exporting, PicturesAreThoseOfTheCommandLine) {
  const QString written = folder.filePath("window"), expected = folder.filePath("simulated");
  choosePictures(PictureKind::Frames, written);
  pictures().cameras().toggles()[1]->click();  // beside the window's view the scene's
  exportNow(pictures());
  awaitFiles();
  ASSERT_TRUE(errors.empty()) << errors.front().message();
  EXPECT_THAT(told.last().toStdString(), ::testing::StartsWith("wrote " + written.toStdString()));

  PictureChoice choice;
  choice.kind = PictureKind::Frames;
  choice.file = expected;
  choice.size = PictureSize::Free;
  choice.width = 160;
  choice.height = 90;
  choice.fps = 20;
  choice.range = {RangeKind::FromTo, 0.1, 0.3};
  choice.cameras = {"", session().model()->cameras.front().name};
  choice.shown = shownIn(session().focus().view());
  const std::unique_ptr<RunWalk> walk = simulated("pendulum", Detail::Particles);
  PictureScene scene;
  scene.model = walk->model();
  scene.camera = viewport().cameraPath();
  scene.view = session().focus().view();
  scene.times = {0, 0.3, 0.3, walk->model()->time.dt, std::nullopt};
  const Result<render::PictureRequest> request = requestOf(choice, scene);
  ASSERT_TRUE(request) << request.error().message();
  ASSERT_TRUE(render::makePictures(*walk, *request, {}, {}));

  const QStringList names = QDir(expected).entryList(QDir::Files);
  ASSERT_EQ(names.size(), 5);
  EXPECT_EQ(QDir(written).entryList(QDir::Files), names);
  for (const QString& name : names) {
    const QByteArray picture = contentOf(written + "/" + name);
    EXPECT_FALSE(picture.isEmpty());
    EXPECT_TRUE(picture == contentOf(expected + "/" + name)) << name.toStdString();
  }
}

TEST_F(Exporting, OfARecordingAreThoseThatTheCommandLineMakesOfIt) {
  const QString recording = folder.filePath("r.h5");
  session().transport().reset();
  ASSERT_TRUE(eventually([&] {
    return session().moment().isLive() && !session().transport().isGoingBack() &&
           session().moment().shown()->step == 0;
  }));
  session().recording().start(recording);
  session().transport().runUntil(0.3);
  ASSERT_TRUE(eventually(
      [&] { return session().moment().newestTime() > 0.3 - 1e-9 && !session().run().status().playing; }));
  session().recording().stop();
  awaitFiles();
  session().opener().open(recording);
  ASSERT_TRUE(eventually([&] { return session().moment().showsStored(); }));

  const QString written = folder.filePath("window"), expected = folder.filePath("line");
  choosePictures(PictureKind::Frames, written);
  const Result<render::PictureRequest> chosen = pictures().request();
  ASSERT_TRUE(chosen) << chosen.error().message();
  exportNow(pictures());
  awaitFiles();
  ASSERT_TRUE(errors.empty()) << errors.front().message();
  const auto opened = assets::RecordedRun::open(recording.toStdString());
  ASSERT_TRUE(opened) << opened.error().message();
  assets::RecordedWalk walk(*opened, [](const Snapshot&) { return true; });
  render::PictureRequest request = *chosen;
  request.out = expected.toStdString();
  ASSERT_TRUE(render::makePictures(walk, request, {}, {}));
  const QStringList names = QDir(expected).entryList(QDir::Files);
  ASSERT_EQ(names.size(), 5);
  EXPECT_EQ(QDir(written).entryList(QDir::Files), names);
  for (const QString& name : names)
    EXPECT_TRUE(contentOf(written + "/" + name) == contentOf(expected + "/" + name)) << name.toStdString();
}

TEST_F(Exporting, AVideoPlaysAndTheCardSaysWhereItIs) {
  const QString file = folder.filePath("swing.mp4");
  choosePictures(PictureKind::Mp4, file);
  type(pictures().speed(), "0.5");
  pictures().file().setFocus();
  QTest::keyClick(&pictures().file(), Qt::Key_Return);
  awaitFiles();
  ASSERT_TRUE(errors.empty()) << errors.front().message();
  const render::FoundVideo video = render::probeVideo(file.toStdString());
  EXPECT_EQ(video.frames, 9) << "0.2 s at half the speed and 20 frames/s";
  EXPECT_EQ(video.width, 160);
  EXPECT_EQ(video.height, 90);
  EXPECT_TRUE(card().isVisible());
  EXPECT_EQ(card().title(), "wrote swing.mp4");
  EXPECT_THAT(card().detail().toStdString(), ::testing::HasSubstr("kB in " + folder.path().toStdString()));

  UrlCatcher catcher;
  QDesktopServices::setUrlHandler("file", &catcher, "open");
  QTest::mouseClick(&card().openButton(), Qt::LeftButton);
  QTest::mouseClick(&card().folderButton(), Qt::LeftButton);
  QDesktopServices::unsetUrlHandler("file");
  EXPECT_EQ(catcher.opened.join(" ").toStdString(), (file + " " + folder.path()).toStdString());
  EXPECT_EQ(testing::namelessIn(card()).join("\n").toStdString(), "");
  QTest::mouseClick(&card().closeButton(), Qt::LeftButton);
  EXPECT_FALSE(card().isVisible());
}

TEST_F(Exporting, CancellingLeavesAVideoThatPlays) {
  const QString file = folder.filePath("long.mp4");
  choosePictures(PictureKind::Mp4, file);
  type(pictures().rate(), "1000");
  exportNow(pictures());
  ASSERT_TRUE(eventually([&] { return card().isVisible() && card().detail().contains("/s"); }));
  EXPECT_EQ(card().title(), "writing long.mp4");
  EXPECT_THAT(card().detail().toStdString(), ::testing::MatchesRegex("[0-9]+ of 201 pictures.*/s.*left"));
  const std::uint64_t before = session().run().status().lastStep;
  session().transport().stepForward();
  EXPECT_TRUE(eventually([&] { return session().run().status().lastStep == before + 1; }))
      << "the window goes on";
  QTest::mouseClick(&card().cancelButton(), Qt::LeftButton);
  awaitFiles();
  EXPECT_FALSE(QFile::exists(file)) << "what has its name is whole";
  const render::FoundVideo video = render::probeVideo(folder.filePath("long-unfinished.mp4").toStdString());
  EXPECT_GT(video.frames, 0);
  EXPECT_LT(video.frames, 201);
  EXPECT_THAT(told.last().toStdString(), ::testing::AllOf(::testing::HasSubstr("stopped early at "),
                                                          ::testing::HasSubstr("long-unfinished.mp4")));
  EXPECT_TRUE(errors.empty());
}

TEST_F(Exporting, WhatCannotBeWrittenIsSaidAndNothingIsLeft) {
  const QString file = folder.filePath("gone/a.mp4");
  QDir(folder.path()).mkdir("gone");
  choosePictures(PictureKind::Mp4, file);
  const render::PictureRequest request = *pictures().request();
  QDir(folder.path()).rmdir("gone");
  beginPictures(session(), request);
  awaitFiles();
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors.front().code, ErrorCode::FileUnwritable);
  EXPECT_TRUE(window.banner().isVisible());
  EXPECT_FALSE(card().isVisible());
  pictures().file().setFocus();
  pictures().file().setText(file + " ");  // looks again
  EXPECT_TRUE(pictures().hasError());
  EXPECT_FALSE(pictures().exportButton().isEnabled());
  EXPECT_THAT(pictures().summary().toStdString(), ::testing::HasSubstr("its folder does not exist"));
  QTest::keyClick(&pictures(), Qt::Key_Escape);
  EXPECT_TRUE(eventually([&] { return !window.pictureDialog(); }));
}

TEST_F(Exporting, TablesAreThoseOfTheCommandLine) {
  runScene("stack", 0.2);
  openData();
  data().folder().setText(folder.path());
  data().name().setText("window");
  for (const char* kind : {"bodies", "contacts"}) QTest::mouseClick(&data().kind(kind), Qt::LeftButton);
  EXPECT_EQ(testing::namelessIn(data()).join("\n").toStdString(), "");
  exportNow(data());
  awaitFiles();
  ASSERT_TRUE(errors.empty()) << errors.front().message();

  DataOutputs outputs;
  const auto file = [&](const char* name) { return folder.filePath(name).toStdString(); };
  outputs.files["contacts"] = file("line_contacts.csv");
  outputs.files["bodies"] = file("line_bodies.csv");
  outputs.files["csv"] = file("line.csv");
  outputs.to = 0.2;
  const std::unique_ptr<RunWalk> walk = simulated("stack", Detail::Facts);
  const Result<app::DataReport> report = app::exportData(*walk, outputs, {}, {});
  ASSERT_TRUE(report && report->isWhole && report->errors.empty());
  for (const char* name : {"_bodies.csv", ".csv"}) {
    const QByteArray table = contentOf(folder.filePath(QString("window") + name));
    EXPECT_EQ(table.count('\n'), QByteArray(contentOf(folder.filePath(QString("line") + name))).count('\n'));
    EXPECT_TRUE(table == contentOf(folder.filePath(QString("line") + name))) << name;
  }
  // Contacts are kept as floats: the same rows, to what a float holds.
  const QList<QByteArray> rows = contentOf(folder.filePath("window_contacts.csv")).split('\n');
  const QList<QByteArray> expected = contentOf(folder.filePath("line_contacts.csv")).split('\n');
  ASSERT_EQ(rows.size(), expected.size());
  ASSERT_GT(rows.size(), 20);
  EXPECT_EQ(rows.front(), expected.front());
  for (qsizetype i = 1; i + 1 < rows.size(); ++i) {
    const QList<QByteArray> cells = rows[i].split(','), same = expected[i].split(',');
    ASSERT_EQ(cells.size(), same.size());
    for (qsizetype k = 0; k < cells.size(); ++k) {
      bool isNumber = false;
      const double value = cells[k].toDouble(&isNumber), wanted = same[k].toDouble();
      if (isNumber)
        ASSERT_NEAR(value, wanted, 1e-4 * std::abs(wanted) + 1e-4)
            << rows.front().split(',')[k].toStdString();
      else
        ASSERT_EQ(cells[k], same[k]);
    }
  }
}

TEST_F(Exporting, ChosenPatternsAndARangeAreInTheTable) {
  openData();
  data().folder().setText(folder.path());
  data().name().setText("part");
  data().patterns().setText("nothing.like.it");
  EXPECT_TRUE(data().hasError());
  EXPECT_FALSE(data().exportButton().isEnabled());
  data().patterns().setText("time, *rod*.q*");
  type(data().range().from(), "0.1");
  type(data().range().to(), "0.2");
  exportNow(data());
  awaitFiles();
  const QList<QByteArray> rows = contentOf(folder.filePath("part.csv")).split('\n');
  const double dt = session().model()->time.dt;
  EXPECT_EQ(rows.size(), std::lround(0.1 / dt) + 3) << "head, both ends, and the last line's end";
  EXPECT_TRUE(rows[0].startsWith("time [s],"));
  EXPECT_NEAR(rows[1].split(',')[0].toDouble(), 0.1, 1e-9);
}

TEST_F(Exporting, WhatIsTypedOverAnErrorCountsWhenTheButtonIsPressed) {
  choosePictures(PictureKind::Still, folder.filePath("still.png"));
  type(pictures().range().to(), "9");
  pictures().range().to().commit();
  EXPECT_TRUE(pictures().hasError());
  EXPECT_FALSE(pictures().exportButton().isEnabled());
  type(pictures().range().to(), "0.2");
  EXPECT_TRUE(pictures().exportButton().isEnabled()) << "it may be right now";
  exportNow(pictures());
  awaitFiles();
  EXPECT_FALSE(contentOf(folder.filePath("still.png")).isEmpty());
}

TEST_F(Exporting, ASceneThatWasEditedIsDrawnOnAndItsTablesEndThere) {
  runScene("stack", 0.05);
  session().editor().addBody("ball", shape::Sphere{0.05});
  ASSERT_TRUE(eventually([&] { return session().model()->findBody("ball") > 0; }));
  session().transport().runUntil(0.1);
  ASSERT_TRUE(eventually(
      [&] { return session().moment().newestTime() > 0.1 - 1e-9 && !session().run().status().playing; }));
  session().moment().goLive();
  choosePictures(PictureKind::Frames, folder.filePath("both"));
  type(pictures().range().from(), "0");
  type(pictures().range().to(), "0.1");
  exportNow(pictures());
  awaitFiles();
  ASSERT_TRUE(errors.empty()) << errors.front().message();
  EXPECT_EQ(QDir(folder.filePath("both")).entryList(QDir::Files).size(), 3);

  openData();
  data().folder().setText(folder.path());
  data().name().setText("edited");
  exportNow(data());
  awaitFiles();
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors.front().what, "the scene was edited during these times");
  EXPECT_GT(contentOf(folder.filePath("edited.csv")).count('\n'), 3) << "what was before it is there";
}

TEST_F(Exporting, WhatWasChosenLastIsWhereTheNextOneBegins) {
  choosePictures(PictureKind::WebM, folder.filePath("swing.webm"));
  exportNow(pictures());
  awaitFiles();
  ASSERT_TRUE(eventually([&] { return !window.pictureDialog(); }));
  openPictures();
  const PictureChoice again = pictures().choice();
  EXPECT_EQ(again.kind, PictureKind::WebM);
  EXPECT_EQ(again.size, PictureSize::Free);
  EXPECT_EQ(again.width, 160);
  EXPECT_EQ(again.fps, 20);
  EXPECT_EQ(again.file, folder.filePath("pendulum.webm")) << "there, and called after the scene";

  const testing::OwnSettings settings;
  const auto dialogOf = [](MainWindow& other) -> PictureDialog* {
    other.show();
    other.session().opener().open("pendulum");
    eventually([&] { return other.session().isOpen(); });
    QApplication::setActiveWindow(&other);
    QTest::keyClick(&other, Qt::Key_R, Qt::ControlModifier);
    return other.pictureDialog();
  };
  {
    MainWindow first(app::studioServices(sceneOptions("pendulum")), QSize(900, 600), true);
    PictureDialog* dialog = dialogOf(first);
    ASSERT_NE(dialog, nullptr);
    EXPECT_EQ(dialog->choice().kind, PictureKind::Mp4);
    QTest::mouseClick(&dialog->kinds().button(static_cast<int>(PictureKind::Still)), Qt::LeftButton);
    dialog->file().setText(folder.filePath("still.png"));
    dialog->sizes().setCurrentIndex(static_cast<int>(PictureSize::Hd720));
    exportNow(*dialog);
    ASSERT_TRUE(eventually([&] { return !first.session().exports().isWriting(); }));
  }
  MainWindow second(app::studioServices(sceneOptions("pendulum")), QSize(900, 600), true);
  PictureDialog* dialog = dialogOf(second);
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->choice().kind, PictureKind::Still);
  EXPECT_EQ(dialog->choice().size, PictureSize::Hd720);
  EXPECT_EQ(dialog->choice().file, folder.filePath("pendulum.png"));
}

TEST_F(Exporting, EverythingInTheDialogHasANameAndTheKeyboardReachesIt) {
  openPictures();
  EXPECT_EQ(testing::namelessIn(pictures()).join("\n").toStdString(), "");
  std::set<QWidget*> reached;
  for (int i = 0; i < 80; ++i) {
    if (pictures().focusWidget()) reached.insert(pictures().focusWidget());
    QTest::keyClick(pictures().focusWidget(), Qt::Key_Tab);
  }
  for (QWidget* wanted : std::initializer_list<QWidget*>{
           &pictures().file(), &pictures().sizes(), &pictures().rate(), &pictures().range().list(),
           &pictures().exportButton(), pictures().overlays().toggles().front()})
    EXPECT_TRUE(reached.contains(wanted)) << wanted->accessibleName().toStdString();
  pictures().kinds().button(static_cast<int>(PictureKind::Still)).click();
  EXPECT_FALSE(pictures().rate().isVisible()) << "a still has no rate";
  EXPECT_THAT(pictures().summary().toStdString(), ::testing::StartsWith("one picture of "));
  session().opener().open("stack");
  EXPECT_TRUE(eventually([&] { return !window.pictureDialog(); })) << "it is of the scene that was open";
}

}  // namespace
}  // namespace slipstick::ui

#include "exporting_test.moc"
