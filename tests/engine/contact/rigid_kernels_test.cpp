// The rigid solver's loops on every instruction set that this machine has: the same bits, beside the potentials
// one by one and beside dense algebra.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cstdlib>

#include "engine/contact/block_cholesky.h"
#include "engine/contact/rigid_kernel_choice.h"
#include "engine/contact/rigid_potentials.h"
#include "engine/multibody/spatial.h"
#include "tests/support/random_tree.h"

namespace slipstick::contact {
namespace {

using multibody::testing::Random;
using multibody::testing::randomVec3;
using multibody::testing::randomVecX;

/// Of every instruction set that this machine has, the base first.
std::vector<const RigidKernels*> allKernels() {
  std::vector<const RigidKernels*> all;
  for (const char* name : {"base", "avx2", "avx512"}) {
    setenv("SLIPSTICK_ISA", name, 1);
    if (all.empty() || all.back() != &chooseRigidKernels()) all.push_back(&chooseRigidKernels());
  }
  unsetenv("SLIPSTICK_ISA");
  return all;
}

/// Two pairs with two packs and one pack of points in every lane.
struct SomePoints {
  std::vector<double> packs = std::vector<double>(3 * kPointPackDoubles);
  std::vector<double> results = std::vector<double>(3 * kResultPackDoubles);
  std::vector<PackRange> ranges = {{0, 2}, {2, 3}};
  std::vector<int> pairs = {0, 1};
  std::vector<double> V, dV;

  explicit SomePoints(Random& random, bool sap) {
    for (int p = 0; p < 3; ++p)
      for (int lane = 0; lane < kPointLanes; ++lane) {
        const auto set = [&](int field, double x) { packs[index(p, field, lane)] = x; };
        const Vec3 r = 0.1 * randomVec3(random), n = randomVec3(random).normalized();
        for (int c = 0; c < 3; ++c) set(PointField::R + c, r[c]), set(PointField::Normal + c, n[c]);
        set(PointField::Friction, 0.5);
        if (sap) {
          set(PointField::Rt, 1e-3), set(PointField::Rn, 1e-2), set(PointField::VHat, 0.3);
        } else {
          set(PointField::Force, 20), set(PointField::Stiffness, 1e4), set(PointField::Dissipation, 2);
          set(PointField::FrictionBound, 0.1), set(PointField::Epsilon, 1e-3), set(PointField::Step, 0.01);
        }
      }
    for (std::vector<double>* list : {&V, &dV}) {
      const VecX x = randomVecX(random, 12);
      list->assign(x.begin(), x.end());
    }
  }
  static std::size_t index(int pack, int field, int lane) {
    return static_cast<std::size_t>(pack * kPointPackDoubles + field * kPointLanes + lane);
  }
  double get(int pack, int field, int lane) const { return packs[index(pack, field, lane)]; }
  Vec3 vector(int pack, int field, int lane) const {
    return {get(pack, field, lane), get(pack, field + 1, lane), get(pack, field + 2, lane)};
  }
  PointArgs args() {
    return {packs.data(), ranges.data(), pairs.data(), 2, V.data(), dV.data(), results.data()};
  }

  RigidPotential<double> potential(int pack, int lane, const Vec3& u, ContactPotentialName name) const {
    const auto f = [&](int field) { return get(pack, field, lane); };
    const Vec3 n = vector(pack, PointField::Normal, lane);
    const V3<double> normal{n.x(), n.y(), n.z()}, velocity{u.x(), u.y(), u.z()};
    if (name == ContactPotentialName::Sap)
      return sapPotential(velocity, SapContact<double>{normal, f(PointField::Friction), f(PointField::Rt),
                                                       f(PointField::Rn), f(PointField::VHat)});
    const LaggedContact<double> law = {normal,
                                       f(PointField::Force),
                                       f(PointField::Stiffness),
                                       f(PointField::Dissipation),
                                       f(PointField::FrictionBound),
                                       f(PointField::Epsilon),
                                       f(PointField::Step)};
    return name == ContactPotentialName::Similar ? similarPotential(velocity, law, f(PointField::Friction))
                                                 : laggedRigidPotential(velocity, law);
  }
};

const PointLoops& loopsOf(const RigidKernels& kernels, ContactPotentialName name) {
  if (name == ContactPotentialName::Sap) return kernels.sap;
  return name == ContactPotentialName::Similar ? kernels.similar : kernels.lagged;
}

struct PointResults {
  std::vector<double> numbers;  ///< wrenches, K, cost, slope, curvature, then those of the points
  bool operator==(const PointResults&) const = default;
};

PointResults resultsOf(const RigidKernels& kernels, ContactPotentialName name, SomePoints points) {
  PointResults results;
  results.numbers.assign(12 + 72 + 3, 0);
  double* out = results.numbers.data();
  const PointLoops& loops = loopsOf(kernels, name);
  loops.impulses(points.args(), out);
  loops.hessians(points.args(), out + 12);
  out[84] = loops.cost(points.args());
  loops.slope(points.args(), 0.3, out + 85, out + 86);
  results.numbers.insert(results.numbers.end(), points.results.begin(), points.results.end());
  return results;
}

class RigidKernelsOf : public ::testing::TestWithParam<ContactPotentialName> {};

TEST_P(RigidKernelsOf, GiveTheSameBitsOnEveryInstructionSet) {
  Random random(4);
  const SomePoints points(random, GetParam() == ContactPotentialName::Sap);
  const PointResults base = resultsOf(kBaseRigidKernels, GetParam(), points);
  for (const RigidKernels* kernels : allKernels())
    EXPECT_EQ(resultsOf(*kernels, GetParam(), points), base) << kernels->instructionSet;
}

TEST_P(RigidKernelsOf, SumThePotentialsOfTheirPoints) {
  Random random(5);
  const SomePoints points(random, GetParam() == ContactPotentialName::Sap);
  const PointResults found = resultsOf(kBaseRigidKernels, GetParam(), points);
  VecX expected = VecX::Zero(12 + 72 + 3);
  for (int pair = 0; pair < 2; ++pair) {
    const Eigen::Map<const multibody::Vec6> V(points.V.data() + 6 * pair), dV(points.dV.data() + 6 * pair);
    multibody::Mat6 K = multibody::Mat6::Zero();
    const PackRange range = points.ranges[static_cast<std::size_t>(pair)];
    for (int pack = range.begin; pack < range.end; ++pack)
      for (int lane = 0; lane < kPointLanes; ++lane) {
        const Vec3 r = points.vector(pack, PointField::R, lane);
        const Vec3 n = points.vector(pack, PointField::Normal, lane);
        Eigen::Matrix<double, 3, 6> S;
        S << -skew(r), Mat3::Identity();
        const auto gammaOf = [](const RigidPotential<double>& p) {
          return Vec3(p.gamma.x, p.gamma.y, p.gamma.z);
        };
        const auto hessianOf = [&](const RigidPotential<double>& p) {
          const M3<double> G = hessian(p, V3<double>{n.x(), n.y(), n.z()});
          return Mat3(Eigen::Map<const Mat3>(G.a));  // symmetric
        };
        const RigidPotential<double> here = points.potential(pack, lane, S * V, GetParam());
        const RigidPotential<double> there = points.potential(pack, lane, S * (V + 0.3 * dV), GetParam());
        expected.segment<6>(6 * pair) += S.transpose() * gammaOf(here);
        K += S.transpose() * hessianOf(here) * S;
        expected[84] += here.value;
        const Vec3 du = S * dV;
        expected[85] -= gammaOf(there).dot(du);
        expected[86] += du.dot(hessianOf(there) * du);
      }
    Eigen::Map<multibody::Mat6>(expected.data() + 12 + 36 * pair) = K;
  }
  for (Eigen::Index i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found.numbers[static_cast<std::size_t>(i)], expected[i],
                1e-11 * (1 + expected.cwiseAbs().maxCoeff()))
        << i;
}

INSTANTIATE_TEST_SUITE_P(Potentials, RigidKernelsOf,
                         ::testing::Values(ContactPotentialName::Lagged, ContactPotentialName::Similar,
                                           ContactPotentialName::Sap));

/// A pile: every body touches some of those before it, so that the factor has dense parts.
TEST(RigidKernels, FactorizeAPileLikeADenseFactorisationOnEveryInstructionSet) {
  Random random(6);
  constexpr int kBodies = 40;
  std::vector<int> sizes, start;
  std::vector<std::pair<int, int>> pairs;
  int n = 0;
  for (int i = 0; i < kBodies; ++i) {
    sizes.push_back(i % 7 == 3 ? 5 : 6);
    start.push_back(n);
    n += sizes.back();
    for (int step : {1, 6, 7})
      if (i >= step) pairs.emplace_back(i - step, i);
  }
  MatX H = 40 * MatX::Identity(n, n);
  const VecX b = randomVecX(random, n);
  for (const auto& [i, j] : pairs)
    for (int c = 0; c < sizes[static_cast<std::size_t>(j)]; ++c) {
      const int column = start[static_cast<std::size_t>(j)] + c, row = start[static_cast<std::size_t>(i)];
      const VecX x = randomVecX(random, sizes[static_cast<std::size_t>(i)]);
      H.block(row, column, x.size(), 1) = x;
      H.block(column, row, 1, x.size()) = x.transpose();
    }
  const VecX expected = H.llt().solve(b);
  VecX base;
  for (const RigidKernels* kernels : allKernels()) {
    BlockCholesky cholesky(kernels->panels);
    cholesky.analyze(sizes, pairs);
    cholesky.setZero();
    const auto fill = [&](BlockCholesky::Block block, int i, int j) {
      if (block.transposed) std::swap(i, j);
      const auto rowCount = sizes[static_cast<std::size_t>(i)], columns = sizes[static_cast<std::size_t>(j)];
      for (int c = 0; c < columns; ++c)
        for (int r = 0; r < rowCount; ++r)
          block.data[c * block.stride + r] =
              H(start[static_cast<std::size_t>(i)] + r, start[static_cast<std::size_t>(j)] + c);
    };
    for (int i = 0; i < kBodies; ++i) fill(cholesky.diagonal(i), i, i);
    for (const auto& [i, j] : pairs) fill(cholesky.offDiagonal(i, j), i, j);
    ASSERT_TRUE(cholesky.factorize());
    VecX x = b;
    cholesky.solveInPlace(x.data());
    EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm()) << kernels->instructionSet;
    if (base.size() == 0) base = x;
    EXPECT_TRUE(x == base) << kernels->instructionSet;
  }
}

TEST(RigidKernels, MoveAHessianAsVelocitiesMove) {
  Random random(7);
  const MatX B = MatX::NullaryExpr(6, 6, [&] { return randomVecX(random, 1)[0]; });
  const multibody::Mat6 K = B * B.transpose();
  const Vec3 a = randomVec3(random), b = randomVec3(random);
  const auto X = [](const Vec3& r) {
    multibody::Mat6 matrix = multibody::Mat6::Identity();
    for (int c = 0; c < 6; ++c) matrix.col(c) = multibody::moveMotion(multibody::Vec6::Unit(c), r);
    return matrix;
  };
  const multibody::Mat6 expected = X(a).transpose() * K * X(b);
  for (const RigidKernels* kernels : allKernels()) {
    multibody::Mat6 moved;
    kernels->panels.move(K.data(), a.data(), b.data(), moved.data());
    EXPECT_LT((moved - expected).norm(), 1e-13 * expected.norm()) << kernels->instructionSet;
  }
}

}  // namespace
}  // namespace slipstick::contact
