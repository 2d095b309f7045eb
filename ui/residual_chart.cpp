#include "ui/residual_chart.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/plot_painter.h"
#include "ui/solver_words.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr qreal kLeft = 52, kRight = 12, kHead = 28, kFoot = 22, kCurve = 92, kRemedy = 34, kEmpty = 24;
constexpr double kLeastResidual = 1e-16;
constexpr std::size_t kMaxDots = 40;

double exponentOf(double residual) {
  return std::log10(std::max(std::isfinite(residual) ? residual : 1e6, kLeastResidual));
}

}  // namespace

ResidualChart::ResidualChart(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ResidualChart::show(Solve solve) {
  title_ = solve.title;
  words_ = solveWord(solve.trace);
  const QString remedy = solveRemedy(solve.trace);
  const bool resizes = !solve_ || remedy.isEmpty() != remedy_.isEmpty();
  remedy_ = remedy;
  solve_ = std::move(solve);
  fit();
  setAccessibleName(title_ + ": " + words_);
  if (resizes) updateGeometry();
  update();
}

void ResidualChart::showNone(const QString& title, const QString& why) {
  if (!solve_ && title == title_ && why == words_) return;
  solve_.reset();
  title_ = title;
  words_ = why;
  remedy_.clear();
  setAccessibleName(title_ + ": " + words_);
  updateGeometry();
  update();
}

QSize ResidualChart::sizeHint() const {
  const qreal height = solve_ ? kHead + kCurve + kFoot + (remedy_.isEmpty() ? 0 : kRemedy) : kEmpty;
  return {320, static_cast<int>(height)};
}

/// Whole decades around the curve and what it had to reach.
void ResidualChart::fit() {
  lowest_ = highest_ = exponentOf(solve_->trace.tolerance());
  for (const contact::SolveTrace::Point& point : solve_->trace.points()) {
    lowest_ = std::min(lowest_, exponentOf(point.residual));
    highest_ = std::max(highest_, exponentOf(point.residual));
  }
  constexpr double kBelow = 4;  // decades below what was wanted that are worth a look
  lowest_ =
      std::max(std::floor(lowest_ + 1e-6), std::floor(exponentOf(solve_->trace.tolerance()) + 1e-6) - kBelow);
  highest_ = std::max(std::ceil(highest_ - 1e-6), lowest_ + 1);
}

QRectF ResidualChart::area() const {
  return {kLeft, kHead, width() - kLeft - kRight, kCurve};
}

qreal ResidualChart::yOf(double residual) const {
  return area().bottom() -
         area().height() * (std::max(exponentOf(residual), lowest_) - lowest_) / (highest_ - lowest_);
}

qreal ResidualChart::toleranceY() const {
  return yOf(solve_->trace.tolerance());
}

QPointF ResidualChart::pointAt(std::size_t index) const {
  const contact::SolveTrace::Point& point = solve_->trace.points()[index];
  const int last = std::max(solve_->trace.iterations(), 1);
  return {area().left() + area().width() * point.iteration / last, yOf(point.residual)};
}

bool ResidualChart::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || !solve_) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < solve_->trace.points().size(); ++i)
    if (std::abs(pointAt(i).x() - help->pos().x()) < std::abs(pointAt(nearest).x() - help->pos().x()))
      nearest = i;
  const contact::SolveTrace::Point& point = solve_->trace.points()[nearest];
  QToolTip::showText(
      help->globalPos(),
      tr("iteration %1: residual %2, %3 wanted\nof the momentum balance, relative to its terms")
          .arg(point.iteration)
          .arg(residualText(point.residual), residualText(solve_->trace.tolerance())),
      this);
  return true;
}

void ResidualChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& t = theme();
  const QRectF head(kSpace * 3 / 2.0, 3, width() - kSpace * 3 / 2.0 - kRight, 18);
  painter.setFont(textFont(400, 0.9));
  painter.setPen(!solve_ ? t.faint : solve_->trace.converged() ? t.good : t.error);
  const qreal words = tabularWidth(QFontMetricsF(painter.font()), words_);
  drawTabular(painter, head, Qt::AlignRight, words_);
  painter.setFont(textFont(600, 0.95));
  painter.setPen(t.text);
  const QFontMetricsF strong(painter.font());
  drawTabular(painter, head, Qt::AlignLeft,
              strong.elidedText(title_, Qt::ElideRight, head.width() - words - 8));
  if (!solve_) return;
  paintGrid(painter);
  paintCurve(painter);
  if (remedy_.isEmpty()) return;
  painter.setFont(textFont(400, 0.94));
  painter.setPen(t.secondary);
  painter.drawText(QRectF(head.left(), area().bottom() + kFoot, head.width(), kRemedy), Qt::TextWordWrap,
                   remedy_);
}

void ResidualChart::paintGrid(QPainter& painter) const {
  const Theme& t = theme();
  painter.setFont(textFont(400, 0.85));
  const int every = std::max(1, static_cast<int>(std::ceil((highest_ - lowest_) * 16 / kCurve)));
  for (int decade = static_cast<int>(lowest_); decade <= static_cast<int>(highest_); decade += every) {
    const qreal y = std::round(yOf(std::pow(10.0, decade))) + 0.5;
    painter.setPen(QPen(t.line, 1));
    painter.drawLine(QPointF(area().left(), y), QPointF(area().right(), y));
    painter.setPen(t.faint);
    drawTabular(painter, QRectF(0, y - 8, kLeft - 6, 16), Qt::AlignRight, powerOfTen(decade));
  }
  const int last = solve_->trace.iterations();
  const QRectF foot(area().left() - 20, area().bottom() + 3, area().width() + 20, 14);
  painter.setPen(t.faint);
  drawTabular(painter, foot.adjusted(20, 0, 0, 0), Qt::AlignLeft, "0");
  drawTabular(painter, foot, Qt::AlignRight, last == 1 ? tr("1 iteration") : tr("%1 iterations").arg(last));
  const qreal y = std::round(toleranceY()) + 0.5;
  painter.setPen(QPen(t.good, 1, Qt::DashLine));
  painter.drawLine(QPointF(area().left(), y), QPointF(area().right(), y));
  const QString wanted = tr("%1 wanted").arg(residualText(solve_->trace.tolerance()));
  painter.setPen(t.good);
  painter.drawText(placeOfWords(tabularWidth(QFontMetricsF(painter.font()), wanted)), Qt::AlignLeft, wanted);
}

/// Of what was wanted: above its line, where the curve leaves it room.
QRectF ResidualChart::placeOfWords(qreal width) const {
  const qreal y = toleranceY();
  const bool above = y - area().top() > 18;
  QRectF place(area().left() + 4, above ? y - 16 : y + 2, width + 4, 14);
  const QRectF room = place.adjusted(-4, -4, 4, 4);
  for (std::size_t i = 1; i < solve_->trace.points().size(); ++i) {
    const QPointF from = pointAt(i - 1), to = pointAt(i);
    for (qreal part = 0; part <= 1; part += 0.05)
      if (room.contains(from + part * (to - from))) {
        place.moveRight(area().right() - 4);
        return place;
      }
  }
  return place;
}

/// Passes are separate strokes: corrected friction bounds or tangents make another problem.
void ResidualChart::paintCurve(QPainter& painter) const {
  const Theme& t = theme();
  const auto& points = solve_->trace.points();
  QPolygonF stroke;
  painter.setPen(QPen(t.text, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].beginsPass) {
      painter.drawPolyline(stroke);
      stroke.clear();
      painter.save();
      painter.setPen(QPen(t.faint, 1, Qt::DotLine));
      painter.drawLine(QPointF(pointAt(i).x(), area().top()), QPointF(pointAt(i).x(), area().bottom()));
      painter.restore();
    }
    stroke << pointAt(i);
  }
  painter.drawPolyline(stroke);
  painter.setPen(Qt::NoPen);
  painter.setBrush(t.text);
  if (points.size() <= kMaxDots)
    for (std::size_t i = 0; i + 1 < points.size(); ++i) painter.drawEllipse(pointAt(i), 2, 2);
  painter.setBrush(solve_->trace.converged() ? t.good : t.error);
  painter.drawEllipse(pointAt(points.size() - 1), 3.5, 3.5);
}

}  // namespace slipstick::ui
