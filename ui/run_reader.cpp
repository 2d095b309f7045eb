#include "ui/run_reader.h"

#include <utility>

#include "engine/foundation/guarded.h"
#include "render/shown_pairs.h"
#include "render/trails.h"

namespace slipstick::ui {

/// What the thread keeps from question to question.
class RunReader::Reading {
 public:
  MomentAnswer answer(MomentQuestion question) {
    MomentAnswer answer;
    if (!question.why || run_ != question.run) {
      history_.reset();
      run_.reset();
    }
    if (question.why) answer.why = why(question);
    if (question.ghostRun) answer.ghost = question.ghostRun->at(question.ghostStep);
    if (question.trails) {
      const Snapshot& moment = *question.input.snapshot;
      answer.trails = render::trailsOf(question.run->columns(), render::trailedOf(question.input),
                                       moment.step, moment.model->time.dt);
    }
    answer.question = std::move(question);
    return answer;
  }

  CurveReading curves;

 private:
  std::shared_ptr<const render::WhyFacts> why(const MomentQuestion& question) {
    std::optional<ContactPair> pair = question.pair;
    if (!pair) pair = render::selectedPair(question.input);
    if (!pair) {
      const std::vector<PairForce> shown = render::shownPairs(question.input);
      if (shown.empty()) return nullptr;
      pair = shown.front().pair;
    }
    // The history knows its run by address: while it is kept, so is the run.
    if (!history_ || history_->pair() != *pair || run_ != question.run) {
      history_.emplace(*pair);
      run_ = question.run;
    }
    return std::make_shared<const render::WhyFacts>(
        render::whyFacts(*run_, *history_, *question.input.snapshot));
  }

  std::shared_ptr<const RunSource> run_;
  std::optional<PairHistory> history_;
};

RunReader::RunReader(QObject* parent)
    : QObject(parent), thread_([this](const std::stop_token& stop) { run(stop); }) {}

RunReader::~RunReader() = default;

void RunReader::ask(MomentQuestion question) {
  std::optional<MomentQuestion> old(std::move(question));  // freed outside of the lock
  {
    const std::scoped_lock lock(mutex_);
    moment_.swap(old);
  }
  wake_.notify_one();
}

void RunReader::ask(CurvesQuestion question) {
  std::optional<CurvesQuestion> old(std::move(question));
  {
    const std::scoped_lock lock(mutex_);
    curves_.swap(old);
  }
  wake_.notify_one();
}

std::optional<MomentAnswer> RunReader::takeMoment() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(momentAnswer_, std::nullopt);
}

std::optional<PinCurves> RunReader::takeCurves() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(curvesAnswer_, std::nullopt);
}

void RunReader::deliver(MomentAnswer answer) {
  std::optional<MomentAnswer> old(std::move(answer));
  {
    const std::scoped_lock lock(mutex_);
    momentAnswer_.swap(old);
  }
  QMetaObject::invokeMethod(this, &RunReader::momentRead, Qt::QueuedConnection);
}

void RunReader::deliver(PinCurves curves) {
  std::optional<PinCurves> old(std::move(curves));
  {
    const std::scoped_lock lock(mutex_);
    curvesAnswer_.swap(old);
  }
  QMetaObject::invokeMethod(this, &RunReader::curvesRead, Qt::QueuedConnection);
}

/// Moments first: somebody looks at them. Curves grow by a few steps at a time in between.
void RunReader::run(const std::stop_token& stop) {
  std::optional<Reading> reading(std::in_place);
  for (;;) {
    std::optional<MomentQuestion> moment;
    std::optional<CurvesQuestion> curves;
    {
      std::unique_lock lock(mutex_);
      const auto asked = [&] { return moment_ || curves_ || !reading->curves.isComplete(); };
      if (!wake_.wait(lock, stop, asked) || stop.stop_requested()) return;
      moment = std::exchange(moment_, std::nullopt);
      curves = std::exchange(curves_, std::nullopt);
    }
    const Result<void> answered = guarded(ErrorCode::SimulationFailed, "stored steps", [&] {
      if (moment) deliver(reading->answer(*std::move(moment)));
      if (curves) reading->curves.begin(*std::move(curves));
      if (!reading->curves.isComplete()) deliver(reading->curves.readMore());
    });
    // What cannot be read is not shown; the next question is answered afresh.
    if (!answered) reading.emplace();
  }
}

}  // namespace slipstick::ui
