// A companion in the list: its colour, its name, its method and numbers, how far it is and what it costs.
#pragma once

#include <QWidget>

#include "ui/choices.h"
#include "ui/companions.h"
#include "ui/controls.h"
#include "ui/session.h"

namespace slipstick::ui {

/// A disc in the colour that a companion has in the picture and in plots.
class HueDot : public QWidget {
  Q_OBJECT

 public:
  explicit HueDot(int hue, QWidget* parent = nullptr);
  QSize sizeHint() const override { return {14, 29}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int hue_;
};

class CompanionRow : public QWidget {
  Q_OBJECT

 public:
  CompanionRow(std::uint64_t id, Session& session, QWidget* parent = nullptr);
  std::uint64_t id() const { return id_; }
  Field& name() { return *name_; }
  ChoiceList& method() { return *method_; }
  Field& numbers() { return *numbers_; }
  FlatButton& takeOverButton() { return *takeOver_; }
  FlatButton& removeButton() { return *remove_; }
  /// "3 steps behind · 2.31 ms per step", or why it has stopped.
  QString state() const { return state_->text(); }
  void refresh();

 private:
  void build();
  void layOut(int hue);
  void connectFields();
  void fillMethods();

  std::uint64_t id_;
  Session& session_;
  Field *name_, *numbers_;
  ChoiceList* method_;
  ThemedLabel *state_, *trouble_;
  FlatButton *takeOver_, *remove_;
};

}  // namespace slipstick::ui
