// Value, gradient and Hessian of a rigid step's objective against each other, by differences.
#include "engine/contact/sap_objective.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "engine/contact/rigid_kernel_choice.h"
#include "engine/contact/sap_hessian.h"
#include "engine/contact/sap_islands.h"
#include "tests/engine/contact/random_problem.h"

namespace slipstick::contact {
namespace {

using testing::Random;
using testing::RandomProblem;
using testing::randomVecX;

/// A random problem, its islands and a velocity.
struct Asked {
  Asked(unsigned seed, ContactPotentialName potential) : random(seed), noise(seed + 100) {
    problem().potential = potential;
    count = islands.find(problem());
    objective.reset(problem());
    v = problem().vStar + randomVec();
  }
  SapProblem& problem() { return random.problem; }
  VecX randomVec() { return randomVecX(noise, static_cast<int>(problem().vStar.size())); }
  VecX gradientAt(const SapIsland& island, const VecX& x) {
    objective.evaluate(problem(), island, x, point);
    return point.gradient;
  }
  /// What an island has of a vector, zero elsewhere.
  VecX only(const SapIsland& island, const VecX& x) {
    VecX part = VecX::Zero(x.size());
    for (const int t : island.trees) {
      const SapTree& tree = problem().trees[static_cast<std::size_t>(t)];
      part.segment(tree.start, tree.size) = x.segment(tree.start, tree.size);
    }
    return part;
  }

  RandomProblem random;
  Random noise;
  SapIslands islands;
  int count = 0;
  SapObjective objective{chooseRigidKernels()};
  SapPoint point;
  VecX v;
};

class SapObjectiveOf : public ::testing::TestWithParam<ContactPotentialName> {
 protected:
  /// check(asked, island, index) for every island of some problems.
  template <class Check>
  void forIslands(const Check& check) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
      SCOPED_TRACE(seed);
      Asked asked(seed, GetParam());
      for (int i = 0; i < asked.count; ++i) check(asked, asked.islands.island(i), i);
    }
  }
};

/// Half the width of differences: the error of a smooth function's is its square, and rounding by it.
constexpr double kWidth = 1e-6;

TEST_P(SapObjectiveOf, GradientIsTheSlopeOfTheValue) {
  forIslands([](Asked& asked, const SapIsland& island, int) {
    const VecX gradient = asked.only(island, asked.gradientAt(island, asked.v));
    for (int k = 0; k < 5; ++k) {
      const VecX d = asked.only(island, asked.randomVec());
      const double before = asked.objective.value(asked.problem(), island, asked.v - kWidth * d);
      const double after = asked.objective.value(asked.problem(), island, asked.v + kWidth * d);
      EXPECT_NEAR((after - before) / (2 * kWidth), gradient.dot(d), 1e-5 * (1 + gradient.norm()));
    }
  });
}

TEST_P(SapObjectiveOf, HessianIsTheSlopeOfTheGradient) {
  SapHessian hessian(chooseRigidKernels());
  forIslands([&](Asked& asked, const SapIsland& island, int index) {
    asked.objective.evaluate(asked.problem(), island, asked.v, asked.point);
    hessian.reset(asked.problem());
    hessian.analyze(asked.problem(), island, index);
    ASSERT_TRUE(hessian.factorize(asked.problem(), island, index, asked.objective, asked.point));
    for (int k = 0; k < 5; ++k) {
      const VecX d = asked.only(island, asked.randomVec());
      VecX found =
          (asked.gradientAt(island, asked.v + kWidth * d) - asked.gradientAt(island, asked.v - kWidth * d)) /
          (2 * kWidth);
      hessian.solveInPlace(asked.problem(), island, index, found);
      EXPECT_LT((asked.only(island, found) - d).norm(), 1e-3 * d.norm());
    }
  });
}

TEST_P(SapObjectiveOf, SlopesAlongARayAreThoseOfValueAndGradient) {
  forIslands([](Asked& asked, const SapIsland& island, int) {
    const VecX d = asked.only(island, asked.randomVec());
    SapPoint start;
    SapRay ray;
    asked.objective.evaluate(asked.problem(), island, asked.v, start);
    asked.objective.prepare(asked.problem(), island, d, ray);
    for (const double alpha : {-0.3, 0.0, 0.7}) {
      const auto slopeAt = [&](double a) {
        return asked.objective.slope(asked.problem(), island, start, ray, a);
      };
      const VecX gradient = asked.only(island, asked.gradientAt(island, asked.v + alpha * d));
      EXPECT_NEAR(slopeAt(alpha).first, gradient.dot(d), 1e-9 * (1 + gradient.norm()));
      const double change = slopeAt(alpha + kWidth).first - slopeAt(alpha - kWidth).first;
      EXPECT_NEAR(slopeAt(alpha).second, change / (2 * kWidth), 1e-3 * (1 + slopeAt(alpha).second));
    }
  });
}

TEST_P(SapObjectiveOf, AnswersTheSameWhateverWasAskedBefore) {
  forIslands([](Asked& asked, const SapIsland& island, int) {
    const VecX gradient = asked.only(island, asked.gradientAt(island, asked.v));
    const double value = asked.objective.value(asked.problem(), island, asked.v);
    EXPECT_EQ(asked.objective.value(asked.problem(), island, asked.point), value);
    SapPoint other;
    asked.objective.evaluate(asked.problem(), island, asked.problem().vStar, other);
    EXPECT_NE(asked.objective.value(asked.problem(), island, other), value);
    EXPECT_EQ(asked.objective.value(asked.problem(), island, asked.point), value);
    EXPECT_EQ(asked.only(island, asked.gradientAt(island, asked.v)), gradient);
  });
}

TEST_P(SapObjectiveOf, LeavesTheProblemAloneUntilItIsAskedToWrite) {
  Asked asked(3, GetParam());
  SapProblem& problem = asked.problem();
  for (int i = 0; i < asked.count; ++i) {
    const SapIsland& island = asked.islands.island(i);
    asked.objective.evaluate(problem, island, asked.v, asked.point);
    for (const ContactPointLaw& point : problem.points) EXPECT_EQ(point.velocity.norm(), 0);
    for (const ScalarConstraint& c : problem.scalars) EXPECT_EQ(c.gamma, 0);
  }
  for (int i = 0; i < asked.count; ++i)
    asked.objective.writeImpulses(problem, asked.islands.island(i), asked.point);
  for (const ContactPointLaw& point : problem.points) EXPECT_NE(point.velocity.norm(), 0);
}

std::string nameOf(const ::testing::TestParamInfo<ContactPotentialName>& tested) {
  constexpr std::array<const char*, 3> kNames = {"Lagged", "Similar", "Sap"};
  return kNames[static_cast<std::size_t>(tested.param)];
}

INSTANTIATE_TEST_SUITE_P(Potentials, SapObjectiveOf,
                         ::testing::Values(ContactPotentialName::Lagged, ContactPotentialName::Similar,
                                           ContactPotentialName::Sap),
                         nameOf);

}  // namespace
}  // namespace slipstick::contact
