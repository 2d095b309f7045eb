// Tables of a scene's settings.
#include <map>

#include "assets/scene_tables.h"
#include "assets/writer_parts.h"
#include "engine/model/method_rows.h"

namespace slipstick::assets {
namespace {

constexpr double kMillisecond = 1e-3;
constexpr double kLongestStep_ms = 100;  ///< that compile() takes

Codec<double> ofScene(std::string_view key) {
  return tuned(ParameterBlock::Scene, key);
}

Codec<double> ofContact(std::string_view key) {
  return tuned(ParameterBlock::Contact, key);
}

Codec<int> wholeOfScene(std::string_view key) {
  return tunedWhole(ParameterBlock::Scene, key);
}

/// A time in seconds that the file has in milliseconds.
Codec<double> milliseconds(const Range& range) {
  Codec<double> codec = number(range, "ms");
  codec.read = [range](const YamlValue& value) {
    const double seconds = value.number(range) * kMillisecond;
    if (seconds == 0) value.fail(ErrorCode::InvalidValue, "no step is so short", "write it in milliseconds");
    return seconds;
  };
  codec.write = [](const double& seconds) { return YamlOut::number(writer::inUnits(seconds, kMillisecond)); };
  return codec;
}

/// 'auto' stands for 0.
Codec<int> wholeOrAuto(int lower, int upper) {
  Codec<int> codec = whole(lower, upper);
  codec.type += " | 'auto'";
  codec.read = [lower, upper](const YamlValue& value) {
    return value.isWord("auto") ? 0 : value.integer(lower, upper);
  };
  codec.write = [](const int& n) { return n == 0 ? YamlOut::text("auto") : YamlOut::integer(n); };
  return codec;
}

/// 'auto' stands for none.
Codec<std::optional<double>> numberOrAuto(std::string unit) {
  return {.type = "number | 'auto'",
          .unit = std::move(unit),
          .read =
              [](const YamlValue& value) {
                return value.isWord("auto") ? std::nullopt : std::optional(value.number());
              },
          .write =
              [](const std::optional<double>& x) { return x ? YamlOut::number(*x) : YamlOut::text("auto"); }};
}

}  // namespace

const Keys<TimeSpec>& timeTable() {
  static const Keys<TimeSpec> kKeys{
      "time",
      {},
      {{"dt_ms",
        &TimeSpec::dt,
        milliseconds({0, kLongestStep_ms, true}),
        "rigid step",
        {.page = "rigid step Δt, at most 100"}},
       {"duration",
        &TimeSpec::duration,
        number({0, 1e6, true}, "s"),
        "how long a run and the timeline go",
        {.page = "how long `run` and the timeline go", .was = "duration_s"}},
       {"substeps",
        &TimeSpec::substeps,
        wholeOrAuto(1, 100000),
        "MPM substeps per step",
        {.page = "MPM substeps N per step, or `auto`: the smallest that meets the CFL conditions"}},
       {"cfl", &TimeSpec::cfl, ofScene("time.cfl"), "C in δt ≤ C h / c"}}};
  return kKeys;
}

const Keys<Scene>& gridTable() {
  static const Keys<Scene> kKeys{
      "grid", {}, {{"spacing", &Scene::gridSpacing, number(kPositive, "m"), "h of the grid", {.page = "h"}}}};
  return kKeys;
}

const Keys<Scene>& viewTable() {
  static const Keys<Scene> kKeys{
      "view",
      {},
      {{"ground",
        &Scene::showGround,
        flag(),
        "draw the ground grid",
        {.page = "draw the ground grid (it is not an obstacle)"}},
       {"ground_height",
        &Scene::groundHeight,
        numberOrAuto("m"),
        "of the ground grid; auto: under what reaches below 0",
        {.page = "`auto`: at 0, or under what reaches below that at the start"}},
       {"opening",
        &Scene::opensOnAll,
        words<bool>({{"camera", false}, {"all", true}}),
        "the first view: through the first camera, or from where all is seen",
        {.page = "the first view: through the first of the `cameras`, or with `all` from where everything is "
                 "seen, as without cameras"}}}};
  return kKeys;
}

const Keys<RigidSolverSpec>& rigidSolverTable() {
  using Spec = RigidSolverSpec;
  static const Keys<Spec> kKeys{
      "rigid_solver",
      {},
      {{"potential",
        &Spec::potential,
        words<ContactPotentialName>({{"lagged", ContactPotentialName::Lagged},
                                     {"similar", ContactPotentialName::Similar},
                                     {"sap", ContactPotentialName::Sap}}),
        "friction of the contact model",
        {.page = "friction of the contact model: `lagged` (with the normal force of the step before: sliding "
                 "is exact), `similar`, `sap` (convex in one go; a fast slider lifts off by about μ \\|v\\| "
                 "dt)",
         .turn = Turn::First}},
       {"stiction_speed",
        &Spec::stictionSpeed,
        ofScene("solver.rigid.stiction_speed"),
        "slower contacts stick",
        {.page = "v_s: slower contacts stick; a sticking contact creeps at v_s x/√(1−x²), x = friction used "
                 "over its limit, whatever presses it, its mass and the step; `sap` and dry friction of "
                 "joints creep at v_s x or less (joints that turn: in rad/s)"}},
       {"stiction_softness",
        &Spec::stictionSoftness,
        ofScene("solver.rigid.stiction_softness"),
        "σ: keeps what sticks solvable",
        {.page = "σ, 1e-12 … 1: as `contact.stiction_softness`, of contacts between rigid bodies and of "
                 "joints; `sap` and joints creep at σ w γ, w the velocity per impulse there, γ the "
                 "friction's impulse in a step"}},
       {"relaxation_time",
        &Spec::relaxationTime,
        ofScene("solver.rigid.relaxation_time"),
        "sap only: time in which a contact gives way",
        {.page = "`sap` only: time in which a contact gives way to its damping; much below the time step it "
                 "bounces",
         .was = "relaxation_time_s"}},
       {"friction_rule",
        &Spec::frictionRule,
        words<FrictionRule>({{"harmonic", FrictionRule::Harmonic},
                             {"geometric", FrictionRule::Geometric},
                             {"mean", FrictionRule::Mean},
                             {"minimum", FrictionRule::Minimum},
                             {"maximum", FrictionRule::Maximum}}),
        "friction of a pair from those of its surfaces",
        {.page = "μ of a pair from those of its surfaces: `harmonic` 2 μa μb / (μa + μb), `geometric` √(μa "
                 "μb), `mean`, `minimum`, `maximum`",
         .turn = Turn::First}},
       {"relative_tolerance",
        &Spec::relativeTolerance,
        ofScene("solver.rigid.relative_tolerance"),
        "of the convex problem",
        {.page = "ε_r of the convex problem"}},
       {"max_iterations",
        &Spec::maxIterations,
        wholeOfScene("solver.rigid.max_iterations"),
        "Newton iterations of one solve",
        {.page = "Newton iterations of one solve; beyond: `NotConverged`"}},
       {"lag_iterations",
        &Spec::lagIterations,
        wholeOfScene("solver.rigid.lag_iterations"),
        "lagged only: how often a step is solved again",
        {.page = "`lagged` only: how often a step is solved again with the normal forces it found, 0 … "
                 "1000"}}}};
  return kKeys;
}

const Keys<Scene>& solverTable() {
  using Spec = SolverSpec;
  constexpr auto kSolver = &Scene::solver;
  static const Keys<Scene> kKeys{
      "solver",
      {},
      {{"method",
        kSolver,
        &Spec::method,
        text(),
        "how a step couples soft and rigid things; auto: async or strong",
        {.page =
             "how a step couples soft and rigid things: `auto` is `async` or `strong`, see \"Which "
             "method\"; `async` freezes rigid velocities during the substeps, `strong` solves for them in "
             "every substep, which light or stiffly pressed bodies need at long steps, `implicit` for "
             "grid and bodies together once a step, whatever `time.substeps` says, more often only where "
             "particles would cross half a cell (Zong 2024; in double precision on one core); also "
             "`--method`, and Simulate › Method in the window",
         .fallback = "auto"}},
       {"contact",
        kSolver,
        &Spec::contactSolver,
        words<ContactSolverName>({{"quasi_newton", ContactSolverName::QuasiNewton},
                                  {"majorized_anderson", ContactSolverName::MajorizedAnderson},
                                  {"contact_newton", ContactSolverName::ContactNewton}}),
        "solver of the contacts with particles",
        {.page = "or `quasi_newton`, `contact_newton`"}},
       {"relative_tolerance",
        kSolver,
        &Spec::relativeTolerance,
        ofScene("solver.relative_tolerance"),
        "of the contact problem",
        {.page = "ε_r of the contact problem"}},
       {"absolute_tolerance",
        kSolver,
        &Spec::absoluteTolerance,
        ofScene("solver.absolute_tolerance"),
        "of the contact problem",
        {.page = "ε_a"}},
       {"max_iterations",
        kSolver,
        &Spec::maxIterations,
        wholeOfScene("solver.max_iterations"),
        "beyond: NotConverged",
        {.page = "beyond: `NotConverged`"}},
       {"lag_iterations",
        kSolver,
        &Spec::lagIterations,
        wholeOfScene("solver.lag_iterations"),
        "how often a substep is solved again",
        {.page = "how often a substep is solved again with the normal forces it found, where those before it "
                 "bounded friction wrongly (contacts that begin or chatter), 0 (as published) … 1000"}},
       {"geometry",
        kSolver,
        &Spec::geometry,
        words<SubstepGeometry>({{"moving", SubstepGeometry::Moving}, {"frozen", SubstepGeometry::Frozen}}),
        "where substeps see rigid shapes",
        {.page = "where substeps see rigid shapes and boundaries: `moving` with the velocity of the step's "
                 "start, or `frozen` there (as published; they jump by v Δt between steps)"}},
       {"on_failure",
        kSolver,
        &Spec::policy,
        words<HealthPolicy>({{"warn", HealthPolicy::Warn}, {"pause", HealthPolicy::Pause}}),
        "when a step is not healthy",
        {.page = "or `pause`: what the studio does when a step is not healthy"}},
       {"rigid", &Scene::rigidSolver, block(rigidSolverTable()), "contacts between rigid bodies"}}};
  return kKeys;
}

const Keys<RigidSurfaceSpec>& rigidContactTable() {
  using Spec = RigidSurfaceSpec;
  static const Keys<Spec> kKeys{
      "rigid_contact",
      {},
      {{"enabled", &Spec::enabled, flag(), "false: other rigid shapes pass through", {.fallback = "true"}},
       {"representation",
        &Spec::representation,
        words<ContactRepresentation>({{"compliant", ContactRepresentation::Compliant},
                                      {"rigid", ContactRepresentation::Rigid},
                                      {"point", ContactRepresentation::Point}}),
        "how the surface meets rigid ones",
        {.page = "how the surface meets rigid ones: `compliant` (a pressure field: patches), `rigid` "
                 "(patches with compliant surfaces, points with rigid ones), `point` (always points)",
         .fallback = "compliant"}},
       {"modulus",
        &Spec::modulus,
        ofContact("rigid.modulus"),
        "of the pressure field",
        {.page = "E of the pressure field: pressure at the depth of the shape's inner radius",
         .was = "modulus_Pa",
         .fallback = "1e7"}},
       {"stiffness",
        &Spec::stiffness,
        ofContact("rigid.stiffness"),
        "of one point contact",
        {.page = "of one point contact; a cylinder on a plane has four on its rim and four within that are "
                 "as stiff as two, what lies one at each end and two between that are as stiff as three",
         .was = "stiffness_N_per_m",
         .fallback = "1e6"}},
       {"dissipation",
        &Spec::dissipation,
        ofContact("rigid.dissipation"),
        "of the Hunt–Crossley law",
        {.page = "d of the Hunt–Crossley law", .was = "dissipation_s_per_m", .fallback = "20"}}}};
  return kKeys;
}

const Keys<ContactSpec>& contactTable() {
  using Spec = ContactSpec;
  static const Keys<Spec> kKeys{
      "contact",
      {},
      {{"friction", &Spec::friction, ofContact("friction"), "μ", {.page = "μ ≥ 0", .fallback = "0.5"}},
       {"restitution",
        &Spec::restitution,
        ofContact("restitution"),
        "e, towards rigid things",
        {.page =
             "e, 0 … 1: speed at which rigid things part over that at which they met; of a pair the larger "
             "counts. Methods of compliant contact (`async`, `strong`, `implicit`) ignore it and say so",
         .fallback = "0"}},
       {"stiffness",
        &Spec::stiffness,
        ofContact("stiffness"),
        "of one particle; depends on the resolution",
        {.page = "k of one particle; changes its meaning with the number of particles",
         .was = "stiffness_N_per_m"}},
       {"stiffness_factor",
        &Spec::stiffnessFactor,
        ofContact("stiffness_factor"),
        "κ of a stiffness that does not depend on the resolution",
        {.page = "κ in k = κ E d_p (liquids: κ K d_p), d_p the particle spacing: independent of resolution; "
                 "used when no stiffness is given",
         .fallback = "1"}},
       {"dissipation",
        &Spec::dissipation,
        ofContact("dissipation"),
        "of the Hunt–Crossley law",
        {.page = "d of the Hunt–Crossley law", .was = "dissipation_s_per_m", .fallback = "1"}},
       {"enabled", &Spec::enabled, flag(), "false: particles pass through", {.fallback = "true"}},
       {"rigid", &Spec::rigid, block(rigidContactTable()), "towards other rigid shapes"}},
      [](const YamlMap& map, const Spec& contact) {
        if (contact.stiffness && contact.stiffnessFactor)
          map.self().fail(ErrorCode::InvalidValue, "'stiffness' and 'stiffness_factor' contradict each other",
                          "keep one of the two");
      }};
  return kKeys;
}

const Keys<Scene>& sceneContactTable() {
  static const Keys<Scene> kKeys{
      "scene_contact",
      {"contact"},
      {{"stiction_speed",
        &Scene::stictionSpeed,
        ofScene("contact.stiction_speed"),
        "of contact with particles",
        {.page = "v_s of contact with particles: friction is μN v/√(v² + ε²) at the slip speed v, ε = v_s "
                 "unless `stiction_softness` asks for more, so that what sticks creeps at v_s x/√(1−x²), x = "
                 "friction used over its limit, under `implicit` at v_s x or less; up to 3 v_s a contact "
                 "counts as sticking"}},
       {"stiction_softness",
        &Scene::stictionSoftness,
        ofScene("contact.stiction_softness"),
        "σ of contact with particles",
        {.page = "σ, 1e-12 … 1: what sticks to particles gives way by σ μ N δt/m at least, m what moves with "
                 "the contact, where that is more than v_s; it bounds how ill-conditioned a solve may "
                 "become, and at its default is not seen"}}}};
  return kKeys;
}

namespace {

/// The scene's law, and what only the scene says of contact.
OwnCode<Scene> sceneContact() {
  return {.type = "block " + std::string(sceneContactTable().block),
          .read =
              [](const YamlMap& map, Scene& scene) {
                const YamlMap contact = map["contact"].map(keyNamesOf(sceneContactTable().block));
                readKeys(contact, contactTable(), scene.contact);
                readKeys(contact, sceneContactTable(), scene);
              },
          .write =
              [](const Scene& scene) {
                YamlOut map = blockOf(scene.contact, contactTable());
                writeKeys(scene, sceneContactTable(), map);
                return map.isEmpty() ? std::nullopt : std::optional(std::move(map));
              }};
}

std::vector<std::string> keysOfSettings(const MethodRows& own) {
  std::vector<std::string> keys;
  for (const MethodSetting& setting : own.settings) keys.emplace_back(setting.key);
  return keys;
}

/// With the blocks of methods that have settings of their own.
std::vector<std::string> keysOfSolver(const Scene& scene) {
  std::vector<std::string> keys = keyNamesOf("solver");
  if (scene.methods == nullptr) return keys;
  for (const auto& own : scene.methods->methods())
    if (!own->settings.empty()) keys.push_back(own->name);
  return keys;
}

void readMethodSettings(const YamlMap& solver, Scene& scene) {
  if (scene.methods == nullptr) return;
  for (const auto& own : scene.methods->methods()) {
    if (!solver.has(own->name)) continue;
    const YamlMap block = solver[own->name].map(keysOfSettings(*own));
    for (const MethodSetting& setting : own->settings)
      if (const std::string key(setting.key); block.has(key))
        scene.methodSettings.push_back({own->name, key, block[key].number(setting.range)});
  }
}

void writeMethodSettings(const Scene& scene, YamlOut& solver) {
  std::map<std::string, YamlOut> blocks;
  for (const MethodSettingSpec& setting : scene.methodSettings)
    blocks[setting.method].add(setting.key, YamlOut::number(setting.value));
  for (const auto& [method, block] : blocks) solver.add(method, block);
}

OwnCode<Scene> solverWithMethods() {
  OwnCode<Scene> code = within("solver", solverTable());
  code.read = [](const YamlMap& map, Scene& scene) {
    const YamlMap solver = map["solver"].map(keysOfSolver(scene));
    readKeys(solver, solverTable(), scene);
    readMethodSettings(solver, scene);
  };
  code.write = [](const Scene& scene) -> std::optional<YamlOut> {
    YamlOut solver = blockOf(scene, solverTable());
    writeMethodSettings(scene, solver);
    if (solver.isEmpty()) return std::nullopt;
    return solver;
  };
  return code;
}

}  // namespace

const Keys<Scene>& sceneTable() {
  static const Keys<Scene> kKeys{
      "scene",
      {},
      {{"slipstick",
        Elsewhere{"integer 1 .. 1000000"},
        "version of the format",
        {.page = "version of the format; a file of a later one needs a newer program", .fallback = "1"}},
       {"title", Elsewhere{"text"}, "one line for people", {.fallback = "file name"}},
       {"include",
        Elsewhere{"text | list text"},
        "scenes whose blocks lie below those of this file",
        {.page = "a scene, or a list of them, below this one: see \"Saying things once\""}},
       {"defaults", Elsewhere{"block defaults"}, "keys of this file's entries that do not say them"},
       {"gravity",
        &Scene::gravity,
        vector("m/s²"),
        "acceleration of free fall",
        {.page = "each from −10000 to 10000", .turn = Turn::First}},
       {"time", &Scene::time, block(timeTable()), "", {.turn = Turn::First}},
       {"grid", within("grid", gridTable()), ""},
       {"solver", solverWithMethods(), "", {.turn = Turn::First}},
       {"contact", sceneContact(), "the scene's contact law"},
       {"view", within("view", viewTable()), ""},
       {"frames", Elsewhere{"names frame"}, "names for poses, in which things are placed"},
       {"materials", Elsewhere{"names material"}},
       {"deformables", Elsewhere{"names deformable"}},
       {"bodies", Elsewhere{"names body"}, "rigid bodies without joints"},
       {"boundaries", Elsewhere{"names boundary"}, "walls, clamps and grips for deformables"},
       {"robots", Elsewhere{"names robot"}},
       {"welds", Elsewhere{"names weld"}, "loops of the kind weld"},
       {"loops", Elsewhere{"names loop"}, "close loops between two links"},
       {"pair_rules", Elsewhere{"list pair_rule"}, "exceptions for pairs; the last that fits decides"},
       {"paths", Elsewhere{"names path"}, "poses over time"},
       {"controllers", Elsewhere{"list controller"}},
       {"teleop", Elsewhere{"names effector"}, "what people drive by hand"},
       {"cameras", Elsewhere{"names camera"}},
       {"sensors", Elsewhere{"names sensor"}},
       {"task", Elsewhere{"block task"}, "what a person is asked to do"}}};
  return kKeys;
}

}  // namespace slipstick::assets
