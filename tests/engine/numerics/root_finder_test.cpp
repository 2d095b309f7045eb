// Zeros that are known, of functions that Newton's method alone does not find them of.
#include "engine/numerics/root_finder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace slipstick::numerics {
namespace {

using Function = std::function<Slope(double)>;

/// f, which increases, its derivative and its zero.
struct Known {
  const char* name;
  Function at;
  double zero;
};

/// The slope of what a ray crosses: pieces of different steepness that meet in a kink, as those of contacts do.
Slope kinked(double x, double kink, double before, double after) {
  return x < kink ? Slope{before * (x - kink) - 1, before} : Slope{after * (x - kink) - 1, after};
}

/// All negative at 0.
const std::vector<Known>& knownZeros() {
  static const std::vector<Known> known = {
      {"a straight line, where Newton's first step ends",
       [](double x) {
         return Slope{3 * x - 6, 3};
       },
       2},
      {"the same far out",
       [](double x) {
         return Slope{1e-6 * x - 1, 1e-6};
       },
       1e6},
      {"the same close to the start",
       [](double x) {
         return Slope{1e9 * x - 1, 1e9};
       },
       1e-9},
      {"steep at the end",
       [](double x) {
         return Slope{std::exp(20 * x) - std::exp(15.0), 20 * std::exp(20 * x)};
       },
       0.75},
      {"steep at the start",
       [](double x) {
         return Slope{std::cbrt(x) - 0.5, std::cbrt(x) / (3 * x)};
       },
       0.125},
      {"flat on both sides: Newton leaves it for good",
       [](double x) {
         return Slope{std::atan(50 * (x - 0.3)), 50 / (1 + 2500 * (x - 0.3) * (x - 0.3))};
       },
       0.3},
      {"flat where the zero is",
       [](double x) {
         return Slope{std::pow(x - 0.4, 3), 3 * std::pow(x - 0.4, 2)};
       },
       0.4},
      {"without curvature before a wall", [](double x) { return kinked(x, 0.9, 0, 1e5); }, 0.9 + 1e-5},
      {"a wall, then nearly flat", [](double x) { return kinked(x, 0.2, 1e6, 2); }, 0.7},
      {"a step through zero",
       [](double x) {
         return Slope{x < 0.6 ? -1.0 : 1.0, 0};
       },
       0.6},
  };
  return known;
}

TEST(RootFinder, FindsTheZerosOfSteepFlatAndKinkedFunctions) {
  for (const Known& f : knownZeros()) {
    SCOPED_TRACE(f.name);
    const double high = 3 * f.zero;
    const Root root = findRoot(f.at, {0, high}, 0.1 * high, {1e-12, kClosed * high, 200});
    EXPECT_TRUE(root.found);
    EXPECT_EQ(root.value, f.at(root.x).first);
    const bool small = std::abs(root.value) <= 1e-12;
    const bool between =
        f.at(std::nextafter(root.x, 0)).first <= 0 || f.at(std::nextafter(root.x, high)).first >= 0;
    EXPECT_TRUE(small || between);
    // The cube is small in a wide range.
    EXPECT_NEAR(root.x, f.zero, f.zero == 0.4 ? 1e-4 : 1e-12 * (1 + f.zero));
    EXPECT_LE(root.bracket.low, root.x);
    EXPECT_GE(root.bracket.high, root.x);
  }
}

TEST(RootFinder, AsksNoMoreThanItsToleranceNeeds) {
  int asked = 0;
  const auto cubeRoot = [&](double x) {
    ++asked;
    return Slope{x * x * x - 2, 3 * x * x};
  };
  int before = 0;
  for (const double tolerance : {1e-1, 1e-4, 1e-8, 1e-14}) {
    asked = 0;
    const Root root = findRoot(cubeRoot, {0, 8}, 8, {tolerance, 0, 100});
    EXPECT_TRUE(root.found);
    EXPECT_LE(std::abs(root.value), tolerance);
    EXPECT_GE(asked, before);
    before = asked;
  }
  EXPECT_LT(before, 12) << "it converges quadratically at the end";
}

TEST(RootFinder, TakesABracketOfTheGivenWidthForAPoint) {
  for (const double width : {1e-2, 1e-6, 1e-12}) {
    const auto step = [](double x) { return Slope{x < 0.6 ? -1.0 : 1.0, 0}; };
    const Root root = findRoot(step, {0, 1}, 0.5, {1e-12, width, 200});
    EXPECT_TRUE(root.found);
    EXPECT_EQ(std::abs(root.value), 1);
    EXPECT_NEAR(root.x, 0.6, width);
    EXPECT_GT(std::abs(root.x - 0.6), 0.01 * width) << "it stops there";
  }
}

TEST(RootFinder, SaysThatItsStepsAreUsedUp) {
  const auto far = [](double x) {
    return Slope{std::atan(50 * (x - 0.3)), 50 / (1 + 2500 * (x - 0.3) * (x - 0.3))};
  };
  EXPECT_TRUE(findRoot(far, {0, 10}, 9, {1e-9, 0, 100}).found);
  const Root root = findRoot(far, {0, 10}, 9, {1e-9, 0, 2});
  EXPECT_FALSE(root.found);
  EXPECT_LT(root.bracket.low, 0.3);
  EXPECT_GT(root.bracket.high, 0.3);
  EXPECT_LT(root.bracket.high, 9) << "what is known of the zero is kept";
}

TEST(RootFinder, SaysThatNothingIsAZeroOfWhatIsNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(findRoot([&](double) { return Slope{nan, nan}; }, {0, 1}, 0.5, {1e-9, kClosed, 200}).found);
  // Where it is none far out only, the search draws back from there.
  const auto half = [&](double x) { return x < 0.5 ? Slope{x - 0.25, 1} : Slope{nan, nan}; };
  const Root root = findRoot(half, {0, 1}, 0.9, {1e-12, kClosed, 200});
  EXPECT_TRUE(root.found);
  EXPECT_NEAR(root.x, 0.25, 1e-12);
}

TEST(RayMinimum, IsFoundHoweverFarOutItLies) {
  for (const Known& slope : knownZeros()) {
    SCOPED_TRACE(slope.name);
    for (const double tolerance : {kRayTolerance<float>, kRayTolerance<double>}) {
      const RayMinimum minimum = minimiseAlongRay(slope.at, tolerance);
      EXPECT_TRUE(minimum.found);
      const bool small = std::abs(slope.at(minimum.alpha).first) <= tolerance * std::abs(slope.at(0).first);
      EXPECT_TRUE(small || std::abs(minimum.alpha - slope.zero) <= 2 * kClosed * slope.zero);
    }
  }
}

TEST(RayMinimum, AsksAtTheStartAndAtTheFullStepFirst) {
  std::vector<double> asked;
  const auto parabola = [&](double alpha) {
    asked.push_back(alpha);
    return Slope{alpha - 1, 1};
  };
  EXPECT_EQ(minimiseAlongRay(parabola, 1e-8).alpha, 1);
  EXPECT_EQ(asked, (std::vector<double>{0, 1}));
}

TEST(RayMinimum, GoesOutByDoublingWhereNewtonWouldLeap) {
  std::vector<double> asked;
  // Nearly no curvature before 20, a wall behind.
  const auto wall = [&](double alpha) {
    asked.push_back(alpha);
    return alpha < 20 ? Slope{-1 + 1e-9 * alpha, 1e-9} : Slope{1e3 * (alpha - 20) - 1, 1e3};
  };
  const RayMinimum minimum = minimiseAlongRay(wall, 1e-8);
  EXPECT_TRUE(minimum.found);
  EXPECT_NEAR(minimum.alpha, 20.001, 1e-6);
  EXPECT_EQ(std::vector<double>(asked.begin(), asked.begin() + 7),
            (std::vector<double>{0, 1, 2, 4, 8, 16, 32}));
}

TEST(RayMinimum, SaysWhereThereIsNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(minimiseAlongRay([](double) { return Slope{-1, 0}; }, 1e-8).found) << "it falls for ever";
  EXPECT_FALSE(minimiseAlongRay([&](double alpha) { return Slope{alpha > 0 ? nan : -1, 1}; }, 1e-8).found);
  EXPECT_FALSE(minimiseAlongRay([&](double) { return Slope{nan, nan}; }, 1e-8).found);
}

TEST(RayMinimum, IsLeftWhereItsStepsAreUsedUp) {
  int asked = 0;
  // Newton's steps go on for ever in its bracket: a slope that never comes below the tolerance, and does not end.
  const auto creeping = [&](double alpha) {
    ++asked;
    return Slope{alpha < 1e9 ? -1 - 1 / (1 + alpha) : 1.0, 1};
  };
  const RayMinimum minimum = minimiseAlongRay(creeping, 1e-8);
  EXPECT_FALSE(minimum.found);
  EXPECT_EQ(asked, 1 + kMaxRaySteps);
  EXPECT_GT(minimum.alpha, 1);
}

}  // namespace
}  // namespace slipstick::numerics
