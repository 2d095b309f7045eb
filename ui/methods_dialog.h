// "Compare methods…": the open scene under several methods, side by side: figures in a table, pictures, ghosts and curves.
#pragma once

#include <QLabel>
#include <QScrollArea>
#include <QTableWidget>
#include <functional>
#include <memory>
#include <vector>

#include "ui/export_dialog.h"
#include "ui/look_fields.h"
#include "ui/method_comparison.h"
#include "ui/session.h"

namespace slipstick::ui {

class MethodsDialog : public ExportDialog {
  Q_OBJECT

 public:
  /// @param camera  that pictures are taken with, asked for when a comparison begins
  MethodsDialog(Session& session, std::function<render::CameraPath()> camera, QWidget* parent);
  ~MethodsDialog() override;

  struct Row {
    std::string method;
    QString obstacle;  ///< why it cannot step the scene; empty: it can
    Switch* isWanted;
    NumberField* dt;  ///< [ms]
  };
  std::vector<Row>& rows() { return rows_; }
  NumberField& duration() { return *duration_; }
  NumberField& from() { return *from_; }
  NumberField& to() { return *to_; }
  Field& moments() { return *moments_; }
  QTableWidget& table() { return *table_; }
  const QImage& picture() const { return picture_; }
  /// Null before the first one.
  const MethodComparison* comparison() const { return comparison_.get(); }
  bool isRunning() const { return comparison_ && !comparison_->isDone(); }
  /// Starts one, or stops the one that runs.
  void compareOrStop();
  /// By the suffix .png, .pdf or .svg the figure, .csv or .json the table.
  void saveAs(const QString& file);

 protected:
  void refresh() override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void buildMethods();
  void buildTimes();
  void buildResults();
  Result<MethodComparison::Wish> wanted() const;
  QString progressWords() const;
  void showTable();
  void showFigure();
  void makeRoom();
  void askAndSave(const QString& title, const QString& name, const QString& filter);

  Session& session_;
  std::function<render::CameraPath()> camera_;
  std::vector<Row> rows_;
  NumberField *duration_ = nullptr, *from_ = nullptr, *to_ = nullptr;
  Field* moments_ = nullptr;
  QScrollArea* results_ = nullptr;
  QTableWidget* table_ = nullptr;
  QLabel* figure_ = nullptr;
  FlatButton *saveFigure_ = nullptr, *saveTable_ = nullptr;
  QImage picture_;
  std::unique_ptr<MethodComparison> comparison_;
  bool stopping_ = false;
};

}  // namespace slipstick::ui
