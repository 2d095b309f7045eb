// The window: menus, keys, docks and the page in the middle. It arranges; the panels do the work.
#pragma once

#include <QMainWindow>
#include <QProgressBar>
#include <QStackedWidget>
#include <thread>

#include "render/view_actions.h"
#include "ui/banner.h"
#include "ui/contacts_panel.h"
#include "ui/gallery.h"
#include "ui/inspector.h"
#include "ui/log_panel.h"
#include "ui/plots_panel.h"
#include "ui/scene_panel.h"
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
  ContactsPanel& contacts() { return *contacts_; }
  ScenePanel& scenePanel() { return *scene_; }
  Inspector& inspector() { return *inspector_; }
  LogPanel& log() { return *log_; }
  PlotsPanel& plots() { return *plots_; }
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
  void showPlots(bool shown);
  void restoreLayout();

  void chooseFile();
  void takeScreenshot();
  void chooseObservablesFile();
  void stopOrLetGo();
  void togglePin(const std::optional<Pin>& pin);
  void toggleFullScreen();
  void togglePanels();
  void setAppearance(Appearance appearance);
  void onOpened(const std::vector<Notice>& notices);
  void onFailed(const Error& error);
  void showWhatComputes();
  std::vector<QDockWidget*> panels() const;

  Session session_;
  bool remember_;
  QStackedWidget* pages_;
  Gallery* gallery_;
  Viewport* viewport_;
  Banner* banner_;
  QProgressBar* busy_;
  ScenePanel* scene_;
  Inspector* inspector_;
  ContactsPanel* contacts_;
  LogPanel* log_;
  PlotsPanel* plots_;
  Timeline* timeline_;
  StatusLine* status_;
  QDockWidget* bottom_;
  QWidget* chips_;
  Chip *sceneChip_, *deviceChip_;
  std::vector<QDockWidget*> hiddenPanels_;  ///< by Tab; shown again by the next Tab
  std::jthread exporting_;                  ///< of observables; waited for at the end
};

}  // namespace slipstick::ui
