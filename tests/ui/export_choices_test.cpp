// What is chosen in the export dialogs, and what it asks for.
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>

#include "tests/support/sample_world.h"
#include "ui/data_choice.h"
#include "ui/picture_choice.h"

namespace slipstick::ui {
namespace {

/// A table, a table of observables, a folder with two forms, a file with two, and arrays.
std::vector<ExportKind> exportKinds() {
  using Moments = ExportKind::Moments;
  std::vector<ExportKind> kinds(5);
  kinds[0] = {.name = "contacts", .forms = {{"csv", "CSV", "_contacts.csv"}}};
  kinds[1] = {.name = "csv", .takesObservables = true, .forms = {{"csv", "CSV", ".csv"}}};
  kinds[2] = {.name = "geometry", .isFolder = true, .moments = Moments::Samples};
  kinds[2].forms = {{"ply", "PLY", "_geometry/"}, {"obj", "OBJ", "_geometry/"}};
  kinds[2].formsKept = "obj";
  kinds[3] = {.name = "gltf", .moments = Moments::Samples};
  kinds[3].forms = {{"glb", "GLB", ".glb"}, {"gltf", "glTF", ".gltf"}};
  kinds[3].formsKept = "gltfText";
  kinds[4] = {.name = "npz", .moments = Moments::Both, .takesObservables = true};
  kinds[4].forms = {{"npz", "NPZ", ".npz"}};
  return kinds;
}

/// A run of 2 s, its moment at 1.5 s, in a window of 800 × 600.
struct Choices : ::testing::Test {
  QTemporaryDir folder;
  testing::SampleWorld world = testing::sampleWorld();
  PictureScene scene;
  PictureChoice choice;
  std::vector<ExportKind> kinds = exportKinds();
  DataChoice data;

  Choices() {
    scene.model = world.model;
    scene.window = {800, 600};
    scene.times = {0, 2, 1.5, 0.01, std::nullopt};
    choice.file = folder.filePath("roll.mp4");
    choice.shown = shownIn(scene.view);
    data.folder = folder.path();
    data.name = "roll";
  }
  render::PictureRequest request() {
    const Result<render::PictureRequest> made = requestOf(choice, scene);
    EXPECT_TRUE(made) << made.error().message();
    return made ? *made : render::PictureRequest{};
  }
  Error refusal() {
    const Result<render::PictureRequest> made = requestOf(choice, scene);
    EXPECT_FALSE(made);
    return made ? Error{} : made.error();
  }
  Error dataRefusal() {
    const Result<DataOutputs> made = exportOf(kinds, data, scene.times, scene.model);
    EXPECT_FALSE(made);
    return made ? Error{} : made.error();
  }
};

TEST_F(Choices, AreTheRequestThatTheyMake) {
  scene.selection = render::SelectedBody{world.roller};
  choice.fps = 25;
  choice.speed = 0.25;
  choice.quality = render::OutputQuality::Best;
  choice.supersample = 3;
  choice.range = {RangeKind::FromTo, 0.5, 1};
  choice.title = " Rolling ";
  choice.subtitle = "two arms";
  choice.fade = 0.5;
  const render::PictureRequest made = request();
  EXPECT_EQ(made.out, choice.file.toStdString());
  EXPECT_EQ(made.width, 1920);
  EXPECT_EQ(made.height, 1080);
  EXPECT_EQ(made.fps, 25);
  EXPECT_EQ(made.speed, 0.25);
  EXPECT_EQ(made.quality, render::OutputQuality::Best);
  EXPECT_EQ(made.supersample, 3);
  EXPECT_EQ(made.from, 0.5);
  EXPECT_EQ(made.to, 1);
  EXPECT_EQ(made.title, "Rolling");
  EXPECT_EQ(made.subtitle, "two arms");
  EXPECT_EQ(made.fade, 0.5);
  EXPECT_EQ(made.selection, scene.selection);
  EXPECT_EQ(made.cameras.size(), 1u);
  EXPECT_EQ(momentsOf(made, render::OutputFormat::Mp4).size(), 51u);
}

TEST_F(Choices, AtFirstAreWhatTheWindowShows) {
  scene.view.cones = true;
  scene.view.splitForces = false;
  EXPECT_TRUE(shownIn(scene.view).contains("cones"));
  EXPECT_FALSE(shownIn(scene.view).contains("split"));
  choice.shown = shownIn(scene.view);
  render::ViewOptions view = scene.view;
  view.ghostCaption = false;  // there is no ghost
  EXPECT_EQ(request().view, view);
  scene.view.hud = false;
  EXPECT_FALSE(shownIn(scene.view).contains("time")) << "cards that are not there";
}

TEST_F(Choices, SizesAreThePresetsTheWindowOrWhatWasTyped) {
  const auto sizeWith = [&](PictureSize size) {
    choice.size = size;
    return QSize(request().width, request().height);
  };
  EXPECT_EQ(sizeWith(PictureSize::Hd720), QSize(1280, 720));
  EXPECT_EQ(sizeWith(PictureSize::Hd1080), QSize(1920, 1080));
  EXPECT_EQ(sizeWith(PictureSize::Uhd), QSize(3840, 2160));
  EXPECT_EQ(sizeWith(PictureSize::Window), QSize(800, 600));
  choice.width = 640;
  choice.height = 200;
  EXPECT_EQ(sizeWith(PictureSize::Free), QSize(640, 200));
  choice.height = 4;
  EXPECT_EQ(refusal().what, "a picture cannot be 4 px wide or high");
}

TEST_F(Choices, OverlaysAreSwitchedOneByOne) {
  choice.shown = {"forces", "time"};
  const render::ViewOptions view = request().view;
  EXPECT_TRUE(view.forces);
  EXPECT_TRUE(view.hud);
  EXPECT_TRUE(view.timeCard);
  EXPECT_FALSE(view.splitForces);
  EXPECT_FALSE(view.forceLegend);
  EXPECT_FALSE(view.shadows);
  choice.shown = {"forces"};
  EXPECT_FALSE(request().view.hud) << "without cards there is no overlay";
}

TEST_F(Choices, BackgroundsAreThoseOfThePicture) {
  scene.view.light = true;
  EXPECT_EQ(request().view.backdrop(), render::Backdrop::Light) << "as shown";
  choice.ground = PictureGround::Dark;
  EXPECT_EQ(request().view.backdrop(), render::Backdrop::Dark);
  choice.ground = PictureGround::White;
  EXPECT_EQ(request().view.backdrop(), render::Backdrop::White);
  choice.ground = PictureGround::None;
  EXPECT_EQ(refusal().what, "only PNGs can be transparent");
  choice.kind = PictureKind::Still;
  EXPECT_TRUE(request().view.transparentBackground);
}

TEST_F(Choices, CamerasStandInTheOrderOfTheScene) {
  ASSERT_FALSE(scene.model->cameras.empty());
  choice.cameras = {"", scene.model->cameras.front().name};
  EXPECT_EQ(request().cameras.size(), 2u);
  choice.cameras = {};
  EXPECT_EQ(refusal().what, "no camera is chosen");
}

TEST_F(Choices, ARangeIsTheRunTheSelectionTheMomentOrWhatWasTyped) {
  EXPECT_EQ(request().to, 2);
  choice.range.kind = RangeKind::Moment;
  EXPECT_EQ(request().from, 1.5);
  EXPECT_EQ(request().to, 1.5);
  choice.range.kind = RangeKind::Selected;
  EXPECT_EQ(refusal().what, "no range is selected");
  scene.times.selected = TimeRange{1, 3};
  EXPECT_EQ(request().from, 1);
  EXPECT_EQ(request().to, 2) << "more is not there";
  choice.range = {RangeKind::FromTo, 1, 0.5};
  EXPECT_EQ(refusal().what, "the end lies before the start");
  choice.range = {RangeKind::FromTo, 1, 2.5};
  EXPECT_EQ(refusal().what, "the run is there from 0 s to 2 s");
  EXPECT_EQ(refusal().remedy, "choose times in it, or simulate further");
}

TEST_F(Choices, WhatHistoryHasForgottenIsNotThere) {
  scene.times.first = 1;
  EXPECT_EQ(request().from, 1);
  choice.range = {RangeKind::FromTo, 0.5, 1.5};
  EXPECT_EQ(refusal().remedy, "choose times in it: what was before is not kept any more");
}

TEST_F(Choices, AFileHasTheSuffixOfItsKind) {
  EXPECT_EQ(fileFor(PictureKind::WebM, "a/b.mp4"), "a/b.webm");
  EXPECT_EQ(fileFor(PictureKind::Frames, "a/b.mp4"), "a/b");
  EXPECT_EQ(fileFor(PictureKind::Gif, "a/b"), "a/b.gif");
  EXPECT_EQ(fileFor(PictureKind::Still, "a/v1.5"), "a/v1.5.png") << "that is no suffix of ours";
  choice.kind = PictureKind::Frames;
  choice.file = folder.filePath("v1.5");
  EXPECT_EQ(request().out, (choice.file + "/").toStdString()) << "a folder, whatever it is called";
}

TEST_F(Choices, ABadPathSaysWhatAndWhere) {
  choice.file = "";
  EXPECT_EQ(refusal().what, "there is no name");
  choice.file = "/nowhere/at/all.mp4";
  EXPECT_EQ(refusal().what, "its folder does not exist");
  EXPECT_EQ(refusal().where, "/nowhere/at/all.mp4");
  QDir(folder.path()).mkdir("taken.mp4");
  choice.file = folder.filePath("taken.mp4");
  EXPECT_EQ(refusal().what, "it is a folder");
  QFile file(folder.filePath("file"));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  choice.kind = PictureKind::Frames;
  choice.file = file.fileName();
  EXPECT_EQ(refusal().what, "it is a file");
}

TEST_F(Choices, ARateOrASpeedThatCannotBeIsRefused) {
  choice.fps = 0;
  EXPECT_EQ(refusal().where, "frames per second");
  choice.fps = 30;
  choice.speed = -1;
  EXPECT_EQ(refusal().where, "speed");
  choice.kind = PictureKind::Still;
  choice.speed = -1;
  choice.title = "no use for it";
  EXPECT_EQ(request().title, "") << "a still has no use for either";
  choice = {};
  choice.file = folder.filePath("a.gif");
  choice.kind = PictureKind::Gif;
  choice.fps = 60;
  EXPECT_EQ(refusal().what, "a GIF shows at most 50 frames/s");
}

TEST_F(Choices, AGhostIsThereWhereItCan) {
  choice.ghost = true;
  EXPECT_TRUE(request().ghosts.empty()) << "there is none";
  scene.ghost = 0.5;
  choice.range = {RangeKind::FromTo, 1, 2};
  EXPECT_EQ(request().ghosts, std::vector<double>{0.5});
  choice.range.from = 0;
  EXPECT_EQ(refusal().where, "ghost at 0.5 s");
}

TEST_F(Choices, AreFoundAgain) {
  choice.kind = PictureKind::WebM;
  choice.size = PictureSize::Free;
  choice.width = 640;
  choice.height = 480;
  choice.fps = 24;
  choice.speed = 0.5;
  choice.supersample = 2;
  choice.quality = render::OutputQuality::Draft;
  choice.ground = PictureGround::White;
  choice.fade = 1;
  PictureChoice other;
  other.file = "/somewhere/else.mp4";
  other = choiceOf(jsonOf(choice), other);
  EXPECT_EQ(other.file, folder.filePath("else.mp4")) << "the folder, and not the name";
  other.file = choice.file;
  other.shown = choice.shown;
  EXPECT_EQ(other, choice);
  const QJsonObject nonsense{
      {"kind", 99}, {"fps", -3}, {"size", "large"}, {"width", 1e9}, {"folder", "/nowhere/"}};
  EXPECT_EQ(choiceOf(nonsense, choice), choice);
}

// -------------------------------------------------------------------------------------------------- data

TEST_F(Choices, DataAreTheFilesThatWereAskedFor) {
  data.kinds = {"contacts", "geometry", "gltf"};
  data.range = {RangeKind::FromTo, 0.5, 1};
  data.secondForms = {"geometry", "gltf"};
  data.fps = 10;
  const Result<DataOutputs> made = exportOf(kinds, data, scene.times, scene.model);
  ASSERT_TRUE(made) << made.error().message();
  const std::map<std::string, std::string> files = {
      {"contacts", folder.filePath("roll_contacts.csv").toStdString()},
      {"geometry", folder.filePath("roll_geometry/").toStdString()},
      {"gltf", folder.filePath("roll.gltf").toStdString()}};
  EXPECT_EQ(made->files, files);
  EXPECT_EQ(made->forms.at("geometry"), "obj");
  EXPECT_EQ(made->fps, 10);
  EXPECT_EQ(made->from, 0.5);
  EXPECT_EQ(made->to, 1);
  EXPECT_EQ(filesOf(kinds, data).size(), 3);
}

TEST_F(Choices, PatternsMustMeanSomething) {
  data.patterns = "time,  *roller.contact.f?";
  const Result<DataOutputs> made = exportOf(kinds, data, scene.times, scene.model);
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->observables, (std::vector<std::string>{"time", "*roller.contact.f?"}));
  data.patterns = "rollr.*";
  EXPECT_EQ(dataRefusal().code, ErrorCode::UnknownName);
  data.kinds = {"contacts"};
  EXPECT_TRUE(exportOf(kinds, data, scene.times, scene.model)) << "contacts have no use for them";
}

TEST_F(Choices, DataThatCannotBeAreRefused) {
  data.kinds = {};
  EXPECT_EQ(dataRefusal().what, "nothing is chosen");
  data.kinds = {"contacts"};
  data.folder = "/nowhere";
  EXPECT_EQ(dataRefusal().what, "this is no folder");
  data.folder = folder.path();
  data.name = " ";
  EXPECT_EQ(dataRefusal().what, "there is no name");
  data.name = "a/b";
  EXPECT_EQ(dataRefusal().what, "a name has no / in it");
  data.name = "a";
  data.range = {RangeKind::FromTo, 1, 0};
  EXPECT_EQ(dataRefusal().what, "the end lies before the start");
}

TEST_F(Choices, OfDataAreFoundAgain) {
  data.kinds = {"npz", "contacts"};
  data.patterns = "time";
  data.secondForms = {"geometry"};
  data.fps = 12;
  DataChoice other;
  other.name = data.name;
  EXPECT_EQ(choiceOf(kinds, jsonOf(kinds, data), other), data);
  EXPECT_EQ(choiceOf(kinds, {{"kinds", QJsonArray{77}}, {"fps", 0}}, data).fps, 12);
}

TEST_F(Choices, OfDataAreKeptAsEarlierVersionsKeptThem) {
  const DataChoice found = choiceOf(kinds, {{"kinds", QJsonArray{0, 3}}, {"gltfText", true}}, data);
  EXPECT_EQ(found.kinds, (std::set<std::string>{"contacts", "gltf"}));
  EXPECT_EQ(found.secondForms, std::set<std::string>{"gltf"});
  const QJsonObject json = jsonOf(kinds, found);
  EXPECT_EQ(json["kinds"].toArray(), (QJsonArray{0, 3}));
  EXPECT_EQ(json["obj"], false);
  EXPECT_EQ(json["gltfText"], true);
}

}  // namespace
}  // namespace slipstick::ui
