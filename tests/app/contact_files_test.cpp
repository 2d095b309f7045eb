// Contacts of soft bodies with each other and with themselves, in the files that are written of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "app/scene_run.h"
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

class SoftContactFiles : public testing::ProgramTest {
 protected:
  SoftContactFiles() {
    std::ofstream(path("cubes.yaml")) << kScene;
    loaded_ = assets::loadModel(path("cubes.yaml"), {}).value().model;
  }
  /// As a method would make it that tells them.
  std::shared_ptr<const Model> tellingModel() const {
    auto model = std::make_shared<Model>(*loaded_);
    auto rows = std::make_shared<MethodRows>(model->own ? *model->own : MethodRows());
    rows->softContacts = true;
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
  /// One step, its start.
  void record(const std::shared_ptr<const Model>& model, const std::vector<Contact>& contacts) const {
    StepperOptions options;
    options.threads = 1;
    const auto run = app::runOf(loaded_, options, Detail::Particles).value();
    auto keyframe = std::make_shared<Keyframe>();
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

TEST_F(SoftContactFiles, ARecordingGivesThemBack) {
  record(tellingModel(), contacts());
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

TEST_F(SoftContactFiles, TheirForcesAreObservablesByTheNamesOfTheirSides) {
  const auto choice = ObservableChoice::matching(
      tellingModel(), {"lid+cube.normal", "cube+cube.normal", "cube+lid.friction"});
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

TEST_F(SoftContactFiles, AMethodThatDoesNotTellThemHasNoColumnForThem) {
  std::vector<Contact> ofFloor = contacts();
  ofFloor.resize(1);
  record(loaded_, ofFloor);
  const auto reader = assets::RecordingReader::open(path("r.h5"));
  ASSERT_TRUE(reader) << reader.error().message();
  EXPECT_EQ((*reader)->contactsAt(0).value().at(0).key(), ofFloor[0].key());
  EXPECT_THAT((*reader)->pairs().value(), ::testing::ElementsAre(ContactPair{floor(), kCube}));
}

}  // namespace
}  // namespace slipstick
