// Ctrl+C: the step that is under way ends, what was simulated is written, and the exit status says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <sstream>

#include "tests/app/program_run.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;

class Interrupt : public testing::ProgramTest {
 protected:
  /// Runs the program, and sends it a signal once `ready`, a condition of the shell, holds.
  Outcome interrupted(const std::string& arguments, const std::string& signal,
                      const std::string& ready) const {
    const std::string program = "'" + testing::program().string() + "' " + arguments;
    std::ofstream(folder_ / "interrupt.sh")
        << program << " >out.txt 2>err.txt </dev/null &\npid=$!\n"
        << "while kill -0 $pid 2>/dev/null && ! { " << ready << "; }; do sleep 0.05; done\n"
        << "kill -s " << signal << " $pid\nwait $pid\n";
    const int status = std::system(("cd '" + folder_.string() + "' && sh interrupt.sh 2>/dev/null").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, testing::readText(folder_ / "out.txt"),
            testing::readText(folder_ / "err.txt")};
  }
  nlohmann::json json(const std::string& name) const {
    return nlohmann::json::parse(testing::readText(folder_ / name));
  }
};

const std::string kRowsWritten = "[ -s o.csv ] && [ $(wc -l <o.csv) -gt 3 ]";

TEST_F(Interrupt, ARunWritesItsReportAndCsvAndSaysThatItStoppedEarly) {
  for (const auto& [signal, status] : {std::pair{"INT", 130}, std::pair{"TERM", 143}}) {
    const Outcome outcome =
        interrupted("run drop.yaml --duration 100000 --csv o.csv --report r.json", signal, kRowsWritten);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    const auto report = json("r.json");
    EXPECT_EQ(report["stopped_early"], true);
    EXPECT_EQ(report["stopped_by"], std::string("SIG") + signal);
    EXPECT_NEAR(report["stopped_at_s"].get<double>(), report["simulated_s"].get<double>(), 1e-9);
    const auto steps = report["steps"].get<std::size_t>();
    EXPECT_GT(steps, 0u);
    EXPECT_EQ(testing::lineCount(testing::readText(path("o.csv"))), steps + 2) << "a header and the start";
    EXPECT_THAT(outcome.err,
                ::testing::AllOf(HasSubstr("stopped early at"), HasSubstr(std::string("SIG") + signal)));
    std::filesystem::remove(path("o.csv"));
  }
  ASSERT_EQ(run("run drop.yaml --report r.json").status, 0);
  EXPECT_EQ(json("r.json")["stopped_early"], false);
}

TEST_F(Interrupt, PicturesUntilThenAreKept) {
  const Outcome outcome = interrupted("render drop.yaml --to 5000 --fps 100 --size 160x90 --out frames",
                                      "INT", "[ -e frames/frame_000002.png ]");
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("of 500001 pictures"));
  std::size_t whole = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path("frames"))) {
    const std::string png = testing::readText(entry.path());
    EXPECT_EQ(png.substr(png.size() - 8, 4), "IEND") << entry.path();
    ++whole;
  }
  EXPECT_GE(whole, 3u);
}

TEST_F(Interrupt, AFigureHasWhatThereWasUntilThen) {
  // When the first picture is there is seen from nowhere: who comes too early tells nothing, and waits for longer.
  Outcome outcome;
  for (int wait_s = 1; wait_s <= 64 && outcome.err.find("1 picture of") == std::string::npos; wait_s *= 2) {
    outcome = interrupted("figure drop.yaml --dpi 72 --at 0,10000 --to 10000 --plot puck.z --out f.svg",
                          "INT", "sleep " + std::to_string(wait_s));
    EXPECT_EQ(outcome.status, 130) << outcome.err;
  }
  EXPECT_THAT(outcome.err, ::testing::AllOf(HasSubstr("stopped early at"), HasSubstr("1 picture of")));
  const std::string svg = testing::readText(path("f.svg"));
  EXPECT_THAT(svg, HasSubstr("time [s]"));
  EXPECT_THAT(svg, HasSubstr("</svg>"));
}

/// An MP4 without its index, which comes last, plays nowhere.
TEST_F(Interrupt, AVideoIsClosed) {
  const Outcome outcome =
      interrupted("render drop.yaml --to 1000 --size 160x90 --out v.mp4", "TERM", "[ -s v.mp4.part ]");
  EXPECT_EQ(outcome.status, 143) << outcome.err;
  const std::string video = testing::readText(path("v.mp4"));
  EXPECT_NE(video.find("moov"), std::string::npos);
  EXPECT_NE(video.find("mdat"), std::string::npos);
}

TEST_F(Interrupt, ExportsAreMadeWholeOfWhatThereIs) {
  const Outcome outcome = interrupted(
      "export drop.yaml --to 5000 --contacts c.csv --npz r.npz --geometry geo --fps 0.5 --gltf m.glb", "INT",
      "[ -e geo/cube_000002.ply ]");
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("drop: stopped early at "));
  EXPECT_THAT(outcome.out, HasSubstr("m.glb"));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
  EXPECT_GE(testing::lineCount(testing::readText(path("geo/frames.csv"))), 3u);
  const std::string contacts = testing::readText(path("c.csv"));
  EXPECT_EQ(contacts.back(), '\n');
  EXPECT_GT(testing::lineCount(contacts), 100u);
  const std::string glb = testing::readText(path("m.glb"));
  EXPECT_EQ(glb.substr(0, 4), "glTF");
  std::uint32_t length = 0;
  std::memcpy(&length, glb.data() + 8, sizeof length);
  EXPECT_EQ(length, glb.size());
  EXPECT_EQ(std::system(("/usr/bin/python3 -m zipfile -t '" + path("r.npz") + "' >/dev/null").c_str()), 0);
}

TEST_F(Interrupt, ABenchWritesTheRowsUntilThen) {
  const Outcome outcome = interrupted("bench drop.yaml --steps 1000000 --json b.json", "INT",
                                      "grep -q '^scene ' out.txt && sleep 1");
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("bench: stopped early"));
  const auto rows = json("b.json");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["stopped_early"], true);
  EXPECT_LT(rows[0]["steps"].get<int>(), 1000000);
}

/// In the middle of a step that takes seconds: nothing is finished and nothing written. What was left half is the next
/// run's, without a word.
TEST_F(Interrupt, ASecondOneEndsAtOnceAndTheNextRunTakesItsPlace) {
  const Outcome outcome = interrupted(
      "run drop.yaml --duration 1000 --csv o.csv --report r.json --set time.substeps=100000 "
      "--set deformables.cube.sampling.count=[40,40,40]",
      "INT", "[ -s o.csv ] && sleep 0.5 && kill -s INT $pid && sleep 0.2");
  EXPECT_EQ(outcome.status, 130);
  EXPECT_FALSE(std::filesystem::exists(path("r.json")));
  EXPECT_TRUE(std::filesystem::exists(path("r.json.part")));
  std::ofstream(path("v.webm.part")) << "half a video";
  const Outcome next = run("run drop.yaml --csv o.csv --report r.json");
  EXPECT_EQ(next.status, 0);
  EXPECT_EQ(next.err, "");
  EXPECT_EQ(json("r.json")["steps"], 20);
  EXPECT_EQ(testing::lineCount(testing::readText(path("o.csv"))), 22u) << "a header and the start";
  EXPECT_EQ(run("render drop.yaml --size 64x48 --to 0.02 --out v.webm --quiet").status, 0);
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

}  // namespace
}  // namespace slipstick
