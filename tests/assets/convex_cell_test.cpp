// What of a mesh lies between planes: its volume by formulas, its corners by those of boxes.
#include "assets/convex_cell.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <random>

#include "tests/support/prism.h"

namespace slipstick::assets {
namespace {

using testing::prism;
using Planes = std::vector<HalfSpace>;
using Points = std::vector<Vec3>;

HalfSpace other(const HalfSpace& plane) {
  return {-plane.normal, -plane.offset};
}

struct Box {
  Vec3 lower, upper;
  Planes planes() const {
    Planes planes;
    for (int k = 0; k < 3; ++k) {
      planes.push_back({Vec3::Unit(k), upper[k]});
      planes.push_back({-Vec3::Unit(k), -lower[k]});
    }
    return planes;
  }
};

TriangleMesh meshOf(const Box& box) {
  const double x0 = box.lower.x(), x1 = box.upper.x(), z0 = box.lower.z(), z1 = box.upper.z();
  TriangleMesh mesh = prism({{{x0, z0}, {x1, z0}, {x1, z1}, {x0, z1}}, {{0, 1, 2}, {0, 2, 3}}},
                            box.upper.y() - box.lower.y());
  for (Vec3& v : mesh.vertices) v.y() += box.lower.y();
  return mesh;
}

void turn(TriangleMesh& mesh) {
  for (Eigen::Vector3i& t : mesh.triangles) std::swap(t[0], t[1]);
}

void add(TriangleMesh& mesh, const TriangleMesh& more) {
  const int first = static_cast<int>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), more.vertices.begin(), more.vertices.end());
  for (const Eigen::Vector3i& t : more.triangles) mesh.triangles.push_back((t.array() + first).matrix());
}

/// A mesh, and boxes that fill it without overlap.
struct Body {
  const char* name;
  TriangleMesh mesh;
  std::vector<Box> boxes;
  double volume;
};

Body cube() {
  const Box box{{0, 0, 0}, {1, 1, 1}};
  return {"cube", meshOf(box), {box}, 1};
}
Body angle() {
  return {"angle", prism(testing::angle(), 2), {{{0, 0, 0}, {3, 2, 1}}, {{0, 0, 1}, {1, 2, 3}}}, 10};
}
Body channel() {
  return {"channel",
          prism(testing::channelProfile(), 1),
          {{{0, 0, 0}, {3, 1, 1}}, {{0, 0, 1}, {1, 1, 3}}, {{2, 0, 1}, {3, 1, 3}}},
          7};
}
/// A cube with a cube of nothing inside.
Body hollow() {
  Body body{"hollow", meshOf({{0, 0, 0}, {3, 3, 3}}), {}, 26};
  TriangleMesh hole = meshOf({{1, 1, 1}, {2, 2, 2}});
  turn(hole);
  add(body.mesh, hole);
  body.boxes = {{{0, 0, 0}, {3, 3, 1}}, {{0, 0, 2}, {3, 3, 3}}, {{0, 0, 1}, {1, 3, 2}},
                {{2, 0, 1}, {3, 3, 2}}, {{1, 0, 1}, {2, 1, 2}}, {{1, 2, 1}, {2, 3, 2}}};
  return body;
}
Body twoCubes() {
  Body body{"two cubes", meshOf({{0, 0, 0}, {1, 1, 1}}), {{{0, 0, 0}, {1, 1, 1}}, {{2, 0, 0}, {3, 1, 1}}}, 2};
  add(body.mesh, meshOf(body.boxes[1]));
  return body;
}
std::vector<Body> bodies() {
  return {cube(), angle(), channel(), hollow(), twoCubes()};
}

class Random {
 public:
  double between(double lower, double upper) { return lower + (upper - lower) * uniform_(random_); }
  Vec3 direction() {
    for (;;) {
      const Vec3 v(between(-1, 1), between(-1, 1), between(-1, 1));
      if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
    }
  }
  Vec3 pointIn(const Box& box) {
    Vec3 p;
    for (int k = 0; k < 3; ++k) p[k] = between(box.lower[k], box.upper[k]);
    return p;
  }
  /// Through some point of the body.
  HalfSpace planeThrough(const Body& body) {
    const Vec3 normal = direction();
    const Vec3 p = pointIn(body.boxes[random_() % body.boxes.size()]);
    return {normal, normal.dot(p)};
  }

 private:
  std::mt19937 random_{1};
  std::uniform_real_distribution<double> uniform_{0, 1};
};

// ----------------------------------------------------------------------------------------------- what is expected

/// Corners of what lies below all planes: where three of them meet below the others.
void addCorners(const Planes& planes, Points& corners) {
  const std::size_t n = planes.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (std::size_t k = 0; k < j; ++k) {
        Mat3 normals;
        normals << planes[i].normal.transpose(), planes[j].normal.transpose(), planes[k].normal.transpose();
        if (std::abs(normals.determinant()) < 1e-9) continue;
        const Vec3 p = normals.fullPivLu().solve(Vec3(planes[i].offset, planes[j].offset, planes[k].offset));
        if (std::all_of(planes.begin(), planes.end(), [&](const auto& h) { return h.height(p) < 1e-9; }))
          corners.push_back(p);
      }
}
Points cornersOf(const Body& body, const Planes& cell) {
  Points corners;
  for (const Box& box : body.boxes) {
    Planes planes = box.planes();
    planes.insert(planes.end(), cell.begin(), cell.end());
    addCorners(planes, corners);
  }
  return corners;
}

double reach(const Points& points, const Vec3& direction) {
  double farthest = -1e300;
  for (const Vec3& p : points) farthest = std::max(farthest, direction.dot(p));
  return farthest;
}
/// Two sets of points have one hull where they reach as far in every direction.
void expectSameHull(const Points& points, const Points& expected, Random& random, const std::string& what) {
  ASSERT_EQ(points.empty(), expected.empty()) << what;
  for (int i = 0; i < 40; ++i) {
    const Vec3 d = i < 3 ? Vec3(Vec3::Unit(i)) : i < 6 ? Vec3(-Vec3::Unit(i - 3)) : random.direction();
    EXPECT_NEAR(reach(points, d), reach(expected, d), 1e-8) << what << " towards " << d.transpose();
  }
}

/// Of the unit cube below a plane whose normal is positive: n·x ≤ d, by inclusion and exclusion of the octants at its
/// corners.
double cubeBelow(const Vec3& n, double d) {
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 s(corner & 1, corner >> 1 & 1, corner >> 2 & 1);
    sum += (s.sum() == 1 || s.sum() == 3 ? -1 : 1) * std::pow(std::max(0.0, d - n.dot(s)), 3);
  }
  return sum / (6 * n.prod());
}

double volumeWithin(const Body& body, const Planes& cell) {
  return Piece(Solid(body.mesh), cell).volume();
}

// ---------------------------------------------------------------------------------------------------------- solids

TEST(Solid, ContainsWhatLiesInsideAndNotInItsHole) {
  Random random;
  for (const Body& body : bodies()) {
    const Solid solid(body.mesh);
    EXPECT_TRUE(solid.isClosed());
    for (int i = 0; i < 200; ++i) {
      const Vec3 p = random.pointIn({{-1, -1, -1}, {4, 4, 4}});
      const bool isInside = std::any_of(body.boxes.begin(), body.boxes.end(), [&](const Box& box) {
        return (p.array() > box.lower.array()).all() && (p.array() < box.upper.array()).all();
      });
      EXPECT_EQ(solid.contains(p), isInside) << body.name << ": " << p.transpose();
    }
    EXPECT_FALSE(solid.contains(Vec3(0.5, std::nan(""), 0.5)));
    EXPECT_FALSE(solid.contains(Vec3(1e6, 0, 0)));
  }
}

TEST(Solid, IsTurnedWhereItFacesInwards) {
  TriangleMesh mesh = angle().mesh;
  turn(mesh);
  const Solid solid(mesh);
  EXPECT_NEAR(signedVolume(solid.mesh()), 10, 1e-12);
  EXPECT_TRUE(solid.contains({0.5, 1, 0.5}));
  EXPECT_FALSE(solid.contains({2, 1, 2}));
  EXPECT_NEAR(solid.size(), std::sqrt(9 + 4 + 9), 1e-12);
}

TEST(Solid, HasNoInsideWhereItIsOpen) {
  TriangleMesh mesh = cube().mesh;
  mesh.triangles.pop_back();
  const Solid solid(mesh);
  EXPECT_FALSE(solid.isClosed());
  EXPECT_FALSE(solid.contains({0.5, 0.5, 0.5}));
  const Piece half = Piece(solid).below({Vec3::UnitX(), 0.5});
  EXPECT_EQ(half.volume(), 0);
  EXPECT_NEAR(reach(half.points(), Vec3::UnitX()), 0.5, 1e-12) << "it has a surface all the same";
}

// --------------------------------------------------------------------------------------------------------- volumes

TEST(PieceVolume, OfACubeIsWhatTheFormulaSays) {
  Random random;
  for (int i = 0; i < 100; ++i) {
    const Vec3 n = random.direction().cwiseAbs().cwiseMax(0.02).normalized();
    const double d = random.between(-0.1, n.sum() + 0.1), expected = cubeBelow(n, d);
    EXPECT_NEAR(volumeWithin(cube(), {{n, d}}), expected, 1e-9) << n.transpose() << " ≤ " << d;
    // Seen in a mirror: from the opposite corner.
    EXPECT_NEAR(volumeWithin(cube(), {{-n, d - n.sum()}}), expected, 1e-9) << n.transpose() << " ≤ " << d;
  }
}

TEST(PieceVolume, OfAllCellsBetweenPlanesIsThatOfTheBody) {
  Random random;
  for (const Body& body : bodies()) {
    EXPECT_NEAR(volumeWithin(body, {}), body.volume, 1e-12) << body.name;
    for (int i = 0; i < 10; ++i) {
      const Planes planes = {random.planeThrough(body), random.planeThrough(body), random.planeThrough(body)};
      double sum = 0;
      for (int cell = 0; cell < 8; ++cell) {
        const auto side = [&](int k) {
          const HalfSpace& plane = planes[static_cast<std::size_t>(k)];
          return (cell >> k & 1) != 0 ? plane : other(plane);
        };
        const double volume = volumeWithin(body, {side(0), side(1), side(2)});
        EXPECT_NEAR(volumeWithin(body, {side(2), side(0), side(1)}), volume, 1e-9) << body.name;
        sum += volume;
      }
      EXPECT_NEAR(sum, body.volume, 1e-9) << body.name;
    }
  }
}

TEST(PieceVolume, KnowsPlanesThatFacesLieIn) {
  const auto below = [](const Body& body, double z) { return volumeWithin(body, {{Vec3::UnitZ(), z}}); };
  const auto above = [](const Body& body, double z) { return volumeWithin(body, {{-Vec3::UnitZ(), -z}}); };
  EXPECT_NEAR(below(cube(), 1), 1, 1e-12);
  EXPECT_NEAR(below(cube(), 0), 0, 1e-12);
  EXPECT_NEAR(above(cube(), 0), 1, 1e-12);
  EXPECT_NEAR(above(cube(), 1), 0, 1e-12);
  EXPECT_NEAR(below(angle(), 1), 6, 1e-12);
  EXPECT_NEAR(above(angle(), 1), 4, 1e-12);
  EXPECT_NEAR(below(hollow(), 1), 9, 1e-12);
  EXPECT_NEAR(below(hollow(), 2), 17, 1e-12);
  EXPECT_NEAR(volumeWithin(hollow(), hollow().boxes[2].planes()), 3, 1e-12) << "between faces all around";
  EXPECT_NEAR(volumeWithin(hollow(), Box{{1, 1, 1}, {2, 2, 2}}.planes()), 0, 1e-12) << "the hole";
}

TEST(PieceVolume, IsTheSameWhenAPlaneCutsTwiceAndNothingBetweenBothItsSides) {
  const HalfSpace plane{Vec3(1, 2, 3).normalized(), 0.7};
  const double once = volumeWithin(cube(), {plane});
  EXPECT_NEAR(volumeWithin(cube(), {plane, plane}), once, 1e-12);
  EXPECT_NEAR(volumeWithin(cube(), {plane, other(plane)}), 0, 1e-12);
  const Solid solid(cube().mesh);
  const Piece none = Piece(solid).below({Vec3::UnitX(), -1}).below(plane);
  EXPECT_EQ(none.volume(), 0);
  EXPECT_TRUE(none.points().empty());
  EXPECT_EQ(none.cell().size(), 2u);
  EXPECT_EQ(none.cell()[1].offset, plane.offset);
}

/// Nothing of the mesh's surface is left of such a piece: planes alone bound it.
TEST(PieceVolume, OfACellWhollyInsideIsThatOfTheCell) {
  const HalfSpace slanted{Vec3(1, 2, 3).normalized(), 0.7};
  for (const Vec3& place : {Vec3(0, 0, 0), Vec3(1000, -2000, 500)}) {
    const Solid solid(meshOf({place - Vec3(5, 5, 5), place + Vec3(5, 5, 5)}));
    const Piece block(solid, Box{place - Vec3(1, 2, 0), place + Vec3(1, 2, 3)}.planes());
    EXPECT_NEAR(block.volume(), 24, 1e-6) << place.transpose();
    EXPECT_NEAR(block.below({Vec3::UnitX(), place.x()}).volume(), 12, 1e-6) << "and cut once more";
    const Piece unit(solid, Box{place, place + Vec3::Ones()}.planes());
    const HalfSpace plane{slanted.normal, slanted.offset + slanted.normal.dot(place)};
    EXPECT_NEAR(unit.below(plane).volume(), cubeBelow(slanted.normal, slanted.offset), 1e-6);
  }
  const Solid solid(hollow().mesh);
  EXPECT_NEAR(Piece(solid, Box{{0.2, 0.2, 0.2}, {0.8, 2.8, 0.8}}.planes()).volume(), 0.6 * 0.6 * 2.6, 1e-12);
}

TEST(PieceVolume, GrowsWithTheCubeOfTheSize) {
  const HalfSpace plane{Vec3(1, 2, 3).normalized(), 0.7};
  const double expected = cubeBelow(plane.normal, plane.offset);
  for (const double unit : {1e-6, 1e-3, 1e3, 1e6}) {
    const Solid solid(meshOf({Vec3::Zero(), Vec3::Constant(unit)}));
    const Piece piece(solid, {{plane.normal, plane.offset * unit}});
    EXPECT_NEAR(piece.volume() / (unit * unit * unit), expected, 1e-9) << unit;
  }
}

// ---------------------------------------------------------------------------------------------------------- points

TEST(PiecePoints, HaveTheHullOfTheBodyWithinItsCell) {
  Random random;
  for (const Body& body : bodies()) {
    const Solid solid(body.mesh);
    for (int i = 0; i < 30; ++i) {
      Planes cell;
      for (int k = 0; k < i % 6; ++k) cell.push_back(random.planeThrough(body));
      expectSameHull(Piece(solid, cell).points(), cornersOf(body, cell), random, body.name);
    }
  }
}

TEST(PiecePoints, AreTheCornersOfACellInsideTheBody) {
  const Body body{"block", meshOf({{-5, -5, -5}, {5, 5, 5}}), {{{-5, -5, -5}, {5, 5, 5}}}, 1000};
  const Box cell{{-1, -2, 0}, {1, 2, 3}};
  const Solid solid(body.mesh);
  const Piece piece(solid, cell.planes());
  Random random;
  expectSameHull(piece.points(), cornersOf(body, cell.planes()), random, "inside");
}

TEST(PiecePoints, LeaveOutCornersOfTheCellThatLieInAHole) {
  const Solid solid(hollow().mesh);
  const Piece piece(solid, {{Vec3::UnitX(), 1.5}, {Vec3::UnitY(), 1.5}, {Vec3::UnitZ(), 1.5}});
  EXPECT_NEAR(piece.volume(), 1.5 * 1.5 * 1.5 - 0.5 * 0.5 * 0.5, 1e-12);
  EXPECT_NEAR(reach(piece.points(), Vec3::Ones()), 1.5 + 1.5 + 1, 1e-12) << "not 3 · 1.5";
}

/// What a cut would leave is known before it is made: the same hulls as of the pieces on both its sides.
TEST(PieceHalves, HaveTheHullsOfTheTwoPieces) {
  Random random;
  for (const Body& body : bodies()) {
    const Solid solid(body.mesh);
    for (int i = 0; i < 30; ++i) {
      Planes cell;
      for (int k = 0; k < i % 5; ++k) cell.push_back(random.planeThrough(body));
      const HalfSpace plane = random.planeThrough(body);
      const auto halves = Piece(solid, cell).halves(plane);
      cell.push_back(plane);
      expectSameHull(halves[0], cornersOf(body, cell), random, std::string(body.name) + " below");
      cell.back() = other(plane);
      expectSameHull(halves[1], cornersOf(body, cell), random, std::string(body.name) + " above");
    }
  }
}

TEST(PieceHalves, DoNotShareAWallThatLiesInThePlane) {
  Random random;
  const Body body = angle();
  const Solid solid(body.mesh);
  const auto halves = Piece(solid).halves({Vec3::UnitZ(), 1});
  Points low, high;
  addCorners(body.boxes[0].planes(), low);
  addCorners(body.boxes[1].planes(), high);
  expectSameHull(halves[0], low, random, "the foot");
  expectSameHull(halves[1], high, random, "the post, without the foot's upper side");
  const auto outside = Piece(solid).halves({Vec3::UnitZ(), 0});
  EXPECT_TRUE(outside[0].empty()) << "it stands on the plane";
  EXPECT_NEAR(reach(outside[1], -Vec3::UnitZ()), 0, 1e-12);
}

/// Of a body that stands askew, rounding lifts the corners of a face off its plane.
TEST(PieceHalves, AndPiecesTakeAFaceAsFlatWhereRoundingHasBentIt) {
  Random random;
  const Body body = angle();
  Points low, high;
  addCorners(body.boxes[0].planes(), low);
  addCorners(body.boxes[1].planes(), high);
  for (int i = 0; i < 20; ++i) {
    const Mat3 R = Eigen::AngleAxisd(random.between(0, 3), random.direction()).toRotationMatrix();
    const auto turned = [&](Points points) {
      for (Vec3& p : points) p = R * p;
      return points;
    };
    TriangleMesh mesh = body.mesh;
    mesh.vertices = turned(mesh.vertices);
    const Solid solid(mesh);
    const HalfSpace plane{R * Vec3::UnitZ(), 1};
    const auto halves = Piece(solid).halves(plane);
    const std::array<Piece, 2> pieces = {Piece(solid).below(plane), Piece(solid).below(other(plane))};
    expectSameHull(halves[0], turned(low), random, "foot");
    expectSameHull(halves[1], turned(high), random, "post");
    expectSameHull(pieces[0].points(), turned(low), random, "piece with the foot");
    expectSameHull(pieces[1].points(), turned(high), random, "piece with the post");
    EXPECT_NEAR(pieces[0].volume(), 6, 1e-12);
    EXPECT_NEAR(pieces[1].volume(), 4, 1e-12);
  }
}

}  // namespace
}  // namespace slipstick::assets
