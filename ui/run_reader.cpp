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
    for (const BesideRun& beside : question.besides)
      answer.besides.push_back({beside.id, beside.steps->at(question.input.snapshot->step)});
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
  asked_.change([&old](Asked& asked) { asked.moment.swap(old); });
}

void RunReader::ask(CurvesQuestion question) {
  std::optional<CurvesQuestion> old(std::move(question));
  asked_.change([&old](Asked& asked) { asked.curves.swap(old); });
}

void RunReader::deliver(MomentAnswer answer) {
  momentAnswer_.put(std::move(answer));
  QMetaObject::invokeMethod(this, &RunReader::momentRead, Qt::QueuedConnection);
}

void RunReader::deliver(PinCurves curves) {
  curvesAnswer_.put(std::move(curves));
  QMetaObject::invokeMethod(this, &RunReader::curvesRead, Qt::QueuedConnection);
}

/// Moments first: somebody looks at them. Curves grow by a few steps at a time in between.
void RunReader::run(const std::stop_token& stop) {
  std::optional<Reading> reading(std::in_place);
  for (;;) {
    std::optional<Asked> asked = reading->curves.isComplete() ? asked_.wait(stop) : asked_.take();
    if (stop.stop_requested()) return;
    const Result<void> answered = guarded(ErrorCode::SimulationFailed, "stored steps", [&] {
      if (asked && asked->moment) deliver(reading->answer(*std::move(asked->moment)));
      if (asked && asked->curves) reading->curves.begin(*std::move(asked->curves));
      if (!reading->curves.isComplete()) deliver(reading->curves.readMore());
    });
    // What cannot be read is not shown; the next question is answered afresh.
    if (!answered) reading.emplace();
  }
}

}  // namespace slipstick::ui
