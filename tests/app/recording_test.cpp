// Recordings: what is in them, that they outlive whatever happens, and that a replay is the same or says where not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "app/recorder.h"
#include "assets/recording/recorded_run.h"
#include "assets/recording/recording_reader.h"
#include "tests/app/program_run.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Recordings : public testing::ProgramTest {
 protected:
  std::unique_ptr<assets::RecordingReader> open(const std::string& file) const {
    Result<std::unique_ptr<assets::RecordingReader>> opened = assets::RecordingReader::open(file);
    EXPECT_TRUE(opened) << opened.error().message();
    return opened ? std::move(*opened) : nullptr;
  }
  /// Runs a line of Python with the open recording `f`. @return whether it went well
  bool python(const std::string& line) const {
    const std::string command = "cd '" + folder_.string() +
                                "' && /usr/bin/python3 -c \"import h5py; f = h5py.File('r.h5', 'r+'); " +
                                line + "\"";
    return std::system(command.c_str()) == 0;
  }
};

TEST_F(Recordings, AreReadByPythonWithNamesShapesAndUnits) {
  ASSERT_EQ(run("run drop.yaml --record r.h5 --csv o.csv").status, 0);
  const std::string script = (testing::sourceDir() / "tests/support/read_recording.py").string();
  EXPECT_EQ(std::system(
                ("/usr/bin/python3 '" + script + "' '" + path("r.h5") + "' '" + path("o.csv") + "'").c_str()),
            0);
  EXPECT_FALSE(fs::exists(path("r.h5.part")));
}

TEST_F(Recordings, ThatWantMoreThanTheyMayHaveAreErrors) {
  ASSERT_EQ(run("run drop.yaml --record whole.h5").status, 0);
  const auto faultAfter = [&](const std::string& change) {
    fs::copy_file(path("whole.h5"), path("r.h5"), fs::copy_options::overwrite_existing);
    EXPECT_TRUE(python(change)) << change;
    const auto opened = assets::RecordingReader::open(path("r.h5"));
    if (!opened) return opened.error().message();
    const auto contacts = (*opened)->contactsAt((*opened)->lastStep());
    return contacts ? std::string("it opens") : contacts.error().message();
  };
  EXPECT_EQ(faultAfter("pass"), "it opens");
  // Files below a temporary folder are no files elsewhere.
  EXPECT_THAT(faultAfter("f['scene/paths'][0] = '../../../../tmp/escaped'"),
              HasSubstr("paths that lead nowhere"));
  EXPECT_THAT(faultAfter("f['scene'].attrs['folder'] = '..'"), HasSubstr("paths that lead nowhere"));
  EXPECT_THAT(faultAfter("del f['scene/yaml']; f['scene'].create_dataset('yaml', (0,), h5py.string_dtype())"),
              HasSubstr("no text of its scene"));
  // Rows that nobody wrote take no room in a file.
  EXPECT_THAT(faultAfter("[d.resize(10**12, 0) for d in f['steps'].values() if d.maxshape[0] is None]"),
              HasSubstr("readable"));
  EXPECT_THAT(faultAfter("[d.resize(10**8, 0) for d in f['steps'].values() if d.maxshape[0] is None]"),
              HasSubstr("more steps"));
  // A dataset whose bytes are those of another file.
  EXPECT_THAT(faultAfter("del f['scene/paths']; f['scene'].create_dataset('paths', (8,), 'u1', "
                         "external=[('/etc/passwd', 0, 8)])"),
              HasSubstr("readable 'paths'"));
  EXPECT_THAT(faultAfter("f.attrs['first_step'] = 1e300"), HasSubstr("no number that can be"));
  EXPECT_THAT(faultAfter("f.attrs['version'] = 1e300"), HasSubstr("newer Slipstick"));
  EXPECT_THAT(faultAfter("f['contacts/sides'][:, 0] = 10**6"), HasSubstr("does not have"));
}

TEST_F(Recordings, AStateInThemGoesOnBitForBit) {
  ASSERT_EQ(run("run drop.yaml --record r.h5 --duration 2.2 --threads 1").status, 0);
  const auto recording = open(path("r.h5"));
  ASSERT_TRUE(recording);
  ASSERT_EQ(recording->stepCount(), 441u);
  const Result<State> state = recording->keyframeBefore(430);
  ASSERT_TRUE(state) << state.error().message();
  EXPECT_EQ(state->step, 400u) << "one per second";
  StepperOptions options;
  options.backend = recording->backend();
  options.threads = 1;
  Result<std::unique_ptr<Stepper>> stepper = app::stepping().makeStepper(recording->model(), options);
  ASSERT_TRUE(stepper);
  (*stepper)->restore(*state);
  const Result<std::vector<std::uint64_t>> hashes = recording->hashes(0, 441);
  ASSERT_TRUE(hashes);
  Snapshot snapshot;
  for (std::uint64_t step = 401; step <= 440; ++step) {
    (*stepper)->step({}, snapshot, Detail::Particles);
    ASSERT_EQ(snapshot.stateHash, (*hashes)[step]) << step;
  }
  // The last picture is of the last step or a thirtieth of a second before it.
  Snapshot shown;
  ASSERT_TRUE(recording->readFrame(recording->frames().size() - 1, shown));
  ASSERT_EQ(shown.particles.size(), snapshot.particles.size());
  EXPECT_GE(recording->frames().back(), 440 - 7u);
  const Result<std::vector<Contact>> contacts = recording->contactsAt(440);
  ASSERT_TRUE(contacts);
  ASSERT_EQ(contacts->size(), snapshot.contacts.size());
  for (std::size_t i = 0; i < contacts->size(); ++i) {
    EXPECT_EQ((*contacts)[i].key(), snapshot.contacts[i].key());
    const Vec3& force = snapshot.contacts[i].f_Bc_W;
    EXPECT_LT(((*contacts)[i].f_Bc_W - force).norm(), 2e-4 * force.norm()) << "four digits";
  }
}

TEST_F(Recordings, HaveTheFootprintsOfRigidContacts) {
  ASSERT_EQ(run("run stack --record r.h5 --duration 0.2 --threads 1").status, 0);
  const auto opened = assets::RecordedRun::open(path("r.h5"));
  ASSERT_TRUE(opened) << opened.error().message();
  app::SceneOptions options;
  options.scene = "stack";
  options.stepper.threads = 1;
  options.quiet = true;
  const auto simulated = app::openRun(options, Detail::Particles);
  ASSERT_TRUE(simulated);
  for (int step = 1; step <= 20; ++step) ASSERT_TRUE((*simulated)->step({}, Detail::Particles));
  const Snapshot& wanted = (*simulated)->snapshot();
  const auto read = (*opened)->at(20);
  ASSERT_EQ(read->step, 20u);
  ASSERT_GE(wanted.patches.size(), 5u);
  ASSERT_EQ(read->patches.size(), wanted.patches.size());
  for (std::size_t i = 0; i < wanted.patches.size(); ++i) {
    const PressurePatch &a = wanted.patches[i], &b = read->patches[i];
    EXPECT_EQ(b.geometry, a.geometry);
    EXPECT_EQ(b.otherGeometry, a.otherGeometry);
    EXPECT_EQ(b.polygonEnds, a.polygonEnds);
    ASSERT_EQ(b.vertices.size(), a.vertices.size());
    for (std::size_t k = 0; k < a.vertices.size(); ++k) {
      EXPECT_LT((b.vertices[k].p_W - a.vertices[k].p_W).cwiseAbs().maxCoeff(), 4e-6);
      EXPECT_NEAR(b.vertices[k].pressure, a.vertices[k].pressure, 1e-3 * a.vertices[k].pressure);
    }
  }
  for (std::size_t i = 0; i < wanted.contacts.size(); ++i)
    EXPECT_EQ(read->contacts[i].patch, wanted.contacts[i].patch);
}

TEST_F(Recordings, ReplayedAreEqualOrSayWhereTheyDiffer) {
  ASSERT_EQ(run("run drop.yaml --record r.h5 --threads 1").status, 0);
  const Outcome equal = run("replay r.h5 --check");
  EXPECT_EQ(equal.status, 0) << equal.err;
  EXPECT_THAT(equal.out, HasSubstr("all 20 steps are equal, bit for bit"));
  ASSERT_TRUE(python(
      "f['scene/yaml'][0] = f['scene/yaml'][0].decode().replace('10000', '20000').replace('1e4', '2e4')"));
  const Outcome other = run("replay r.h5 --check");
  EXPECT_EQ(other.status, 3);
  EXPECT_THAT(other.err, HasSubstr("drop: differs at step "));
  EXPECT_THAT(other.err, HasSubstr(" was "));
  EXPECT_EQ(run("replay r.h5").status, 0) << "which only tells";
}

TEST_F(Recordings, OpenWhereTheirFilesAreNot) {
  fs::create_directory(path("robots"));
  fs::copy_file(testing::sourceDir() / "assets/robots/slider.urdf", path("robots/mine.urdf"));
  std::ofstream(path("scene.yaml"))
      << "time: {dt_ms: 1, duration: 0.05}\nrobots:\n  slide: {urdf: robots/mine.urdf}\n"
         "controllers:\n  - {kind: joint_effort, robot: slide, joint: slide, effort: 1}\n";
  ASSERT_EQ(run("run scene.yaml --record r.h5 --threads 1").status, 0);
  fs::rename(path("robots"), path("gone"));
  fs::remove(path("scene.yaml"));
  fs::create_directory(path("elsewhere"));
  fs::rename(path("r.h5"), path("elsewhere/r.h5"));
  const Outcome outcome = run("replay elsewhere/r.h5 --check");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("scene: all 50 steps are equal"));
}

/// How many steps a process has handed over to its recording, for the one that kills it.
using Counter = std::atomic<std::uint64_t>;

[[noreturn]] void recordForEver(const std::string& scene, const std::string& file, Counter& counter) {
  app::SceneOptions options;
  options.scene = scene;
  options.quiet = true;
  options.stepper.threads = 1;
  auto run = app::openRun(options);
  auto recorder = app::Recorder::begin(file, **run, 30, {});
  (void)(*recorder)->add(**run, {});
  for (;;) {
    if (!(*run)->step({}, (*recorder)->detailOf((*run)->snapshot().step + 1))) break;
    if (!(*recorder)->add(**run, {})) break;
    counter = (*run)->snapshot().step;
  }
  _exit(1);
}

TEST_F(Recordings, OfAKilledProgramOpenAndLackASecondAtMost) {
  const char* wanted = std::getenv("SLIPSTICK_KILLS");
  const int kills = wanted ? std::atoi(wanted) : 3;
  auto& counter = *static_cast<Counter*>(
      mmap(nullptr, sizeof(Counter), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  std::mt19937 random(17);
  for (int kill = 0; kill < kills; ++kill) {
    counter = 0;
    fs::remove(path("r.h5"));
    const pid_t child = fork();
    if (child == 0) recordForEver(path("drop.yaml"), path("r.h5"), counter);
    while (counter == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::this_thread::sleep_for(std::chrono::milliseconds(std::uniform_int_distribution<>(0, 700)(random)));
    const std::uint64_t aSecondBefore = counter;
    std::this_thread::sleep_for(std::chrono::seconds(1));
    ::kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const auto recording = open(path("r.h5"));
    ASSERT_TRUE(recording) << "kill " << kill;
    ASSERT_GT(aSecondBefore, 0u);
    EXPECT_GT(recording->stepCount(), aSecondBefore) << "kill " << kill;
    const std::uint64_t last = recording->stepCount() - 1;
    const auto values = recording->values(last, last + 1);
    ASSERT_TRUE(values);
    EXPECT_NEAR((*values)[0], 0.005 * static_cast<double>(last), 1e-8 * (*values)[0]) << "its time";
    EXPECT_TRUE(recording->contactsAt(last));
    EXPECT_TRUE(recording->keyframeBefore(last));
    Snapshot shown;
    EXPECT_TRUE(recording->readFrame(recording->frames().size() - 1, shown));
  }
}

TEST_F(Recordings, EndOnAFullDiskAndTheSimulationGoesOn) {
  std::ofstream(path("full.sh")) << "trap '' XFSZ\nulimit -f 600\n'" << testing::program().string()
                                 << "' run drop.yaml --duration 60 --record r.h5\n";
  const int status =
      std::system(("cd '" + folder_.string() + "' && bash full.sh >out.txt 2>err.txt </dev/null").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1);
  const std::string said = testing::readText(folder_ / "err.txt");
  EXPECT_THAT(said, ::testing::AllOf(HasSubstr("r.h5"), HasSubstr("free some space")));
  EXPECT_EQ(testing::lineCount(said), 1u) << said;
  EXPECT_THAT(testing::readText(folder_ / "out.txt"), HasSubstr("drop: 12000 steps, 60.00 s simulated"));
  const auto recording = open(path("r.h5"));
  ASSERT_TRUE(recording);
  EXPECT_GT(recording->stepCount(), 100u);
  EXPECT_LT(recording->stepCount(), 12000u);
}

TEST_F(Recordings, ThatCannotBeAreRefusedWithAReason) {
  EXPECT_THAT(run("run other.h5").err, HasSubstr("this is a recording, which is not simulated anew"));
  EXPECT_THAT(run("run drop.yaml --record no/such/r.h5").err, HasSubstr("no/such"));
  EXPECT_THAT(run("replay none.h5").err, HasSubstr("there is no such recording"));
  std::ofstream(path("text.h5")) << "this is no recording\n";
  EXPECT_THAT(run("replay text.h5").err, HasSubstr("not a recording"));
  ASSERT_EQ(run("run drop.yaml --record r.h5 --duration 0.01").status, 0);
  ASSERT_TRUE(python("f.attrs['version'] = 9.0"));
  const Outcome newer = run("replay r.h5");
  EXPECT_EQ(newer.status, 1);
  EXPECT_THAT(newer.err, ::testing::AllOf(HasSubstr("version 9"), HasSubstr("newer Slipstick")));
}

}  // namespace
}  // namespace slipstick
