// "Export data…": tables, geometry and arrays of the run for other programs.
#pragma once

#include <array>
#include <functional>

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
  /// @param now     what is there when it is asked; requires an open scene
  /// @param choice  to begin with
  DataDialog(std::function<Now()> now, const DataChoice& choice, QWidget* parent);
  ~DataDialog() override { letGo(); }

  DataChoice choice() const;
  Result<StudioServices::DataExport> wanted() const;

  Field& folder() { return *folder_; }
  Field& name() { return *name_; }
  Field& patterns() { return *patterns_; }
  Switch& kind(DataKind kind) { return *kinds_[static_cast<std::size_t>(kind)]; }
  RangeFields& range() { return *range_; }

 protected:
  void refresh() override;

 private:
  void buildPlace();
  void buildKinds();
  void addKind(DataKind kind, const QString& name, const QString& explanation,
               std::vector<QWidget*> more = {});
  void buildTimes();
  void setChoice(const DataChoice& choice);
  QString words(const StudioServices::DataExport& what) const;

  std::function<Now()> now_;
  Field *folder_, *name_, *patterns_;
  std::array<Switch*, kDataKinds> kinds_{};
  std::array<ValueLabel*, kDataKinds> files_{};
  Segments *geometry_ = nullptr, *gltf_ = nullptr;
  RangeFields* range_;
  NumberField* fps_ = nullptr;  ///< built last
};

}  // namespace slipstick::ui
