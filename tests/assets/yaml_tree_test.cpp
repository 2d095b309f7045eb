// YAML text as a tree: what anchors, aliases and merge keys mean, and what no text may do.
#include "assets/yaml_tree.h"

#include <gtest/gtest.h>

#include <chrono>

#include "assets/limits.h"

namespace slipstick::assets {
namespace {

YamlTree treeOf(const std::string& text) {
  const Result<YamlTree> tree = parseYaml(text, "text.yaml");
  EXPECT_TRUE(tree) << tree.error().message();
  return tree ? *tree : nullptr;
}

std::string faultOf(const std::string& text) {
  const Result<YamlTree> tree = parseYaml(text, "text.yaml");
  return tree ? "" : tree.error().message();
}

void expectFault(const std::string& text, const std::vector<std::string>& parts) {
  const std::string message = faultOf(text);
  EXPECT_NE(message, "") << text.substr(0, 100);
  for (const std::string& part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks: " << part;
}

TEST(YamlTree, KnowsTheLineOfEveryValueAlsoBehindAnchorsAndComments) {
  const YamlTree tree = treeOf("a: 1\nb: &name\n  # first\n  c: [2,\n    3]\nd: *name\n");
  EXPECT_EQ(placeOf(*valueAt(tree, "a")), "text.yaml:1");
  const YamlTree list = valueAt(valueAt(tree, "b"), "c");
  EXPECT_EQ(list->line, 4);
  EXPECT_EQ(list->entries[1].value->line, 5);
  EXPECT_EQ(valueAt(tree, "d"), valueAt(tree, "b")) << "one value in two places";
}

TEST(YamlTree, MergeKeysGiveWhatTheMappingDoesNotHave) {
  const YamlTree tree = treeOf(
      "base: &base {x: 1, y: 2}\nother: &other {y: 3, z: 4}\n"
      "one: {<<: *base, x: 9}\nlist: {<<: [*base, *other], w: 5}\n"
      "chain: {<<: {<<: *base, y: 8}}\n");
  EXPECT_EQ(inOneLine(valueAt(tree, "one")), "{y: 2, x: 9}");
  EXPECT_EQ(inOneLine(valueAt(tree, "list")), "{x: 1, y: 2, z: 4, w: 5}") << "of a list the first counts";
  EXPECT_EQ(inOneLine(valueAt(tree, "chain")), "{x: 1, y: 8}");
  EXPECT_EQ(valueAt(valueAt(tree, "one"), "y")->line, 1) << "the line where it is written";
}

/// Copies repeat the names of what they copy.
TEST(YamlTree, NamesAreNoLongerThanLimitsSay) {
  const std::string longest(limits::kYamlKeyBytes, 'n');
  EXPECT_EQ(faultOf("a: {" + longest + ": 1}"), "");
  expectFault("b: 1\na: {? " + longest + "n : 1}", {"text.yaml:2", "'nnn", "longer than 1,000 bytes"});
}

TEST(YamlTree, AQuotedMergeKeyIsMergedToo) {
  // YAML 1.1 resolves << by its tag; a name that anyone would want is another one.
  EXPECT_FALSE(hasKey(valueAt(treeOf("a: &a {x: 1}\nb: {\"<<\": *a}\n"), "b"), "<<"));
}

TEST(YamlTree, WhatCannotBeMergedNamesItsLine) {
  expectFault("a: 1\nb: {<<: 5}\n", {"text.yaml:2", "'<<' takes in the keys of a mapping"});
  expectFault("a: &a [1]\nb:\n  <<: *a\n", {"text.yaml:1", "'<<' takes in"});
  expectFault("b:\n  <<:\n", {"'<<' takes in"});
}

TEST(YamlTree, KeysThatStandTwiceAndValuesThatContainThemselvesAreRefused) {
  expectFault("a: 1\nb: {c: 1, d: 2, c: 3}\n", {"text.yaml:2", "'c' stands here twice, first in line 2"});
  expectFault("a: &a {b: *a}\n", {"text.yaml:1", "contains itself"});
  expectFault("a: &a [1, [*a]]\n", {"contains itself"});
  expectFault("a: &a {<<: *a}\n", {"contains itself"});
}

TEST(YamlTree, WhatUnfoldsWithoutEndIsRefusedAtOnce) {
  const auto begin = std::chrono::steady_clock::now();
  std::string aliases = "a0: &a0 [x, x, x, x, x, x, x, x]\n", merges = "m0: &m0 {k: 1}\n";
  for (int i = 1; i < 60; ++i) {
    const std::string was = std::to_string(i - 1), now = std::to_string(i);
    aliases += "a" + now + ": &a" + now + " [*a" + was + ", *a" + was + ", *a" + was + "]\n";
    merges += "m" + now + ": &m" + now + " {<<: *m" + was + ", p" + now + ": *m" + was + ", q" + now +
              ": *m" + was + "}\n";
  }
  expectFault(aliases, {"300000 values"});
  expectFault(merges, {"300000 values"});
  std::string wide = "w: &w {";
  for (int i = 0; i < 2000; ++i) wide += "k" + std::to_string(i) + ": 1, ";
  wide += "}\nm: {<<: [";
  for (int i = 0; i < 2000; ++i) wide += "*w, ";
  expectFault(wide + "]}\n", {"300000 values"});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10)) << "4 million keys, not 3^60";
}

TEST(YamlTree, DeepNestsAreRefusedHoweverTheyAreWritten) {
  expectFault("a: " + std::string(5000, '[') + std::string(5000, ']') + "\n", {"text.yaml:1"});
  std::string chain = "a0: &a0 [x]\n";
  for (int i = 1; i < 200; ++i)
    chain += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + "]\n";
  expectFault(chain, {"64 deep"});
}

TEST(YamlTree, InOneLineIsReadAsTheSame) {
  const std::string text =
      "words: [plain, \"true\", 'it''s', \"a, b\", \"#x\", \"\", ~, -1e3, .inf, \"null\"]\n"
      "map: {\"odd key\": 1, b: {c: [], d: {}}}\nlong: |\n  two\n  lines\n";
  const YamlTree tree = treeOf(text);
  EXPECT_TRUE(isSame(treeOf(inOneLine(tree)), tree)) << inOneLine(tree);
}

TEST(YamlTree, ChangesLeaveTheOldTreeAsItWas) {
  const YamlTree tree = treeOf("a: &x {b: 1}\nc: *x\n");
  const YamlTree changed = withKey(tree, "a", withKey(valueAt(tree, "a"), "b", scalarLike(*tree, "2")));
  EXPECT_EQ(inOneLine(changed), "{a: {b: 2}, c: {b: 1}}");
  EXPECT_EQ(inOneLine(tree), "{a: {b: 1}, c: {b: 1}}");
  EXPECT_EQ(inOneLine(withoutKey(changed, "c")), "{a: {b: 2}}");
}

TEST(YamlTree, FindsEachKeyOfALargeMapping) {
  std::string text;
  for (int i = 0; i < 500; ++i)
    text += "k" + std::to_string(i * 7919 % 500) + ": " + std::to_string(i) + "\n";
  const YamlTree tree = treeOf(text);
  for (int i = 0; i < 500; ++i)
    EXPECT_EQ(valueAt(tree, "k" + std::to_string(i * 7919 % 500))->scalar, std::to_string(i));
  EXPECT_EQ(valueAt(tree, "k500"), nullptr);
}

}  // namespace
}  // namespace slipstick::assets
