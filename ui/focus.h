// What of the picture is selected, and how it is drawn.
#pragma once

#include <QObject>
#include <QString>

#include "render/selection.h"
#include "render/view_actions.h"
#include "ui/messages.h"
#include "ui/shown_moment.h"

namespace slipstick::ui {

class Focus : public QObject {
  Q_OBJECT

 public:
  Focus(const ShownMoment& moment, Messages& messages) : moment_(moment), messages_(messages) {}

  /// Before another scene is shown.
  void clear() { selection_ = {}; }
  /// A robot that is looked at alone is selected from the start.
  void begin();
  /// Another model: what was selected stays so where it has something of its name. selectionChanged() is for the caller
  /// to say.
  void follow(const Model& before);

  const render::Selection& selection() const { return selection_; }
  void select(const render::Selection& selection);
  /// A robot, body, deformable or boundary by its name; two names joined by + are the pair of them. failed() where there
  /// is none.
  void selectByName(const QString& name);
  /// The selected contact in the shown snapshot; null when none is selected or it is not touching now.
  const Contact* selectedContact() const;
  const render::ViewOptions& view() const { return view_; }
  void setView(const render::ViewOptions& view);
  void toggleView(const render::ViewAction& action);  ///< to its next state

 Q_SIGNALS:
  void selectionChanged();
  void viewChanged();

 private:
  const ShownMoment& moment_;
  Messages& messages_;
  render::Selection selection_;
  render::ViewOptions view_;
};

}  // namespace slipstick::ui
