#include "ui/focus.h"

#include "render/contact_facts.h"
#include "render/selection_names.h"

namespace slipstick::ui {

void Focus::begin() {
  if (moment_.isRobotViewer()) selection_ = render::SelectedRobot{0};
}

void Focus::follow(const Model& before) {
  selection_ = render::sameSelection(before, *moment_.model(), selection_);
}

void Focus::select(const render::Selection& selection) {
  if (selection == selection_) return;
  selection_ = selection;
  Q_EMIT selectionChanged();
}

void Focus::selectByName(const QString& name) {
  if (!moment_.model()) return;
  const Result<render::Selection> named = render::selectionNamed(*moment_.model(), name.toStdString());
  if (!named) return messages_.failed(named.error());
  select(*named);
}

const Contact* Focus::selectedContact() const {
  const auto shown = moment_.shown();
  const auto* contact = std::get_if<ContactKey>(&selection_);
  if (!shown || !contact) return nullptr;
  const int index = render::findContact(*shown, *contact);
  return index < 0 ? nullptr : &shown->contacts[static_cast<std::size_t>(index)];
}

void Focus::setView(const render::ViewOptions& view) {
  view_ = view;
  Q_EMIT viewChanged();
}

void Focus::toggleView(const render::ViewAction& action) {
  render::ViewOptions view = view_;
  action.toNext(view);
  setView(view);
}

}  // namespace slipstick::ui
