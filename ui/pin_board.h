// The pins of the open scene, and the plots that go with them.
#pragma once

#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "render/selection.h"
#include "ui/body_names.h"
#include "ui/focus.h"
#include "ui/messages.h"
#include "ui/pin.h"
#include "ui/shown_moment.h"

namespace slipstick::ui {

class PlotList;

class PinBoard : public QObject {
  Q_OBJECT

 public:
  PinBoard(const ShownMoment& moment, const BodyNames& names, const Focus& focus, PlotList& plots,
           Messages& messages);

  /// Before another scene is shown; pinsChanged() is for the caller to emit.
  void clear() { pins_.clear(); }
  /// Another model: pins stay where it has something of their names.
  void follow(const Model& before);

  const std::vector<Pin>& pins() const { return pins_; }
  void togglePin(const Pin& pin);
  void pinByName(const QString& name);  ///< of a body or a pair, as Focus::selectByName() takes it
  /// A selected contact, pair or body as a pin; none of other things.
  std::optional<Pin> pinOf(const render::Selection& selection) const;
  std::optional<Pin> selectionAsPin() const { return pinOf(focus_.selection()); }
  /// The joint that moves the selected body, if it has one degree of freedom.
  std::optional<Pin> selectedJointAsPin() const;

 Q_SIGNALS:
  void pinsChanged();

 private:
  const ShownMoment& moment_;
  const BodyNames& names_;
  const Focus& focus_;
  PlotList& plots_;
  Messages& messages_;
  std::vector<Pin> pins_;
};

}  // namespace slipstick::ui
