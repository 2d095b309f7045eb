// One table of all that a person may switch about the picture. A row is its key, its entry in the menu, its line in the
// list of keys, its toggle in the viewport, its name on the command line and in the settings.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "render/view.h"

namespace slipstick::render {

struct ViewChoice {
  std::string_view name;   ///< --show ACTION=NAME
  std::string_view title;  ///< in menus
};

struct ViewAction {
  std::string_view name;   ///< --show NAME, no-NAME or NAME=CHOICE; the setting's key
  std::string_view key;    ///< as QKeySequence reads it; empty: none
  std::string_view title;  ///< in menus and the list of keys
  std::string_view brief;  ///< in the viewport's bar; empty: not there
  std::string_view group;  ///< the menus' sections
  /// Of a switch {off, on}: empty.
  std::span<const ViewChoice> choices;
  /// State: 0 or 1 of a switch, otherwise the index of the choice.
  int (*state)(const ViewOptions&);
  void (*set)(ViewOptions&, int state);
  /// Whether the model has anything that it shows; null: always.
  bool (*concerns)(const Model&) = nullptr;

  bool isSwitch() const { return choices.empty(); }
  int states() const { return isSwitch() ? 2 : static_cast<int>(choices.size()); }
  void toNext(ViewOptions& options) const { set(options, (state(options) + 1) % states()); }
};

/// A number that is turned up and down: by a factor, or by a step.
struct ViewStep {
  std::string_view up, upKey, down, downKey;  ///< in menus
  double ViewOptions::*number;
  double factor, step;
  double least, most;

  void turn(ViewOptions& options, int direction) const;  ///< +1 or −1
};

/// In the order of menus.
std::span<const ViewAction> viewActions();
std::span<const ViewStep> viewSteps();
/// Null where there is none.
const ViewAction* findViewAction(std::string_view name);

/// All words of --show: "forces, contact=auto|pairs|…".
std::string viewWords();

/// Applies one word of --show: NAME, no-NAME, or NAME=CHOICE. Fails with UnknownName, listing what there is.
Result<void> applyViewWord(std::string_view word, ViewOptions& options);

}  // namespace slipstick::render
