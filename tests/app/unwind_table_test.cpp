// Exceptions find their way by a table of where functions are. Of a function without code and the one behind it, which begin at
// the same place, lld keeps the first: an exception through the other ends the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "tests/app/program_run.h"

namespace slipstick {
namespace {

using ::testing::IsEmpty;

class UnwindTable : public testing::ProgramTest {
 protected:
  std::string said(const std::string& command) const {
    EXPECT_EQ(std::system((command + " > '" + path("said.txt") + "'").c_str()), 0) << command;
    return testing::readText(path("said.txt"));
  }
};

TEST_F(UnwindTable, HasNoFunctionWithoutCode) {
  const std::string program = "'" + testing::program().string() + "'";
  std::istringstream ranges(
      said("readelf --debug-dump=frames " + program + " | sed -n 's/.* FDE .* pc=//p'"));
  std::size_t functions = 0;
  std::set<std::string> empty;
  for (std::string range; ranges >> range; ++functions) {
    const std::size_t dots = range.find("..");
    ASSERT_NE(dots, std::string::npos) << range;
    if (range.substr(0, dots) == range.substr(dots + 2)) empty.insert(range.substr(0, dots));
  }
  EXPECT_GT(functions, 10'000u) << "the table cannot be read";
  std::string names;
  for (const std::string& place : empty) names += said("nm -C " + program + " | grep '^" + place + " '");
  EXPECT_THAT(empty, IsEmpty()) << names;
}

}  // namespace
}  // namespace slipstick
