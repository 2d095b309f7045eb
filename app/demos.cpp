// slipstick demos: recordings of a task as one file of demonstrations that policies are trained on.
#include <cstdio>

#include "app/demo_pictures.h"
#include "app/output_path.h"
#include "app/progress.h"
#include "app/verbs.h"
#include "assets/export/demo_writer.h"
#include "assets/recording/episode.h"

namespace slipstick::app {
namespace {

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

}  // namespace

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

}  // namespace slipstick::app
