// One slip in every format: robot files are mended with a warning in the same words; a scene, which is written by hand for
// this program, is refused with the place and the cure.
#include "assets/robot_io.h"
#include "tests/assets/mjcf_text.h"

namespace slipstick {
namespace {

using testing::expectFault;
using testing::noticesWith;
using testing::writeFile;

/// What stands at the same place in each format. Empty: the format has no such thing.
struct Slip {
  const char* name;
  std::string urdf, sdf, mjcf;
  std::vector<std::string> said;  ///< all of these are in one warning of each
  std::string scene;
  std::vector<std::string> refused;  ///< parts of the scene's error
};

const std::string kSolid =
    R"(<inertial><mass value="1"/><inertia ixx=".01" ixy="0" ixz="0" iyy=".01" iyz="0" izz=".01"/></inertial>)";
const std::string kSdfSolid =
    "<inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>";
const std::string kMjcfSolid = R"(<inertial pos="0 0 0" mass="1" diaginertia=".01 .01 .01"/>)";

/// base → a by the joint j; what tests put into the joint and the link.
std::string urdf(const std::string& joint, const std::string& link) {
  return R"(<robot name="r"><link name="base"/><joint name="j" type="revolute"><parent link="base"/><child link="a"/>)" +
         joint + "</joint><link name=\"a\">" + kSolid + link + "</link></robot>";
}

std::string sdf(const std::string& joint, const std::string& link) {
  return R"(<sdf version="1.7"><model name="m"><link name="base">)" + kSdfSolid + "</link><link name=\"a\">" +
         kSdfSolid + link +
         R"(</link><joint name="j" type="revolute"><parent>base</parent><child>a</child><axis><xyz>0 0 1</xyz>)" +
         joint + "</axis></joint></model></sdf>";
}

std::string mjcf(const std::string& joint, const std::string& link) {
  return testing::mjcf("<body name=\"a\"><joint name=\"j\" " + joint + "/>" + kMjcfSolid + link + "</body>");
}

const std::string kFree = R"(<limit lower="-1" upper="1" effort="1" velocity="1"/>)";
const std::string kSphere = "shapes: [{shape: sphere, radius: 0.1}]";

std::string body(const std::string& keys) {
  return "bodies:\n  b:\n    base: free\n    mass: 1\n    " + keys + "\n";
}

const std::vector<Slip> kSlips = {
    {"LimitsExchanged",
     urdf(R"(<limit lower="1" upper="-1" effort="1" velocity="1"/>)", ""),
     sdf("<limit><lower>1</lower><upper>-1</upper></limit>", ""),
     mjcf(R"(range="57 -57")", ""),
     {"the lower limit is above the upper one: it moves without limits"},
     "robots:\n  p:\n    urdf: pendulum\n    limits: {hinge: {lower: 1, upper: -1}}\n",
     {"test.yaml:4, key 'robots.p.limits.hinge.lower'", "the lower limit is above the upper one",
      "exchange them"}},
    {"EffortsExchanged",
     "",
     "",
     mjcf(R"(actuatorfrcrange="5 -5")", ""),
     {"'actuatorfrcrange' is not used: the lower limit is above the upper one"},
     "robots:\n  p:\n    urdf: pendulum\n    limits: {hinge: {effort: [5, -5]}}\n",
     {"test.yaml:4, key 'robots.p.limits.hinge.effort'", "the lower effort is above the upper one",
      "exchange them"}},
    {"ABoxOfNoThickness",
     urdf(kFree, R"(<collision><geometry><box size="0 1 1"/></geometry></collision>)"),
     sdf("", R"(<collision name="c"><geometry><box><size>0 1 1</size></box></geometry></collision>)"),
     mjcf("", R"(<geom type="box" size="0 1 1"/>)"),
     {"whose <box> has a size of 0 was dropped"},
     body("shapes: [{shape: box, size: [0, 1, 1]}]"),
     {"test.yaml:5, key 'bodies.b.shapes.0.size.0'", "0 is out of range", "write a number greater than 0"}},
    {"AMeshScaledToNothing",
     urdf(kFree, R"(<visual><geometry><mesh filename="m.obj" scale="1 0 1"/></geometry></visual>)"),
     sdf("",
         R"(<visual name="v"><geometry><mesh><uri>m.obj</uri><scale>1 0 1</scale></mesh></geometry></visual>)"),
     testing::mjcf("<body><joint/><geom size=\".1\"/><geom type=\"mesh\" mesh=\"m\"/></body>",
                   "<asset><mesh name=\"m\" scale=\"1 0 1\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\"/></asset>"),
     {"whose <mesh> has a size of 0 was dropped"},
     body("shapes: [{shape: mesh, file: meshes/vessels/mug.obj, scale: [1, 0, 1]}]"),
     {"test.yaml:5, key 'bodies.b.shapes.0.scale'", "a scale of 0 leaves nothing", "other than 0"}},
    {"CommasBetweenNumbers",
     urdf("<origin xyz=\"1,2,3\"/>" + kFree, ""),
     sdf("", "<pose>1,2,3,0,0,0</pose>"),
     mjcf("axis=\"0,0,1\"", ""),
     {"its commas are taken as spaces"},
     body("position: 1, 2, 3\n    " + kSphere),
     {"test.yaml:5, key 'bodies.b.position'", "a list of 3 numbers is expected here", "write [x, y, z]"}},
    {"CommasInNumbers",
     urdf("<origin xyz=\"0,5 0 1\"/>" + kFree, ""),
     sdf("", "<pose>0,5 0 1 0 0 0</pose>"),
     mjcf("axis=\"0,5 0 1\"", ""),
     {"its commas are taken as decimal points"},
     "time:\n  dt_ms: 0,5\n",
     {"test.yaml:2, key 'time.dt_ms'", "'0,5' is not a number", "write decimals after a point: 0.5"}},
    {"CommasInNumbersInBraces",
     "",
     "",
     "",
     {},
     "time: {dt_ms: 0,5}\n",
     {"test.yaml:1, key 'time.5'", "unknown key '5'", "write decimals after a point, not after a comma"}},
    {"SaidTwice",
     urdf(kFree, kSolid),
     sdf("", kSdfSolid),
     mjcf("", kMjcfSolid),
     {"a second <inertial> in <", "> is not used: the first, of line ", ", counts"},
     body("mass: 2\n    " + kSphere),
     {"test.yaml:5", "'mass' stands here twice, first in line 4", "remove one of the two"}},
    {"AnAttributeThatIsNone",
     urdf(R"(<origin xyz="0 0 1" xzy="1 0 0"/>)" + kFree, ""),
     sdf("", R"(<pose relativ_to="base">0 0 0 0 0 0</pose>)"),
     "",
     {"' of <", "> is not used"},
     body("positon: [0, 0, 1]\n    " + kSphere),
     {"test.yaml:5, key 'bodies.b.positon'", "unknown key 'positon'", "did you mean 'position'"}},
    {"AnAttributeThatIsNoneInMjcf",
     "",
     "",
     mjcf("axes=\"0 0 1\"", ""),
     {"<joint> has no 'axes': it is not used"},
     "",
     {}},
    {"AnElementThatIsNotUsed",
     urdf(kFree, "<gloss/>"),
     sdf("", "<gloss/>"),
     mjcf("", "<light/>"),
     {"> is not used"},
     "",
     {}},
};

class Slips : public ::testing::TestWithParam<Slip> {};

/// Each says it once, with the file, the line and the part.
void expectSaid(const std::string& file, const std::string& text, const std::vector<std::string>& parts) {
  if (text.empty()) return;
  writeFile("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  const Result<assets::LoadedScene> loaded = assets::loadScene(writeFile(file, text).string());
  ASSERT_TRUE(loaded) << loaded.error().message();
  std::vector<Notice> said = noticesWith(loaded->notices, file + ":");
  for (const std::string& part : parts) said = noticesWith(said, part);
  EXPECT_EQ(said.size(), 1u) << file << " lacks " << parts.front();
}

TEST_P(Slips, AreSaidAlikeByTheReadersOfRobots) {
  const Slip& slip = GetParam();
  expectSaid("robot.urdf", slip.urdf, slip.said);
  if (assets::readsSdf()) expectSaid("robot.sdf", slip.sdf, slip.said);
  expectSaid("robot.xml", slip.mjcf, slip.said);
}

TEST_P(Slips, AreRefusedInScenesWithPlaceAndCure) {
  if (!GetParam().scene.empty()) expectFault(testing::faultOf(GetParam().scene), GetParam().refused);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Slips, ::testing::ValuesIn(kSlips),
                         [](const auto& slip) { return std::string(slip.param.name); });

/// Names that are no ASCII are whole, whatever the encoding; what is guessed is said.
struct Encoding {
  const char* name;
  std::string (*encode)(const std::string&);
  bool isGuessed;
};

std::string latin1(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    bytes += c < 0x80 ? text[i]
                      : static_cast<char>(((c & 0x03) << 6) | (static_cast<unsigned char>(text[++i]) & 0x3F));
  }
  return bytes;
}

std::string utf16(const std::string& text) {
  std::string bytes = "\xfe\xff";
  for (const char c : latin1(text)) bytes += {'\0', c};
  return bytes;
}

std::string marked(const std::string& text) {
  return "\xef\xbb\xbf" + text;
}

const Encoding kEncodings[] = {{"Latin1", latin1, true}, {"Utf16", utf16, false}, {"Marked", marked, false}};

class SlipsOfEncoding : public ::testing::TestWithParam<Encoding> {};

TEST_P(SlipsOfEncoding, AreReadAlikeInEveryFormat) {
  const Encoding& encoding = GetParam();
  const std::string own = "größe";
  const auto expectNamed = [&](const std::string& file, const std::string& text) {
    const Result<assets::LoadedScene> loaded =
        assets::loadScene(writeFile(file, encoding.encode(text)).string());
    ASSERT_TRUE(loaded) << loaded.error().message();
    const Scene& scene = loaded->scene;
    bool found = scene.title == own;
    for (const RobotSpec& robot : scene.robots)
      for (const LinkSpec& link : robot.description.links) found |= link.name == own;
    EXPECT_TRUE(found) << file;
    EXPECT_EQ(noticesWith(loaded->notices, "this is not UTF-8: read as Latin-1").size(),
              encoding.isGuessed ? 1u : 0u)
        << file;
  };
  expectNamed("robot.urdf", "<robot name=\"r\"><link name=\"" + own + "\"/></robot>");
  if (assets::readsSdf())
    expectNamed("robot.sdf",
                "<sdf version=\"1.7\"><model name=\"m\"><link name=\"" + own + "\"/></model></sdf>");
  expectNamed("robot.xml", testing::mjcf("<body name=\"" + own + "\"><joint/><geom size=\".1\"/></body>"));
  expectNamed("scene.yaml", "title: " + own + "\n");
}

INSTANTIATE_TEST_SUITE_P(Kinds, SlipsOfEncoding, ::testing::ValuesIn(kEncodings),
                         [](const auto& encoding) { return std::string(encoding.param.name); });

}  // namespace
}  // namespace slipstick
