// Every output of every verb: two runs do not write one file, and what cannot be written is an error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <thread>
#include <tuple>
#include <vector>

#include "assets/recording/recording_reader.h"
#include "assets/scene_file.h"
#include "assets/scene_io.h"
#include "engine/foundation/output_claim.h"
#include "tests/app/program_run.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Outputs : public testing::ProgramTest {};

/// What the program is asked for, and the file that it writes then.
struct Output {
  std::string arguments, name;
};

/// Each verb by itself.
class OutputsOf : public Outputs, public ::testing::WithParamInterface<const char*> {
 protected:
  /// Of the verb.
  static std::vector<Output> among(const std::vector<Output>& all) {
    std::vector<Output> own;
    for (const Output& output : all)
      if (output.arguments.starts_with(std::string(GetParam()) + " ")) own.push_back(output);
    return own;
  }
};

TEST_P(OutputsOf, ThatAnotherRunWritesAreRefusedAtOnce) {
  // They go on for ever where they are not refused.
  const std::string run = "run drop.yaml --duration 100000 ",
                    still = "render drop.yaml --size 64x48 --to 100000 --out ",
                    table = "export drop.yaml --to 100000 ",
                    compared = "compare drop.yaml --duration 100000 ";
  const std::vector<Output> outputs = among({
      {run + "--record r.h5", "r.h5"},
      {run + "--csv o.csv", "o.csv"},
      {run + "--report o.json", "o.json"},
      {still + "v.mp4", "v.mp4"},
      {still + "v.webm", "v.webm"},
      {still + "v.gif", "v.gif"},
      {still + "p.png", "p.png"},
      {still + "frames", "frames/.slipstick"},
      {table + "--csv o.csv", "o.csv"},
      {table + "--contacts c.csv", "c.csv"},
      {table + "--bodies b.csv", "b.csv"},
      {table + "--npz o.npz", "o.npz"},
      {table + "--gltf m.glb", "m.glb"},
      {table + "--gltf m.gltf", "m.bin"},
      {table + "--geometry geo --fps 1", "geo/frames.csv"},
      {table + "--geometry geo", "geo/.slipstick"},
      {compared + "--csv o.csv", "o.csv"},
      {compared + "--report o.json", "o.json"},
      {"bench drop.yaml --steps 1000000 --json o.json", "o.json"},
      {"demos tries --out d.hdf5", "d.hdf5"},
      {compared + "--out f.png", "f.png"},
      {"figure drop.yaml --to 100000 --plot puck.z --out f.pdf", "f.pdf"},
      {"figure drop.yaml --to 100000 --plot puck.z --out f.svg", "f.svg"},
  });
  ASSERT_FALSE(outputs.empty());
  for (const char* folder : {"frames", "geo", "tries"}) fs::create_directory(path(folder));
  for (const auto& [arguments, name] : outputs) {
    std::ofstream(path(name)) << "the first one's";
    Result<OutputClaim> first = OutputClaim::take(path(name));
    ASSERT_TRUE(first) << first.error().message();
    const Outcome second = Outputs::run(arguments);
    EXPECT_EQ(second.status, 1) << arguments << ": " << second.err;
    EXPECT_THAT(second.err, HasSubstr("another run is writing this file")) << arguments;
    EXPECT_THAT(second.err, HasSubstr(fs::path(name).filename().string())) << arguments;
    EXPECT_EQ(testing::readText(path(name)), "the first one's") << arguments;
    EXPECT_TRUE(fs::exists(first->written())) << arguments;
  }
  for (const auto& entry : fs::recursive_directory_iterator(folder_))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

TEST_F(Outputs, OfTwoRunsTheFirstOnesRecordingIsWhole) {
  const std::string program = "'" + testing::program().string() + "' run drop.yaml --record r.h5 ";
  std::ofstream(folder_ / "two.sh") << program
                                    << "--duration 100000 --csv o.csv >/dev/null 2>first.txt &\nfirst=$!\n"
                                    << "while [ ! -s r.h5 ]; do sleep 0.05; done\n"
                                    << program << "--duration 0.1 >/dev/null 2>second.txt; echo $? >second\n"
                                    << "sleep 0.5; kill -TERM $first; wait $first; echo $? >first\n";
  (void)std::system(("cd '" + folder_.string() + "' && bash two.sh 2>/dev/null").c_str());
  EXPECT_EQ(testing::readText(path("second")), "1\n");
  EXPECT_THAT(testing::readText(path("second.txt")), HasSubstr("another run is writing this file"));
  EXPECT_EQ(testing::readText(path("first")), "143\n") << testing::readText(path("first.txt"));
  const auto recording = assets::RecordingReader::open(path("r.h5"));
  ASSERT_TRUE(recording) << recording.error().message();
  EXPECT_EQ((*recording)->stepCount() + 1, testing::lineCount(testing::readText(path("o.csv"))));
}

TEST_P(OutputsOf, ThatFindNoRoomAreErrors) {
  ASSERT_EQ(run("run drop.yaml --record whole.h5").status, 0);
  fs::create_directory(path("geo"));
  fs::create_directory(path("frames"));
  const std::vector<Output> outputs = among({
      {"run drop.yaml --csv full.csv", "full.csv"},
      {"run drop.yaml --report full.json", "full.json"},
      {"run drop.yaml --record full.h5", "full.h5"},
      {"export whole.h5 --csv full.csv", "full.csv"},
      {"export whole.h5 --contacts full.csv", "full.csv"},
      {"export whole.h5 --bodies full.csv", "full.csv"},
      {"export whole.h5 --npz full.npz", "full.npz"},
      {"export whole.h5 --gltf full.glb", "full.glb"},
      {"export whole.h5 --gltf full.gltf", "full.bin"},
      {"export whole.h5 --geometry geo", "geo/frames.csv"},
      {"export whole.h5 --geometry geo", "geo/cube_000000.ply"},
      {"export whole.h5 --geometry geo --format obj", "geo/cube_000000.obj"},
      {"render whole.h5 --size 64x48 --out full.png", "full.png"},
      {"render whole.h5 --size 64x48 --out full.mp4", "full.mp4"},
      {"render whole.h5 --size 64x48 --out full.webm", "full.webm"},
      {"render whole.h5 --size 64x48 --out full.gif", "full.gif"},
      {"render whole.h5 --size 64x48 --out frames", "frames/frame_000001.png"},
      {"render whole.h5 --size 64x48 --pass segmentation --out seg.png", "seg.json"},
      {"render whole.h5 --size 64x48 --pass depth --out deep.png", "deep.npy"},
      {"compare drop.yaml --duration 0.02 --csv full.csv", "full.csv"},
      {"compare drop.yaml --duration 0.02 --report full.json", "full.json"},
      {"bench drop.yaml --steps 2 --json full.json", "full.json"},
      {"demos whole.h5 --out full.hdf5", "full.hdf5"},
      {"compare drop.yaml --duration 0.02 --out full.png", "full.png"},
      {"figure whole.h5 --plot puck.z --out full.pdf", "full.pdf"},
      {"figure whole.h5 --plot puck.z --out full.svg", "full.svg"},
      {"figure whole.h5 --plot puck.z --out full.png", "full.png"},
  });
  ASSERT_FALSE(outputs.empty());
  for (const auto& [arguments, name] : outputs) {
    std::error_code ignored;
    fs::remove(path(name), ignored);
    fs::create_symlink("/dev/full", path(name));
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 1) << arguments << ": " << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("; ")) << arguments << ": what to do";
    EXPECT_TRUE(fs::is_symlink(path(name))) << arguments;
    fs::remove(path(name), ignored);
  }
}

INSTANTIATE_TEST_SUITE_P(, OutputsOf,
                         ::testing::Values("run", "render", "export", "compare", "bench", "demos", "figure"),
                         [](const auto& tested) { return std::string(tested.param); });

/// What is printed where nobody can take it.
class OutputsTold : public Outputs, public ::testing::WithParamInterface<const char*> {};

TEST_P(OutputsTold, AndThatCannotBeAreErrors) {
  const std::string arguments = GetParam();
  if (arguments.find("whole.h5") != std::string::npos) {
    ASSERT_EQ(run("run drop.yaml --record whole.h5").status, 0);
  }
  const std::string command = "cd '" + folder_.string() + "' && '" + testing::program().string() + "' " +
                              arguments + " >/dev/full 2>err.txt </dev/null";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_THAT(testing::readText(folder_ / "err.txt"), HasSubstr("what was printed could not be written"));
}

INSTANTIATE_TEST_SUITE_P(, OutputsTold,
                         ::testing::Values("scenes", "scenes --schema", "check drop.yaml",
                                           "check drop.yaml --json", "run drop.yaml", "replay whole.h5",
                                           "export whole.h5 --csv o.csv",
                                           "render whole.h5 --size 64x48 --out p.png",
                                           "bench drop.yaml --steps 2", "compare drop.yaml --duration 0.02",
                                           "--version", "--help", "--man-page", "--completion bash"));

TEST_F(Outputs, ThatAreNotWantedMayBeWrittenNowhere) {
  const std::string command = "cd '" + folder_.string() + "' && '" + testing::program().string() +
                              "' run drop.yaml --quiet >/dev/full </dev/null";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 0);
}

TEST_F(Outputs, ASceneThatCannotBeSavedStaysAsItWas) {
  const Result<assets::LoadedScene> loaded = assets::loadScene(path("drop.yaml"));
  ASSERT_TRUE(loaded) << loaded.error().message();
  fs::create_symlink("/dev/full", path("full.yaml"));
  const Result<void> saved = assets::saveScene(loaded->scene, {}, path("full.yaml"));
  ASSERT_FALSE(saved);
  EXPECT_THAT(saved.error().what, HasSubstr("No space left on device"));
  const std::string before = testing::readText(path("drop.yaml"));
  const Result<OutputClaim> other = OutputClaim::take(path("drop.yaml"));
  ASSERT_TRUE(other);
  EXPECT_FALSE(assets::saveScene(loaded->scene, {}, path("drop.yaml"))) << "another program saves it";
  EXPECT_EQ(testing::readText(path("drop.yaml")), before);
}

}  // namespace
}  // namespace slipstick
