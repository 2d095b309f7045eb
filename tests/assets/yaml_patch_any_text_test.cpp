// Small changes to random YAML in every form that people write: what a change says afterwards is what was asked for.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <random>

#include "tests/assets/patched_yaml.h"

namespace slipstick::assets {
namespace {

using namespace patched;  // NOLINT(google-build-using-namespace)

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
