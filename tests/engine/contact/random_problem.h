// A convex problem of a rigid step with everything in it that such a one may have.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "engine/contact/box_law.h"
#include "engine/contact/rigid_potentials.h"
#include "engine/contact/sap_problem.h"
#include "engine/foundation/math.h"
#include "tests/support/random_tree.h"

namespace slipstick::contact::testing {

using multibody::testing::Random;
using multibody::testing::randomVec3;
using multibody::testing::randomVecX;

/// A limit, dry friction, PD with a limit, and a row of a loop.
inline const std::array<BoxLaw, 4> kLaws = {{{-0.4, 0.3, 0, kUnbounded},
                                             {0, 0.05, -0.7, 0.7},
                                             {0.2, 2.0, -0.1, 0.1},
                                             {0.1, 0.5, -kUnbounded, kUnbounded}}};

/// Trees of different sizes with a few bodies each, loops and contacts between random pairs of them, joint
/// laws on single velocities and couplers across trees.
class RandomProblem {
 public:
  explicit RandomProblem(unsigned seed, int trees = 7) : random_(seed) {
    problem.bodies.emplace_back();
    for (int t = 0; t < trees; ++t) addTree(t % 3 == 0 ? 6 : 2 + t % 5);
    problem.vStar = 2 * randomVecX(random_, start_);
    for (int k = 0; k < 3 * trees; ++k) addPair(k % 5 == 0);
    for (int k = 0; k < trees; ++k) addScalar(k);
  }
  SapProblem problem;

 private:
  void addTree(int size) {
    SapTree tree{start_, size, problem.A.size()};
    start_ += size;
    const MatX B = matrix(size, size);
    const MatX A = B * B.transpose() + 0.3 * MatX::Identity(size, size);
    problem.A.insert(problem.A.end(), A.data(), A.data() + A.size());
    problem.choleskyA = problem.A;
    problem.trees.push_back(tree);
    for (int b = 0; b < 2; ++b) {
      SapBody body;
      body.tree = static_cast<int>(problem.trees.size()) - 1;
      body.p = randomVec3(random_);
      body.jacobian = problem.jacobians.size();
      const MatX J = matrix(6, size);
      problem.jacobians.insert(problem.jacobians.end(), J.data(), J.data() + J.size());
      problem.bodies.push_back(body);
    }
  }
  MatX matrix(int rows, int columns) {
    MatX m(rows, columns);
    for (int c = 0; c < columns; ++c) m.col(c) = randomVecX(random_, rows);
    return m;
  }
  double unit() { return 0.5 * (1 + std::tanh(randomVecX(random_, 1)[0])); }
  void addPair(bool loop) {
    BodyPair pair;
    const int count = static_cast<int>(problem.bodies.size());
    pair.bodyA = static_cast<int>(unit() * count) % count;
    pair.bodyB = static_cast<int>(unit() * count) % count;
    if (pair.bodyA == pair.bodyB) pair.bodyB = (pair.bodyB + 1) % count;
    pair.origin = randomVec3(random_);
    pair.pointBegin = static_cast<int>(problem.points.size());
    if (loop) {
      pair.loop = 0;
      pair.rowCount = 3;
      for (int r = 0; r < 3; ++r) {
        pair.rows[static_cast<std::size_t>(r)] = Vec6::Unit(3 + r);
        pair.laws[static_cast<std::size_t>(r)] = {0.1, 1e-3, -kUnbounded, kUnbounded};
      }
    } else {
      for (int p = 0; p < 3; ++p) addPoint();
    }
    pair.pointEnd = static_cast<int>(problem.points.size());
    problem.pairs.push_back(pair);
  }
  void addPoint() {
    ContactPointLaw point;
    point.r = 0.1 * randomVec3(random_);
    const Vec3 n = randomVec3(random_).normalized();
    const double f0 = 50 * unit(), mu = unit();
    point.mu = mu;
    point.law = {{n.x(), n.y(), n.z()}, f0, 1e4, 2, mu * 0.01 * f0, 1e-3, 0.01};
    point.sap = sapContact(point.law.normal, mu, -f0 / 1e4, 1e4, 0.01, 0.01, 1.0, 1e-3);
    problem.points.push_back(point);
  }
  void addScalar(int k) {
    ScalarConstraint c;
    const int trees = static_cast<int>(problem.trees.size());
    const SapTree& a = problem.trees[static_cast<std::size_t>(k % trees)];
    c.dof[0] = a.start;
    c.tree[0] = k % trees;
    c.law = kLaws[static_cast<std::size_t>(k) % 4];
    if (k % 3 == 2) {
      c.tree[1] = (k + 1) % trees;
      c.dof[1] = problem.trees[static_cast<std::size_t>(c.tree[1])].start + 1;
      c.coefficient = {1, -0.7};
    }
    problem.scalars.push_back(c);
  }

  Random random_;
  int start_ = 0;
};

}  // namespace slipstick::contact::testing
