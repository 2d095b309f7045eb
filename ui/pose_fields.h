// Where a free body is, as six numbers that a person may change.
#pragma once

#include <array>

#include "ui/controls.h"
#include "ui/session.h"

namespace slipstick::ui {

/// x, y, z [m] and roll, pitch, yaw about the world's axes [°].
class PoseFields : public QObject {
  Q_OBJECT

 public:
  static constexpr int kCount = 6;
  PoseFields(int body, Session& session, QObject* parent);
  static QString label(int index);
  static QString unit(int index);
  NumberField* field(int index) const { return fields_[static_cast<std::size_t>(index)]; }
  void refresh();

 private:
  std::array<double, kCount> now() const;
  void set(int index, double value);

  int body_;
  Session& session_;
  std::array<NumberField*, kCount> fields_{};
};

}  // namespace slipstick::ui
