#include "engine/mpm/transfer_bytes.h"

#include <gtest/gtest.h>

#include "engine/model/cloth.h"
#include "tests/engine/mpm/reference_scene.h"

using namespace slipstick;
using namespace slipstick::mpm;

TEST(TransferBytes, CountEachFieldOnceWhereASweepReadsItAndOnceWhereItWritesIt) {
  const auto solid = slipstick::testing::cubeModel(2, MaterialModel::NeoHookean);
  // x 2·3, v 3, C 9, τ 6, m, V⁰; x 6, F 9, plastic state 3; and written: x 6, v 3, F 9, C 9, τ 6, plastic state 3.
  EXPECT_EQ(transferBytes(*solid, 0), 8 * 4 * (26 + 18 + 36));
  EXPECT_EQ(transferBytes(*solid, 10) - transferBytes(*solid, 0), 10 * 16 * 6)
      << "16 bytes a node, six times";
  EXPECT_EQ(particleBytes(*solid), 8u * 38 * 4);

  solid->deformables[0].discretization = std::make_shared<ClothMesh>();
  // x 6, v 3, C 9, m, force 3, couple 3, director 3; x 6, director 3; and written: x 6, v 3, C 9, director 3.
  EXPECT_EQ(transferBytes(*solid, 0), 8 * 4 * (28 + 9 + 21));
}
