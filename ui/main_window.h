// The window: menus, keys, docks and the page in the middle. It arranges; the panels do the work.
#pragma once

#include <QMainWindow>
#include <QProgressBar>
#include <QStackedWidget>
#include <stop_token>
#include <thread>

#include "render/view_actions.h"
#include "ui/banner.h"
#include "ui/gallery.h"
#include "ui/panels.h"
#include "ui/session.h"
#include "ui/status_line.h"
#include "ui/theme.h"
#include "ui/timeline.h"
#include "ui/viewport.h"

namespace slipstick::ui {

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  /// @param remember  restore and save layout and theme; off for pictures and tests, which must not depend on
  /// habits
  MainWindow(StudioServices services, QSize size, bool remember);
  ~MainWindow() override;

  Session& session() { return session_; }
  Viewport& viewport() { return *viewport_; }
  Timeline& timeline() { return *timeline_; }
  /// The dock of a kind of panelKinds().
  template <class P>
  P& panel() {
    for (Panel* panel : panels_)
      if (auto* found = qobject_cast<P*>(panel)) return *found;
    qFatal("the window has no such panel");
  }
  Banner& banner() { return *banner_; }
  StatusLine& statusLine() { return *status_; }

  /// Every observable of every step of the branch looked at, as CSV, written beside the window; the log says
  /// when it is done.
  void exportObservables(const QString& file);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void buildCenter();
  void buildDocks();
  void buildMenus();
  void buildFileMenu();
  void buildEditMenu();
  void buildSimulateMenu();
  void buildViewMenu();
  void buildViewActions(QMenu* menu);
  void buildComparisons(QMenu* menu);
  void fillBranchEnds(QMenu* menu);
  void addCheck(QMenu* menu, const QString& text, const QKeySequence& key, void (Viewport::*set)(bool));
  void addViewSwitch(QMenu* menu, const render::ViewAction& action);
  void addViewChoices(QMenu* menu, const render::ViewAction& action);
  std::vector<std::pair<std::string, std::string>> keyLines() const;
  void buildHelpMenu();
  void buildChips();
  void connectSession();
  void arrangeDocks();
  void showPanel(Panel& panel, bool shown);
  void restoreLayout();

  void chooseFile();
  /// Opens a scene, after the person has said what becomes of edits that are not saved.
  void openUnlessEdited(const QString& scene);
  /// Asks where there are such edits and the window remembers; goes on where they are saved or not wanted.
  void askToSave(std::function<void()> goOn);
  /// Into its file, or one that the person chooses. @param then  when it is saved
  void saveScene(std::function<void()> then = {});
  void saveSceneAs();
  void showName();
  void takeScreenshot();
  void chooseObservablesFile();
  void stopOrLetGo();
  void togglePin(const std::optional<Pin>& pin);
  void toggleFullScreen();
  void togglePanels();
  void focusNextPanel(int direction);  ///< from the picture through the panels to the timeline, and round
  void setAppearance(Appearance appearance);
  void onOpened(const std::vector<Notice>& notices);
  void onFailed(const Error& error);
  void showWhatComputes();

  Session session_;
  bool remember_;
  bool closes_ = false;  ///< without being asked again
  QStackedWidget* pages_;
  Gallery* gallery_;
  Viewport* viewport_;
  Banner* banner_;
  QProgressBar* busy_;
  std::vector<Panel*> panels_;  ///< as panelKinds()
  Timeline* timeline_;
  StatusLine* status_;
  QDockWidget* bottom_;
  QWidget* chips_;
  Chip *sceneChip_, *deviceChip_;
  std::vector<Panel*> hiddenPanels_;  ///< by Tab; shown again by the next Tab
  bool closesWhenSaved_ = false;
  std::stop_source leaving_;  ///< what is still being exported then is given up
  std::jthread exporting_;    ///< of observables
};

}  // namespace slipstick::ui
