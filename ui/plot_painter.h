// Draws one plot: in the panel, and into figures.
#pragma once

#include <QPainter>
#include <QRectF>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ui/plot.h"
#include "ui/plot_series.h"
#include "ui/spectrum.h"
#include "ui/theme.h"

namespace slipstick::ui {

/// The same value of a run beside the one that is looked at.
struct BesideCurve {
  QString name;  ///< of the run
  int hue = 0;   ///< see hueOf()
  std::shared_ptr<const PlotSeries> values;
  bool operator==(const BesideCurve&) const = default;
};

struct PlotLine {
  QString name;  ///< "normal"
  QString unit;
  PlotRole role = PlotRole::Value;
  std::shared_ptr<const PlotSeries> values;
  std::shared_ptr<const PlotSeries> slipping;  ///< of friction: part that slips, 0 … 1; null for others
  std::shared_ptr<const PlotSeries> ghost;     ///< of the ghost's run; null without
  bool bridged = false;                        ///< not every step has a value: neighbours are joined
  bool isCount = false;                        ///< whole numbers
  int hue = -1;                                ///< see hueOf(); −1: what its role has
  std::vector<BesideCurve> besides = {};
  bool operator==(const PlotLine&) const = default;
};

/// Colours of layers that lie on each other, as many as a step has phases.
QColor hueOf(int hue, const Theme& theme);
/// "10⁻⁶"
QString powerOfTen(int exponent);

struct PlotData {
  QString title;
  std::vector<PlotLine> lines;
  double dt = 0.01;  ///< of the steps [s]
  /// Filled layers, the first at the bottom, means where a pixel has several steps. A line of the role Bound is
  /// their sum: it is not drawn and alone has a reading.
  bool stacked = false;
  bool logarithmic = false;  ///< six decades at most, below the highest value
  bool operator==(const PlotData&) const = default;
  /// Of all its curves: what grows with them.
  std::uint64_t stepCount() const;
};

struct TimeRange {
  double from = 0, to = 0;  ///< [s]
  bool operator==(const TimeRange&) const = default;
};

/// Times that all plots share [s].
struct PlotWindow {
  double from = 0, to = 1, cursor = 0;
  double ghostShift = 0;           ///< what a ghost's times are drawn later by
  std::optional<TimeRange> range;  ///< selected
  bool spectra = false;            ///< of the range, beside the curve
  bool operator==(const PlotWindow&) const = default;
};

class PlotPainter {
 public:
  /// @param rect  for all of it   @param timesShown  numbers under the time axis
  /// @param headMargin  kept free at the right end of the head [px]
  PlotPainter(const PlotData& data, const PlotWindow& window, const QRectF& rect, bool timesShown,
              const Theme& theme, qreal headMargin = 0);

  void paint(QPainter& painter) const;
  qreal xOf(double time) const;
  double timeAt(qreal x) const;  ///< within the window
  QRectF area() const { return area_; }
  /// Of each line at the cursor: "normal 2.30 N"; behind it what the ghost's is less. Then those of runs beside it:
  /// "strong 2.10", with the line's name where there are several.
  struct Reading {
    QString text;
    QColor color;
    bool isBeside = false;
  };
  std::vector<Reading> readings() const;
  /// Of what is drawn as a spectrum: "peak 4.98 Hz, 1.97 N"; empty without one.
  QString spectrumReading() const;

  static constexpr int kHeight = 94, kTimesHeight = 16;
  static constexpr qreal kHead = 22;

 private:
  struct Axis {
    QString unit;
    double lowest = 0, highest = 1;
  };
  void fitAxes();
  Axis fitted(const QString& unit) const;
  double readingAt(const PlotLine& line, const PlotSeries& series, double time) const;
  int decimalsFor(const PlotLine& line) const;
  QString valueText(const PlotLine& line, double value) const;
  void readBesides(std::vector<Reading>& all) const;
  double usualHeight() const;
  PlotSeries::Extremes extremesOf(const QString& unit) const;
  const Axis& axisOf(const PlotLine& line) const;
  QColor colorOf(std::size_t line, bool slips) const;
  qreal yOf(double value, const Axis& axis) const;
  std::uint64_t stepAt(double time, bool up) const;
  bool slipsAt(const PlotLine& line, std::uint64_t step) const;
  void paintHead(QPainter& painter) const;
  void paintAxis(QPainter& painter, const Axis& axis, bool right) const;
  void paintTimes(QPainter& painter) const;
  void paintRange(QPainter& painter) const;
  void paintLine(QPainter& painter, std::size_t index) const;
  std::uint64_t stride(std::uint64_t steps) const;
  void paintLayers(QPainter& painter) const;
  void paintDecades(QPainter& painter, const Axis& axis) const;
  void paintSeries(QPainter& painter, const PlotSeries& series, const PlotLine& line, double shift,
                   const std::function<void(const QPolygonF&, std::uint64_t)>& stroke) const;
  void paintSpectrum(QPainter& painter) const;
  Spectrum spectrum() const;

  const PlotData& data_;
  const PlotWindow& window_;
  QRectF rect_, area_, spectrumArea_;
  bool timesShown_;
  qreal headMargin_;
  const Theme& theme_;
  std::vector<Axis> axes_;
};

}  // namespace slipstick::ui
