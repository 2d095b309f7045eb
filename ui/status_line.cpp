#include "ui/status_line.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <numeric>

#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

/// "step 6.1 ms (transfer 3.4 · contact 1.6 …)": phases too short to matter are left out.
QString phaseText(const Snapshot& s) {
  const PhaseTimes& phases = s.report.phases;
  const double total = std::accumulate(phases.begin(), phases.end(), 0.0);
  QStringList parts;
  for (std::size_t i = 0; i < phases.size(); ++i)
    if (phases[i] > 0.01 * total)
      parts << toQString(infoOf(static_cast<Phase>(i), s.own.get()).name) + " " + number(phases[i] * 1e3, 1);
  if (parts.empty()) return {};
  return StatusLine::tr("step %1 ms (%2)").arg(number(total * 1e3, 1), parts.join(QString::fromUtf8(" · ")));
}

/// "13 iterations, 64 contacts · rigid 5 iterations, 16 contacts in 4 pairs": what the scene has.
QString contactText(const Snapshot& s) {
  const auto rigid = std::count_if(s.contacts.begin(), s.contacts.end(),
                                   [](const Contact& contact) { return contact.isRigid(); });
  QStringList parts;
  if (!s.particles.empty())
    parts << StatusLine::tr("%1 iterations, %2 contacts")
                 .arg(s.report.contactIterationsMean)
                 .arg(static_cast<qsizetype>(s.contacts.size()) - rigid);
  if (rigid > 0 || s.particles.empty())
    parts << StatusLine::tr("rigid %1 iterations, %2 contacts in %3 pairs")
                 .arg(s.report.rigidIterations)
                 .arg(rigid)
                 .arg(s.report.rigidPairs);
  return parts.join(QString::fromUtf8(" · "));
}

/// "going back to 1.240 s: step 40 of 64, Esc cancels"
QString progressText(const RunStatus::GoingBack& goingBack, double time) {
  QString text = StatusLine::tr("going back to %1 s").arg(number(time, 3));
  if (goingBack.stepsToDo > 0)
    text += StatusLine::tr(": step %1 of %2").arg(goingBack.stepsDone + 1).arg(goingBack.stepsToDo);
  return text + StatusLine::tr(", Esc cancels");
}

QColor goodColor() {
  return theme().good;
}
QColor errorColor() {
  return theme().error;
}
QColor warningColor() {
  return theme().slip;
}

}  // namespace

StatusLine::StatusLine(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), healthColor_(faintColor) {
  setFixedHeight(28);
  setCursor(Qt::PointingHandCursor);
  connect(&session_.moment(), &ShownMoment::shownChanged, this, &StatusLine::refresh);
  connect(&session_.run(), &OpenRun::statusChanged, this, &StatusLine::refresh);
}

void StatusLine::refresh() {
  const auto shown = session_.moment().shown();
  if (!shown) return;
  const StepReport& report = shown->report;
  health_ = shown->step == 0 ? tr("ready") : tr("converged");
  healthColor_ = goodColor;
  QStringList names, remedies;
  bool onlyInformation = true;
  for (const HealthInfo* info : raisedIn(report.health, shown->own.get())) {
    names << toQString(info->name);
    onlyInformation = onlyInformation && info->isInformation();
    remedies << toQString(info->name) + ": " + QString::fromStdString(info->line());
  }
  if (!names.empty()) {
    health_ = names.join(", ");
    healthColor_ = onlyInformation ? warningColor : errorColor;
  }
  const RunStatus status = session_.run().status();
  device_ = session_.methods().method() + QString::fromUtf8(" · ") + QString::fromStdString(status.runsOn);
  if (!session_.methods().warning().isEmpty()) device_.prepend(tr("too light a body for "));
  if (!status.error.empty()) {
    health_ = tr("stopped");
    healthColor_ = errorColor;
    remedies.prepend(QString::fromStdString(status.error));
  }
  if (status.dropped.count > 0)
    remedies.prepend(tr("Commands left out: %1. The last: %2")
                         .arg(status.dropped.count)
                         .arg(QString::fromStdString(status.dropped.why)));
  if (status.goingBack) {
    health_ = progressText(*status.goingBack, session_.moment().timeOf(status.goingBack->to));
    healthColor_ = warningColor;
  }
  if (!session_.methods().warning().isEmpty()) remedies << session_.methods().warning();
  remedies << tr("Click for what the solver did");
  setToolTip(remedies.join("\n"));

  facts_ = contactText(*shown);
  // The exchange of momentum with particles has an error only where there are any.
  const QString error = tr("momentum error %1 · remainder %2")
                            .arg(QString::number(report.momentumError, 'g', 2),
                                 QString::number(report.contactRemainder, 'g', 2));
  for (const QString& part : {phaseText(*shown), shown->particles.empty() ? QString() : error})
    if (!part.isEmpty()) facts_ += "      " + part;
  update();
}

void StatusLine::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint())) Q_EMIT clicked();
}

void StatusLine::setEffectsOff(std::string_view without) {
  const QString words = toQString(without);
  if (words == effects_) return;
  effects_ = words;
  update();
}

void StatusLine::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& t = theme();
  painter.fillRect(rect(), t.window);
  painter.fillRect(QRect(0, 0, width(), 1), t.line);
  painter.setFont(textFont(400, 0.94));
  const QFontMetricsF metrics(painter.font());
  const QRectF line = QRectF(rect()).adjusted(2 * kSpace, 1, -2 * kSpace, 0);
  qreal x = line.left();
  if (!health_.isEmpty()) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(healthColor_());
    painter.drawEllipse(QPointF(x + 4, line.center().y()), 4, 4);
    painter.setPen(healthColor_());
    drawTabular(painter, line.adjusted(14, 0, 0, 0), Qt::AlignLeft, health_);
    x += 14 + tabularWidth(metrics, health_) + 3 * kSpace;
  }
  const QString right =
      (effects_.isEmpty() ? QString() : effects_ + "      ") + device_ + "      " + tr("F1 keys");
  const qreal rightEdge = line.right() - tabularWidth(metrics, right);
  painter.setPen(t.secondary);
  const QString facts = metrics.elidedText(facts_, Qt::ElideRight, rightEdge - 3 * kSpace - x);
  drawTabular(painter, QRectF(x, line.top(), line.width(), line.height()), Qt::AlignLeft, facts);
  painter.setPen(t.faint);
  drawTabular(painter, line, Qt::AlignRight, right);
}

}  // namespace slipstick::ui
