#include "ui/phase_legend.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <numeric>

#include "ui/plot_painter.h"
#include "ui/solver_words.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kRow = 20, kLeft = kSpace * 3 / 2;
constexpr qreal kTime = 66, kShare = 42, kName = 118;

}  // namespace

PhaseLegend::PhaseLegend(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void PhaseLegend::setRows(std::vector<Row> rows) {
  if (rows == rows_) return;
  rows_ = std::move(rows);
  updateGeometry();
  update();
}

void PhaseLegend::setTimes(const Snapshot& shown) {
  times_ = shown.report.phases;
  own_ = shown.own;
  setAccessibleName(lines().join(", "));
  update();
}

QSize PhaseLegend::sizeHint() const {
  return {320, kRow * static_cast<int>(rows_.size()) + 4};
}

PhaseLegend::Reading PhaseLegend::readingOf(const Row& row) const {
  const double total = std::accumulate(times_.begin(), times_.end(), 0.0);
  const double time = times_[static_cast<std::size_t>(row.phase)], part = total > 0 ? time / total : 0;
  return {phaseWord(row.phase, own_.get()), tr("%1 ms").arg(number(1e3 * time, 2)),
          tr("%1 %").arg(number(100 * part, 0)), part};
}

QStringList PhaseLegend::lines() const {
  QStringList lines;
  for (auto row = rows_.rbegin(); row != rows_.rend(); ++row) {
    const Reading r = readingOf(*row);
    lines << r.word + " " + r.time + " " + r.share;
  }
  return lines;
}

bool PhaseLegend::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto index = static_cast<std::size_t>(help->pos().y() / kRow);
    if (index < rows_.size())
      QToolTip::showText(help->globalPos(), phaseMeaning(rows_[rows_.size() - 1 - index].phase, own_.get()),
                         this);
    return true;
  }
  return QWidget::event(event);
}

/// The longest row's bar fills its room.
void PhaseLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& t = theme();
  const qreal right = width() - kLeft;
  const double longest = std::max(*std::max_element(times_.begin(), times_.end()), 1e-12);
  qreal y = 0;
  for (auto row = rows_.rbegin(); row != rows_.rend(); ++row, y += kRow) {
    const Reading r = readingOf(*row);
    painter.setPen(Qt::NoPen);
    painter.setBrush(hueOf(row->hue, t));
    painter.drawRoundedRect(QRectF(kLeft, y + 6, 9, 9), 2.5, 2.5);
    painter.setFont(textFont());
    painter.setPen(t.secondary);
    drawTabular(painter, QRectF(kLeft + 17, y, kName, kRow), Qt::AlignLeft, r.word);
    painter.setPen(t.text);
    drawTabular(painter, QRectF(right - kShare - kTime, y, kTime, kRow), Qt::AlignRight, r.time);
    painter.setPen(t.faint);
    drawTabular(painter, QRectF(right - kShare, y, kShare, kRow), Qt::AlignRight, r.share);
    const qreal from = kLeft + 17 + kName + 8, room = right - kShare - kTime - from - 4;
    if (room < 24) continue;
    QColor bar = hueOf(row->hue, t);
    bar.setAlphaF(0.55f);
    painter.setPen(Qt::NoPen);
    painter.setBrush(bar);
    const qreal length = room * times_[static_cast<std::size_t>(row->phase)] / longest;
    if (length > 0.5) painter.drawRoundedRect(QRectF(from, y + 8, length, 5), 2, 2);
  }
}

}  // namespace slipstick::ui
