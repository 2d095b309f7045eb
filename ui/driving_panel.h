// Dock for driving arms by hand: the mode, what is driven and how it stands, and the devices.
#pragma once

#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>
#include <map>
#include <vector>

#include "ui/device_card.h"
#include "ui/driving.h"
#include "ui/session.h"
#include "ui/slider.h"

namespace slipstick::ui {

class DrivingPanel : public Panel {
  Q_OBJECT

 public:
  explicit DrivingPanel(Session& session, QWidget* parent = nullptr);
  FlatButton& driveButton() { return *drive_; }
  FlatButton& stopButton() { return *stop_; }
  /// Of the device with this id; null where there is none.
  DeviceCard* card(const std::string& id);
  /// "at its goal", "34 mm from its goal", "joint_4 is at its limit"; of an effector by its place in the model.
  QString stateOf(std::size_t effector) const;
  /// What the scene asks for, its tests and how they stand; empty where it asks for nothing.
  const QString& taskText() const { return taskText_; }
  const QString& hint() const { return hintText_; }
  QString delayText() const { return delay_->text(); }

 private:
  struct EffectorRow {
    ThemedLabel* name;
    ValueLabel* state;
    Slider* closing;
    FlatButton *reposture, *letGo;
  };
  void rebuild();
  void rebuildCards(const std::vector<Teleop::DeviceView>& devices);
  void addEffector(std::size_t index);
  void refresh();
  void refreshEffectors();
  void refreshStop();
  void refreshTask();
  void refreshHint();
  void refreshDelay();
  QStringList effectorNames() const;

  Session& session_;
  FlatButton *drive_, *stop_;
  QWidget *effectors_ = nullptr, *cards_ = nullptr;
  QVBoxLayout* sheet_;
  ThemedLabel *task_, *hint_, *delay_, *troubles_;
  QString taskText_, hintText_;
  std::vector<EffectorRow> rows_;
  std::vector<DeviceCard*> deviceCards_;
  QTimer refreshTimer_;
};

}  // namespace slipstick::ui
