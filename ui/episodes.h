// Tries at the task of the open scene: each begins with a new draw of its reset, is recorded, and ends when the task or a
// person decides.
#pragma once

#include <QImage>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

#include "engine/runtime/episode_outcome.h"
#include "engine/runtime/task_watch.h"
#include "ui/studio.h"

namespace slipstick::ui {

class Session;

class Episodes : public QObject {
  Q_OBJECT

 public:
  using Picture = StudioServices::EpisodePicture;
  /// Of a try, most; of longer ones they lie farther apart.
  static constexpr std::size_t kMaxPictures = 12;

  explicit Episodes(Session& session);
  ~Episodes() override;

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

 Q_SIGNALS:
  void changed();  ///< whether a try goes on, and which

 private:
  friend class Session;
  void open();    ///< a scene has been opened
  void follow();  ///< a draw arrives, or does not; a recording ends, for whatever reason
  void arrive(bool isThere);
  void end(EpisodeOutcome outcome);
  void close();

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
  Session& session_;
  std::optional<Current> current_;
  QTimer lastLook_;
  QString before_;  ///< file of the try that ended last
};

}  // namespace slipstick::ui
