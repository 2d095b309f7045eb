#include "app/render_options.h"

#include "app/word_option.h"

namespace slipstick::app {

namespace {

constexpr NumberOf kSpeeds{{0.001, 1000}, "simulated seconds per second"};
constexpr NumberOf kFades{{0, 60}, "s"};

/// Which moments there are pictures of.
void addMoments(CLI::App& verb, RenderOptions& options) {
  auto* fps = addNumber(verb, "--fps", options.fps, kRates, "frames per second of the video");
  auto* speed = addNumber(verb, "--speed", options.speed, kSpeeds,
                          "simulated seconds per second of the video: 0.25 is slow motion");
  auto* from = addNumber(verb, "--from", options.from, kTimes, "simulated time of the first frame [s]");
  auto* to = addNumber(verb, "--to", options.to, kTimes, "simulated time of the last frame [s]");
  auto* stills = addNumbers(verb, "--stills", options.stills, kTimes,
                            "these moments [s] side by side in OUT.png: 0,2.5,5");
  auto* strip = addNumbers(verb, "--strip", options.strip, kTimes,
                           "a figure: these moments [s] in one row of OUT.png, each with its time below");
  for (auto* many : {stills, strip})
    for (auto* one : {fps, speed, from, to}) many->excludes(one);
  strip->excludes(stills);
  addNumbers(verb, "--ghosts", options.ghosts, kTimes,
             "these moments [s] are seen through, too; none after the first picture's");
}

void addBackground(CLI::App& verb, RenderOptions& options) {
  verb.add_flag("--light", options.light, "on a light background");
  verb.add_flag("--transparent", options.transparent, "without background and floor; PNGs only");
}

void addTitle(CLI::App& verb, RenderOptions& options) {
  auto* title = verb.add_option("--title", options.title, "over the first two seconds of a video");
  verb.add_option("--subtitle", options.subtitle, "a line below the title")->needs(title);
  addNumber(verb, "--fade", options.fade, kFades, "a video comes out of the window's colour, and goes [s]");
}

}  // namespace

std::vector<std::string> passWords() {
  return {"color", "depth", "normals", "segmentation"};
}

void addRenderOptions(CLI::App& verb, RenderOptions& options, std::optional<Size>& size) {
  verb.add_option("--out", options.out,
                  "OUT.mp4, OUT.webm, OUT.gif, OUT.png (the frame at --to) or a folder of PNGs")
      ->required()
      ->type_name(kFile);
  addSize(verb, "--size", size, "WIDTHxHEIGHT [px], 1280x720, of a still 420x280");
  addNumber(verb, "--supersample", options.supersample, {1, 8},
            "drawn so many times as large and averaged: finer edges");
  takesWords(verb.add_option("--quality", options.quality, "of the file, not of the drawing"),
             {"draft", "good", "best"})
      ->capture_default_str();
  takesWords(verb.add_option("--pass", options.pass,
                             "for learners, as PNGs: depth (16 bits, 1 is 1 mm; .npy beside it in m), "
                             "normals (camera frame, 127.5 (1 + n)) or segmentation (ids; what they are in "
                             ".json beside it)"),
             passWords())
      ->capture_default_str();
  addMoments(verb, options);
  addPictureView(verb, options.view);
  addBackground(verb, options);
  addTitle(verb, options);
}

}  // namespace slipstick::app
