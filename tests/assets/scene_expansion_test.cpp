// Copies, mirror images and named frames: what a scene's file says once and means several times.
#include <gtest/gtest.h>

#include <chrono>
#include <numbers>

#include "engine/compile/compile.h"
#include "engine/model/model.h"
#include "tests/assets/scene_facts.h"
#include "tests/assets/scene_text.h"

namespace slipstick {
namespace {

using testing::expectFault;
using testing::faultOf;
using testing::parsed;

constexpr double kRounding = 1e-14;

Scene sceneOf(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const Result<assets::LoadedScene> loaded = parsed(text, overrides);
  EXPECT_TRUE(loaded) << loaded.error().message();
  return loaded ? loaded->scene : Scene{};
}

const RobotSpec& robot(const Scene& scene, const std::string& name) {
  static const RobotSpec kNone;
  for (const RobotSpec& r : scene.robots)
    if (r.name == name) return r;
  ADD_FAILURE() << "no " << name;
  return kNone;
}

std::string namesOf(const Scene& scene) {
  std::string names;
  for (const RobotSpec& r : scene.robots) names += (names.empty() ? "" : " ") + r.name;
  return names;
}

const std::string kBrick =
    "base: free, density: 100, shapes: [{name: all, shape: box, size: [0.1, 0.1, 0.1]}]";

TEST(Replicate, MakesNumberedCopiesInARow) {
  const Scene s = sceneOf("bodies:\n  before: {shapes: [{shape: plane}]}\n  brick: {" + kBrick +
                          ", position: [0, 0, 0.15], replicate: {count: 4, offset: [0, 0, 0.2]}}\n  after: "
                          "{shapes: [{shape: plane}]}\n");
  EXPECT_EQ(namesOf(s), "before brick_0 brick_1 brick_2 brick_3 after");
  EXPECT_EQ(robot(s, "brick_0").X_PB.p.z(), 0.15);
  EXPECT_EQ(robot(s, "brick_3").X_PB.p.z(), 0.75)
      << "what a person would write: 0.15 + 3 · 0.2 in doubles is more";
  EXPECT_EQ(robot(s, "brick_3").description.links[0].mass, robot(s, "brick_0").description.links[0].mass);
}

TEST(Replicate, CountsAGridAlongXFirst) {
  const Scene s = sceneOf("bodies: {b: {" + kBrick +
                          ", replicate: {count: [3, 2, 2], offset: [1, 10, 100], first: 1}}}\n");
  ASSERT_EQ(s.robots.size(), 12u);
  EXPECT_EQ(robot(s, "b_1").X_PB.p, Vec3(0, 0, 0));
  EXPECT_EQ(robot(s, "b_3").X_PB.p, Vec3(2, 0, 0));
  EXPECT_EQ(robot(s, "b_5").X_PB.p, Vec3(1, 10, 0));
  EXPECT_EQ(robot(s, "b_12").X_PB.p, Vec3(2, 10, 100));
}

TEST(Replicate, TurnsEachCopyFromTheOneBefore) {
  const Scene ring =
      sceneOf("bodies: {b: {" + kBrick +
              ", position: [2, 0, 0], rpy_deg: [90, 0, 10], velocity: [1, 0, 0], angular_velocity: [0, 3, "
              "0], replicate: {count: 4, rpy_deg: [0, 0, 90]}}}\n");
  const RobotSpec& second = robot(ring, "b_1");
  EXPECT_LT((second.X_PB.p - Vec3(0, 2, 0)).norm(), kRounding);
  EXPECT_LT((second.velocity - Vec3(0, 1, 0)).norm(), kRounding) << "all of it is turned, its motion too";
  EXPECT_LT((second.angularVelocity - Vec3(-3, 0, 0)).norm(), kRounding);
  const Pose turn = Pose::fromRpy({0, 0, std::numbers::pi / 2}, Vec3::Zero());
  EXPECT_LT((second.X_PB.R - turn.R * robot(ring, "b_0").X_PB.R).norm(), kRounding);
  // About another axis, with a shift: X_i = X X_{i−1}.
  const Scene helix =
      sceneOf("bodies: {b: {" + kBrick +
              ", position: [0, 1, 0], rpy_deg: [10, 20, 30], replicate: {count: 3, rpy_deg: [40, 0, 15], "
              "offset: [0.1, 0, 0]}}}\n");
  const Pose step = Pose::fromRpy(Vec3(40, 0, 15) * std::numbers::pi / 180, Vec3(0.1, 0, 0));
  const Pose expected = step * (step * robot(helix, "b_0").X_PB);
  EXPECT_LT((robot(helix, "b_2").X_PB.p - expected.p).norm(), kRounding);
  EXPECT_LT((robot(helix, "b_2").X_PB.R - expected.R).norm(), kRounding);
}

TEST(Replicate, ActsOnRobotsDeformablesAndBoundaries) {
  const Scene s = sceneOf(R"(materials: {gel: {model: hencky, E: 1e5, nu: 0.3, density: 500}}
deformables: {cube: {material: gel, shape: box, size: [0.1, 0.1, 0.1], replicate: {count: 2, offset: [1, 0, 0]}}}
boundaries: {wall: {kind: slip, shape: plane, replicate: {count: 2, rpy_deg: [90, 0, 0]}}}
robots: {arm: {urdf: pendulum, hold: true, replicate: {count: 2, offset: [0, 1, 0]}}}
)");
  ASSERT_EQ(s.deformables.size(), 2u);
  EXPECT_EQ(s.deformables[1].name, "cube_1");
  EXPECT_EQ(s.deformables[1].X_WD.p, Vec3(1, 0, 0));
  ASSERT_EQ(s.boundaries.size(), 2u);
  EXPECT_LT((s.boundaries[1].X_WS.R.col(2) - Vec3(0, -1, 0)).norm(), kRounding);
  EXPECT_EQ(robot(s, "arm_1").X_PB.p, Vec3(0, 1, 0));
  EXPECT_TRUE(robot(s, "arm_1").isHeld);
}

TEST(Replicate, AnEntryOfACopysNameIsLaidOverItOrTakesItAway) {
  const Scene s = sceneOf(
      "bodies:\n  b: {" + kBrick +
      ", replicate: {count: 4, offset: [1, 0, 0]}}\n  b_2: {contact: {friction: 0.1}, position: [9, 9, "
      "9]}\n  b_1:\n");
  EXPECT_EQ(namesOf(s), "b_0 b_2 b_3");
  EXPECT_EQ(robot(s, "b_2").contact.friction, 0.1);
  EXPECT_EQ(robot(s, "b_2").X_PB.p, Vec3(9, 9, 9));
  EXPECT_EQ(robot(s, "b_2").description.links[0].mass, robot(s, "b_0").description.links[0].mass);
}

TEST(Replicate, DefaultsDoNotGoOverACopy) {
  const Scene s = sceneOf(
      "defaults: {bodies: {contact: {friction: 0.2}}}\nbodies:\n  b: {" + kBrick +
      ", contact: {friction: 0.6}, replicate: {count: 2, offset: [1, 0, 0]}}\n  b_1: {visible: false}\n");
  EXPECT_EQ(robot(s, "b_1").contact.friction, 0.6);
}

TEST(Replicate, FaultsOfACopyNameTheLineOfItsPattern) {
  const std::string text =
      "bodies:\n  b:\n    base: free\n    mass: -1\n    shapes: [{shape: sphere, radius: 1}]\n    replicate: "
      "{count: 2}\n";
  expectFault(faultOf(text), {"test.yaml:4, key 'bodies.b_0.mass'", "out of range"});
  const std::string late =
      "bodies:\n  b:\n    attach_to: nowhere\n    shapes: [{shape: sphere, radius: 1}]\n    replicate: "
      "{count: 2}\n";
  expectFault(faultOf(late), {"test.yaml:3", "nowhere"});
}

TEST(Replicate, RefusesWhatCannotBeCopied) {
  const auto fault = [](const std::string& replicate, const std::string& more = "") {
    return faultOf("bodies:\n  b: {" + more + kBrick + ",\n    replicate: " + replicate + "}\n");
  };
  expectFault(fault("{count: 1000000000}"), {"test.yaml:3, key 'bodies.b.replicate.count'", "10000"});
  expectFault(fault("{count: [1000, 1000, 1000]}"), {"10,000 copies"});
  expectFault(fault("{count: 0}"), {"out of range"});
  expectFault(fault("{count: [1, 2]}"), {"three"});
  expectFault(fault("{offset: [1, 0, 0]}"), {"'count' is missing"});
  expectFault(fault("{count: 2, spacing: [1, 0, 0]}"), {"unknown key 'spacing'"});
  expectFault(fault("{count: [2, 2, 1], rpy_deg: [0, 0, 9]}"), {"a grid of copies does not turn"});
  expectFault(fault("{count: 2}", "path: p, "), {"follows a path"});
  expectFault(faultOf("cameras: {c: {position: [1, 1, 1], replicate: {count: 2}}}\n"),
              {"unknown key 'replicate'"});
}

TEST(Replicate, CopiesThatMultiplyWithoutEndAreRefusedBeforeTheyAreMade) {
  const auto begin = std::chrono::steady_clock::now();
  std::string text = "bodies:\n";
  for (int i = 0; i < 100; ++i)
    text += "  b" + std::to_string(i) + "x: {" + kBrick + ", replicate: {count: 10000, offset: [1, 0, 0]}}\n";
  expectFault(faultOf(text), {"300000 values"});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST(Replicate, AssignmentsReachThePatternAndSingleCopies) {
  const std::string text = "bodies: {b: {" + kBrick + ", replicate: {count: 2, offset: [1, 0, 0]}}}\n";
  EXPECT_EQ(sceneOf(text, {"bodies.b.replicate.count=3"}).robots.size(), 3u);
  const Scene s =
      sceneOf(text, {"bodies.b.density=200", "bodies.b_1.position.x=7", "bodies.b_1.contact.friction=0.3"});
  EXPECT_EQ(robot(s, "b_0").description.links[0].mass, robot(s, "b_1").description.links[0].mass);
  EXPECT_NEAR(robot(s, "b_0").description.links[0].mass, 0.2, 1e-15);
  EXPECT_EQ(robot(s, "b_1").X_PB.p, Vec3(7, 0, 0));
  EXPECT_EQ(robot(s, "b_1").contact.friction, 0.3);
  EXPECT_FALSE(robot(s, "b_0").contact.friction);
  expectFault(faultOf(text, {"bodies.b_2.density=1"}), {"no 'b_2' there", "did you mean 'b_0'?"});
}

/// The reflection M at the plane through c, normal to an axis.
struct Reflection {
  int axis;
  double c = 0;
  Mat3 M() const {
    Mat3 m = Mat3::Identity();
    m(axis, axis) = -1;
    return m;
  }
  Vec3 operator()(const Vec3& p) const {
    Vec3 q = p;
    q[axis] = 2 * c - p[axis];
    return q;
  }
};

TEST(Mirror, EveryPointOfABodyGoesToTheOtherSide) {
  for (int axis = 0; axis < 3; ++axis) {
    const std::string normal(1, "xyz"[axis]);
    const Scene s = sceneOf(R"(bodies:
  left:
    base: free
    density: 100
    position: [0.3, 0.2, 0.5]
    rpy_deg: [10, -20, 130]
    velocity: [1, 2, 3]
    angular_velocity: [0.1, 0.2, 0.3]
    shapes:
      - {shape: box, size: [0.1, 0.2, 0.3], position: [0.1, 0.2, 0.3], rpy_deg: [30, 40, 50]}
      - {shape: capsule, radius: 0.02, length: 0.1, rotation: [0, -1, 0, 1, 0, 0, 0, 0, 1]}
  right: {mirror: {of: left, normal: )" +
                            normal + ", point: [0.25, 0.25, 0.25]}}\n");
    const Reflection mirror{axis, 0.25};
    const RobotSpec &left = robot(s, "left"), &right = robot(s, "right");
    EXPECT_LT((right.X_PB.p - mirror(left.X_PB.p)).norm(), kRounding);
    EXPECT_LT((right.velocity - mirror.M() * left.velocity).norm(), kRounding);
    EXPECT_LT((right.angularVelocity + mirror.M() * left.angularVelocity).norm(), kRounding) << "ω is axial";
    for (std::size_t g = 0; g < 2; ++g) {
      const Pose X_WG = left.X_PB * left.description.links[0].collisions[g].X_BG;
      const Pose image = right.X_PB * right.description.links[0].collisions[g].X_BG;
      // A corner of the shape, and the same corner of the image, which is symmetric in its own axes.
      const Vec3 corner(0.05, 0.1, 0.15);
      EXPECT_LT((image * (mirror.M() * corner) - mirror(X_WG * corner)).norm(), kRounding) << normal << g;
      EXPECT_NEAR(image.R.determinant(), 1, kRounding);
    }
  }
}

TEST(Mirror, HalfSpacesAndMeshesStayTheRightWayOut) {
  const auto file = testing::writeFile(
      "tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const Scene s = sceneOf(R"(boundaries:
  floor: {kind: slip, shape: plane, position: [0, 0, -1], rpy_deg: [20, 0, 0]}
  ceiling: {mirror: {of: floor, normal: z}}
  slope: {kind: slip, shape: plane, rotation: [0, 0, 1, 0, 1, 0, -1, 0, 0]}
  other: {mirror: {of: slope, normal: z}}
bodies:
  a: {shapes: [{shape: mesh, file: )" +
                          file.string() + R"(}, {shape: mesh, scale: 2, file: )" + file.string() + R"(}]}
  b: {mirror: {of: a, normal: y}}
)");
  EXPECT_EQ(s.boundaries[1].X_WS.p, Vec3(0, 0, 1));
  const Reflection atZ{2};
  EXPECT_LT((s.boundaries[1].X_WS.R.col(2) - atZ.M() * s.boundaries[0].X_WS.R.col(2)).norm(), kRounding)
      << "the normal of the half-space points away from what it was mirrored at";
  EXPECT_LT((s.boundaries[3].X_WS.R.col(2) - atZ.M() * s.boundaries[2].X_WS.R.col(2)).norm(), kRounding);
  const auto meshOf = [&](const char* name, std::size_t i) {
    return std::get<shape::Mesh>(robot(s, name).description.links[0].collisions[i].shape).mesh;
  };
  for (std::size_t i = 0; i < 2; ++i) {
    const auto mesh = meshOf("b", i), was = meshOf("a", i);
    double volume = 0;
    for (const Eigen::Vector3i& t : mesh->triangles) {
      const auto v = [&](int k) { return mesh->vertices[static_cast<std::size_t>(t[k])]; };
      volume += v(0).dot(v(1).cross(v(2))) / 6;
    }
    EXPECT_NEAR(volume, i == 0 ? 1 : 8, 1e-12) << "positive: outsides are outside";
    double reach = 0;
    for (const Vec3& v : mesh->vertices) reach = std::min(reach, v.y());
    EXPECT_EQ(reach, i == 0 ? -2 : -4);
  }
}

TEST(Mirror, OfPathsAndFramesAndWhatStandsInThem) {
  const Scene s = sceneOf(R"(paths:
  left:
    start: {position: [0.1, 0.2, 0.3], rpy_deg: [10, 20, 30]}
    moves: [{from: 0, to: 1, displacement: [1, 2, 3], rotation_deg: [5, 6, 7]}, {from: 1, to: 2, velocity: [1, 1, 1]}]
  right: {mirror: {of: left, normal: y}}
  keyed: {keys: [{t: 0, quaternion: [0.5, 0.5, 0.5, 0.5]}, {t: 1, position: [1, 2, 3]}]}
  image: {mirror: {of: keyed, normal: x, point: [1, 0, 0]}}
frames:
  a: {position: [0, 1, 0], rpy_deg: [0, 0, 90]}
  b: {mirror: {of: a, normal: y}}
bodies: {box: {in: b, position: [0, 0, 1], shapes: [{shape: sphere, radius: 1}]}}
)");
  const Mat3 M = Reflection{1}.M();
  for (std::size_t k = 0; k < s.paths[0].keys.size(); ++k) {
    EXPECT_LT((s.paths[1].keys[k].p - M * s.paths[0].keys[k].p).norm(), kRounding) << k;
    EXPECT_LT(
        (s.paths[1].keys[k].R.toRotationMatrix() - M * s.paths[0].keys[k].R.toRotationMatrix() * M).norm(),
        kRounding)
        << k;
  }
  const Reflection atX{0, 1};
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(s.paths[3].keys[k].p, atX(s.paths[2].keys[k].p)) << "also of a position that is not written";
    EXPECT_LT((s.paths[3].keys[k].R.toRotationMatrix() -
               atX.M() * s.paths[2].keys[k].R.toRotationMatrix() * atX.M())
                  .norm(),
              kRounding);
  }
  EXPECT_LT((robot(s, "box").X_PB.p - Vec3(0, -1, 1)).norm(), kRounding);
}

TEST(Mirror, OfARobotPlacesTheSameRobotAndOwnKeysGoOver) {
  const Scene s = sceneOf(R"(robots:
  left: {urdf: arm7, position: [0, 0.4, 0], rpy_deg: [0, 0, -90], joints: {joint_2: 0.5}, contact: {friction: 0.3}}
  right: {mirror: {of: left, normal: y}, joints: {joint_2: 0.6, joint_4: 1}}
)");
  const RobotSpec &left = robot(s, "left"), &right = robot(s, "right");
  EXPECT_EQ(right.X_PB.p, Vec3(0, -0.4, 0));
  EXPECT_LT((right.X_PB.R.col(0) - Vec3(0, 1, 0)).norm(), kRounding) << "they face each other";
  EXPECT_EQ(right.description.links.size(), left.description.links.size());
  EXPECT_EQ(right.contact.friction, 0.3);
  const std::vector<std::pair<std::string, double>> joints = {{"joint_2", 0.6}, {"joint_4", 1}};
  EXPECT_EQ(right.jointPositions, joints);
}

TEST(Mirror, OfCopiesIsAGroupOfImages) {
  const Scene s = sceneOf(
      "bodies:\n  b: {" + kBrick +
      ", position: [1, 0, 0], replicate: {count: 2, offset: [0.5, 0.1, 0]}}\n  m: {mirror: {of: b, normal: "
      "x}}\n  m_1: {visible: false}\n");
  EXPECT_EQ(namesOf(s), "b_0 b_1 m_0 m_1");
  EXPECT_EQ(robot(s, "m_1").X_PB.p, Vec3(-1.5, 0.1, 0));
  EXPECT_FALSE(robot(s, "m_1").look.visible);
}

TEST(Mirror, TwiceIsWhatItWas) {
  const Scene s = sceneOf(
      "bodies:\n  a: {" + kBrick +
      ", position: [0.1, -0.2, 0.3], rpy_deg: [1, 2, 3]}\n  b: {mirror: {of: a, normal: z}}\n  c: {mirror: "
      "{of: b, normal: z}}\n");
  EXPECT_EQ(robot(s, "c").X_PB.p, robot(s, "a").X_PB.p);
  EXPECT_EQ(robot(s, "c").X_PB.R, robot(s, "a").X_PB.R) << "signs only: to the last bit";
}

TEST(Mirror, RefusesImagesOfNothingAndOfThemselves) {
  const auto fault = [](const std::string& mirror) {
    return faultOf("bodies:\n  box: {" + kBrick + "}\n  b: {mirror: " + mirror +
                   "}\n  c: {mirror: {of: d, normal: x}}\n  d: {mirror: {of: c, normal: x}}\n  r: {" +
                   kBrick + ", replicate: {count: 2}}\n");
  };
  expectFault(fault("{of: bax, normal: x}"),
              {"test.yaml:3, key 'bodies.b.mirror.of'", "did you mean 'box'?"});
  expectFault(fault("{of: r_1, normal: x}"), {"mirror all copies at once"});
  expectFault(fault("{of: box, normal: w}"), {"'w' is not known"});
  expectFault(fault("{of: box}"), {"'normal' is missing"});
  expectFault(fault("{of: box, plane: x}"), {"unknown key 'plane'"});
  expectFault(fault("{of: box, normal: x}"), {"image of itself"});
  expectFault(fault("5"), {"block of 'key: value' lines"});
  expectFault(faultOf("bodies:\n  a: {path: p, shapes: [{shape: sphere, radius: 1}]}\n  b: {mirror: {of: a, "
                      "normal: x}}\n"),
              {"test.yaml:3", "follows a path", "path: …"});
  std::string chain = "bodies:\n  b0: {" + kBrick + "}\n";
  for (int i = 2000; i > 0; --i)
    chain += "  b" + std::to_string(i) + ": {mirror: {of: b" + std::to_string(i - 1) + ", normal: x}}\n";
  expectFault(faultOf(chain), {"more than 16 times"});
}

TEST(Frames, PlaceThingsInTheWorldAndOnLinks) {
  const Scene s = sceneOf(R"(materials: {gel: {model: hencky, E: 1e5, nu: 0.3, density: 500}}
frames:
  corner: {attach_to: table, position: [0.1, 0, 0]}
  table: {position: [1, 2, 0.8], rpy_deg: [0, 0, 90]}
  tip: {attach_to: arm.rod, position: [0, 0, -0.5]}
bodies:
  box: {base: free, mass: 1, in: corner, position: [0, 0.2, 0.3], rpy_deg: [0, 0, 10], shapes: [{shape: sphere, radius: 0.1}]}
  pen: {in: tip, position: [0, 0, -0.1], shapes: [{shape: sphere, radius: 0.1}]}
  cap: {attach_to: tip, position: [0, 0, -0.1], shapes: [{shape: sphere, radius: 0.1}]}
  post: {attach_to: corner, shapes: [{shape: sphere, radius: 0.1}]}
deformables: {lump: {material: gel, shape: sphere, radius: 0.1, in: table, position: [1, 0, 0]}}
boundaries: {wall: {kind: slip, shape: plane, in: table}}
paths: {way: {in: table, keys: [{t: 0}, {t: 1, position: [1, 0, 0], rpy_deg: [0, 0, 90]}]}}
robots: {arm: {urdf: pendulum, in: table}}
welds: {w: {link_a: box, link_b: tip, pose_b: {position: [0, 0, 1]}}}
cameras: {eye: {body: tip, position: [1, 0, 0]}, still: {body: table, position: [0, 0, 1]}}
)");
  const RobotSpec& box = robot(s, "box");
  EXPECT_LT((box.X_PB.p - Vec3(1 - 0.2, 2 + 0.1, 0.8 + 0.3)).norm(), kRounding);
  EXPECT_NEAR(std::atan2(box.X_PB.R(1, 0), box.X_PB.R(0, 0)), 100 * std::numbers::pi / 180, kRounding);
  for (const char* name : {"pen", "cap"}) {
    EXPECT_EQ(robot(s, name).attachTo, "arm.rod");
    EXPECT_LT((robot(s, name).X_PB.p - Vec3(0, 0, -0.6)).norm(), kRounding);
  }
  EXPECT_EQ(robot(s, "post").attachTo, "world");
  EXPECT_LT((robot(s, "post").X_PB.p - Vec3(1, 2.1, 0.8)).norm(), kRounding);
  EXPECT_LT((s.deformables[0].X_WD.p - Vec3(1, 3, 0.8)).norm(), kRounding);
  EXPECT_EQ(s.boundaries[0].X_WS.p, Vec3(1, 2, 0.8));
  EXPECT_LT((s.paths[0].keys[1].p - Vec3(1, 3, 0.8)).norm(), kRounding);
  EXPECT_LT((s.paths[0].keys[1].R * Vec3::UnitX() - Vec3(-1, 0, 0)).norm(), kRounding);
  EXPECT_EQ(robot(s, "arm").X_PB.p, Vec3(1, 2, 0.8));
  EXPECT_EQ(s.loops[0].linkB, "arm.rod");
  EXPECT_LT((s.loops[0].X_LbB.p - Vec3(0, 0, 0.5)).norm(), kRounding);
  EXPECT_EQ(s.cameras[0].body, "arm.rod");
  EXPECT_LT((s.cameras[0].position - Vec3(1, 0, -0.5)).norm(), kRounding);
  EXPECT_LT((s.cameras[0].target - Vec3(0, 0, -0.5)).norm(), kRounding);
  EXPECT_EQ(s.cameras[1].body, "") << "a frame of the world";
  EXPECT_LT((s.cameras[1].position - Vec3(1, 2, 1.8)).norm(), kRounding);
  EXPECT_TRUE(compile(s));
}

TEST(Frames, AnAssignmentMovesAllThatStandsInOne) {
  const std::string text =
      "frames: {f: {position: [0, 0, 1]}}\nbodies: {a: {in: f, shapes: [{shape: plane}]}, b: {in: f, shapes: "
      "[{shape: plane}]}}\n";
  const Scene s = sceneOf(text, {"frames.f.position.z=3"});
  EXPECT_EQ(robot(s, "a").X_PB.p.z(), 3);
  EXPECT_EQ(robot(s, "b").X_PB.p.z(), 3);
}

TEST(Frames, FaultsNameTheLine) {
  const auto fault = [](const std::string& frames, const std::string& place) {
    return faultOf("frames:\n" + frames + "bodies:\n  box: {" + place + kBrick + "}\n");
  };
  expectFault(fault("  shelf: {}\n", "in: shalf, "),
              {"test.yaml:4, key 'bodies.box.in'", "did you mean 'shelf'?"});
  expectFault(fault("  a: {attach_to: b}\n  b: {attach_to: c}\n  c: {attach_to: b}\n", ""),
              {"attached to itself"});
  expectFault(fault("  a: {attach_to: a}\n", ""), {"test.yaml:2", "attached to itself"});
  expectFault(fault("  box: {}\n", ""), {"test.yaml:2", "something else is called 'box'"});
  expectFault(fault("  tip: {attach_to: arm.rod}\n", "in: tip, "), {"moves with 'arm.rod'", "free base"});
  expectFault(faultOf("frames: {f: {}}\nbodies: {a: {in: f, attach_to: world, shapes: [{shape: plane}]}}\n"),
              {"'in' and 'attach_to' both"});
  expectFault(faultOf("bodies: {a: {in: f, shapes: [{shape: plane}]}}\n"), {"no frame 'f'", "frames:"});
  expectFault(faultOf("frames: {f: {positoin: [0, 0, 1]}}\n"), {"unknown key 'positoin'"});
}

TEST(Overrides, AnAliasedValueChangesInOnePlaceOnly) {
  const std::string text = "bodies:\n  a: &a {contact: &c {friction: 0.5}, " + kBrick +
                           ", position: &p [1, 2, 3]}\n  b: *a\n  d: {<<: *a, position: *p}\n";
  const Scene s = sceneOf(
      text, {"bodies.b.contact.friction=0.25", "bodies.d.position.x=7", "bodies.a.shapes.all.size.x=0.3"});
  EXPECT_EQ(robot(s, "a").contact.friction, 0.5);
  EXPECT_EQ(robot(s, "b").contact.friction, 0.25);
  EXPECT_EQ(robot(s, "d").contact.friction, 0.5);
  EXPECT_EQ(robot(s, "a").X_PB.p.x(), 1);
  EXPECT_EQ(robot(s, "b").X_PB.p.x(), 1);
  EXPECT_EQ(robot(s, "d").X_PB.p.x(), 7);
  const auto widthOf = [&](const char* name) {
    return 2 * std::get<shape::Box>(robot(s, name).description.links[0].collisions[0].shape).halfExtents.x();
  };
  EXPECT_EQ(widthOf("a"), 0.3);
  EXPECT_EQ(widthOf("b"), 0.1);
}

}  // namespace
}  // namespace slipstick
