// The multifrontal factor against dense ones and those of Eigen.
#include "engine/numerics/multifrontal_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "engine/numerics/nested_dissection.h"

namespace slipstick::numerics {
namespace {

/// Elements of a grid of nx × ny × nz nodes, some of them left out, with random positive semidefinite matrices.
struct Patchwork {
  /// @param gap   a layer along the first axis that no element crosses
  /// @param span  nodes of an element along each axis
  Patchwork(std::array<int, 3> size, unsigned seed, int gap = 1000, int span = 3) : random(seed) {
    for (int i = 0; i < size[0]; ++i)
      for (int j = 0; j < size[1]; ++j)
        for (int k = 0; k < size[2]; ++k) places.push_back({i, j, k});
    mass.resize(places.size());
    for (double& m : mass) m = 1 + 0.5 * noise(random);
    const auto at = [&](int i, int j, int k) { return (i * size[1] + j) * size[2] + k; };
    for (int i = 0; i + span <= size[0]; ++i)
      for (int j = 0; j + span <= size[1]; ++j)
        for (int k = 0; k + span <= size[2]; ++k) {
          if (noise(random) < -0.5 || (i < gap && i + span > gap)) continue;
          std::vector<int> nodes;
          for (int a = 0; a < span; ++a)
            for (int b = 0; b < span; ++b)
              for (int c = 0; c < span; ++c) nodes.push_back(at(i + a, j + b, k + c));
          MatX root(static_cast<Eigen::Index>(3 * nodes.size()), 6);
          for (double& x : root.reshaped()) x = noise(random);
          elements.push_back(std::move(nodes));
          matrices.push_back(root * root.transpose());
        }
    H = MatX::Zero(rows(), rows());
    for (std::size_t i = 0; i < mass.size(); ++i)
      H.diagonal().segment<3>(static_cast<Eigen::Index>(3 * i)).setConstant(mass[i]);
    for (std::size_t e = 0; e < elements.size(); ++e)
      for (std::size_t i = 0; i < elements[e].size(); ++i)
        for (std::size_t j = 0; j < elements[e].size(); ++j)
          H.block<3, 3>(3 * elements[e][i], 3 * elements[e][j]) +=
              matrices[e].block<3, 3>(static_cast<Eigen::Index>(3 * i), static_cast<Eigen::Index>(3 * j));
  }

  Eigen::Index rows() const { return static_cast<Eigen::Index>(3 * mass.size()); }
  VecX someVector() {
    VecX x(rows());
    for (double& value : x) value = noise(random);
    return x;
  }
  template <class Real>
  bool factorize(MultifrontalCholesky<Real>& cholesky) {
    const std::vector<ElementNodes> nodes(elements.begin(), elements.end());
    cholesky.analyze(dissect(places, nodes), nodes);
    return cholesky.factorize(mass, [&](std::size_t e, auto& K) { K = matrices[e].template cast<Real>(); });
  }

  std::mt19937 random;
  std::uniform_real_distribution<double> noise{-1, 1};
  std::vector<LatticePlace> places;
  std::vector<double> mass;
  std::vector<std::vector<int>> elements;
  std::vector<MatX> matrices;
  MatX H;
};

/// Of n rows: n times what one rounding is. Errors of factors stay below about three times that of H and what is solved for
/// (Higham 2002, Theorem 10.4), and mostly far below.
template <class Real>
double roundingOf(Eigen::Index rows) {
  return static_cast<double>(rows) * std::numeric_limits<Real>::epsilon() / 2;
}

template <class Real>
class MultifrontalCholeskyIn : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(MultifrontalCholeskyIn, Reals);

TYPED_TEST(MultifrontalCholeskyIn, SolvesAsADenseFactorDoes) {
  // Elements of four nodes along each axis are what cloth has.
  for (const auto& [size, span] : {std::pair(std::array{3, 3, 3}, 3), std::pair(std::array{12, 4, 5}, 3),
                                   std::pair(std::array{7, 9, 8}, 3), std::pair(std::array{4, 4, 20}, 3),
                                   std::pair(std::array{9, 5, 16}, 4)}) {
    Patchwork patchwork(size, 5, 1000, span);
    MultifrontalCholesky<TypeParam> cholesky;
    ASSERT_TRUE(patchwork.factorize(cholesky));
    const VecX right = patchwork.someVector();
    VecX x = right;
    cholesky.solveInPlace(x);
    EXPECT_LT((patchwork.H * x - right).norm(),
              roundingOf<TypeParam>(patchwork.rows()) * patchwork.H.norm() * x.norm())
        << size[0];
    EXPECT_GT(cholesky.work(), 0);
  }
}

/// What contacts need. Some rows are those of one node, some of the nodes of an element.
TYPED_TEST(MultifrontalCholeskyIn, ComplianceIsThatOfADenseInverse) {
  for (const int gap : {1000, 4}) {  // one part, and two
    Patchwork patchwork({11, 9, 6}, 6, gap);
    MultifrontalCholesky<TypeParam> cholesky;
    ASSERT_TRUE(patchwork.factorize(cholesky));
    std::vector<std::vector<int>> nodes;
    std::vector<std::vector<double>> weights;
    for (std::size_t e = 0; e < patchwork.elements.size(); e += 7)
      nodes.push_back({patchwork.elements[e].begin(), patchwork.elements[e].end()});
    for (int i = 0; i < static_cast<int>(patchwork.mass.size()); i += 50) nodes.push_back({i});
    MatX J = MatX::Zero(static_cast<Eigen::Index>(3 * nodes.size()), patchwork.rows());
    for (std::size_t r = 0; r < nodes.size(); ++r) {
      weights.emplace_back();
      for (const int node : nodes[r]) {
        weights.back().push_back(patchwork.noise(patchwork.random));
        J.block<3, 3>(static_cast<Eigen::Index>(3 * r), 3 * node).diagonal().array() += weights.back().back();
      }
    }
    std::vector<NodeWeights> rows;
    for (std::size_t r = 0; r < nodes.size(); ++r) rows.push_back({nodes[r], weights[r]});
    typename MultifrontalCholesky<TypeParam>::Matrix found;
    std::vector<int> order;
    cholesky.findCompliance(rows, found, order);
    MatX W = found.template cast<double>();
    std::vector<int> everyRow(rows.size());
    std::iota(everyRow.begin(), everyRow.end(), 0);
    ASSERT_TRUE(std::ranges::is_permutation(order, everyRow));
    const MatX all = J * patchwork.H.llt().solve(J.transpose());
    MatX expected(all.rows(), all.cols());
    for (std::size_t j = 0; j < order.size(); ++j)
      for (std::size_t i = 0; i < order.size(); ++i)
        expected.block<3, 3>(static_cast<Eigen::Index>(3 * i), static_cast<Eigen::Index>(3 * j)) =
            all.block<3, 3>(3 * order[i], 3 * order[j]);
    W.triangularView<Eigen::StrictlyUpper>() = W.transpose();
    EXPECT_LT((W - expected).norm(), roundingOf<TypeParam>(patchwork.rows()) * expected.norm()) << gap;
  }
}

/// A matrix with entries beside the diagonal between nodes that are near each other, as a mesh's, at random.
struct RandomMesh {
  RandomMesh(int nodes, unsigned seed) : random(seed), diagonal(static_cast<std::size_t>(nodes), 0.1) {
    for (int i = 0; i < nodes; ++i) places.push_back({place(), place(), place()});
    for (int i = 0; i < nodes; ++i)
      for (int j = 0; j < i; ++j)
        if (areNear(i, j)) edges.push_back({i, j});
    for (std::size_t e = 0; e < edges.size(); ++e) blocks.push_back(semidefinite());
  }

  int place() { return static_cast<int>(12 * (1 + noise(random))); }
  bool areNear(int i, int j) const {
    const LatticePlace &a = places[static_cast<std::size_t>(i)], &b = places[static_cast<std::size_t>(j)];
    return std::abs(a[0] - b[0]) <= 3 && std::abs(a[1] - b[1]) <= 3 && std::abs(a[2] - b[2]) <= 3;
  }
  MatX semidefinite() {
    MatX root(6, 2);
    for (double& x : root.reshaped()) x = noise(random);
    return root * root.transpose();
  }
  Eigen::SparseMatrix<double> matrix() const {
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t i = 0; i < diagonal.size(); ++i)
      for (int a = 0; a < 3; ++a)
        entries.emplace_back(static_cast<int>(3 * i) + a, static_cast<int>(3 * i) + a, diagonal[i]);
    for (std::size_t e = 0; e < edges.size(); ++e)
      for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c)
          entries.emplace_back(3 * edges[e][static_cast<std::size_t>(r / 3)] + r % 3,
                               3 * edges[e][static_cast<std::size_t>(c / 3)] + c % 3, blocks[e](r, c));
    const auto size = static_cast<Eigen::Index>(3 * diagonal.size());
    Eigen::SparseMatrix<double> H(size, size);
    H.setFromTriplets(entries.begin(), entries.end());
    return H;
  }
  template <class Real>
  bool factorize(MultifrontalCholesky<Real>& cholesky) const {
    const std::vector<ElementNodes> nodes(edges.begin(), edges.end());
    cholesky.analyze(dissect(places, nodes), nodes);
    return cholesky.factorize(diagonal, [&](std::size_t e, auto& K) { K = blocks[e].template cast<Real>(); });
  }

  std::mt19937 random;
  std::uniform_real_distribution<double> noise{-1, 1};
  std::vector<LatticePlace> places;
  std::vector<double> diagonal;
  std::vector<std::array<int, 2>> edges;
  std::vector<MatX> blocks;
};

TYPED_TEST(MultifrontalCholeskyIn, SolvesRandomMeshesAsEigenDoes) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const RandomMesh mesh(600, seed);
    MultifrontalCholesky<TypeParam> cholesky;
    ASSERT_TRUE(mesh.factorize(cholesky));
    const Eigen::SparseMatrix<double> H = mesh.matrix();
    const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> reference(H);
    ASSERT_EQ(reference.info(), Eigen::Success);
    const VecX right = VecX::LinSpaced(H.rows(), -1, 1);
    VecX x = right;
    cholesky.solveInPlace(x);
    const double rounding = roundingOf<TypeParam>(H.rows()) * H.norm() * x.norm();
    EXPECT_LT((H * x - right).norm(), rounding);
    // The least eigenvalue is at least the diagonal.
    EXPECT_LT((x - reference.solve(right)).norm(), 2 * rounding / mesh.diagonal.front());
  }
}

TYPED_TEST(MultifrontalCholeskyIn, SaysOfAnIndefiniteMeshThatItIsNot) {
  RandomMesh mesh(600, 4);
  for (const std::size_t node : {std::size_t{0}, std::size_t{200}, std::size_t{599}}) {
    mesh.diagonal.assign(600, 0.1);
    mesh.diagonal[node] = -100;
    EXPECT_NE(Eigen::SimplicialLLT<Eigen::SparseMatrix<double>>(mesh.matrix()).info(), Eigen::Success);
    MultifrontalCholesky<TypeParam> cholesky;
    EXPECT_FALSE(mesh.factorize(cholesky)) << node;
    mesh.diagonal[node] = 0.1;
    EXPECT_TRUE(mesh.factorize(cholesky)) << "and finds the factor of the next one";
  }
}

TYPED_TEST(MultifrontalCholeskyIn, AnOrderOfOneFrontIsADenseFactor) {
  const RandomMesh mesh(30, 5);
  const std::vector<ElementNodes> nodes(mesh.edges.begin(), mesh.edges.end());
  EliminationTree tree(1);
  for (int i = 29; i >= 0; --i) tree[0].nodes.push_back(i);
  MultifrontalCholesky<TypeParam> cholesky;
  cholesky.analyze(tree, nodes);
  ASSERT_TRUE(cholesky.factorize(
      mesh.diagonal, [&](std::size_t e, auto& K) { K = mesh.blocks[e].template cast<TypeParam>(); }));
  EXPECT_NEAR(cholesky.work(), 90.0 * 90 * 90 / 3, 1e-6);
  const Eigen::SparseMatrix<double> H = mesh.matrix();
  const VecX right = VecX::LinSpaced(H.rows(), -1, 1);
  VecX x = right;
  cholesky.solveInPlace(x);
  EXPECT_LT((H * x - right).norm(), roundingOf<TypeParam>(H.rows()) * H.norm() * x.norm());
}

TYPED_TEST(MultifrontalCholeskyIn, SaysWhereAMatrixIsNotPositive) {
  Patchwork patchwork({5, 5, 5}, 7);
  patchwork.mass[40] = -1e6;
  MultifrontalCholesky<TypeParam> cholesky;
  EXPECT_FALSE(patchwork.factorize(cholesky));
}

}  // namespace
}  // namespace slipstick::numerics
