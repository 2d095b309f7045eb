#include "assets/recording/recorded_soft_fields.h"

#include <gtest/gtest.h>

namespace slipstick::assets::recording {
namespace {

TEST(RecordedSoftFields, AreReadAsTheyWereWritten) {
  const std::vector<FieldSpec> fields = {{"F", 3, 3}, {"heat_1", 1, 1}, {"director", 3, 1}};
  EXPECT_EQ(textOf(fields), "F 3 3, heat_1 1 1, director 3 1");
  const auto read = softFieldsOf(textOf(fields));
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) EXPECT_TRUE(fits(read->at(i), fields[i])) << i;
  EXPECT_EQ(softFieldsOf(textOf({})).value().size(), 0u) << "a method may remember nothing of nodes";
}

/// A file may say anything: names become those of datasets, extents decide how much is read.
TEST(RecordedSoftFields, OfADamagedFileAreNone) {
  for (const char* text : {"F", "F 3", "F 3 3 3", "F 0 3", "F -1 3", "F 3 65", "../F 3 3", "a/b 1 1",
                           " , F 3 3", "F 3 3,,C 3 3", "F 3 3, F 3 3", "F 3x3", "F 99999999999 1"})
    EXPECT_FALSE(softFieldsOf(text)) << text;
  std::string name(64, 'a');
  EXPECT_TRUE(softFieldsOf(name + " 1 1"));
  name += 'a';
  EXPECT_FALSE(softFieldsOf(name + " 1 1"));
  std::string many;
  for (int i = 0; i < 65; ++i) many += (i ? ", f" : "f") + std::to_string(i) + " 1 1";
  EXPECT_FALSE(softFieldsOf(many));
}

}  // namespace
}  // namespace slipstick::assets::recording
