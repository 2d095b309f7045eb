#include "ui/picture_choice.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/foundation/number_text.h"
#include "render/view_actions.h"

namespace slipstick::ui {
namespace {

using render::OutputQuality;
using render::PictureRequest;
using render::ViewOptions;

constexpr std::array<const char*, 5> kKindWords = {"MP4", "WebM", "GIF", "PNG sequence", "Still"};
constexpr std::array<const char*, 5> kSuffixes = {".mp4", ".webm", ".gif", "", ".png"};
constexpr std::array kOverlays = {"forces", "split", "moments", "labels", "cones",
                                  "joints", "com",   "frames",  "time",   "legend",
                                  "card",   "bar",   "inset",   "ground", "shadows"};
constexpr std::array kCards = {"time", "legend", "card", "bar", "inset"};
constexpr int kSmallest = 16, kLargest = 16384;  // as --size

struct Limits {
  double least, most;
  const char* what;
};
constexpr Limits kRates{0.01, 1000, "frames per second"}, kSpeeds{0.001, 1000, "speed"},
    kFades{0, 60, "fade"};

Error refused(std::string what, std::string where, std::string remedy) {
  return {ErrorCode::InvalidValue, std::move(what), std::move(where), std::move(remedy)};
}

Result<void> checkNumber(double value, const Limits& limits) {
  if (value >= limits.least && value <= limits.most) return {};
  return refused(
      "it cannot be " + slipstick::significant(value), limits.what,
      "choose from " + slipstick::significant(limits.least) + " to " + slipstick::significant(limits.most));
}

Result<void> checkFile(const PictureChoice& choice) {
  const QFileInfo info(choice.file);
  if (choice.file.trimmed().isEmpty()) return refused("there is no name", "file", "name one");
  const bool makesFolder = choice.kind == PictureKind::Frames;
  if (!info.absoluteDir().exists())
    return Error{ErrorCode::FileUnwritable, "its folder does not exist", choice.file.toStdString(),
                 "choose a folder that exists"};
  if (!makesFolder && info.isDir())
    return Error{ErrorCode::FileUnwritable, "it is a folder", choice.file.toStdString(), "name a file in it"};
  if (makesFolder && info.exists() && !info.isDir())
    return Error{ErrorCode::FileUnwritable, "it is a file", choice.file.toStdString(), "name a folder"};
  const QFileInfo written(info.exists() ? info.absoluteFilePath() : info.absolutePath());
  if (!written.isWritable())
    return Error{ErrorCode::FileUnwritable, "it may not be written", choice.file.toStdString(),
                 "choose a place that you may write to"};
  return {};
}

ViewOptions viewOf(const PictureChoice& choice, ViewOptions view) {
  for (const render::ViewAction* action : overlayActions())
    action->set(view, choice.shown.contains(std::string(action->name)));
  view.hud = std::any_of(kCards.begin(), kCards.end(),
                         [&](const char* card) { return choice.shown.contains(card); });
  view.ghostCaption = choice.ghost;
  if (choice.ground == PictureGround::AsShown) return view;
  view.whiteBackground = choice.ground == PictureGround::White;
  view.light = choice.ground == PictureGround::Light;
  view.transparentBackground = choice.ground == PictureGround::None;
  return view;
}

/// From left to right: the window's, then the scene's in their order.
std::vector<render::CameraPath> camerasOf(const PictureChoice& choice, const PictureScene& scene) {
  std::vector<render::CameraPath> cameras;
  if (choice.cameras.contains("")) cameras.push_back(scene.camera);
  for (const CameraSpec& spec : scene.model->cameras)
    if (choice.cameras.contains(spec.name)) cameras.emplace_back(spec);
  return cameras;
}

template <class Enum>
void take(const QJsonObject& json, const char* key, Enum last, Enum& value) {
  const int index = json[key].toInt(-1);
  if (index >= 0 && index <= static_cast<int>(last)) value = static_cast<Enum>(index);
}

void take(const QJsonObject& json, const char* key, const Limits& limits, double& value) {
  const double kept = json[key].toDouble(std::nan(""));
  if (kept >= limits.least && kept <= limits.most) value = kept;
}

void take(const QJsonObject& json, const char* key, int least, int most, int& value) {
  const int kept = json[key].toInt(least - 1);
  if (kept >= least && kept <= most) value = kept;
}

}  // namespace

std::vector<const render::ViewAction*> overlayActions() {
  std::vector<const render::ViewAction*> actions;
  for (const char* name : kOverlays) actions.push_back(render::findViewAction(name));
  return actions;
}

std::set<std::string> shownIn(const ViewOptions& view) {
  std::set<std::string> shown;
  for (const render::ViewAction* action : overlayActions()) {
    const bool isCard = std::find(kCards.begin(), kCards.end(), action->name) != kCards.end();
    if (action->state(view) != 0 && (view.hud || !isCard)) shown.insert(std::string(action->name));
  }
  return shown;
}

QStringList pictureKindWords() {
  QStringList words;
  for (const char* word : kKindWords) words << QCoreApplication::translate("PictureDialog", word);
  return words;
}

QString suffixOf(PictureKind kind) {
  return kSuffixes[static_cast<std::size_t>(kind)];
}

QString fileFor(PictureKind kind, const QString& file) {
  for (const char* suffix : kSuffixes)
    if (*suffix && file.endsWith(suffix, Qt::CaseInsensitive))
      return file.chopped(static_cast<qsizetype>(std::char_traits<char>::length(suffix))) + suffixOf(kind);
  return file + suffixOf(kind);
}

QSize sizeOf(const PictureChoice& choice, QSize window) {
  switch (choice.size) {
    case PictureSize::Hd720:
      return {1280, 720};
    case PictureSize::Hd1080:
      return {1920, 1080};
    case PictureSize::Uhd:
      return {3840, 2160};
    case PictureSize::Window:
      return window;
    case PictureSize::Free:
      break;
  }
  return {choice.width, choice.height};
}

Result<PictureRequest> requestOf(const PictureChoice& choice, const PictureScene& scene) {
  const QSize size = sizeOf(choice, scene.window);
  for (const int side : {size.width(), size.height()})
    if (side < kSmallest || side > kLargest)
      return refused("a picture cannot be " + std::to_string(side) + " px wide or high", "size",
                     "choose from 16 to 16384 px");
  const Result<TimeRange> range = rangeOf(choice.range, scene.times);
  if (!range) return range.error();
  if (const Result<void> file = checkFile(choice); !file) return file.error();
  PictureRequest request;
  request.out = fileFor(choice.kind, choice.file).toStdString();
  if (choice.kind == PictureKind::Frames) request.out += "/";  // whatever suffix the folder has
  request.width = size.width();
  request.height = size.height();
  request.supersample = choice.supersample;
  request.quality = choice.quality;
  request.from = range->from;
  request.to = range->to;
  if (moves(choice.kind)) {
    if (const Result<void> rate = checkNumber(choice.fps, kRates); !rate) return rate.error();
    if (const Result<void> speed = checkNumber(choice.speed, kSpeeds); !speed) return speed.error();
    if (const Result<void> fade = checkNumber(choice.fade, kFades); !fade) return fade.error();
    request.fps = choice.fps;
    request.speed = choice.speed;
    request.title = choice.title.trimmed().toStdString();
    request.subtitle = choice.subtitle.trimmed().toStdString();
    request.fade = choice.fade;
  }
  request.cameras = camerasOf(choice, scene);
  if (request.cameras.empty()) return refused("no camera is chosen", "cameras", "choose at least one");
  request.view = viewOf(choice, scene.view);
  request.selection = scene.selection;
  request.looks = scene.looks;
  if (choice.ghost && scene.ghost) request.ghosts = {*scene.ghost};
  if (const Result<render::OutputFormat> checked = render::checkRequest(request); !checked)
    return checked.error();
  return request;
}

QJsonObject jsonOf(const PictureChoice& choice) {
  return {{"kind", static_cast<int>(choice.kind)},
          {"folder", QFileInfo(choice.file).absolutePath()},
          {"size", static_cast<int>(choice.size)},
          {"width", choice.width},
          {"height", choice.height},
          {"fps", choice.fps},
          {"speed", choice.speed},
          {"quality", static_cast<int>(choice.quality)},
          {"supersample", choice.supersample},
          {"ground", static_cast<int>(choice.ground)},
          {"fade", choice.fade}};
}

PictureChoice choiceOf(const QJsonObject& json, PictureChoice choice) {
  take(json, "kind", PictureKind::Still, choice.kind);
  take(json, "size", PictureSize::Free, choice.size);
  take(json, "width", kSmallest, kLargest, choice.width);
  take(json, "height", kSmallest, kLargest, choice.height);
  take(json, "fps", kRates, choice.fps);
  take(json, "speed", kSpeeds, choice.speed);
  take(json, "quality", OutputQuality::Best, choice.quality);
  take(json, "supersample", 1, 8, choice.supersample);
  take(json, "ground", PictureGround::None, choice.ground);
  take(json, "fade", kFades, choice.fade);
  const QString folder = json["folder"].toString();
  if (!folder.isEmpty() && QDir(folder).exists())
    choice.file = QDir(folder).filePath(QFileInfo(choice.file).fileName());
  return choice;
}

}  // namespace slipstick::ui
