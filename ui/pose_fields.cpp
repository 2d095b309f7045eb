#include "ui/pose_fields.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ui/scene_document.h"

namespace slipstick::ui {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kSameTurn = 1e-6;                    // of two rotations, as the norm of their difference
constexpr double kMetreStep = 0.01, kDegreeStep = 5;  // of the arrow keys

/// As scene files write it: R = R_z(yaw) R_y(pitch) R_x(roll).
Vec3 rollPitchYaw(const Mat3& R) {
  return {std::atan2(R(2, 1), R(2, 2)), std::asin(std::clamp(-R(2, 0), -1.0, 1.0)),
          std::atan2(R(1, 0), R(0, 0))};
}

double rounded(double x) {
  return std::round(x * 1e6) / 1e6 + 0.0;  // no −0
}

}  // namespace

PoseFields::PoseFields(int body, Session& session, QObject* parent)
    : QObject(parent), body_(body), session_(session) {
  for (int i = 0; i < kCount; ++i) {
    auto* field = new NumberField;
    field->setFixedWidth(74);
    field->setUnit(unit(i));
    field->setAccessibleName(label(i) + ", " + unit(i));
    field->setToolTip(tr("Puts the body there, at rest"));
    fields_[static_cast<std::size_t>(i)] = field;
    connect(field, &NumberField::entered, this, [this, i](double value) { set(i, value); });
    connect(field, &NumberField::stepped, this, [this, i](int notches, Qt::KeyboardModifiers modifiers) {
      double step = i < 3 ? kMetreStep : kDegreeStep;
      if (modifiers & Qt::ShiftModifier) step /= 10;
      if (modifiers & Qt::ControlModifier) step *= 10;
      set(i, rounded(now()[static_cast<std::size_t>(i)] + step * notches));
    });
  }
}

QString PoseFields::label(int index) {
  const QString labels[kCount] = {tr("x"), tr("y"), tr("z"), tr("roll"), tr("pitch"), tr("yaw")};
  return labels[index];
}

QString PoseFields::unit(int index) {
  return index < 3 ? "m" : QString::fromUtf8("°");
}

std::array<double, PoseFields::kCount> PoseFields::now() const {
  const Pose& X_WB = session_.moment().shown()->X_WB[static_cast<std::size_t>(body_)];
  const Vec3 angles = rollPitchYaw(X_WB.R) / kDegree;
  return {rounded(X_WB.p.x()), rounded(X_WB.p.y()), rounded(X_WB.p.z()),
          rounded(angles.x()), rounded(angles.y()), rounded(angles.z())};
}

/// The other numbers are those that the fields show: what a simulation has added behind their last digit nobody has meant,
/// and a scene's file says it in seventeen digits.
void PoseFields::set(int index, double value) {
  if (!std::isfinite(value)) return;
  std::array<double, kCount> wanted = now();
  wanted[static_cast<std::size_t>(index)] = value;
  const Vec3 angles(wanted[3], wanted[4], wanted[5]);
  Pose X_WB = Pose::fromRpy(angles * kDegree, {wanted[0], wanted[1], wanted[2]});
  const Mat3& R_WB = session_.moment().shown()->X_WB[static_cast<std::size_t>(body_)].R;
  const bool isTurned = index >= 3;
  // Straight up or down its three angles do not say how a body is turned.
  if (!isTurned && (X_WB.R - R_WB).norm() > kSameTurn) X_WB.R = R_WB;
  session_.document().place(body_, X_WB);
}

void PoseFields::refresh() {
  const std::array<double, kCount> values = now();
  for (std::size_t i = 0; i < values.size(); ++i) fields_[i]->setValue(values[i]);
}

}  // namespace slipstick::ui
