// What a person wants plotted: observables by name, some together.
#pragma once

#include <QMimeData>
#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/model/model.h"
#include "ui/pin.h"

namespace slipstick::ui {

/// What a curve shows: its colour everywhere.
enum class PlotRole : std::uint8_t { Value, Normal, Friction, Bound };

struct PlotCurve {
  std::string name;  ///< as RunColumns::values takes it; empty: of the plot's pin, a single contact
  QString label;     ///< "normal"
  QString unit;
  PlotRole role = PlotRole::Value;
  bool operator==(const PlotCurve&) const = default;
};

/// Curves of one or two units over the same time.
struct Plot {
  QString title;
  std::vector<PlotCurve> curves;
  std::optional<Pin> pin;  ///< that it goes with
  std::uint64_t id = 0;    ///< given by the PlotList

  /// Its units, the left axis first; two at most.
  std::vector<QString> units() const;
};

/// What is plotted of a pin: a plot per unit.
std::vector<Plot> plotsOf(const Pin& pin, const Model& model);
/// What is plotted of a thing of the scene when it is dragged as a whole.
std::vector<Plot> plotsOfBody(const Model& model, int body, const QString& label);
std::vector<Plot> plotsOfRobot(const Model& model, int robot);
std::vector<Plot> plotsOfDeformable(const Model& model, int deformable);
std::vector<Plot> plotsOfBoundary(const Model& model, int boundary);
std::vector<Plot> plotsOfScene(const Model& model);
/// A plot of one observable.
Plot plotOf(const std::string& name, const QString& unit);
/// A vector's three components: "roller.contact.f" of roller.contact.fx, fy and fz.
Plot plotOfVector(const std::string& name, const QString& title, const QString& unit);
/// Its length alone.
Plot plotOfLength(const std::string& name, const QString& title, const QString& label, const QString& unit);
/// What the observables of a pair's sides begin with: "roller+dough".
std::string sidesOf(const ContactPair& pair, const Model& model);
/// Both in one; none where that would take a third axis.
std::optional<Plot> joined(const Plot& plot, const Plot& other);

/// For dragging plots from one panel to another within the program.
QMimeData* mimeOf(const std::vector<Plot>& plots);
/// Empty where the data holds no plots.
std::vector<Plot> plotsIn(const QMimeData& mime);
extern const char* const kPlotMime;

}  // namespace slipstick::ui
