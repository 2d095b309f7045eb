#include "app/figure_options.h"

#include "app/number_option.h"
#include "app/word_option.h"

namespace slipstick::app {

namespace {

void addMoments(CLI::App& verb, FigureOptions& options) {
  auto* at = addNumbers(verb, "--at", options.at, kTimes, "the moments of the pictures [s]: 0,0.5,1");
  addNumber(verb, "--strip", options.strip, {1, 26}, "in place of --at: so many, evenly in the time shown")
      ->excludes(at);
  addNumber(verb, "--from", options.from, kTimes, "start of the time shown [s]; unset: of the run");
  addNumber(verb, "--to", options.to, kTimes, "its end [s]; unset: of the run");
  verb.add_flag("--ghosts", options.ghosts, "one picture of the last moment; the others are seen through");
}

void addContents(CLI::App& verb, FigureOptions& options) {
  verb.add_option("--plot", options.plots,
                  "a plot below the pictures, of observables as export --observables chooses them: "
                  "'roller.contact.f?'; with its axis' name: 'Contact force=|roller.contact.f|'; may be "
                  "repeated")
      ->allow_extra_args(false);
  verb.add_flag("--labels", options.letters, "(a), (b) … at pictures, plots and the lines of their times");
  verb.add_flag("--times,!--no-times", options.times, "times below the pictures")->default_str("on");
}

void addPage(CLI::App& verb, FigureOptions& options) {
  addNumber(verb, "--width", options.width, {{20, 1000}, "mm"},
            "of the figure [mm]: 170 for two columns of text, 85 for one");
  addNumber(verb, "--dpi", options.dpi, {{36, 1200}, "dots per inch"}, "of pictures, and of a PNG");
  takesWords(verb.add_option("--font", options.font,
                             "Latin Modern where it is installed (fonts-lmodern), else what is near it"),
             {"serif", "sans"})
      ->check(CLI::IsMember({"serif", "sans"}).description(""))
      ->capture_default_str();
  addNumber(verb, "--aspect", options.aspect, {{0.2, 5}, ""}, "width over height of a picture");
  addNumber(verb, "--columns", options.columns, {0, 26}, "pictures in a row; 0: all");
  addNumber(verb, "--plot-height", options.plotHeight, {{5, 500}, "mm"}, "of one plot [mm]");
}

}  // namespace

void addFigureOptions(CLI::App& verb, FigureOptions& options) {
  verb.add_option("--out", options.out,
                  "FIG.pdf or FIG.svg: plots of lines, text that stays text; or FIG.png")
      ->required()
      ->type_name(kFile);
  addMoments(verb, options);
  addContents(verb, options);
  addPage(verb, options);
  addPictureView(verb, options.view);
}

}  // namespace slipstick::app
