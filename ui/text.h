// Numbers and names as people read them: tabular figures, units, true minus signs.
#pragma once

#include <QPainter>
#include <QString>
#include <string_view>
#include <vector>

#include "engine/model/model.h"

namespace slipstick::ui {

QString toQString(std::string_view text);
/// `value` with `decimals` digits after the point and a true minus sign; "–" when it is not finite.
QString number(double value, int decimals);
/// Three significant digits, for quantities of unknown size: "0.0123", "38.4", "1.20e5".
QString significant(double value);
/// "40.0" of as much both ways, "−1.00 to 50.0"
QString effortText(const multibody::EffortRange& range);
/// "0.012, 0.003, 0.146"
QString vectorText(const Vec3& v, int decimals);
/// "214 MB"
QString megabytes(std::size_t bytes);
/// "1.0×", "0.25×", or "max" for infinity.
QString speedText(double speed);
/// What a number that is shown in another unit is in its own: 0.04 MPa are 40000 Pa, and not 40000.000000000004.
/// @param scale  of the unit shown, in its own
double inOwnUnit(double shown, double scale);
/// 5920 → "5,920"
QString grouped(std::size_t count);

/// Width of `text` when every digit takes the room of the widest one [logical px].
qreal tabularWidth(const QFontMetricsF& metrics, const QString& text);
/// Draws one line with equally wide digits, so that changing numbers do not jitter (Qt before 6.7 cannot ask
/// the font for its tabular figures). `alignment`: left, right or centre; always centred vertically.
void drawTabular(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text);

/// "weld", "ball", "distance"
QString loopWord(LoopKind kind);
/// "sticky", "slip", "separate"
QString boundaryWord(BoundaryKind kind);
/// "plane", "box", …
QString shapeWord(const Shape& shape);
/// "compliant", "rigid", "points": how a surface meets rigid ones.
QString representationWord(ContactRepresentation representation);

/// Of a link or joint, without its robot's name, whatever points either has: "arm.left.finger" is "left.finger".
QString nameInRobot(const Model& model, const std::string& name);

/// Names for people: the part after the dot where that is unique ("roller"), else the full name
/// ("left_arm.link_3").
std::vector<QString> bodyLabels(const Model& model);

}  // namespace slipstick::ui
