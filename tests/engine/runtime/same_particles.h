// Whether two snapshots show the same particles, bit for bit.
#pragma once

#include <gtest/gtest.h>

#include "engine/model/snapshot.h"

namespace slipstick::testing {

inline void expectSameParticles(const Snapshot& a, const Snapshot& b) {
  EXPECT_EQ(a.particles, b.particles);
  EXPECT_EQ(a.speed, b.speed);
  EXPECT_EQ(a.stress, b.stress);
  EXPECT_EQ(a.pressure, b.pressure);
  EXPECT_EQ(a.plasticStrain, b.plasticStrain);
}

}  // namespace slipstick::testing
