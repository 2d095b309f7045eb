// Every way to leave a scene, in the middle of everything that a person may be doing: nothing is lost, and no file of another
// scene is written over. On the real window, by its keys, menus, cards, drops and the system's signals.
#include <QMenuBar>
#include <csignal>

#include "assets/recording/episode.h"
#include "assets/recording/recording_reader.h"
#include "tests/support/test_paths.h"
#include "tests/ui/program/window_with_files.h"
#include "ui/episode_list.h"
#include "ui/episodes.h"
#include "ui/episodes_panel.h"
#include "ui/run_recording.h"

namespace slipstick::ui {
namespace {

enum class Doing { Unsaved, Saving, Recording, Trying, Exporting };
constexpr std::pair<Doing, const char*> kDoings[] = {{Doing::Unsaved, "unsaved"},
                                                     {Doing::Saving, "saving"},
                                                     {Doing::Recording, "recording"},
                                                     {Doing::Trying, "trying a task"},
                                                     {Doing::Exporting, "exporting"}};

struct Way {
  const char* name;
  std::function<void(WindowWithFiles&)> go;
  bool endsProgram = false;
  bool isAsked = true;        ///< somebody is there to answer
  bool opensTheSame = false;  ///< file, again
};

std::ostream& operator<<(std::ostream& out, const Way& way) {
  return out << way.name;
}

void choose(WindowWithFiles& desk, const QString& menuTitle, const QString& text) {
  QMenu* menu = desk.menu(menuTitle);
  ASSERT_NE(menu, nullptr);
  Q_EMIT menu->aboutToShow();
  for (QAction* action : menu->findChildren<QAction*>())
    if (action->text().startsWith(text)) return action->trigger();
  for (QAction* action : menu->actions())
    if (action->text().startsWith(text)) return action->trigger();
  FAIL() << text.toStdString();
}

const std::vector<Way> kWays = {
    {"Ctrl+Q", [](WindowWithFiles& d) { d.key(Qt::Key_Q, Qt::ControlModifier); }, true},
    {"File: Quit", [](WindowWithFiles& d) { d.action("Quit")->trigger(); }, true},
    {"the window's frame", [](WindowWithFiles& d) { d.window->close(); }, true},
    {"end of the desktop's session", [](WindowWithFiles&) { QApplication::closeAllWindows(); }, true},
    {"SIGTERM", [](WindowWithFiles&) { std::raise(SIGTERM); }, true, false},
    {"SIGHUP", [](WindowWithFiles&) { std::raise(SIGHUP); }, true, false},
    {"SIGINT", [](WindowWithFiles&) { std::raise(SIGINT); }, true, false},
    {"Ctrl+L", [](WindowWithFiles& d) { d.key(Qt::Key_L, Qt::ControlModifier); }, false, true, true},
    {"Ctrl+O",
     [](WindowWithFiles& d) {
       d.chooseNext(d.other);
       d.key(Qt::Key_O, Qt::ControlModifier);
     }},
    {"a drop", [](WindowWithFiles& d) { drop(d, d.other); }},
    {"File: Recent files", [](WindowWithFiles& d) { choose(d, "Recent files", "other.yaml"); }},
    {"File: Shipped scenes", [](WindowWithFiles& d) { choose(d, "Shipped scenes", "pendulum"); }},
    {"File: Shipped robots", [](WindowWithFiles& d) { choose(d, "Shipped robots", "parallel_gripper"); }},
    {"start page: a recent file", [](WindowWithFiles& d) { ASSERT_TRUE(d.clickCard("other.yaml")); }},
    {"start page: a shipped scene", [](WindowWithFiles& d) { ASSERT_TRUE(d.clickCard("pendulum")); }},
    {"start page: Open a file",
     [](WindowWithFiles& d) {
       d.window->showGallery();
       d.chooseNext(d.other);
       Q_EMIT d.window->gallery().openWanted();
     }},
    {"an episode of the list",
     [](WindowWithFiles& d) {
       auto& rows = d.window->panel<EpisodesPanel>().rows();
       ASSERT_FALSE(rows.empty());
       QTest::mouseClick(&rows.back()->openButton(), Qt::LeftButton);
     }},
};

struct WaysOut : ::testing::TestWithParam<Way> {
  /// A try that was made before, as a file.
  static inline std::string episode;

  static void SetUpTestSuite() {
    WindowWithFiles desk;
    desk.open(desk.mine);
    desk.session().episodes().begin();
    ASSERT_TRUE(eventually([&] { return desk.session().recording().status().seconds > 0.05; }));
    desk.session().episodes().keep();
    ASSERT_TRUE(eventually([&] { return desk.session().episodeList().list().size() == 1; }));
    episode = textOf(QString::fromStdString(desk.session().episodeList().list()[0].file));
    ASSERT_FALSE(episode.empty());
  }
};

/// One way out of one state, looked at from all sides.
class Cell {
 public:
  Cell(const Way& way, Doing doing) : way_(way), doing_(doing) {}

  void run() {
    const QString tries = desk.folder.filePath("Documents/Slipstick/tries/mine");
    QDir().mkpath(tries);
    writeText(tries + "/mine-2026-11-01-000000-seed1.h5", WaysOut::episode);
    desk.open(desk.other);  // so that it is a recent file
    desk.open(desk.mine);
    ASSERT_TRUE(eventually([&] { return desk.session().episodeList().list().size() == 1; }));
    begin();
    if (::testing::Test::HasFatalFailure()) return;
    opened_ = desk.opened;
    way_.go(desk);
    if (asks()) stayThenGo();
    if (::testing::Test::HasFatalFailure()) return;
    arrive();
    if (::testing::Test::HasFatalFailure()) return;
    check();
  }
  const std::string& outcome() const { return outcome_; }

 private:
  bool asks() const {
    return way_.isAsked && (doing_ == Doing::Unsaved || (doing_ == Doing::Exporting && way_.endsProgram));
  }
  void begin() {
    Session& session = desk.session();
    switch (doing_) {
      case Doing::Unsaved:
        session.numbers().editParameter("gravity.z", {kEdited});
        return;
      case Doing::Saving:
        session.numbers().editParameter("gravity.z", {kEdited});
        desk.savingWaits = true;
        desk.key(Qt::Key_S, Qt::ControlModifier);
        ASSERT_TRUE(desk.document().isSaving());
        return;
      case Doing::Recording:
        session.transport().play();
        desk.key(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        ASSERT_TRUE(eventually([&] { return session.recording().status().seconds > 0.05; }));
        file_ = QString::fromStdString(session.recording().status().files.front());
        return;
      case Doing::Trying:
        session.episodes().begin();
        ASSERT_TRUE(eventually([&] { return session.recording().status().seconds > 0.05; }));
        file_ = QString::fromStdString(session.recording().status().files.front());
        return;
      case Doing::Exporting:
        desk.exportWaits = true;
        file_ = desk.folder.filePath("exported.csv");
        session.exports().begin(file_, [this](const std::stop_token& stop) -> Result<void> {
          while (desk.exportWaits && !stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
          if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "given up", "", ""};
          writeText(file_, "whole");
          return {};
        });
    }
  }
  /// Asked, and answered by Cancel: nothing has changed. Then once more.
  void stayThenGo() {
    ASSERT_TRUE(eventually([&] { return desk.question() != nullptr; }));
    EXPECT_TRUE(desk.window->isVisible());
    desk.answer("Cancel");
    ASSERT_TRUE(desk.isBack());
    EXPECT_TRUE(desk.window->isVisible());
    EXPECT_EQ(desk.opened, opened_);
    EXPECT_FALSE(desk.session().opener().isLoading());
    EXPECT_EQ(desk.document().file(), desk.mine);
    EXPECT_EQ(desk.document().isEdited(), doing_ == Doing::Unsaved);
    EXPECT_EQ(desk.session().exports().isWriting(), doing_ == Doing::Exporting);
    way_.go(desk);
    ASSERT_TRUE(eventually([&] { return desk.question() != nullptr; })) << "again, as nobody has said what";
    outcome_ = doing_ == Doing::Unsaved ? "asked, Cancel stays, Save saves" : "asked, Cancel stays, waits";
    desk.answer(doing_ == Doing::Unsaved ? "Save" : "Quit when written");
    if (doing_ != Doing::Exporting) return;
    EXPECT_TRUE(desk.window->isVisible()) << "until it is written";
    desk.exportWaits = false;
  }
  void arrive() {
    if (doing_ == Doing::Saving) {
      QTest::qWait(150);  // it could leave in this time; what must not happen is checked where it opens, too
      EXPECT_EQ(desk.opened, opened_);
      EXPECT_TRUE(desk.window->isVisible());
      desk.savingWaits = false;
    }
    ASSERT_TRUE(eventually([&] {
      return way_.endsProgram ? !desk.window->isVisible() : desk.opened > opened_;
    })) << desk.errors.join('\n').toStdString();
    EXPECT_EQ(desk.question(), nullptr);
    if (!way_.endsProgram) {
      EXPECT_TRUE(desk.savedAtOpening);
      desk.exportWaits = false;
      ASSERT_TRUE(eventually([&] { return !desk.session().exports().isWriting(); }));
    }
    EXPECT_FALSE(desk.session().exports().isWriting());
    EXPECT_EQ(desk.errors.join('\n').toStdString(), "");
  }
  void check() {
    switch (doing_) {
      case Doing::Unsaved:
      case Doing::Saving:
        checkScene();
        break;
      case Doing::Recording:
        checkRecording();
        break;
      case Doing::Trying:
        checkRecording();
        checkTry();
        break;
      case Doing::Exporting:
        if (way_.isAsked) {
          EXPECT_EQ(textOf(file_), "whole");
          if (outcome_.empty()) outcome_ = "goes on, file whole";
        } else {
          EXPECT_FALSE(QFile::exists(file_)) << "given up, and nothing left of it";
          outcome_ = "given up, no half a file";
        }
    }
    if (!way_.endsProgram) checkWhatIsOpen();
    if (doing_ != Doing::Unsaved && doing_ != Doing::Saving) {
      EXPECT_EQ(textOf(desk.mine), kFall);
    }
    if (way_.endsProgram || way_.opensTheSame) {
      EXPECT_EQ(textOf(desk.other), kFall);
    }
  }
  void checkScene() {
    const bool isRescued = doing_ == Doing::Unsaved && !way_.isAsked;
    const QString file = isRescued ? desk.rescued() : desk.mine;
    ASSERT_FALSE(file.isEmpty()) << "there is no file with the edits";
    const std::string text = textOf(file);
    EXPECT_NE(text.find("gravity: [0, 0, -0.02]"), std::string::npos) << text;
    EXPECT_NE(text.find("# by its weight"), std::string::npos) << "comments stay";
    if (isRescued) {
      EXPECT_EQ(textOf(desk.mine), kFall) << "nobody said that it may be written over";
      EXPECT_EQ(QFileInfo(desk.window->knownFiles().files().front().file).fileName(),
                QFileInfo(file).fileName())
          << "the start page has it";
      outcome_ = "rescued into a file of its own";
    }
    if (outcome_.empty()) outcome_ = "waits, saved whole";
  }
  void checkRecording() {
    const auto recording = assets::RecordingReader::open(file_.toStdString());
    ASSERT_TRUE(recording) << recording.error().message();
    EXPECT_GT((*recording)->stepCount(), 5u);
    outcome_ = "closed whole, " + std::to_string((*recording)->stepCount()) + " steps";
  }
  void checkTry() {
    const auto list = assets::episodesIn(QFileInfo(file_).path().toStdString());
    ASSERT_TRUE(list);
    ASSERT_EQ(list->size(), 2u);
    EXPECT_FALSE(list->back().broken);
    EXPECT_EQ(list->back().outcome, EpisodeOutcome::Open);
    outcome_ += ", undecided in the list";
  }
  /// What is saved from now on goes into the file of what is open now.
  void checkWhatIsOpen() {
    const QString file = desk.document().file();
    EXPECT_FALSE(desk.document().isEdited());
    if (way_.opensTheSame) {
      EXPECT_EQ(file, desk.mine);
      return;
    }
    EXPECT_NE(file, desk.mine);
    if (file != desk.other) return;  // a shipped one, or a recording: saving asks where to
    const std::string before = textOf(desk.mine);
    desk.session().numbers().editParameter("gravity.z", {-3});
    // Without a window manager the window may have lost the focus to a box that has just gone: it takes no keys then.
    ASSERT_TRUE(eventually([&] {
      desk.window->activateWindow();
      if (!desk.document().isSaving() && desk.document().isEdited()) desk.key(Qt::Key_S, Qt::ControlModifier);
      return textOf(desk.other).find("gravity: [0, 0, -3]") != std::string::npos;
    }));
    EXPECT_EQ(textOf(desk.mine), before);
  }

  WindowWithFiles desk;
  const Way& way_;
  const Doing doing_;
  QString file_;  ///< that is being written
  int opened_ = 0;
  std::string outcome_;
};

TEST_P(WaysOut, LoseNothingAndWriteOverNothing) {
  for (const auto& [doing, name] : kDoings) {
    SCOPED_TRACE(name);
    Cell cell(GetParam(), doing);
    cell.run();
    std::printf("| %s | %s | %s |\n", GetParam().name, name, cell.outcome().c_str());
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(All, WaysOut, ::testing::ValuesIn(kWays), [](const auto& way) {
  std::string name;
  for (const char c : std::string(way.param.name))
    if (std::isalnum(static_cast<unsigned char>(c))) name += c;
  return name;
});

}  // namespace
}  // namespace slipstick::ui
