#include "assets/mjcf_schema.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <sstream>

namespace slipstick::assets {
namespace {

/// Attributes of an element as lists of words: "name" is text, "pos:3" three numbers, "size:1-3" one to three,
/// "vertex:3*" any multiple of three, "limited=auto|true" one of these words.
struct Row {
  const char* context;
  const char* tag;
  const char* inside;
  const char* used;
  const char* neutral = "";
  const char* named = "";
  const char* acts = "";
};

/// Lists that several rows have in common: "@geom" in a row.
struct Shared {
  const char* name;
  const char* list;
};
constexpr Shared kShared[] = {
    {"@orientation", "quat:4 axisangle:4 xyaxes:6 zaxis:3 euler:3"},
    {"@geom",
     "class type=plane|hfield|sphere|capsule|ellipsoid|cylinder|box|mesh|sdf contype:1 conaffinity:1 "
     "condim:1 "
     "group:1 size:1-3 material rgba:4 friction:1-3 mass:1 density:1 shellinertia=false|true fromto:6 pos:3 "
     "hfield mesh fitscale:1 @orientation"},
    {"@geom-named", "priority solmix solref solimp margin gap"},
    {"@geom-acts", "surfacevel adhesion fluidshape fluidcoef"},
    {"@joint",
     "class type=free|ball|slide|hinge pos:3 axis:3 springdamper:2 limited=auto|false|true range:2 "
     "actuatorfrclimited=auto|false|true actuatorfrcrange:2 stiffness:1-3 damping:1-3 frictionloss:1 "
     "armature:1 "
     "ref:1 springref:1"},
    {"@joint-named", "margin solreflimit solimplimit solreffriction solimpfriction"},
    {"@site", "class pos:3 fromto:6 @orientation"},
    {"@site-neutral", "type size group material mesh rgba user"},
    {"@camera", "class mode=fixed|track|trackcom|targetbody|targetbodycom fovy:1 pos:3 @orientation"},
    {"@camera-neutral", "ipd resolution output user"},
    {"@camera-named", "projection sensorsize focal focalpixel principal principalpixel"},
    {"@mesh", "class scale:3 inertia=convex|exact|legacy|shell"},
    {"@texture", "class type=2d|cube|skybox builtin=none|gradient|checker|flat rgb1:3 rgb2:3"},
    {"@texture-neutral",
     "mark markrgb random width height colorspace content_type nchannel embed gridsize gridlayout"},
    {"@material", "class texture rgba:4 metallic:1 roughness:1"},
    {"@material-neutral", "emission specular shininess reflectance texrepeat texuniform"},
    {"@equality", "name class active=false|true"},
};

constexpr Row kRows[] = {
    {"", "mujoco", "mujoco", "model", "xmlns:xsi xsi:noNamespaceSchemaLocation"},
    {"mujoco", "compiler", "compiler",
     "angle=radian|degree assetdir meshdir texturedir autolimits=false|true balanceinertia=false|true "
     "boundinertia:1 boundmass:1 coordinate=local|global eulerseq fitaabb=false|true settotalmass:1 "
     "inertiafromgeom=false|true|auto inertiagrouprange:2 strippath=false|true exactmeshinertia=false|true",
     "alignfree conflict discardvisual fusestatic passthrough savecanonical savecompiled saveinertial "
     "usethread "
     "convexhull"},
    {"mujoco", "option", "option", "timestep:1 gravity:3", "",
     "actuatorgroupdisable apirate ccd_iterations ccd_tolerance collision cone impratio integrator "
     "iterations "
     "jacobian ls_iterations ls_tolerance magnetic mpr_iterations mpr_tolerance noslip_iterations "
     "noslip_tolerance o_friction o_margin o_solimp o_solref sdf_initpoints sdf_iterations sleep_tolerance "
     "solver tolerance",
     "density viscosity wind"},
    {"option", "flag", "",
     "actuation=enable|disable constraint=enable|disable contact=enable|disable damper=enable|disable "
     "equality=enable|disable frictionloss=enable|disable gravity=enable|disable limit=enable|disable "
     "passive=enable|disable spring=enable|disable",
     "autoreset clampctrl diagexact energy eulerdamp fwdinv invdiscrete island midphase multiccd nativeccd "
     "override refsafe sensor sensornoise sleep speculative warmstart ipc",
     "", "filterparent"},
    {"mujoco", "default", "default", "class"},
    {"default", "default", "default", "class"},
    {"default", "geom", "", "@geom", "castshadow user", "@geom-named", "@geom-acts"},
    {"default", "joint", "", "@joint", "group user", "@joint-named", "actuatorgravcomp springyield"},
    {"default", "site", "", "@site", "@site-neutral"},
    {"default", "camera", "", "@camera", "@camera-neutral", "@camera-named"},
    {"default", "mesh", "", "@mesh", "smoothnormal", "maxhullvert"},
    {"default", "texture", "", "@texture", "@texture-neutral", "hflip vflip"},
    {"default", "material", "", "@material", "@material-neutral"},
    {"default", "equality", "", "@equality", "", "solref solimp"},
    {"mujoco", "asset", "asset", ""},
    {"asset", "mesh", "mesh",
     "@mesh name file content_type vertex:3* normal:3* texcoord:2* face:3* refpos:3 refquat:4 "
     "material builtin params:1-12",
     "smoothnormal", "maxhullvert"},
    {"asset", "texture", "", "@texture name file fileright fileleft fileup filedown filefront fileback",
     "@texture-neutral", "hflip vflip"},
    {"asset", "material", "material", "@material name", "@material-neutral"},
    {"material", "layer", "", "texture role"},
    {"asset", "model", "", "name file content_type"},
    {"mujoco", "worldbody", "body", ""},
    {"body", "body", "body", "name childclass mocap=false|true pos:3 @orientation", "sleep simple fuse user",
     "", "gravcomp"},
    {"body", "frame", "body", "childclass pos:3 scale:1-3 massscale:1 @orientation", "name scaling"},
    {"body", "replicate", "body", "count:1 sep offset:3 euler:3 childclass"},
    {"body", "attach", "", "model body frame prefix"},
    {"body", "inertial", "", "pos:3 mass:1 diaginertia:3 fullinertia:6 @orientation"},
    {"body", "joint", "", "name @joint", "group user", "@joint-named", "actuatorgravcomp springyield"},
    {"body", "freejoint", "", "name", "group align"},
    {"body", "geom", "geom", "name @geom", "castshadow user", "@geom-named", "@geom-acts"},
    {"body", "site", "", "name @site", "@site-neutral"},
    {"body", "camera", "", "name target @camera", "@camera-neutral", "@camera-named"},
    {"mujoco", "contact", "contact", ""},
    {"contact", "exclude", "", "name body1 body2"},
    {"contact", "pair", "", "name class geom1 geom2", "",
     "condim friction solref solimp solreffriction margin gap adhesion"},
    {"mujoco", "equality", "equality", ""},
    {"equality", "connect", "", "@equality body1 body2 anchor:3 site1 site2", "", "solref solimp"},
    {"equality", "weld", "", "@equality body1 body2 anchor:3 relpose:7 site1 site2 torquescale:1", "",
     "solref solimp"},
    {"equality", "joint", "", "@equality joint1 joint2 polycoef:1-5", "", "solref solimp"},
    {"mujoco", "actuator", "actuator", ""},
    {"mujoco", "keyframe", "keyframe", ""},
    {"keyframe", "key", "", "name qpos:1* qvel:1* ctrl:1*", "time act mpos mquat plastic"},
};

/// Actuators of all kinds share their attributes, and so do their defaults.
constexpr const char* kActuatorUsed =
    "name class joint jointinparent tendon site body cranksite slidersite refsite gear:1-6 "
    "ctrllimited=auto|false|true ctrlrange:2 forcelimited=auto|false|true forcerange:2 kp:1 kv:1-3 "
    "dampratio:1 "
    "gaintype biastype dyntype gainprm:1-10 biasprm:1-10 armature:1 damping:1-3";
/// An actuator that is not used is named as a whole.
constexpr const char* kActuatorNeutral =
    "group user nsample interp delay lengthrange actearly dynprm timeconst actdim actlimited actrange "
    "inheritrange "
    "cranklength area bias cogging controller diameter ffrange force fpmax fvmax gain imax inductance input "
    "instance ki lmax lmin lugre motorconst nominal plugin posrange range resistance saturation scale "
    "slewmax "
    "tausmooth thermal velrange vmax";

constexpr const char* kActuators =
    "general motor position velocity intvelocity orientation pid damper cylinder muscle adhesion dcmotor "
    "plugin";

/// What is known but has no rules.
struct Unused {
  const char* context;
  const char* neutral;
  const char* named;
  const char* acts;
  const char* refused = "";
};
constexpr Unused kUnused[] = {
    // Sensors and tendons are listed by who reads the scene.
    {"mujoco", "size statistic visual sensor tendon", "custom extension", "deformable"},
    {"compiler", "lengthrange", "", ""},
    {"default", "light pair tendon", "", ""},
    {"asset", "hfield", "skin", ""},
    {"mesh", "", "", "", "plugin"},
    {"geom", "", "", "plugin"},
    {"body", "", "light", "plugin", "flexcomp composite"},
    {"equality", "", "", "tendon flex flexvert flexstrain distance"},
};

std::vector<std::string> wordsIn(const char* text, char separator = ' ') {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, separator);)
    if (!word.empty()) words.push_back(word);
  return words;
}

MjcfAttribute attributeOf(const std::string& word, MjcfUse use) {
  MjcfAttribute attribute;
  attribute.use = use;
  const std::size_t equals = word.find('='), colon = word.rfind(':');
  const bool counts = colon != std::string::npos && colon + 1 < word.size() &&
                      std::isdigit(static_cast<unsigned char>(word[colon + 1])) != 0;
  attribute.name = word.substr(0, counts ? colon : equals);
  if (!counts && equals != std::string::npos) attribute.words = wordsIn(word.substr(equals + 1).c_str(), '|');
  if (!counts) return attribute;
  const std::string count = word.substr(colon + 1);
  const std::size_t dash = count.find('-');
  attribute.least = std::stoul(count);
  attribute.most = dash == std::string::npos ? attribute.least : std::stoul(count.substr(dash + 1));
  if (count.back() == '*') {
    attribute.multiple = attribute.least;
    attribute.most = std::numeric_limits<std::size_t>::max();
  }
  return attribute;
}

using Table = std::map<std::pair<std::string, std::string>, MjcfRules>;

void addAttributes(const char* list, MjcfUse use, MjcfRules& rules) {
  for (const std::string& word : wordsIn(list)) {
    if (word.front() != '@') rules.attributes.push_back(attributeOf(word, use));
    for (const Shared& shared : kShared)
      if (word == shared.name) addAttributes(shared.list, use, rules);
  }
}

Table makeTable() {
  Table table;
  for (const Row& row : kRows) {
    MjcfRules& rules = table[{row.context, row.tag}];
    rules.inside = row.inside;
    addAttributes(row.used, MjcfUse::Used, rules);
    addAttributes(row.neutral, MjcfUse::Neutral, rules);
    addAttributes(row.named, MjcfUse::Named, rules);
    addAttributes(row.acts, MjcfUse::Acts, rules);
  }
  for (const std::string& tag : wordsIn(kActuators))
    for (const char* context : {"actuator", "default"}) {
      MjcfRules& rules = table[{context, tag}];
      addAttributes(kActuatorUsed, MjcfUse::Used, rules);
      addAttributes(kActuatorNeutral, MjcfUse::Neutral, rules);
    }
  return table;
}

const Table& table() {
  static const Table kTable = makeTable();
  return kTable;
}

bool lists(const char* list, const std::string& tag) {
  const std::vector<std::string> words = wordsIn(list);
  return std::find(words.begin(), words.end(), tag) != words.end();
}

}  // namespace

const MjcfAttribute* MjcfRules::find(std::string_view attribute) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const MjcfAttribute& a) { return a.name == attribute; });
  return found == attributes.end() ? nullptr : &*found;
}

std::vector<std::string> MjcfRules::names() const {
  std::vector<std::string> names;
  for (const MjcfAttribute& attribute : attributes) names.push_back(attribute.name);
  return names;
}

const MjcfRules* mjcfRules(const std::string& context, const std::string& tag) {
  const auto found = table().find({context, tag});
  return found == table().end() ? nullptr : &found->second;
}

MjcfUse useOfElement(const std::string& context, const std::string& tag) {
  for (const Unused& unused : kUnused) {
    if (context != unused.context) continue;
    if (lists(unused.neutral, tag)) return MjcfUse::Neutral;
    if (lists(unused.named, tag)) return MjcfUse::Named;
    if (lists(unused.acts, tag)) return MjcfUse::Acts;
    if (lists(unused.refused, tag)) return MjcfUse::Refused;
  }
  return MjcfUse::Unknown;
}

std::vector<std::string> knownElements(const std::string& context) {
  std::vector<std::string> known;
  for (const auto& [key, rules] : table())
    if (key.first == context) known.push_back(key.second);
  for (const Unused& unused : kUnused)
    if (context == unused.context)
      for (const char* list : {unused.neutral, unused.named, unused.acts, unused.refused})
        for (std::string& tag : wordsIn(list)) known.push_back(std::move(tag));
  return known;
}

}  // namespace slipstick::assets
