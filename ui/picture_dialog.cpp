#include "ui/picture_dialog.h"

#include <QFileDialog>
#include <QFileInfo>
#include <cmath>

#include "render/view_actions.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {

PictureDialog::PictureDialog(std::function<PictureScene()> scene, const PictureChoice& choice,
                             QWidget* parent)
    : ExportDialog(tr("Export pictures"), tr("Export"), parent), scene_(std::move(scene)) {
  build();
  setChoice(choice);
  file_->setFocus();
  resize(620, sizeHint().height());
}

void PictureDialog::build() {
  buildFile();
  buildPicture();
  buildTimes();
  buildShown();
  buildTitle();
  addFooter();
}

void PictureDialog::buildFile() {
  kind_ = new Segments(tr("Format"), pictureKindWords());
  addRow(tr("Format"), {kind_},
         tr("MP4 plays everywhere, WebM and GIF are for web pages; PNGs one by one, or one alone, keep every "
            "pixel"));
  connect(kind_, &Segments::chosen, this, &PictureDialog::changeKind);
  file_ = textField(tr("File"), tr("where to"));
  auto* browse = new FlatButton("folder", tr("Browse…"));
  connect(browse, &FlatButton::clicked, this, &PictureDialog::browse);
  addRow(tr("File"), {file_, browse}, tr("The file, or the folder of a PNG sequence"));
}

void PictureDialog::buildPicture() {
  addHeading(tr("Picture"));
  size_ = new ChoiceList(tr("Size"), {tr("720p"), tr("1080p"), tr("4K"), tr("As the window"), tr("Other")});
  const auto becomesFree = [this] { size_->setCurrentIndex(static_cast<int>(PictureSize::Free)); };
  width_ = numberField(tr("Width"), 1920, becomesFree);
  height_ = numberField(tr("Height"), 1080, becomesFree);
  connect(size_, &QComboBox::activated, this, [this] { refresh(); });
  addRow(tr("Size"), {size_, width_, unit(QString::fromUtf8("×")), height_, unit(tr("px"))},
         tr("Of one picture; several cameras share it side by side"));
  quality_ = new Segments(tr("Quality"), {tr("Draft"), tr("Good"), tr("Best")});
  connect(quality_, &Segments::chosen, this, [this] { refresh(); });
  supersample_ = new ChoiceList(tr("Supersampling"), {tr("1 × 1"), tr("2 × 2"), tr("3 × 3"), tr("4 × 4")});
  supersample_->setToolTip(tr("Drawn so many times as wide and as high and averaged: finer edges, slower"));
  addRow(tr("Quality"), {quality_, new ThemedLabel(tr("supersampling"), secondaryColor), supersample_},
         tr("Of the file: the better, the larger and the slower to write"));
  ground_ =
      new Segments(tr("Background"), {tr("As shown"), tr("Dark"), tr("Light"), tr("White"), tr("None")});
  ground_->button(4).setToolTip(tr("Transparent: PNGs only"));
  connect(ground_, &Segments::chosen, this, [this] { refresh(); });
  addRow(tr("Background"), {ground_}, tr("White is for papers; none is transparent, for PNGs only"));
}

void PictureDialog::buildTimes() {
  addHeading(tr("Time"));
  range_ = new RangeFields;
  connect(range_, &RangeFields::changed, this, [this] { refresh(); });
  addRow(tr("Range"), {range_}, tr("Simulated time of the first picture and of the last"));
  fps_ = numberField(tr("Frames per second"), 30);
  speed_ = numberField(tr("Speed"), 1);
  speed_->setToolTip(tr("Simulated seconds per second of the video: 0.25 is slow motion"));
  movingRows_.push_back(addRow(tr("Rate"),
                               {fps_, unit(tr("frames/s")), new ThemedLabel(tr("speed"), secondaryColor),
                                speed_, unit(QString::fromUtf8("×"))},
                               tr("Pictures per second of the video")));
}

void PictureDialog::buildShown() {
  addHeading(tr("What is shown"));
  cameras_ = new ToggleFlow;
  const PictureScene scene = scene_();
  const auto addCamera = [this](const QString& text, const std::string& name) {
    Toggle* toggle = cameras_->add(text);
    toggle->setAccessibleName(tr("Camera: %1").arg(text));
    cameraOf_[toggle] = name;
  };
  addCamera(tr("View in the window"), "");
  for (const CameraSpec& spec : scene.model->cameras) addCamera(QString::fromStdString(spec.name), spec.name);
  connect(cameras_, &ToggleFlow::toggled, this, [this] { refresh(); });
  addRow(tr("Cameras"), {cameras_}, tr("Several stand side by side"));
  overlays_ = new ToggleFlow;
  for (const render::ViewAction* action : overlayActions()) {
    if (action->concerns && !action->concerns(*scene.model)) continue;
    overlayOf_[overlays_->add(toQString(action->brief.empty() ? action->title : action->brief))] =
        action->name;
    overlays_->toggles().back()->setToolTip(toQString(action->title));
  }
  if (scene.ghost) {
    ghost_ = overlays_->add(tr("Ghost of %1 s").arg(number(*scene.ghost, 3)));
    ghost_->setToolTip(tr("Seen through all along; not later than the first picture"));
  }
  connect(overlays_, &ToggleFlow::toggled, this, [this] { refresh(); });
  addRow(tr("Overlays"), {overlays_}, tr("At first as in the window"));
}

void PictureDialog::buildTitle() {
  titleHeading_ = addHeading(tr("Beginning and end"));
  title_ = textField(tr("Title"), tr("none"));
  subtitle_ = textField(tr("Subtitle"), tr("no line below it"));
  fade_ = numberField(tr("Fade"), 0);
  fade_->setToolTip(
      tr("The video comes out of the window's colour and goes into it, each in so many seconds"));
  movingRows_.push_back(
      addRow(tr("Title"), {title_, subtitle_}, tr("Over the first two seconds of the video")));
  movingRows_.push_back(addRow(tr("Fade"), {fade_, unit(tr("s, in and out"))}, fade_->toolTip()));
}

void PictureDialog::setChoice(const PictureChoice& choice) {
  kind_->setIndex(static_cast<int>(choice.kind));
  file_->setText(choice.file);
  size_->setCurrentIndex(static_cast<int>(choice.size));
  width_->setValue(choice.width);
  height_->setValue(choice.height);
  fps_->setValue(choice.fps);
  speed_->setValue(choice.speed);
  quality_->setIndex(static_cast<int>(choice.quality));
  supersample_->setCurrentIndex(std::clamp(choice.supersample, 1, supersample_->count()) - 1);
  ground_->setIndex(static_cast<int>(choice.ground));
  range_->setChoice(choice.range);
  for (const auto& [toggle, name] : cameraOf_) toggle->setChecked(choice.cameras.contains(name));
  for (const auto& [toggle, name] : overlayOf_) toggle->setChecked(choice.shown.contains(name));
  if (ghost_) ghost_->setChecked(choice.ghost);
  title_->setText(choice.title);
  subtitle_->setText(choice.subtitle);
  fade_->setValue(choice.fade);
  changeKind();
}

PictureChoice PictureDialog::choice() const {
  PictureChoice choice;
  choice.kind = kind();
  choice.file = file_->text().trimmed();
  choice.size = static_cast<PictureSize>(size_->currentIndex());
  choice.width = static_cast<int>(std::lround(width_->value()));
  choice.height = static_cast<int>(std::lround(height_->value()));
  choice.fps = fps_->value();
  choice.speed = speed_->value();
  choice.quality = static_cast<render::OutputQuality>(quality_->index());
  choice.supersample = supersample_->currentIndex() + 1;
  choice.ground = static_cast<PictureGround>(ground_->index());
  choice.range = range_->choice();
  choice.cameras.clear();
  for (const auto& [toggle, name] : cameraOf_)
    if (toggle->isChecked()) choice.cameras.insert(name);
  for (const auto& [toggle, name] : overlayOf_)
    if (toggle->isChecked()) choice.shown.insert(name);
  choice.ghost = ghost_ && ghost_->isChecked();
  choice.title = title_->text();
  choice.subtitle = subtitle_->text();
  choice.fade = fade_->value();
  return choice;
}

/// The file gets the name of its kind; a still is of one moment, a video of more.
void PictureDialog::changeKind() {
  if (!file_->text().trimmed().isEmpty()) file_->setText(fileFor(kind(), file_->text().trimmed()));
  for (QHBoxLayout* row : movingRows_) setRowShown(row, moves(kind()));
  titleHeading_->setVisible(moves(kind()));
  RangeChoice range = range_->choice();
  const bool isMoment = range.kind == RangeKind::Moment;
  if (moves(kind()) == isMoment) range.kind = isMoment ? RangeKind::Whole : RangeKind::Moment;
  range_->setChoice(range);
  const bool keepsOpacity = !plays(kind());
  ground_->button(static_cast<int>(PictureGround::None)).setEnabled(keepsOpacity);
  if (!keepsOpacity && ground_->index() == static_cast<int>(PictureGround::None))
    ground_->setIndex(static_cast<int>(PictureGround::AsShown));
  refresh();
}

void PictureDialog::browse() {
  const QString here = file_->text().trimmed();
  const QString filter = tr("%1 (*%2)").arg(pictureKindWords()[kind_->index()], suffixOf(kind()));
  const QString file = kind() == PictureKind::Frames
                           ? QFileDialog::getExistingDirectory(this, tr("Folder of the pictures"), here)
                           : QFileDialog::getSaveFileName(this, tr("Export pictures"), here, filter, nullptr,
                                                          QFileDialog::DontConfirmOverwrite);
  if (!file.isEmpty()) file_->setText(fileFor(kind(), file));
}

/// "181 pictures of 1920 × 1080 px, 6.03 s of video"
QString PictureDialog::words(const render::PictureRequest& request) const {
  const QString size = QString::fromUtf8("%1 × %2 px").arg(request.width).arg(request.height);
  QString text = tr("one picture of %1, at %2 s").arg(size, number(request.to, 3));
  if (moves(kind())) {
    const Result<render::OutputFormat> format = render::checkRequest(request);
    const std::size_t count = momentsOf(request, *format).size();
    text = tr("%1 pictures of %2").arg(grouped(count), size);
    if (plays(kind()))
      text += tr(", %1 s of video").arg(significant(static_cast<double>(count) / request.fps));
  }
  const QFileInfo info(QString::fromStdString(request.out.string()));
  if (!info.exists()) return text;
  return text + (kind() == PictureKind::Frames ? tr(". The folder is there: pictures in it are replaced")
                                               : tr(". The file that is there is replaced"));
}

void PictureDialog::refresh() {
  const PictureScene scene = scene_();
  range_->refresh(scene.times);
  const PictureChoice now = choice();
  if (now.size != PictureSize::Free) {
    const QSize size = sizeOf(now, scene.window);
    width_->setValue(size.width());
    height_->setValue(size.height());
  }
  const Result<render::PictureRequest> request = requestOf(choice(), scene);
  request ? say(words(*request)) : sayError(request.error());
}

}  // namespace slipstick::ui
