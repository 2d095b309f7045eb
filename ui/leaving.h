// The one way out of the open scene, whatever for: opening another one, reloading, quitting. Nothing that a person has made
// is lost on it, and no file of another scene is written over.
#pragma once

#include <QElapsedTimer>
#include <QMessageBox>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <functional>
#include <optional>

#include "ui/session.h"

namespace slipstick::ui {

/// What stands in the way is settled one after the other, and looked at anew whenever it may have changed: a save under way
/// is waited for, unless an edit holds it up; edits are saved or given up, and work under way, as the person says; before
/// the program ends a recording is closed, and files that are being written are written or given up, as the person says.
/// The window stays until all of that is answered.
class Leaving : public QObject {
  Q_OBJECT

 public:
  struct Way {
    std::function<void()> goOn;
    std::function<void()> stay = {};  ///< the person stays after all, or leaves another way
    bool endsProgram = false;
    /// False: nobody can answer. Edits go into a file of their own at once, exports are given up.
    bool isAnswered = true;
  };

  /// @param asks  about edits and files; otherwise edits go, and files are waited for
  Leaving(Session& session, QWidget& window, bool asks);

  /// What is under way, keeps nothing in a file, and ends with the scene.
  struct Work {
    std::function<QString()> underWay;  ///< in a sentence; empty: nothing is
    std::function<void()> giveUp;
  };
  void setWork(Work work) { work_ = std::move(work); }

  /// Goes on at once where nothing stands in the way. A way that was begun before is not gone on with.
  void leave(Way way);
  /// The same for a scene that is ready to be shown: after a way that was begun before, should the person stay.
  void show(Way way);
  /// Saves the scene into its file, or one that the person chooses.
  void save();
  void saveAs();
  /// Asks what becomes of a file that somebody else has written since it was read.
  void askAboutFile();

 Q_SIGNALS:
  void rescued(const QString& file);  ///< edits that nobody could be asked about are there

 private:
  enum class Files { Unasked, WaitedFor, GivenUp };

  void step();
  bool isHeldUp();
  bool waitsForSaving() const;
  bool waitsForExports();
  void settleEdits();
  bool isWorkSettled();
  bool areFilesSettled();
  void rescue();
  void awaitEdit();
  void askAboutEdits();
  void askAboutWork(const QString& work);
  void askAboutExports(const QStringList& files);
  QMessageBox* ask(const QString& text, const QString& more);
  void dismiss();
  void goOn();
  void stay();
  void savingEnded(bool isWritten);
  QString whatEnds();

  Session& session_;
  QWidget& window_;
  bool asks_;
  Work work_;
  std::optional<Way> way_, held_;  ///< held_: of show(), while way_ is another one
  QPointer<QMessageBox> question_;
  enum class About { Nothing, Edits, Work, Exports, File };
  About about_ = About::Nothing;  ///< question_
  Files files_ = Files::Unasked;
  bool isStepping_ = false, isTooLate_ = false;
  bool isToBeSaved_ = false;  ///< so the person has said on this way
  QString rescue_;            ///< file that edits are being written to
  QElapsedTimer lastMoment_;  ///< of an edit under way that is to be rescued
  QTimer again_;              ///< while a dialog is open that is none of ours, or an edit is under way
};

}  // namespace slipstick::ui
