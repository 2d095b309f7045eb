#include "engine/foundation/number_range.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/foundation/number_text.h"

namespace slipstick {
namespace {

constexpr Range kUnit{0, 1};

TEST(NumberIn, TakesDecimalNumbersOfTheRange) {
  EXPECT_EQ(numberIn("0.25", kUnit).value(), 0.25);
  EXPECT_EQ(numberIn("+1e-3", kUnit).value(), 1e-3);
  EXPECT_EQ(numberIn("1", kUnit).value(), 1);
  EXPECT_EQ(numberIn("1e-400", kUnit).value(), 0) << "nothing that a double could tell from zero";
}

struct Refusal {
  const char* text;
  const char* what;
  const char* remedy;
};

TEST(NumberIn, RepeatsWhatWasTypedAndSaysWhatMayBe) {
  const std::string range = "write a number from 0 to 1 s";
  for (const Refusal& r : {
           Refusal{"-3", "-3 is out of range", ""},
           Refusal{"1.0000001", "1.0000001 is out of range", ""},
           Refusal{"nan", "'nan' is not a finite number", ""},
           Refusal{"-nan", "'-nan' is not a finite number", ""},
           Refusal{"inf", "'inf' is not a finite number", ""},
           Refusal{"-Infinity", "'-Infinity' is not a finite number", ""},
           Refusal{"1e400", "'1e400' is too large", ""},
           Refusal{"0x10", "'0x10' is not a number", ""},
           Refusal{"1,5", "'1,5' is not a number", "write decimals after a point: 1.5"},
           Refusal{"", "'' is not a number", ""},
           Refusal{" 1", "' 1' is not a number", ""},
           Refusal{"1s", "'1s' is not a number", ""},
           Refusal{"--1", "'--1' is not a number", ""},
           Refusal{"one", "'one' is not a number", ""},
       }) {
    const Result<double> value = numberIn(r.text, kUnit, "s");
    ASSERT_FALSE(value) << r.text;
    EXPECT_EQ(value.error().what, r.what);
    EXPECT_EQ(value.error().remedy, *r.remedy ? r.remedy : range) << r.text;
  }
}

TEST(WholeNumberIn, RefusesParts) {
  EXPECT_EQ(wholeNumberIn("12", 0, 4096).value(), 12);
  EXPECT_EQ(wholeNumberIn("1e3", 0, 4096).value(), 1000);
  EXPECT_EQ(wholeNumberIn("2.5", 0, 4096).error().what, "2.5 is not a whole number");
  EXPECT_EQ(wholeNumberIn("5000", 0, 4096).error().message(),
            "5000 is out of range; write a whole number from 0 to 4096");
  EXPECT_EQ(wholeNumberIn("99999999999999999999", 0, 4096).error().what,
            "99999999999999999999 is out of range");
}

TEST(DescribeRange, SaysTheBoundsThatThereAre) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(describe({}), "write a finite number");
  EXPECT_EQ(describe({0, kInfinity, true}, "m"), "write a number greater than 0 m");
  EXPECT_EQ(describe({0, 1e6, true}), "write a number above 0 to 1000000");
  EXPECT_EQ(describe({-kInfinity, 2}), "write a number of at most 2");
}

TEST(Shortened, IsAtMostSixtyBytes) {
  EXPECT_EQ(shortened(""), "");
  std::string text(60, 'a');
  EXPECT_EQ(shortened(text), text);
  text += 'a';
  EXPECT_EQ(shortened(text), text.substr(0, 57) + "...");
}

/// Half a letter is none: reports that hold one cannot be written.
TEST(Shortened, EndsInNoLetter) {
  for (const std::string letter : {"\u00e9", "\u2192", "\U0001f600"})
    for (std::size_t before = 0; before < letter.size(); ++before) {
      std::string text(before, 'a');
      while (text.size() < 100) text += letter;
      const std::string kept = shortened(text);
      ASSERT_TRUE(kept.ends_with("...")) << kept;
      EXPECT_LE(kept.size(), 60u);
      EXPECT_GT(kept.size(), 60u - letter.size());
      EXPECT_EQ((kept.size() - 3 - before) % letter.size(), 0u) << kept << ": whole ones";
      EXPECT_TRUE(text.starts_with(kept.substr(0, kept.size() - 3)));
    }
  EXPECT_EQ(shortened(std::string(100, '\x80')), "...") << "which is no text at all";
}

/// Whatever stands there: a number of the range, or an error that repeats it.
TEST(NumberIn, EveryShortTextIsANumberOfTheRangeOrRefused) {
  const std::string characters = "0123456789+-.,eExXnainfNIF _";
  std::mt19937 random(7);
  int taken = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t n = random() % 7; n > 0; --n) text += characters[random() % characters.size()];
    const Result<double> value = numberIn(text, {-100, 100});
    if (value) {
      ++taken;
      EXPECT_TRUE(*value >= -100 && *value <= 100) << text;
      EXPECT_EQ(parseNumber(text), *value) << text;
    } else {
      EXPECT_NE(value.error().what.find(text), std::string::npos) << text;
      EXPECT_FALSE(value.error().remedy.empty()) << text;
    }
  }
  EXPECT_GT(taken, 100) << "numbers are among them";
}

}  // namespace
}  // namespace slipstick
