#include "ui/step_card.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/solver_words.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kLeft = kSpace * 3 / 2, kHeadHeight = 26, kFactHeight = 36, kFactWidth = 84;

/// What there is to do in a step of this model.
std::vector<StepCard::Fact> factsOf(const Snapshot& s) {
  const StepReport& r = s.report;
  const auto count = [](int n) { return grouped(static_cast<std::size_t>(std::max(n, 0))); };
  std::vector<StepCard::Fact> facts;
  if (s.model->nodeCount() > 0) {
    facts = {{StepCard::tr("substeps"), count(r.substeps)},
             {StepCard::tr("particles"), grouped(s.model->nodeCount())},
             {StepCard::tr("active nodes"), count(r.activeNodes)},
             {StepCard::tr("contacts"), count(r.contacts)},
             {StepCard::tr("iterations · max"), QString::fromUtf8("%1 · %2")
                                                    .arg(count(r.contactIterationsMean))
                                                    .arg(count(r.contactIterationsMax))}};
  }
  if (s.model->tree.nv > 0) {
    facts.emplace_back(StepCard::tr("rigid points · pairs"),
                       QString::fromUtf8("%1 · %2").arg(count(r.rigidContacts)).arg(count(r.rigidPairs)));
    facts.emplace_back(StepCard::tr("rigid iterations"), count(r.rigidIterations));
  }
  return facts;
}

}  // namespace

StepCard::StepCard(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void StepCard::show(const Snapshot& s) {
  const double wall = wallTime(s.report), dt = s.model->time.dt;
  const QString reason = whySlow(s);
  const bool grows = reason != reason_;
  reason_ = reason;
  time_ = wall > 0 ? tr("%1 ms").arg(significant(1e3 * wall)) : tr("not computed");
  of_ = tr("for a step of %1 ms").arg(significant(1e3 * dt));
  rate_ = wall > 0 ? tr("%1 real time").arg(speedText(dt / wall)) : QString();
  fallsBehind_ = wall > dt;
  std::vector<Fact> facts = factsOf(s);
  const bool other = facts.size() != facts_.size();
  facts_ = std::move(facts);
  setAccessibleName(headline() + ". " + reason_);
  if (grows || other) updateGeometry();
  update();
}

int StepCard::columns(int width) const {
  return std::max(1, (width - 2 * kLeft) / kFactWidth);
}

int StepCard::reasonHeight(int width) const {
  if (reason_.isEmpty()) return 0;
  const QFontMetricsF metrics(textFont());
  const QRectF room(0, 0, width - 2.0 * kLeft, 1000);
  return static_cast<int>(std::ceil(metrics.boundingRect(room, Qt::TextWordWrap, reason_).height())) + 4;
}

int StepCard::heightForWidth(int width) const {
  const int count = static_cast<int>(facts_.size()), each = columns(width);
  return kHeadHeight + reasonHeight(width) + (count + each - 1) / each * kFactHeight + 4;
}

void StepCard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme& t = theme();
  const QRectF line(kLeft, 0, width() - 2.0 * kLeft, kHeadHeight);
  const auto write = [&](qreal x, const QFont& font, const QColor& color, const QString& text) {
    painter.setFont(font);
    painter.setPen(color);
    drawTabular(painter, line.adjusted(x, 0, 0, 0), Qt::AlignLeft, text);
    return x + tabularWidth(QFontMetricsF(font), text);
  };
  const qreal end = write(0, textFont(600, 1.35), t.text, time_);
  write(end + 7, textFont(400, 0.94), t.faint, of_);
  painter.setFont(textFont(600, 0.94));
  painter.setPen(fallsBehind_ ? t.slip : t.good);
  drawTabular(painter, line, Qt::AlignRight, rate_);

  painter.setFont(textFont());
  painter.setPen(t.secondary);
  const int reason = reasonHeight(width());
  painter.drawText(QRectF(kLeft, kHeadHeight, line.width(), reason), Qt::TextWordWrap, reason_);

  const int each = columns(width());
  const qreal cell = line.width() / each;
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    const auto column = static_cast<int>(i) % each, row = static_cast<int>(i) / each;
    const QRectF at(kLeft + column * cell, kHeadHeight + reason + row * kFactHeight, cell - 4, kFactHeight);
    painter.setFont(textFont(600));
    painter.setPen(t.text);
    drawTabular(painter, QRectF(at.left(), at.top() + 3, at.width(), 17), Qt::AlignLeft, facts_[i].second);
    painter.setFont(textFont(400, 0.84));
    painter.setPen(t.faint);
    const QFontMetricsF metrics(painter.font());
    drawTabular(painter, QRectF(at.left(), at.top() + 18, at.width(), 14), Qt::AlignLeft,
                metrics.elidedText(facts_[i].first, Qt::ElideRight, at.width()));
  }
}

}  // namespace slipstick::ui
