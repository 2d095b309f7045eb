// "Export pictures…": what of the run becomes a video, pictures one by one, or a still.
#pragma once

#include <functional>
#include <map>

#include "ui/export_dialog.h"
#include "ui/picture_choice.h"

namespace slipstick::ui {

class PictureDialog : public ExportDialog {
  Q_OBJECT

 public:
  /// @param scene   the window as it is when it is asked; requires an open scene
  /// @param choice  to begin with
  PictureDialog(std::function<PictureScene()> scene, const PictureChoice& choice, QWidget* parent);
  ~PictureDialog() override { letGo(); }

  PictureChoice choice() const;
  Result<render::PictureRequest> request() const { return requestOf(choice(), scene_()); }

  Segments& kinds() { return *kind_; }
  Field& file() { return *file_; }
  ChoiceList& sizes() { return *size_; }
  NumberField& widthField() { return *width_; }
  NumberField& heightField() { return *height_; }
  NumberField& rate() { return *fps_; }
  NumberField& speed() { return *speed_; }
  RangeFields& range() { return *range_; }
  ToggleFlow& cameras() { return *cameras_; }
  ToggleFlow& overlays() { return *overlays_; }

 protected:
  void refresh() override;

 private:
  void build();
  void buildFile();
  void buildPicture();
  void buildTimes();
  void buildShown();
  void buildTitle();
  void setChoice(const PictureChoice& choice);
  void changeKind();
  void browse();
  PictureKind kind() const { return static_cast<PictureKind>(kind_->index()); }
  QString words(const render::PictureRequest& request) const;

  std::function<PictureScene()> scene_;
  Segments *kind_, *quality_, *ground_;
  Field* file_;
  ChoiceList *size_, *supersample_;
  NumberField *width_, *height_, *fps_, *speed_, *fade_;
  RangeFields* range_;
  ToggleFlow *cameras_, *overlays_;
  std::map<Toggle*, std::string> cameraOf_, overlayOf_;
  Toggle* ghost_ = nullptr;
  Field *title_, *subtitle_;
  QLabel* titleHeading_;
  std::vector<QHBoxLayout*> movingRows_;  ///< that a still has no use for
};

}  // namespace slipstick::ui
