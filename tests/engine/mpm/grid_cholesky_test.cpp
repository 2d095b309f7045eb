// The multifrontal factor against dense ones.
#include "engine/mpm/grid_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <random>
#include <vector>

namespace slipstick::mpm {
namespace {

/// Elements of a grid of nx × ny × nz nodes, some of them left out, with random positive semidefinite matrices.
struct Patchwork {
  /// @param gap  a layer along the first axis that no element crosses
  Patchwork(std::array<int, 3> size, unsigned seed, int gap = 1000) : random(seed) {
    for (int i = 0; i < size[0]; ++i)
      for (int j = 0; j < size[1]; ++j)
        for (int k = 0; k < size[2]; ++k) places.push_back({i, j, k});
    mass.resize(places.size());
    for (double& m : mass) m = 1 + 0.5 * noise(random);
    const auto at = [&](int i, int j, int k) { return (i * size[1] + j) * size[2] + k; };
    for (int i = 0; i + 2 < size[0]; ++i)
      for (int j = 0; j + 2 < size[1]; ++j)
        for (int k = 0; k + 2 < size[2]; ++k) {
          if (noise(random) < -0.5 || (i < gap && i + 2 >= gap)) continue;
          GridCholesky::ElementNodes nodes{};
          std::size_t n = 0;
          for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
              for (int c = 0; c < 3; ++c) nodes[n++] = at(i + a, j + b, k + c);
          elements.push_back(nodes);
          MatX root(81, 6);
          for (double& x : root.reshaped()) x = noise(random);
          matrices.push_back(root * root.transpose());
        }
    H = MatX::Zero(rows(), rows());
    for (std::size_t i = 0; i < mass.size(); ++i)
      H.diagonal().segment<3>(static_cast<Eigen::Index>(3 * i)).setConstant(mass[i]);
    for (std::size_t e = 0; e < elements.size(); ++e)
      for (std::size_t i = 0; i < 27; ++i)
        for (std::size_t j = 0; j < 27; ++j)
          H.block<3, 3>(3 * elements[e][i], 3 * elements[e][j]) +=
              matrices[e].block<3, 3>(static_cast<Eigen::Index>(3 * i), static_cast<Eigen::Index>(3 * j));
  }

  Eigen::Index rows() const { return static_cast<Eigen::Index>(3 * mass.size()); }
  VecX someVector() {
    VecX x(rows());
    for (double& value : x) value = noise(random);
    return x;
  }
  bool factorize(GridCholesky& cholesky, const std::vector<bool>& last) {
    cholesky.analyze(places, last, elements);
    return cholesky.factorize(mass, [&](std::size_t e, MatX& K) { K = matrices[e]; });
  }

  std::mt19937 random;
  std::uniform_real_distribution<double> noise{-1, 1};
  std::vector<GridCholesky::Place> places;
  std::vector<double> mass;
  std::vector<GridCholesky::ElementNodes> elements;
  std::vector<MatX> matrices;
  MatX H;
};

TEST(GridCholesky, SolvesAsADenseFactorDoes) {
  for (const std::array<int, 3>& size :
       {std::array{3, 3, 3}, std::array{12, 4, 5}, std::array{7, 9, 8}, std::array{4, 4, 20}}) {
    Patchwork patchwork(size, 5);
    GridCholesky cholesky;
    std::vector<bool> last(patchwork.places.size(), false);
    for (const bool some : {false, true}) {
      for (std::size_t i = 0; i < last.size(); ++i) last[i] = some && patchwork.places[i][1] < 2;
      ASSERT_TRUE(patchwork.factorize(cholesky, last));
      const VecX right = patchwork.someVector();
      VecX x = right;
      cholesky.solveInPlace(x);
      EXPECT_LT((patchwork.H * x - right).norm(), 1e-10 * right.norm()) << size[0] << ' ' << some;
      EXPECT_GT(cholesky.work(), 0);
    }
  }
}

/// What contacts need: XᵀH⁻¹X for columns that only the last nodes have entries in.
TEST(GridCholesky, LastNodesSeeTheInverseThroughTheirSchurComplement) {
  Patchwork patchwork({8, 7, 6}, 6, 4);  // two parts
  std::vector<bool> last(patchwork.places.size());
  for (std::size_t i = 0; i < last.size(); ++i) last[i] = patchwork.places[i][2] < 2 || i % 17 == 0;
  GridCholesky cholesky;
  ASSERT_TRUE(patchwork.factorize(cholesky, last));
  const auto nodes = cholesky.lastNodes();
  ASSERT_EQ(nodes.size(), static_cast<std::size_t>(std::count(last.begin(), last.end(), true)));
  MatX all = MatX::Zero(patchwork.rows(), 5), X(static_cast<Eigen::Index>(3 * nodes.size()), 5);
  for (double& x : X.reshaped()) x = patchwork.noise(patchwork.random);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    EXPECT_TRUE(last[static_cast<std::size_t>(nodes[i])]);
    all.middleRows<3>(3 * nodes[i]) = X.middleRows<3>(static_cast<Eigen::Index>(3 * i));
  }
  const MatX expected = all.transpose() * patchwork.H.llt().solve(all);
  cholesky.solveLast(X);
  EXPECT_LT((X.transpose() * X - expected).norm(), 1e-10 * expected.norm());
}

TEST(GridCholesky, SaysWhereAMatrixIsNotPositive) {
  Patchwork patchwork({5, 5, 5}, 7);
  patchwork.mass[40] = -1e6;
  GridCholesky cholesky;
  EXPECT_FALSE(patchwork.factorize(cholesky, std::vector<bool>(patchwork.places.size(), false)));
}

}  // namespace
}  // namespace slipstick::mpm
