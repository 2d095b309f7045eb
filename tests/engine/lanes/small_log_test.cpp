#include "engine/lanes/small_log.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace slipstick::lanes {
namespace {

/// Eight operations, each off by half a unit in its last place.
constexpr double kRounding = 4 * std::numeric_limits<float>::epsilon();

/// f of many small x, of both signs and all sizes, to the rounding of its value.
template <class F, class Exact>
void expectAccurate(const F& f, const Exact& exact) {
  for (float size = kSmallLog; size > 1e-12f; size *= 0.93f)
    for (const float x : {size, -size}) {
      const double value = exact(static_cast<double>(x));
      EXPECT_NEAR(static_cast<double>(f(x)), value, kRounding * std::abs(value)) << x;
    }
  EXPECT_EQ(f(0.0f), 0.0f);
}

TEST(SmallLog, LogOfOnePlusKeepsAllDigits) {
  expectAccurate([](float x) { return logOnePlus(x); }, [](double x) { return std::log1p(x); });
}

TEST(SmallLog, ExponentialMinusOneKeepsAllDigits) {
  expectAccurate([](float x) { return expMinusOne(x); }, [](double x) { return std::expm1(x); });
}

}  // namespace
}  // namespace slipstick::lanes
