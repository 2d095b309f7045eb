#include "ui/text.h"

#include <QCoreApplication>
#include <QHash>
#include <QObject>
#include <QPaintEngine>
#include <cmath>
#include <limits>

namespace slipstick::ui {
namespace {

const QChar kMinus(0x2212);

QString withTrueMinus(QString text) {
  return text.replace('-', kMinus);
}

qreal digitWidth(const QFontMetricsF& metrics) {
  qreal widest = 0;
  for (char c = '0'; c <= '9'; ++c) widest = std::max(widest, metrics.horizontalAdvance(QChar(c)));
  return widest;
}

qreal cellWidth(const QFontMetricsF& metrics, qreal digit, QChar c) {
  return c.isDigit() ? digit : metrics.horizontalAdvance(c);
}

}  // namespace

QString toQString(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<int>(text.size()));
}

QString number(double value, int decimals) {
  if (!std::isfinite(value)) return QString(QChar(0x2013));
  const double unit = std::pow(10.0, -decimals);
  if (std::abs(value) < unit / 2) value = 0;  // no "−0.00"
  return withTrueMinus(QString::number(value, 'f', decimals));
}

QString significant(double value) {
  const double size = std::abs(value);
  if (!std::isfinite(value)) return QString(QChar(0x2013));
  if (size == 0) return "0";
  if (size >= 1e5 || size < 1e-3) return withTrueMinus(QString::number(value, 'e', 2));
  const int decimals = std::clamp(2 - static_cast<int>(std::floor(std::log10(size))), 0, 5);
  return number(value, decimals);
}

QString effortText(const multibody::EffortRange& range) {
  if (range.isAlikeBothWays()) return significant(range.upper);
  const auto bound = [](double x) {
    return std::isinf(x) ? QString::fromUtf8(x > 0 ? "∞" : "−∞") : significant(x);
  };
  return QCoreApplication::translate("Text", "%1 to %2").arg(bound(range.lower), bound(range.upper));
}

QString vectorText(const Vec3& v, int decimals) {
  return number(v.x(), decimals) + ", " + number(v.y(), decimals) + ", " + number(v.z(), decimals);
}

QString megabytes(std::size_t bytes) {
  return QString::number(std::llround(static_cast<double>(bytes) / (1 << 20))) + " MB";
}

QString speedText(double speed) {
  if (std::isinf(speed)) return "max";
  return number(speed, speed < 0.1 ? 3 : speed < 1 ? 2 : 1) + QChar(0x00D7);
}

/// The product is off by a rounding or two: fifteen digits are what a person can have meant, where they are the same number.
double inOwnUnit(double shown, double scale) {
  const double product = shown * scale;
  const double meant = QString::number(product, 'g', 15).toDouble();
  // Both factors and the product are rounded: by half of epsilon each.
  const bool isSame =
      std::abs(meant - product) <= 1.5 * std::numeric_limits<double>::epsilon() * std::abs(product);
  return isSame ? meant : product;
}

QString grouped(std::size_t count) {
  QString text = QString::number(count);
  for (auto i = text.size() - 3; i > 0; i -= 3) text.insert(i, ',');
  return text;
}

qreal tabularWidth(const QFontMetricsF& metrics, const QString& text) {
  const qreal digit = digitWidth(metrics);
  qreal width = 0;
  for (const QChar c : text) width += cellWidth(metrics, digit, c);
  return width;
}

void drawTabular(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text) {
  const QFontMetricsF metrics(painter.font());
  const qreal digit = digitWidth(metrics);
  qreal x = rect.left();
  if (alignment & Qt::AlignRight) x = rect.right() - tabularWidth(metrics, text);
  if (alignment & Qt::AlignHCenter) x = rect.center().x() - tabularWidth(metrics, text) / 2;
  const qreal baseline = rect.center().y() + (metrics.ascent() - metrics.descent()) / 2;
  // In a file words stay words, which people edit.
  const QPaintEngine::Type kind = painter.paintEngine()->type();
  if (kind == QPaintEngine::SVG || kind == QPaintEngine::Pdf) {
    if (alignment & Qt::AlignRight) x = rect.right() - metrics.horizontalAdvance(text);
    return painter.drawText(QPointF(x, baseline), text);
  }
  for (const QChar c : text) {
    const qreal cell = cellWidth(metrics, digit, c);
    painter.drawText(QPointF(x + (cell - metrics.horizontalAdvance(c)) / 2, baseline), QString(c));
    x += cell;
  }
}

QString loopWord(LoopKind kind) {
  switch (kind) {
    case LoopKind::Weld:
      return QObject::tr("weld");
    case LoopKind::Ball:
      return QObject::tr("ball");
    case LoopKind::Distance:
      break;
  }
  return QObject::tr("distance");
}

QString boundaryWord(BoundaryKind kind) {
  switch (kind) {
    case BoundaryKind::Sticky:
      return QObject::tr("sticky");
    case BoundaryKind::Slip:
      return QObject::tr("slip");
    case BoundaryKind::Separate:
      break;
  }
  return QObject::tr("separate");
}

QString shapeWord(const Shape& shape) {
  if (std::holds_alternative<shape::Plane>(shape)) return QObject::tr("plane");
  if (std::holds_alternative<shape::Box>(shape)) return QObject::tr("box");
  if (std::holds_alternative<shape::Sphere>(shape)) return QObject::tr("sphere");
  return QObject::tr("shape");
}

QString representationWord(ContactRepresentation representation) {
  switch (representation) {
    case ContactRepresentation::Compliant:
      return QObject::tr("compliant");
    case ContactRepresentation::Rigid:
      return QObject::tr("rigid");
    case ContactRepresentation::Point:
      break;
  }
  return QObject::tr("points");
}

QString nameInRobot(const Model& model, const std::string& name) {
  for (const Robot& robot : model.robots)
    if (name.starts_with(robot.name + ".")) return QString::fromStdString(name.substr(robot.name.size() + 1));
  return QString::fromStdString(name);
}

std::vector<QString> bodyLabels(const Model& model) {
  std::vector<QString> labels, brief;
  QHash<QString, int> uses;
  for (const auto& body : model.tree.bodies) brief.push_back(QString::fromStdString(body.name));
  for (const Robot& robot : model.robots)
    for (auto b = static_cast<std::size_t>(robot.firstBody); b < static_cast<std::size_t>(robot.endBody); ++b)
      if (model.tree.bodies[b].name.starts_with(robot.name + "."))
        brief[b] = brief[b].mid(QString::fromStdString(robot.name).size() + 1);
  for (const QString& name : brief) ++uses[name];
  for (std::size_t b = 0; b < brief.size(); ++b)
    labels.push_back(uses[brief[b]] == 1 ? brief[b] : QString::fromStdString(model.tree.bodies[b].name));
  for (const Robot& robot : model.robots)  // a plain body is called what the scene calls it
    if (robot.endBody - robot.firstBody == 1)
      labels[static_cast<std::size_t>(robot.firstBody)] = QString::fromStdString(robot.name);
  return labels;
}

}  // namespace slipstick::ui
