// The step looked at in numbers and one sentence: how long it took, what took longest, how much there was to do.
#pragma once

#include <QWidget>
#include <utility>
#include <vector>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::ui {

class StepCard : public QWidget {
  Q_OBJECT

 public:
  explicit StepCard(QWidget* parent = nullptr);
  void show(const Snapshot& snapshot);
  /// "61.0 ms for a step of 5 ms · 0.08× real time"
  QString headline() const { return time_ + " " + of_ + QString::fromUtf8(" · ") + rate_; }
  const QString& reason() const { return reason_; }
  using Fact = std::pair<QString, QString>;  ///< name, value
  const std::vector<Fact>& facts() const { return facts_; }
  QSize sizeHint() const override { return {320, heightForWidth(320)}; }
  QSize minimumSizeHint() const override { return {160, heightForWidth(std::max(width(), 160))}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int columns(int width) const;
  int reasonHeight(int width) const;

  QString time_, of_, rate_, reason_;
  bool fallsBehind_ = false;  ///< slower than real time
  std::vector<Fact> facts_;
};

}  // namespace slipstick::ui
