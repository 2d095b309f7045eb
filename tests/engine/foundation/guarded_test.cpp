#include "engine/foundation/guarded.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/sanitizers.h"

namespace slipstick {
namespace {

Result<int> afterThrowing(const auto& thrown) {
  return guarded(ErrorCode::FileUnreadable, "cube.stl", [&]() -> Result<int> { throw thrown; });
}

TEST(Guarded, WorkThatSucceedsOrFailsGivesItsOwnResult) {
  const auto number = guarded(ErrorCode::FileUnreadable, "a", [] { return Result<int>(7); });
  ASSERT_TRUE(number);
  EXPECT_EQ(*number, 7);
  const auto error = guarded(ErrorCode::FileUnreadable, "a", [] {
    return Result<int>(Error{ErrorCode::UnknownName, "no", "b", "yes"});
  });
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().code, ErrorCode::UnknownName);
  bool done = false;
  EXPECT_TRUE(guarded(ErrorCode::FileUnreadable, "a", [&] { done = true; }));
  EXPECT_TRUE(done);
}

TEST(Guarded, WhateverIsThrownBecomesAnErrorThatSaysWhere) {
  const Result<int> known = afterThrowing(std::runtime_error("bad chunk"));
  ASSERT_FALSE(known);
  EXPECT_EQ(known.error().code, ErrorCode::FileUnreadable);
  EXPECT_EQ(known.error().where, "cube.stl");
  EXPECT_NE(known.error().what.find("bad chunk"), std::string::npos);
  const Result<int> strange = afterThrowing(42);
  ASSERT_FALSE(strange);
  EXPECT_EQ(strange.error().where, "cube.stl");
  EXPECT_FALSE(strange.error().what.empty());
  EXPECT_FALSE(strange.error().remedy.empty());
}

TEST(Guarded, WithoutMemoryForItsWordsItSaysSoInShort) {
  const Error error =
      errorOrItsShortForm(ErrorCode::FileUnwritable, []() -> Error { throw std::bad_alloc(); });
  EXPECT_EQ(error.code, ErrorCode::FileUnwritable);
  EXPECT_EQ(error.what, "out of memory");
  EXPECT_LT(error.what.size(), sizeof(std::string) / 2) << "kept in the string itself";
}

// AddressSanitizer ends the program instead.
#ifndef SLIPSTICK_ASAN

TEST(Guarded, ContainersThatCannotGrowAreAWantOfMemory) {
  const auto grow = [](std::size_t count) {
    return guarded(ErrorCode::FileUnreadable, "cube.stl", [&] { std::vector<double>().resize(count); });
  };
  const Result<void> absurd = grow(std::size_t{1} << 62), tooMuch = grow(std::size_t{1} << 57);
  ASSERT_FALSE(absurd);
  ASSERT_FALSE(tooMuch);
  EXPECT_EQ(absurd.error().what, outOfMemory(ErrorCode::FileUnreadable, "").what);
  EXPECT_EQ(tooMuch.error().what, absurd.error().what);
}

#endif

}  // namespace
}  // namespace slipstick
