#include "ui/moment_facts.h"

#include <algorithm>

#include "render/ghost_parts.h"
#include "ui/companions.h"
#include "ui/text.h"
#include "ui/theme.h"

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
  connect(&session_.companions(), &Companions::stepped, this, &MomentFacts::ask);
  connect(&session_.companions(), &Companions::changed, this, &MomentFacts::ask);
}

/// Indices may mean something else from here on. The question lets go of a run that has been left.
void MomentFacts::forget() {
  pair_.reset();
  whyFacts_.reset();
  ghost_.reset();
  besides_.clear();
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
  const bool had = ghost_ || !trails_.empty() || !besides_.empty();
  if (!session_.marks().ghost()) ghost_.reset();
  if (!session_.focus().view().trails) trails_.clear();
  std::erase_if(besides_, [this](const BesideMoment& b) { return !session_.companions().find(b.id); });
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
  askForBesides(question);
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
  besides_ = std::move(answer->besides);
  Q_EMIT changed();
}

bool MomentFacts::wantsAnything() const {
  return why_ || session_.marks().ghost() || session_.focus().view().trails ||
         !session_.companions().all().empty();
}

/// Those that have steps along what is looked at.
void MomentFacts::askForBesides(MomentQuestion& question) const {
  const BranchId branch = session_.moment().shownBranch();
  for (const Companions::Entry& entry : session_.companions().all())
    if (std::shared_ptr<const RunSource> steps = entry.run->along(branch))
      question.besides.push_back({entry.id, std::move(steps)});
}

std::vector<const BesideMoment*> MomentFacts::shownBesides() const {
  std::vector<const BesideMoment*> shown;
  for (const BesideMoment& beside : besides_)
    if (session_.companions().find(beside.id) &&
        render::drawsAlike(*beside.snapshot->model, *session_.model()))
      shown.push_back(&beside);
  return shown;
}

std::vector<render::ColoredGhost> MomentFacts::besides() const {
  std::vector<render::ColoredGhost> ghosts;
  for (const BesideMoment* beside : shownBesides()) {
    const QColor color = hueOf(session_.companions().find(beside->id)->hue, theme());
    ghosts.push_back({beside->snapshot, render::linear(color.rgb() & 0xFFFFFFU)});
  }
  return ghosts;
}

std::vector<std::string> MomentFacts::besideWords() const {
  std::vector<std::string> words;
  for (const BesideMoment* beside : shownBesides()) {
    QString text = session_.companions().find(beside->id)->name;
    if (beside->snapshot->step != session_.moment().shown()->step)
      text += tr(": %1 s").arg(number(beside->snapshot->time, 3));
    words.push_back(text.toStdString());
  }
  return words;
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
  if (!render::drawsAlike(*ghost_->model, *session_.model()))
    return words + tr(", of another model: not drawn");
  return found == branches.end() ? words : words + ", " + QString::fromStdString(found->name);
}

}  // namespace slipstick::ui
