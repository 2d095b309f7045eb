// One device that drives arms: how its controls stand, live, and what each of them is for.
#pragma once

#include <QWidget>
#include <array>

#include "engine/teleop/teleop.h"
#include "ui/choices.h"
#include "ui/controls.h"

namespace slipstick::ui {

/// A bar from −1 to 1 around a middle.
class AxisBar : public QWidget {
  Q_OBJECT

 public:
  explicit AxisBar(QWidget* parent = nullptr);
  /// @param value  −1 … 1; @param deadZone  that is painted around the middle, 0 … 1
  void setValue(double value, double deadZone);
  double value() const { return value_; }
  QSize sizeHint() const override { return {80, 16}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  double value_ = 0, deadZone_ = 0;
};

class DeviceCard : public QWidget {
  Q_OBJECT

 public:
  DeviceCard(const Teleop::DeviceView& view, QWidget* parent = nullptr);
  /// What the device says now. @param effectors  names of what it may be bound to
  void refresh(const Teleop::DeviceView& view, const QStringList& effectors);
  DeviceId device() const { return device_; }
  const DeviceUse& use() const { return use_; }
  AxisBar& bar(Motion motion) { return *rows_[static_cast<std::size_t>(motion)].bar; }
  Toggle& invert(Motion motion) { return *rows_[static_cast<std::size_t>(motion)].invert; }
  NumberField& scale(Motion motion) { return *rows_[static_cast<std::size_t>(motion)].scale; }
  NumberField& deadZone(Motion motion) { return *rows_[static_cast<std::size_t>(motion)].deadZone; }
  Segments& frame() { return *frame_; }
  ChoiceList& effector() { return *effector_; }
  const QString& state() const { return state_->text(); }

 Q_SIGNALS:
  void useChanged(slipstick::DeviceId device, slipstick::DeviceUse use);
  void forgetWanted(slipstick::DeviceId device);

 private:
  struct Row {
    AxisBar* bar = nullptr;
    Toggle* invert = nullptr;
    NumberField *deadZone = nullptr, *exponent = nullptr, *scale = nullptr;
  };
  void addHeader(const DeviceInfo& info, class QVBoxLayout& column);
  void addRow(Motion motion, class QGridLayout& grid);
  QString buttonText() const;
  void change();

  DeviceId device_;
  DeviceInfo info_;
  DeviceUse use_;
  Toggle* enabled_;
  ValueLabel* state_;
  ChoiceList* effector_;
  Segments* frame_;
  FlatButton* forget_;
  ThemedLabel *buttons_, *trouble_;
  std::array<Row, kMotionCount> rows_;
};

}  // namespace slipstick::ui
