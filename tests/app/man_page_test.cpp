#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/command_help.h"
#include "tests/app/program_run.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class ManPage : public testing::ProgramTest {
 protected:
  ManPage() { page_ = run("--man-page > slipstick.1; cat slipstick.1").out; }

  /// The part with this heading, its hyphens as they are typed.
  std::string part(const std::string& heading) const {
    const std::size_t begin = page_.find(heading + "\n");
    if (begin == std::string::npos) return {};
    std::string text = page_.substr(begin, page_.find("\n.S", begin + 1) - begin);
    for (std::size_t at; (at = text.find("\\-")) != std::string::npos;) text.erase(at, 1);
    return text;
  }

  std::string page_;
};

TEST_F(ManPage, HasEveryVerbWithEveryOptionOfTheHelp) {
  const std::string help = run("--help").out;
  const std::vector<std::string> verbs = testing::verbsOf(help);
  ASSERT_THAT(verbs, ::testing::IsSupersetOf({"run", "render", "check", "scenes"}));
  for (const std::string& option : testing::optionsOf(help))
    EXPECT_THAT(part(".SH OPTIONS OF THE WINDOW"), HasSubstr("\\fB" + option + "\\fR"));
  for (const std::string& verb : verbs) {
    EXPECT_THAT(part(".SH SYNOPSIS"), HasSubstr("\\fBslipstick " + verb + "\\fR"));
    const std::set<std::string> options = testing::optionsOf(run(verb + " --help").out);
    EXPECT_FALSE(options.empty()) << verb;
    for (const std::string& option : options)
      EXPECT_THAT(part(".SS " + verb), HasSubstr("\\fB" + option + "\\fR")) << verb;
  }
}

/// What a source writes in such letters is a variable of the environment, which a person must find in the page.
TEST_F(ManPage, HasEveryVariableThatTheProgramReads) {
  std::set<std::string> variables;
  const std::regex kVariable(R"re("([A-Z]+(_[A-Z]+)+)")re");
  for (const char* folder : {"engine", "gpu", "assets", "render", "ui", "app"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::sourceDir() / folder)) {
      if (entry.path().extension() != ".cpp" || entry.path().filename() == "man_page.cpp") continue;
      const std::string text = testing::readText(entry.path());
      for (std::sregex_iterator found(text.begin(), text.end(), kVariable); found != std::sregex_iterator();
           ++found)
        variables.insert((*found)[1]);
    }
  EXPECT_THAT(variables, ::testing::IsSupersetOf({"SLIPSTICK_ASSETS", "SLIPSTICK_ISA", "ROS_PACKAGE_PATH"}));
  for (const std::string& variable : variables) EXPECT_THAT(part(".SH ENVIRONMENT"), HasSubstr(variable));
}

TEST_F(ManPage, SaysTheVersionAndTheExitStatuses) {
  const std::string version = run("--version").out;  // "slipstick 0.1.0\n"
  EXPECT_THAT(page_, HasSubstr("\"Slipstick " + version.substr(10, version.size() - 11) + "\""));
  EXPECT_THAT(part(".SH EXIT STATUS"), HasSubstr("3 the simulation failed"));
}

TEST_F(ManPage, IsCleanForThoseWhoJudgeIt) {
  const auto complaints = [&](const std::string& judge) {
    EXPECT_EQ(
        std::system(
            ("cd '" + folder_.string() + "' && LC_ALL=C.UTF-8 " + judge + " > judged.txt 2>&1").c_str()),
        0)
        << judge;
    return testing::readText(path("judged.txt"));
  };
  if (std::system("command -v mandoc > /dev/null") != 0) GTEST_SKIP() << "mandoc is not installed";
  EXPECT_EQ(complaints("mandoc -T lint -W warning slipstick.1"), "");
  const std::string shown = complaints("mandoc -T utf8 slipstick.1 | col -bx");
  EXPECT_THAT(shown, HasSubstr("slipstick run scene [option ...]"));
  EXPECT_THAT(shown, HasSubstr("--pass color|depth|normals|segmentation"));
}

}  // namespace
}  // namespace slipstick
