// What a recording holds is what was recorded, whatever the scene, the commands and the words that people write about it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "app/scene_run.h"
#include "assets/recording/episode.h"
#include "assets/recording/recording_reader.h"
#include "assets/recording/recording_writer.h"
#include "assets/scene_io.h"
#include "engine/model/parameters.h"
#include "tests/app/program_run.h"
#include "tests/assets/random_scene.h"
#include "tests/assets/scene_facts.h"
#include "tests/support/long_runs.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;

class RecordedScenes : public testing::ProgramTest {
 protected:
  /// A recording of the start, and of one step after some commands.
  Result<void> record(const std::shared_ptr<const Model>& model, const std::vector<Command>& commands) const {
    StepperOptions options;
    options.threads = 1;
    const Result<std::unique_ptr<HeadlessRun>> run = app::runOf(model, options, Detail::Particles);
    if (!run) return run.error();
    assets::RecordingFacts facts;
    facts.program = "slipstick test";
    facts.method = (*run)->stepper().method();
    State first;
    (*run)->stepper().save(first);
    facts.softFields = specsOf(first.soft.fields);
    Result<std::unique_ptr<assets::RecordingWriter>> writer =
        assets::RecordingWriter::create(path("r.h5"), model, facts);
    if (!writer) return writer.error();
    if (Result<void> ok = add(**run, **writer, {}); !ok) return ok;
    if (Result<void> ok = (*run)->step(commands, Detail::Particles); !ok) return ok;
    if (Result<void> ok = add(**run, **writer, commands); !ok) return ok;
    return (*writer)->finish();
  }
  static Result<void> add(const HeadlessRun& run, assets::RecordingWriter& writer,
                          const std::vector<Command>& commands) {
    auto keyframe = std::make_shared<Keyframe>();
    keyframe->model = run.model();
    run.stepper().save(keyframe->state);
    return writer.add({std::make_shared<const Snapshot>(run.snapshot()), commands, keyframe,
                       writer.frameDue(run.snapshot().step)});
  }

  /// Some numbers of the model, set to what they are or to infinity where they may be.
  std::vector<Command> commandsFor(const Model& model) {
    std::vector<Command> commands;
    for (const Parameter& parameter : model.parameters) {
      ParameterValue value = valueOf(parameter, model.tuning);
      if (random_() % 8 != 0 || value.empty()) continue;
      SetParameter set{parameter.path, value};
      if (check(Command(set), model)) commands.emplace_back(set);
      set.value.front() = std::numeric_limits<double>::infinity();
      if (check(Command(set), model)) commands.emplace_back(set);
    }
    return commands;
  }

  /// A recording brings its files along, and puts them elsewhere.
  static Scene withoutFolders(Scene scene) {
    for (RobotSpec& robot : scene.robots) {
      robot.description.file = robot.description.file.filename();
      robot.srdf = robot.srdf.filename();
      for (LinkSpec& link : robot.description.links)
        for (std::vector<LinkGeometry>* list : {&link.visuals, &link.collisions})
          for (LinkGeometry& geometry : *list) {
            if (!geometry.source) continue;
            MeshSource source = *geometry.source;
            source.file = source.file.filename();
            source.image = source.image.filename();
            geometry.source = std::make_shared<const MeshSource>(std::move(source));
          }
    }
    return scene;
  }

  /// What is other in the recording.
  std::string lostBy(const Model& model, const std::vector<Command>& commands) const {
    const auto opened = assets::RecordingReader::open(path("r.h5"));
    if (!opened) return "not read: " + opened.error().message();
    const assets::RecordingReader& recording = **opened;
    const Scene before = withoutFolders(*model.scene);
    Scene after = withoutFolders(*recording.model()->scene);
    after.name = before.name;
    const std::string difference = testing::SceneFacts::difference(before, after);
    if (!difference.empty()) return difference;
    if (recording.commands().size() != commands.size())
      return std::to_string(recording.commands().size()) + " of " + std::to_string(commands.size()) +
             " commands";
    for (std::size_t i = 0; i < commands.size(); ++i) {
      const auto& was = std::get<SetParameter>(commands[i]);
      const auto& is = std::get<SetParameter>(recording.commands()[i].command);
      if (was.path != is.path || was.value != is.value) return "the command for " + was.path;
    }
    return "";
  }

  void drawAndCompare(unsigned seed, int count) {
    testing::RandomScene random(seed, folder_);
    random.beSmall();
    random_.seed(seed);
    int recorded = 0, refused = 0;
    for (int i = 0; i < 60 * count && recorded < count; ++i) {
      std::ofstream(folder_ / "drawn.yaml") << random.draw().dump();
      const Result<assets::LoadedModel> loaded = assets::loadModel(path("drawn.yaml"));
      if (!loaded) {
        if (std::getenv("SLIPSTICK_REFUSED")) std::fprintf(stderr, "%s\n", loaded.error().message().c_str());
        continue;
      }
      const std::vector<Command> commands = commandsFor(*loaded->model);
      if (const Result<void> written = record(loaded->model, commands); !written) {
        // A step that cannot be is no matter of files.
        EXPECT_NE(written.error().code, ErrorCode::FileUnwritable) << written.error().message();
        ++refused;
        continue;
      }
      ++recorded;
      EXPECT_EQ(lostBy(*loaded->model, commands), "")
          << testing::readText(folder_ / "drawn.yaml") << "\nscene " << i << " of seed " << seed;
    }
    EXPECT_EQ(recorded, count);
    std::printf("%d scenes recorded, %d whose first step fails\n", recorded, refused);
  }

  std::mt19937 random_;
};

TEST_F(RecordedScenes, AreThoseThatWereRecorded) {
  drawAndCompare(52, 5);
}

TEST_F(RecordedScenes, AreThoseThatWereRecordedAThousandTimesFullRun) {
  SLIPSTICK_SKIP_UNLESS_LONG();
  drawAndCompare(2026, 1000);
}

TEST_F(RecordedScenes, WithLongNamesKeepTheirCommands) {
  const std::string name(700, 'n');
  std::ofstream(folder_ / "long.yaml")
      << "time: {dt_ms: 1}\nbodies: {" << name
      << ": {base: free, mass: 1, shapes: [{shape: sphere, radius: 0.1}], contact: "
         "{rigid: {stiffness: 1e5}}}}\n";
  const Result<assets::LoadedModel> loaded = assets::loadModel(path("long.yaml"));
  ASSERT_TRUE(loaded) << loaded.error().message();
  std::vector<Command> commands;
  for (const Parameter& parameter : loaded->model->parameters)
    if (parameter.path.find(name) != std::string::npos)
      commands.emplace_back(SetParameter{parameter.path, valueOf(parameter, loaded->model->tuning)});
  ASSERT_FALSE(commands.empty());
  const Result<void> written = record(loaded->model, commands);
  ASSERT_TRUE(written) << written.error().message();
  EXPECT_EQ(lostBy(*loaded->model, commands), "");
}

TEST_F(RecordedScenes, KeepWhatPeopleWriteAboutThem) {
  ASSERT_EQ(run("run drop.yaml --record r.h5").status, 0);
  for (const std::string note :
       {"", " ", "two\nlines", "\"quoted\" \\ 'so'", "é µ 😀", "\t\x01\x7f", "nan", "100 %"}) {
    ASSERT_TRUE(assets::setNote(path("r.h5"), note));
    EXPECT_EQ(assets::episodeIn(path("r.h5")).note, note);
  }
  const std::string longNote(100'000, 'x');
  ASSERT_TRUE(assets::setNote(path("r.h5"), longNote));
  EXPECT_EQ(assets::episodeIn(path("r.h5")).note, longNote);
  for (const EpisodeOutcome outcome : {EpisodeOutcome::Success, EpisodeOutcome::Failure,
                                       EpisodeOutcome::Timeout, EpisodeOutcome::Discarded}) {
    ASSERT_TRUE(assets::setOutcome(path("r.h5"), outcome));
    EXPECT_EQ(assets::episodeIn(path("r.h5")).outcome, outcome);
  }
  const std::vector<assets::EpisodePicture> pictures = {
      {0, ""}, {0.5, std::string("\0\xff\xd8", 3)}, {-0.0, "x"}};
  ASSERT_TRUE(assets::setPictures(path("r.h5"), pictures));
  const auto kept = assets::picturesIn(path("r.h5"));
  ASSERT_TRUE(kept) << kept.error().message();
  EXPECT_EQ(*kept, pictures);
}

}  // namespace
}  // namespace slipstick
