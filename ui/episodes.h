// Tries at the task of the open scene: each begins with a new draw of its reset, is recorded, and ends when the task or a
// person decides. And the list of those that lie in the folder of the scene.
#pragma once

#include <QImage>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

#include "engine/model/scene.h"
#include "ui/beside.h"
#include "ui/studio.h"

namespace slipstick::ui {

class Session;

class Episodes : public QObject {
  Q_OBJECT

 public:
  using Episode = StudioServices::Episode;
  using Picture = StudioServices::EpisodePicture;
  /// Of a try, most; of longer ones they lie farther apart.
  static constexpr std::size_t kMaxPictures = 12;

  explicit Episodes(Session& session);
  ~Episodes() override;

  // ---- the try that goes on
  /// The open scene has a task, and it is known where its things stood before a reset was drawn.
  bool canTry() const;
  /// A try is recorded.
  bool isOn() const { return current_ && !current_->isEnding; }
  std::uint64_t seed() const { return current_ ? current_->seed : 0; }  ///< of its draw
  /// Draws the task's reset anew, records from its first step on, and plays. The try before, if it goes on, is discarded.
  void begin();
  /// The try is done, and well: a success, where the task itself has not decided. Without a try, begins one.
  void keep();
  /// The try that goes on, or the one before: it stays in the list, and out of what is exported.
  void discard();
  /// Another draw: of a try that goes on, which is discarded, as the next one; otherwise without recording.
  void drawAgain();
  /// The task has decided about what is simulated.
  void decided(TaskOutcome outcome);
  /// A picture of the newest step is on the screen.
  void show(const QImage& image, double time);

  // ---- what is edited while draws come and go
  /// The scene of the newest step as its author has it, before the draw of its reset; what has no draw, or is not known
  /// without it, as it is.
  std::shared_ptr<const Scene> authored() const;
  /// That the newest scene is this one as its author has it.
  void setAuthored(std::shared_ptr<const Scene> scene);

  // ---- what lies on the disk
  QString folder() const;  ///< of the open scene's tries; need not be there. Requires an open scene
  const std::vector<Episode>& list() const { return list_; }
  void refresh();  ///< reads the folder, beside the window; listChanged() follows
  void setOutcome(const QString& file, EpisodeOutcome outcome);
  void setNote(const QString& file, const QString& note);
  /// Of the system. failed() says where that cannot be.
  void moveToBin(const QString& file);
  /// Copies tries at this task out of another folder.
  void addFrom(const QString& folder);
  /// All that are not discarded, as robomimic reads them.
  void exportTo(const QString& file);

 Q_SIGNALS:
  void changed();  ///< whether a try goes on, and which
  void listChanged();

 private:
  friend class Session;
  void open();    ///< a scene has been opened
  void follow();  ///< a draw arrives, or does not; a recording ends, for whatever reason
  void arrive();
  void end(EpisodeOutcome outcome);
  void close();
  void reset(std::shared_ptr<const Scene> scene, std::uint64_t seed, std::shared_ptr<RunSink> sink);
  std::uint64_t nextSeed();
  void take(const QString& folder, const Result<std::vector<Episode>>& read);
  void change(const QString& file, std::function<Result<void>()> change);

  /// What is written into the file when it is closed, by whatever ends it.
  struct Verdict {
    EpisodeOutcome outcome = EpisodeOutcome::Open;
    std::vector<Picture> pictures;
  };
  struct Current {
    QString file;
    std::uint64_t seed = 0;
    std::shared_ptr<Verdict> verdict;
    double spacing = 0;  ///< of its pictures [s]
    bool hasBegun = false;
    bool isEnding = false;  ///< decided; a picture of its end is on the way
  };
  /// A scene that was drawn, and the one that it was drawn from.
  struct Draw {
    std::shared_ptr<const Scene> drawn, authored;
  };

  Session& session_;
  std::optional<Current> current_;
  QTimer lastLook_;
  QString before_;           ///< file of the try that ended last
  std::uint64_t drawn_ = 0;  ///< largest seed that was drawn here
  std::vector<Draw> draws_;
  std::optional<std::uint64_t> awaited_;      ///< seed of a draw that has not arrived yet
  std::shared_ptr<const Scene> awaitedFrom_;  ///< what it was drawn from
  std::shared_ptr<const Scene> authored_;     ///< of the newest draw or edit
  std::vector<Episode> list_;
  bool readsAgain_ = false;
  Beside<std::vector<Episode>> reading_;
};

}  // namespace slipstick::ui
