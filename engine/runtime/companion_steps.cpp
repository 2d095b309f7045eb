// What the thread of a companion does: it looks where the live run is, goes there by its own keyframes, and steps.
#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/compile/method_change.h"
#include "engine/foundation/guarded.h"
#include "engine/foundation/stopping.h"
#include "engine/model/method_choice.h"
#include "engine/model/parameters.h"
#include "engine/model/step_failure.h"
#include "engine/runtime/companion_impl.h"
#include "engine/runtime/simulation_thread_impl.h"
#include "engine/step/carry_over.h"

namespace slipstick {

namespace {

/// Of each companion; the live run has four times as much.
constexpr std::size_t kHistoryBytes = std::size_t{256} << 20;

}  // namespace

void Companion::Impl::loop(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::uint64_t changes = 0;
    const Result<bool> more = guarded(ErrorCode::SimulationFailed, settings.name, [&]() -> Result<bool> {
      const RunRecord::Lead lead = live->lead();
      changes = lead.changes;
      try {
        return goOn(lead, stop);
      } catch (const StepFailure& failure) {
        return failure.error();
      } catch (const Stopped&) {  // the step has not been
        return true;
      }
    });
    if (!more && !stop.stop_requested()) halt(more.error().message());
    if (!more || !*more) live->waitForMore(changes, stop);
  }
}

/// Does the next thing. @return false: there is nothing to do before the live run's record changes
Result<bool> Companion::Impl::goOn(const RunRecord::Lead& lead, const std::stop_token& stop) {
  if (lead.jumps != jumps) {
    jumps = lead.jumps;
    const Result<void> placed = place(lead);
    if (!placed) return placed.error();
    return true;
  }
  if (halted) return false;
  const std::optional<RunRecord::Next> next =
      live->nextAfter(legWith(lead.way, run.step + 1).branch, run.step);
  Result<void> done;
  if (!next)
    done = begin(lead);  // what was commanded up to here is deleted
  else if (modelsTaken < next->models.size())
    done = take(next->models[modelsTaken]);
  else if (run.step < lead.newest)
    done = step(next->commands, stop);
  else
    return false;
  if (!done) return done.error();
  return true;
}

void Companion::Impl::halt(std::string why) {
  halted = true;
  const std::scoped_lock lock(mutex);
  facts.error = std::move(why);
}

// ---- where it goes on from

/// After the live run has gone on from another step than its newest, and at first.
Result<void> Companion::Impl::place(const RunRecord::Lead& lead) {
  const std::optional<Meeting> meeting = meet(lead);
  if (!meeting) return begin(lead);
  const Track& track = meeting->track;
  // Its own state counts where it has not gone further, nor through an edit that the live run has taken back.
  const bool stands = meeting->isNewest && !halted && modelsTaken == 0 && run.step <= meeting->step;
  if (stands && track.way == lead.way) return {};
  std::shared_ptr<const Keyframe> keyframe;
  if (stands) {
    keyframe = run.keyframe();
  } else {
    // One step earlier than needed where possible, so that the step's contacts are computed again.
    if (meeting->step > track.begin) keyframe = record->keyframeBefore(track.own, meeting->step - 1);
    if (!keyframe) keyframe = record->keyframeBefore(track.own, meeting->step);
    if (!keyframe) return begin(lead);
    if (Result<void> gone = goBackTo(*keyframe); !gone) return gone;
  }
  record->changeBackend(track.own, keyframe, run.observe());
  follow(lead.way, record->newest()->branch, track.begin);
  return {};
}

/// The track that goes along with the live run's way the furthest.
std::optional<Companion::Impl::Meeting> Companion::Impl::meet(const RunRecord::Lead& lead) const {
  std::optional<Meeting> best;
  for (const Track& track : tracks) {
    const std::optional<std::uint64_t> step = commonStep(track.way, track.last, lead.way, lead.newest);
    if (step && *step >= track.begin && (!best || *step >= best->step))
      best = Meeting{track, &track == &tracks.back(), *step};
  }
  return best;
}

/// From the first state of the live run's way on.
Result<void> Companion::Impl::begin(const RunRecord::Lead& lead) {
  const std::shared_ptr<const Keyframe> start = live->startOfWay(lead.way.back().branch);
  if (!start)
    return Error{ErrorCode::SimulationFailed, "the live run no longer has the state that it began with",
                 settings.name, "reset the run"};
  Result<LiveRun> begun = beginning(*start);
  if (!begun) return begun.error();
  if (Result<void> checked = checkNumbers(*begun); !checked) return checked;
  std::shared_ptr<Snapshot> snapshot = begun->observe();
  const std::shared_ptr<const Keyframe> keyframe = begun->keyframe();
  const bool isFirst = record == nullptr;
  if (isFirst) {
    auto fresh = std::make_shared<RunRecord>(std::move(snapshot), keyframe);
    fresh->setByteBudget(kHistoryBytes);
    const std::scoped_lock lock(mutex);
    record = std::move(fresh);
  } else {
    record->beginElsewhere(settings.name, std::move(snapshot), keyframe);
  }
  run = std::move(*begun);
  liveModel = start->model;
  modelsTaken = 0;
  follow(lead.way, record->newest()->branch, run.step);
  std::string notice;
  if (run.step > 0) notice = "began at step " + std::to_string(run.step) + " with the state of the live run";
  if (!isFirst && run.step == 0) notice = "began anew, as the live run did";
  const std::scoped_lock lock(mutex);
  facts.notice.swap(notice);
  return {};
}

/// Its own run, at the state that the live run's way begins with.
Result<LiveRun> Companion::Impl::beginning(const Keyframe& start) {
  const Result<std::shared_ptr<const Model>> own = modelFor(start.model);
  if (!own) return own.error();
  if (start.state.step > 0) {
    if (!hasNodesOf(*start.model, settings.method))
      return Error{ErrorCode::Unsupported,
                   "its method makes other nodes of soft bodies, which only a start has", settings.name,
                   "reset the run, or choose another method"};
    Result<LiveRun> same = LiveRun::from(makeStepper, start.model, start.state);
    return !same || *own == start.model ? std::move(same) : same->as(*own);
  }
  Result<LiveRun> first = LiveRun::start(makeStepper, *own);
  if (!first || hashOf(*start.state.tuning) == hashOf(*first->tuning)) return first;
  State state = first->state();
  state.tuning = start.state.tuning;
  return LiveRun::from(makeStepper, *own, state);
}

/// Whether its own numbers can be in force beside those that are.
Result<void> Companion::Impl::checkNumbers(const LiveRun& begun) const {
  Tuning tuning = *begun.tuning;
  for (const SetParameter& number : settings.numbers)
    if (Result<void> set = setParameter(*begun.model, number.path, number.value, tuning); !set) return set;
  return {};
}

Result<void> Companion::Impl::goBackTo(const Keyframe& keyframe) {
  Result<LiveRun> past = LiveRun::from(makeStepper, keyframe.model, keyframe.state);
  if (!past) return past.error();
  run = std::move(*past);
  liveModel = liveModelOf(keyframe.model);
  modelsTaken = 0;
  numbersDue = false;
  return {};
}

/// From where the run stands on a branch of the record that has just begun there.
/// @param begin  the first step of the way to it
void Companion::Impl::follow(const Way& way, BranchId own, std::uint64_t begin) {
  Track track{way, own, begin, run.step, BranchView::of(record, own)};
  meter.restart();
  halted = false;
  const std::scoped_lock lock(mutex);
  tracks.push_back(std::move(track));
  facts.hasBegun = true;
  facts.step = run.step;
  facts.runsOn = run.stepper->runsOn();
  facts.error.clear();
  facts.health.clear();
}

/// The same scene under its own method.
Result<std::shared_ptr<const Model>> Companion::Impl::modelFor(const std::shared_ptr<const Model>& ofLive) {
  for (const auto& [theirs, own] : models)
    if (theirs == ofLive) return own;
  Result<std::shared_ptr<const Model>> made = withMethod(ofLive, settings.method);
  if (made) models.emplace_back(ofLive, *made);
  return made;
}

std::shared_ptr<const Model> Companion::Impl::liveModelOf(const std::shared_ptr<const Model>& own) const {
  const auto made =
      std::find_if(models.begin(), models.end(), [&](const auto& m) { return m.second == own; });
  SIM_REQUIRE(made != models.end());
  return made->first;
}

// ---- what it does there

/// The live run's scene has been edited at this step.
Result<void> Companion::Impl::take(const std::shared_ptr<const Model>& ofLive) {
  const Result<std::shared_ptr<const Model>> own = modelFor(ofLive);
  if (!own) return own.error();
  Result<LiveRun> edited = run.as(*own);
  if (!edited) return edited.error();
  std::shared_ptr<Snapshot> snapshot = edited->observe();
  snapshot->branch = record->newest()->branch;
  record->changeModel(std::move(snapshot));
  run = std::move(*edited);
  liveModel = ofLive;
  ++modelsTaken;
  numbersDue = true;  // what came back has those of its scene
  return {};
}

/// The step that the live run took with these commands.
Result<void> Companion::Impl::step(const std::vector<Command>& commands, const std::stop_token& stop) {
  using Clock = RateMeter::Clock;
  const Clock::time_point start = Clock::now();
  StepReport report;
  DroppedCommands dropped;
  std::vector<Command> applied = inOwnTerms(commands, dropped);
  std::shared_ptr<Snapshot> snapshot = run.advance(applied, report, dropped, stop);
  const Clock::time_point end = Clock::now();
  std::string health = describe(report.health, run.model->own.get());
  if (!snapshot) return Error{ErrorCode::SimulationFailed, std::move(health), run.nextStepName(), ""};
  StepInHand inHand(run);
  snapshot->branch = record->newest()->branch;
  record->publish(std::move(snapshot), applied, record->keyframeDue(run.step) ? run.keyframe() : nullptr);
  inHand.keep();
  modelsTaken = 0;
  numbersDue = false;
  meter.add(end, run.time, std::chrono::duration<double>(end - start).count());
  const std::scoped_lock lock(mutex);
  tracks.back().last = facts.step = run.step;
  facts.meanStepWall = meter.meanStepWall();
  facts.health.swap(health);
  facts.dropped.count += dropped.count;
  if (dropped.count > 0) facts.dropped.why.swap(dropped.why);
  return {};
}

/// With its own numbers behind any others: one may take the place of another, by whichever path it is set.
std::vector<Command> Companion::Impl::inOwnTerms(const std::vector<Command>& commands,
                                                 DroppedCommands& dropped) const {
  std::vector<Command> own;
  bool numbersCome = numbersDue || run.step == tracks.back().begin;
  for (const Command& command : commands) {
    numbersCome = numbersCome || std::holds_alternative<SetParameter>(command);
    const std::optional<Command> same =
        run.model == liveModel ? command : inTermsOf(command, *liveModel, *run.model);
    if (same)
      own.push_back(*same);
    else
      dropped = {dropped.count + 1, "a command means nothing to its method"};
  }
  if (numbersCome) own.insert(own.end(), settings.numbers.begin(), settings.numbers.end());
  return own;
}

}  // namespace slipstick
