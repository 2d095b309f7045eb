// Small changes to YAML that people wrote: what a change says afterwards, and what it leaves as it was.
#include "assets/yaml_patch.h"

#include <gtest/gtest.h>

#include "tests/assets/patched_yaml.h"

namespace slipstick::assets {
namespace {

using namespace patched;  // NOLINT(google-build-using-namespace)

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
    const bool isDone = patch.renameKeys({{begin, "old", "newer"}});
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

TEST(YamlPatch, RenamesAllKeysOrNone) {
  const auto renamed = [](const std::string& text, const std::vector<YamlPatch::KeyRename>& keys) {
    YamlPatch patch(text);
    const bool isDone = patch.renameKeys(keys);
    return outcome(text, patch, isDone);
  };
  const std::string text = "old: {x: 1}\nl:\n- {\"old\": 2, b: 3}\n";
  const YamlPatch::KeyRename first{0, "old", "newer"}, second{18, "old", "y"}, inFirst{6, "x", "long one"};
  EXPECT_EQ(renamed(text, {second, first, inFirst}), "newer: {long one: 1}\nl:\n- {\"y\": 2, b: 3}\n");
  EXPECT_EQ(renamed(text, {}), text);
  EXPECT_EQ(renamed(text, {first, {18, "old", "b"}}), kRefused) << "the second would stand there twice";
  EXPECT_EQ(renamed(text, {first, first}), kRefused);
  EXPECT_EQ(renamed(text, {first, {19, "old", "y"}}), kRefused) << "no key begins there";
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

}  // namespace
}  // namespace slipstick::assets
