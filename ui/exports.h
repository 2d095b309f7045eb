// Files that are written while the window goes on: numbers of a run, pictures and videos of it.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

#include "engine/foundation/result.h"
#include "ui/beside.h"

namespace slipstick::ui {

/// How far a file is.
struct ExportProgress {
  double fraction = -1;  ///< 0 … 1; below 0: nobody knows
  QString words;         ///< "42 of 181 pictures · 12.4/s · 11 s left"
};

class Exports : public QObject {
  Q_OBJECT

 public:
  /// Runs on a thread of its own. Once `stop` says so nobody wants more of the file.
  using Write = std::function<Result<void>(const std::stop_token& stop)>;
  /// Of any thread.
  using Say = std::function<void(const ExportProgress&)>;
  /// The same of what takes long: says how far it is. @return what a person should know of the file; empty: nothing
  using Work = std::function<Result<QString>(const std::stop_token& stop, const Say& say)>;

  using QObject::QObject;
  ~Exports() override { giveUp(); }

  /// Quietly: what a person has not asked for by itself, and sees elsewhere.
  enum class Told { Aloud, Quietly };
  /// Kept: what a person has made already and would lose, as a recording that is to be closed. It takes no long time, and
  /// nothing gives it up.
  enum class Worth { MayBeGivenUp, Kept };
  /// Files are written one after the other; written(), stopped() or failed() follows for each; in place of written()
  /// writtenQuietly() where that is asked for.
  void begin(const QString& file, Write write, Told told = Told::Aloud, Worth worth = Worth::MayBeGivenUp);
  void begin(const QString& file, Work work, Told told = Told::Aloud, Worth worth = Worth::MayBeGivenUp);
  bool isWriting() const { return !jobs_.empty(); }
  /// Those that may be given up and are told of, the one that is written first; not those that are given up already.
  QStringList longOnes() const;

  /// The file that is being written.
  struct Current {
    QString file;
    ExportProgress progress;
    bool isStopping = false;
    std::size_t waiting = 0;  ///< others after it
    Told told = Told::Aloud;
    bool isKept = false;  ///< nothing gives it up
  };
  std::optional<Current> current() const;
  void cancel();  ///< the one that is being written

  void giveUp();           ///< all that may be
  bool isKeeping() const;  ///< one of those that nothing gives up is not written yet

 Q_SIGNALS:
  void written(const QString& file, const QString& note);
  void writtenQuietly(const QString& file);
  void stopped(const QString& file);  ///< and not written
  void failed(const slipstick::Error& error);
  void changed();  ///< what current() says

 private:
  struct Job {
    QString file;
    Told told = Told::Aloud;
    Worth worth = Worth::MayBeGivenUp;
    std::stop_source stop;
    std::mutex mutex;
    ExportProgress progress;
  };
  Result<QString> run(Job& job, const Work& work);
  void finish(const Result<QString>& result);

  std::deque<std::shared_ptr<Job>> jobs_;  ///< the first one is being written
  std::atomic<bool> changePosted_ = false;
  Beside<QString> writing_;  ///< waits for all that may not be given up
};

}  // namespace slipstick::ui
