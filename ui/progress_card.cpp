#include "ui/progress_card.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kPeriod_ms = 100, kPatience_ms = 250;
constexpr int kWidth = 460;

/// "going back to 1.240 s: step 40 of 64"
QString wordsOf(const RunStatus::GoingBack& goingBack, double time) {
  const QString text = ProgressCard::tr("going back to %1 s").arg(number(time, 3));
  if (goingBack.stepsToDo == 0) return text;
  return ProgressCard::tr("%1: step %2 of %3")
      .arg(text)
      .arg(std::min(goingBack.stepsDone + 1, goingBack.stepsToDo))
      .arg(goingBack.stepsToDo);
}

double fractionOf(const RunStatus::GoingBack& goingBack) {
  return goingBack.stepsToDo == 0
             ? -1
             : static_cast<double>(goingBack.stepsDone) / static_cast<double>(goingBack.stepsToDo);
}

}  // namespace

ProgressCard::ProgressCard(Session& session, QWidget* over)
    : FloatingCard(over, Edge::Top, kWidth, tr("Progress")), session_(session) {
  setObjectName("progress");
  text_ = new ThemedLabel({}, textColor);
  text_->setWordWrap(true);
  cancel_ = new FlatButton({}, tr("Cancel"));
  cancel_->setToolTip(tr("Esc"));
  auto* column = new QVBoxLayout;
  column->setSpacing(kSpace);
  column->addStretch(1);
  column->addWidget(text_);
  column->addWidget(&bar());
  column->addStretch(1);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(2 * kSpace, 3 * kSpace / 2, 3 * kSpace / 2, 3 * kSpace / 2);
  row->setSpacing(2 * kSpace);
  row->addLayout(column, 1);
  row->addWidget(cancel_, 0, Qt::AlignVCenter);
  timer_.setInterval(kPeriod_ms);
  connect(&timer_, &QTimer::timeout, this, &ProgressCard::follow);
  connect(cancel_, &FlatButton::clicked, this, &ProgressCard::cancel);
  connect(&session_.run(), &OpenRun::statusChanged, this, &ProgressCard::follow);
  connect(&session_.opener(), &SceneOpener::loadingChanged, this, [this](bool, const QString& what) {
    opening_ = QFileInfo(what).fileName();
    follow();
  });
}

void ProgressCard::follow() {
  const RunStatus status = session_.run().status();
  if (!session_.opener().isLoading() && !status.goingBack && !status.compiling) {
    timer_.stop();
    since_.invalidate();
    hide();
    return;
  }
  if (!since_.isValid()) since_.start();
  timer_.start();
  if (session_.opener().isLoading()) {
    say(tr("opening %1").arg(opening_), session_.opener().progress());
  } else if (status.compiling) {
    say(status.goingBack ? tr("making the scene") : tr("changing the scene"), *status.compiling);
  } else {
    say(wordsOf(*status.goingBack, session_.moment().timeOf(status.goingBack->to)),
        fractionOf(*status.goingBack));
  }
  if (!isHidden() || since_.elapsed() < kPatience_ms) return;
  appear();
}

void ProgressCard::say(const QString& what, const LoadProgress::Report& report) {
  say(report.what.empty() ? what : what + ": " + QString::fromStdString(report.what), report.fraction);
}

void ProgressCard::say(const QString& text, double fraction) {
  fraction_ = fraction;
  showFraction(fraction);
  if (text == text_->text()) return;
  text_->setText(text);
  text_->setAccessibleName(text);
  if (isVisible()) place();
}

void ProgressCard::cancel() {
  if (session_.opener().isLoading()) return session_.opener().cancel();
  session_.editor().isCompilingEdit() ? session_.editor().cancelEdit()
                                      : session_.transport().cancelGoingBack();
}

}  // namespace slipstick::ui
