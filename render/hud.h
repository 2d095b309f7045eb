// The cards in the viewport's corners, drawn by Dear ImGui: time and rate, toggles, force legend, colour bar,
// call-out.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/snapshot.h"
#include "render/camera.h"
#include "render/frame.h"
#include "render/hud_rect.h"
#include "render/renderer.h"
#include "render/selection.h"
#include "render/view.h"

namespace slipstick::render {

struct WhyFacts;  // render/why_facts.h

struct HudInput {
  const Model* model = nullptr;
  const Snapshot* snapshot = nullptr;
  const Frame* frame = nullptr;
  const Camera* camera = nullptr;
  Selection selection;
  ViewOptions options;
  double speedWanted = 0;  ///< 0 = leave the rate line out (videos)
  double speedMeasured = 0;
  bool playing = false;
  bool onlyTime = false;  ///< a small time in the corner and no other card: contact sheets
  bool showHelp = false, showInfo = false, showProfiler = false;  ///< F1, F2, F3
  bool hasFailed = false;                                 ///< the run could not go on from the step shown
  std::vector<std::pair<std::string, std::string>> keys;  ///< what F1 lists: key, what it does
  std::shared_ptr<const WhyFacts> why;                    ///< the card that answers it; null: none
  /// One line per ghost under the time, in the order of the frame's: "ghost: 0.700 s, main".
  std::vector<std::string> ghosts;
  std::string hint;  ///< one faint line at the bottom, e.g. "scrubbing: 1.54 s of 3.2 s"
};

/// Words over or under a whole picture.
struct Caption {
  std::string title, subtitle;  ///< in its middle
  double titleOpacity = 0;      ///< 0 … 1
  std::string below;            ///< in the band of paper under it
  double bandHeight = 0;        ///< of that band [device px]
  double veil = 0;              ///< how much the window's colour hides everything, 0 … 1
  Hex window = palette::kWindow;
  bool isEmpty() const { return titleOpacity <= 0 && veil <= 0 && bandHeight <= 0; }
};

/// Owns one ImGui context; owns no state about the simulation. Needs an OpenGL context current. Several may draw on
/// threads of their own: one waits for the other, for ImGui knows one current context only.
class Hud {
 public:
  static Result<std::unique_ptr<Hud>> create();
  ~Hud();
  /// Draws over the target's present contents.
  void draw(const HudInput& input, const Target& target);
  /// Likewise.
  void draw(const Caption& caption, Backdrop backdrop, const Target& target);
  /// Of the last drawing.
  const std::vector<Rect>& cards() const;
  const std::vector<HudButton>& buttons() const;

 private:
  Hud();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipstick::render
