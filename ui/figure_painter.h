// Where everything in a figure is, and how it is drawn. Part of writeFigure().
#pragma once

#include <QFont>
#include <QPainter>
#include <QRectF>
#include <vector>

#include "ui/figure.h"
#include "ui/plot_axis.h"

namespace slipstick::ui {

/// All lengths and places are in points, 1/72 inch, from the top left of the figure, on any device.
class FigurePainter {
 public:
  explicit FigurePainter(const Figure& figure);

  double width() const { return width_; }
  double height() const { return height_; }
  QRectF picture(std::size_t index) const;
  /// Of the curves of a plot.
  QRectF area(std::size_t plot) const { return plots_[plot].area; }
  double xOf(double time) const;
  const QString& family() const { return family_; }

  /// @param painter  of a device whose resolution is known to it, without a transform
  void paint(QPainter& painter);

 private:
  struct Entry {
    double x = 0;  ///< of its sample
    int row = 0;
    std::size_t curve = 0;
  };
  struct Placed {
    double top = 0;  ///< of its legend
    QRectF area;
    AxisRange range;
    double step = 1;  ///< between ticks
    std::vector<Entry> entries;
    int rows = 1;  ///< of the legend
  };
  /// Whether lines have the letters of their pictures.
  bool hasMarks() const { return figure_.letters && figure_.rules.size() == figure_.pictures.size(); }
  double advance(const QString& text, double size) const;
  void placePictures();
  void placePlots();
  void placeLegend(const FigurePlot& plot, Placed& placed) const;
  double roomForNumbers() const;
  double roomAfterTimes(double width) const;
  double tickBetweenTimes(double width) const;
  QString letter(std::size_t index) const;
  QPen penOf(const FigurePlot& plot, std::size_t curve) const;

  double device(double points) const { return points * scale_; }
  QPointF device(const QPointF& p) const { return p * scale_; }
  QPen pen(const QColor& color, double width) const;
  /// One line of text. @param at  its baseline: where it begins, has its middle or ends
  void write(QPainter& painter, const QPointF& at, Qt::Alignment alignment, const QString& text,
             double size) const;
  void line(QPainter& painter, const QPointF& a, const QPointF& b) const;
  void paintPictures(QPainter& painter) const;
  void paintPlot(QPainter& painter, std::size_t index) const;
  void paintValueAxis(QPainter& painter, std::size_t index) const;
  void paintTimeAxis(QPainter& painter, const Placed& placed, bool isLast) const;
  void paintRules(QPainter& painter, const Placed& placed, bool isFirst) const;
  void paintCurve(QPainter& painter, std::size_t plot, std::size_t curve) const;
  void paintLegend(QPainter& painter, std::size_t index) const;

  const Figure& figure_;
  QString family_;
  double width_ = 0, height_ = 0;
  double pictureWidth_ = 0, pictureHeight_ = 0, rowHeight_ = 0;
  double left_ = 0;   ///< of the plots' areas
  double right_ = 0;  ///< of the page, beside them
  std::vector<Placed> plots_;
  double scale_ = 1;  ///< device units per point
};

}  // namespace slipstick::ui
