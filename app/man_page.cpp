#include "app/man_page.h"

#include <array>
#include <string_view>

#include "app/word_option.h"

namespace slipstick::app {

namespace {

struct Entry {
  std::string_view name, text;
};

constexpr std::string_view kAbout =
    "Slipstick is a desktop studio in which robots touch soft things, live, and a person sees what every "
    "contact does. "
    "Without a verb it opens its window: with the scene, robot, mesh or recording that is named, or with a "
    "gallery of "
    "what ships. The verbs do without a window what the window does.";

constexpr std::string_view kSources =
    "A scene, robot or mesh is named by its file, or, if it ships with the program, by its mere name: "
    "dough_rolling, "
    "arm7; 'slipstick scenes' lists them. Scenes are YAML files; scene_format.md among the program's files "
    "has every "
    "key, its unit and its default.";

constexpr std::array kEnvironment = {
    Entry{"SLIPSTICK_ASSETS", "The folder with scenes, robots and meshes, in place of the one that ships."},
    Entry{"SLIPSTICK_ISA",
          "The newest instructions that soft bodies are stepped with: base, avx2 or avx512. Unset: what "
          "the processor has."},
    Entry{"ROS_PACKAGE_PATH",
          "Folders with colons between them that are searched for package://NAME, after those of "
          "--package-path."},
    Entry{"AMENT_PREFIX_PATH", "Prefixes whose share/NAME are searched next."},
    Entry{"GZ_SIM_RESOURCE_PATH, IGN_GAZEBO_RESOURCE_PATH, GAZEBO_MODEL_PATH",
          "Folders that are searched for model://NAME."},
    Entry{"XDG_DATA_DIRS",
          "Folders with colons between them; slipstick/ in one of them is used where ../share/slipstick "
          "beside the program's folder is missing."},
    Entry{"DISPLAY, WAYLAND_DISPLAY, QT_QPA_PLATFORM",
          "Where the window opens; the verbs need none of them."},
};

constexpr std::array kFiles = {
    Entry{"../share/slipstick",
          "Beside the program's folder: scenes, robots, meshes and the descriptions of formats."},
    Entry{"~/.config/slipstick",
          "What the window remembers: its layout, devices, and the files that it has opened."},
    Entry{"~/.cache/slipstick", "Pictures of those files for the start page."},
    Entry{"~/Documents/Slipstick", "Recordings and tries, unless another place is chosen."},
};

constexpr std::array kExamples = {
    Entry{"slipstick dough_rolling", "Opens the window with two arms that roll dough."},
    Entry{"slipstick run dough_rolling --duration 2 --csv out.csv",
          "Simulates two seconds and writes every observable."},
    Entry{"slipstick render dough_rolling --to 4 --out dough.mp4",
          "Makes a video, on machines without a display, too."},
    Entry{"slipstick check arm.urdf", "Says what is in a robot, and what was repaired or guessed."},
};

/// Text as roff prints it: no request, escape or ligature is made of it.
std::string escaped(std::string_view text) {
  std::string roff;
  bool startsLine = true;
  for (const char c : text) {
    if (startsLine && (c == '.' || c == '\'')) roff += "\\&";
    startsLine = c == '\n';
    switch (c) {
      case '\\':
        roff += "\\e";
        break;
      case '-':
        roff += "\\-";
        break;
      case '\'':
        roff += "\\(aq";
        break;
      case '`':
        roff += "\\(ga";
        break;
      case '^':
        roff += "\\(ha";
        break;
      case '~':
        roff += "\\(ti";
        break;
      case '"':
        roff += "\\(dq";
        break;
      default:
        roff += c;
    }
  }
  return roff;
}

std::string bold(std::string_view text) {
  return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(std::string_view text) {
  return "\\fI" + escaped(text) + "\\fR";
}

/// A sentence of the help, which has neither a capital nor a full stop.
std::string sentence(std::string_view text) {
  return escaped(text) + (text.empty() ? "\n" : ".\n");
}

/// Words of an option as they are typed; others are what they stand for.
std::string valueOf(const OptionFacts& option) {
  return option.words.empty() || option.value == kView ? italic(option.value) : bold(option.value);
}

std::string synopsisOf(const OptionFacts& positional) {
  const std::string name = italic(positional.names.front()) + (positional.repeats ? " \\&..." : "");
  return positional.isRequired ? " " + name : " [" + name + "]";
}

std::string synopsisOf(const VerbFacts& verb, bool isProgram) {
  std::string line = bold(isProgram ? verb.name : "slipstick " + verb.name);
  for (const OptionFacts& positional : verb.positionals) line += synopsisOf(positional);
  return line + " [" + italic("option") + " \\&...]\n";
}

std::string headOf(const OptionFacts& option) {
  std::string head;
  for (const std::string& name : option.names) head += (head.empty() ? "" : ", ") + bold(name);
  if (!option.value.empty()) head += " " + valueOf(option) + (option.takesList ? ",\\&..." : "");
  return head;
}

std::string rowsOf(const VerbFacts& verb) {
  std::string rows;
  for (const OptionFacts& positional : verb.positionals)
    if (!positional.description.empty())
      rows += ".TP\n" + italic(positional.names.front()) + "\n" + sentence(positional.description);
  for (const OptionFacts& option : verb.options) {
    const std::string fallback = option.fallback.empty() ? "" : " (default: " + option.fallback + ")";
    rows += ".TP\n" + headOf(option) + "\n" + sentence(option.description + fallback);
  }
  return rows;
}

template <class Entries>
std::string section(std::string_view title, const Entries& entries) {
  std::string text = ".SH " + std::string(title) + "\n";
  for (const Entry& entry : entries) text += ".TP\n" + bold(entry.name) + "\n" + escaped(entry.text) + "\n";
  return text;
}

std::string synopsis(const CommandFacts& command) {
  std::string text = ".SH SYNOPSIS\n" + synopsisOf(command.program, true);
  for (const VerbFacts& verb : command.verbs) text += ".br\n" + synopsisOf(verb, false);
  return text;
}

}  // namespace

std::string manPage(const CommandFacts& command, const std::string& version, const std::string& date) {
  std::string page = ".TH SLIPSTICK 1 \"" + date + "\" \"Slipstick " + version + "\" \"User Commands\"\n";
  page += ".nh\n.ad l\n";  // words of the command line are not hyphenated
  page += ".SH NAME\nslipstick \\- robots touch soft things, live\n";
  page += synopsis(command);
  page += ".SH DESCRIPTION\n" + escaped(kAbout) + "\n.PP\n" + escaped(kSources) + "\n";
  page += ".SH OPTIONS OF THE WINDOW\n" + rowsOf(command.program);
  page += ".SH VERBS\n";
  for (const VerbFacts& verb : command.verbs)
    page += ".SS " + escaped(verb.name) + "\n" + sentence(verb.description) + rowsOf(verb);
  page += ".SH EXIT STATUS\n" + escaped(command.footer) + "\n";
  page += section("ENVIRONMENT", kEnvironment) + section("FILES", kFiles) + section("EXAMPLES", kExamples);
  return page;
}

}  // namespace slipstick::app
