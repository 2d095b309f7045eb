// Says in the log what a run's health flags mean, when they are first raised and again after they were gone.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <array>
#include <map>
#include <set>
#include <string>

#include "ui/health_words.h"
#include "ui/session.h"

namespace slipstick::ui {

/// Of the live run, whatever is looked at. A flag that stays, or that comes and goes, has one line per cause, until it has
/// been gone for kGone; no cause has more than one line a second.
class HealthLog : public QObject {
  Q_OBJECT

 public:
  explicit HealthLog(Session& session, QObject* parent = nullptr);

  static constexpr double kGone = 0.25;  ///< [s] of simulated time

 private:
  struct Episode {
    double first = 0, last = -1;  ///< times of the steps with the flag [s]
    int steps = 0;
    std::set<std::string> said;  ///< causes
  };

  void onOpened();
  void read();
  void readMark(const RunSource& run, const TimelineMark& mark);
  void begin(const RunSource& run, Episode& episode, std::size_t place, const TimelineMark& mark);
  void end(Episode& episode, Health flag);
  /// @param of  the step whose method raised it
  void say(Episode& episode, const HealthCause& cause, const Snapshot& of, double time);

  Session& session_;
  std::array<Episode, kHealthPlaces> episodes_;                    ///< by place, see infoAt()
  std::map<std::pair<Health, std::string>, QElapsedTimer> lines_;  ///< since each cause's last line
  BranchId branch_ = 0;
  std::uint64_t jumps_ = 0, end_ = 0;  ///< one past the last step read
};

}  // namespace slipstick::ui
