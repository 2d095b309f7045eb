// What a person chooses about pictures of a run, and the request that it makes.
#pragma once

#include <QJsonObject>
#include <QSize>
#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/facts/looks.h"
#include "render/jobs/picture_request.h"
#include "render/selection.h"
#include "render/view_actions.h"
#include "ui/export_range.h"

namespace slipstick::ui {

enum class PictureKind { Mp4, WebM, Gif, Frames, Still };
enum class PictureSize { Hd720, Hd1080, Uhd, Window, Free };
/// AsShown: that of the window.
enum class PictureGround { AsShown, Dark, Light, White, None };

struct PictureChoice {
  PictureKind kind = PictureKind::Mp4;
  QString file;  ///< of Frames a folder
  PictureSize size = PictureSize::Hd1080;
  int width = 1280, height = 720;  ///< of Free [px]
  double fps = 30;                 ///< pictures per second of the video
  double speed = 1;                ///< simulated seconds per second of the video
  render::OutputQuality quality = render::OutputQuality::Good;
  int supersample = 1;
  PictureGround ground = PictureGround::AsShown;
  RangeChoice range;
  std::set<std::string> cameras = {""};  ///< names; empty: the view in the window
  std::set<std::string> shown;           ///< names of overlayActions() that are on
  bool ghost = false;
  QString title, subtitle;
  double fade = 0;  ///< [s of the video]
  bool operator==(const PictureChoice&) const = default;
};

/// The window as it is when pictures are asked for.
struct PictureScene {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const Looks> looks;
  render::CameraPath camera{render::Camera{}};  ///< of the view in the window
  render::ViewOptions view;                     ///< with its light or dark ground
  render::Selection selection;
  QSize window;  ///< of the viewport [device px]
  RunTimes times;
  std::optional<double> ghost;  ///< of the branch looked at [s]
};

/// What of render/view_actions.h the dialog offers, in its order.
std::vector<const render::ViewAction*> overlayActions();
/// Those that are on in a view.
std::set<std::string> shownIn(const render::ViewOptions& view);

/// "MP4", …
QStringList pictureKindWords();
/// ".mp4"; empty for a folder
QString suffixOf(PictureKind kind);
/// The same name as a file of this kind.
QString fileFor(PictureKind kind, const QString& file);
QSize sizeOf(const PictureChoice& choice, QSize window);
inline bool moves(PictureKind kind) {
  return kind != PictureKind::Still;
}
/// Whether it is one file that plays.
inline bool plays(PictureKind kind) {
  return kind == PictureKind::Mp4 || kind == PictureKind::WebM || kind == PictureKind::Gif;
}

/// Errors: what cannot be, in words for the dialog. What the kind has no use for is left out.
Result<render::PictureRequest> requestOf(const PictureChoice& choice, const PictureScene& scene);

/// What is kept from one time to the next: all but the file's name, the times, the cameras, what is shown, and the title.
QJsonObject jsonOf(const PictureChoice& choice);
/// What is missing or makes no sense stays as in `choice`.
PictureChoice choiceOf(const QJsonObject& json, PictureChoice choice);

}  // namespace slipstick::ui
