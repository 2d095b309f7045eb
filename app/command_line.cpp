#include "app/command_line.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <optional>

#include "app/command_facts.h"
#include "app/completion.h"
#include "app/devices/network.h"
#include "app/devices/network_address.h"
#include "app/figure_options.h"
#include "app/man_page.h"
#include "app/mesh_child.h"
#include "app/number_option.h"
#include "app/progress.h"
#include "app/render_options.h"
#include "app/rigid_bench.h"
#include "app/soft_look.h"
#include "app/stepping.h"
#include "app/verbs.h"
#include "app/word_option.h"
#include "assets/one_line.h"
#include "engine/foundation/guarded.h"
#include "engine/foundation/output_claim.h"
#include "engine/model/method_choice.h"
#include "engine/model/scene.h"

namespace slipstick::app {

namespace {

constexpr double kLongest = 1e6;  // [s], as 'duration' of scene files
constexpr NumberOf kTimes{{0, kLongest}, "s"};
constexpr NumberOf kDurations{{0, kLongest, true}, "s"};
constexpr NumberOf kRates{{0.01, 1000}, "frames/s"};  // what videos can have
constexpr const char* kStatus =
    "Exit status: 0 success, 1 bad input, 2 usage, 3 the simulation failed; stopped early by Ctrl+C 130, by "
    "SIGTERM 143,\n"
    "with what was simulated until then written, and at once by a second one.";

/// One parsed command line: the verb that was named, or none for the studio.
class CommandLine {
 public:
  CommandLine() : app_("Robots touch soft things, live.", "slipstick") {
    app_.set_version_flag("--version", "slipstick " SLIPSTICK_VERSION);
    app_.require_subcommand(0, 1);
    app_.footer(kStatus);
    // For those who install the program; what they print is made of all that follows.
    app_.add_flag("--man-page", printsManPage_)->group("");
    app_.add_option("--completion", completion_)->group("");
    addStudio();
    addRun();
    addReplay();
    addRender();
    addFigure();
    addCompare();
    addExport();
    addDemos();
    addCheck();
    scenesVerb_ = app_.add_subcommand("scenes", "List the shipped scenes and robots");
    scenesVerb_->add_flag("--schema", scenes_.schema, "the JSON Schema of scene files, for editors");
    addBench();
    addSoak();
    readMeshesVerb_ =
        app_.add_subcommand("read-meshes", "Serve another slipstick: see readMeshes()")->group("");
  }

  int run(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
      checkAddresses();
    } catch (const CLI::Success& request) {  // --help and --version
      return app_.exit(request);
    } catch (const UsageError& error) {
      std::cerr << "slipstick: " << error.what() << '\n';
      return kUsage;
    } catch (const CLI::ParseError& error) {
      std::cerr << "slipstick: command line: " << error.what() << "; see slipstick --help\n";
      return kUsage;
    }
    if (printsManPage_) return print(manPage(commandFacts(app_), SLIPSTICK_VERSION, SLIPSTICK_RELEASE_DATE));
    if (completion_) return print(completionFor(*completion_, commandFacts(app_)));
    if (*runVerb_) return app::run(run_);
    if (*replayVerb_) return app::replay(replay_);
    if (*renderVerb_) return renderWithSize();
    if (*figureVerb_) return app::figure(figure_);
    if (*compareVerb_) return app::compare(compare_);
    if (*exportVerb_) return app::exportRun(export_);
    if (*demosVerb_) return demosWithSize();
    if (*checkVerb_) return app::check(check_);
    if (*scenesVerb_) return app::scenes(scenes_);
    if (*benchVerb_) return app::bench(bench_);
    if (*soakVerb_) return soakWithSeed();
    if (*readMeshesVerb_) return app::readMeshes();
    return studioWithSize(argc, argv);
  }

 private:
  static int print(const Result<std::string>& text) {
    if (!text) return fail(text.error());
    std::cout << *text;
    return kSuccess;
  }

  static std::vector<std::string> methodWords() {
    std::vector<std::string> methods;
    for (const MethodEntry& method : stepping().methods()) methods.push_back(method.name);
    return methods;
  }
  static void addStepper(CLI::App& verb, StepperOptions& options) {
    std::vector<std::string> methods = methodWords();
    methods.insert(methods.begin(), std::string(kAutoMethod));
    takesWords(verb.add_option("--method", options.method,
                               "how a step couples rigid and soft things; auto: async where every body is "
                               "heavy beside what presses it, else strong; unset: as the scene says"),
               methods);
    addBackend(verb, options);
  }
  static void addBackend(CLI::App& verb, StepperOptions& options) {
    std::vector<std::string> backends = {"auto"};
    for (const std::string& backend : stepping().backends()) backends.push_back(backend);
    takesWords(verb.add_option("--backend", options.backend, "what steps soft things"), backends)
        ->capture_default_str();
    addNumber(verb, "--threads", options.threads, {0, 4096}, "0 = all cores");
  }
  static void addOverrides(CLI::App& verb, std::vector<std::string>& overrides,
                           std::vector<std::string>& packages, bool& mayRunXacro) {
    verb.add_option("--set", overrides, "path=value of the scene, e.g. contact.friction=0.25")
        ->allow_extra_args(false);
    verb.add_option("--package-path", packages, "a folder searched for package://NAME")
        ->allow_extra_args(false)
        ->type_name(kFolder);
    verb.add_flag("--xacro", mayRunXacro,
                  "expand xacro files of robots, which runs code in them: of authors that you trust");
  }
  enum class Takes { Scenes, ScenesAndRecordings };
  static void addScene(CLI::App& verb, SceneOptions& options, bool required, Takes takes) {
    const std::string files =
        takes == Takes::Scenes ? "a scene, robot or mesh file" : "a scene, robot, mesh or recording (.h5)";
    verb.add_option("scene", options.scene, files + ", or the name of a shipped scene or robot")
        ->required(required)
        ->type_name(takes == Takes::Scenes ? kScene : kSource);
    addOverrides(verb, options.overrides, options.packagePaths, options.mayRunXacro);
    addStepper(verb, options.stepper);
    verb.add_flag("--quiet", options.quiet, "errors only");
  }

  void addSeed(CLI::App& verb, SceneOptions& scene) {
    addNumber(verb, "--seed", seed_, {{0, static_cast<double>(kLargestSeed), false}, ""},
              "of the random reset of the scene's task; unset: the scene as it is written");
    verb.callback([this, &scene] {
      if (!seed_) return;
      if (*seed_ != std::floor(*seed_))
        throw UsageError("--seed: a seed is a whole number; write one from 0");
      scene.seed = static_cast<std::uint64_t>(*seed_);
    });
  }

  static void addSoftLook(CLI::App& verb, SoftLookOptions& options) {
    takesWords(verb.add_option("--color-by", options.colorBy, "what colours soft things"), colorWords())
        ->capture_default_str();
    auto* particles = verb.add_flag("--particles", options.particles, "draw soft things as particles");
    verb.add_flag("--surface", options.surface, "draw soft things as surfaces")->excludes(particles);
  }

  static void addAddress(CLI::App& verb, const std::string& name, std::optional<std::string>& address,
                         const std::string& description) {
    const auto store = [name, &address](const std::string& typed) {
      if (const Result<void> checked = checkNetworkAddress(typed); !checked) {
        Error error = checked.error();
        error.where = name + " " + shortened(typed);
        throw UsageError(error.message());
      }
      address = typed;
    };
    verb.add_option_function<std::string>(name, store, description)->type_name("ADDRESS");
  }

  void addStudio() {
    addScene(app_, studio_.scene, false, Takes::ScenesAndRecordings);
    app_.add_option("--screenshot", studio_.screenshot, "save a picture of the whole window (PNG) and quit")
        ->type_name(kFile);
    addNumber(app_, "--at", studio_.screenshotAt, kTimes, "simulated time of the screenshot [s]");
    addSoftLook(app_, studio_.look);
    app_.add_option("--show", studio_.show, "as of slipstick render")
        ->type_name(kView)
        ->delimiter(',')
        ->allow_extra_args(false);
    app_.add_option("--select", studio_.select,
                    "selects by name: a robot, a body, a soft thing, a boundary, a loop, or a pair A+B");
    app_.add_option("--pin", studio_.pins, "plots a body, or a pair A+B")
        ->delimiter(',')
        ->allow_extra_args(false);
    app_.add_flag("--why", studio_.why, "says why the selected pair slips, or the largest one");
    addNumber(app_, "--ghost", studio_.ghost, kTimes, "shows a ghost of this simulated time, too [s]");
    app_.add_flag("--light", studio_.light, "the light theme");
    const NetworkOptions usual;
    addAddress(app_, "--poses-at", studio_.posesAt,
               "where programs send poses to, tcp://HOST:PORT or ipc://PATH [" + usual.poses + "]");
    addAddress(app_, "--states-at", studio_.statesAt,
               "where programs hear how arms stand and what they touch [" + usual.state + "]");
    addSize(app_, "--window-size", windowSize_, "WIDTHxHEIGHT of the window [logical px], 1600x960");
  }

  void checkAddresses() const {
    const NetworkOptions usual;
    const std::string states = studio_.statesAt.value_or(usual.state);
    if (states == studio_.posesAt.value_or(usual.poses) && !states.ends_with(":*"))
      throw UsageError((studio_.statesAt ? "--states-at " : "--poses-at ") + states +
                       ": poses and states cannot have the same address; name another one");
  }

  void addRun() {
    runVerb_ = app_.add_subcommand("run", "Simulate without a window");
    addScene(*runVerb_, run_.scene, true, Takes::Scenes);
    addSeed(*runVerb_, run_.scene);
    addNumber(*runVerb_, "--duration", run_.duration, kDurations, "simulated time [s]");
    runVerb_->add_option("--report", run_.report, "write a summary as JSON")->type_name(kFile);
    runVerb_->add_option("--csv", run_.csv, "write every observable, one row per step")->type_name(kFile);
    runVerb_
        ->add_option("--actions", run_.actions,
                     "FILE.hdf5:demo_3: drives the robots as a demonstration did, from its own start")
        ->type_name(kFile);
    auto* record = runVerb_
                       ->add_option("--record", run_.record,
                                    "write a recording (HDF5) that opens anywhere and can be replayed")
                       ->type_name(kFile);
    addNumber(*runVerb_, "--record-fps", run_.recordFps, kRates, "particles in it, per simulated second")
        ->needs(record);
  }

  void addReplay() {
    replayVerb_ = app_.add_subcommand("replay", "Simulate a recording again and say where it differs");
    replayVerb_->add_option("recording", replay_.recording, "a file that run --record has written")
        ->required()
        ->type_name(kRecording);
    replayVerb_->add_flag("--check", replay_.check, "end at the first step that differs, with status 3");
    addNumber(*replayVerb_, "--duration", replay_.duration, kDurations,
              "simulated time [s]; unset: all of it");
    addNumber(*replayVerb_, "--threads", replay_.stepper.threads, {0, 4096}, "0 = all cores");
    replayVerb_->add_flag("--quiet", replay_.quiet, "errors only");
  }

  void addRender() {
    renderVerb_ = app_.add_subcommand("render", "Draw pictures or a video without a window");
    addScene(*renderVerb_, render_.scene, true, Takes::ScenesAndRecordings);
    addRenderOptions(*renderVerb_, render_, size_);
    addSoftLook(*renderVerb_, render_.view.look);
  }

  void addFigure() {
    figureVerb_ = app_.add_subcommand("figure", "Draw a figure for a paper: pictures, and plots below them");
    addScene(*figureVerb_, figure_.scene, true, Takes::ScenesAndRecordings);
    addFigureOptions(*figureVerb_, figure_);
    addSoftLook(*figureVerb_, figure_.view.look);
  }

  void addCompare() {
    compareVerb_ = app_.add_subcommand("compare",
                                       "Several runs of one scene, with other methods or numbers: forces, "
                                       "energy, penetration, slip and cost "
                                       "side by side");
    compareVerb_->add_option("scene", compare_.scene.scene, "a scene file, or the name of a shipped scene")
        ->required()
        ->type_name(kScene);
    takesWords(compareVerb_->add_option("--methods", compare_.methods,
                                        "with commas between; unset: all that can step the scene"),
               methodWords())
        ->delimiter(',')
        ->allow_extra_args(false);
    compareVerb_
        ->add_option("--runs", compare_.runs, "NAME=METHOD with commas between: a=async,b=async,c=strong")
        ->type_name("NAME=METHOD")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->excludes("--methods");
    addOverrides(*compareVerb_, compare_.scene.overrides, compare_.scene.packagePaths,
                 compare_.scene.mayRunXacro);
    compareVerb_->get_option("--set")->description(
        "path=value of the scene; of one run alone, by its name or method: strong:time.dt_ms=10");
    addBackend(*compareVerb_, compare_.scene.stepper);
    compareVerb_->add_flag("--quiet", compare_.scene.quiet, "errors and the table only");
    addNumber(*compareVerb_, "--duration", compare_.duration, kDurations,
              "simulated time [s]; unset: the scene's");
    addNumber(*compareVerb_, "--from", compare_.from, kTimes,
              "of means of forces, penetration and slip [s]; unset: "
              "the last half");
    addNumber(*compareVerb_, "--to", compare_.to, kTimes, "their end [s]; unset: of the run");
    compareVerb_->add_option("--report", compare_.report, "write the table as JSON")->type_name(kFile);
    compareVerb_->add_option("--csv", compare_.csv, "write a row per run and step")->type_name(kFile);
    auto* out =
        compareVerb_
            ->add_option("--out", compare_.out,
                         "FIG.png, .pdf or .svg: the runs side by side and as ghosts, force and energy "
                         "below")
            ->type_name(kFile);
    addNumbers(*compareVerb_, "--at", compare_.at, kTimes,
               "moments of the pictures [s]: 0,0.5,1; unset: the end")
        ->needs(out);
    addNumber(*compareVerb_, "--width", compare_.width, {{20, 1000}, "mm"}, "of the figure [mm]")->needs(out);
    addNumber(*compareVerb_, "--dpi", compare_.dpi, {{36, 1200}, "dots per inch"},
              "of pictures, and of a PNG")
        ->needs(out);
    addPictureView(*compareVerb_, compare_.view);
    addSoftLook(*compareVerb_, compare_.view.look);
  }

  CLI::Option* addOutput(const std::string& name, std::optional<std::string>& file,
                         const std::string& description) {
    return exportVerb_->add_option(name, file, description)->type_name(kFile);
  }

  void addExport() {
    exportVerb_ =
        app_.add_subcommand("export", "Write a run as tables, arrays and geometry for other programs");
    addScene(*exportVerb_, export_.source, true, Takes::ScenesAndRecordings);
    addOutput("--contacts", export_.contacts, "OUT.csv: a row per contact and step, forces in N");
    addOutput("--bodies", export_.bodies,
              "OUT.csv: a row per body and step: pose, velocity, sum of its contacts");
    addOutput("--csv", export_.csv, "OUT.csv: observables, a row per step");
    exportVerb_
        ->add_option("--observables", export_.observables,
                     "which, for --csv and --npz: names with * and ?, as 'roller.*,total.*'; pairs as "
                     "'roller+dough.*', lengths of vectors as '|roller.contact.f|'; unset: all of the run")
        ->delimiter(',')
        ->allow_extra_args(false);
    auto* geometry = addOutput("--geometry", export_.geometry,
                               "a folder of numbered files: bodies as OBJ, particles and cloths as PLY")
                         ->type_name(kFolder);
    takesWords(exportVerb_->add_option("--format", export_.format, "of particles and cloths there"),
               {"ply", "obj"})
        ->check(CLI::IsMember({"ply", "obj"}).description(""))
        ->capture_default_str()
        ->needs(geometry);
    addOutput("--gltf", export_.gltf, "OUT.glb or OUT.gltf: one animated scene for Blender and viewers");
    addOutput("--npz", export_.npz, "OUT.npz: NumPy arrays: observables, contacts, poses, particles");
    addNumber(
        *exportVerb_, "--fps", export_.fps, kRates,
        "samples of geometry and particles per simulated second; unset: 30, of what deforms in glTF 10");
    addNumber(*exportVerb_, "--from", export_.from, kTimes, "simulated time of the first step [s]");
    addNumber(*exportVerb_, "--to", export_.to, kTimes, "simulated time of the last step [s]");
    exportVerb_->callback([this] { checkExport(); });
  }

  void checkExport() const {
    const ExportOptions& e = export_;
    if (!e.contacts && !e.bodies && !e.csv && !e.geometry && !e.gltf && !e.npz)
      throw UsageError(
          "export: no output is named; write --contacts, --bodies, --csv, --geometry, --gltf or --npz");
    if (!e.observables.empty() && !e.csv && !e.npz)
      throw UsageError("--observables: they go nowhere; write --csv or --npz, too");
  }

  void addDemos() {
    demosVerb_ = app_.add_subcommand(
        "demos", "Write recordings of a task as demonstrations (robomimic HDF5) to train policies on");
    demosVerb_->add_option("recordings", demos_.sources, "recordings (.h5), and folders of them")
        ->required()
        ->type_name(kRecording);
    demosVerb_->add_option("--out", demos_.out, "OUT.hdf5")->required()->type_name(kFile);
    addNumber(*demosVerb_, "--rate", demos_.rate, kRates,
              "samples per simulated second; unset: every step, so that the actions replay exactly");
    addNumber(*demosVerb_, "--train", demos_.train, {{0, 1, false}, ""},
              "part of the demonstrations that 'mask/train' names");
    demosVerb_
        ->add_option("--observations", demos_.observations,
                     "which, as 'joint_*,contact_force/*'; unset: all that have no pictures")
        ->delimiter(',')
        ->allow_extra_args(false);
    auto* cameras = demosVerb_->add_option(
        "--cameras", demos_.cameras, "with pictures from A,B or all cameras of the scene at each sample");
    takesWords(demosVerb_->add_option("--passes", demos_.passes, "of each; unset: color"), passWords())
        ->delimiter(',')
        ->allow_extra_args(false)
        ->needs(cameras);
    addSize(*demosVerb_, "--size", demosSize_, "WIDTHxHEIGHT of the pictures [px], 84x84")->needs(cameras);
    demosVerb_->add_flag("--tactile", demos_.tactile, "with images of the forces on the pads of grippers");
    demosVerb_->add_flag("--quiet", demos_.quiet, "errors only");
  }

  void addCheck() {
    checkVerb_ = app_.add_subcommand(
        "check", "Load report of a robot, mesh, scene or recording; status 1 if it cannot be used");
    checkVerb_->add_option("file", check_.file)->required()->type_name(kScene);
    checkVerb_->add_flag("--json", check_.json, "the report as JSON");
    checkVerb_->add_option("--srdf", check_.srdf, "of a robot: a file that says which links do not collide")
        ->type_name(kFile);
    addOverrides(*checkVerb_, check_.overrides, check_.packagePaths, check_.mayRunXacro);
  }

  void addBench() {
    benchVerb_ = app_.add_subcommand("bench", "Time scenes, beside the published figures");
    std::string names = "default: all shipped scenes and the rigid ones:";
    for (const std::string& name : rigidBenchNames()) names += ' ' + name;
    benchVerb_->add_option("scenes", bench_.scenes, names)->type_name(kScene);
    addNumber(*benchVerb_, "--steps", bench_.steps, {1, 1'000'000}, "of each scene");
    addNumber(*benchVerb_, "--from", bench_.from, kTimes,
              "simulated time of the first timed step [s]; unset: 0, and for the published tasks once "
              "more where contact is busiest");
    auto* compare = benchVerb_
                        ->add_option("--compare", bench_.compare,
                                     "another slipstick: both step the same scenes, rigid scenes too, by "
                                     "turns, and ratios are printed")
                        ->type_name(kFile);
    benchVerb_->add_flag("--turns", bench_.turns)
        ->group("")
        ->excludes(compare);  // how --compare talks to both
    benchVerb_
        ->add_option("--json", bench_.json,
                     "the rows to a file: of a scene what `run --report` has, and under transfer the bytes "
                     "of P2G and G2P, their speed, and that of copies by as many threads")
        ->type_name(kFile);
    addStepper(*benchVerb_, bench_.stepper);
  }

  void addSoak() {
    soakVerb_ = app_.add_subcommand(
        "soak", "Open, play, edit, take back and close scenes by dice, for hours; status 3 if memory grows");
    soakVerb_->add_option("scenes", soak_.scenes, "default: all shipped scenes, one after the other")
        ->type_name(kScene);
    addNumber(*soakVerb_, "--minutes", soak_.minutes, {{0, 1e5, true}, "min"}, "how long");
    addNumber(*soakVerb_, "--per-scene", soak_.secondsPerScene, {{0, 1e5, true}, "s"},
              "how long each is open [s]");
    addNumber(*soakVerb_, "--seed", soakSeed_, {{0, static_cast<double>(kLargestSeed), false}, ""},
              "of the dice");
    addStepper(*soakVerb_, soak_.stepper);
  }

  int soakWithSeed() {
    if (soakSeed_) soak_.seed = static_cast<std::uint64_t>(*soakSeed_);
    return app::soak(soak_);
  }

  /// Stills are small: many of them stand side by side.
  int renderWithSize() {
    const bool small = !render_.stills.empty() || !render_.strip.empty();
    const Size size = size_.value_or(small ? Size{420, 280} : Size{1280, 720});
    render_.width = size.width;
    render_.height = size.height;
    return app::render(render_);
  }

  int demosWithSize() {
    if (demosSize_) demos_.width = demosSize_->width, demos_.height = demosSize_->height;
    return app::demos(demos_);
  }

  int studioWithSize(int& argc, char** argv) {
    if (windowSize_) studio_.width = windowSize_->width, studio_.height = windowSize_->height;
    return app::studio(argc, argv, studio_);
  }

  CLI::App app_;
  CLI::App* runVerb_ = nullptr;
  CLI::App* replayVerb_ = nullptr;
  CLI::App* renderVerb_ = nullptr;
  CLI::App* figureVerb_ = nullptr;
  CLI::App* compareVerb_ = nullptr;
  CLI::App* exportVerb_ = nullptr;
  CLI::App* demosVerb_ = nullptr;
  CLI::App* checkVerb_ = nullptr;
  CLI::App* scenesVerb_ = nullptr;
  CLI::App* benchVerb_ = nullptr;
  CLI::App* soakVerb_ = nullptr;
  CLI::App* readMeshesVerb_ = nullptr;
  RunOptions run_;
  ReplayOptions replay_;
  RenderOptions render_;
  FigureOptions figure_;
  CompareOptions compare_;
  ExportOptions export_;
  DemosOptions demos_;
  CheckOptions check_;
  ScenesOptions scenes_;
  BenchOptions bench_;
  SoakOptions soak_;
  StudioVerbOptions studio_;
  std::optional<Size> size_, demosSize_, windowSize_;
  std::optional<double> seed_, soakSeed_;
  bool printsManPage_ = false;
  std::optional<std::string> completion_;
};

}  // namespace

int fail(const Error& error) {
  std::cerr << "slipstick: " << assets::oneLine(error.message()) << '\n';
  if (error.code == ErrorCode::Cancelled) return InterruptWatch::status();
  return error.code == ErrorCode::SimulationFailed ? kSimulationFailed : kBadInput;
}

namespace {

/// What was printed has reached whoever it is for.
Result<void> closeStdout() {
  std::cout.flush();
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good()) return {};
  const std::string why = errno != 0 ? std::string(": ") + std::strerror(errno) : "";
  return Error{ErrorCode::FileUnwritable, "what was printed could not be written" + why, "stdout",
               "print to where there is space, or add --quiet"};
}

}  // namespace

int runCommandLine(int argc, char** argv) {
  int status = kBadInput;
  const Result<void> done =
      guarded(ErrorCode::SimulationFailed, "slipstick", [&] { status = CommandLine().run(argc, argv); });
  OutputClaim::releaseAll();
  if (!done) return fail(done.error());
  const Result<void> printed = closeStdout();
  if (printed || status != kSuccess) return status;
  return fail(printed.error());
}

}  // namespace slipstick::app
