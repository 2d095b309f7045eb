// Tables of materials, deformables, boundaries, robots, looks, cameras, sensors and pair rules.
#include <algorithm>
#include <array>
#include <limits>

#include "assets/limits.h"
#include "assets/scene_tables.h"
#include "assets/writer_parts.h"
#include "assets/xml_repairs.h"

namespace slipstick::assets {
namespace {

Codec<double> ofMaterial(std::string_view key) {
  return tuned(ParameterBlock::Material, key);
}

/// In the order in which people look for them.
Codec<MaterialModel> materialModel() {
  using Model = MaterialModel;
  const auto nameOf = [](Model model) {
    return std::string(kMaterialNames[static_cast<std::size_t>(model)]);
  };
  std::vector<std::pair<std::string, Model>> pairs;
  for (std::size_t m = 0; m < kMaterialNames.size(); ++m)
    pairs.emplace_back(kMaterialNames[m], static_cast<Model>(m));
  std::vector<std::string> byFamily;
  for (const Model model :
       {Model::FixedCorotated, Model::NeoHookean, Model::LinearCorotated, Model::Hencky,
        Model::HenckyVonMises, Model::CorotatedHenckyVonMises, Model::LinearCorotatedVonMises,
        Model::DruckerPrager, Model::Snow, Model::Liquid, Model::Cloth})
    byFamily.push_back(nameOf(model));
  Codec<Model> codec = words(std::move(pairs));
  codec.type = wordsType(byFamily);
  return codec;
}

/// Whether the friction angle of sand changes, or is none that sand can keep: it needs all four numbers.
bool hardens(const MaterialParameters& sand) {
  const auto& h = sand.sandHardening;
  return h[1] != 0 || h[2] != 0 || h[3] != 0 || !(h[0] >= 0 && h[0] < 90);
}

/// One angle for good.
OwnCode<MaterialParameters> frictionAngle() {
  const Codec<double> angle = ofMaterial("friction_angle_deg");
  return {.type = angle.type,
          .unit = angle.unit,
          .read =
              [read = angle.read](const YamlMap& map, MaterialParameters& sand) {
                sand.sandHardening = {read(map["friction_angle_deg"]), 0, 0, 0};
              },
          .write =
              [write = angle.write](const MaterialParameters& sand) {
                return hardens(sand) ? std::nullopt : std::optional(write(sand.sandHardening[0]));
              }};
}

OwnCode<MaterialParameters> sandHardening() {
  return {.type = "numbers 4",
          .unit = std::string(unitOf(ParameterBlock::Material, "hardening_deg")),
          .read =
              [](const YamlMap& map, MaterialParameters& sand) {
                const YamlValue value = map["hardening_deg"];
                if (map.has("friction_angle_deg"))
                  value.fail(ErrorCode::InvalidValue, "'friction_angle_deg' and 'hardening_deg' contradict",
                             "remove one of the two");
                const std::vector<double> h = value.numbers(sand.sandHardening.size());
                std::copy_n(h.begin(), std::min(h.size(), sand.sandHardening.size()),
                            sand.sandHardening.begin());
              },
          .write =
              [](const MaterialParameters& sand) {
                const auto& h = sand.sandHardening;
                return hardens(sand) ? std::optional(YamlOut::numbers({h.begin(), h.end()})) : std::nullopt;
              }};
}

/// Of a liquid: without it J stays below 1.
OwnCode<MaterialParameters> tension() {
  return {.type = flag().type,
          .read =
              [](const YamlMap& map, MaterialParameters& liquid) {
                if (map["tension"].boolean()) liquid.largestJ = std::numeric_limits<double>::infinity();
              },
          .write =
              [](const MaterialParameters& liquid) {
                return liquid.largestJ > 1 ? std::optional(YamlOut::boolean(true)) : std::nullopt;
              }};
}

/// [nx, ny, nz]
Codec<std::array<int, 3>> latticeCount() {
  constexpr int kMost = 10000;
  return {.type = "list " + whole(1, kMost).type,
          .read =
              [](const YamlValue& value) {
                std::array<int, 3> count = {1, 1, 1};
                const std::vector<YamlValue> items = value.list();
                if (items.size() != count.size())
                  value.fail(ErrorCode::InvalidValue, "three whole numbers are expected here",
                             "write [nx, ny, nz]");
                else
                  for (std::size_t i = 0; i < count.size(); ++i) count[i] = items[i].integer(1, kMost);
                return count;
              },
          .write =
              [](const std::array<int, 3>& count) {
                YamlOut::List items;
                for (const int n : count) items.push_back(YamlOut::integer(n));
                return YamlOut::list(std::move(items));
              }};
}

Codec<unsigned> samplingSeed() {
  constexpr int kLargest = 1'000'000'000;
  return {.type = whole(0, kLargest).type,
          .read = [](const YamlValue& value) { return static_cast<unsigned>(value.integer(0, kLargest)); },
          .write = YamlOut::integer};
}

/// A number, or an infinity as YAML or this program's writer spells it.
Codec<double> limit(const Range& range, std::string unit) {
  Codec<double> codec = number(range, std::move(unit));
  const bool hasLower = range.lower < 0;
  codec.type += hasLower ? " | 'inf' | '-inf'" : " | 'inf'";
  codec.read = [range, hasLower](const YamlValue& value) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const char* word : {".inf", "inf", ".Inf", "+.inf"})
      if (value.isWord(word)) return kInfinity;
    for (const char* word : {"-.inf", "-inf", "-.Inf"})
      if (hasLower && value.isWord(word)) return -kInfinity;
    return value.number(range);
  };
  return codec;
}

/// What a joint's actuator can exert: as much both ways, or [lower, upper].
Codec<multibody::EffortRange> effortRange() {
  const Codec<double> largest = limit(kNonNegative, "N m, N");
  return {.type = largest.type + " | numbers 2",
          .unit = largest.unit,
          .read = [read = largest.read](const YamlValue& value) -> multibody::EffortRange {
            if (!value.isList()) return read(value);
            const std::vector<double> ends = value.numbers(2);
            if (ends[0] > ends[1])
              value.fail(ErrorCode::InvalidValue, "the lower effort is above the upper one", "exchange them");
            return {ends[0], ends[1]};
          },
          .write =
              [](const multibody::EffortRange& range) {
                return range.isAlikeBothWays() ? YamlOut::number(range.upper)
                                               : YamlOut::numbers({range.lower, range.upper});
              }};
}

/// A list [ixx, iyy, izz, ixy, ixz, iyz], or the three moments alone.
Codec<Mat3> inertia() {
  return {.type = "numbers 6 | numbers 3",
          .unit = "kg m²",
          .read =
              [](const YamlValue& value) {
                const std::size_t count = value.isList() && value.list().size() == 3 ? 3 : 6;
                const std::vector<double> I = value.numbers(count);
                Mat3 inertia = Vec3(I[0], I[1], I[2]).asDiagonal();
                if (count == 3) return inertia;
                inertia(0, 1) = inertia(1, 0) = I[3];
                inertia(0, 2) = inertia(2, 0) = I[4];
                inertia(1, 2) = inertia(2, 1) = I[5];
                return inertia;
              },
          .write =
              [](const Mat3& I) {
                return YamlOut::numbers({I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)});
              }};
}

Codec<Color> color() {
  return {.type = "color", .read = &YamlValue::color, .write = writer::colorOf};
}

/// Of all that has a colour, which may be unset, and may be hidden.
template <class Spec>
Keys<Spec> lookOf(Turn visible) {
  return {"look",
          {},
          {{"color",
            &Spec::color,
            color(),
            "\"#RRGGBB\" or linear [r, g, b]; in place of that of its shapes",
            {.fallback = ""}},
           {"visible",
            &Spec::visible,
            flag(),
            "false: it is not in the picture and acts as before",
            {.turn = visible}}}};
}

}  // namespace

const Keys<MaterialParameters>& materialTable() {
  using Spec = MaterialParameters;
  static const Keys<Spec> kKeys{
      "material",
      {},
      {{"model",
        &Spec::model,
        materialModel(),
        "each has keys of its own",
        {.isRequired = true, .turn = Turn::First}},
       {"density",
        &Spec::density,
        number(kPositive, "kg/m³"),
        "of sand and snow with their pores",
        {.isRequired = true}},
       {"E", &Spec::E, ofMaterial("E"), "Young's modulus", {.isRequired = true}},
       {"nu", &Spec::nu, ofMaterial("nu"), "Poisson's ratio", {.isRequired = true}},
       {"yield_stress",
        &Spec::yieldStress,
        ofMaterial("yield_stress"),
        "von Mises: ‖dev τ‖ ≤ √(2/3) σ_y",
        {.fallback = "never yields"}},
       {"friction_angle_deg", frictionAngle(), "of sand, always the same"},
       {"hardening_deg", sandHardening(), "of sand: [h0, h1, h2, h3]", {.fallback = "[35, 9, 0.2, 10]"}},
       {"critical_compression", &Spec::snowCompression, ofMaterial("critical_compression"), "of snow"},
       {"critical_stretch", &Spec::snowStretch, ofMaterial("critical_stretch"), "of snow"},
       {"hardening", &Spec::snowHardening, ofMaterial("hardening"), "of snow"},
       {"bulk_modulus",
        &Spec::bulkModulus,
        ofMaterial("bulk_modulus"),
        "required for liquids",
        {.fallback = "", .isRequired = true}},
       {"exponent", &Spec::tait, ofMaterial("exponent"), "γ of a liquid"},
       {"viscosity", &Spec::viscosity, ofMaterial("viscosity"), "of a liquid"},
       {"tension", tension(), "true: the liquid holds together under tension", {.fallback = "false"}},
       {"thickness",
        &Spec::thickness,
        number(kPositive, "m"),
        "required for cloth",
        {.fallback = "", .isRequired = true}},
       {"normal_stiffness", &Spec::normalStiffness, ofMaterial("normal_stiffness"),
        "of cloth, against compression of its thickness"},
       {"shear_stiffness", &Spec::shearStiffness, ofMaterial("shear_stiffness"),
        "of the cloth's layers against each other"},
       {"layer_friction", &Spec::layerFriction, ofMaterial("layer_friction"), "limit of that shear"},
       {"bending_stiffness", &Spec::bendingStiffness, ofMaterial("bending_stiffness"),
        "of the cloth as a plate"}}};
  return kKeys;
}

std::vector<std::string> keysOfModel(MaterialModel model) {
  std::vector<std::string> keys = materialKeys(model);
  keys.insert(keys.end(), {"model", "density"});
  return keys;
}

const Keys<SamplingSpec>& samplingTable() {
  using Spec = SamplingSpec;
  static const Keys<Spec> kKeys{
      "sampling",
      {},
      {{"kind",
        &Spec::kind,
        words<Spec::Kind>({{"lattice", Spec::Kind::Lattice}, {"poisson", Spec::Kind::Poisson}}),
        "regular cells or an irregular cloud",
        {.page = "regular cells; `poisson`: an irregular cloud with even distances"}},
       {"particles_per_cell",
        &Spec::particlesPerCell,
        number({0, 1000, true}),
        "mean number in a grid cell",
        {.page = "mean number in a grid cell h³"}},
       {"spacing",
        &Spec::spacing,
        number(kPositive, "m"),
        "distance of particles, in place of their number",
        {.page = "d_p instead of particles per cell"}},
       {"count",
        &Spec::count,
        latticeCount(),
        "[nx, ny, nz]: boxes only",
        {.page = "`[nx, ny, nz]`: boxes only"}},
       {"seed", &Spec::seed, samplingSeed(), "of poisson", {.page = "of `poisson`"}}}};
  return kKeys;
}

const Keys<DeformableSpec>& deformableTable() {
  using Spec = DeformableSpec;
  static const Keys<Spec> kKeys{
      "deformable",
      {"shape", "sheet", "placed", "moving", "look", "copied", "mirrored"},
      {{"material",
        &Spec::material,
        text(),
        "a name of 'materials'",
        {.page = "a name of `materials`", .isRequired = true, .turn = Turn::First}},
       {"apic_damping",
        &Spec::apicDamping,
        tuned(ParameterBlock::Deformable, "apic_damping"),
        "1 = APIC, 0 = RPIC",
        {.page = "scale of the symmetric part of C: 1 = APIC, 0 = RPIC", .turn = Turn::Later}},
       {"draw",
        &Spec::draw,
        words<DrawStyle>({{"particles", DrawStyle::Particles}, {"surface", DrawStyle::Surface}}),
        "surface: a skin around the particles",
        {.page = "or `surface`: a skin around the particles; cloth is always drawn as its mesh",
         .turn = Turn::Last}},
       {"sampling", &Spec::sampling, block(samplingTable()), "where its particles start"}}};
  return kKeys;
}

const Keys<DeformableSpec>& deformableLookTable() {
  static const Keys<DeformableSpec> kKeys = lookOf<DeformableSpec>(Turn::Usual);
  return kKeys;
}

const Keys<LookSpec>& lookTable() {
  static const Keys<LookSpec> kKeys = lookOf<LookSpec>(Turn::First);
  return kKeys;
}

const Keys<RobotSpec>& robotTable() {
  using Spec = RobotSpec;
  static const Keys<Spec> kKeys{
      "robot",
      {"base"},
      {{"urdf", Elsewhere{"text"}, "a file, or the name of a shipped robot"},
       {"sdf", Elsewhere{"text"}, "a file, in place of urdf"},
       {"mjcf", Elsewhere{"text"}, "a model of MuJoCo, in place of urdf"},
       {"srdf", Elsewhere{"text"}, "a file that says which links do not collide"},
       {"joints", Elsewhere{"names number | names pose", "rad, m"}, "where joints start"},
       {"velocities", Elsewhere{"names number | names moving", "rad/s, m/s"}, "how fast they start"},
       {"damping", Elsewhere{"names number >= 0", "N m s/rad, N s/m"}, "over the robot's file"},
       {"dry_friction", Elsewhere{"names number >= 0", "N m, N"}, "over the robot's file"},
       {"stiffness", Elsewhere{"names number >= 0", "N m/rad, N/m"}, "of springs in joints"},
       {"spring_reference", Elsewhere{"names number", "rad, m"}, "where those springs are at rest"},
       {"armature", Elsewhere{"names number >= 0", "kg m², kg"}, "reflected inertia of rotors"},
       {"limits", Elsewhere{"names limits"}, "of joints, over the robot's file"},
       {"links", Elsewhere{"names link"}, "what is said of single links"},
       {"convex_parts", &Spec::convexParts, whole(0, limits::kSplitParts),
        "the most of each collision mesh that is not convex"},
       {"hold", &Spec::isHeld, flag(), "drive its joints to where they start", {.turn = Turn::First}}}};
  return kKeys;
}

const Keys<JointLimitSpec>& limitsTable() {
  using Spec = JointLimitSpec;
  static const Keys<Spec> kKeys{"limits",
                                {},
                                {{"lower", &Spec::lower, limit(kAny, "rad, m"), "of the position"},
                                 {"upper", &Spec::upper, limit(kAny, "rad, m"), "of the position"},
                                 {"velocity",
                                  &Spec::velocityLimit,
                                  limit(kNonNegative, "rad/s, m/s"),
                                  "largest speed",
                                  {.turn = Turn::Last}},
                                 {"effort",
                                  &Spec::effortLimit,
                                  effortRange(),
                                  "largest effort, or [lower, upper]",
                                  {.turn = Turn::Last}}},
                                [](const YamlMap& map, const Spec& said) {
                                  if (said.lower && said.upper && *said.lower > *said.upper)
                                    map["lower"].fail(ErrorCode::InvalidValue, kLimitsExchanged,
                                                      "exchange them");
                                }};
  return kKeys;
}

const Keys<LinkInertiaSpec>& linkTable() {
  using Spec = LinkInertiaSpec;
  static const Keys<Spec> kKeys{
      "link",
      {"look"},
      {{"contact", Elsewhere{"block contact"}, "its own contact law"},
       {"convex_parts",
        Elsewhere{whole(0, limits::kSplitParts).type},
        "the most of each of its collision meshes",
        {.fallback = "the robot's"}},
       {"mass", &Spec::mass, number(kNonNegative, "kg"), "over the robot's file"},
       {"com", &Spec::com, vector("m"), "centre of mass, in the link's frame"},
       {"inertia", &Spec::inertia, inertia(), "[ixx, iyy, izz, ixy, ixz, iyz] about the centre of mass"}}};
  return kKeys;
}

const Keys<BoundarySpec>& boundaryTable() {
  using Spec = BoundarySpec;
  static const Keys<Spec> kKeys{
      "boundary",
      {"shape", "placed", "look", "copied", "mirrored"},
      {{"kind",
        &Spec::kind,
        words<BoundaryKind>({{"sticky", BoundaryKind::Sticky},
                             {"slip", BoundaryKind::Slip},
                             {"separate", BoundaryKind::Separate}}),
        "what its surface lets through",
        {.page = "`sticky`: what is inside moves with the boundary; `slip`: nothing moves through the "
                 "surface, either way; `separate`: nothing moves inwards",
         .isRequired = true,
         .turn = Turn::First}},
       {"path",
        &Spec::path,
        text(),
        "a name of 'paths' that it follows",
        {.page = "a name of `paths` that it follows"}},
       {"from",
        &Spec::from,
        number(kNonNegative, "s"),
        "when it begins to act",
        {.page = "when it acts; what it held is free afterwards", .was = "from_s", .turn = Turn::Later}},
       {"until",
        &Spec::until,
        number(kPositive, "s"),
        "when it lets go",
        {.was = "until_s", .fallback = "never", .sharesLine = true, .turn = Turn::Later}},
       {"friction",
        &Spec::friction,
        tuned(ParameterBlock::Boundary, "friction"),
        "μ of slip and separate",
        {.page = "μ of `slip` and `separate`: brakes what slides by up to μ × what presses",
         .turn = Turn::Later}}}};
  return kKeys;
}

const Keys<PairRuleSpec>& pairRuleTable() {
  using Spec = PairRuleSpec;
  constexpr std::string_view kWhom = "robot, body, link, shape, deformable, or * for all";
  static const Keys<Spec> kKeys{
      "pair_rule",
      {},
      {{"a",
        &Spec::a,
        text(),
        kWhom,
        {.page = "a robot, a body, a link (`robot.link`), a collision shape, or `\"*\"` for all of these; "
                 "one of the two may be a deformable"}},
       {"b", &Spec::b, text(), kWhom, {.sharesLine = true}},
       {"enabled",
        &Spec::enabled,
        flag(),
        "false: they pass through each other",
        {.page = "false: these two pass through each other; true: they meet, also where they would not by "
                 "themselves"}},
       {"friction", &Spec::friction, tuned(ParameterBlock::PairRule, "friction"), "μ of the pair"},
       {"restitution", &Spec::restitution, tuned(ParameterBlock::PairRule, "restitution"),
        "e of the pair, which has no deformable"}},
      [](const YamlMap& map, const Spec& rule) {
        if (!rule.enabled && !rule.friction && !rule.restitution)
          map.self().fail(ErrorCode::InvalidValue, "the rule changes nothing",
                          "add 'enabled: false', 'friction: …' or 'restitution: …'");
      }};
  return kKeys;
}

const Keys<CameraSpec>& cameraTable() {
  using Spec = CameraSpec;
  static const Keys<Spec> kKeys{
      "camera",
      {},
      {{"position", &Spec::position, vector("m"), "of the eye", {.isRequired = true}},
       {"target", &Spec::target, vector("m"), "that it looks at"},
       {"up", &Spec::up, vector(), "what is up in the picture"},
       {"fov_deg", &Spec::fieldOfView, number({1, 170}, "°"), "vertical field of view"},
       {"body", &Spec::body, text(), "a body, link or frame that it rides on", {.turn = Turn::Last}}}};
  return kKeys;
}

const Keys<SensorSpec>& sensorTable() {
  using Spec = SensorSpec;
  static const Keys<Spec> kKeys{
      "sensor",
      {"pose"},
      {{"kind",
        &Spec::kind,
        words<Spec::Kind>({{"force_torque", Spec::Kind::ForceTorque},
                           {"contact", Spec::Kind::Contact},
                           {"imu", Spec::Kind::Imu}}),
        "what it measures",
        {.isRequired = true, .turn = Turn::First}},
       {"link", Elsewhere{"text"}, "robot.link, a body or a frame"},
       {"joint", Elsewhere{"text"}, "of a force_torque sensor, in place of the link beyond it"},
       {"other", &Spec::other, text(), "of a contact sensor: whose touch counts"}}};
  return kKeys;
}

}  // namespace slipstick::assets
