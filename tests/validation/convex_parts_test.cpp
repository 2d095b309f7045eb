// A peg that falls into a channel: with convex parts it rests in patches of pressure, as on any compliant body.
#include <algorithm>
#include <cmath>
#include <fstream>

#include "tests/support/prism.h"
#include "tests/validation/scene_run.h"
#include "tests/validation/scene_text.h"

namespace slipstick {
namespace {

constexpr double kMass = 0.1, kWeight = kMass * 9.81;
constexpr double kFloor = 0.02, kRim = 0.06, kHalf = 0.015;  // [m]

/// The slot is 2 cm wide, the peg 1.6 cm.
Scene channel(const std::string& keys, const std::string& ofPeg = "compliant") {
  // Of each test its own: they run side by side.
  const std::string file = ::testing::TempDir() + "slipstick_channel_" +
                           ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".obj";
  std::ofstream(file) << testing::objOf(testing::prism(testing::channelProfile(), 3));
  return testing::sceneOf(
      "time: {dt_ms: 5, duration_s: 1}\n"
      "bodies:\n"
      "  cup: {shapes: [{name: u, shape: mesh, file: '" +
      file + "', scale: 0.02" + keys +
      "}], contact: {rigid: {modulus: 1.0e7}}}\n"
      "  peg: {base: free, mass: 0.1, position: [0.03, 0.03, 0.085], contact: {rigid: {representation: " +
      ofPeg + "}},\n    shapes: [{name: p, shape: box, size: [0.016, 0.03, 0.03]}]}\n");
}

struct Rest {
  double height = 0;     ///< of the peg's lower side [m]
  double force = 0;      ///< on the peg, upwards [N]
  double tilt = 0;       ///< sine
  bool patches = false;  ///< all contacts are of surfaces under pressure
};

Rest restOf(const Scene& scene) {
  testing::SceneRun run(scene);
  Rest rest;
  if (!run.ok()) return rest;
  run.runTo(1.5);
  const Snapshot& s = run.snapshot();
  const auto peg = static_cast<std::size_t>(run.model().findBody("peg"));
  rest.height = s.X_WB[peg].p.z() - kHalf;
  rest.tilt = std::hypot(s.X_WB[peg].R(0, 2), s.X_WB[peg].R(1, 2));
  rest.force = s.contactWrench[peg].force.z();
  rest.patches = !s.contacts.empty() && std::all_of(s.contacts.begin(), s.contacts.end(),
                                                    [](const Contact& c) { return c.patch >= 0; });
  return rest;
}

TEST(ConvexPartsOfAChannel, APegFallsBetweenTheWallsAndRestsOnTheFloor) {
  const Rest rest = restOf(channel(", convex_parts: 12"));
  EXPECT_NEAR(rest.height, kFloor, 1e-4);
  EXPECT_LT(rest.height, kFloor);
  EXPECT_NEAR(rest.force, kWeight, 1e-3 * kWeight);
  EXPECT_LT(rest.tilt, 1e-3);
  EXPECT_TRUE(rest.patches);
}

/// The mesh itself has no pressure field: with a peg that has none either there are points.
TEST(ConvexPartsOfAChannel, AHardPegTouchesThePartsInPatchesAndTheMeshInPoints) {
  const Rest parts = restOf(channel(", convex_parts: 12", "rigid")), mesh = restOf(channel("", "rigid"));
  EXPECT_NEAR(parts.height, kFloor, 1e-4);
  EXPECT_NEAR(mesh.height, kFloor, 1e-4);
  EXPECT_NEAR(parts.force, kWeight, 1e-3 * kWeight);
  EXPECT_TRUE(parts.patches);
  EXPECT_FALSE(mesh.patches);
}

TEST(ConvexPartsOfAChannel, OnePartIsTheHullAndKeepsThePegOut) {
  const Rest rest = restOf(channel(", convex_parts: 1"));
  EXPECT_NEAR(rest.height, kRim, 1e-4);
  EXPECT_NEAR(rest.force, kWeight, 1e-3 * kWeight);
}

}  // namespace
}  // namespace slipstick
