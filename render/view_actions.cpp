#include "render/view_actions.h"

#include <algorithm>
#include <array>
#include <string>

namespace slipstick::render {
namespace {

template <auto kMember>
int get(const ViewOptions& options) {
  return static_cast<int>(options.*kMember);
}

template <auto kMember>
void put(ViewOptions& options, int state) {
  auto& value = options.*kMember;
  value = static_cast<std::remove_reference_t<decltype(value)>>(state);
}

constexpr std::array<ViewChoice, 4> kContactViews = {{{"auto", "As near as one is"},
                                                      {"pairs", "Net forces of pairs"},
                                                      {"footprints", "Footprints"},
                                                      {"points", "Points of the selected pair"}}};
constexpr std::array<ViewChoice, 2> kFootprintValues = {{{"pressure", "Pressure"}, {"depth", "Depth"}}};
constexpr std::array<ViewChoice, 6> kParticleColors = {{{"auto", "Automatic"},
                                                        {"material", "Material"},
                                                        {"stress", "Von Mises stress"},
                                                        {"pressure", "Pressure"},
                                                        {"strain", "Plastic strain"},
                                                        {"speed", "Speed"}}};
constexpr std::array<ViewChoice, 3> kSoftStyles = {
    {{"scene", "As in scene"}, {"particles", "Particles"}, {"surfaces", "Surfaces"}}};
constexpr std::array<ViewChoice, 3> kCollisionShapes = {
    {{"none", "None"}, {"over", "Over what one sees"}, {"alone", "In its place"}}};
constexpr std::array<ViewChoice, 2> kColorMaps = {{{"ember", "Ember"}, {"viridis", "Viridis"}}};
constexpr std::array<ViewChoice, 5> kSections = {{{"none", "None"},
                                                  {"facing", "Facing the camera"},
                                                  {"x", "Across x"},
                                                  {"y", "Across y"},
                                                  {"z", "Across z"}}};

bool hasDeformables(const Model& model) {
  return !model.deformables.empty();
}
bool hasBoundaries(const Model& model) {
  return !model.boundaries.empty();
}

template <auto kMember>
constexpr ViewAction row(std::string_view name, std::string_view key, std::string_view title,
                         std::string_view brief, std::string_view group,
                         std::span<const ViewChoice> choices = {}, bool (*concerns)(const Model&) = nullptr) {
  return {name, key, title, brief, group, choices, &get<kMember>, &put<kMember>, concerns};
}

using V = ViewOptions;
constexpr std::string_view kContact = "Contact", kSoft = "Soft things", kBodies = "Bodies",
                           kPicture = "Picture", kCards = "Cards";

constexpr std::array kActions = {
    row<&V::forces>("forces", "F", "Contact forces", "Forces", kContact),
    row<&V::contactView>("contact", "C", "Contact seen as", "Contact", kContact, kContactViews),
    row<&V::splitForces>("split", "P", "Split forces in normal and friction", "Split", kContact),
    row<&V::cones>("cones", "O", "Friction cones", "Cones", kContact),
    row<&V::everyContact>("all", "A", "Contacts of every body", "All", kContact),
    row<&V::moments>("moments", "", "Moments of pairs", "", kContact),
    row<&V::forceLabels>("labels", "", "Numbers at forces", "", kContact),
    row<&V::logForces>("log", "", "Arrows on a log scale", "", kContact),
    row<&V::forcesOnTop>("ontop", "", "Forces in front of everything", "", kContact),
    row<&V::footprintValue>("footprint", "D", "Footprints show", "", kContact, kFootprintValues),
    row<&V::particleColor>("color", "", "Coloured by", "", kSoft, kParticleColors, &hasDeformables),
    row<&V::softStyle>("style", "L", "Drawn as", "Soft", kSoft, kSoftStyles, &hasDeformables),
    row<&V::colorMap>("map", "", "Colour map", "", kSoft, kColorMaps),
    row<&V::section>("section", "X", "Cut open", "Section", kSoft, kSections),
    row<&V::transparentRobots>("transparent", "T", "Transparent robots", "Transparent", kBodies),
    row<&V::wireframe>("wireframe", "W", "Wireframe", "", kBodies),
    row<&V::collisionShapes>("collision", "V", "Collision shapes", "", kBodies, kCollisionShapes),
    row<&V::joints>("joints", "J", "Joint axes", "", kBodies),
    row<&V::inertia>("inertia", "I", "Inertia boxes", "", kBodies),
    row<&V::centersOfMass>("com", "M", "Centres of mass", "", kBodies),
    row<&V::frames>("frames", "E", "Reference frames", "", kBodies),
    row<&V::trails>("trails", "R", "Trails", "", kBodies),
    row<&V::boundaries>("boundaries", "B", "Boundaries", "Boundaries", kPicture, {}, &hasBoundaries),
    row<&V::shadows>("shadows", "S", "Shadows", "", kPicture),
    row<&V::ground>("ground", "", "Ground", "", kPicture),
    row<&V::whiteBackground>("white", "", "White background", "", kPicture),
    row<&V::hud>("hud", "", "Cards in the viewport", "", kPicture),
    row<&V::timeCard>("time", "", "Time", "", kCards),
    row<&V::forceLegend>("legend", "", "Legend of forces", "", kCards),
    row<&V::contactCard>("card", "", "Numbers of the selected contact", "", kCards),
    row<&V::colorBars>("bar", "", "Colour bars", "", kCards),
    row<&V::insets>("inset", "", "Unrolled footprints", "", kCards),
    row<&V::ghostCaption>("caption", "", "Times of ghosts", "", kCards),
};

/// Numbers that a person turns up and down.
constexpr std::array kSteps = {
    ViewStep{"Longer arrows", "Shift+Up", "Shorter arrows", "Shift+Down", &V::arrowLength, 1.25, 0, 0.1, 10},
    ViewStep{"Hide weaker forces", "Ctrl+Up", "Show weaker forces", "Ctrl+Down", &V::forceThreshold, 2, 0,
             1e-4, 100},
    ViewStep{"Cut further away", "PgUp", "Cut nearer", "PgDown", &V::sectionOffset, 1, 0.05, -1, 1},
};

Error unknown(std::string_view word, const std::string& choices) {
  return {ErrorCode::UnknownName, "there is no such part", "--show " + std::string(word),
          "choose from: " + choices};
}

template <class Rows>
std::string namesOf(const Rows& rows) {
  std::string names;
  for (const auto& row : rows) names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

}  // namespace

std::span<const ViewAction> viewActions() {
  return kActions;
}

std::span<const ViewStep> viewSteps() {
  return kSteps;
}

void ViewStep::turn(ViewOptions& options, int direction) const {
  const double value = options.*number;
  options.*number = std::clamp(direction > 0 ? value * factor + step : (value - step) / factor, least, most);
}

const ViewAction* findViewAction(std::string_view name) {
  const auto found = std::find_if(kActions.begin(), kActions.end(),
                                  [name](const ViewAction& action) { return action.name == name; });
  return found == kActions.end() ? nullptr : &*found;
}

std::string viewWords() {
  std::string words;
  for (const ViewAction& action : kActions) {
    words += (words.empty() ? "" : ", ") + std::string(action.name);
    for (std::size_t i = 0; i < action.choices.size(); ++i)
      words += (i == 0 ? "=" : "|") + std::string(action.choices[i].name);
  }
  return words;
}

Result<void> applyViewWord(std::string_view word, ViewOptions& options) {
  const std::size_t equals = word.find('=');
  const bool off = word.starts_with("no-");
  const ViewAction* action = findViewAction(word.substr(0, equals).substr(off ? 3 : 0));
  if (!action) return unknown(word, namesOf(kActions));
  if (action->isSwitch() != (equals == std::string_view::npos) || (off && !action->isSwitch()))
    return unknown(word, action->isSwitch() ? std::string(action->name) + ", no-" + std::string(action->name)
                                            : std::string(action->name) + "= " + namesOf(action->choices));
  if (action->isSwitch()) {
    action->set(options, !off);
    return {};
  }
  const std::string_view choice = word.substr(equals + 1);
  for (std::size_t i = 0; i < action->choices.size(); ++i)
    if (action->choices[i].name == choice) {
      action->set(options, static_cast<int>(i));
      return {};
    }
  return unknown(word, std::string(action->name) + "= " + namesOf(action->choices));
}

}  // namespace slipstick::render
