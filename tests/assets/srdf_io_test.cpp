#include "assets/srdf_io.h"

#include <algorithm>

#include "assets/robot_io.h"
#include "assets/scene_file.h"
#include "assets/scene_writer.h"
#include "engine/compile/compile.h"
#include "engine/model/model.h"
#include "tests/assets/scene_text.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using testing::expectFault;
using testing::writeFile;

/// Four boxes a metre apart in a chain.
std::string chain() {
  std::string text = "<robot name='chain'>";
  for (const std::string name : {"a", "b", "c", "d"})
    text +=
        "<link name='" + name +
        "'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
        "<collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision></link>";
  for (const std::string name : {"ab", "bc", "cd"})
    text += "<joint name='" + name + "' type='continuous'><origin xyz='1 0 0'/><parent link='" +
            name.substr(0, 1) + "'/><child link='" + name.substr(1) + "'/></joint>";
  return text + "</robot>";
}

LinkSpec linkCalled(const std::string& name) {
  LinkSpec link;
  link.name = name;
  return link;
}

RobotDescription chainOf(const std::string& links) {
  RobotDescription robot;
  robot.name = "chain";
  for (const char name : links) robot.links.push_back(linkCalled(std::string(1, name)));
  return robot;
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

struct Read {
  Pairs apart;
  std::vector<Notice> notices;
  std::string fault;
  bool says(Notice::Level level, const std::string& where, const std::string& what) const {
    return std::any_of(notices.begin(), notices.end(), [&](const Notice& n) {
      return n.level == level && n.where.find(where) != std::string::npos &&
             n.what.find(what) != std::string::npos;
    });
  }
};

Read readAs(RobotDescription robot, const std::string& text) {
  Read read;
  const Result<void> added = assets::addSrdf(writeFile("chain.srdf", text), robot, read.notices);
  if (!added) read.fault = added.error().message();
  read.apart = robot.excludedLinks;
  return read;
}

Read read(const std::string& inside) {
  return readAs(chainOf("abcd"), "<robot name='chain'>\n" + inside + "</robot>");
}

TEST(Srdf, PairsAreAddedToThoseOfTheRobotsFileEachOnce) {
  RobotDescription robot = chainOf("abcd");
  robot.excludedLinks = {{"a", "c"}};
  const Read r = readAs(robot,
                        "<robot name='chain'>\n"
                        "<disable_collisions link1='d' link2='b' reason='Never'/>\n"
                        "<disable_collisions link1='b' link2='d' reason='User'/>\n"
                        "<disable_collisions link1='c' link2='a'/>\n"
                        "<disable_collisions link1='a' link2='a' reason='Adjacent'/></robot>");
  EXPECT_EQ(r.fault, "");
  EXPECT_EQ(r.apart, Pairs({{"a", "c"}, {"b", "d"}}));
  EXPECT_TRUE(r.notices.empty()) << r.notices.front().what;
}

TEST(Srdf, ALinkThatMeetsNoneMeetsThoseThatItIsSaidToMeet) {
  const Read r = read(
      "<disable_collisions link1='a' link2='b' reason='Adjacent'/>\n"
      "<disable_default_collisions link='b'/><disable_default_collisions link='b'/>\n"
      "<enable_collisions link1='c' link2='b'/><enable_collisions link1='b' link2='a'/>");
  EXPECT_EQ(r.fault, "");
  EXPECT_EQ(r.apart, Pairs({{"a", "b"}, {"b", "d"}})) << "what is said of a pair goes over the default";
}

TEST(Srdf, NamesThatTheRobotDoesNotHaveAreSaidWithTheirLine) {
  Read r = read(
      "\n<disable_collisions link1='a' link2='dd' reason='Never'/>\n<disable_default_collisions link='x'/>");
  EXPECT_EQ(r.fault, "");
  EXPECT_TRUE(r.apart.empty());
  EXPECT_TRUE(r.says(Notice::Level::Warning, "chain.srdf:3", "no link 'dd'"));
  EXPECT_TRUE(r.says(Notice::Level::Warning, "chain.srdf:4", "no link 'x'"));
  std::string many;
  for (int i = 0; i < 100; ++i) many += "<disable_collisions link1='a' link2='z" + std::to_string(i) + "'/>";
  r = read(many);
  EXPECT_LT(r.notices.size(), 15u);
  EXPECT_TRUE(r.says(Notice::Level::Warning, "chain.srdf", "90 more links"));
  r = readAs(chainOf("ab"), "<robot name='other'><disable_collisions link1='a' link2='b'/></robot>");
  EXPECT_EQ(r.apart, Pairs({{"a", "b"}}));
  EXPECT_TRUE(r.says(Notice::Level::Warning, "chain.srdf:1", "robot 'other'"));
}

TEST(Srdf, WhatPlannersAloneNeedIsSaidOnce) {
  const Read r = read(
      "<group name='g'><chain base_link='a' tip_link='d'/></group><group_state name='s' group='g'/>"
      "<end_effector name='e'/><virtual_joint name='v'/><group name='h'/><weird\n/>");
  EXPECT_EQ(r.fault, "");
  ASSERT_EQ(r.notices.size(), 1u);
  EXPECT_TRUE(r.says(Notice::Level::Info, "chain.srdf", "<end_effector>, <group>, <group_state>"));
}

TEST(Srdf, BrokenFilesEndInAnErrorSoon) {
  expectFault(read("<disable_collisions link1='a'/>").fault, {"chain.srdf:2", "link2"});
  expectFault(read("<disable_default_collisions/>").fault, {"chain.srdf:2", "link"});
  expectFault(read("<disable_collisions link1='a' link2='b'").fault, {"chain.srdf", "well-formed"});
  expectFault(readAs(chainOf("ab"), "").fault, {"chain.srdf", "empty"});
  expectFault(readAs(chainOf("ab"), "<srdf/>").fault, {"chain.srdf:1", "<robot>"});
  expectFault(readAs(chainOf("ab"), "<!DOCTYPE r [<!ENTITY x 'y'>]><robot>&x;</robot>").fault, {"ENTITY"});
  expectFault(readAs(chainOf("ab"), "<robot xmlns:xacro='x'><xacro:m/></robot>").fault, {"xacro"});
  std::string deep = "<robot>";
  for (int i = 0; i < 50'000; ++i) deep += "<a>";
  expectFault(readAs(chainOf("ab"), deep).fault, {"deep"});
  std::string wide = "<robot>";
  for (int i = 0; i < 200'000; ++i) wide += "<a b='c'/>";
  expectFault(readAs(chainOf("ab"), wide + "</robot>").fault, {"400000 elements"});
}

TEST(Srdf, MorePairsThanMayBeAreRefused) {
  RobotDescription robot;
  robot.name = "chain";
  for (int i = 0; i < 2000; ++i) robot.links.push_back(linkCalled("l" + std::to_string(i)));
  std::string text = "<robot name='chain'>";
  for (int i = 0; i < 1000; ++i) text += "<disable_default_collisions link='l" + std::to_string(i) + "'/>";
  expectFault(readAs(robot, text + "</robot>").fault, {"1000000 pairs"});
}

TEST(Srdf, LinksOfASceneThatDoNotMeetAndItsSavedText) {
  const fs::path urdf = writeFile("chain.urdf", chain());
  const fs::path srdf = writeFile(
      "apart.srdf", "<robot name='chain'><disable_collisions link1='a' link2='c' reason='Never'/></robot>");
  const std::string text = "robots: {r: {urdf: chain.urdf, srdf: apart.srdf}}\n";
  const Result<assets::LoadedScene> loaded = assets::parseScene(text, urdf.parent_path(), "test.yaml");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->scene.robots.at(0).srdf, srdf);
  const Result<CompiledScene> compiled = compile(loaded->scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  EXPECT_FALSE(compiled->model->rigidPairLaw(0, 2).enabled);
  EXPECT_TRUE(compiled->model->rigidPairLaw(1, 3).enabled);
  EXPECT_EQ(compiled->model->findException(0, 2)->apartBy, Model::ApartBy::RobotFile);
  const Result<std::string> written = assets::writeScene(loaded->scene, urdf.parent_path());
  ASSERT_TRUE(written) << written.error().message();
  EXPECT_NE(written->find("srdf: apart.srdf"), std::string::npos) << *written;
  const auto again = assets::parseScene(*written, urdf.parent_path(), "test.yaml");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->scene.robots.at(0).description.excludedLinks,
            loaded->scene.robots.at(0).description.excludedLinks);
}

TEST(Srdf, IsFoundAsOtherFilesAreAndItsFaultsAreItsOwn) {
  const fs::path urdf = writeFile("chain.urdf", chain());
  const auto faultOf = [&](const std::string& name) {
    const auto loaded = assets::parseScene("robots:\n  r: {urdf: chain.urdf, srdf: '" + name + "'}\n",
                                           urdf.parent_path(), "test.yaml");
    return loaded ? "" : loaded.error().message();
  };
  expectFault(faultOf("nowhere.srdf"), {"test.yaml:2", "nowhere.srdf"});
  expectFault(faultOf("package://nowhere/x.srdf"), {"test.yaml:2", "nowhere"});
  writeFile("bad.srdf", "<robot name='chain'>\n<disable_collisions/></robot>");
  expectFault(faultOf("bad.srdf"), {"bad.srdf:2", "link1"});
}

TEST(Srdf, OneBesideARobotsFileIsSaidAndTakenWhereAPersonNamesIt) {
  const fs::path urdf = writeFile("chain.urdf", chain());
  const auto notices = [&](const assets::LoadOptions& options) {
    const Result<assets::LoadedScene> loaded = assets::loadScene(urdf.string(), options);
    if (!loaded) ADD_FAILURE() << loaded.error().message();
    return loaded ? Read{loaded->scene.robots.at(0).description.excludedLinks, loaded->notices, ""} : Read{};
  };
  const std::string text = "<robot name='chain'><disable_collisions link1='a' link2='d'/></robot>";
  fs::remove(urdf.parent_path() / "chain.srdf");
  EXPECT_FALSE(assets::srdfBeside(urdf));
  const fs::path srdf = writeFile("chain.srdf", text);
  EXPECT_EQ(assets::srdfBeside(urdf), srdf);
  EXPECT_EQ(assets::srdfBeside(urdf.string() + ".xacro"), srdf);
  EXPECT_TRUE(notices({}).says(Notice::Level::Info, "chain.urdf", "'srdf'"));
  EXPECT_TRUE(notices({}).apart.empty());
  assets::LoadOptions options;
  options.srdf = srdf;
  EXPECT_EQ(notices(options).apart, Pairs({{"a", "d"}}));
  EXPECT_FALSE(notices(options).says(Notice::Level::Info, "chain.urdf", "'srdf'"));
  const auto ofScene = assets::loadScene(writeFile("s.yaml", "title: t\n").string(), options);
  ASSERT_FALSE(ofScene);
  expectFault(ofScene.error().message(), {"--srdf", "'srdf'"});
}

TEST(Srdf, InASceneTheKeyIsOfferedForAFileInANeighbouringFolder) {
  const fs::path urdf = writeFile("chain.urdf", chain());
  const fs::path folder = urdf.parent_path().parent_path() / "config";
  fs::create_directories(folder);
  std::ofstream(folder / "chain.srdf") << "<robot name='chain'/>";
  EXPECT_EQ(assets::srdfBeside(urdf), folder / "chain.srdf");
  const auto loaded =
      assets::parseScene("robots: {r: {urdf: chain.urdf}}\n", urdf.parent_path(), "test.yaml");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_TRUE((Read{{}, loaded->notices, ""}).says(Notice::Level::Info, "chain.urdf", "chain.srdf"));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace slipstick
