// slipstick demos: recordings of a task as one file of demonstrations that policies are trained on.
#include <cstdio>
#include <memory>

#include "app/demo_pictures.h"
#include "app/exit_status.h"
#include "app/output_path.h"
#include "app/progress.h"
#include "app/render_options.h"
#include "app/stepping.h"
#include "app/verb.h"
#include "app/word_option.h"
#include "assets/export/demo_writer.h"
#include "assets/recording/episode.h"

namespace slipstick::app {
namespace {

struct DemosOptions {
  std::vector<std::string> sources;       ///< recordings, and folders of them
  std::string out;                        ///< OUT.hdf5
  std::optional<double> rate;             ///< samples per simulated second; unset: every step
  double train = 0.9;                     ///< part of the demonstrations that are for training
  std::vector<std::string> observations;  ///< patterns; empty: all
  std::string cameras;                    ///< of the scene with commas between, or "all"; empty: no pictures
  std::vector<std::string> passes = {"color"};  ///< see render::picturePassNamed()
  int width = 84, height = 84;                  ///< of the pictures [px]
  bool tactile = false;                         ///< with images of what the pads of grippers feel
  bool quiet = false;
};

namespace fs = std::filesystem;

/// Files as they were named, and those of folders.
Result<std::vector<fs::path>> filesOf(const std::vector<std::string>& sources) {
  std::vector<fs::path> files;
  for (const std::string& source : sources) {
    std::error_code ignored;
    if (!fs::is_directory(source, ignored)) {
      files.emplace_back(source);
      continue;
    }
    const Result<std::vector<assets::Episode>> episodes = assets::episodesIn(source);
    if (!episodes) return episodes.error();
    for (const assets::Episode& episode : *episodes) files.push_back(episode.file);
  }
  return files;
}

int demos(const DemosOptions& options) {
  const Result<std::vector<render::PicturePass>> passes = demoPassesNamed(options.passes);
  if (!passes) return fail(passes.error());
  if (const Result<void> writable = checkWritableFile(options.out); !writable) return fail(writable.error());
  const Result<std::vector<fs::path>> files = filesOf(options.sources);
  if (!files) return fail(files.error());
  const InterruptWatch interrupt;
  assets::DemoOptions demo;
  demo.program = "slipstick " SLIPSTICK_VERSION;
  demo.rate = options.rate;
  demo.train = options.train;
  demo.observations = options.observations;
  demo.tactile = options.tactile;
  demo.methods = stepping().table();
  RenderedDemoPictures pictures({options.cameras, *passes, options.width, options.height});
  if (!options.cameras.empty()) demo.pictures = &pictures;
  Progress progress(1, options.quiet);
  demo.goesOn = [&progress](double done) {
    progress.update(done);
    return !InterruptWatch::requested();
  };
  const Result<assets::DemoReport> report = assets::exportDemos(*files, options.out, demo);
  if (!report) return fail(report.error());
  for (const std::string& notice : report->notices) std::fprintf(stderr, "slipstick: %s\n", notice.c_str());
  if (!options.quiet)
    std::printf("%s: %zu demonstrations, %zu of them successes, %zu samples\n", options.out.c_str(),
                report->demos, report->successes, report->samples);
  return kSuccess;
}

void addPictures(CLI::App& verb, DemosOptions& options, std::optional<Size>& size) {
  auto* cameras = verb.add_option("--cameras", options.cameras,
                                  "with pictures from A,B or all cameras of the scene at each sample");
  takesWords(verb.add_option("--passes", options.passes, "of each; unset: color"), passWords())
      ->delimiter(',')
      ->allow_extra_args(false)
      ->needs(cameras);
  addSize(verb, "--size", size, "WIDTHxHEIGHT of the pictures [px], 84x84")->needs(cameras);
}

VerbAction offer(CLI::App& verb) {
  const auto options = std::make_shared<DemosOptions>();
  const auto size = std::make_shared<std::optional<Size>>();
  verb.add_option("recordings", options->sources, "recordings (.h5), and folders of them")
      ->required()
      ->type_name(kRecording);
  verb.add_option("--out", options->out, "OUT.hdf5")->required()->type_name(kFile);
  addNumber(verb, "--rate", options->rate, kRates,
            "samples per simulated second; unset: every step, so that the actions replay exactly");
  addNumber(verb, "--train", options->train, {{0, 1, false}, ""},
            "part of the demonstrations that 'mask/train' names");
  verb.add_option("--observations", options->observations,
                  "which, as 'joint_*,contact_force/*'; unset: all that have no pictures")
      ->delimiter(',')
      ->allow_extra_args(false);
  addPictures(verb, *options, *size);
  verb.add_flag("--tactile", options->tactile, "with images of the forces on the pads of grippers");
  verb.add_flag("--quiet", options->quiet, "errors only");
  return [options, size] {
    if (*size) options->width = (*size)->width, options->height = (*size)->height;
    return demos(*options);
  };
}

}  // namespace

Verb demosVerb() {
  return {"demos", "Write recordings of a task as demonstrations (robomimic HDF5) to train policies on",
          offer};
}

}  // namespace slipstick::app
