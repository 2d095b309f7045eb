// Meshes read by a child of the program: as by the program itself, and whatever becomes of the child.
#include "app/mesh_child.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>

#include <chrono>
#include <cstring>
#include <thread>

#include "assets/limits.h"
#include "tests/app/program_run.h"
#include "tests/support/prism.h"
#include "tests/support/sanitizers.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const std::string kTriangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

class MeshChildren : public testing::ProgramTest {
 protected:
  fs::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  /// A program that is not slipstick, from the lines of a shell; it gets the name of the mesh on its standard input.
  std::string impostor(const std::string& lines) const {
    const std::string file = write("impostor", "#!/bin/sh\n" + lines + "\n").string();
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }
};

TEST_F(MeshChildren, ReadWhatTheProgramItselfReads) {
  write("red.mtl", "newmtl red\nKd 1 0 0\n");
  const fs::path file = write("part.obj", "mtllib red.mtl\nusemtl red\n" + kTriangle);
  app::MeshChild child(testing::program());
  const Result<assets::MeshContent> there = child.read(file, nullptr), here = assets::readMeshContent(file);
  ASSERT_TRUE(there) << there.error().message();
  ASSERT_TRUE(here) << here.error().message();
  EXPECT_EQ(assets::encoded(*there), assets::encoded(*here));
}

TEST_F(MeshChildren, GoOnAfterAMeshThatCannotBeRead) {
  app::MeshChild child(testing::program());
  const Result<assets::MeshContent> empty = child.read(write("empty.obj", "# nothing\n"), nullptr);
  ASSERT_FALSE(empty);
  EXPECT_THAT(empty.error().message(), HasSubstr("empty.obj"));
  EXPECT_TRUE(child.read(write("part.obj", kTriangle), nullptr));
}

/// 448 bytes that name 50 million vertices which the file does not have.
std::string bomb() {
  return R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "buffers": [{"byteLength": 4, "uri": "data:application/octet-stream;base64,AAAAAA=="}],
"bufferViews": [{"buffer": 0, "byteLength": 4}],
"accessors": [{"componentType": 5126, "count": 50000000, "type": "VEC3", "sparse": {"count": 1,
"indices": {"bufferView": 0, "componentType": 5125}, "values": {"bufferView": 0}}}]})";
}

TEST_F(MeshChildren, ThatWantMoreMemoryThanAMeshMayHaveAreStopped) {
#ifdef SLIPSTICK_ASAN
  GTEST_SKIP() << "the sanitizer has memory of its own, which no limit counts";
#endif
  app::MeshChild child(testing::program());
  const Result<assets::MeshContent> read = child.read(write("bomb.gltf", bomb()), nullptr);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message(), HasSubstr("needed more than 256 MiB"));
  EXPECT_THAT(read.error().message(), HasSubstr("bomb.gltf"));
  EXPECT_TRUE(child.read(write("part.obj", kTriangle), nullptr)) << "another one reads the next mesh";
}

TEST_F(MeshChildren, ThatBreakDownAreErrorsThatSayHow) {
  app::MeshChild segfault(impostor("kill -SEGV $$"));
  const Result<assets::MeshContent> broken = segfault.read(write("part.obj", kTriangle), nullptr);
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().message(), HasSubstr("Segmentation fault"));
  app::MeshChild slow(impostor("kill -PROF $$"));
  const Result<assets::MeshContent> late = slow.read(path("part.obj"), nullptr);
  ASSERT_FALSE(late);
  EXPECT_THAT(late.error().message(), HasSubstr("needed more than 0.5 s"));
  app::MeshChild liar(impostor("head -c 400 /dev/zero | tr '\\0' '\\1'"));
  const Result<assets::MeshContent> lie = liar.read(path("part.obj"), nullptr);
  ASSERT_FALSE(lie);
  app::MeshChild none(path("nowhere"));
  const Result<assets::MeshContent> absent = none.read(path("part.obj"), nullptr);
  ASSERT_FALSE(absent);
  EXPECT_THAT(absent.error().message(), HasSubstr("cannot be started"));
}

TEST_F(MeshChildren, AreEndedWhenTheLoadIsCancelled) {
  LoadProgress progress;
  app::MeshChild child(impostor("exec sleep 1000"));
  std::jthread person([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    progress.cancel();
  });
  const Result<assets::MeshContent> read = child.read(write("part.obj", kTriangle), &progress);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::Cancelled);
}

TEST_F(MeshChildren, SplitWhatTheProgramItselfSplits) {
  const TriangleMesh mesh = testing::prism(testing::channelProfile(), 2);
  app::MeshChild child(testing::program());
  const Result<assets::ConvexSplit> there = child.split(mesh, 6, nullptr),
                                    here = assets::splitIntoConvexParts(mesh, 6);
  ASSERT_TRUE(there) << there.error().message();
  ASSERT_TRUE(here) << here.error().message();
  ASSERT_EQ(there->parts.size(), here->parts.size());
  for (std::size_t i = 0; i < here->parts.size(); ++i)
    EXPECT_EQ(there->parts[i].vertices, here->parts[i].vertices);
  EXPECT_EQ(there->partsVolume, here->partsVolume);
  const Result<assets::ConvexSplit> flat = child.split(testing::prism(testing::angle(), 0), 6, nullptr);
  ASSERT_FALSE(flat);
  EXPECT_THAT(flat.error().message(), HasSubstr("is flat"));
  EXPECT_TRUE(child.read(write("part.obj", kTriangle), nullptr)) << "the same one reads meshes";
}

TEST_F(MeshChildren, ThatBreakDownOverASplitAreErrorsAndCancelledOnesEnd) {
  const TriangleMesh mesh = testing::prism(testing::channelProfile(), 2);
  app::MeshChild segfault(impostor("kill -SEGV $$"));
  const Result<assets::ConvexSplit> broken = segfault.split(mesh, 6, nullptr);
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().message(), HasSubstr("Segmentation fault"));
  app::MeshChild slow(impostor("kill -PROF $$"));
  const Result<assets::ConvexSplit> late = slow.split(mesh, 6, nullptr);
  ASSERT_FALSE(late);
  EXPECT_THAT(late.error().message(), HasSubstr("needed more than 60 s"));
  app::MeshChild liar(impostor("head -c 400 /dev/zero | tr '\\0' '\\1'"));
  EXPECT_FALSE(liar.split(mesh, 6, nullptr));
  LoadProgress progress;
  app::MeshChild sleeper(impostor("exec sleep 1000"));
  std::jthread person([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    progress.cancel();
  });
  const Result<assets::ConvexSplit> cancelled = sleeper.split(mesh, 6, &progress);
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, ErrorCode::Cancelled);
}

TEST_F(MeshChildren, WriteNothingAndOpenNothingElse) {
  write("secret.txt", "newmtl red\nKd 1 0 0\n");
  ASSERT_EQ(mkfifo(path("pipe.mtl").c_str(), 0600), 0);  // who opens it waits for ever
  app::MeshChild child(testing::program());
  for (const char* library : {"secret.txt", "pipe.mtl", "/dev/zero"}) {
    const Result<assets::MeshContent> read = child.read(
        write("part.obj", "mtllib " + std::string(library) + "\nusemtl red\n" + kTriangle), nullptr);
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_TRUE(read->opened.empty()) << library;
  }
}

TEST_F(MeshChildren, AreWhatTheProgramReadsMeshesWith) {
#ifdef SLIPSTICK_ASAN
  GTEST_SKIP() << "the sanitizer has memory of its own, which no limit counts";
#endif
  write("bomb.gltf", bomb());
  write(
      "arm.urdf",
      R"(<robot name="r"><link name="base"><visual><geometry><mesh filename="bomb.gltf"/></geometry></visual>
<visual><geometry><mesh filename="part.obj"/></geometry></visual></link></robot>)");
  write("part.obj", kTriangle);
  const Outcome mesh = run("check bomb.gltf");
  EXPECT_EQ(mesh.status, 1);
  EXPECT_THAT(mesh.err, HasSubstr("the mesh reader was stopped"));
  const Outcome robot = run("check arm.urdf");
  EXPECT_EQ(robot.status, 0) << robot.err;
  EXPECT_THAT(robot.out, HasSubstr("the mesh reader was stopped"));
  EXPECT_THAT(robot.out, HasSubstr("1 meshes with 1 triangles"));
}

/// What the fuzzers found in readers that are not ours: at best they read or refuse it.
TEST_F(MeshChildren, AreAllThatMeshesWhichBreakALibraryTakeAlong) {
#ifdef SLIPSTICK_ASAN
  GTEST_SKIP() << "the sanitizer has memory of its own, which no limit counts";
#endif
  std::size_t count = 0;
  for (const fs::directory_entry& file :
       fs::directory_iterator(testing::sourceDir() / "tests/fuzz/breaking")) {
    const Outcome outcome = run("check " + file.path().string());
    EXPECT_TRUE(outcome.status == 0 || outcome.status == 1) << file << " ended with " << outcome.status;
    EXPECT_EQ(testing::lineCount(outcome.err), static_cast<std::size_t>(outcome.status)) << outcome.err;
    ++count;
  }
  EXPECT_GE(count, 3u);
}

TEST_F(MeshChildren, CheckNamesMeshesThatAreNotConvexAndSaysWhatBecameOfThem) {
  write("channel.obj", testing::objOf(testing::prism(testing::channelProfile(), 1)));
  write(
      "cup.urdf",
      R"(<robot name="cup"><link name="base"><collision name="u"><geometry><mesh filename="channel.obj" scale="0.1 0.1 0.1"/>
</geometry></collision></link></robot>)");
  write("cup.yaml", "robots: {cup: {urdf: cup.urdf, convex_parts: 12}}\n");
  const Outcome offered = run("check cup.urdf --json");
  EXPECT_EQ(offered.status, 0) << offered.err;
  EXPECT_THAT(offered.out, HasSubstr("1 collision mesh is not convex (base.u)"));
  EXPECT_THAT(offered.out, HasSubstr("convex_parts"));
  const Outcome split = run("check cup.yaml");
  EXPECT_EQ(split.status, 0) << split.err;
  EXPECT_THAT(split.out, HasSubstr("3 convex parts, of the same volume"));
  write("apart.srdf", "<robot name='cup'><disable_collisions link1='base' link2='lid'/></robot>");
  const Outcome srdf = run("check cup.urdf --srdf apart.srdf");
  EXPECT_EQ(srdf.status, 0) << srdf.err;
  EXPECT_THAT(srdf.out, HasSubstr("no link 'lid'"));
}

}  // namespace
}  // namespace slipstick
