// The open scene as a file: what of it a person has changed, and saving it.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engine/model/looks.h"
#include "ui/studio.h"

namespace slipstick::ui {

class Session;

class SceneDocument : public QObject {
  Q_OBJECT

 public:
  explicit SceneDocument(Session& session);
  ~SceneDocument() override;

  /// The scene has just been opened from a file: nothing is changed.
  void begin(const std::string& file);
  /// That Save writes to; empty where it has none of its own: a shipped scene, a robot file, a scene without one.
  const QString& file() const { return file_; }
  /// What is in the window differs from the file: undone edits do not.
  bool isEdited() const;
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

  /// Writes the scene beside the window; saved() or Session::failed() follows. @param then  when it is written
  void save(const QString& file, std::function<void()> then = {});
  bool isSaving() const { return saving_; }

 Q_SIGNALS:
  void changed();  ///< what is edited, or the file
  void saved(QString file);
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
  void finishSaving(const QString& file, const Content& content, const Result<void>& result,
                    const std::function<void()>& then);

  Session& session_;
  QString file_;
  Content now_;    ///< its poses, cameras and looks; the rest is the session's
  Content saved_;  ///< what the file has
  bool saving_ = false;
  std::jthread writing_;  ///< waited for: what a person saves is not lost
  /// looks(), and the model that they are of.
  mutable std::shared_ptr<const Looks> looks_;
  mutable std::shared_ptr<const Model> looksModel_;
  bool toldOfHiding_ = false;
};

}  // namespace slipstick::ui
