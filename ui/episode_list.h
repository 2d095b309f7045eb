// The recorded tries at the task of the open scene: files in a folder of its own.
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>
#include <vector>

#include "ui/beside.h"
#include "ui/exports.h"
#include "ui/messages.h"
#include "ui/open_run.h"
#include "ui/studio.h"

namespace slipstick::ui {

class EpisodeList : public QObject {
  Q_OBJECT

 public:
  using Episode = StudioServices::Episode;

  EpisodeList(const StudioServices& services, const OpenRun& run, Exports& exports, Messages& messages);

  QString folder() const;  ///< of the open scene's tries; need not be there. Requires an open scene
  /// In the order of their making, without the one that is being recorded.
  const std::vector<Episode>& list() const { return list_; }
  std::uint64_t largestSeed() const;
  void clear();    ///< another scene has been opened; listChanged() follows
  void refresh();  ///< reads the folder, beside the window; listChanged() follows
  /// A file that is being recorded is not listed; empty: none is.
  void setRecording(const QString& file) { recording_ = file.toStdString(); }

  void setOutcome(const QString& file, EpisodeOutcome outcome);
  void setNote(const QString& file, const QString& note);
  /// Of the system. failed() says where that cannot be.
  void moveToBin(const QString& file);
  /// Copies tries at this task out of another folder.
  void addFrom(const QString& folder);
  /// All that are not discarded, as robomimic reads them.
  void exportTo(const QString& file);

 Q_SIGNALS:
  void listChanged();
  void binned(const QString& file);  ///< moveToBin() has succeeded

 private:
  void take(const QString& folder, const Result<std::vector<Episode>>& read);
  void change(const QString& file, std::function<Result<void>()> change);

  const StudioServices& services_;
  const OpenRun& run_;
  Exports& exports_;
  Messages& messages_;
  std::vector<Episode> list_;
  std::string recording_;
  bool readsAgain_ = false;
  Beside<std::vector<Episode>> reading_;
};

}  // namespace slipstick::ui
