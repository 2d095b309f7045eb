#include "ui/health_log.h"

#include <algorithm>

#include "ui/text.h"

namespace slipstick::ui {
namespace {

constexpr qint64 kLeastPause_ms = 1000;

/// Whether the cause is one of the flag at a place.
bool isOf(const HealthCause& cause, std::size_t place) {
  return has(static_cast<HealthFlags>(cause.flag), flagAt(place));
}

}  // namespace

HealthLog::HealthLog(Session& session, QObject* parent) : QObject(parent), session_(session) {
  connect(&session_.opener(), &SceneOpener::opened, this, &HealthLog::onOpened);
  connect(&session_.run(), &OpenRun::statusChanged, this, &HealthLog::read);
  connect(&session_.moment(), &ShownMoment::shownChanged, this, &HealthLog::read);
}

void HealthLog::onOpened() {
  episodes_ = {};
  lines_.clear();
  branch_ = session_.run().status().branch;
  jumps_ = session_.run().status().jumps;
  end_ = 0;
  for (const QString& line : pairsApart(*session_.model())) session_.messages().tell(LogLevel::Info, line);
}

void HealthLog::read() {
  if (!session_.isOpen()) return;
  const RunStatus status = session_.run().status();
  const std::shared_ptr<const RunSource> run = session_.moment().sharedBranch(status.branch);
  if (!run || status.goingBack) return;
  if (status.branch != branch_ || status.jumps != jumps_) {  // what has been told before is not told again
    branch_ = status.branch;
    jumps_ = status.jumps;
    end_ = status.lastStep + 1;
    for (Episode& episode : episodes_) episode.last = -1;
    return;
  }
  if (status.lastStep + 1 <= end_) return;
  for (const TimelineMark& mark : run->marks(end_)) {
    readMark(*run, mark);
    end_ = mark.step + 1;
  }
  // Causes that join one that is there already, as far as steps are looked at.
  const std::shared_ptr<const Snapshot> newest = run->latest();
  for (const HealthCause& cause : causesOf(*newest))
    for (std::size_t flag = 0; flag < episodes_.size(); ++flag)
      if (isOf(cause, flag) && episodes_[flag].last >= 0) say(episodes_[flag], cause, *newest, newest->time);
}

void HealthLog::readMark(const RunSource& run, const TimelineMark& mark) {
  for (std::size_t flag = 0; flag < episodes_.size(); ++flag) {
    Episode& episode = episodes_[flag];
    const Health health = flagAt(flag);
    if (episode.last >= 0 && mark.time - episode.last > kGone) end(episode, health);
    if (!has(mark.health, health)) continue;
    if (episode.last < 0) begin(run, episode, flag, mark);
    episode.last = mark.time;
    ++episode.steps;
  }
}

void HealthLog::begin(const RunSource& run, Episode& episode, std::size_t place, const TimelineMark& mark) {
  episode = {};
  episode.first = mark.time;
  const std::shared_ptr<const Snapshot> stored = run.contactsAt(mark.step);
  const bool isStored = stored->step == mark.step;  // old steps are thinned out
  const std::vector<HealthCause> causes =
      isStored ? causesOf(*stored) : std::vector{causeOf(infoAt(place, stored->own.get()))};
  for (const HealthCause& cause : causes)
    if (isOf(cause, place)) say(episode, cause, *stored, mark.time);
}

void HealthLog::end(Episode& episode, Health flag) {
  if (flag == Health::NotConverged && episode.steps > 1)
    session_.messages().tell(LogLevel::Info,
                             tr("solves converge again: from %1 s to %2 s, %3 steps had one that did not")
                                 .arg(number(episode.first, 3), number(episode.last, 3),
                                      grouped(static_cast<std::size_t>(episode.steps))));
  episode.last = -1;
}

void HealthLog::say(Episode& episode, const HealthCause& cause, const Snapshot& of, double time) {
  if (!episode.said.insert(cause.key).second) return;
  QElapsedTimer& line = lines_[{cause.flag, cause.key}];
  if (line.isValid() && line.elapsed() < kLeastPause_ms) return;
  line.start();
  const HealthInfo& info = infoOf(cause.flag, of.own.get());
  session_.messages().tell(info.isInformation() ? LogLevel::Info : LogLevel::Warning,
                           tr("%1 s: %2. %3").arg(number(time, 3), cause.words, remedyOf(info)));
}

}  // namespace slipstick::ui
