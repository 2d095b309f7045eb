// Small changes to YAML that people wrote: what a change says afterwards, and what it leaves as it was.
#include "assets/yaml_patch.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <random>

#include "assets/yaml_text.h"

namespace slipstick::assets {
namespace {

using Path = YamlPatch::Path;

YamlTree meaningOf(const std::string& text) {
  const Result<YamlTree> tree = parseYaml(text, "text.yaml");
  return tree ? *tree : nullptr;
}

constexpr const char* kRefused = "refused";

/// The text after a change; kRefused where it was refused, and then it must be as it was.
std::string outcome(const std::string& before, const YamlPatch& patch, bool isDone) {
  if (isDone) return patch.text();
  EXPECT_EQ(patch.text(), before) << "refused, but changed";
  return kRefused;
}
std::string set(const std::string& text, const Path& path, const std::string& value) {
  YamlPatch patch(text, meaningOf);
  const bool isDone = patch.set(path, value);
  return outcome(text, patch, isDone);
}
std::string removed(const std::string& text, const Path& path) {
  YamlPatch patch(text, meaningOf);
  const bool isDone = patch.remove(path);
  return outcome(text, patch, isDone);
}
std::string appended(const std::string& text, const std::string& section, const std::string& name) {
  YamlPatch patch(text, meaningOf);
  const bool isDone = patch.append(section, name, "9");
  return outcome(text, patch, isDone);
}

// -------------------------------------------------------------------------------------------------------- set

TEST(YamlPatchSet, ReplacesAValueAndNothingElse) {
  EXPECT_EQ(set("# first\na:  1   # of a\n\nb: 2\n", {"a"}, "3"), "# first\na:  3   # of a\n\nb: 2\n");
  EXPECT_EQ(set("a:\n  b:\n    c: two words # c\n  d: 4", {"a", "b", "c"}, "3"),
            "a:\n  b:\n    c: 3 # c\n  d: 4");
  EXPECT_EQ(set("\u00e9: \u20ac # \u00fc\nb: \U0001F600\n", {"b"}, "3"), "\u00e9: \u20ac # \u00fc\nb: 3\n");
  EXPECT_EQ(set("a: 1\r\nb: 2\r\n", {"a"}, "3"), "a: 3\r\nb: 2\r\n");
  EXPECT_EQ(set("a: http://b#c\n", {"a"}, "3"), "a: 3\n") << "no comment begins within a word";
  EXPECT_EQ(set("a: ~\nb: null\n", {"b"}, "3"), "a: ~\nb: 3\n");
  EXPECT_EQ(set("a: 1", {"a"}, "[1, {b: 2}]"), "a: [1, {b: 2}]");
}

TEST(YamlPatchSet, EndsQuotesWhereTheyEnd) {
  EXPECT_EQ(set("a: \"x\\\" # y\" # z\n", {"a"}, "3"), "a: 3 # z\n");
  EXPECT_EQ(set("a: 'x # y' # z\n", {"a"}, "3"), "a: 3 # z\n");
  EXPECT_EQ(set("a: \"x\n  y\"\nb: 1\n", {"a"}, "3"), "a: 3\nb: 1\n");
  EXPECT_EQ(set("\"a: b\": 1\n", {"a: b"}, "3"), "\"a: b\": 3\n");
}

TEST(YamlPatchSet, KnowsWhereAValueInBracketsEnds) {
  const std::string text = "m: {a: 1, b: [2, {c: 'x}'}], d: \"]\\\"}\"} # e\n";
  EXPECT_EQ(set(text, {"m", "a"}, "9"), "m: {a: 9, b: [2, {c: 'x}'}], d: \"]\\\"}\"} # e\n");
  EXPECT_EQ(set(text, {"m", "b"}, "9"), "m: {a: 1, b: 9, d: \"]\\\"}\"} # e\n");
  EXPECT_EQ(set(text, {"m", "b", "1", "c"}, "9"), "m: {a: 1, b: [2, {c: 9}], d: \"]\\\"}\"} # e\n");
  EXPECT_EQ(set(text, {"m", "d"}, "9"), "m: {a: 1, b: [2, {c: 'x}'}], d: 9} # e\n");
  EXPECT_EQ(set(text, {"m"}, "9"), "m: 9 # e\n");
  EXPECT_EQ(set("m: [1, # }]\n  2]\nb: 3\n", {"m"}, "9"), "m: 9\nb: 3\n") << "brackets in a comment";
  EXPECT_EQ(set("m: {a: x'y}\nb: 'z}'\n", {"m"}, "9"), "m: 9\nb: 'z}'\n") << "a quote within a word";
}

TEST(YamlPatchSet, AddsKeysThatAreMissing) {
  EXPECT_EQ(set("a: 1", {"b"}, "2"), "a: 1\nb: 2\n");
  EXPECT_EQ(set("a: 1\n", {"b", "c", "two words"}, "2"), "a: 1\nb: {c: {\"two words\": 2}}\n");
  EXPECT_EQ(set("m:\n  # of a\n  a: 1\n", {"m", "b"}, "2"), "m:\n  # of a\n  b: 2\n  a: 1\n");
  EXPECT_EQ(set("m: &name\n    a: 1\n", {"m", "b"}, "2"), "m: &name\n    b: 2\n    a: 1\n");
  EXPECT_EQ(set("m: {a: 1} # m\n", {"m", "b"}, "2"), "m: {a: 1, b: 2} # m\n");
  EXPECT_EQ(set("m: {}\n", {"m", "b"}, "2"), "m: {b: 2}\n");
  EXPECT_EQ(set("l:\n  - a: 1\n    c: 3\n", {"l", "0", "b"}, "2"), "l:\n  - b: 2\n    a: 1\n    c: 3\n");
}

TEST(YamlPatchSet, FindsEntriesOfListsByPlaceAndByName) {
  const std::string text = "l:\n  - {name: 1, x: 5}\n  - name: lid\n    x: 6\n  - 7\n";
  EXPECT_EQ(set(text, {"l", "2"}, "9"), "l:\n  - {name: 1, x: 5}\n  - name: lid\n    x: 6\n  - 9\n");
  EXPECT_EQ(set(text, {"l", "lid", "x"}, "9"), "l:\n  - {name: 1, x: 5}\n  - name: lid\n    x: 9\n  - 7\n");
  EXPECT_EQ(set(text, {"l", "1", "x"}, "9"), set(text, {"l", "0", "x"}, "9")) << "the first of either kind";
  EXPECT_EQ(set(text, {"l", "3"}, "9"), kRefused) << "behind the last one";
  EXPECT_EQ(set(text, {"l", "cup", "x"}, "9"), kRefused);
}

TEST(YamlPatchSet, WritesOutWhatAnAliasStandsForAndLeavesThatAsItWas) {
  const std::string map = "a: &k {x: 1, y: {z: 2}}\n", list = "a: &k [1, {x: 2}]\n";
  EXPECT_EQ(set(map + "b: *k # b\n", {"b"}, "9"), map + "b: 9 # b\n");
  EXPECT_EQ(set(map + "b: *k\n", {"b", "x"}, "9"), map + "b: {<<: *k, x: 9}\n");
  EXPECT_EQ(set(map + "b: *k\n", {"b", "y", "z"}, "9"), map + "b: {<<: *k, y: {z: 9}}\n");
  EXPECT_EQ(set(list + "b: {c: *k}\n", {"b", "c", "1", "x"}, "9"), list + "b: {c: [1, {x: 9}]}\n");
  EXPECT_EQ(set(list + "b: *k\n", {"b", "2"}, "9"), kRefused);
}

TEST(YamlPatchSet, WritesAMergedKeyBesideTheMergeKey) {
  const std::string pattern = "a: &k {x: 1, y: {z: 2, w: 3}}\n";
  EXPECT_EQ(set(pattern + "b: {<<: *k}\n", {"b", "x"}, "9"), pattern + "b: {<<: *k, x: 9}\n");
  EXPECT_EQ(set(pattern + "b:\n  <<: *k\n", {"b", "y", "z"}, "9"),
            pattern + "b:\n  y: {z: 9, w: 3}\n  <<: *k\n");
  EXPECT_EQ(set(pattern + "b: {<<: [*k]}\n", {"b", "v", "z"}, "9"), pattern + "b: {<<: [*k], v: {z: 9}}\n");
}

TEST(YamlPatchSet, EndsSingleQuotesBehindDoubledOnes) {
  EXPECT_EQ(set("a: 'it''s # b' # c\nb: 1\n", {"a"}, "3"), "a: 3 # c\nb: 1\n");
  EXPECT_EQ(set("a: ''''\nb: 1\n", {"a"}, "3"), "a: 3\nb: 1\n");
  EXPECT_EQ(set("m: {a: 'x'', }', b: 1}\nc: 2\n", {"m", "a"}, "3"), "m: {a: 3, b: 1}\nc: 2\n");
  EXPECT_EQ(set("m: {a: 'x'' }', b: 1}\nc: 2\n", {"m"}, "3"), "m: 3\nc: 2\n");
  EXPECT_EQ(set("m: {'it''s': 'x'}\n", {"m", "it's"}, "3"), "m: {'it''s': 3}\n");
}

TEST(YamlPatchSet, ReplacesValuesOverSeveralLinesWhole) {
  EXPECT_EQ(set("a: |\n  x: 1\n\n  # no comment\n# c\nb: 2\n", {"a"}, "3"), "a: 3\n# c\nb: 2\n");
  EXPECT_EQ(set("a: >- # x\n  x\n  y\nb: 2\n", {"a"}, "3"), "a: 3\nb: 2\n");
  EXPECT_EQ(set("a: |+\n  x\n\n\nb: 2\n", {"a"}, "3"), "a: 3\nb: 2\n");
  EXPECT_EQ(set("a: |2-\n    x\n", {"a"}, "3"), "a: 3\n");
  EXPECT_EQ(set("a: |\nb: 2\n", {"a"}, "3"), "a: 3\nb: 2\n") << "of no line";
  EXPECT_EQ(set("a: x\n  y z # c\nb: 2\n", {"a"}, "3"), "a: 3 # c\nb: 2\n");
  EXPECT_EQ(set("a: x\n\n  y\nb: 2\n", {"a"}, "3"), "a: 3\nb: 2\n");
  EXPECT_EQ(set("a:\n  x\n  y\nb: 2\n", {"a"}, "3"), "a:\n  3\nb: 2\n");
  EXPECT_EQ(set("a: 'x\n\n  y'\nb: 2\n", {"a"}, "3"), "a: 3\nb: 2\n");
  EXPECT_EQ(set("m: {a: x\n  y, b: 1}\n", {"m", "a"}, "3"), "m: {a: 3, b: 1}\n");
}

TEST(YamlPatchSet, SetsValuesThatAreLeftEmpty) {
  EXPECT_EQ(set("a: # none\nb: 1\n", {"a"}, "3"), "a: 3 # none\nb: 1\n");
  EXPECT_EQ(set("a:\nnull: 1\n", {"a"}, "3"), "a: 3\nnull: 1\n");
  EXPECT_EQ(set("a:", {"a"}, "3"), "a: 3");
  EXPECT_EQ(set("m: {a: , b:}\n", {"m", "b"}, "3"), "m: {a: , b: 3}\n");
  EXPECT_EQ(set("m: {a:, b: 1}\n", {"m", "a"}, "3"), "m: {a: 3, b: 1}\n");
  EXPECT_EQ(set("l:\n-\n- 1\n", {"l", "0"}, "3"), "l:\n- 3\n- 1\n");
  EXPECT_EQ(set("a: &k\nb: *k\n", {"a"}, "3"), "a: &k 3\nb: *k\n");
}

TEST(YamlPatchSet, KeepsCommentsBehindTabs) {
  EXPECT_EQ(set("a: 1\t# c\nb:\t2\n", {"a"}, "3"), "a: 3\t# c\nb:\t2\n");
  EXPECT_EQ(set("a: 1\t# c\nb:\t2\t\n", {"b"}, "3"), "a: 1\t# c\nb:\t3\t\n");
  EXPECT_EQ(set("a: &k\t1\nb: *k\t# c\n", {"b"}, "3"), "a: &k\t1\nb: 3\t# c\n");
}

TEST(YamlPatchSet, KnowsKeysInQuotesAndOnesWithMarks) {
  EXPECT_EQ(set("m:\n  \"a\": 1\n  b: 2\n", {"m", "b"}, "3"), "m:\n  \"a\": 1\n  b: 3\n");
  EXPECT_EQ(set("m:\n  \"a\": 1\n", {"m"}, "3"), kRefused) << "a block";
  EXPECT_EQ(set("m:\n  'a': 1\n", {"m", "b"}, "3"), "m:\n  b: 3\n  'a': 1\n");
  EXPECT_EQ(set("'a: b # c': 1 # d\n", {"a: b # c"}, "3"), "'a: b # c': 3 # d\n");
  EXPECT_EQ(set("? a\n: 1\n? b\n: 2\n", {"b"}, "3"), "? a\n: 1\n? b\n: 3\n");
  EXPECT_EQ(set("m:\n  ? a\n  : 1\n", {"m", "b"}, "3"), "m:\n  b: 3\n  ? a\n  : 1\n");
  EXPECT_EQ(set("l:\n- &k a: 1\n- *k : 2\n", {"l", "0", "b"}, "3"), "l:\n- b: 3\n  &k a: 1\n- *k : 2\n");
  EXPECT_EQ(set("{[1, 2]: 3, a: 4}\n", {"a"}, "5"), "{[1, 2]: 3, a: 5}\n");
}

TEST(YamlPatchSet, AddsKeysWhereTheFirstDocumentEnds) {
  EXPECT_EQ(set("{a: 1} # c\n", {"b"}, "2"), "{a: 1, b: 2} # c\n");
  EXPECT_EQ(set("a: 1\n...\n# end\n", {"b"}, "2"), "a: 1\nb: 2\n...\n# end\n");
  EXPECT_EQ(set("---\na: 1\n---\nb: 1\n", {"b"}, "2"), "---\na: 1\nb: 2\n---\nb: 1\n");
  EXPECT_EQ(set("  a: 1\n", {"b"}, "2"), "  a: 1\n  b: 2\n");
  EXPECT_EQ(set("a: |+\n  x\n\n", {"b"}, "2"), "a: |+\n  x\n\nb: 2\n");
  EXPECT_EQ(appended("{a: 1}\n", "s", "b"), "{a: 1, s: {b: 9}}\n");
  EXPECT_EQ(appended("a: 1\n...\n", "s", "b"), "a: 1\n\ns:\n  b: 9\n...\n");
  EXPECT_EQ(appended("{}\n", "s", "b"), "{s: {b: 9}}\n");
}

TEST(YamlPatchSet, AddsKeysBehindTrailingCommasAndComments) {
  EXPECT_EQ(set("m: {a: 1,}\n", {"m", "b"}, "2"), "m: {a: 1, b: 2}\n");
  EXPECT_EQ(set("m: { a: 1 }\n", {"m", "b"}, "2"), "m: { a: 1, b: 2 }\n");
  EXPECT_EQ(set("m: {a: 1 # c\n  }\n", {"m", "b"}, "2"), "m: {a: 1, b: 2 # c\n  }\n");
  EXPECT_EQ(set("m: {a: 1, # }\n  }\n", {"m", "b"}, "2"), "m: {a: 1, b: 2 # }\n  }\n");
  EXPECT_EQ(set("l: [a: 1]\n", {"l", "0", "b"}, "2"), kRefused) << "a pair without braces";
}

TEST(YamlPatchSet, KeepsAnchorsAndDropsTags) {
  EXPECT_EQ(set("a: &k 1\nb: *k\n", {"a"}, "3"), "a: &k 3\nb: *k\n");
  EXPECT_EQ(set("a: !!str 1\n", {"a"}, "3"), "a: 3\n");
  EXPECT_EQ(set("a: &k !!str 1\nb: *k\n", {"a"}, "3"), "a: &k 3\nb: *k\n");
  EXPECT_EQ(set("m: &k\n  'a': 1\n", {"m", "b"}, "2"), "m: &k\n  b: 2\n  'a': 1\n");
}

TEST(YamlPatchSet, EndsLinesAsTheTextDoes) {
  EXPECT_EQ(set("a: 1\r\n", {"b"}, "2"), "a: 1\r\nb: 2\r\n");
  EXPECT_EQ(set("m:\r\n  a: 1\r\n", {"m", "b"}, "2"), "m:\r\n  b: 2\r\n  a: 1\r\n");
  EXPECT_EQ(set("a: x\r\n  y\r\nb: |\r\n  z\r\nc: 1\r\n", {"b"}, "2"), "a: x\r\n  y\r\nb: 2\r\nc: 1\r\n");
  EXPECT_EQ(appended("s:\r\n  a: 1 # c\r\nt: 1\r\n", "s", "b"), "s:\r\n  a: 1 # c\r\n  b: 9\r\nt: 1\r\n");
  EXPECT_EQ(appended("t: 1\r\n", "s", "b"), "t: 1\r\n\r\ns:\r\n  b: 9\r\n");
}

TEST(YamlPatchSet, KnowsThatAByteOrderMarkIsNotOfTheText) {
  const std::string mark(kByteOrderMark);
  EXPECT_EQ(set(mark + "a: 1\nb: 2\n", {"a"}, "3"), mark + "a: 3\nb: 2\n");
  EXPECT_EQ(removed(mark + "a: 1\nb: 2\n", {"a"}), mark + "b: 2\n");
  EXPECT_EQ(appended(mark + "s: {a: 1}\n", "s", "b"), mark + "s: {a: 1, b: 9}\n");
}

TEST(YamlPatchSet, RefusesValuesThatAreNone) {
  for (const char* value : {"1, b: 2", "1}", "[1", "x: 1", "1 # c", "1\nb: 2", "*k", "- 1"})
    EXPECT_EQ(set("m: {a: 0}\n", {"m", "a"}, value), kRefused) << value;
  for (const char* value : {"1\nb: 2", "x: 1", "*k"})
    EXPECT_EQ(set("a: 0\n", {"b"}, value), kRefused) << value;
}

TEST(YamlPatchSet, RefusesTextsThatTheLibraryDoesNotReadAsTheyAre) {
  EXPECT_EQ(set("a: 1\n# \x04\nb: 2\n", {"a"}, "3"), kRefused);
  EXPECT_EQ(set(std::string("a: 1\n# \0\n", 9), {"a"}, "3"), kRefused);
  EXPECT_EQ(removed("a: 1\n# \x04\nb: 2\n", {"a"}), kRefused);
}

/// As a scene's own bodies, beside those of a file that it includes.
TEST(YamlPatchSet, CountsTheEntriesThatOthersAddToAList) {
  const YamlTree others = meaningOf("[{k: 0}]");
  const auto reader = [&](const std::string& text) {
    const YamlTree own = meaningOf(text), list = valueAt(own, "l");
    std::vector<YamlNode::Entry> entries = others->entries;
    entries.insert(entries.end(), list->entries.begin(), list->entries.end());
    return withKey(own, "l", withEntries(list, std::move(entries)));
  };
  const std::string text = "l:\n  - {k: 1}\n  - {k: 2}\n";
  YamlPatch patch(text, reader);
  EXPECT_TRUE(patch.set({"l", "1", "k"}, "9"));
  EXPECT_EQ(patch.text(), "l:\n  - {k: 9}\n  - {k: 2}\n");
  EXPECT_FALSE(patch.set({"l", "0", "k"}, "9")) << "it stands in the other file";
  EXPECT_FALSE(patch.set({"l", "3", "k"}, "9"));
  EXPECT_EQ(inOneLine(patch.whatIsAt({"l", "0", "k"})), "0");
  EXPECT_EQ(inOneLine(patch.whatIsAt({"l", "1", "k"})), "9") << "after the change";
}

TEST(YamlPatchSet, RefusesWhatTheTextIsNotLaidOutFor) {
  for (const char* text : {"", "# nothing\n", "- 1\n", "word\n", "a: [1\n", "a: 1\na: 2\n"})
    EXPECT_EQ(set(text, {"a"}, "3"), kRefused) << text;
  EXPECT_EQ(set("a: 1\n", {}, "3"), kRefused);
  EXPECT_EQ(set("a: 1\n", {"a", "b"}, "3"), kRefused) << "below a number";
  EXPECT_EQ(set("a: ~\n", {"a", "b"}, "3"), kRefused);
  EXPECT_EQ(set("a:\n  b: 1\n", {"a"}, "3"), kRefused) << "a block";
  EXPECT_EQ(set("m: {a, b: 1}\n", {"m", "a"}, "3"), kRefused);
}

// ----------------------------------------------------------------------------------------------------- remove

TEST(YamlPatchRemove, TakesOutWholeLinesOfABlockAndLeavesComments) {
  EXPECT_EQ(removed("# first\na: 1 # a\nb: 2\n", {"a"}), "# first\nb: 2\n");
  EXPECT_EQ(removed("a:\n  b: 1\n\n  c:\n  - 2\n  - 3\n# of d\nd: 4\n", {"a", "c"}),
            "a:\n  b: 1\n\n# of d\nd: 4\n");
  EXPECT_EQ(removed("a: |\n  b: 1\n\n  c\nd: 4\n", {"a"}), "d: 4\n");
  EXPECT_EQ(removed("a: 1\nb:\n  c: 2", {"b"}), "a: 1\n");
  EXPECT_EQ(removed("a: 1\r\nb: 2\r\n", {"a"}), "b: 2\r\n");
}

TEST(YamlPatchRemove, TakesACommaOutOfBrackets) {
  EXPECT_EQ(removed("m: {a: 1, b: [2, 3], c: 4}\n", {"m", "a"}), "m: {b: [2, 3], c: 4}\n");
  EXPECT_EQ(removed("m: {a: 1, b: [2, 3], c: 4}\n", {"m", "b"}), "m: {a: 1, c: 4}\n");
  EXPECT_EQ(removed("m: {a: 1, b: [2, 3],\n  c: 4}\n", {"m", "c"}), "m: {a: 1, b: [2, 3]}\n");
  EXPECT_EQ(removed("m: {a: 1, b: [2, 3], c: 4}\n", {"m", "b", "1"}), "m: {a: 1, b: [2], c: 4}\n");
  EXPECT_EQ(removed("{a: 'x, y', b: 2}\n", {"a"}), "{b: 2}\n");
}

TEST(YamlPatchRemove, TakesOutEntriesOfListsWithTheirDashes) {
  EXPECT_EQ(removed("l:\n- a-b\n- -1\n- c\n", {"l", "0"}), "l:\n- -1\n- c\n");
  EXPECT_EQ(removed("l:\n- a-b\n- -1\n- c\n", {"l", "1"}), "l:\n- a-b\n- c\n");
  EXPECT_EQ(removed("l:\n  - name: x\n    y: 1\n  - 2\n", {"l", "x"}), "l:\n  - 2\n");
  EXPECT_EQ(removed("l:\n  - 1\n", {"l", "1"}), kRefused);
}

TEST(YamlPatchRemove, LeavesTheDashOfAnItemWithItsOtherKeys) {
  EXPECT_EQ(removed("l:\n- a: 1\n  b: 2\n- c\n", {"l", "0", "a"}), "l:\n- b: 2\n- c\n");
  EXPECT_EQ(removed("l:\n- a: {x: 1,\n    y: 2}\n  b: 2\n", {"l", "0", "a"}), "l:\n- b: 2\n");
  EXPECT_EQ(removed("l:\n- a: 1 # a\n  # of b\n  b: 2\n", {"l", "0", "a"}), "l:\n- \n  # of b\n  b: 2\n");
  EXPECT_EQ(removed("l:\n- - 1\n  - 2\n", {"l", "0", "0"}), "l:\n- - 2\n");
  EXPECT_EQ(removed("l:\n-\n  a: 1\n  b: 2\n", {"l", "0", "a"}), "l:\n-\n  b: 2\n");
}

TEST(YamlPatchRemove, TakesAnItemAndNotTheNextOneWithItsOnlyKey) {
  EXPECT_EQ(removed("l:\n- a: 1\n- a: 2\n", {"l", "0", "a"}), "l:\n- a: 2\n");
  EXPECT_EQ(removed("l: [{a: 1}, {a: 2}]\n", {"l", "0", "a"}), "l: [{a: 2}]\n");
  EXPECT_EQ(removed("l: [a: 1, a: 2]\n", {"l", "0", "a"}), "l: [a: 2]\n");
  EXPECT_EQ(removed("l:\n  -\n    a: 1\n  - a: 2\n", {"l", "1", "a"}), "l:\n  -\n    a: 1\n");
}

TEST(YamlPatchRemove, KnowsWhereAnEntryEnds) {
  EXPECT_EQ(removed("a: 'it''s\n  x'\nb: 1\n", {"a"}), "b: 1\n");
  EXPECT_EQ(removed("a: \"x\ny: 2\"\nb: 1\n", {"a"}), "b: 1\n") << "a line that is not further in";
  EXPECT_EQ(removed("a: [1,\n2]\nb: 1\n", {"a"}), "b: 1\n");
  EXPECT_EQ(removed("a: |+\n  x\n\nb: 1\n", {"a"}), "b: 1\n");
  EXPECT_EQ(removed("a: |\n  # x\n  y\n# c\nb: 1\n", {"a"}), "# c\nb: 1\n");
  EXPECT_EQ(removed("? a\n: 1\n? b\n: 2\n", {"a"}), "? b\n: 2\n");
  EXPECT_EQ(removed("a:\n \tb\nc: 1\n", {"a"}), "c: 1\n") << "a tab before a word";
  EXPECT_EQ(removed("a:\nb: 1\n", {"a"}), "b: 1\n");
}

TEST(YamlPatchRemove, LeavesCommentsBetweenBrackets) {
  EXPECT_EQ(removed("m: {a: 1, # of a,\n  b: 2}\n", {"m", "b"}), "m: {a: 1, # of a,\n  }\n");
  EXPECT_EQ(removed("m: {a: 1, # of a\n  b: 2}\n", {"m", "a"}), "m: { # of a\n  b: 2}\n");
  EXPECT_EQ(removed("m: {a: 1 # of a\n  , b: 2}\n", {"m", "a"}), "m: { # of a\n  b: 2}\n");
  EXPECT_EQ(removed("m: {a: 1, b: 2,}\n", {"m", "b"}), "m: {a: 1, }\n");
  EXPECT_EQ(removed("{a: 1,}\n", {"a"}), "{}\n");
  EXPECT_EQ(removed("m: {? a : 1, b: 2}\n", {"m", "a"}), "m: {b: 2}\n");
  EXPECT_EQ(removed("m: [1,2, 3]\n", {"m", "0"}), "m: [2, 3]\n");
}

TEST(YamlPatchRemove, LeavesNoAliasWithoutWhatItNames) {
  EXPECT_EQ(removed("a: &k 1\nb: *k\n", {"a"}), kRefused);
  EXPECT_EQ(removed("a: &k 1\nb: &k 2\nc: *k\n", {"b"}), kRefused) << "it would name the other one";
  EXPECT_EQ(removed("a: &k 1\nb: &l 2\nc: *l\n", {"a"}), "b: &l 2\nc: *l\n");
  EXPECT_EQ(removed("a: &k [1, 2]\nb: *k\n", {"b", "0"}), kRefused) << "it is not written there";
}

TEST(YamlPatchRemove, LeavesOtherDocumentsWhereTheyAre) {
  EXPECT_EQ(removed("a: 1\n---\nb: 2\n", {"a"}), kRefused) << "the second one would be the first";
  EXPECT_EQ(removed("a: 1\nc: 3\n---\nb: 2\n", {"c"}), "a: 1\n---\nb: 2\n");
}

TEST(YamlPatchRemove, TakesOutWhatItLeavesEmpty) {
  EXPECT_EQ(removed("a: {b: {c: 1}}\nd: 2\n", {"a", "b", "c"}), "d: 2\n");
  EXPECT_EQ(removed("a:\n  b:\n  - 1\nd: 2\n", {"a", "b", "0"}), "d: 2\n");
  EXPECT_EQ(removed("{a: 1}\n", {"a"}), "{}\n");
}

TEST(YamlPatchRemove, TakesAwayWhatComesFromElsewhereByNull) {
  const std::string pattern = "a: &k {x: 1, y: 2}\n";
  EXPECT_EQ(removed(pattern + "b: {<<: *k, z: 3}\n", {"b", "x"}), pattern + "b: {<<: *k, z: 3, x: null}\n");
  EXPECT_EQ(removed(pattern + "b: {<<: *k, x: 3}\n", {"b", "x"}), pattern + "b: {<<: *k, x: null}\n");
  EXPECT_EQ(removed(pattern + "b: *k\n", {"b", "x"}), pattern + "b: {<<: *k, x: null}\n");
}

TEST(YamlPatchRemove, HasNothingToDoWhereNothingStands) {
  for (const Path& path : {Path{"b"}, Path{"b", "c"}, Path{"m", "b"}, Path{"m", "n", "b"}})
    EXPECT_EQ(removed("a: 1\nm: {n: {o: 1}}\n", path), "a: 1\nm: {n: {o: 1}}\n");
  EXPECT_EQ(removed("a: 1\n", {}), kRefused);
  EXPECT_EQ(removed("- 1\n", {"0"}), kRefused) << "no mapping";
}

// ------------------------------------------------------------------------------------------------ keys, entries

TEST(YamlPatch, RenamesTheKeyThatBeginsThereAloneOrBehindAQuote) {
  const auto renamed = [](const std::string& text, std::size_t begin) {
    YamlPatch patch(text);
    const bool isDone = patch.renameKey(begin, "old", "newer");
    return outcome(text, patch, isDone);
  };
  EXPECT_EQ(renamed("a: old\nold: 1\n", 7), "a: old\nnewer: 1\n");
  EXPECT_EQ(renamed("a: 1\n'old': 1\n", 5), "a: 1\n'newer': 1\n");
  EXPECT_EQ(renamed("a: 1\nm: {\"old\": 1}\n", 9), "a: 1\nm: {\"newer\": 1}\n");
  EXPECT_EQ(renamed("\"o\\x6cd\": 1\n", 0), "newer: 1\n") << "in other words";
  EXPECT_EQ(renamed(std::string(kByteOrderMark) + "old: 1\n", 3), std::string(kByteOrderMark) + "newer: 1\n");
  EXPECT_EQ(renamed("a: 1\nold: 1\n", 0), kRefused);
  EXPECT_EQ(renamed("older: 1\n", 0), kRefused) << "another key, which begins so";
  EXPECT_EQ(renamed("old: 1\nnewer: 2\n", 0), kRefused) << "it would stand there twice";
  EXPECT_EQ(renamed("a: 1\n", 0), kRefused);
}

TEST(YamlPatch, AppendsBehindTheLastEntryOfASection) {
  EXPECT_EQ(appended("s:\n   a: 1 # a\n# of t\nt: 2\n", "s", "b c"),
            "s:\n   a: 1 # a\n   \"b c\": 9\n# of t\nt: 2\n");
  EXPECT_EQ(appended("s:\n  a:\n    x: 1", "s", "b"), "s:\n  a:\n    x: 1\n  b: 9\n");
  EXPECT_EQ(appended("s: {a: 1}\nt: 2\n", "s", "b"), "s: {a: 1, b: 9}\nt: 2\n");
  EXPECT_EQ(appended("s: {}\n", "s", "b"), "s: {b: 9}\n");
  EXPECT_EQ(appended("t: 2", "s", "b"), "t: 2\n\ns:\n  b: 9\n");
  EXPECT_EQ(appended("s:\n  'a': 1\nt: 2\n", "s", "b"), "s:\n  'a': 1\n  b: 9\nt: 2\n");
  EXPECT_EQ(appended("s:\n  a: |+\n    x\n\nt: 2\n", "s", "b"), "s:\n  a: |+\n    x\n\n  b: 9\nt: 2\n");
  EXPECT_EQ(appended("s:\n  a: \"x\ny\"\nt: 2\n", "s", "b"), "s:\n  a: \"x\ny\"\n  b: 9\nt: 2\n");
  EXPECT_EQ(appended("s:\n  b: 1\n", "s", "b"), kRefused) << "it would stand there twice";
  for (const char* text : {"", "s:\n", "s: 1\n", "s: [1]\n", "t: &k {a: 1}\ns: *k\n"})
    EXPECT_EQ(appended(text, "s", "b"), kRefused) << text;
}

// --------------------------------------------------------------------------------------------- whatever is written

/// Documents as people write them: blocks beside brackets, words in every form, comments each of another text.
class RandomDocument {
 public:
  explicit RandomDocument(unsigned seed) : random_(seed) {}

  std::string next() {
    comments_ = 0;
    anchors_ = 0;
    std::string text = chance(12) ? flowMap(3) + lineEnd() : block(chance(12) ? 2 : 0, 3);
    if (chance(8)) text = "---" + lineEnd() + text;
    if (chance(3)) text += comment() + "\n";
    if (chance(8)) text += chance(2) ? "...\n" : "---\nk0: {k1: 1}\n";
    return chance(4) ? withBreaks(text) : text;
  }
  std::size_t below(std::size_t n) { return random_() % n; }
  std::string value() { return chance(2) ? word() : flow(2); }
  bool chance(std::size_t n) { return below(n) == 0; }

 private:
  static std::string withBreaks(const std::string& text) {
    std::string with = text.size() % 2 == 0 ? std::string(kByteOrderMark) : "";
    for (const char c : text) with += c == '\n' ? "\r\n" : std::string(1, c);
    return with;
  }
  std::string comment() { return "# c" + std::to_string(comments_++) + ". {\"['"; }
  std::string word() {
    static const char* const kWords[] = {
        "1",        "-2.5",        "word", "two words",  "'s } ,'",    "\"q \\\" ]\"", "\u00e9",
        "a#b",      "x'y",         "~",    "\"\"",       "http://u/v", "1e-3",         "true",
        "a-b",      "''",          "null", "'it''s # '", "'# n'",      "\"\\\\\"",     "'a: {b}'",
        "nullable", "\"\u20ac:\"", "'\"'", "!!str word", "-1",         "\"a\\u00e9\""};
    return kWords[below(std::size(kWords))];
  }
  std::string flow(int depth) {
    if (depth == 0 || chance(2)) return word();
    return chance(2) ? flowMap(depth) : "[" + flowEntries(depth, false) + "]";
  }
  std::string flowMap(int depth) { return "{" + flowEntries(depth, true) + "}"; }
  std::string flowEntries(int depth, bool isMap) {
    std::string text;
    const std::size_t count = below(4);
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) text += chance(3) ? " ,  " : ", ";
      text += (isMap ? key(i) + ": " : "") + flow(depth - 1);
    }
    return text + (count > 0 && chance(6) ? "," : "");
  }
  /// In brackets over lines with comments in between.
  std::string flowOverLines(const std::string& margin) {
    std::string text = "{k0: " + flow(1) + "," + lineEnd();
    text += margin + "k1: " + flow(1) + " " + comment() + "\n" + margin + ", 'k2': [1," + lineEnd();
    return text + margin + "2, ], k3: " + flow(1) + (chance(2) ? "," : "") + lineEnd() + margin + "}" +
           lineEnd();
  }
  std::string lineEnd() {
    const bool hasComment = chance(3);
    return (hasComment ? (chance(3) ? "\t" : "  ") + comment() : chance(8) ? " " : "") + "\n";
  }
  std::string key(std::size_t i) {
    const std::string name = "k" + std::to_string(i);
    return chance(4) ? (chance(2) ? "'" + name + "'" : "\"" + name + "\"") : name;
  }
  std::string block(std::size_t indent, int depth) {
    const std::string margin(indent, ' ');
    std::string text;
    for (std::size_t i = 0, n = 1 + below(4); i < n; ++i) {
      if (chance(4)) text += margin + comment() + "\n";
      if (chance(6)) text += "\n";
      text += margin + (chance(12) ? "? " + key(i) + "\n" + margin : key(i)) + ":" + value(indent, depth);
    }
    return text;
  }
  std::string value(std::size_t indent, int depth) {
    const std::size_t form = depth > 0 ? below(11) : 3 + below(8);
    if (form == 0) return anchored(lineEnd() + block(indent + 1 + below(3), depth - 1));
    if (form == 1 || form == 2) return lineEnd() + list(indent + below(3), depth - 1, form == 2);
    if (form == 3) return lineEnd();
    if (form == 4) return " " + lines(std::string(indent + 2, ' '));
    if (form == 5) return anchored(" " + flow(0)) + lineEnd();
    if (form == 6 && anchors_ > 0) return " *a" + std::to_string(below(anchors_)) + lineEnd();
    if (form == 7) return " " + flowOverLines(std::string(indent + 1, ' '));
    return " " + flow(2) + lineEnd();
  }
  /// Aliases may name it from now on, so that no value contains itself.
  std::string anchored(const std::string& value) {
    return chance(2) ? " &a" + std::to_string(anchors_++) + value : value;
  }
  /// One value over several lines.
  std::string lines(const std::string& margin) {
    switch (below(4)) {
      case 0:
        return std::string(chance(2) ? "|" : ">") +
               (chance(3)   ? "+"
                : chance(2) ? "-"
                            : "") +
               "\n" + margin + "x: 1\n\n" + margin + "# no comment\n" + (chance(2) ? "\n\n" : "");
      case 1:
        return "two\n" + margin + "lines" + lineEnd();
      case 2:
        return "'it''s\n\n" + margin + "# x'" + lineEnd();
      default:
        return "\"a\\\"\n" + margin + "k0: \\\n" + margin + "b\"" + lineEnd();
    }
  }
  std::string list(std::size_t indent, int depth, bool areMaps) {
    std::string text;
    const std::string margin(indent, ' ');
    for (std::size_t i = 0, n = 1 + below(3); i < n; ++i)
      text += margin + "- " + (areMaps ? itemOf(indent + 2, depth) : flow(2) + lineEnd());
    return text;
  }
  /// A mapping that begins behind a dash, unless a comment comes first.
  std::string itemOf(std::size_t indent, int depth) {
    const std::string item = block(indent, depth);
    const std::size_t first = item.find_first_not_of(' ');
    return item[first] == '#' || item[first] == '\n' ? "\n" + item : item.substr(indent);
  }

  std::mt19937 random_;
  int comments_ = 0;
  std::size_t anchors_ = 0;
};

YamlTree writtenIn(const std::string& text) {
  const Result<YamlTree> tree = parseYaml(text, std::make_shared<const YamlSource>(), MergeKeys::AsWritten);
  return tree ? *tree : nullptr;
}

/// Those that are written there, not those behind aliases.
void collectPaths(const YamlTree& node, const Path& path, std::vector<Path>& into) {
  for (std::size_t i = 0; i < node->entries.size(); ++i) {
    Path below = path;
    below.push_back(node->isList() ? std::to_string(i) : node->entries[i].key);
    into.push_back(below);
    if (!node->entries[i].isAlias) collectPaths(node->entries[i].value, below, into);
  }
}

std::size_t placeIn(const YamlTree& node, const std::string& name) {
  std::size_t i = 0;
  while (i < node->entries.size() && (node->isList() ? std::to_string(i) : node->entries[i].key) != name) ++i;
  return i;
}

YamlTree withValueAt(const YamlTree& node, const Path& path, const YamlTree& value, std::size_t at = 0) {
  if (at == path.size()) return value;
  const std::size_t i = placeIn(node, path[at]);
  if (i == node->entries.size()) return withKey(node, path[at], value);
  YamlNode changed = *withEntry(node, i, withValueAt(node->entries[i].value, path, value, at + 1));
  if (at + 1 == path.size()) changed.entries[i].isAlias = false;
  return std::make_shared<const YamlNode>(std::move(changed));
}

/// What remove() takes out: of mappings and lists that it would leave empty the outermost one.
Path takenOutWith(const YamlTree& root, Path path) {
  std::vector<YamlTree> parents = {root};
  for (const std::string& name : path)
    parents.push_back(YamlTree(parents.back()->entries[placeIn(parents.back(), name)].value));
  while (path.size() > 1 && parents[path.size() - 1]->entries.size() == 1) path.pop_back();
  return path;
}

YamlTree without(const YamlTree& node, const Path& path, std::size_t at = 0) {
  const std::size_t i = placeIn(node, path[at]);
  if (at + 1 < path.size()) return withEntry(node, i, without(node->entries[i].value, path, at + 1));
  std::vector<YamlNode::Entry> entries = node->entries;
  entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(i));
  return withEntries(node, std::move(entries));
}

/// With quotes and aliases; keys may stand in any order.
bool isWrittenSame(const YamlTree& a, const YamlTree& b) {
  if (!a || !b || a->kind != b->kind || a->scalar != b->scalar || a->isQuoted != b->isQuoted) return false;
  if (a->entries.size() != b->entries.size()) return false;
  for (std::size_t i = 0; i < a->entries.size(); ++i) {
    const std::size_t k = a->isMap() ? placeIn(b, a->entries[i].key) : i;
    if (k == b->entries.size() || a->entries[i].isAlias != b->entries[k].isAlias) return false;
    if (!a->entries[i].isAlias && !isWrittenSame(a->entries[i].value, b->entries[k].value)) return false;
  }
  return true;
}

const YamlPart& partAt(const YamlLayout& layout, const Path& path) {
  const YamlPart* part = &layout.root;
  YamlTree node = layout.tree;
  for (const std::string& name : path) {
    const std::size_t place = placeIn(node, name);
    part = &part->values[place];
    node = YamlTree(node->entries[place].value);
  }
  return *part;
}

/// That all comments stay but those from one place to another.
void expectComments(const std::string& text, const std::string& after, std::size_t begin, std::size_t end) {
  for (std::size_t at = text.find("# c"); at != std::string::npos; at = text.find("# c", at + 1)) {
    const std::string comment = text.substr(at, text.find('.', at) + 1 - at);
    const bool isTouched = at >= begin && at < end;
    EXPECT_TRUE(isTouched || after.find(comment) != std::string::npos) << comment << " of\n"
                                                                       << text << "\nin\n"
                                                                       << after;
  }
}

using TextTest = std::function<bool(const std::string&, const YamlLayout&, Path, RandomDocument&)>;

/// Calls a test with texts of all layouts, and a path in each of them. @return how often it gave true
int countInTexts(unsigned seed, int runs, const TextTest& test) {
  RandomDocument random(seed);
  int count = 0;
  for (int run = 0; run < runs; ++run) {
    const std::string text = random.next();
    const std::optional<YamlLayout> layout = layoutOf(text);
    EXPECT_TRUE(layout) << text;
    std::vector<Path> paths;
    if (layout) collectPaths(layout->tree, {}, paths);
    if (!paths.empty() && test(text, *layout, paths[random.below(paths.size())], random)) ++count;
  }
  return count;
}

TEST(YamlPatchOfAnyText, SaysWhatWasSetAndKeepsEveryComment) {
  const auto isRefused = [](const std::string& text, const YamlLayout& layout, const Path& path,
                            RandomDocument& random) {
    const std::string value = random.value();
    const YamlPart& part = partAt(layout, path);
    const bool isBlock = part.isCollection() && !part.isFlow;
    const std::string after = set(text, path, value);
    if (after == kRefused) return !isBlock;
    EXPECT_TRUE(isWrittenSame(writtenIn(after), withValueAt(layout.tree, path, writtenIn(value))))
        << path.back() << " = " << value << "\n"
        << text << "\n"
        << after;
    expectComments(text, after, part.begin, part.end);
    return false;
  };
  EXPECT_EQ(countInTexts(1, 800, isRefused), 0);
}

TEST(YamlPatchOfAnyText, SaysWhatWasAddedAndKeepsEveryComment) {
  const auto isRefused = [](const std::string& text, const YamlLayout& layout, Path path,
                            RandomDocument& random) {
    if (random.chance(4)) path.clear();
    if (partAt(layout, path).kind != YamlPart::Kind::Map) return false;
    path.emplace_back("new key");
    const std::string value = random.value(), after = set(text, path, value);
    if (after == kRefused) return true;
    EXPECT_TRUE(isWrittenSame(writtenIn(after), withValueAt(layout.tree, path, writtenIn(value))))
        << value << "\n"
        << text << "\n"
        << after;
    expectComments(text, after, 0, 0);
    return false;
  };
  EXPECT_EQ(countInTexts(2, 800, isRefused), 0);
}

TEST(YamlPatchOfAnyText, SaysWhatIsLeftWhereSomethingWasRemoved) {
  const auto isRefused = [](const std::string& text, const YamlLayout& layout, const Path& path,
                            RandomDocument&) {
    const std::string after = removed(text, path);
    // What an alias names has to stay, and a second document must not become the first one.
    if (after == kRefused)
      return text.find('*') == std::string::npos && text.find("\n---") == std::string::npos;
    const Path gone = takenOutWith(layout.tree, path);
    const YamlTree left = without(layout.tree, gone), said = writtenIn(after);
    const bool isNothing = left->entries.empty() && said && said->entries.empty();
    EXPECT_TRUE(isNothing || isWrittenSame(said, left)) << path.back() << "\n" << text << "\n" << after;
    const YamlPart& part = partAt(layout, gone);
    expectComments(text, after, part.entry, std::min(text.find('\n', part.end), text.size()));
    return false;
  };
  EXPECT_EQ(countInTexts(3, 800, isRefused), 0);
}

TEST(YamlPatchOfAnyText, SaysWhatWasAppended) {
  const auto isRefused = [](const std::string& text, const YamlLayout& layout, Path path, RandomDocument&) {
    path = {path[0], "new"};
    const std::string after = appended(text, path[0], path[1]);
    if (after == kRefused) return partAt(layout, {path[0]}).kind == YamlPart::Kind::Map;
    EXPECT_TRUE(isWrittenSame(writtenIn(after), withValueAt(layout.tree, path, writtenIn("9"))))
        << text << "\n"
        << after;
    expectComments(text, after, 0, 0);
    return false;
  };
  EXPECT_EQ(countInTexts(4, 400, isRefused), 0);
}

TEST(YamlPatchOfAnyText, SaysWhatManyChangesMakeOfIt) {
  const auto change = [](YamlPatch& patch, const YamlTree& tree, RandomDocument& random) {
    std::vector<Path> paths;
    collectPaths(tree, {}, paths);
    const Path path = paths[random.below(paths.size())];
    const std::string value = random.value();
    if (random.chance(2)) return patch.remove(path) ? without(tree, takenOutWith(tree, path)) : tree;
    return patch.set(path, value) ? withValueAt(tree, path, writtenIn(value)) : tree;
  };
  const auto test = [&](const std::string& text, const YamlLayout& layout, const Path&,
                        RandomDocument& random) {
    YamlPatch patch(text, meaningOf);
    YamlTree tree = layout.tree;
    for (int i = 0; i < 8 && !tree->entries.empty(); ++i) {
      tree = change(patch, tree, random);
      const YamlTree said = writtenIn(patch.text());
      const bool isNothing = tree->entries.empty() && said && said->entries.empty();
      EXPECT_TRUE(isNothing || isWrittenSame(said, tree)) << text << "\n" << patch.text();
    }
    return false;
  };
  (void)countInTexts(5, 100, test);
}

}  // namespace
}  // namespace slipstick::assets
