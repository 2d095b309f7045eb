// slipstick render: pictures and videos without a window, in simulated time.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>

#include "app/exit_status.h"
#include "app/output_path.h"
#include "app/picture_view.h"
#include "app/progress.h"
#include "app/render_options.h"
#include "app/verb.h"
#include "app/walk_of.h"
#include "assets/export/output_file.h"
#include "engine/foundation/number_text.h"
#include "render/jobs/picture_job.h"

namespace slipstick::app {

namespace fs = std::filesystem;

namespace {

using render::PictureRequest;

/// All but what the model says.
Result<PictureRequest> requestFrom(const RenderOptions& options) {
  PictureRequest request;
  request.out = options.out;
  request.width = options.width;
  request.height = options.height;
  request.supersample = options.supersample;
  request.fps = options.fps;
  request.speed = options.speed;
  request.arrangement = !options.strip.empty()    ? render::Arrangement::Strip
                        : !options.stills.empty() ? render::Arrangement::Sheet
                                                  : render::Arrangement::OneByOne;
  request.moments = options.strip.empty() ? options.stills : options.strip;
  request.ghosts = options.ghosts;
  request.title = options.title;
  request.subtitle = options.subtitle;
  request.fade = options.fade;
  const Result<render::OutputQuality> quality = render::outputQualityNamed(options.quality);
  if (!quality)
    return Error{quality.error().code, quality.error().what, "--quality " + options.quality,
                 quality.error().remedy};
  request.quality = *quality;
  const Result<render::PicturePass> pass = render::picturePassNamed(options.pass);
  if (!pass)
    return Error{pass.error().code, pass.error().what, "--pass " + options.pass, pass.error().remedy};
  request.pass = *pass;
  request.view.light = options.light;
  request.view.transparentBackground = options.transparent;
  if (const Result<void> applied = applyView(options.view, request.view); !applied) return applied.error();
  return request;
}

Result<void> checkWritable(const RenderOptions& options) {
  const Result<OutputKind> kind = outputKindOf(options.out);
  if (!kind) return kind.error();
  return *kind == OutputKind::Folder ? makeWritableFolder(options.out) : checkWritableFile(options.out);
}

/// What the model says of it.
Result<void> complete(PictureRequest& request, const RenderOptions& options, const RunWalk& walk) {
  request.from = options.from.value_or(walk.timeOf(walk.firstStep()));
  request.to = options.to.value_or(walk.timeOf(walk.lastStep()));
  if (const Result<void> aimed = aim(request, options.view, *walk.model()); !aimed) return aimed;
  if (const Result<render::OutputFormat> checked = render::checkRequest(request); !checked)
    return checked.error();
  if (request.moments.empty()) return checkTimes(walk, "--to", request.from, request.to);
  const auto [first, last] = std::minmax_element(request.moments.begin(), request.moments.end());
  return checkTimes(walk, options.strip.empty() ? "--stills" : "--strip", *first, *last);
}

/// Beside a PNG, or in a folder of PNGs.
fs::path legendOf(const PictureRequest& request) {
  const fs::path& out = request.out;
  const bool isFile = render::outputFormatOf(out.string()).value() == render::OutputFormat::Png;
  return isFile ? fs::path(out).replace_extension(".json") : out / "segmentation.json";
}

/// What the ids of a segmentation are.
Result<void> writeLegend(const Model& model, const fs::path& file) {
  nlohmann::ordered_json segments = nlohmann::ordered_json::array();
  for (const render::Segment& segment : render::segmentsOf(model)) {
    char color[8];
    std::snprintf(color, sizeof color, "#%06x", segment.color);
    segments.push_back(
        {{"id", segments.size()}, {"kind", segment.kind}, {"name", segment.name}, {"color", color}});
  }
  return assets::writeWhole(file, nlohmann::ordered_json{{"segments", segments}}.dump(1) + '\n');
}

/// What the numbers in its pixels mean.
std::string meaningOf(const PictureRequest& request) {
  switch (request.pass) {
    case render::PicturePass::Depth:
      return "; a pixel's 1 is 1 mm along the view, 0 nothing; .npy beside it in m";
    case render::PicturePass::Normals:
      return "; normals in the camera's frame (x right, y up, z towards it) as 127.5 (1 + n)";
    case render::PicturePass::Segmentation:
      return "; " + legendOf(request).string() + " says what the ids are";
    case render::PicturePass::Color:
      break;
  }
  return {};
}

/// "120 pictures in 31.2 s, 3.8/s: simulating 12.0 s, …".
void saySummary(const RenderOptions& options, const PictureRequest& request,
                const render::PictureReport& report) {
  if (!report.notice.empty())
    std::fprintf(stderr, "slipstick: %s: %s\n", options.out.c_str(), report.notice.c_str());
  const render::PictureTimes& t = report.times;
  const auto s = [](double seconds) { return fixed(seconds, seconds < 10 ? 2 : 1) + " s"; };
  std::fprintf(stderr,
               "slipstick: %s: %zu %s in %s, %s/s: simulating %s, frames %s, drawing %s, reading back %s, "
               "waiting to encode %s (encoding %s)%s\n",
               options.out.c_str(), report.done, report.done == 1 ? "picture" : "pictures",
               s(report.wall).c_str(), fixed(report.perSecond(), 1).c_str(), s(t.walk).c_str(),
               s(t.build).c_str(), s(t.draw).c_str(), s(t.read).c_str(), s(t.wait).c_str(),
               s(t.encode).c_str(), meaningOf(request).c_str());
}

/// @return the exit status
int sayStopped(const std::string& name, const RenderOptions& options, const render::PictureReport& report) {
  InterruptWatch::say(name + ": stopped early at " + fixed(report.reached, 3) + " s",
                      report.total == 1 ? options.out + " shows that moment"
                                        : options.out + " has " + std::to_string(report.done) + " of " +
                                              std::to_string(report.total) + " pictures");
  return InterruptWatch::status();
}

int render(const RenderOptions& options) {
  Result<PictureRequest> request = requestFrom(options);
  if (!request) return fail(request.error());
  if (const Result<void> writable = checkWritable(options); !writable) return fail(writable.error());
  const InterruptWatch interrupt;
  std::stop_source stop;
  std::optional<Progress> progress;
  const Result<std::unique_ptr<RunWalk>> created =
      walkOf(options.scene, Detail::Particles, [&](const Snapshot& snapshot) {
        if (progress) progress->update(snapshot.time);
        if (InterruptWatch::requested()) stop.request_stop();
        return !stop.stop_requested();
      });
  if (!created) return fail(created.error());
  RunWalk& walk = **created;
  if (const Result<void> completed = complete(*request, options, walk); !completed)
    return fail(completed.error());
  const std::vector<double>& moments = request->moments;
  progress.emplace(moments.empty() ? request->to : *std::max_element(moments.begin(), moments.end()),
                   options.scene.quiet);
  const Result<render::PictureReport> report =
      render::makePictures(walk, *request, stop.get_token(), [&](const render::PictureProgress&) {
        if (InterruptWatch::requested()) stop.request_stop();
      });
  progress.reset();
  if (!report) return fail(report.error());
  if (request->pass == render::PicturePass::Segmentation)
    if (const Result<void> written = writeLegend(*walk.model(), legendOf(*request)); !written)
      return fail(written.error());
  if (!report->isWhole) return sayStopped(walk.model()->name, options, *report);
  if (options.scene.quiet) return kSuccess;
  saySummary(options, *request, *report);
  std::printf("%s\n", options.out.c_str());
  return kSuccess;
}

/// Stills are small: many of them stand side by side.
Size usualSize(const RenderOptions& options) {
  const bool small = !options.stills.empty() || !options.strip.empty();
  return small ? Size{420, 280} : Size{1280, 720};
}

VerbAction offer(CLI::App& verb) {
  const auto options = std::make_shared<RenderOptions>();
  const auto size = std::make_shared<std::optional<Size>>();
  addScene(verb, options->scene, true, Takes::ScenesAndRecordings);
  addRenderOptions(verb, *options, *size);
  addSoftLook(verb, options->view.look);
  return [options, size] {
    const Size chosen = size->value_or(usualSize(*options));
    options->width = chosen.width;
    options->height = chosen.height;
    return render(*options);
  };
}

}  // namespace

Verb renderVerb() {
  return {"render", "Draw pictures or a video without a window", offer};
}

}  // namespace slipstick::app
