#include "ui/visibility.h"

#include <algorithm>

#include "ui/scene_document.h"
#include "ui/selection_kinds.h"
#include "ui/session.h"

namespace slipstick::ui {
namespace {

/// All that have a look of their own.
std::vector<ThingName> thingsOf(const Model& model) {
  std::vector<ThingName> things;
  for (const Robot& robot : model.robots) {
    things.push_back({ThingKind::Robot, robot.name});
    for (int body = robot.firstBody; body < robot.endBody && robot.endBody - robot.firstBody > 1; ++body)
      things.push_back({ThingKind::Link, model.tree.bodies[static_cast<std::size_t>(body)].name});
  }
  for (const Deformable& d : model.deformables) things.push_back({ThingKind::Deformable, d.name});
  for (const Boundary& boundary : model.boundaries) things.push_back({ThingKind::Boundary, boundary.name});
  return things;
}

/// Whether hiding one thing takes another with it: a robot its links, and itself.
bool isPartOf(const ThingName& part, const ThingName& whole) {
  return part == whole || (part.kind == ThingKind::Link && whole.kind == ThingKind::Robot &&
                           part.name.starts_with(whole.name + "."));
}

std::optional<ThingName> selectedThing(Session& session) {
  if (!session.isOpen()) return std::nullopt;
  const std::optional<ThingName> thing = thingOf(*session.model(), session.focus().selection());
  if (!thing)
    session.messages().tell(LogLevel::Info,
                            Session::tr("select a robot, a body, a deformable or a boundary to hide it"));
  return thing;
}

QString nameOf(const std::vector<ThingName>& things) {
  return things.size() == 1 ? QString::fromStdString(things.front().name)
                            : Session::tr("%1 things").arg(things.size());
}

}  // namespace

ThingName thingOfBody(const Model& model, int body) {
  for (const Robot& robot : model.robots)
    if (robot.firstBody == body && robot.endBody == body + 1) return {ThingKind::Robot, robot.name};
  return {ThingKind::Link, model.tree.bodies[static_cast<std::size_t>(body)].name};
}

void toggleVisible(Session& session, const std::vector<ThingName>& things) {
  SceneDocument& document = session.document();
  const bool hide = std::any_of(things.begin(), things.end(),
                                [&](const ThingName& thing) { return document.look(thing).visible; });
  LookEdits looks;
  for (const ThingName& thing : things) {
    looks[thing] = document.look(thing);
    looks[thing].visible = !hide;
  }
  document.setLooks(
      looks, hide ? Session::tr("hide %1").arg(nameOf(things)) : Session::tr("show %1").arg(nameOf(things)));
}

void toggleSelectionVisible(Session& session) {
  if (const std::optional<ThingName> thing = selectedThing(session)) toggleVisible(session, {*thing});
}

void hideAllButSelection(Session& session) {
  const std::optional<ThingName> kept = selectedThing(session);
  if (!kept) return;
  LookEdits looks;
  for (const ThingName& thing : thingsOf(*session.model())) {
    LookSpec look = session.document().look(thing);
    look.visible = isPartOf(thing, *kept) ? look.visible || thing == *kept : isPartOf(*kept, thing);
    looks[thing] = look;
  }
  session.document().setLooks(looks, Session::tr("hide all but %1").arg(QString::fromStdString(kept->name)));
}

void showEverything(Session& session) {
  if (!session.isOpen()) return;
  LookEdits looks;
  for (const ThingName& thing : thingsOf(*session.model())) {
    looks[thing] = session.document().look(thing);
    looks[thing].visible = true;
  }
  session.document().setLooks(looks, Session::tr("show everything"));
}

}  // namespace slipstick::ui
