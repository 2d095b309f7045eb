// The plots of a session, from top to bottom; the panel shows them.
#pragma once

#include <QObject>
#include <vector>

#include "ui/plot.h"

namespace slipstick::ui {

class PlotList : public QObject {
  Q_OBJECT

 public:
  explicit PlotList(QObject* parent = nullptr) : QObject(parent) {}

  const std::vector<Plot>& plots() const { return plots_; }
  /// At the end; one of the same curves is not added twice.
  void add(const std::vector<Plot>& plots);
  /// Into the plot with this id. @return whether they share its two axes; otherwise nothing is done
  bool join(std::uint64_t id, const std::vector<Plot>& plots);
  void remove(std::uint64_t id);
  void clear();
  /// The plots of these pins; what went with others goes.
  void follow(const std::vector<Pin>& pins, const Model& model);

 Q_SIGNALS:
  void changed();

 private:
  bool insert(Plot plot);

  std::vector<Plot> plots_;
  std::vector<Pin> pins_;  ///< followed last
  std::uint64_t lastId_ = 0;
};

}  // namespace slipstick::ui
