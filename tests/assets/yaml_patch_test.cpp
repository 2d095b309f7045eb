// Small changes to YAML that people wrote: what a change says afterwards, and what it leaves as it was.
#include "assets/yaml_patch.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(set("a: # none\nb: 1\n", {"a"}, "3"), kRefused) << "nothing is written that it could replace";
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
    patch.renameKey(begin, "old", "newer");
    return patch.text();
  };
  EXPECT_EQ(renamed("a: old\nold: 1\n", 7), "a: old\nnewer: 1\n");
  EXPECT_EQ(renamed("a: 1\n'old': 1\n", 5), "a: 1\n'newer': 1\n");
  EXPECT_EQ(renamed("a: 1\nold: 1\n", 0), "a: 1\nold: 1\n");
  EXPECT_EQ(renamed("a: 1\n", 0), "a: 1\n");
}

TEST(YamlPatch, AppendsBehindTheLastEntryOfASection) {
  EXPECT_EQ(appended("s:\n   a: 1 # a\n# of t\nt: 2\n", "s", "b c"),
            "s:\n   a: 1 # a\n   \"b c\": 9\n# of t\nt: 2\n");
  EXPECT_EQ(appended("s:\n  a:\n    x: 1", "s", "b"), "s:\n  a:\n    x: 1\n  b: 9\n");
  EXPECT_EQ(appended("s: {a: 1}\nt: 2\n", "s", "b"), "s: {a: 1, b: 9}\nt: 2\n");
  EXPECT_EQ(appended("s: {}\n", "s", "b"), "s: {b: 9}\n");
  EXPECT_EQ(appended("t: 2", "s", "b"), "t: 2\n\ns:\n  b: 9\n");
  for (const char* text : {"", "s:\n", "s: 1\n", "s: [1]\n", "t: &k {a: 1}\ns: *k\n"})
    EXPECT_EQ(appended(text, "s", "b"), kRefused) << text;
}

// --------------------------------------------------------------------------------------------- whatever is written

/// Documents as people write them: blocks beside brackets, quotes, blank lines and comments, each of another text. Layouts
/// that changes are not right in yet are left out: a block's first key in quotes, an entry of a list with one key.
class RandomDocument {
 public:
  explicit RandomDocument(unsigned seed) : random_(seed) {}

  std::string next() {
    comments_ = 0;
    const std::string text = block(0, 3);
    return chance(3) ? text + comment() + "\n" : text;
  }
  std::size_t below(std::size_t n) { return random_() % n; }
  std::string comment() { return "# c" + std::to_string(comments_++) + " {\"['"; }
  int comments() const { return comments_; }

 private:
  bool chance(std::size_t n) { return below(n) == 0; }
  std::string word() {
    static const char* const kWords[] = {"1",      "-2.5", "word",     "two words", "'s } ,'", "\"q \\\" ]\"",
                                         "\u00e9", "a#b",  "x'y",      "~",         "\"\"",    "http://u/v",
                                         "1e-3",   "true", "'# none'", "a-b"};
    return kWords[below(std::size(kWords))];
  }
  std::string flow(int depth) {
    if (depth == 0 || chance(2)) return word();
    const bool isMap = chance(2);
    std::string text;
    const std::size_t drawn = below(4), count = isMap && drawn == 1 ? 4 : drawn;
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) text += chance(3) ? " ,  " : ", ";
      text += (isMap ? "k" + std::to_string(i) + ": " : "") + flow(depth - 1);
    }
    return isMap ? "{" + text + "}" : "[" + text + "]";
  }
  std::string lineEnd() { return (chance(3) ? "  " + comment() : "") + "\n"; }
  std::string block(std::size_t indent, int depth) {
    const std::string margin(indent, ' ');
    std::string text;
    for (std::size_t i = 0, n = 1 + below(4); i < n; ++i) {
      if (chance(4)) text += margin + comment() + "\n";
      if (chance(6)) text += "\n";
      const std::string key = "k" + std::to_string(i);
      text += margin + (i > 0 && chance(4) ? assets::quoted(key + " ") : key) + ":";
      text += value(indent, depth);
    }
    return text;
  }
  std::string value(std::size_t indent, int depth) {
    const std::size_t form = depth > 0 ? below(4) : 3;
    std::string text = form > 1 ? " " + flow(2) : "";
    text += lineEnd();
    if (form == 0) text += block(indent + 1 + below(3), depth - 1);
    if (form == 1) text += list(indent + below(3));
    return text;
  }
  std::string list(std::size_t indent) {
    std::string text;
    for (std::size_t i = 0, n = 1 + below(3); i < n; ++i) {
      text += std::string(indent, ' ') + "- " + flow(2);
      text += lineEnd();
    }
    return text;
  }

  std::mt19937 random_;
  int comments_ = 0;
};

void collectPaths(const YamlTree& node, const Path& path, std::vector<Path>& into) {
  for (std::size_t i = 0; i < node->entries.size(); ++i) {
    Path below = path;
    below.push_back(node->isList() ? std::to_string(i) : node->entries[i].key);
    into.push_back(below);
    collectPaths(node->entries[i].value, below, into);
  }
}

std::size_t placeIn(const YamlTree& node, const std::string& name) {
  std::size_t i = 0;
  while (i < node->entries.size() && (node->isList() ? std::to_string(i) : node->entries[i].key) != name) ++i;
  return i;
}

YamlTree valueAtPath(YamlTree node, const Path& path) {
  for (const std::string& name : path) node = YamlTree(node->entries[placeIn(node, name)].value);
  return node;
}

YamlTree withValueAt(const YamlTree& node, const Path& path, const YamlTree& value, std::size_t at = 0) {
  if (at == path.size()) return value;
  const std::size_t i = placeIn(node, path[at]);
  return withEntry(node, i, withValueAt(node->entries[i].value, path, value, at + 1));
}

/// Null where nothing is left.
YamlTree without(const YamlTree& node, const Path& path, std::size_t at = 0) {
  const std::size_t i = placeIn(node, path[at]);
  const YamlTree left = at + 1 < path.size() ? without(node->entries[i].value, path, at + 1) : nullptr;
  if (left) return withEntry(node, i, left);
  if (node->entries.size() == 1 && at > 0) return nullptr;
  std::vector<YamlNode::Entry> entries = node->entries;
  entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(i));
  return withEntries(node, std::move(entries));
}

TEST(YamlPatchOfAnyText, SaysWhatWasSetAndKeepsEveryComment) {
  RandomDocument random(1);
  for (int run = 0; run < 600; ++run) {
    const std::string text = random.next();
    const YamlTree tree = meaningOf(text);
    ASSERT_TRUE(tree) << text;
    std::vector<Path> paths;
    collectPaths(tree, {}, paths);
    const Path path = paths[random.below(paths.size())];
    const std::string value = run % 2 == 0 ? "[9, {k: \"x # ]\"}]" : "9";
    const std::string after = set(text, path, value);
    const YamlTree was = valueAtPath(tree, path);
    const bool isBlock = (was->isMap() || was->isList()) && !was->isFlow;
    EXPECT_EQ(after == kRefused, isBlock) << text << "\n" << path.back();
    if (isBlock) continue;
    EXPECT_TRUE(isSame(meaningOf(after), withValueAt(tree, path, meaningOf(value)))) << text << "\n" << after;
    for (int i = 0; i < random.comments(); ++i)
      EXPECT_NE(after.find("# c" + std::to_string(i) + " "), std::string::npos) << text << "\n" << after;
  }
}

TEST(YamlPatchOfAnyText, SaysWhatIsLeftWhereSomethingWasRemoved) {
  RandomDocument random(2);
  for (int run = 0; run < 600; ++run) {
    const std::string text = random.next();
    const YamlTree tree = meaningOf(text);
    ASSERT_TRUE(tree) << text;
    std::vector<Path> paths;
    collectPaths(tree, {}, paths);
    const Path path = paths[random.below(paths.size())];
    const std::string after = removed(text, path);
    const YamlTree left = without(tree, path);
    EXPECT_NE(after, kRefused) << text;
    if (left->entries.empty())
      EXPECT_TRUE(meaningOf(after) && meaningOf(after)->entries.empty()) << text << "\n" << after;
    else
      EXPECT_TRUE(isSame(meaningOf(after), left)) << text << "\n" << after;
  }
}

}  // namespace
}  // namespace slipstick::assets
