// Rows of keys: what they read, write and say of themselves.
#include "assets/scene_keys.h"

#include <gtest/gtest.h>

#include "assets/scene_tables.h"
#include "assets/yaml_tree.h"

namespace slipstick {
namespace {

using assets::FormatKey;
using assets::Key;
using assets::Keys;
using assets::Turn;
using assets::YamlDocument;
using assets::YamlMap;
using assets::YamlOut;
using assets::YamlValue;

enum class Shade { Dark, Light };

struct Inner {
  int count = 3;
};

struct Spec {
  double size = 2;
  std::optional<double> weight;
  std::string name = "*";
  std::string owner;
  bool isOpen = false;
  Shade shade = Shade::Light;
  Vec3 at = Vec3(0, 0, 1);
  std::vector<std::string> tags;
  Inner inner;
};

const Keys<Spec>& table() {
  static const Keys<Spec> kKeys{
      "spec",
      {},
      {{"name", &Spec::name, assets::text(), "who"},
       {"size", &Spec::size, assets::number({0, 5, true}, "m"), "how large"},
       {"weight",
        &Spec::weight,
        assets::number(assets::kNonNegative, "kg"),
        "how heavy",
        {.was = "weight_kg", .fallback = "light", .turn = Turn::Last}},
       {"owner", &Spec::owner, assets::text(), "whose", {.isRequired = true, .turn = Turn::First}},
       {"lid", &Spec::isOpen, assets::words<bool>({{"shut", false}, {"open", true}}), ""},
       {"shade", &Spec::shade, assets::words<Shade>({{"light", Shade::Light}, {"dark", Shade::Dark}}), ""},
       {"at", &Spec::at, assets::vector("m"), ""},
       {"tags", &Spec::tags, assets::listOf(assets::text()), ""},
       {"count", &Spec::inner, &Inner::count, assets::whole(1, 9), ""},
       {"other", assets::Elsewhere{"text"}}}};
  return kKeys;
}

class SceneKeys : public ::testing::Test {
 protected:
  Spec read(const std::string& text) {
    const Result<assets::YamlTree> tree = assets::parseYaml(text, "t");
    EXPECT_TRUE(tree) << tree.error().message();
    std::vector<std::string> names;
    for (const Key<Spec>& key : table().rows) names.push_back(key.name);
    Spec spec;
    readKeys(YamlValue::of(*tree, "", document_).map(names), table(), spec);
    return spec;
  }
  std::string fault() const { return document_.fault ? document_.fault->message() : ""; }

  YamlDocument document_;
};

std::string written(const Spec& spec) {
  return blockOf(spec, table()).inOneLine();
}

TEST_F(SceneKeys, ReadIntoTheirMembers) {
  const Spec spec = read(
      "{owner: me, name: box, size: 4, weight: 0, lid: open, shade: dark, at: [1, 2, 3], tags: [a, b], "
      "count: 5, other: x}");
  EXPECT_EQ(fault(), "");
  EXPECT_EQ(spec.owner, "me");
  EXPECT_EQ(spec.name, "box");
  EXPECT_EQ(spec.size, 4);
  EXPECT_EQ(spec.weight, 0);
  EXPECT_TRUE(spec.isOpen);
  EXPECT_EQ(spec.shade, Shade::Dark);
  EXPECT_EQ(spec.at, Vec3(1, 2, 3));
  EXPECT_EQ(spec.tags, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(spec.inner.count, 5);
}

TEST_F(SceneKeys, LeaveMembersAsTheyAreWhereNothingIsSaid) {
  const Spec spec = read("{owner: me, size: }");
  EXPECT_EQ(fault(), "");
  EXPECT_EQ(written(spec), "{owner: me}");
}

TEST_F(SceneKeys, WriteWhatIsNotAsUsualInTheirOrder) {
  Spec spec;
  spec.owner = "me";
  spec.shade = Shade::Dark;
  spec.weight = 0.5;
  spec.name = "box";
  spec.inner.count = 4;
  EXPECT_EQ(written(spec), "{name: box, weight: 0.5, owner: me, shade: dark, count: 4}");
}

TEST_F(SceneKeys, AreReadInTurnsSoThatTheFirstFaultIsThatOfTheFirst) {
  read("{weight: -1, size: 7, name: [], owner: {}}");
  EXPECT_NE(fault().find("key 'owner'"), std::string::npos) << fault();
}

TEST_F(SceneKeys, OfTheLastTurnComeAfterTheOthers) {
  read("{owner: me, weight: -1, count: 10}");
  EXPECT_NE(fault().find("key 'count'"), std::string::npos) << fault();
}

TEST_F(SceneKeys, ThatAreRequiredAreMissed) {
  read("{name: box}");
  EXPECT_NE(fault().find("the key 'owner' is missing"), std::string::npos) << fault();
}

TEST(SceneKeyFormat, FollowsFromRangeUnitAndTheMembersOwnDefault) {
  const auto rowOf = [](std::string_view name) {
    for (const Key<Spec>& key : table().rows)
      if (key.name == name) return key.format();
    return FormatKey{};
  };
  EXPECT_EQ(rowOf("size").type, "number > 0 .. 5");
  EXPECT_EQ(rowOf("size").unit, "m");
  EXPECT_EQ(rowOf("size").fallback, "2");
  EXPECT_EQ(rowOf("weight").type, "number >= 0");
  EXPECT_EQ(rowOf("weight").fallback, "light");
  EXPECT_EQ(rowOf("weight").was, "weight_kg");
  EXPECT_EQ(rowOf("name").fallback, "\"*\"");
  EXPECT_EQ(rowOf("owner").fallback, "required");
  EXPECT_EQ(rowOf("lid").type, "'shut' | 'open'");
  EXPECT_EQ(rowOf("lid").fallback, "shut");
  EXPECT_EQ(rowOf("shade").fallback, "light");
  EXPECT_EQ(rowOf("at").fallback, "[0, 0, 1]");
  EXPECT_EQ(rowOf("tags").type, "list text");
  EXPECT_EQ(rowOf("tags").fallback, "");
  EXPECT_EQ(rowOf("count").type, "integer 1 .. 9");
  EXPECT_EQ(rowOf("other").type, "text");
}

TEST(SceneKeyFormat, SaysRangesAsTheSchemaReadsThem) {
  EXPECT_EQ(assets::rangeType("number", {}), "number");
  EXPECT_EQ(assets::rangeType("number", {0, 1}), "number 0 .. 1");
  EXPECT_EQ(assets::rangeType("number", {-1, 0.5, true, true}), "number > -1 .. < 0.5");
  EXPECT_EQ(assets::rangeType("number", assets::kPositive), "number > 0");
  EXPECT_EQ(assets::rangeType("number", {1e-12, 1}), "number 1e-12 .. 1");
}

TEST(SceneTables, TakeRangesAndUnitsFromTheTableOfParameters) {
  const auto& rows = assets::contactTable().rows;
  const auto stiffness =
      std::find_if(rows.begin(), rows.end(), [](const auto& key) { return key.name == "stiffness"; });
  ASSERT_NE(stiffness, rows.end());
  EXPECT_EQ(stiffness->unit, unitOf(ParameterBlock::Contact, "stiffness"));
  EXPECT_EQ(stiffness->type, assets::rangeType("number", rangeOf(ParameterBlock::Contact, "stiffness")));
}

TEST(SceneTables, WriteNothingForWhatIsAsUsual) {
  EXPECT_TRUE(blockOf(Scene(), assets::solverTable()).isEmpty());
  EXPECT_TRUE(blockOf(Scene(), assets::sceneTable()).isEmpty());
  EXPECT_TRUE(blockOf(ContactSpec(), assets::contactTable()).isEmpty());
  Scene scene;
  scene.rigidSolver.frictionRule = FrictionRule::Mean;
  scene.stictionSpeed = 0.5;
  EXPECT_EQ(blockOf(scene, assets::sceneTable()).inOneLine(),
            "{solver: {rigid: {friction_rule: mean}}, contact: {stiction_speed: 0.5}}");
}

}  // namespace
}  // namespace slipstick
