// The open scene as a file: what of it a person has changed, and saving it.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/facts/looks.h"
#include "ui/beside.h"
#include "ui/file_state.h"
#include "ui/file_watch.h"
#include "ui/studio.h"

namespace slipstick::ui {

class Session;

class SceneDocument : public QObject {
  Q_OBJECT

 public:
  explicit SceneDocument(Session& session);
  ~SceneDocument() override;

  /// The scene has just been opened from a file: nothing is changed.
  /// @param read  the file as it was when it was read
  void begin(const std::string& file, const std::optional<FileState>& read = {});
  /// That Save writes to; empty where it has none of its own: a shipped scene, a robot file, a scene without one.
  const QString& file() const { return file_; }
  /// What is in the window differs from the file: undone edits do not.
  bool isEdited() const;
  /// There is something that leaving the scene would lose: edits, or some that are still being made, that nobody has said
  /// may go.
  bool isAtStake() const;
  bool isMadeAtStake() const;  ///< of that, edits that are there by now
  void waive();                ///< the edits that there are now may go, and those that are still being made
  void waiveMade();            ///< only those that there are now
  void unwaive();              ///< after all not
  /// Numbers that a file has, not those in force: where the file was saved since, what was saved.
  ParameterValue parameterOfFile(const std::string& path) const;

  /// Without those on bodies that are no more.
  std::vector<CameraSpec> cameras() const;
  void addCamera(CameraSpec camera);     ///< its name is made free
  void removeCamera(std::size_t index);  ///< into cameras()
  /// A free body is put somewhere, at rest; the scene starts it there from then on. Undoable.
  void place(int body, const Pose& X_WB);

  /// How a thing is shown now, and how the file says.
  LookSpec look(const ThingName& thing) const;
  LookSpec lookOfFile(const ThingName& thing) const;
  /// Undoable in one. @param what  for the undo menu  @param gesture  edits of one number are undone together
  void setLooks(const LookEdits& looks, const QString& what, int gesture = 0);
  /// Of all of the model that the session shows; the same object until something of it changes.
  std::shared_ptr<const Looks> looks() const;

  enum class Others { Kept, Overwritten };
  /// Writes the scene beside the window, once no edit of it is under way; savingEnded() follows, and before it saved(),
  /// conflicted() or Messages::failed(). Meanwhile the newest wish waits for its turn.
  /// @param others  what becomes of a file of the scene that somebody else has written since
  void save(const QString& file, Others others = Others::Kept);
  /// The same into a file beside the scene's own, which stays what it is: at once, without edits that are still being
  /// made. A save that waits for them is given up.
  void saveCopy(const QString& file);
  bool isSaving() const { return writing_.isRunning() || waiting_; }
  /// Nothing is being written yet: an edit is under way that belongs into the file, …
  bool isSavingWaiting() const { return waiting_.has_value(); }
  /// … for so long that the log says so.
  bool isSavingHeldUp() const { return waiting_ && toldOfWaiting_; }
  void giveUpWaiting();  ///< a save that waits comes to nothing; savingEnded() does not follow
  /// Somebody else has written the file since it was read or saved here, and the person has not said what of that.
  bool isFileChanged() const { return isFileChanged_; }
  void keepMine();  ///< the file as it is now may be written over

 Q_SIGNALS:
  void changed();  ///< what is edited, or the file
  void saved(QString file);
  void savingEnded(bool isWritten);
  void savingHeldUp();            ///< isSavingHeldUp() from now on
  void conflicted(QString file);  ///< it was not written: somebody else has, since
  void fileChanged();             ///< isFileChanged()
  void looksChanged();

 private:
  friend class PlaceEdit;
  friend class LookEdit;
  /// All that a file would say of what a person changed.
  struct Content {
    std::shared_ptr<const Scene> scene;
    std::map<std::string, ParameterValue> numbers;
    std::map<std::string, Pose> poses;  ///< where free robots and bodies start, by name
    std::vector<CameraSpec> cameras;
    LookEdits looks;  ///< that are not the scene's
  };
  Content content() const;
  static bool same(const Content& a, const Content& b);
  Scene sceneOf(const Content& content) const;
  void applyLooks(const LookEdits& looks);
  void setPlace(const std::string& robot, const Pose& X_WB, bool isStart);
  /// A file to be written, and what the person has said of it.
  struct Wish {
    QString file;
    Others others = Others::Kept;
    bool isCopy = false;
  };
  struct Written {
    bool hasConflict = false;
    FileState state;  ///< of the file afterwards
  };
  void start(const Wish& wish);
  void writeOnceEdited();
  void tellOfWaiting();
  void write(const Wish& wish);
  void finishSaving(const Wish& wish, std::uint64_t scene, const Content& content,
                    const Result<Written>& written);
  void lookAtFile();

  Session& session_;
  QString file_;
  FileState known_;  ///< what file_ holds as far as the person knows
  FileWatch watch_;
  bool isFileChanged_ = false;
  std::uint64_t scene_ = 0;  ///< counts those that were opened: what comes late belongs to its own
  std::optional<Content> waived_;
  bool waivesComing_ = false;    ///< edits that are still being made, too
  Content now_;                  ///< its poses, cameras and looks; the rest is the session's
  Content saved_;                ///< what the file has
  std::optional<Wish> waiting_;  ///< for an edit that is under way
  QElapsedTimer waitsSince_;
  QTimer look_;  ///< whether that is done
  bool toldOfWaiting_ = false;
  std::optional<Wish> next_;  ///< of the scene that is open
  Beside<Written> writing_;   ///< waited for: what a person saves is not lost
  /// looks(), and the model that they are of.
  mutable std::shared_ptr<const Looks> looks_;
  mutable std::shared_ptr<const Model> looksModel_;
  bool toldOfHiding_ = false;
};

}  // namespace slipstick::ui
