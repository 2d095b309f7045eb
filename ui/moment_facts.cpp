#include "ui/moment_facts.h"

#include <algorithm>

#include "ui/text.h"

namespace slipstick::ui {

MomentFacts::MomentFacts(Session& session, QObject* parent) : QObject(parent), session_(session) {
  connect(&session_.reader(), &RunReader::momentRead, this, &MomentFacts::onAnswer);
  connect(&session_.opener(), &SceneOpener::opened, this, [this] {
    setWhy(false);
    forget();
  });
  connect(&session_.moment(), &ShownMoment::modelChanged, this, &MomentFacts::forget);
  connect(&session_.focus(), &Focus::selectionChanged, this, [this] {
    pair_.reset();
    if (why_) ask();
  });
  connect(&session_.marks(), &TimeMarks::ghostChanged, this, &MomentFacts::ask);
  connect(&session_.focus(), &Focus::viewChanged, this, &MomentFacts::ask);
  connect(&session_.moment(), &ShownMoment::shownChanged, this, &MomentFacts::ask);
}

/// Indices may mean something else from here on. The question lets go of a run that has been left.
void MomentFacts::forget() {
  pair_.reset();
  whyFacts_.reset();
  ghost_.reset();
  trails_.clear();
  ask();
}

void MomentFacts::setWhy(bool on) {
  if (on == why_ || (on && !session_.isOpen())) return;
  why_ = on;
  pair_.reset();
  if (!on) whyFacts_.reset();
  ask();
  Q_EMIT whyToggled(on);
  Q_EMIT changed();
}

void MomentFacts::ask() {
  if (!session_.isOpen()) return;
  const bool had = ghost_ || !trails_.empty();
  if (!session_.marks().ghost()) ghost_.reset();
  if (!session_.focus().view().trails) trails_.clear();
  if (had) Q_EMIT changed();
  MomentQuestion question;
  question.run = session_.moment().sharedSource();
  question.input.model = session_.model();
  question.input.snapshot = session_.moment().shown();
  question.input.options = session_.focus().view();
  question.input.selection = session_.focus().selection();
  question.why = why_;
  question.pair = pair_;
  question.trails = session_.focus().view().trails;
  if (const auto& ghost = session_.marks().ghost()) {
    question.ghostRun = session_.moment().sharedBranch(ghost->branch);
    question.ghostStep = ghost->step;
  }
  if (!wantsAnything() && asked_ && asked_->model == session_.model()) return;
  asked_ = session_.moment().shown();
  question.number = ++questions_;
  waiting_ = true;
  session_.reader().ask(std::move(question));
}

void MomentFacts::onAnswer() {
  std::optional<MomentAnswer> answer = session_.reader().takeMoment();
  if (!answer) return;
  const MomentQuestion& question = answer->question;
  if (question.input.model != session_.model()) return;
  if (question.number == questions_) waiting_ = false;
  if (why_ && question.why && question.input.selection == session_.focus().selection()) {
    whyFacts_ = answer->why;
    if (whyFacts_) pair_ = whyFacts_->force.pair;
  }
  if (session_.marks().ghost()) ghost_ = answer->ghost;
  if (session_.focus().view().trails) trails_ = std::move(answer->trails);
  Q_EMIT changed();
}

bool MomentFacts::isSettled() const {
  return !waiting_ || !wantsAnything();
}

QString MomentFacts::ghostWords() const {
  if (!ghost_ || !session_.marks().ghost()) return {};
  const std::vector<BranchFacts> branches = session_.moment().branches();
  const auto found = std::find_if(branches.begin(), branches.end(), [this](const BranchFacts& b) {
    return b.id == session_.marks().ghost()->branch;
  });
  const QString words = tr("ghost: %1 s").arg(number(ghost_->time, 3));
  if (ghost_->model != session_.model()) return words + tr(", of another model: not drawn");
  return found == branches.end() ? words : words + ", " + QString::fromStdString(found->name);
}

}  // namespace slipstick::ui
