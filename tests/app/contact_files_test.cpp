// What only some methods tell of contacts, in the files that are written of them: contacts of soft bodies with each other and with
// themselves, and what makes their forces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/scene_run.h"
#include "assets/export/npz_writer.h"
#include "assets/recording/recording_reader.h"
#include "assets/recording/recording_writer.h"
#include "assets/scene_io.h"
#include "engine/model/method_rows.h"
#include "engine/runtime/observable_choice.h"
#include "tests/app/program_run.h"

namespace slipstick {
namespace {

constexpr const char* kScene = R"(title: two soft cubes
time: {dt_ms: 5, duration: 1}
grid: {spacing: 0.05}
materials: {gel: {model: fixed_corotated, E: 1e4, nu: 0.3, density: 1000}}
deformables:
  cube: {material: gel, shape: box, size: [0.1, 0.1, 0.1], position: [0, 0, 0.055], sampling: {count: [2, 2, 2]}}
  lid: {material: gel, shape: box, size: [0.1, 0.1, 0.1], position: [0, 0, 0.255], sampling: {count: [2, 2, 2]}}
bodies:
  floor: {shapes: [{shape: plane}]}
)";

constexpr PairSide kCube{-1, 0}, kLid{-1, 1};

class ContactFiles : public testing::ProgramTest {
 protected:
  ContactFiles() {
    std::ofstream(path("cubes.yaml")) << kScene;
    loaded_ = assets::loadModel(path("cubes.yaml"), {}).value().model;
  }
  /// As a method would make it that tells contacts between soft bodies, or what makes forces.
  std::shared_ptr<const Model> telling(bool MethodRows::*what) const {
    auto model = std::make_shared<Model>(*loaded_);
    auto rows = std::make_shared<MethodRows>(model->own ? *model->own : MethodRows());
    (*rows).*what = true;
    model->own = std::move(rows);
    return model;
  }
  static Contact between(const ContactSide& a, const ContactSide& b, double force, double gap) {
    Contact contact;
    contact.a = a;
    contact.b = b;
    contact.normal_W = -Vec3::UnitZ();
    contact.f_Bc_W = {0, 0, force};
    contact.gap = gap;
    contact.mode = ContactMode::Stick;
    return contact;
  }
  PairSide floor() const { return {loaded_->geometries[0].body}; }
  std::vector<Contact> contacts() const {
    const ContactSide floor{.body = this->floor().body, .geometry = 0};
    return {between(floor, {.deformable = 0, .element = 1}, -2, -0.25),
            between({.deformable = 1, .element = 9}, {.deformable = 0, .element = 5}, 4, 0.125),
            between({.deformable = 0, .element = 2}, {.deformable = 0, .element = 6}, 8, -0.5)};
  }
  /// Of the cube with the floor: a law each, with numbers that a recording does not round.
  std::vector<Contact> contactsOfLaws() const {
    const ForceLaw laws[] = {BarrierLaw{0x1p-10, 1e5}, CompliantLaw{2e4, 0.125}, HardLaw{}, {}};
    std::vector<Contact> made;
    for (int i = 0; i < 4; ++i) {
      made.push_back(
          between({.body = floor().body, .geometry = 0}, {.deformable = 0, .element = i}, -2, 0.25));
      made.back().law = laws[i];
      made.back().isIndeterminate = i % 2 == 1;
    }
    return made;
  }
  static void expectSameForces(const std::vector<Contact>& a, const std::vector<Contact>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].key(), b[i].key()) << i;
      EXPECT_EQ(a[i].law, b[i].law) << i;
      EXPECT_EQ(a[i].isIndeterminate, b[i].isIndeterminate) << i;
      EXPECT_EQ(a[i].gap, b[i].gap) << i;
    }
  }
  /// With what files need NumPy and HDF5 for.
  void python(const std::string& lines) const {
    const std::string command =
        "cd '" + folder_.string() + "' && /usr/bin/python3 -c \"import h5py, numpy; " + lines + "\"";
    EXPECT_EQ(std::system(command.c_str()), 0) << lines;
  }
  /// One step, its start.
  void record(const std::shared_ptr<const Model>& model, const std::vector<Contact>& contacts) const {
    StepperOptions options;
    options.threads = 1;
    const auto run = app::runOf(loaded_, options, Detail::Particles).value();
    const auto keyframe = std::make_shared<Keyframe>();
    keyframe->model = model;
    run->stepper().save(keyframe->state);
    assets::RecordingFacts facts;
    facts.method = run->stepper().method();
    facts.softFields = specsOf(keyframe->state.soft.fields);
    const auto writer = assets::RecordingWriter::create(path("r.h5"), model, facts).value();
    auto snapshot = std::make_shared<Snapshot>(run->snapshot());
    snapshot->contacts = contacts;
    ASSERT_TRUE(writer->add({snapshot, {}, keyframe, true}));
    ASSERT_TRUE(writer->finish());
  }

  std::shared_ptr<const Model> loaded_;
};

TEST_F(ContactFiles, ARecordingGivesThemBack) {
  record(telling(&MethodRows::softContacts), contacts());
  const auto reader = assets::RecordingReader::open(path("r.h5"));
  ASSERT_TRUE(reader) << reader.error().message();
  const Result<std::vector<Contact>> read = (*reader)->contactsAt(0);
  ASSERT_TRUE(read) << read.error().message();
  const std::vector<Contact> written = contacts();
  ASSERT_EQ(read->size(), written.size());
  for (std::size_t i = 0; i < written.size(); ++i) {
    EXPECT_EQ((*read)[i].key(), written[i].key()) << i;
    EXPECT_EQ((*read)[i].gap, written[i].gap) << i;
    EXPECT_EQ((*read)[i].f_Bc_W, written[i].f_Bc_W) << i;
  }
  EXPECT_THAT((*reader)->pairs().value(),
              ::testing::UnorderedElementsAre(ContactPair{floor(), kCube}, ContactPair{kLid, kCube},
                                              ContactPair{kCube, kCube}));
  EXPECT_EQ((*reader)->pairValues({kLid, kCube}, 0, 0, 1).value(), std::vector<double>{4});
  EXPECT_EQ((*reader)->pairValues({kCube, kCube}, 0, 0, 1).value(), std::vector<double>{8});
}

TEST_F(ContactFiles, TheirForcesAreObservablesByTheNamesOfTheirSides) {
  const auto choice = ObservableChoice::matching(
      telling(&MethodRows::softContacts), {"lid+cube.normal", "cube+cube.normal", "cube+lid.friction"});
  ASSERT_TRUE(choice) << choice.error().message();
  std::vector<std::string> names;
  for (const RunColumns::Name& name : choice->names()) names.push_back(name.name);
  Snapshot snapshot;
  snapshot.contacts = contacts();
  EXPECT_THAT(names, ::testing::ElementsAre("lid+cube.normal", "cube+cube.normal", ::testing::_));
  EXPECT_EQ(choice->values(snapshot), (std::vector<double>{4, 8, 0}));
  EXPECT_FALSE(ObservableChoice::matching(loaded_, {"lid+cube.normal"}))
      << "who steps it tells no such force";
}

TEST_F(ContactFiles, AMethodThatDoesNotTellThemHasNoColumnForThem) {
  std::vector<Contact> ofFloor = contacts();
  ofFloor.resize(1);
  record(loaded_, ofFloor);
  const auto reader = assets::RecordingReader::open(path("r.h5"));
  ASSERT_TRUE(reader) << reader.error().message();
  EXPECT_EQ((*reader)->contactsAt(0).value().at(0).key(), ofFloor[0].key());
  EXPECT_THAT((*reader)->pairs().value(), ::testing::ElementsAre(ContactPair{floor(), kCube}));
  python(
      "f = h5py.File('r.h5'); assert sorted(f['contacts']) == ['force', 'friction', 'friction_bound', 'key', "
      "'mode', "
      "'normal', 'penetration', 'point', 'pressure', 'sides', 'slip_speed'], sorted(f['contacts'])");
}

TEST_F(ContactFiles, ARecordingGivesBackWhatMakesTheirForces) {
  record(telling(&MethodRows::forceLaws), contactsOfLaws());
  const auto reader = assets::RecordingReader::open(path("r.h5"));
  ASSERT_TRUE(reader) << reader.error().message();
  const Result<std::vector<Contact>> read = (*reader)->contactsAt(0);
  ASSERT_TRUE(read) << read.error().message();
  expectSameForces(*read, contactsOfLaws());
}

TEST_F(ContactFiles, ARecordingWithoutColumnsForLawsHasContactsThatTellNone) {
  record(telling(&MethodRows::forceLaws), contactsOfLaws());
  python(
      "f = h5py.File('r.h5', 'r+'); [f['contacts'].__delitem__(k) for k in ('law', 'law_numbers', "
      "'indeterminate')]");
  const auto reader = assets::RecordingReader::open(path("r.h5"));
  ASSERT_TRUE(reader) << reader.error().message();
  std::vector<Contact> untold = contactsOfLaws();
  for (Contact& contact : untold) contact.law = {}, contact.isIndeterminate = false;
  expectSameForces((*reader)->contactsAt(0).value(), untold);
}

TEST_F(ContactFiles, ARecordingThatLacksSomeOfTheColumnsForLawsIsDamaged) {
  for (const std::string column : {"law", "law_numbers", "indeterminate"}) {
    std::filesystem::remove(path("r.h5"));
    record(telling(&MethodRows::forceLaws), contactsOfLaws());
    python("f = h5py.File('r.h5', 'r+'); del f['contacts/" + column + "']");
    const auto reader = assets::RecordingReader::open(path("r.h5"));
    ASSERT_FALSE(reader) << column;
    EXPECT_THAT(reader.error().message(), ::testing::HasSubstr("contacts/" + column));
  }
}

TEST_F(ContactFiles, ARecordingWithALawThatThereIsNotSaysSo) {
  for (const char* damage : {"f['contacts/law'][2] = 4", "f['contacts/law_numbers'][1, 0] = numpy.nan"}) {
    std::filesystem::remove(path("r.h5"));
    record(telling(&MethodRows::forceLaws), contactsOfLaws());
    python(std::string("f = h5py.File('r.h5', 'r+'); ") + damage);
    const auto reader = assets::RecordingReader::open(path("r.h5"));
    ASSERT_TRUE(reader) << reader.error().message();
    const Result<std::vector<Contact>> read = (*reader)->contactsAt(0);
    ASSERT_FALSE(read) << damage;
    EXPECT_THAT(read.error().message(), ::testing::HasSubstr("a contact has a law that there is not"));
    EXPECT_THAT(read.error().message(), ::testing::HasSubstr(path("r.h5") + ", contacts/law"));
  }
}

TEST_F(ContactFiles, ArraysHaveWhatMakesTheirForces) {
  const auto write = [&](const std::string& file, const std::shared_ptr<const Model>& model) {
    Result<ObservableChoice> choice = ObservableChoice::matching(model, {});
    ASSERT_TRUE(choice) << choice.error().message();
    const auto writer = assets::NpzWriter::create(path(file), model, std::move(*choice));
    ASSERT_TRUE(writer) << writer.error().message();
    Snapshot snapshot;
    snapshot.contacts = contactsOfLaws();
    snapshot.X_WB.resize(model->tree.bodies.size());
    ASSERT_TRUE((*writer)->addStep(snapshot));
    ASSERT_TRUE((*writer)->finish());
  };
  write("laws.npz", telling(&MethodRows::forceLaws));
  write("usual.npz", loaded_);
  python(
      "d = numpy.load('laws.npz'); assert list(d['contact_law']) == [2, 1, 3, 0]; "
      "assert d['contact_law_numbers'].tolist() == [[2.0 ** -10, 1e5], [2e4, 0.125], [0, 0], [0, 0]]; "
      "assert list(d['contact_indeterminate']) == [0, 1, 0, 1]; assert list(d['contact_gap']) == [0.25] * 4");
  python(
      "more = set(numpy.load('laws.npz').files) - set(numpy.load('usual.npz').files); "
      "assert more == {'contact_gap', 'contact_law', 'contact_law_numbers', 'contact_indeterminate'}, more");
}

}  // namespace
}  // namespace slipstick
