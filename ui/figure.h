// A figure for a paper: pictures in a row, or in rows, plots below on one time axis.
#pragma once

#include <QImage>
#include <QString>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/result.h"
#include "render/offscreen.h"
#include "ui/plot.h"
#include "ui/plot_painter.h"

namespace slipstick::ui {

enum class FigureFont : std::uint8_t { Serif, Sans };
enum class FigureFormat : std::uint8_t { Pdf, Svg, Png };

/// By the suffix, in either case; an error for every other one.
Result<FigureFormat> figureFormatOf(const std::string& file);

struct FigurePicture {
  render::Image image;
  QString below;  ///< "0.5 s"; empty: nothing
};

struct FigureCurve {
  QString name;  ///< in the legend
  PlotRole role = PlotRole::Value;
  std::shared_ptr<const PlotSeries> values;
};

struct FigurePlot {
  QString label;   ///< of its axis: "force"
  QString unit;    ///< "N"; empty for pure numbers
  QString prefix;  ///< what the names in its legend begin with: "roller.contact"; may be empty
  std::vector<FigureCurve> curves;
};

struct Figure {
  QString title;                        ///< of the document, not drawn
  std::vector<FigurePicture> pictures;  ///< at least one, all of one size
  int columns = 1;                      ///< pictures in a row
  std::vector<FigurePlot> plots;
  double dt = 0.01;           ///< of the plots' steps [s]
  TimeRange range;            ///< of all plots [s]
  std::vector<double> rules;  ///< thin lines in all plots: the times of the pictures [s]
  bool letters = false;       ///< (a), (b) … at pictures and plots
  double width_mm = 170, plotHeight_mm = 26;
  double dpi = 300;  ///< of a PNG
  FigureFont font = FigureFont::Serif;
};

/// The family that stands for a font: the first one that is installed of those that look as LaTeX's do.
QString familyOf(FigureFont font);

/// What a picture may be as wide as, so that `columns` of them stand in a row [mm].
double pictureWidth_mm(double figureWidth_mm, int columns);

struct FigureReport {
  double width_mm = 0, height_mm = 0;
  QString family;  ///< of its text
};

/// As writeFigure() writes it as PNG, for the screen. Null where that is too large.
QImage figureImage(const Figure& figure, double dpi);

/// Writes a figure: as PDF and SVG with plots of lines and with text that stays text, pictures as bitmaps. Needs a
/// QGuiApplication, of any platform. A file is there whole or not at all; one that was there before stays where the new one
/// cannot be written.
Result<FigureReport> writeFigure(const Figure& figure, const std::string& file);

}  // namespace slipstick::ui
