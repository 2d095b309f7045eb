// Which bytes are UTF-8, and what becomes of those that are not.
#include "assets/utf8.h"

#include <gtest/gtest.h>

namespace slipstick::assets {
namespace {

TEST(Utf8, CodePointsAndWhatIsNone) {
  EXPECT_EQ(codePoints("a\u00e9\u20ac\U0001F600"), U"a\u00e9\u20ac\U0001F600");
  EXPECT_EQ(codePoints("a\xe9z"), U"a\uFFFDz");
  EXPECT_EQ(codePoints("\xe2\x82"), U"\uFFFD\uFFFD") << "cut off";
}

TEST(Utf8, FindsTheFirstByteThatIsNone) {
  EXPECT_FALSE(firstOutsideUtf8("").has_value());
  EXPECT_FALSE(firstOutsideUtf8("a\u00e9\u20ac\U0010FFFF").has_value());
  EXPECT_EQ(firstOutsideUtf8("ab\xe9\""), 2u);
  EXPECT_EQ(firstOutsideUtf8("\xc0\x80"), 0u) << "an overlong 0";
  EXPECT_EQ(firstOutsideUtf8("\xe0\x9f\xbf"), 0u) << "an overlong U+07FF";
  EXPECT_EQ(firstOutsideUtf8("\xed\xa0\x80"), 0u) << "half of a pair of UTF-16";
  EXPECT_EQ(firstOutsideUtf8("\xf4\x90\x80\x80"), 0u) << "beyond U+10FFFF";
  EXPECT_EQ(firstOutsideUtf8("a\x80"), 1u) << "continues nothing";
}

TEST(Utf8, OfLatin1) {
  EXPECT_EQ(utf8OfLatin1("K\xf6rper \xff \x80"), "K\u00f6rper \u00ff \u0080");
}

}  // namespace
}  // namespace slipstick::assets
