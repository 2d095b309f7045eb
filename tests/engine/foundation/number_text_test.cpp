#include "engine/foundation/number_text.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>

#include "tests/support/comma_locale.h"

namespace slipstick {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Every pattern of bits that is a finite number, evenly.
std::vector<double> finiteNumbers() {
  std::vector<double> values = {0, -0.0, 0.02, 1e300, 5e-324, 2.5, -17, 1.0 / 3};
  std::mt19937_64 random(1);
  while (values.size() < 2000) {
    const auto value = std::bit_cast<double>(random());
    if (std::isfinite(value)) values.push_back(value);
  }
  return values;
}

template <class... Style>
std::string printed(const char* format, Style... style) {
  std::array<char, 400> text{};
  std::snprintf(text.data(), text.size(), format, style...);
  return text.data();
}

TEST(NumberText, ShortestReadsBackToTheSameBits) {
  for (const double value : finiteNumbers()) {
    const std::optional<double> read = parseNumber(shortest(value));
    ASSERT_TRUE(read) << shortest(value);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*read), std::bit_cast<std::uint64_t>(value)) << shortest(value);
  }
}

TEST(NumberText, WritesWhatPrintfWritesInTheCLocale) {
  for (const double value : finiteNumbers()) {
    EXPECT_EQ(significant(value), printed("%g", value));
    const bool isPlain = std::abs(value) >= 999.5 && std::abs(value) < 999500;
    if (!isPlain) {
      EXPECT_EQ(significant(value, 3), printed("%.3g", value));
    }
    EXPECT_EQ(fixed(value, 2), printed("%.2f", value));
    EXPECT_EQ(scientific(value, 1), printed("%.1e", value));
  }
}

TEST(NumberText, HasNoExponentBelowAMillion) {
  EXPECT_EQ(significant(99.7, 2), "100");
  EXPECT_EQ(significant(1234, 3), "1230");
  EXPECT_EQ(significant(-999500, 4), "-999500");
  EXPECT_EQ(significant(999600, 3), "1e+06");
  EXPECT_EQ(significant(1.5e7, 3), "1.5e+07");
}

TEST(NumberText, ReadsSignsExponentsAndWhatNoDoubleHolds) {
  EXPECT_EQ(parseNumber("+5"), 5);
  EXPECT_EQ(parseNumber("-.5"), -0.5);
  EXPECT_EQ(parseNumber("2.E-3"), 2e-3);
  EXPECT_EQ(parseNumber("1e999"), kInfinity);
  EXPECT_EQ(parseNumber("-1e999"), -kInfinity);
  EXPECT_EQ(parseNumber("-inf"), -kInfinity);
  EXPECT_EQ(parseNumber("1e-999"), 0);
  EXPECT_EQ(parseNumber("0." + std::string(400, '0') + "1"), 0);
  EXPECT_EQ(parseNumber("1" + std::string(400, '0')), kInfinity);
  EXPECT_TRUE(std::isnan(parseNumber("nan").value()));
}

TEST(NumberText, RefusesWhatIsNotANumberFromEndToEnd) {
  for (const char* text : {"", " 1", "1 ", "+", "-", "+-1", "--1", "0,5", "1e", "0x10", "one", "1.2.3", "."})
    EXPECT_FALSE(parseNumber(text)) << "'" << text << "'";
}

TEST(NumberText, IsTheSameUnderACommaLocale) {
  const testing::CommaLocale comma;
  EXPECT_EQ(parseNumber("0.02"), 0.02);
  EXPECT_FALSE(parseNumber("0,02"));
  EXPECT_EQ(shortest(0.02), "0.02");
  EXPECT_EQ(fixed(1234567.891, 2), "1234567.89");
  EXPECT_EQ(significant(0.25), "0.25");
  EXPECT_EQ(scientific(0.00025, 1), "2.5e-04");
}

/// However many digits say so: long rows of zeros count as much as an exponent.
TEST(NumberText, WhatNoDoubleHoldsIsInfiniteOrZero) {
  const std::string zeros(400, '0'), nines(400, '9');
  const std::vector<std::string> tooLarge = {"1e309",
                                             "1" + zeros,
                                             "000" + nines + ".5",
                                             "1" + zeros + "e-5",
                                             "0." + zeros + "1e+900",
                                             ".5e1000",
                                             "1e99999999999999999999"};
  for (const std::string& text : tooLarge) {
    EXPECT_EQ(parseNumber(text), kInfinity) << text;
    EXPECT_EQ(parseNumber("-" + text), -kInfinity) << text;
  }
  const std::vector<std::string> tooSmall = {"1e-400",
                                             "0." + zeros + "1",
                                             "." + zeros + nines,
                                             "0." + zeros + "1e5",
                                             "1" + zeros + "e-900",
                                             "00.5e-1000",
                                             "1e-99999999999999999999"};
  for (const std::string& text : tooSmall) EXPECT_EQ(parseNumber(text), 0) << text;
  EXPECT_EQ(parseNumber("1" + zeros + "e-400"), 1);
  EXPECT_EQ(parseNumber("0." + zeros + "5e+401"), 5);
}

}  // namespace
}  // namespace slipstick
