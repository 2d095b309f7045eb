// The window: menus, keys, docks and the page in the middle. It arranges; the panels do the work.
#pragma once

#include <QMainWindow>
#include <QPointer>
#include <QStackedWidget>
#include <set>
#include <stop_token>
#include <thread>

#include "render/view_actions.h"
#include "ui/banner.h"
#include "ui/data_dialog.h"
#include "ui/driving_keys.h"
#include "ui/drop_hint.h"
#include "ui/export_card.h"
#include "ui/gallery.h"
#include "ui/known_files.h"
#include "ui/leaving.h"
#include "ui/methods_dialog.h"
#include "ui/panels.h"
#include "ui/picture_dialog.h"
#include "ui/progress_card.h"
#include "ui/session.h"
#include "ui/status_line.h"
#include "ui/theme.h"
#include "ui/timeline.h"
#include "ui/viewport.h"

namespace slipstick::ui {

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  /// @param size      wanted; where it remembers, no larger than the screen [logical px]
  /// @param remember  restore and save layout, theme, files and how each looked, and ask about edits that are not saved;
  /// off for pictures and tests, which must not depend on habits
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
  /// What is said of a file that others have written.
  Banner& fileBanner() { return *fileBanner_; }
  StatusLine& statusLine() { return *status_; }
  Gallery& gallery() { return *gallery_; }
  ProgressCard& progress() { return *progress_; }
  DropHint& dropHint() { return *dropHint_; }
  ExportCard& exportCard() { return *exportCard_; }
  /// Null while they are closed.
  PictureDialog* pictureDialog() { return pictureDialog_; }
  DataDialog* dataDialog() { return dataDialog_; }
  MethodsDialog* methodsDialog() { return methodsDialog_; }
  KnownFiles& knownFiles() { return known_; }

  /// Every observable of every step of the branch looked at, as CSV, written beside the window; the log says
  /// when it is done.
  void exportObservables(const QString& file);

  /// The start page; a scene that is open stays so behind it.
  void showGallery();
  /// Closes as Ctrl+Q does, but where nobody can answer: edits that are not saved go into a file of their own.
  void closeUnasked();
  /// Back to the scene behind it, if there is one.
  void leaveGallery();
  bool isGalleryShown() const { return pages_->currentWidget() == gallery_; }
  /// Panels where and as large as they are at first.
  void resetLayout();
  /// Camera and what is drawn as they are at first.
  void resetView();
  /// Where the docks are, with the names of the panels that there were; taken back by restoreLayout(). Panels that are
  /// newer stand in their usual place then.
  QJsonObject layoutAsJson() const;
  /// @return whether it was one
  bool restoreLayout(const QJsonObject& layout);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void buildCenter();
  void buildMenus();
  void buildFileMenu();
  void buildOpenActions(QMenu* menu);
  void buildRecordingActions(QMenu* menu);
  void buildEditMenu();
  void buildSimulateMenu();
  void buildMethodMenu(QMenu* menu);
  void buildViewMenu();
  void buildPanelActions(QMenu* menu);
  void buildViewActions(QMenu* menu);
  void buildComparisons(QMenu* menu);
  void fillBranchEnds(QMenu* menu);
  void fillRecent(QMenu* menu);
  QAction* addCheck(QMenu* menu, const QString& text, const QKeySequence& key, void (Viewport::*set)(bool));
  void addViewSwitch(QMenu* menu, const render::ViewAction& action);
  void addViewChoices(QMenu* menu, const render::ViewAction& action);
  std::vector<std::pair<std::string, std::string>> keyLines() const;
  void buildHelpMenu();
  void buildChips();
  void connectSession();

  // main_window_layout.cpp
  void buildDocks();
  void placePanel(std::size_t index);
  void arrangeDocks();
  void showPanel(Panel& panel, bool shown);
  void hideDocks();
  void showDocks();
  void restoreHabits();
  void keepHabits();
  QString lookedAtFile();
  void keepLook();
  void restoreLook();
  void togglePanels();
  void focusNextPanel(int direction);  ///< from the picture through the panels to the timeline, and round

  // main_window_files.cpp
  void chooseFile();
  /// Opens a scene, once nothing of the open one is lost by it.
  void openUnlessEdited(const QString& scene);
  void reload();
  void showFileBanner();
  void takeScreenshot();
  void chooseObservablesFile();
  void chooseRecording();
  void choosePastRecording();

  // main_window_exports.cpp
  void showPictureDialog();
  void showDataDialog();
  void showMethodsDialog();
  RunTimes runTimes() const;
  PictureScene pictureScene();

  void showName();
  bool isComparing() const;
  QString workUnderWay() const;
  void giveUpWork();
  void stopOrLetGo();
  void togglePin(const std::optional<Pin>& pin);
  void toggleFullScreen();
  void setAppearance(Appearance appearance);
  void onOpened(const std::vector<Notice>& notices);
  void onWritten(const QString& file);
  void onFailed(const Error& error);
  void hideOldFailure();
  void showWhatComputes();
  void offerMethod(const std::string& method, const QString& why);
  static QString goOnOnCpuText();

  Session session_;
  std::unique_ptr<DrivingKeys> drivingKeys_;
  bool remember_;
  KnownFiles known_;
  std::unique_ptr<Leaving> leaving_;
  bool closes_ = false;     ///< nothing stands in the way of it any more
  bool isClosing_ = false;  ///< closeEvent() asks
  QStackedWidget* pages_;
  Gallery* gallery_;
  Viewport* viewport_;
  Banner *banner_, *fileBanner_;
  ProgressCard* progress_;
  DropHint* dropHint_;
  ExportCard* exportCard_;
  QPointer<PictureDialog> pictureDialog_;
  QPointer<DataDialog> dataDialog_;
  QPointer<MethodsDialog> methodsDialog_;
  QJsonObject pictureHabits_, dataHabits_;  ///< what was chosen last
  std::vector<Panel*> panels_;              ///< as panelKinds()
  Timeline* timeline_;
  StatusLine* status_;
  QDockWidget* bottom_;
  QWidget* chips_;
  Chip *sceneChip_, *deviceChip_;
  QAction *following_, *parallel_;
  bool isArranged_ = false;           ///< the docks were shown before
  QString runFailure_;                ///< that the banner says
  std::set<Panel*> wanted_;           ///< by themselves
  QJsonObject layoutBehindGallery_;   ///< while the gallery hides the docks
  std::vector<Panel*> hiddenPanels_;  ///< by Tab; shown again by the next Tab
};

}  // namespace slipstick::ui
