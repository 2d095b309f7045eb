// Dock with a slider for every joint of a robot: where it is, where it may go, and a hand on it.
#pragma once

#include <QGridLayout>
#include <QScrollArea>
#include <QTimer>

#include "ui/controls.h"
#include "ui/session.h"
#include "ui/slider.h"

namespace slipstick::ui {

class JointsPanel : public Panel {
  Q_OBJECT

 public:
  explicit JointsPanel(Session& session, QWidget* parent = nullptr);
  /// Of a joint of the robot that is shown; null otherwise.
  Slider* slider(int joint) const;
  NumberField* field(int joint) const;

 private:
  struct Row {
    int joint;
    Slider* slider;
    NumberField* field;
    ValueLabel* effort;
    FlatButton* free;
    std::optional<double> wanted = std::nullopt;  ///< by the person, until a step shows it
    std::uint64_t wantedSince = 0;                ///< a step
  };

  void rebuild();
  void refresh();
  void add(int joint);
  void drive(int joint, double goal);
  void letGo(const std::vector<int>& joints);
  void home();
  /// The robot of the selection, else the one that was shown, else the first that has joints to drive.
  int robotToShow() const;
  int robotOf(int body) const;
  std::vector<int> joints(int robot) const;

  Session& session_;
  QScrollArea* scroll_;
  QGridLayout* grid_ = nullptr;
  FlatButton *home_, *free_;
  ThemedLabel* hint_;
  int robot_ = -1;
  std::vector<Row> rows_;
  QTimer refreshTimer_;
};

}  // namespace slipstick::ui
