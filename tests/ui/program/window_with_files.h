// A program with a window, in folders of its own, with two scenes in files, as a person has it who is about to leave one.
#pragma once

#include <QDir>
#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QTemporaryDir>
#include <QTimer>
#include <atomic>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "tests/ui/own_settings.h"
#include "tests/ui/program/studio_fixture.h"
#include "ui/end_signals.h"
#include "ui/exports.h"
#include "ui/scene_document.h"

namespace slipstick::ui {

/// A ball that falls from a place that is drawn, for longer than any test takes.
inline constexpr const char* kFall = R"(title: a ball falls  # by its weight
time: {dt_ms: 10, duration: 60}
gravity: [0, 0, -0.01]
bodies:
  ball: {base: free, mass: 1, position: [0, 0, 1], shapes: [{name: all, shape: sphere, radius: 0.05}]}
task:
  text: Let the ball fall by half a metre.
  time_limit: 60
  reset:
    - {name: ball, position: {x: [-0.2, 0.2]}}
  success:
    - {observable: ball.z, below: 0.5}
)";
inline constexpr double kEdited = -0.02;  ///< gravity.z of a person's edit

inline void writeText(const QString& file, const std::string& text) {
  std::ofstream(file.toStdString()) << text;
}

inline std::string textOf(const QString& file) {
  std::ifstream stream(file.toStdString());
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A program with a window, in folders of its own, with two scenes in files: one that is open and another one.
class WindowWithFiles {
 public:
  WindowWithFiles() {
    qputenv("HOME", folder.path().toLocal8Bit());
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    writeText(mine, kFall);
    writeText(other, kFall);
    StudioServices services = app::studioServices(sceneOptions(""));
    services.save = [save = services.save, this](const Scene& scene, const auto& numbers,
                                                 const std::string& to) {
      while (savingWaits) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      return save(scene, numbers, to);
    };
    // Whatever takes another model, or goes back, has its stepper made.
    services.makeStepper = [make = services.makeStepper, this](std::shared_ptr<const Model> model) {
      while (editingWaits && model->file == mine.toStdString())
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      return make(std::move(model));
    };
    services.splitMeshes = [split = services.splitMeshes, this](const RobotSpec& robot,
                                                                LoadProgress& progress) {
      while (splittingWaits && !progress.isCancelled())
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      return split(robot, progress);
    };
    window = std::make_unique<MainWindow>(services, QSize(1000, 700), true);
    window->show();
    QApplication::setActiveWindow(window.get());
    QObject::connect(&session().opener(), &SceneOpener::opened, window.get(), [this] {
      ++opened;
      savedAtOpening = !session().document().isSaving();
    });
    QObject::connect(&session().messages(), &Messages::failed, window.get(),
                     [this](const Error& error) { errors << QString::fromStdString(error.message()); });
    QObject::connect(&signals_, &EndSignals::came, window.get(), [this] { window->closeUnasked(); });
  }
  ~WindowWithFiles() {
    for (auto* waits : {&savingWaits, &exportWaits, &editingWaits, &splittingWaits}) *waits = false;
    window.reset();
    qputenv("HOME", home_);
  }

  Session& session() { return window->session(); }
  SceneDocument& document() { return session().document(); }
  void open(const QString& file) {
    const int before = opened;
    session().opener().open(file);
    ASSERT_TRUE(eventually([&] { return opened > before; })) << errors.join('\n').toStdString();
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers) { QTest::keyClick(window.get(), key, modifiers); }
  QAction* action(const QString& text) {
    for (QAction* action : window->findChildren<QAction*>())
      if (action->text() == text) return action;
    return nullptr;
  }
  QMenu* menu(const QString& title) {
    for (QMenu* menu : window->findChildren<QMenu*>())
      if (menu->title() == title) return menu;
    return nullptr;
  }
  QMessageBox* question() {
    for (auto* box : window->findChildren<QMessageBox*>())
      if (box->isVisible()) return box;
    return nullptr;
  }
  /// The question is gone, and keys go to the window again, which nobody else sees to where there is no window manager.
  bool isBack() {
    return eventually([&] {
      if (question()) return false;
      window->activateWindow();
      return QApplication::activeWindow() == window.get();
    });
  }
  void answer(const QString& button) {
    QMessageBox* box = question();
    ASSERT_NE(box, nullptr) << button.toStdString();
    const std::map<QString, QMessageBox::StandardButton> usual = {
        {"Save", QMessageBox::Save}, {"Discard", QMessageBox::Discard}, {"Cancel", QMessageBox::Cancel}};
    for (QAbstractButton* one : box->buttons()) {
      const auto named = usual.find(button);
      const bool isIt = named != usual.end() ? box->standardButton(one) == named->second
                                             : one->text().remove('&') == button;
      if (isIt) return QTest::mouseClick(one, Qt::LeftButton);
    }
    FAIL() << "there is no " << button.toStdString();
  }
  /// What the next file dialog is answered with.
  void chooseNext(const QString& file) {
    auto* timer = new QTimer(window.get());
    QObject::connect(timer, &QTimer::timeout, window.get(), [timer, file] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (!dialog) return;
      timer->deleteLater();
      dialog->findChild<QLineEdit*>()->setText(file);
      QMetaObject::invokeMethod(dialog, "accept", Qt::DirectConnection);
    });
    timer->start(20);
  }
  bool clickCard(const QString& name) {
    window->showGallery();
    for (GalleryCard* card : window->gallery().cards())
      if (card->content().name == name) return QTest::mouseClick(card, Qt::LeftButton), true;
    return false;
  }
  /// In the order in which they were written.
  QStringList rescues() const {
    QStringList files;
    const QDir rescues(folder.filePath("Documents/Slipstick/rescued"));
    for (const QFileInfo& file : rescues.entryInfoList({"*.yaml"}, QDir::Files, QDir::Time | QDir::Reversed))
      files << file.filePath();
    return files;
  }
  QString rescued() const { return rescues().size() == 1 ? rescues().front() : QString(); }
  /// Something comes to the scene, and is held up until editingWaits is over.
  void addCrate() {
    editingWaits = true;
    session().editor().addBody("crate", shape::Box{Vec3(0.1, 0.1, 0.1)});
  }

  QTemporaryDir folder;
  testing::OwnSettings settings;
  const QString mine = folder.filePath("mine.yaml"), other = folder.filePath("other.yaml");
  std::atomic<bool> savingWaits = false, exportWaits = false, editingWaits = false, splittingWaits = false;
  std::unique_ptr<MainWindow> window;
  int opened = 0;
  bool savedAtOpening = false;
  QStringList errors;

 private:
  QByteArray home_ = qgetenv("HOME");
  EndSignals signals_;
};

inline void drop(WindowWithFiles& desk, const QString& file) {
  QMimeData mime;
  mime.setUrls({QUrl::fromLocalFile(file)});
  QDragEnterEvent enter(QPoint(40, 40), Qt::CopyAction, &mime, Qt::LeftButton, {});
  QCoreApplication::sendEvent(desk.window.get(), &enter);
  QDropEvent event(QPointF(40, 40), Qt::CopyAction, &mime, Qt::LeftButton, {});
  QCoreApplication::sendEvent(desk.window.get(), &event);
}

}  // namespace slipstick::ui
