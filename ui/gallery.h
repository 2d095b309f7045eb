// The first page: a card for every shipped scene.
#pragma once

#include <QScrollArea>

#include "ui/studio.h"

namespace slipstick::ui {

class Gallery : public QScrollArea {
  Q_OBJECT

 public:
  explicit Gallery(const std::vector<StudioServices::SceneEntry>& scenes, QWidget* parent = nullptr);

 protected:
  bool event(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 Q_SIGNALS:
  void chosen(QString scene);
};

}  // namespace slipstick::ui
