// slipstick render: pictures and videos without a window, in simulated time.
#include "render/offscreen.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/headless_run.h"
#include "app/output_path.h"
#include "app/progress.h"
#include "app/simulated_walk.h"
#include "app/soft_look.h"
#include "app/verbs.h"
#include "engine/foundation/number_text.h"
#include "render/camera.h"
#include "render/contact_sheet.h"
#include "render/frame_builder.h"
#include "render/selection_names.h"
#include "render/view_actions.h"

namespace slipstick::app {

namespace {

using render::Image;
using render::OffscreenRenderer;
using render::VideoWriter;
using render::ViewOptions;

namespace fs = std::filesystem;

/// From the studio's defaults, by the words of --show.
Result<ViewOptions> viewOptionsFrom(const std::vector<std::string>& words) {
  ViewOptions options;
  for (const std::string& word : words)
    if (const Result<void> applied = render::applyViewWord(word, options); !applied) return applied.error();
  return options;
}

Result<render::Camera> cameraOf(const Model& model, const std::string& name) {
  std::string choices;
  for (const CameraSpec& spec : model.cameras) {
    if (name.empty() || spec.name == name) return render::Camera::from(spec);
    choices += (choices.empty() ? "" : ", ") + spec.name;
  }
  if (name.empty()) return render::Camera{};
  return Error{ErrorCode::UnknownName, "there is no such camera", "--camera " + name,
               choices.empty() ? "the scene has no cameras" : "choose from: " + choices};
}

/// Where finished pictures go.
class PictureSink {
 public:
  static Result<std::unique_ptr<PictureSink>> create(const RenderOptions& options) {
    std::unique_ptr<PictureSink> sink(new PictureSink);
    sink->out_ = options.out;
    const Result<OutputKind> kind = outputKindOf(options.out);
    if (!kind) return kind.error();
    sink->kind_ = *kind == OutputKind::Video     ? Kind::Video
                  : *kind == OutputKind::Picture ? Kind::Picture
                                                 : Kind::Folder;
    if (!options.stills.empty()) {
      if (sink->kind_ != Kind::Picture)
        return Error{ErrorCode::InvalidValue, "stills go into one PNG", "--out " + options.out,
                     "name a file that ends in .png"};
      sink->kind_ = Kind::Sheet;
    }
    const Result<void> writable =
        sink->kind_ == Kind::Folder ? makeWritableFolder(sink->out_) : checkWritableFile(sink->out_);
    if (!writable) return writable.error();
    return sink;
  }

  bool onlyLast() const { return kind_ == Kind::Picture; }

  /// Call once the renderer works: a video file that never got a frame would be left behind otherwise.
  Result<void> open(const RenderOptions& options) {
    if (kind_ != Kind::Video) return {};
    Result<std::unique_ptr<VideoWriter>> video =
        VideoWriter::create(out_, options.width, options.height, options.fps);
    if (!video) return video.error();
    video_ = std::move(*video);
    return {};
  }

  Result<void> add(const Image& image) {
    if (kind_ == Kind::Video) return video_->add(image);
    if (kind_ == Kind::Sheet) {
      stills_.push_back(image);
      return {};
    }
    if (kind_ == Kind::Picture) return render::writePng(image, out_);
    char name[32];
    std::snprintf(name, sizeof name, "frame_%06d.png", count_++);
    return render::writePng(image, out_ / name);
  }

  Result<void> finish() {
    constexpr int kColumns = 4, kGap = 3;
    if (video_) return video_->finish();
    if (stills_.empty()) return {};
    return render::writePng(render::contactSheet(stills_, kColumns, kGap, render::palette::kWindow), out_);
  }

 private:
  enum class Kind { Video, Picture, Sheet, Folder };
  PictureSink() = default;
  fs::path out_;
  Kind kind_ = Kind::Picture;
  std::unique_ptr<VideoWriter> video_;
  std::vector<Image> stills_;
  int count_ = 0;
};

/// Draws snapshots with one camera and one set of options.
class Painter {
 public:
  /// @param request  size, and stills: these have only the time of the overlay's cards
  Painter(OffscreenRenderer& renderer, std::shared_ptr<const Model> model, render::Camera camera,
          ViewOptions options, const render::Selection& selection, const RenderOptions& request)
      : renderer_(renderer),
        model_(std::move(model)),
        camera_(camera),
        options_(options),
        selection_(selection),
        width_(request.width),
        height_(request.height),
        onlyTime_(!request.stills.empty()) {}

  /// @param largestForce  of the run so far: the scale of the arrows, whatever pictures are taken [N]
  Image paint(const std::shared_ptr<const Snapshot>& snapshot, double largestForce) {
    render::FrameInput input;
    input.model = model_;
    input.snapshot = snapshot;
    input.options = options_;
    input.camera = camera_;
    input.selection = selection_;
    input.largestForce = largestForce;
    input.viewHeight = height_;
    input.aspect = static_cast<double>(width_) / height_;
    const std::shared_ptr<const render::Frame> frame = frames_.build(std::move(input));
    render::HudInput hud;
    hud.model = model_.get();
    hud.snapshot = snapshot.get();
    hud.frame = frame.get();
    hud.camera = &camera_;
    hud.options = options_;
    hud.selection = selection_;
    hud.onlyTime = onlyTime_;
    return renderer_.render(*frame, camera_, options_, hud);
  }

 private:
  OffscreenRenderer& renderer_;
  std::shared_ptr<const Model> model_;
  render::Camera camera_;
  ViewOptions options_;
  render::Selection selection_;
  int width_, height_;
  bool onlyTime_;
  render::FrameBuilder frames_;
};

/// Of the pictures [s], ascending: from + k / fps, or the last one, or the stills.
Result<std::vector<double>> momentsOf(const RenderOptions& options, bool onlyLast, double to) {
  constexpr double kMost = 1'000'000;  // six digits number the files of a folder
  std::vector<double> moments = options.stills;
  std::sort(moments.begin(), moments.end());
  if (!moments.empty()) return moments;
  if (onlyLast) return std::vector<double>{to};
  const double frames = std::floor((to - options.from) * options.fps + 1e-6) + 1;
  if (frames > kMost)
    return Error{ErrorCode::InvalidValue, "that makes " + fixed(frames, 0) + " pictures, more than 1000000",
                 "--fps " + significant(options.fps), "lower it, or shorten --from to --to"};
  for (int k = 0; k < static_cast<int>(frames); ++k) moments.push_back(options.from + k / options.fps);
  return moments;
}

/// Each picture shows the first step at or after its moment. Stopped before any of them, it is the step that was
/// reached, so that there is a file to look at. @return how many pictures there are
Result<std::size_t> paintAll(RunWalk& run, Painter& painter, PictureSink& sink,
                             const std::vector<double>& moments) {
  std::size_t painted = 0;
  for (const double moment : moments) {
    const Result<std::shared_ptr<const Snapshot>> snapshot = run.goTo(run.stepAt(moment));
    if (!snapshot) return snapshot.error();
    if (InterruptWatch::requested() && painted > 0) break;
    if (const Result<void> added = sink.add(painter.paint(*snapshot, run.largestForce())); !added)
      return added.error();
    ++painted;
  }
  return painted;
}

/// @return the exit status
int sayStopped(const RunWalk& run, double reached, const RenderOptions& options, std::size_t painted,
               std::size_t wanted) {
  InterruptWatch::say(run.model()->name + ": stopped early at " + fixed(reached, 3) + " s",
                      wanted == 1 ? options.out + " shows that moment"
                                  : options.out + " has " + std::to_string(painted) + " of " +
                                        std::to_string(wanted) + " pictures");
  return InterruptWatch::status();
}

}  // namespace

int render(const RenderOptions& options) {
  Result<ViewOptions> view = viewOptionsFrom(options.show);
  if (!view) return fail(view.error());
  if (const Result<void> look = applySoftLook(options.look, *view); !look) return fail(look.error());
  Result<std::unique_ptr<PictureSink>> sink = PictureSink::create(options);
  if (!sink) return fail(sink.error());
  const InterruptWatch interrupt;
  Result<std::unique_ptr<HeadlessRun>> created = HeadlessRun::create(options.scene, Detail::Particles);
  if (!created) return fail(created.error());
  double reached = 0;
  std::optional<Progress> progress;
  SimulatedWalk run(std::move(*created), [&](const Snapshot& snapshot) {
    reached = snapshot.time;
    if (progress) progress->update(reached);
    return !InterruptWatch::requested();
  });
  const double to = options.to.value_or(run.model()->time.duration);
  if (to < options.from) {
    return fail({ErrorCode::InvalidValue, "the last frame lies before the first",
                 "--from " + significant(options.from) + " --to " + significant(to),
                 "write --to after --from"});
  }
  const Result<std::vector<double>> moments = momentsOf(options, (*sink)->onlyLast(), to);
  if (!moments) return fail(moments.error());
  const Result<render::Camera> camera = cameraOf(*run.model(), options.camera);
  if (!camera) return fail(camera.error());
  Result<std::unique_ptr<OffscreenRenderer>> renderer =
      OffscreenRenderer::create(options.width, options.height);
  if (!renderer) return fail(renderer.error());
  (*renderer)->setModel(run.model());
  if (const Result<void> opened = (*sink)->open(options); !opened) return fail(opened.error());

  render::Selection selection;
  if (!options.select.empty()) {
    const Result<render::Selection> named = render::selectionNamed(*run.model(), options.select);
    if (!named) return fail(named.error());
    selection = *named;
  }
  Painter painter(**renderer, run.model(), *camera, *view, selection, options);
  progress.emplace(moments->back(), options.scene.quiet);
  const Result<std::size_t> painted = paintAll(run, painter, **sink, *moments);
  progress.reset();
  // Also after a failure: the video up to there is worth closing.
  const Result<void> finished = (*sink)->finish();
  if (!painted) return fail(painted.error());
  if (!finished) return fail(finished.error());
  const bool isWhole = *painted == moments->size() && reached > moments->back() - 0.5 * run.model()->time.dt;
  if (!isWhole) return sayStopped(run, reached, options, *painted, moments->size());
  if (!options.scene.quiet) std::printf("%s\n", options.out.c_str());
  return kSuccess;
}

}  // namespace slipstick::app
