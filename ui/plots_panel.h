// Dock with the plots of the session, over the run looked at; the ghost's run is dashed beside it, companions have their
// colours.
#pragma once

#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>
#include <map>

#include "ui/controls.h"
#include "ui/plot_source.h"
#include "ui/plot_strip.h"
#include "ui/plot_times.h"
#include "ui/run_reader.h"
#include "ui/session.h"

namespace slipstick::ui {

class PlotsPanel : public Panel {
  Q_OBJECT

 public:
  explicit PlotsPanel(Session& session, QWidget* parent = nullptr);
  ~PlotsPanel() override;
  const std::vector<PlotStrip*>& strips() const { return strips_; }  ///< as PlotList::plots()
  QScrollArea& scrollArea() { return *scroll_; }
  FlatButton& rangeButton() { return *range_; }
  FlatButton& spectraButton() { return *spectra_; }
  FlatButton& addButton() { return *add_; }
  /// Whether every step of the window has been read.
  bool isComplete() const { return complete_; }
  /// A list of every observable of the run with a filter, under the add button; null while no scene is open.
  QWidget* openChooser();
  /// Every step of the range, or of the window, of all that is plotted; the log says when it is done.
  void exportCsv(const QString& file);
  /// All plots as they are, as a figure on white: .svg or .pdf.
  void exportFigure(const QString& file);
  void showTimes(double from, double to);  ///< [s]
  void showWholeRun();

 Q_SIGNALS:
  void filled();

 protected:
  void showEvent(QShowEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void build();
  void buildHeader();
  void connectSession();
  void rebuild();
  PlotStrip* makeStrip(const Plot& plot);
  void plan();
  void refresh();
  void askContacts();
  void onCurves();
  void fillVisible();
  void followBesides();
  std::vector<BesideCurve> besidesOf(const std::string& curve);
  PlotData dataOf(const Plot& plot);
  PlotLine contactLine(const Plot& plot, std::size_t curve) const;
  void setWindows();
  void onTimes();
  PlotWindow window() const;
  double ghostShift() const;
  void choose(const QString& filter);
  void chooseFile(const QString& filter, void (PlotsPanel::*write)(const QString&));
  QMenu* exportMenu();

  Session& session_;
  FlatButton *range_, *spectra_, *add_, *export_;
  QScrollArea* scroll_;
  QWidget* sheet_;
  QVBoxLayout* column_;
  ThemedLabel* hint_;
  std::vector<PlotStrip*> strips_;
  QTimer refreshTimer_;
  PlotSource live_, ghost_;
  std::map<std::uint64_t, PlotSource> besides_;  ///< of companions along what is looked at, by their ids
  std::optional<PinCurves> contacts_;            ///< of pinned single contacts
  PlotTimes times_;
  bool complete_ = true;
};

}  // namespace slipstick::ui
