// What the program can be asked to do: one options struct and one function per verb.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/stepping.h"
#include "engine/foundation/result.h"
#include "engine/step/stepper.h"

namespace slipstick::app {

enum ExitStatus : int {
  kSuccess = 0,
  kBadInput = 1,
  kUsage = 2,
  kSimulationFailed = 3,  ///< a step failed, or what computes it; the message says which, why and what to do
};

/// What every verb that simulates takes.
struct SceneOptions {
  std::string scene;                      ///< path or shipped name
  std::vector<std::string> overrides;     ///< --set path=value
  std::vector<std::string> packagePaths;  ///< --package-path
  StepperOptions stepper;                 ///< --method, --backend, --threads
  bool quiet = false;
  bool mayRunXacro = false;                ///< --xacro: expands xacro files, which are code
  std::optional<std::uint64_t> seed = {};  ///< --seed: of the reset of the scene's task
};

struct RunOptions {
  SceneOptions scene;
  std::optional<double> duration;     ///< [s]; unset: the scene's
  std::optional<std::string> report;  ///< JSON
  std::optional<std::string> csv;
  std::optional<std::string> record;   ///< HDF5
  double recordFps = 30;               ///< of particles in the recording, per simulated second
  std::optional<std::string> actions;  ///< FILE.hdf5:demo_3: drives the effectors as it says
};

struct ReplayOptions {
  std::string recording;
  bool check = false;              ///< ends at the first step that differs, with status 3
  std::optional<double> duration;  ///< [s]; unset: all of it
  StepperOptions stepper;          ///< its method and backend are the recording's
  bool quiet = false;
};

/// How deformables look.
struct SoftLookOptions {
  std::string colorBy = "auto";  ///< --color-by: a key of render::kParticleColorNames
  bool particles = false;        ///< --particles: all as particles
  bool surface = false;          ///< --surface: all as surfaces
};

/// What pictures show, and from where.
struct PictureViewOptions {
  std::string camera;      ///< cameras of the scene with commas between, or "all"; empty: the first one
  std::string cameraPath;  ///< see assets::loadCameraPath(); empty: none
  std::vector<std::string> show;
  std::string select;  ///< see render::selectionNamed(); empty: nothing
  SoftLookOptions look;
};

struct RenderOptions {
  SceneOptions scene;
  std::string out;  ///< FILE.mp4, .webm or .gif, FILE.png (the frame at `to`) or a folder of PNGs
  int width = 1280, height = 720;
  int supersample = 1;           ///< drawn so many times as large
  std::string quality = "good";  ///< see render::outputQualityNamed()
  std::string pass = "color";    ///< see render::picturePassNamed()
  double fps = 30;               ///< frames per second of the video
  double speed = 1;              ///< simulated seconds per second of the video
  std::optional<double> from;    ///< [s]; unset: the start
  std::optional<double> to;      ///< [s]; unset: the scene's duration
  PictureViewOptions view;
  bool light = false, transparent = false;
  std::vector<double> stills;  ///< a contact sheet of these moments instead [s]
  std::vector<double> strip;   ///< a figure of these moments instead [s]
  std::vector<double> ghosts;  ///< moments that are seen through [s]
  std::string title, subtitle;
  double fade = 0;  ///< [s]
};

struct FigureOptions {
  SceneOptions scene;
  std::string out;                 ///< FIG.pdf, .svg or .png
  std::vector<double> at;          ///< moments of the stills [s]; empty: `strip` of them
  int strip = 4;                   ///< so many moments, evenly from `from` to `to`
  std::optional<double> from, to;  ///< of the strip and of the time axis [s]; unset: of the run
  bool ghosts = false;             ///< one picture of the last moment, the others seen through
  std::vector<std::string> plots;  ///< "PATTERN,…" or "Label=PATTERN,…", each a plot below the pictures
  bool letters = false;            ///< (a), (b) …
  bool times = true;               ///< below the pictures
  std::string font = "serif";      ///< or "sans"
  double width = 170, dpi = 300;   ///< [mm], [dots per inch]
  double aspect = 1.5;             ///< width / height of a picture
  double plotHeight = 26;          ///< [mm]
  int columns = 0;                 ///< pictures in a row; 0: all
  PictureViewOptions view;
};

struct CompareOptions {
  SceneOptions scene;                ///< an override "NAME:path=value" is for the run of that name alone
  std::vector<std::string> methods;  ///< a run of each, named after it; empty: of all that can step the scene
  std::vector<std::string> runs;     ///< "NAME=METHOD" instead
  std::optional<double> duration;    ///< [s]; unset: the scene's
  std::optional<double> from, to;    ///< of means [s]; unset: the last half
  std::optional<std::string> report;  ///< JSON
  std::optional<std::string> csv;     ///< a row per method and step
  std::optional<std::string> out;     ///< FIG.png, .pdf or .svg: the methods side by side and as ghosts
  std::vector<double> at;             ///< moments of the pictures [s]; empty: the end
  double width = 240, dpi = 200;      ///< of the figure [mm], [dots per inch]
  PictureViewOptions view;
};

/// What is written of a run, in one walk through it.
struct DataOutputs {
  std::optional<std::string> contacts, bodies, csv;  ///< tables, of every step
  std::vector<std::string> observables;              ///< patterns, for csv and npz; empty: all
  std::optional<std::string> geometry;               ///< a folder
  std::string format = "ply";                        ///< of deformables in it: ply or obj
  std::optional<std::string> gltf;                   ///< OUT.glb or OUT.gltf
  std::optional<std::string> npz;
  std::optional<double>
      fps;  ///< samples of geometry and particles per simulated second; unset: 30, of morph targets 10
  std::optional<double> from;  ///< [s]; unset: its start
  std::optional<double> to;    ///< [s]; unset: the end of the run
};

struct ExportOptions : DataOutputs {
  SceneOptions source;
};

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

struct CheckOptions {
  std::string file;
  bool json = false;  ///< the report as JSON on stdout
  std::vector<std::string> overrides;
  std::vector<std::string> packagePaths;
  std::string srdf;  ///< --srdf: of a robot, which of its links do not collide; or empty
  bool mayRunXacro = false;
};

struct ScenesOptions {
  bool schema = false;  ///< only the JSON Schema of scene files, on stdout
};

struct BenchOptions {
  std::vector<std::string> scenes;  ///< empty: all shipped scenes
  int steps = 50;
  std::optional<double> from;  ///< [s]; unset: from the start, and where contact is busiest if that is known
  std::optional<std::string> compare;  ///< another slipstick, to be timed by turns
  bool turns = false;                  ///< serve another bench: see serveTurns()
  std::optional<std::string> json;
  StepperOptions stepper;
};

struct SoakOptions {
  std::vector<std::string> scenes;  ///< empty: all shipped scenes
  double minutes = 60;
  double secondsPerScene = 5;  ///< wall time that each is open
  std::uint64_t seed = 1;      ///< of the dice
  StepperOptions stepper;
};

struct StudioVerbOptions {
  SceneOptions scene;  ///< scene.scene empty: the gallery
  std::optional<std::string> screenshot;
  double screenshotAt = 0;  ///< [s]
  SoftLookOptions look;
  std::vector<std::string> show;  ///< words of render::applyViewWord
  std::string select;             ///< what is selected at first: a name in the scene, or two joined by +
  std::vector<std::string> pins;  ///< what is plotted: bodies, and pairs joined by +
  bool why = false;               ///< says why the selected pair slips
  std::optional<double> ghost;    ///< time of a ghost [s]
  bool light = false;             ///< theme
  /// Of the network endpoint, see NetworkOptions; unset: its own.
  std::optional<std::string> posesAt, statesAt;
  int width = 1600, height = 960;  ///< of the window at first [logical px]
};

int run(const RunOptions& options, const Registry& registry = stepping());
int replay(const ReplayOptions& options);
int render(const RenderOptions& options);
int figure(const FigureOptions& options);
int compare(const CompareOptions& options, const Registry& registry = stepping());
int exportRun(const ExportOptions& options);
int demos(const DemosOptions& options);
int check(const CheckOptions& options);
int scenes(const ScenesOptions& options);
int bench(const BenchOptions& options);
int soak(const SoakOptions& options);
int studio(int& argc, char** argv, const StudioVerbOptions& options);

/// Writes "slipstick: where: what; remedy" as one line on stderr. @return the exit status that goes with the
/// error.
int fail(const Error& error);

}  // namespace slipstick::app
