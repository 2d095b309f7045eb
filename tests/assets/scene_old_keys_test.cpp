// Files, assignments and commands from when numbers in units of the SI had these as suffixes.
#include "assets/scene_old_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assets/scene_file.h"
#include "engine/compile/compile.h"
#include "engine/model/parameters.h"
#include "tests/assets/scene_facts.h"
#include "tests/assets/scene_text.h"

namespace slipstick {
namespace {

using testing::expectFault;
using testing::faultOf;
using ::testing::HasSubstr;
using testing::parsed;

const std::string kOld = R"(# from 2025
time: {dt_ms: 5, duration_s: 2}
solver: {rigid: {relaxation_time_s: 0.2}}
contact: {stiffness_N_per_m: 50, dissipation_s_per_m: 2, rigid: {modulus_Pa: 2e6, stiffness_N_per_m: 5e4, dissipation_s_per_m: 3}}
materials: {t_s: {model: hencky, E: 1e5, nu: 0.3, density: 500}}  # a name, whatever it looks like
bodies:
  from_s: {base: free, mass: 1, shapes: [{name: all, shape: box, size: [0.1, 0.1, 0.1], contact: {stiffness_N_per_m: 70}}]}
boundaries: {wall: {kind: slip, shape: plane, position: [0, 0, -1], from_s: 0.5, until_s: 1}}
robots: {swing: {urdf: pendulum, position: [0, 3, 0], links: {rod: {contact: {dissipation_s_per_m: 4}}}}}
paths:
  a: {keys: [{t_s: 0}, {t_s: 1, position: [0, 0, 1]}]}
  b: {start: {}, moves: [{from_s: 0, to_s: 1, velocity: [1, 0, 0]}]}
controllers: [{kind: joint_effort, robot: swing, joint: hinge, effort: 1, from_s: 0.25}, {kind: force, link: from_s, keys: [{t_s: 0}, {t_s: 1}]}]
teleop: {tip: {robot: swing, link: rod, gripper: {robot: swing, closing_time_s: 2}}}
task: {text: t, time_limit_s: 9, success: [{observable: from_s.z, above: 1, for_s: 0.5}]}
)";

/// By hand, so that nothing of what is tested does it.
std::string inTodaysWords() {
  std::string text = kOld;
  const std::pair<std::string, std::string> words[] = {{"duration_s:", "duration:"},
                                                       {"relaxation_time_s:", "relaxation_time:"},
                                                       {"stiffness_N_per_m:", "stiffness:"},
                                                       {"dissipation_s_per_m:", "dissipation:"},
                                                       {"modulus_Pa:", "modulus:"},
                                                       {" from_s: 0", " from: 0"},
                                                       {"{from_s: 0", "{from: 0"},
                                                       {"until_s:", "until:"},
                                                       {"{t_s: 0", "{t: 0"},
                                                       {"{t_s: 1", "{t: 1"},
                                                       {" to_s:", " to:"},
                                                       {"closing_time_s:", "closing_time:"},
                                                       {"time_limit_s:", "time_limit:"},
                                                       {"for_s:", "for:"}};
  for (const auto& [was, now] : words)
    for (std::size_t at = text.find(was); at != std::string::npos; at = text.find(was, at))
      text.replace(at, was.size(), now);
  return text;
}

TEST(OldKeys, SayWhatTheySaidAndWhatTheyAreCalledNow) {
  const Result<assets::LoadedScene> old = parsed(kOld), now = parsed(inTodaysWords());
  ASSERT_TRUE(old) << old.error().message();
  ASSERT_TRUE(now) << now.error().message();
  EXPECT_EQ(testing::SceneFacts::difference(old->scene, now->scene), "");
  EXPECT_EQ(old->scene.time.duration, 2);
  EXPECT_EQ(old->scene.materials[0].name, "t_s");
  EXPECT_EQ(old->scene.robots[0].name, "from_s");
  EXPECT_TRUE(now->notices.empty());
  ASSERT_EQ(old->notices.size(), 12u) << "one for each key, however often it stands there";
  for (const Notice& notice : old->notices) EXPECT_EQ(notice.level, Notice::Level::Info);
  const auto about = [&](const std::string& key) {
    for (const Notice& notice : old->notices)
      if (notice.what.find("'" + key + "'") != std::string::npos) return notice.where + ": " + notice.what;
    return std::string();
  };
  EXPECT_THAT(about("duration_s"), HasSubstr("test.yaml:2: the key 'duration_s' is called 'duration' now"));
  EXPECT_THAT(about("stiffness_N_per_m"), HasSubstr("test.yaml:4"));
  EXPECT_THAT(about("stiffness_N_per_m"), HasSubstr("(3 times in this file)"));
  EXPECT_THAT(about("t_s"), HasSubstr("test.yaml:11"));
}

TEST(OldKeys, BothSpellingsAtOnceAreAnErrorOfTheLine) {
  expectFault(faultOf("title: t\ntime: {duration: 1, duration_s: 2}\n"),
              {"test.yaml:2, key 'duration_s'", "old name of 'duration'", "keep 'duration'"});
}

TEST(OldKeys, FaultsInThemNameTheKeyOfToday) {
  expectFault(faultOf("title: t\ntime: {duration_s: -2}\n"),
              {"test.yaml:2, key 'time.duration'", "out of range"});
}

TEST(OldKeys, AreUnderstoodInAssignments) {
  const Result<assets::LoadedScene> loaded =
      parsed(inTodaysWords(), {"time.duration_s=7", "contact.rigid.modulus_Pa=9e6",
                               "bodies.from_s.shapes.all.contact.stiffness_N_per_m=8",
                               "paths.a.keys=[{t_s: 0}, {t_s: 3}]", "task.success.0.for_s=1.5"});
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->scene.time.duration, 7);
  EXPECT_EQ(loaded->scene.contact.rigid.modulus, 9e6);
  EXPECT_EQ(loaded->scene.robots[0].description.links[0].collisions[0].contact.stiffness, 8);
  EXPECT_EQ(loaded->scene.paths[0].keys[1].t, 3);
  EXPECT_EQ(loaded->scene.task->success[0].holdFor, 1.5);
  EXPECT_EQ(parsed(kOld, {"time.duration=7"})->scene.time.duration, 7);
}

TEST(OldKeys, AreUnderstoodInCommandsOfRecordings) {
  const Result<assets::LoadedScene> loaded = parsed(kOld);
  ASSERT_TRUE(loaded);
  const Result<CompiledScene> compiled = compile(loaded->scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  const Model& model = *compiled->model;
  for (const auto& [was, now] :
       {std::pair("contact.stiffness_N_per_m", "contact.stiffness"),
        std::pair("contact.dissipation_s_per_m", "contact.dissipation"),
        std::pair("contact.rigid.modulus_Pa", "contact.rigid.modulus"),
        std::pair("contact.rigid.stiffness_N_per_m", "contact.rigid.stiffness"),
        std::pair("contact.rigid.dissipation_s_per_m", "contact.rigid.dissipation"),
        std::pair("solver.rigid.relaxation_time_s", "solver.rigid.relaxation_time")}) {
    Tuning tuning = model.tuning;
    const Result<void> set = setParameter(model, was, {0.5}, tuning);
    ASSERT_TRUE(set) << set.error().message();
    EXPECT_EQ(valueOf(model, now, tuning), ParameterValue{0.5});
    EXPECT_EQ(valueOf(model, was, tuning), ParameterValue{0.5});
  }
}

TEST(OldKeys, SavingWritesThoseOfTodayAndKeepsTheRest) {
  const auto file = testing::writeFile("old.yaml", kOld);
  Result<assets::LoadedScene> loaded = assets::loadScene(file.string());
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Result<std::string> text =
      assets::textOfScene(loaded->scene, {{"contact.stiffness", {60}}}, file.parent_path());
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_EQ(*text, testing::varied("contact: {stiffness: 50", "contact: {stiffness: 60", inTodaysWords()));
}

TEST(OldKeys, ShippedScenesHaveNone) {
  for (const assets::ShippedScene& shipped : assets::shippedScenes()) {
    if (shipped.name == "tshirt_folding" || shipped.name == "laundry") continue;  // seconds of meshes
    const Result<assets::LoadedScene> loaded = assets::loadScene(shipped.name);
    ASSERT_TRUE(loaded) << loaded.error().message();
    for (const Notice& notice : loaded->notices)
      EXPECT_EQ(notice.what.find("is called"), std::string::npos) << notice.where << " " << notice.what;
  }
}

}  // namespace
}  // namespace slipstick
