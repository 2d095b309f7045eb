// YAML as it is written: read again it says the same, whatever the words and numbers are.
#include "assets/yaml_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "assets/yaml_tree.h"
#include "engine/foundation/number_text.h"

namespace slipstick::assets {
namespace {

YamlTree read(const std::string& text) {
  const Result<YamlTree> tree = parseYaml(text, "text.yaml");
  EXPECT_TRUE(tree) << tree.error().message() << "\n" << text;
  return tree ? *tree : nullptr;
}

std::string quotedWord(std::string_view word) {
  return assets::quoted(word);
}

// --------------------------------------------------------------------------------------------------------- words

TEST(YamlQuoted, LeavesPlainWordsAsTheyAre) {
  for (const char* word :
       {"a", "left_arm.link_3", "meshes/a-b.obj", "M6", "1a", "caf\u00e9", "\u4e2d", "e", "x1e5"})
    EXPECT_EQ(quotedWord(word), word);
}

TEST(YamlQuoted, PutsWhatMeansSomethingElseInQuotes) {
  for (const char* word : {"",    " ",   "two words", "1",  "-1.5", "1e5", "inf", "nan", "true", "No",
                           "ON",  "off", "NULL",      "~",  "-",    "-a",  "a:",  "#a",  "[a]",  "{a}",
                           "a,b", "*a",  "&a",        "!a", "|",    ">",   "?",   "%",   "@"})
    EXPECT_EQ(quotedWord(word), "\"" + std::string(word) + "\"");
}

TEST(YamlQuoted, EscapesWhatCannotStandInQuotes) {
  EXPECT_EQ(quotedWord("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(quotedWord("a\nb\tc"), R"("a\nb\tc")");
  EXPECT_EQ(quotedWord("\ufeffa\u0085"), R"("\ufeffa\u0085")");
  EXPECT_EQ(quotedWord("\u2028 \u2029\u2028"), R"("\u2028 \u2029\u2028")");
  EXPECT_EQ(quotedWord("\r\x01\x1f\x7f"), R"("\x0d\x01\x1f\x7f")");
  EXPECT_EQ(quotedWord(std::string_view("a\0b", 3)), R"("a\x00b")");
}

/// As a key and as a value, in brackets and in blocks.
void expectToBeReadAgain(const std::string& word) {
  YamlOut map;
  map.add(word, YamlOut::text(word));
  const std::string list = "[" + YamlOut::text(word).inOneLine() + "]";
  for (const YamlTree& tree : {read(map.document()), read(map.inOneLine())}) {
    ASSERT_TRUE(tree && tree->entries.size() == 1) << word;
    EXPECT_EQ(tree->entries[0].key, word);
    EXPECT_EQ(tree->entries[0].value->scalar, word);
    EXPECT_TRUE(tree->entries[0].value->isScalar()) << word << " is a word, not null";
  }
  for (const YamlTree& tree : {read(list), read("- " + YamlOut::text(word).inOneLine())}) {
    ASSERT_TRUE(tree && tree->isList() && tree->entries.size() == 1) << word;
    EXPECT_EQ(tree->entries[0].value->scalar, word);
  }
}

TEST(YamlQuoted, AreReadAgainAsTheyWere) {
  for (const char* word :
       {"",     "...",    "---",     "..",       "~a",     ".inf",       "0x1F",   "1_000", "2001-01-01",
        "a: b", "a #b",   "?x",      "`x",       "'x'",    "\"x\"",      "tab\tx", "a\nb",  " a",
        "a ",   "\u00a0", "\u0085a", "a\u2028b", "\u00e9", "\U0001F600", "x:",     "="})
    expectToBeReadAgain(word);
  for (const char* word : {"\ufeff", "\ufeffa", "a\ufeff", "\u2028", "a\u0085\u2029"})
    expectToBeReadAgain(word);
  expectToBeReadAgain(std::string("a\0b", 3));
  expectToBeReadAgain(std::string(1000, 'n'));
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string word;
    for (std::size_t k = 0, n = random() % 8; k < n; ++k) word += static_cast<char>(random() % 128);
    if (word != "<<") expectToBeReadAgain(word);
  }
}

// ------------------------------------------------------------------------------------------------------- numbers

TEST(YamlOut, WritesNumbersShort) {
  const auto text = [](double value) { return YamlOut::number(value).inOneLine(); };
  EXPECT_EQ(text(0), "0");
  EXPECT_EQ(text(-1.5), "-1.5");
  EXPECT_EQ(text(0.1), "0.1");
  EXPECT_EQ(text(1e5), "1e5");
  EXPECT_EQ(text(2.5e-7), "2.5e-7");
  EXPECT_EQ(text(1e100), "1e100");
  EXPECT_EQ(text(-1e-100), "-1e-100");
  EXPECT_EQ(text(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(text(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(YamlOut::integer(std::numeric_limits<long long>::min()).inOneLine(), "-9223372036854775808");
  EXPECT_EQ(YamlOut::boolean(true).inOneLine() + YamlOut::boolean(false).inOneLine(), "truefalse");
}

TEST(YamlOut, NumbersAreReadAgainToTheLastBit) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isnan(value)) continue;
    const std::optional<double> again = parseNumber(YamlOut::number(value).inOneLine());
    ASSERT_TRUE(again) << value;
    EXPECT_EQ(std::memcmp(&*again, &value, sizeof value), 0) << value;
  }
}

// ----------------------------------------------------------------------------------------------------- documents

TEST(YamlOut, FindsAndTellsWhatIsEmpty) {
  YamlOut map;
  EXPECT_TRUE(map.isEmpty());
  EXPECT_TRUE(YamlOut::list({}).isEmpty());
  EXPECT_FALSE(YamlOut::text("").isEmpty()) << "an empty word is a word";
  map.add("a", YamlOut::integer(1)).add("b", YamlOut::integer(2));
  EXPECT_FALSE(map.isEmpty());
  ASSERT_NE(map.find("b"), nullptr);
  EXPECT_EQ(map.find("b")->inOneLine(), "2");
  EXPECT_EQ(map.find("c"), nullptr);
  EXPECT_EQ(map.entries()[1].first, "b");
}

TEST(YamlOut, WritesShortThingsOnOneLine) {
  YamlOut pose;
  pose.add("position", YamlOut::numbers({0, 0.5, 1e-3})).add("two words", YamlOut::text("a b"));
  EXPECT_EQ(pose.inOneLine(), "{position: [0, 0.5, 0.001], \"two words\": \"a b\"}");
  YamlOut document;
  document.add("name", YamlOut::text("x"))
      .add("pose", pose)
      .add("none", YamlOut())
      .add("no", YamlOut::list({}));
  EXPECT_EQ(document.document(),
            "name: x\npose: {position: [0, 0.5, 0.001], \"two words\": \"a b\"}\nnone: {}\n"
            "\"no\": []\n");
}

TEST(YamlOut, GivesEachNamedThingALineAndEachSectionRoom) {
  YamlOut cup, lid, bodies, document;
  cup.add("mass", YamlOut::integer(1));
  lid.add("mass", YamlOut::integer(2));
  bodies.add("cup", cup).add("lid", lid);
  document.add("name", YamlOut::text("x")).add("bodies", bodies).add("loops", YamlOut::list({cup, lid}));
  document.add("time", YamlOut::integer(3));
  EXPECT_EQ(document.document(),
            "name: x\n\n"
            "bodies:\n  cup: {mass: 1}\n  lid: {mass: 2}\n\n"
            "loops:\n  - {mass: 1}\n  - {mass: 2}\n\n"
            "time: 3\n");
}

/// A list of so many ones: "[1, 1, …]" has three characters for each.
YamlOut ones(std::size_t characters) {
  EXPECT_EQ(characters % 3, 0u);
  return YamlOut::list(std::vector<YamlOut>(characters / 3, YamlOut::integer(1)));
}

TEST(YamlOut, BreaksALineThatWouldBeLongerThanAHundredAndTwenty) {
  YamlOut fits, tooLong;
  fits.add("a", ones(117));
  EXPECT_EQ(fits.document(), "a: " + ones(117).inOneLine() + "\n") << "120 characters";
  tooLong.add("ab", ones(117));
  EXPECT_EQ(tooLong.document().substr(0, 14), "ab:\n  - 1\n  - ");
  YamlOut word;
  word.add("a", YamlOut::text(std::string(200, 'x')));
  EXPECT_EQ(word.document(), "a: " + std::string(200, 'x') + "\n") << "a word has no place to break";
}

TEST(YamlOut, CountsTheQuotesOfAKey) {
  YamlOut top, map, document;
  top.add(R"(""")", ones(111));
  EXPECT_EQ(top.document().substr(0, 14), "\"\\\"\\\"\\\"\":\n  - ") << "121 characters";
  map.add(R"(""")", ones(111)).add("c", YamlOut::integer(1));
  document.add("map", map).add("list", YamlOut::list({map}));
  const std::string text = document.document();
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
    EXPECT_LE(text.find('\n', at) - at, 120u) << text.substr(at, text.find('\n', at) - at);
}

TEST(YamlOut, BreaksMapsInListsAtTheirKeys) {
  YamlOut item, document;
  item.add("a", ones(60)).add("b", ones(60));
  document.add("l", YamlOut::list({item, item}));
  const std::string once = "  - a: " + ones(60).inOneLine() + "\n    b: " + ones(60).inOneLine() + "\n";
  EXPECT_EQ(document.document(), "l:\n" + once + once);
}

/// Documents of every shape.
class RandomOut {
 public:
  YamlOut map(int depth) {
    YamlOut map;
    for (std::size_t i = 0, n = random_() % 5; i < n; ++i) map.add("key" + std::to_string(i), value(depth));
    return map;
  }

 private:
  YamlOut value(int depth) {
    const std::size_t form = random_() % (depth > 0 ? 6 : 3);
    if (form == 0) return YamlOut::integer(static_cast<long long>(random_() % 1000));
    if (form == 1) return YamlOut::text(std::string(random_() % 50, 'w'));
    if (form == 2) return YamlOut::numbers(std::vector<double>(random_() % 40, 0.25));
    if (form == 3) return list(depth - 1);
    return map(depth - 1);
  }
  YamlOut list(int depth) {
    YamlOut::List items;
    for (std::size_t i = 0, n = random_() % 5; i < n; ++i) items.push_back(value(depth));
    return YamlOut::list(std::move(items));
  }
  std::mt19937 random_{1};
};

TEST(YamlOut, SaysInBlocksWhatItSaysInOneLineAndKeepsLinesShort) {
  RandomOut random;
  for (int run = 0; run < 500; ++run) {
    const YamlOut out = random.map(4);
    if (out.isEmpty()) continue;
    const std::string document = out.document();
    EXPECT_TRUE(isSame(read(document), read(out.inOneLine()))) << document;
    for (std::size_t at = 0, end = 0; at < document.size(); at = end + 1) {
      end = document.find('\n', at);
      ASSERT_NE(end, std::string::npos) << "the last line ends, too";
      EXPECT_LE(end - at, 120u) << document.substr(at, end - at);
    }
  }
}

}  // namespace
}  // namespace slipstick::assets
