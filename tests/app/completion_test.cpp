// The completions of the three shells, each asked in its own shell.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/command_help.h"
#include "tests/app/program_run.h"

namespace slipstick {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

using Words = std::vector<std::string>;

class Completion : public testing::ProgramTest {
 protected:
  Completion() {
    std::ofstream(path("mine.yaml")) << "title: mine\n";
    std::ofstream(path("notes.txt")) << "no scene\n";
    std::ofstream(path("ours.h5")) << "a recording\n";
    std::filesystem::create_directory(path("folder"));
  }

  /// Prints the script for a shell into "script", and skips the test where the shell is not installed.
  bool has(const std::string& shell) {
    if (std::system(("command -v " + shell + " > /dev/null").c_str()) != 0) return false;
    const Outcome printed = run("--completion " + shell);
    EXPECT_EQ(printed.status, 0) << printed.err;
    std::ofstream(path("script")) << printed.out;
    EXPECT_EQ(std::system(("cd '" + folder_.string() + "' && " + shell + " -n script").c_str()), 0);
    return true;
  }

  /// The lines that a command of a shell prints, with the program in its path.
  Words linesOf(const std::string& shell, const std::string& commands) {
    std::ofstream(path("commands")) << commands;
    const std::string command = "cd '" + folder_.string() + "' && PATH=\"" +
                                testing::program().parent_path().string() + ":$PATH\" HOME=\"$PWD\" " +
                                shell + " commands > lines.txt 2> errors.txt < /dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0) << testing::readText(path("errors.txt"));
    EXPECT_EQ(testing::readText(path("errors.txt")), "") << commands;
    std::ifstream stream(path("lines.txt"));
    Words lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

  Words bash(const std::string& line) {
    return linesOf("bash --norc", "source ./script\nCOMP_LINE='" + line +
                                      "' COMP_POINT=${#COMP_LINE}\ncompopt() { :; }\n_slipstick slipstick\n"
                                      "((${#COMPREPLY[@]} == 0)) || printf '%s\\n' \"${COMPREPLY[@]}\"\n");
  }

  Words fish(const std::string& line) {
    Words words = linesOf("fish --no-config", "source ./script\ncomplete -C '" + line + "'\n");
    for (std::string& word : words) word = word.substr(0, word.find('\t'));
    return words;
  }

  Words zsh(const std::string& line);
};

/// zsh completes only what is typed: a line and a tab into one on a terminal of its own, which writes down what it would
/// offer.
Words Completion::zsh(const std::string& line) {
  std::ofstream(path("rc.zsh")) << R"zsh(autoload -U compinit && compinit -u -D
source ./script
compadd() {
  local -a offered
  builtin compadd -O offered "$@"
  ((${#offered})) && print -rl -- $offered >> offered.txt
  builtin compadd "$@"
}
: > ready
)zsh";
  return linesOf("zsh -f", R"zsh(zmodload zsh/zpty
zpty -b shell zsh -f -i
zpty -w shell 'source ./rc.zsh'
for try in {1..400}; do [[ -e ready ]] && break; sleep 0.05; done
zpty -w -n shell ')zsh" + line +
                               R"zsh('$'\t'
for try in {1..400}; do [[ -s offered.txt ]] && break; sleep 0.05; done
sleep 0.3
zpty -d shell
[[ -e offered.txt ]] && sort -u offered.txt
rm -f offered.txt ready
)zsh");
}

TEST_F(Completion, BashOffersEveryVerbAndOptionOfTheHelp) {
  if (!has("bash")) GTEST_SKIP() << "bash is not installed";
  const std::string help = run("--help").out;
  const Words verbs = testing::verbsOf(help);
  EXPECT_THAT(bash("slipstick "), IsSupersetOf(verbs));
  const auto expectOptions = [&](const std::string& before, const std::set<std::string>& options) {
    EXPECT_THAT(bash(before + "--"), ::testing::UnorderedElementsAreArray(options)) << before;
  };
  expectOptions("slipstick ", testing::optionsOf(help));
  for (const std::string& verb : verbs)
    expectOptions("slipstick " + verb + " ", testing::optionsOf(run(verb + " --help").out));
}

TEST_F(Completion, BashOffersWordsListsFoldersAndWhatOpens) {
  if (!has("bash")) GTEST_SKIP() << "bash is not installed";
  EXPECT_THAT(bash("slipstick render x --quality "), ElementsAre("draft", "good", "best"));
  EXPECT_THAT(bash("slipstick render x --quality=g"), ElementsAre("good"));
  EXPECT_THAT(bash("slipstick render x --pass d"), ElementsAre("depth"));
  EXPECT_THAT(bash("slipstick run x --backend cp"), ElementsAre("cpu"));
  EXPECT_THAT(bash("slipstick render x --show forces,con"),
              AllOf(Contains("forces,cones"), Contains("forces,contact=pairs")));
  EXPECT_THAT(bash("slipstick render x --show contact=pa"), ElementsAre("pairs"))
      << "bash keeps what ends with =";
  EXPECT_THAT(bash("slipstick run x --duration "), IsEmpty()) << "a number";
  EXPECT_THAT(bash("slipstick run dough_r"), ElementsAre("dough_rolling"));
  EXPECT_THAT(bash("slipstick check arm"), ElementsAre("arm7"));
  EXPECT_THAT(bash("slipstick run "), AllOf(IsSupersetOf({"dough_rolling", "arm7", "mine.yaml", "folder"}),
                                            Not(Contains("notes.txt")), Not(Contains("ours.h5"))));
  EXPECT_THAT(bash("slipstick replay "), UnorderedElementsAre("ours.h5", "folder"));
  EXPECT_THAT(bash("slipstick "), IsSupersetOf({"run", "dough_rolling", "mine.yaml", "ours.h5"}));
}

TEST_F(Completion, FishOffersVerbsOptionsWordsAndWhatShips) {
  if (!has("fish")) GTEST_SKIP() << "fish is not installed";
  const std::string help = run("--help").out;
  EXPECT_THAT(fish("slipstick "), IsSupersetOf(testing::verbsOf(help)));
  for (const std::string& verb : testing::verbsOf(help))
    EXPECT_THAT(fish("slipstick " + verb + " --"),
                IsSupersetOf(testing::optionsOf(run(verb + " --help").out)));
  EXPECT_THAT(fish("slipstick --"), AllOf(IsSupersetOf(testing::optionsOf(help)), Not(Contains("--record"))));
  EXPECT_THAT(fish("slipstick render x --quality "), UnorderedElementsAre("draft", "good", "best"));
  EXPECT_THAT(fish("slipstick render x --show forces,cone"), Contains("forces,cones"));
  EXPECT_THAT(fish("slipstick run dough_r"), ElementsAre("dough_rolling"));
}

TEST_F(Completion, ZshOffersVerbsOptionsWordsAndWhatShips) {
  if (!has("zsh")) GTEST_SKIP() << "zsh is not installed";
  const std::string help = run("--help").out;
  EXPECT_THAT(zsh("slipstick "), IsSupersetOf(testing::verbsOf(help)));
  EXPECT_THAT(zsh("slipstick run x --"), IsSupersetOf(testing::optionsOf(run("run --help").out)));
  EXPECT_THAT(zsh("slipstick render x --quality "), UnorderedElementsAre("draft", "good", "best"));
  EXPECT_THAT(zsh("slipstick run dough_r"), Contains("dough_rolling"));
}

TEST_F(Completion, OtherShellsAreRefusedWithThoseThatThereAre) {
  const Outcome outcome = run("--completion tcsh");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, ::testing::HasSubstr("choose from: bash, zsh, fish"));
}

}  // namespace
}  // namespace slipstick
