// Colours, fonts and the style sheet of the window: the tokens of the design, in one place.
#pragma once

#include <QColor>
#include <QFont>
#include <array>

namespace slipstick::ui {

enum class Appearance { Dark, Light };

/// Named colours. A colour means the same thing in the viewport, the table and the timeline.
struct Theme {
  Appearance appearance = Appearance::Dark;
  QColor window, panel, raised, hover, field, line;  ///< backgrounds and separators
  QColor text, secondary, faint;                     ///< values, labels, units and hints
  QColor normal, stick, slip;                        ///< contact force parts and states
  QColor accent, onAccent, selection;                ///< play, the selected row
  QColor error, good, bookmark;
  std::array<QColor, 5> curves;  ///< of one plot, after the first: hues that mean nothing else
};

/// The theme in use; valid after applyTheme.
const Theme& theme();

/// One of the two, whichever is in use: figures for papers are light.
const Theme& themeOf(Appearance appearance);

/// Sets palette, font and style sheet of the application. Needs a QApplication.
void applyTheme(Appearance appearance);

/// The application's font, `weight` as in CSS (400, 600), `scale` of the base size.
QFont textFont(int weight = 400, double scale = 1);
QFont monoFont();

/// All spacing is a multiple of this [logical px].
inline constexpr int kSpace = 8;

}  // namespace slipstick::ui
