#include "assets/convex_parts.h"

#include <cmath>
#include <numbers>
#include <random>

#include "assets/limits.h"
#include "assets/mesh_reader.h"
#include "assets/scene_file.h"
#include "assets/scene_writer.h"
#include "engine/compile/compile.h"
#include "engine/geometry/mesh_polytope.h"
#include "engine/geometry/triangle_mesh.h"
#include "tests/assets/scene_text.h"
#include "tests/support/prism.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using testing::angle;
using testing::channelProfile;
using testing::expectFault;
using testing::objOf;
using testing::prism;
using testing::writeFile;

assets::ConvexSplit splitOf(const TriangleMesh& mesh, int most) {
  Result<assets::ConvexSplit> split = assets::splitIntoConvexParts(mesh, most);
  if (!split) ADD_FAILURE() << split.error().message();
  return split ? *std::move(split) : assets::ConvexSplit{};
}

std::string faultOfSplit(const TriangleMesh& mesh) {
  const Result<assets::ConvexSplit> split = assets::splitIntoConvexParts(mesh, 8);
  return split ? "" : split.error().message();
}

void expectConvexParts(const assets::ConvexSplit& split, int most) {
  EXPECT_GE(split.parts.size(), 1u);
  EXPECT_LE(split.parts.size(), static_cast<std::size_t>(most));
  double sum = 0;
  for (const TriangleMesh& part : split.parts) {
    EXPECT_TRUE(checkSolid(part));
    EXPECT_TRUE(convexPolytope(part).has_value());
    EXPECT_LE(part.vertices.size(), assets::kMaxPartVertices);
    sum += signedVolume(part);
  }
  EXPECT_NEAR(split.partsVolume, sum, 1e-12 * sum);
}

/// A tube along z with `n` sides.
TriangleMesh tube(double inner, double outer, double length, int n) {
  TriangleMesh mesh;
  for (const double r : {inner, outer})
    for (const double z : {0.0, length})
      for (int i = 0; i < n; ++i) {
        const double a = 2 * std::numbers::pi * i / n;
        mesh.vertices.emplace_back(r * std::cos(a), r * std::sin(a), z);
      }
  const auto quad = [&](int a, int b, int c, int d) {
    mesh.triangles.emplace_back(a, b, c);
    mesh.triangles.emplace_back(a, c, d);
  };
  for (int i = 0; i < n; ++i) {
    const int k = (i + 1) % n;
    const int lowIn = i, highIn = n + i, lowOut = 2 * n + i, highOut = 3 * n + i;
    const int nextLowIn = k, nextHighIn = n + k, nextLowOut = 2 * n + k, nextHighOut = 3 * n + k;
    quad(lowOut, nextLowOut, nextHighOut, highOut);
    quad(nextLowIn, lowIn, highIn, nextHighIn);
    quad(highIn, highOut, nextHighOut, nextHighIn);
    quad(lowIn, nextLowIn, nextLowOut, lowOut);
  }
  return mesh;
}

TEST(ConvexSplit, AnglesAndChannelsAreCutAlongTheirFolds) {
  const assets::ConvexSplit two = splitOf(prism(angle(), 2), 12);
  expectConvexParts(two, 2);
  EXPECT_EQ(two.parts.size(), 2u) << "no more than it needs";
  EXPECT_NEAR(two.volume, 10, 1e-12);
  EXPECT_NEAR(two.partsVolume, 10, 1e-9);
  EXPECT_EQ(assets::inWords(two), "2 convex parts, of the same volume");
  const assets::ConvexSplit three = splitOf(prism(channelProfile(), 1), 12);
  expectConvexParts(three, 3);
  EXPECT_EQ(three.parts.size(), 3u);
  EXPECT_NEAR(three.partsVolume, 7, 1e-9);
  EXPECT_LT(three.outside, 1e-5);
}

TEST(ConvexSplit, OnePartIsTheHull) {
  const assets::ConvexSplit one = splitOf(prism(channelProfile(), 1), 1);
  expectConvexParts(one, 1);
  EXPECT_NEAR(one.partsVolume, 9, 1e-9);
  EXPECT_NEAR(one.outside, 0.5, 0.07) << "in the middle of the gap, in steps of a fiftieth of the size";
  EXPECT_EQ(assets::inWords(one).substr(0, 38), "1 convex part, volume 28.6 % larger, u");
}

/// Of a ring in n equal sectors each hull bridges the inner arc by its chord.
TEST(ConvexSplit, ARingIsFilledByNoMoreThanTheChordsOfItsHole) {
  constexpr double kInner = 0.8, kOuter = 1, kLength = 0.5;
  constexpr int kSides = 64;
  const TriangleMesh ring = tube(kInner, kOuter, kLength, kSides);
  const double exact =
      kSides / 2.0 * std::sin(2 * std::numbers::pi / kSides) * (kOuter * kOuter - kInner * kInner) * kLength;
  double before = 1e300;
  for (const int n : {4, 8, 16}) {
    const assets::ConvexSplit split = splitOf(ring, n);
    expectConvexParts(split, n);
    EXPECT_NEAR(split.volume, exact, 1e-9);
    EXPECT_GE(split.partsVolume, exact * (1 - 1e-9)) << "the parts cover it";
    EXPECT_LT(split.partsVolume, before);
    before = split.partsVolume;
    const double sector = 2 * std::numbers::pi / n;
    const double chords = n * kInner * kInner / 2 * (sector - std::sin(sector)) * kLength;
    EXPECT_LE(split.partsVolume - exact, 1.15 * chords + 0.002 * std::numbers::pi * kLength) << n;
  }
}

TEST(ConvexSplit, TheCornersOfCutsInsideABodyBelongToItsParts) {
  // A cube with a cube taken out of one corner: three cuts meet inside of it or at the fold.
  TriangleMesh mesh = prism(
      {{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}}, 2);
  const TriangleMesh beam = prism({{{0, 0}, {6, 0}, {6, 1}, {0, 1}}, {{0, 1, 2}, {0, 2, 3}}}, 1);
  const int first = static_cast<int>(mesh.vertices.size());
  for (const Vec3& v : beam.vertices) mesh.vertices.push_back(v + Vec3(-2, 0.5, 0.25));
  for (const Eigen::Vector3i& t : beam.triangles) mesh.triangles.push_back((t.array() + first).matrix());
  for (const int most : {2, 4, 8, 16}) {
    const assets::ConvexSplit split = splitOf(mesh, most);
    expectConvexParts(split, most);
    // Points of the body are in some part.
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (int i = 0; i < 200; ++i) {
      const bool inBeam = i % 2 == 0;
      const Vec3 r(uniform(random), uniform(random), uniform(random));
      const Vec3 p =
          inBeam ? Vec3(-2 + 6 * r.x(), 0.5 + r.y(), 0.25 + r.z()) : Vec3(2 * r.x(), 2 * r.y(), r.z());
      const bool isCovered =
          std::any_of(split.parts.begin(), split.parts.end(), [&](const TriangleMesh& part) {
            return std::all_of(part.triangles.begin(), part.triangles.end(), [&](const Eigen::Vector3i& t) {
              const Triangle c = cornersOf(part, t);
              return areaVector(c).normalized().dot(p - c[0]) <= 1e-6;
            });
          });
      EXPECT_TRUE(isCovered) << most << " parts: " << p.transpose();
    }
  }
}

TEST(ConvexSplit, IsTheSameEachTime) {
  const TriangleMesh ring = tube(0.5, 1, 1, 40);
  const assets::ConvexSplit a = splitOf(ring, 6), b = splitOf(ring, 6);
  ASSERT_EQ(a.parts.size(), b.parts.size());
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    EXPECT_EQ(a.parts[i].vertices, b.parts[i].vertices);
    EXPECT_EQ(a.parts[i].triangles, b.parts[i].triangles);
  }
}

TEST(ConvexSplit, AFineMeshIsCutWhereACoarserOneNeedsIt) {
  const TriangleMesh ring = tube(0.8, 1, 0.5, 3000);
  const assets::ConvexSplit split = splitOf(ring, 8);
  expectConvexParts(split, 8);
  EXPECT_GE(split.partsVolume, 0.99 * split.volume);
  EXPECT_LE(split.partsVolume, 1.5 * split.volume);
}

TEST(ConvexSplit, WhatIsNoBodyIsRefusedAndHolesAreTaken) {
  TriangleMesh mesh;
  expectFault(faultOfSplit(mesh), {"no triangles"});
  mesh = prism(angle(), 1);
  mesh.triangles.front()[0] = 99;
  expectFault(faultOfSplit(mesh), {"does not exist"});
  mesh = prism(angle(), 1);
  mesh.vertices.front().x() = std::nan("");
  expectFault(faultOfSplit(mesh), {"not a finite number"});
  mesh = prism(angle(), 1);
  for (Vec3& v : mesh.vertices) v = Vec3(1, 2, 3);
  expectFault(faultOfSplit(mesh), {"area"});
  mesh = prism(angle(), 0);
  expectFault(faultOfSplit(mesh), {"flat"});
  mesh = prism(angle(), 1);
  mesh.triangles.resize(assets::limits::kSplitTriangles + 1, mesh.triangles.front());
  expectFault(faultOfSplit(mesh), {"1 million triangles", "simplify"});
  expectFault(faultOfSplit(prism(angle(), 1, 1e110)), {"too large"});
  mesh = prism(channelProfile(), 1);
  mesh.triangles.erase(mesh.triangles.begin(), mesh.triangles.begin() + 2);
  const assets::ConvexSplit open = splitOf(mesh, 6);
  expectConvexParts(open, 6);
  EXPECT_EQ(open.volume, 0);
  EXPECT_GT(open.partsVolume, 6);
  EXPECT_LT(open.partsVolume, 7.5);
  mesh = prism(channelProfile(), 1);
  for (Eigen::Vector3i& t : mesh.triangles) std::swap(t[0], t[1]);
  const assets::ConvexSplit inwards = splitOf(mesh, 6);
  expectConvexParts(inwards, 6);
  EXPECT_NEAR(inwards.volume, 7, 1e-12);
  EXPECT_NEAR(inwards.partsVolume, 7, 1e-9);
}

TEST(ConvexSplit, AnyTrianglesEndInPartsOrAnError) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int run = 0; run < 12; ++run) {
    TriangleMesh mesh;
    const int vertices = 4 + run * 3;
    const bool isOnGrid = run % 2 == 0;  // many on one plane, line and place
    for (int i = 0; i < vertices; ++i) {
      Vec3 v(uniform(random), uniform(random), uniform(random));
      if (isOnGrid) v = (2 * v).array().round();
      mesh.vertices.push_back(v);
    }
    std::uniform_int_distribution<int> any(0, vertices - 1);
    for (int i = 0; i < 3 * vertices; ++i) mesh.triangles.emplace_back(any(random), any(random), any(random));
    const Result<assets::ConvexSplit> split = assets::splitIntoConvexParts(mesh, 8);
    if (split) expectConvexParts(*split, 8);
  }
}

TEST(ConvexSplit, EndsWhenItIsCancelled) {
  LoadProgress progress;
  progress.cancel();
  const auto split = assets::splitIntoConvexParts(tube(0.8, 1, 1, 60), 32, &progress);
  ASSERT_FALSE(split);
  EXPECT_EQ(split.error().code, ErrorCode::Cancelled);
}

// ------------------------------------------------------------------------------- asked for, kept, handed over

TEST(ConvexParts, OfTheSameMeshAndNumberAreMadeOnce) {
  const TriangleMesh mesh = tube(0.7, 1, 0.3, 12);
  const std::uint64_t before = assets::meshesSplit();
  const auto a = assets::convexPartsOf(mesh, 5), b = assets::convexPartsOf(mesh, 5);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(*a, *b);
  EXPECT_EQ(assets::meshesSplit(), before + 1);
  TriangleMesh moved = mesh;
  moved.vertices[0].x() += 1e-9;
  EXPECT_TRUE(assets::convexPartsOf(moved, 5));
  EXPECT_TRUE(assets::convexPartsOf(mesh, 6));
  EXPECT_EQ(assets::meshesSplit(), before + 3);
}

class CountingSplitter final : public assets::MeshReader {
 public:
  explicit CountingSplitter(int& splits) : splits_(splits) {}
  Result<assets::MeshContent> read(const fs::path& file, const LoadProgress*) override {
    return assets::readMeshContent(file);
  }
  Result<assets::ConvexSplit> split(const TriangleMesh& mesh, int most, const LoadProgress*) override {
    ++splits_;
    return assets::decodedSplit(assets::answerSplitRequest(assets::encodedSplitRequest(mesh, most)), "m");
  }

 private:
  int& splits_;
};

TEST(ConvexParts, AreMadeByWhoeverReadsMeshes) {
  int splits = 0;
  assets::readMeshesWith([&] { return std::make_unique<CountingSplitter>(splits); });
  const auto split = assets::convexPartsOf(prism(channelProfile(), 1.25), 4);
  TriangleMesh flat = prism(angle(), 0);
  const auto none = assets::convexPartsOf(flat, 4);
  assets::readMeshesWith(nullptr);
  EXPECT_EQ(splits, 2);
  ASSERT_TRUE(split) << split.error().message();
  EXPECT_NEAR((*split)->partsVolume, 7 * 1.25, 1e-9);
  ASSERT_FALSE(none);
  expectFault(none.error().message(), {"flat", "thickness"});
}

TEST(ConvexParts, WhatIsHandedOverIsNotTrusted) {
  const std::string whole = assets::answerSplitRequest(assets::encodedSplitRequest(prism(angle(), 1), 4));
  ASSERT_TRUE(assets::decodedSplit(whole, "m"));
  for (std::size_t size = 0; size < whole.size(); size += 7)
    EXPECT_FALSE(assets::decodedSplit(whole.substr(0, size), "m")) << size;
  EXPECT_FALSE(assets::decodedSplit(whole + "x", "m"));
  std::mt19937 random(3);
  for (int i = 0; i < 500; ++i) {
    std::string changed = whole;
    changed[random() % changed.size()] = static_cast<char>(random());
    (void)assets::decodedSplit(changed, "m");
  }
  const std::string request = assets::encodedSplitRequest(prism(angle(), 1), 4);
  EXPECT_FALSE(assets::decodedSplit(assets::answerSplitRequest(request.substr(0, 40)), "m"));
  EXPECT_FALSE(assets::decodedSplit(
      assets::answerSplitRequest(assets::encodedSplitRequest(prism(angle(), 1), 65)), "m"));
}

// ------------------------------------------------------------------------------------------------ in scenes

std::string bodyWith(const std::string& keys, const std::string& file = "channel.obj") {
  return "bodies:\n  cup:  # holds a peg\n    shapes:\n      - {name: u, shape: mesh, file: " + file +
         ", scale: 0.1" + keys + "}\n";
}

class ConvexPartsInScenes : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = writeFile("channel.obj", objOf(prism(channelProfile(), 1))).parent_path();
    writeFile("angle.obj", objOf(prism(angle(), 1)));
    writeFile("cube.obj", objOf(prism({{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {{0, 1, 2}, {0, 2, 3}}}, 1)));
    writeFile("flat.obj", objOf(prism(angle(), 0)));
    std::string robot = "<robot name='r'>";
    for (const std::string link : {"base", "hand"})
      robot +=
          "<link name='" + link +
          "'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
          "<collision name='c'><geometry><mesh filename='" +
          (link == "base" ? "channel.obj" : "angle.obj") +
          "' scale='0.1 0.1 0.1'/></geometry></collision></link>";
    writeFile("r.urdf", robot +
                            "<joint name='j' type='continuous'><origin xyz='2 0 0'/><parent link='base'/>"
                            "<child link='hand'/></joint></robot>");
  }

  assets::LoadedScene read(const std::string& text) {
    Result<assets::LoadedScene> loaded = assets::parseScene(text, folder_, "test.yaml");
    if (loaded) return *std::move(loaded);
    ADD_FAILURE() << loaded.error().message();
    return {.scene = {}, .notices = {}, .places = assets::KeyPlaces("")};
  }
  std::string faultOf(const std::string& text) {
    const Result<assets::LoadedScene> loaded = assets::parseScene(text, folder_, "test.yaml");
    return loaded ? "" : loaded.error().message();
  }
  static std::size_t partsOf(const assets::LoadedScene& loaded, std::size_t link) {
    const Shape& shape = loaded.scene.robots.at(0).description.links.at(link).collisions.at(0).shape;
    const auto& parts = std::get<shape::Mesh>(shape).parts;
    return parts ? parts->size() : 0;
  }
  static bool says(const std::vector<Notice>& notices, const std::string& what) {
    return std::any_of(notices.begin(), notices.end(),
                       [&](const Notice& n) { return n.what.find(what) != std::string::npos; });
  }

  fs::path folder_;
};

TEST_F(ConvexPartsInScenes, AMeshOfABodyIsSplitAndSavedAsItWasWritten) {
  const assets::LoadedScene loaded = read(bodyWith(", convex_parts: 6"));
  EXPECT_EQ(partsOf(loaded, 0), 3u);
  EXPECT_TRUE(says(loaded.notices, "touches rigid things as 3 convex parts, of the same volume"));
  const Result<std::string> written = assets::writeScene(loaded.scene, folder_);
  ASSERT_TRUE(written) << written.error().message();
  EXPECT_NE(written->find("convex_parts: 6"), std::string::npos) << *written;
  EXPECT_EQ(partsOf(read(*written), 0), 3u);
  const Result<CompiledScene> compiled = compile(loaded.scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  const Geometry& geometry = compiled->model->geometries.at(0);
  EXPECT_FALSE(geometry.contactShape->isSurface());
  EXPECT_EQ(geometry.contactShape->properties().representation, ContactRepresentation::Compliant);
  EXPECT_TRUE(geometry.sdf == nullptr || std::get<shape::Mesh>(geometry.shape).mesh->triangles.size() == 28u)
      << "particles meet the mesh itself";
}

TEST_F(ConvexPartsInScenes, WithoutTheKeyAMeshStaysASurface) {
  const assets::LoadedScene loaded = read(bodyWith(""));
  EXPECT_EQ(partsOf(loaded, 0), 0u);
  const Result<CompiledScene> compiled = compile(loaded.scene);
  ASSERT_TRUE(compiled);
  EXPECT_TRUE(compiled->model->geometries.at(0).contactShape->isSurface());
  EXPECT_EQ(partsOf(read(bodyWith(", convex_parts: 0")), 0), 0u);
}

TEST_F(ConvexPartsInScenes, MassIsThatOfTheMesh) {
  const std::string free = "    base: free\n    density: 1000\n";
  std::string with = bodyWith(", convex_parts: 1"), without = bodyWith("");
  for (std::string* text : {&with, &without}) text->insert(text->find("    shapes"), free);
  EXPECT_NEAR(read(with).scene.robots.at(0).description.links.at(0).mass, 7, 1e-9);
  EXPECT_EQ(read(with).scene.robots.at(0).description.links.at(0).mass,
            read(without).scene.robots.at(0).description.links.at(0).mass);
}

TEST_F(ConvexPartsInScenes, FaultsNameTheKey) {
  expectFault(faultOf(bodyWith(", convex_parts: 65")), {"test.yaml:4", "convex_parts"});
  expectFault(faultOf(bodyWith(", convex_parts: two")), {"test.yaml:4", "convex_parts"});
  expectFault(faultOf("bodies: {a: {shapes: [{shape: box, size: [1, 1, 1], convex_parts: 4}]}}\n"),
              {"'box' has no 'convex_parts'"});
  expectFault(faultOf(bodyWith(", convex_parts: 4", "flat.obj")),
              {"test.yaml:4", "cannot be split", "remove the key"});
  const assets::LoadedScene cube = read(bodyWith(", convex_parts: 4", "cube.obj"));
  EXPECT_EQ(partsOf(cube, 0), 0u);
  EXPECT_TRUE(says(cube.notices, "convex already"));
}

TEST_F(ConvexPartsInScenes, ARobotsMeshesAreOfferedAndSplitLinkByLink) {
  const auto noticesOf = [&](const std::string& text) {
    const assets::LoadedScene loaded = read(text);
    const Result<CompiledScene> compiled = assets::compileLoaded(loaded);
    if (!compiled) ADD_FAILURE() << compiled.error().message();
    return compiled ? compiled->notices : std::vector<Notice>{};
  };
  const std::vector<Notice> offered = noticesOf("robots: {r: {urdf: r.urdf}}\n");
  EXPECT_TRUE(says(offered, "2 collision meshes are not convex (base.c, hand.c)"));
  EXPECT_TRUE(says(offered, "'convex_parts: 12'"));
  const assets::LoadedScene all = read("robots: {r: {urdf: r.urdf, convex_parts: 12}}\n");
  EXPECT_EQ(partsOf(all, 0), 3u);
  EXPECT_EQ(partsOf(all, 1), 2u);
  EXPECT_FALSE(says(noticesOf("robots: {r: {urdf: r.urdf, convex_parts: 12}}\n"), "'convex_parts: 12'"));
  const std::string some =
      "robots: {r: {urdf: r.urdf, convex_parts: 1, links: {base: {convex_parts: 2}, hand: {convex_parts: "
      "0}}}}\n";
  const assets::LoadedScene single = read(some);
  EXPECT_EQ(partsOf(single, 0), 2u);
  EXPECT_EQ(partsOf(single, 1), 0u);
  const Result<std::string> written = assets::writeScene(single.scene, folder_);
  ASSERT_TRUE(written);
  const assets::LoadedScene again = read(*written);
  EXPECT_EQ(again.scene.robots.at(0).convexParts, 1);
  EXPECT_EQ(again.scene.robots.at(0).linkConvexParts, single.scene.robots.at(0).linkConvexParts);
  const assets::LoadedScene untouched =
      read("robots: {r: {urdf: r.urdf, convex_parts: 12, contact: {rigid: {enabled: false}}}}\n");
  EXPECT_EQ(partsOf(untouched, 0), 0u) << "what touches no rigid things needs no parts";
}

TEST_F(ConvexPartsInScenes, AnEditWritesTheKeyIntoTheFileBesideItsComments) {
  const auto saved = [&](const std::string& text) {
    const fs::path file = writeFile("scene.yaml", text);
    const Result<assets::LoadedScene> loaded = assets::loadScene(file.string());
    if (!loaded) return loaded.error().message();
    std::vector<Notice> notices;
    const Result<SplitMeshes> edit = assets::splitOf(loaded->scene.robots.at(0), 12, notices);
    EXPECT_TRUE(says(notices, "convex parts, of the same volume"));
    if (!edit) return edit.error().message();
    const Result<Scene> changed = edited(loaded->scene, *edit);
    if (!changed) return changed.error().message();
    const Result<CompiledScene> compiled = compile(*changed);
    if (!compiled) return compiled.error().message();
    for (const Geometry& geometry : compiled->model->geometries)
      EXPECT_FALSE(geometry.contactShape->isSurface());
    const Result<std::string> written = assets::textOfScene(*changed, {}, file.parent_path());
    return written ? *written : written.error().message();
  };
  std::string body = bodyWith("");
  EXPECT_EQ(saved(body), testing::varied("scale: 0.1", "scale: 0.1, convex_parts: 12", body));
  const std::string robot = "robots:\n  r:  # mine\n    urdf: r.urdf\n";
  EXPECT_EQ(saved(robot), testing::varied("    urdf", "    convex_parts: 12\n    urdf", robot));
}

TEST_F(ConvexPartsInScenes, AnEditOfWhatIsNotThereSaysSo) {
  const assets::LoadedScene loaded = read(bodyWith(""));
  const Result<Scene> changed = edited(loaded.scene, SplitMeshes{"cap", 12, {}});
  ASSERT_FALSE(changed);
  expectFault(changed.error().message(), {"'cap'", "cup"});
  std::vector<Notice> notices;
  const Result<SplitMeshes> flat =
      assets::splitOf(read(bodyWith("", "flat.obj")).scene.robots.at(0), 12, notices);
  ASSERT_TRUE(flat);
  EXPECT_TRUE(flat->meshes.empty());
  EXPECT_TRUE(says(notices, "is not split into convex parts: is flat"));
}

}  // namespace
}  // namespace slipstick
