#include "engine/foundation/path_key.h"

#include <gtest/gtest.h>

namespace slipstick {
namespace {

using Keys = std::vector<std::string>;

TEST(PathKey, QuotesWhatWouldEndOrSplitAKey) {
  EXPECT_EQ(pathKey("left_finger"), "left_finger");
  EXPECT_EQ(pathKey("panda::hand"), "panda::hand");
  EXPECT_EQ(pathKey("left.finger 1"), "\"left.finger 1\"");
  EXPECT_EQ(pathKey(R"(a"b\c)"), R"("a\"b\\c")");
  EXPECT_EQ(pathKey(""), "\"\"");
}

TEST(PathKey, PathsAreTheirKeysAgain) {
  for (const Keys& keys : {Keys{"robots", "arm", "links", "left.finger 1", "mass"}, Keys{"a"}, Keys{"", "x"},
                           Keys{R"(q"uo\te)", "b=c", "[0]"}, Keys{"ünï.code", " "}}) {
    std::string path;
    for (std::size_t i = 0; i < keys.size(); ++i) path += (i > 0 ? "." : "") + pathKey(keys[i]);
    const auto read = keysOfPath(path);
    ASSERT_TRUE(read) << path;
    EXPECT_EQ(*read, keys) << path;
  }
}

TEST(PathKey, QuotesThatDoNotCloseOrStandInsideAKeyAreNoPath) {
  for (const char* path : {"a.\"b", "a\"b\".c", "\"a\"b.c", "\""}) EXPECT_FALSE(keysOfPath(path)) << path;
}

}  // namespace
}  // namespace slipstick
