// Cloth, surfaces, colours and boundaries: from the snapshot to the pixels.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "render/boundary_surfaces.h"
#include "render/egl_context.h"
#include "render/gl_handles.h"
#include "render/palette.h"
#include "render/sheet_surface.h"
#include "tests/render/rendered_world.h"
#include "tests/support/soft_world.h"

namespace slipstick::render {
namespace {

using slipstick::testing::softSnapshot;
using slipstick::testing::softWorld;

constexpr int kCells = 12;

struct SoftFrame : ::testing::Test {
  slipstick::testing::SoftWorld world = softWorld(kCells);
  Model model = *world.model;
  Snapshot snapshot = *softSnapshot(world, 1.2);
  ViewOptions options;
  Selection selection;
  Frame frame() const { return buildFrame(inputOf(model, snapshot, options, selection)); }
  const SoftMesh& meshOf(const Frame& f, int deformable) const {
    const auto found = std::find_if(f.soft->meshes.begin(), f.soft->meshes.end(),
                                    [&](const SoftMesh& m) { return m.deformable == deformable; });
    SIM_REQUIRE(found != f.soft->meshes.end(), deformable);
    return *found;
  }
  const Deformable& deformable(int i) const { return model.deformables[static_cast<std::size_t>(i)]; }
};

TEST_F(SoftFrame, ClothHasTwoSidesAndARimAsHighAsItIsThick) {
  const Frame f = frame();
  const SoftMesh& mesh = meshOf(f, world.cloth);
  const auto thickness = static_cast<float>(deformable(world.cloth).material.thickness);
  const auto vertices = static_cast<std::size_t>((kCells + 1) * (kCells + 1));
  ASSERT_EQ(mesh.vertices.size(), 2 * vertices + 4 * 4 * kCells);
  EXPECT_EQ(mesh.indices.size(), 3u * (2 * 2 * kCells * kCells + 2 * 4 * kCells));
  for (std::size_t v = 0; v < vertices; ++v) {
    const SoftVertex &front = mesh.vertices[v], &back = mesh.vertices[v + vertices];
    EXPECT_LT((0.5f * (front.position + back.position) - snapshot.particles[v]).norm(), 1e-6f);
    EXPECT_LT((front.position - back.position - thickness * front.normal).norm(), 1e-6f);
    EXPECT_EQ(back.normal, -front.normal);
    EXPECT_NEAR(front.normal.norm(), 1, 1e-5);
  }
  for (std::size_t i = 2 * vertices; i < mesh.vertices.size(); i += 2) {
    const SoftVertex &low = mesh.vertices[i], &high = mesh.vertices[i + 1];
    EXPECT_NEAR((high.position - low.position).norm(), thickness, 1e-6);
    EXPECT_NEAR(low.normal.dot(high.position - low.position), 0, 1e-6);
  }
  EXPECT_GT(mesh.lift, thickness);
  EXPECT_LT(mesh.lift, 0.3f / kCells);                    // less than a cell of the cloth
  EXPECT_GT(mesh.vertices[kCells / 4].normal.z(), 0.8f);  // where it lies on the table
}

/// Each face of a cloth looks away from its other side: no hole between the two and no face turned over.
TEST_F(SoftFrame, TheSidesAndTheRimOfAClothCloseIt) {
  const Frame f = frame();
  const SoftMesh& mesh = meshOf(f, world.cloth);
  std::map<std::array<int, 3>, int> place;
  std::map<std::pair<int, int>, int> uses;
  const auto at = [&](std::size_t i) {
    const Eigen::Vector3i key = (mesh.vertices[mesh.indices[i]].position * 1e6f).array().round().cast<int>();
    return place.try_emplace({key.x(), key.y(), key.z()}, static_cast<int>(place.size())).first->second;
  };
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = at(i + k), b = at(i + (k + 1) % 3);
      a < b ? ++uses[{a, b}] : --uses[{b, a}];
    }
  EXPECT_TRUE(std::all_of(uses.begin(), uses.end(), [](const auto& edge) { return edge.second == 0; }));
}

TEST(SheetSurface, FoldsAreLighterOutsideAndDarkerInside) {
  constexpr int kSide = 9;  // vertices
  constexpr float kRadius = 0.05f, kAngle = 0.2f;
  std::vector<Eigen::Vector3i> triangles;
  for (int j = 0; j + 1 < kSide; ++j)
    for (int i = 0; i + 1 < kSide; ++i) {
      const int a = j * kSide + i;
      triangles.push_back({a, a + 1, a + kSide + 1});
      triangles.push_back({a, a + kSide + 1, a + kSide});
    }
  const SoftSurface sheet{.vertexCount = kSide * kSide, .triangles = triangles, .isSheet = true};
  const auto inTheMiddle = [&](float sign) {  // sign: +1 arched, 0 flat, −1 a gutter
    std::vector<Eigen::Vector3f> x;
    for (int j = 0; j < kSide; ++j)
      for (int i = 0; i < kSide; ++i) {
        const float angle = kAngle * static_cast<float>(i - kSide / 2);
        x.push_back({kRadius * std::sin(angle), kRadius * kAngle * static_cast<float>(j),
                     sign * kRadius * std::cos(angle)});
      }
    SoftMesh mesh = sheetSurface(sheet, x);
    shadeFolds(sheet, mesh);
    return mesh.vertices[kSide * (kSide / 2) + kSide / 2].color.x();
  };
  EXPECT_NEAR(inTheMiddle(0), 1, 1e-4);
  EXPECT_GT(inTheMiddle(1), 1.05f);
  EXPECT_LT(inTheMiddle(-1), 0.95f);
}

TEST_F(SoftFrame, WireframeShowsEachEdgeOfTheClothOnce) {
  EXPECT_TRUE(meshOf(frame(), world.cloth).edges.empty());
  options.wireframe = true;
  const std::vector<std::uint32_t> edges = meshOf(frame(), world.cloth).edges;
  std::set<std::pair<std::uint32_t, std::uint32_t>> different;
  for (std::size_t i = 0; i < edges.size(); i += 2) different.insert(std::minmax(edges[i], edges[i + 1]));
  EXPECT_EQ(different.size(), edges.size() / 2);
  EXPECT_EQ(different.size(), std::size_t{2 * kCells * (kCells + 1) + kCells * kCells});
}

/// A mesh with an inside is neither a cloud of particles nor a sheet.
TEST_F(SoftFrame, ABodyOfTrianglesIsDrawnAsThese) {
  Deformable& body = model.deformables[static_cast<std::size_t>(world.dough)];
  body.surface = std::make_shared<const slipstick::SurfaceMesh>(slipstick::SurfaceMesh{
      .vertices = 4, .triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}, .spacing = 0.01});
  options.wireframe = true;
  options.section = Section::X;
  const Frame f = frame();
  const SoftMesh& mesh = meshOf(f, world.dough);
  EXPECT_EQ(mesh.look, SoftLook::Matt);
  ASSERT_EQ(mesh.vertices.size(), 4u);
  for (std::size_t v = 0; v < 4; ++v)
    EXPECT_EQ(mesh.vertices[v].position, snapshot.particles[static_cast<std::size_t>(body.begin) + v]);
  EXPECT_EQ(mesh.indices, (std::vector<std::uint32_t>{0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2}));
  EXPECT_EQ(mesh.edges.size(), 2u * 6);
  for (const SphereRange& range : f.soft->spheres)
    EXPECT_NE(range.first, body.begin) << "no particles fill it";
}

TEST_F(SoftFrame, EachIsDrawnAsItsSceneSaysOrAsThePersonAsks) {
  const auto spheresOf = [&](const Frame& f) {
    std::set<int> first;
    for (const SphereRange& range : f.soft->spheres) first.insert(range.first);
    return first;
  };
  const Frame asScene = frame();
  EXPECT_EQ(spheresOf(asScene), std::set<int>{deformable(world.sand).begin});
  EXPECT_EQ(asScene.soft->meshes.size(), 3u);
  EXPECT_EQ(meshOf(asScene, world.water).look, SoftLook::Liquid);
  EXPECT_EQ(meshOf(asScene, world.dough).look, SoftLook::Matt);
  options.particleColor = ParticleColor::Speed;  // a colour with a meaning is not seen through
  EXPECT_EQ(meshOf(frame(), world.water).look, SoftLook::Matt);
  options.softStyle = SoftStyle::Particles;
  EXPECT_EQ(spheresOf(frame()).size(), 4u);
  EXPECT_TRUE(frame().soft->meshes.empty());
  options.softStyle = SoftStyle::Surface;
  EXPECT_TRUE(frame().soft->spheres.empty());
  EXPECT_EQ(frame().soft->meshes.size(), 4u);
}

TEST_F(SoftFrame, AutomaticColoursShowStressOnSolidsOnly) {
  const Frame f = frame();
  EXPECT_EQ(f.soft->bar.title, "dough · von Mises stress");
  EXPECT_EQ(meshOf(f, world.water).vertices[5].color.head<3>(), deformable(world.water).color.head<3>());
  const Eigen::Vector3f cloth = meshOf(f, world.cloth).vertices[5].color.head<3>();  // shaded by its folds
  EXPECT_LT(cloth.normalized().cross(deformable(world.cloth).color.head<3>().normalized()).norm(), 1e-5f);
  EXPECT_NE(meshOf(f, world.dough).vertices[5].color.head<3>(), deformable(world.dough).color.head<3>());
}

TEST_F(SoftFrame, TheBarSaysWhoseQuantityItShows) {
  options.particleColor = ParticleColor::Speed;
  EXPECT_EQ(frame().soft->bar.title, "4 deformables · speed");
  EXPECT_EQ(frame().soft->bar.unit, "m/s");
  model.deformables.pop_back();  // sand
  model.deformables.pop_back();  // dough
  EXPECT_EQ(frame().soft->bar.title, "cloth, water · speed");
}

TEST_F(SoftFrame, PressureOfSolidsHasTwoSignsAndThatOfALiquidOne) {
  options.particleColor = ParticleColor::Pressure;
  const ColorBar both = frame().soft->bar;
  EXPECT_TRUE(both.diverging);
  EXPECT_EQ(both.min, -both.max);
  EXPECT_EQ(both.unit, "kPa");
  const Deformable water = deformable(world.water);
  model.deformables = {water};
  const ColorBar liquid = frame().soft->bar;
  EXPECT_EQ(liquid.title, "water · pressure");
  EXPECT_FALSE(liquid.diverging);
  EXPECT_EQ(liquid.min, 0);
  EXPECT_EQ(liquid.max, 1);  // 10 cm of water
  const float deepest =
      *std::max_element(snapshot.pressure.begin() + water.begin, snapshot.pressure.begin() + water.end);
  ASSERT_LT(deepest, 1000);
  snapshot.pressure[static_cast<std::size_t>(water.begin)] = 1e9f;
  EXPECT_EQ(frame().soft->bar.max, liquid.max);
}

TEST_F(SoftFrame, AVertexOfAClothShowsItsStress) {
  options.particleColor = ParticleColor::Stress;
  options.colorMax = 2000;
  const Frame f = frame();
  const SoftMesh& mesh = meshOf(f, world.cloth);
  const int inner = (kCells + 1) * 4 + 4;  // on the table, where the stress is linear in x
  const double stress = 2e3 * (static_cast<double>(snapshot.particles[inner].x()) + 0.5);
  const std::size_t behind = inner + surfaceOf(deformable(world.cloth)).vertexCount;
  for (const std::size_t v : {static_cast<std::size_t>(inner), behind})
    EXPECT_LT((toSrgb(mesh.vertices[v].color.head<3>()) - scalarMap(stress / 2000)).norm(), 0.01f);
}

TEST_F(SoftFrame, BoundariesShowWhileTheyActWhereTheyAre) {
  const auto shown = [&](double time) {
    snapshot.time = time;
    std::set<int> indices;
    for (const BoundarySurface& b : frame().boundaries) indices.insert(b.boundary);
    return indices;
  };
  EXPECT_EQ(shown(0.5), (std::set{world.clamp, world.floor}));
  EXPECT_EQ(shown(1.0), (std::set{world.clamp, world.floor, world.ball}));
  EXPECT_EQ(shown(2.0), (std::set{world.clamp, world.floor}));
  snapshot.time = 1.5;
  selection = SelectedBoundary{world.ball};
  const Frame f = frame();
  const BoundarySurface& ball = f.boundaries.back();
  EXPECT_TRUE(ball.selected);
  EXPECT_EQ(ball.kind, BoundaryKind::Slip);
  const Eigen::Vector3f center(0.3f, 0.05f, 0.1f);  // three quarters of its path
  for (const BoundaryVertex& v : ball.triangles) {
    EXPECT_NEAR((v.position - center).norm(), 0.05f, 1e-5);
    EXPECT_GT(v.normal.dot(v.position - center), 0.049f);
  }
  options.boundaries = false;
  EXPECT_TRUE(frame().boundaries.empty());
}

TEST_F(SoftFrame, ABoxShowsItsSixFacesWithTheirTrueSizes) {
  const Frame f = frame();
  const BoundarySurface& box = f.boundaries.front();
  ASSERT_EQ(box.triangles.size(), 36u);
  const Eigen::Vector3f center(-0.43f, -0.05f, 0.2f), half(0.02f, 0.16f, 0.016f);
  for (std::size_t i = 0; i < box.triangles.size(); i += 3) {
    const auto& [a, b, c] = std::tie(box.triangles[i], box.triangles[i + 1], box.triangles[i + 2]);
    EXPECT_LT(((a.position - center).cwiseAbs() - half).norm(), 1e-6f);
    EXPECT_GT((b.position - a.position).cross(c.position - a.position).dot(a.normal), 0);
    EXPECT_GT(a.normal.dot(a.position - center), 0);
    EXPECT_NEAR((b.across - a.across).norm(), (b.position - a.position).norm(), 1e-6);
    EXPECT_LT((a.across.cwiseAbs() - a.half).norm(), 1e-6f);
  }
}

/// The soft world in pixels.
struct SoftPicture : InFramebuffer {
  static constexpr int kWidth = 480, kHeight = 300;
  slipstick::testing::SoftWorld world = softWorld(kCells);
  std::shared_ptr<const Snapshot> snapshot = softSnapshot(world, 1.2);
  Camera camera = Camera::from(world.model->cameras.front());
  ViewOptions options;
  Selection selection;

  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(prepare(world.model, kWidth, kHeight));
    options.particleColor = ParticleColor::Plain;
  }
  Frame frame() const { return buildFrame(inputOf(*world.model, *snapshot, options, selection)); }
  void draw(const Frame& f) {
    renderer->draw(f, camera, options, selection, {framebuffer.name(), kWidth, kHeight, 1});
  }
  Pixel at(const Vec3& p) const {
    const Eigen::Vector2d uv = project(camera, kWidth / double(kHeight), p);
    GLubyte rgba[4] = {};
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer.name());
    glReadPixels(static_cast<int>(uv.x() * kWidth), static_cast<int>((1 - uv.y()) * kHeight), 1, 1, GL_RGBA,
                 GL_UNSIGNED_BYTE, rgba);
    return {rgba[0], rgba[1], rgba[2]};
  }
  std::vector<GLubyte> pixels() const {
    std::vector<GLubyte> rgba(kWidth * kHeight * 4);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer.name());
    glReadPixels(0, 0, kWidth, kHeight, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    return rgba;
  }
  std::optional<Picked> pick(const Vec3& p) {
    const Eigen::Vector2d uv = project(camera, kWidth / double(kHeight), p);
    return renderer->pick(uv.x(), uv.y());
  }
};

const Vec3 kOnCloth(-0.36, -0.05, 0.2), kOnWater(0.1, -0.2, 0.028), kOnSand(-0.22, 0.22, 0.068);
const Vec3 kOpenFloor(0.3, -0.3, 0);

TEST_F(SoftPicture, ClothIsDrawnInItsColourAndItsBackDarker) {
  camera = Camera::from({"above", kOnCloth + Vec3(0.1, 0, 0.6), kOnCloth, 30, {}});
  Frame f = frame();
  draw(f);
  const Pixel front = at(kOnCloth);
  EXPECT_GT(2 * front.r, 3 * front.g);
  for (SoftVertex& v : softOf(f).meshes.front().vertices) {  // turned over: mirrored in its plane
    v.position.z() = 2 * static_cast<float>(kOnCloth.z()) - v.position.z();
    v.normal.z() = -v.normal.z();
  }
  draw(f);
  const Pixel back = at(kOnCloth);
  EXPECT_GT(2 * back.r, 3 * back.g);
  EXPECT_LT(back.r, front.r - 15);
  EXPECT_GT(back.r, front.r / 3);  // lit from its own side, not black
}

TEST_F(SoftPicture, ClothThatLiesALittleInATableShows) {
  camera = Camera::from({"above", kOnCloth + Vec3(0.1, 0, 0.6), kOnCloth, 30, {}});
  Frame f = frame();
  const Eigen::Vector3f into(0, 0, -0.0155f);  // 5.5 mm under the top, as much as the cloth waves and more
  for (SoftVertex& v : softOf(f).meshes.front().vertices) v.position += into;
  softOf(f).meshes.front().lift = 0;
  draw(f);
  const Pixel hidden = at(kOnCloth + into.cast<double>());
  EXPECT_LT(hidden.r, hidden.g + 20);
  softOf(f).meshes.front().lift = 0.012f;
  draw(f);
  const Pixel shown = at(kOnCloth + into.cast<double>());
  EXPECT_GT(shown.r, shown.g + 40);
}

TEST_F(SoftPicture, ClothCastsAShadow) {
  Model alone = *world.model;
  alone.visuals.clear();
  world.model = std::make_shared<const Model>(std::move(alone));
  renderer->setModel(world.model);
  camera = Camera::from({"behind", {0.6, 0.9, 0.6}, {-0.2, 0, 0}, 40, {}});
  const Vec3 below(-0.248, 0.072, 0);  // along the key light from the middle of what lies flat
  Frame f = frame();
  draw(f);
  const Pixel shaded = at(below);
  softOf(f).meshes.clear();
  draw(f);
  EXPECT_LT(shaded.luminance(), at(below).luminance() * 3 / 4);
}

TEST_F(SoftPicture, OneSeesThroughALiquidAndNotThroughDough) {
  options.shadows = false;
  Frame f = frame();
  f.boundaries.clear();
  const Vec3 onDough(0.16, 0.13, 0.085);
  draw(f);
  const Pixel water = at(kOnWater), dough = at(onDough);
  for (const auto& [p, k] : {std::pair{kOnWater, 0u}, {onDough, 1u}}) {  // a red ball behind each
    softOf(f).particles[k] = (p + 0.04 * (p - camera.eye()).normalized()).cast<float>();
  }
  softOf(f).spheres = {{0, 2, 0.02f, Eigen::Vector3f::UnitX()}};
  draw(f);
  EXPECT_GT(at(kOnWater).r, water.r + 10);
  EXPECT_EQ(at(onDough).r, dough.r);
}

TEST_F(SoftPicture, GrainsDifferInSizeAndShadeButNotFromFrameToFrame) {
  const Frame f = frame();
  ASSERT_EQ(f.soft->spheres.size(), 1u);
  const auto picture = [&](float variety) {
    Frame drawn = f;
    softOf(drawn).spheres[0].variety = variety;
    draw(drawn);
    return pixels();
  };
  const std::vector<GLubyte> grains = picture(f.soft->spheres[0].variety), balls = picture(0);
  EXPECT_EQ(grains, picture(f.soft->spheres[0].variety));
  int differing = 0;
  for (std::size_t i = 0; i < grains.size(); i += 4) differing += std::abs(grains[i] - balls[i]) > 10;
  EXPECT_GT(differing, 100);
}

TEST_F(SoftPicture, ClicksFindDeformablesAndBoundariesOnlyWhereNothingElseIs) {
  draw(frame());
  for (const auto& [p, deformable] :
       {std::pair{kOnCloth, world.cloth}, {kOnWater, world.water}, {kOnSand, world.sand}}) {
    const auto picked = pick(p);
    ASSERT_TRUE(picked);
    EXPECT_EQ(picked->selection, Selection(SelectedDeformable{deformable}));
    EXPECT_LT((picked->p_W - p).norm(), 0.02);
  }
  const auto floor = pick(kOpenFloor);
  ASSERT_TRUE(floor);
  EXPECT_EQ(floor->selection, Selection(SelectedBoundary{world.floor}));
  EXPECT_LT((floor->p_W - kOpenFloor).norm(), 0.01);
  options.boundaries = false;
  draw(frame());
  EXPECT_FALSE(pick(kOpenFloor));
}

TEST_F(SoftPicture, ASelectedClothOrBoundaryGetsALineAroundIt) {
  const auto blue = [&] {
    draw(frame());
    const std::vector<GLubyte> rgba = pixels();
    int count = 0;
    for (std::size_t i = 0; i < rgba.size(); i += 4)
      count += std::abs(rgba[i] - 0x35) + std::abs(rgba[i + 1] - 0xB6) + std::abs(rgba[i + 2] - 0xE8) < 60;
    return count;
  };
  EXPECT_LT(blue(), 10);
  selection = SelectedDeformable{world.cloth};
  EXPECT_GT(blue(), 100);
  selection = {};
  selection = SelectedBoundary{world.clamp};
  EXPECT_GT(blue(), 60);
}

}  // namespace
}  // namespace slipstick::render
