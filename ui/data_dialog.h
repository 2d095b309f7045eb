// "Export data…": tables, geometry and arrays of the run for other programs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ui/data_choice.h"
#include "ui/export_dialog.h"
#include "ui/look_fields.h"

namespace slipstick::ui {

class DataDialog : public ExportDialog {
  Q_OBJECT

 public:
  struct Now {
    std::shared_ptr<const Model> model;
    RunTimes times;
  };
  /// @param kinds   that can be chosen
  /// @param now     what is there when it is asked; requires an open scene
  /// @param choice  to begin with
  DataDialog(std::vector<ExportKind> kinds, std::function<Now()> now, const DataChoice& choice,
             QWidget* parent);
  ~DataDialog() override { letGo(); }

  DataChoice choice() const;
  Result<DataOutputs> wanted() const;

  Field& folder() { return *folder_; }
  Field& name() { return *name_; }
  Field& patterns() { return *patterns_; }
  Switch& kind(const std::string& name);  ///< one that there is
  RangeFields& range() { return *range_; }

 protected:
  void refresh() override;

 private:
  void buildPlace();
  void buildKinds();
  void addKind(const ExportKind& kind);
  Segments* formsOf(const ExportKind& kind);
  void buildTimes();
  void setChoice(const DataChoice& choice);
  QString words(const DataOutputs& what) const;

  /// A kind of file, and what it is chosen by.
  struct Row {
    ExportKind kind;
    Switch* isWanted = nullptr;
    ValueLabel* file = nullptr;
    Segments* forms = nullptr;  ///< null: it has one only
  };

  std::vector<ExportKind> kinds_;
  std::function<Now()> now_;
  Field *folder_, *name_, *patterns_;
  std::vector<Row> rows_;
  RangeFields* range_;
  NumberField* fps_ = nullptr;  ///< built last
};

}  // namespace slipstick::ui
