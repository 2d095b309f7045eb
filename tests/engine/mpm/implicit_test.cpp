// The two stages of an implicit step (Zong 2024): energy and derivatives on the grid, free motion, contact.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>

#include "engine/lanes/eigen_lanes.h"
#include "engine/model/cloth.h"
#include "engine/mpm/bspline.h"
#include "engine/mpm/implicit/implicit_solver.h"
#include "tests/engine/contact/free_rigid_body.h"

namespace slipstick::mpm {
namespace {

constexpr double kSpacing = 0.02, kDt = 0.01, kDensity = 1000;
constexpr double kYoung = 1e5, kPoisson = 0.3;

MaterialConstants<double> constants(double strainLimit) {
  return {kYoung / (2 * (1 + kPoisson)),
          kYoung * kPoisson / ((1 + kPoisson) * (1 - 2 * kPoisson)),
          strainLimit,
          {0, 0, 0, 0}};
}

/// A bar of 8 × 4 × 4 particles that is stretched and turned a little, moves and falls.
struct Bar {
  explicit Bar(MaterialModel model, double strainLimit = 1e9) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> noise(-1, 1);
    const auto vector = [&] { return Vec3(noise(random), noise(random), noise(random)); };
    std::map<std::array<int, 3>, int> index;
    std::vector<Vec3> momentum;
    const double spacing = kSpacing / 2, volume = spacing * spacing * spacing, mass = kDensity * volume;
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 4; ++j)
        for (int k = 0; k < 4; ++k) {
          const Vec3 x = spacing * (Vec3(i, j, k) + Vec3::Constant(0.5) + 0.1 * vector());
          const Mat3 F = Eigen::AngleAxisd(0.2, vector().normalized()).toRotationMatrix() *
                         Mat3((Vec3::Ones() + 0.02 * vector()).asDiagonal());
          const Vec3 v = Vec3(0.3, 0, -0.1) + 0.05 * vector();
          const Bspline<double> b = bspline(toLanes<double>(x), 1 / kSpacing);
          ElasticGrid::Particle particle{{model, constants(strainLimit), F, {0, 0}, kDt}, volume, F, {}, {}};
          std::array<double, 27> weight{};
          std::size_t n = 0;
          for (int a = 0; a < 3; ++a)
            for (int c = 0; c < 3; ++c)
              for (int e = 0; e < 3; ++e, ++n) {
                const std::array<int, 3> node = {static_cast<int>(b.base.x) + a,
                                                 static_cast<int>(b.base.y) + c,
                                                 static_cast<int>(b.base.z) + e};
                const auto [known, fresh] = index.insert({node, static_cast<int>(index.size())});
                if (fresh) {
                  problem.mass.push_back(0);
                  problem.place.push_back(node);
                  momentum.push_back(Vec3::Zero());
                }
                weight[n] = b.w[0][a] * b.w[1][c] * b.w[2][e];
                particle.node[n] = known->second;
                const Vec3 offset = kSpacing * Vec3(node[0], node[1], node[2]) - x;
                particle.b[n] = 4 * kDt / (kSpacing * kSpacing) * weight[n] * (F.transpose() * offset);
                problem.mass[static_cast<std::size_t>(known->second)] += weight[n] * mass;
                momentum[static_cast<std::size_t>(known->second)] += weight[n] * mass * v;
              }
          problem.elastic.add(particle);
          nodes.push_back(particle.node);
          weights.push_back(weight);
          places.push_back(x);
        }
    problem.dt = kDt;
    problem.ballistic.resize(static_cast<Eigen::Index>(3 * momentum.size()));
    for (std::size_t i = 0; i < momentum.size(); ++i)
      problem.ballistic.segment<3>(static_cast<Eigen::Index>(3 * i)) =
          momentum[i] / problem.mass[i] + kDt * Vec3(0, 0, -9.81);
  }

  /// The lowest particles touch what lies below them, 1 mm deep.
  void touchBelow(int body, const Vec3& origin) {
    for (std::size_t p = 0; p < places.size(); p += 4) {
      ImplicitContact contact;
      contact.node = nodes[p];
      contact.weight = weights[p];
      contact.body = body;
      contact.arm = places[p] - origin;
      contact.law = contact::sapContact<double>({0, 0, 1}, 0.5, -1e-3, 1e4, 0.02, kDt, 100.0, 1e-3);
      problem.contacts.push_back(contact);
    }
  }

  ImplicitProblem problem;
  std::vector<std::array<int, 27>> nodes;
  std::vector<std::array<double, 27>> weights;
  std::vector<Vec3> places;
};

VecX someVelocities(Eigen::Index size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> noise(-1, 1);
  VecX v(size);
  for (Eigen::Index i = 0; i < size; ++i) v[i] = noise(random);
  return v;
}

constexpr MaterialModel kSmooth[] = {MaterialModel::FixedCorotated, MaterialModel::NeoHookean,
                                     MaterialModel::LinearCorotated, MaterialModel::Hencky};

/// A sheet of 6 × 5 vertices, tilted against the grid and a little crumpled, with bending stiffness, that moves.
struct Cloth {
  Cloth() {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> noise(-1, 1);
    const auto vector = [&] { return Vec3(noise(random), noise(random), noise(random)); };
    MaterialParameters material;
    material.model = MaterialModel::Cloth;
    material.E = kYoung;
    material.density = kDensity;
    material.thickness = 1e-3;
    material.bendingStiffness = 1e-4;
    const TriangleMesh mesh = sheetMesh({{0.5 * 5 * kSpacing, 0.5 * 4 * kSpacing}, {6, 5}});
    std::vector<Vec3> rest;
    const Pose X = Pose::fromRpy({0.4, 0.3, 0.2}, {0.1, 0.2, 0.3});
    for (const Vec3& vertex : mesh.vertices) rest.push_back(X * vertex);
    const Result<ClothMesh> built = buildClothMesh(rest, mesh.triangles, material);
    EXPECT_TRUE(built);
    const ClothMesh& cloth = *built;
    EXPECT_FALSE(cloth.hinges.empty());
    ElasticSheet& sheet = problem.elastic.cloth();
    std::vector<Vec3> x = rest;
    for (Vec3& vertex : x) vertex += 0.03 * kSpacing * vector();
    for (const Vec3& vertex : x) {
      const auto [node, weight, offset] = stencil(vertex, 1e-3);
      ElasticSheet::Point point{vertex, node, {}};
      for (std::size_t n = 0; n < 27; ++n) point.weight[n] = kDt * weight[n];
      sheet.add(point);
    }
    const MaterialConstants<double> law = materialNumbers(material).as<double, double>();
    for (int t = 0; t < cloth.triangleCount(); ++t) {
      const auto i = static_cast<std::size_t>(t);
      const Eigen::Vector3i& corners = cloth.triangles[i];
      const Vec3 director = 0.97 * triangleNormal(cloth, t, x.data()) + 0.02 * vector();
      const auto [node, weight, offset] = stencil((x[corners[0]] + x[corners[1]] + x[corners[2]]) / 3, 1e-3);
      ElasticSheet::Point point{director, node, {}};
      for (std::size_t n = 0; n < 27; ++n)
        point.weight[n] = 4 * kDt / (kSpacing * kSpacing) * weight[n] * director.dot(offset[n]);
      ElasticSheet::Triangle triangle{
          law, cloth.volume[i], {corners[0], corners[1], corners[2], sheet.add(point)}, {}};
      triangle.G << Eigen::RowVector2d(-cloth.restInverse[i].colwise().sum()), 0, cloth.restInverse[i].row(0),
          0, cloth.restInverse[i].row(1), 0, 0, 0, 1;
      EXPECT_LT((triangleDeformation(cloth, t, x.data(), director) -
                 (Eigen::Matrix<double, 3, 4>() << x[corners[0]], x[corners[1]], x[corners[2]], director)
                         .finished() *
                     triangle.G)
                    .norm(),
                1e-12);
      sheet.add(triangle);
    }
    for (const ClothMesh::Hinge& hinge : cloth.hinges)
      sheet.add(ElasticSheet::Hinge{hinge.vertices, hinge.stiffness, hinge.restAngle});
    problem.dt = kDt;
    problem.ballistic.resize(static_cast<Eigen::Index>(3 * problem.mass.size()));
    for (double& value : problem.ballistic) value = 0.02 * noise(random);
  }

  struct Around {
    std::array<int, 27> node;
    std::array<double, 27> weight;
    std::array<Vec3, 27> offset;
  };
  Around stencil(const Vec3& x, double mass) {
    Around around;
    const Bspline<double> b = bspline(toLanes<double>(x), 1 / kSpacing);
    std::size_t n = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k, ++n) {
          const std::array<int, 3> node = {static_cast<int>(b.base.x) + i, static_cast<int>(b.base.y) + j,
                                           static_cast<int>(b.base.z) + k};
          const auto [known, fresh] = index.insert({node, static_cast<int>(index.size())});
          if (fresh) problem.mass.push_back(0), problem.place.push_back(node);
          around.node[n] = known->second;
          around.weight[n] = b.w[0][i] * b.w[1][j] * b.w[2][k];
          around.offset[n] = kSpacing * Vec3(node[0], node[1], node[2]) - x;
          problem.mass[static_cast<std::size_t>(known->second)] += around.weight[n] * mass;
        }
    return around;
  }

  ImplicitProblem problem;
  std::map<std::array<int, 3>, int> index;
};

void expectGradientIsSlopeOfEnergy(ImplicitProblem problem) {
  ElasticGrid& elastic = problem.elastic;
  const VecX v = 0.1 * someVelocities(problem.ballistic.size(), 4);
  const VecX direction = someVelocities(v.size(), 5);
  elastic.linearize(v);
  VecX gradient = VecX::Zero(v.size());
  elastic.addGradient(gradient);
  constexpr double kStep = 1e-4;
  const double slope =
      (elastic.linearize(v + kStep * direction) - elastic.linearize(v - kStep * direction)) / (2 * kStep);
  EXPECT_NEAR(gradient.dot(direction), slope, 1e-6 * gradient.norm() * direction.norm());
}

TEST(ElasticGrid, ItsGradientIsTheSlopeOfItsEnergy) {
  for (const MaterialModel model : kSmooth) {
    SCOPED_TRACE(static_cast<int>(model));
    expectGradientIsSlopeOfEnergy(Bar(model).problem);
  }
}

TEST(ElasticSheet, ItsGradientIsTheSlopeOfItsEnergy) {
  expectGradientIsSlopeOfEnergy(Cloth().problem);
}

/// Stresses are found with or without tangents, and these stay where they are not asked for.
void expectStressLeavesTangentsAlone(ImplicitProblem problem) {
  ElasticGrid& elastic = problem.elastic;
  const Eigen::Index size = problem.ballistic.size();
  const VecX here = 0.1 * someVelocities(size, 4), there = 0.1 * someVelocities(size, 8);
  const VecX direction = someVelocities(size, 5);
  const auto gradient = [&] {
    VecX sum = VecX::Zero(size);
    elastic.addGradient(sum);
    return sum;
  };
  const auto product = [&] {
    VecX sum = VecX::Zero(size);
    elastic.addCurvature(direction, sum);
    return sum;
  };
  const double energy = elastic.linearize(there);
  const VecX expected = gradient(), tangentThere = product();
  elastic.linearize(here);
  const VecX tangent = product();
  ASSERT_GT((tangent - tangentThere).norm(), 1e-3 * tangent.norm());
  EXPECT_EQ(elastic.findStress(there), energy);
  EXPECT_EQ(gradient(), expected);
  EXPECT_EQ(product(), tangent);
}

TEST(ElasticGrid, FindsStressWithoutTangents) {
  for (const MaterialModel model : kSmooth) {
    SCOPED_TRACE(static_cast<int>(model));
    const Bar bar(model);
    if (!bar.problem.elastic.isQuadratic()) expectStressLeavesTangentsAlone(bar.problem);
  }
}

TEST(ElasticSheet, FindsForcesWithoutTangents) {
  expectStressLeavesTangentsAlone(Cloth().problem);
}

MatX elasticHessian(ImplicitProblem& problem) {
  MatX H = MatX::Zero(problem.ballistic.size(), problem.ballistic.size()), K;
  const auto elements = problem.elastic.elements();
  for (std::size_t e = 0; e < elements.size(); ++e) {
    problem.elastic.findElement(e, K);
    for (std::size_t i = 0; i < elements[e].size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        const Mat3 block = K.block<3, 3>(static_cast<Eigen::Index>(3 * i), static_cast<Eigen::Index>(3 * j));
        H.block<3, 3>(3 * elements[e][i], 3 * elements[e][j]) += block;
        if (i != j) H.block<3, 3>(3 * elements[e][j], 3 * elements[e][i]) += block.transpose();
      }
  }
  return H;
}

/// @param close  what the projection may change near rest
void expectCurvatureIsSlopeOfGradient(ImplicitProblem problem, double close) {
  ElasticGrid& elastic = problem.elastic;
  const VecX v = 0.02 * someVelocities(problem.ballistic.size(), 6);
  const VecX direction = someVelocities(v.size(), 7);
  constexpr double kStep = 1e-4;
  VecX ahead = VecX::Zero(v.size()), behind = VecX::Zero(v.size()), product = VecX::Zero(v.size());
  elastic.linearize(v + kStep * direction);
  elastic.addGradient(ahead);
  elastic.linearize(v - kStep * direction);
  elastic.addGradient(behind);
  elastic.linearize(v);
  elastic.addCurvature(direction, product);
  EXPECT_LT((product - (ahead - behind) / (2 * kStep)).norm(), close * product.norm());
  const MatX H = elasticHessian(problem);
  EXPECT_LT((H * direction - product).norm(), 1e-10 * product.norm());
  std::vector<Mat3> blocks(problem.mass.size(), Mat3::Zero());
  elastic.addBlocks(blocks);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(3 * i);
    EXPECT_LT((blocks[i] - H.block<3, 3>(at, at)).norm(), 1e-10 * H.norm()) << i;
  }
}

TEST(ElasticGrid, ItsCurvatureIsTheSlopeOfItsGradientAndSumOfItsElements) {
  for (const MaterialModel model : kSmooth) {
    SCOPED_TRACE(static_cast<int>(model));
    expectCurvatureIsSlopeOfGradient(Bar(model).problem, 0.05);
  }
}

TEST(ElasticSheet, ItsCurvatureIsTheSlopeOfItsGradientAndSumOfItsElements) {
  expectCurvatureIsSlopeOfGradient(Cloth().problem, 0.05);
}

MatX denseH(ImplicitProblem& problem) {
  MatX H = elasticHessian(problem);
  for (std::size_t i = 0; i < problem.mass.size(); ++i)
    H.diagonal().segment<3>(static_cast<Eigen::Index>(3 * i)).array() += problem.mass[i];
  return H;
}

/// Zong's law is quadratic: v* solves one linear system.
void expectFreeMotionIsThatOfADirectSolve(ImplicitProblem& problem, double gradient, double tolerance) {
  ImplicitSolver solver({gradient, 100, 1e-2});
  ImplicitSolution s;
  ASSERT_TRUE(solver.solveFree(problem, s));
  EXPECT_LE(s.freeIterations, 3);
  const VecX rest = VecX::Zero(problem.ballistic.size());
  problem.elastic.linearize(rest);
  VecX force = VecX::Zero(rest.size());
  problem.elastic.addGradient(force);
  VecX right = -force;
  for (std::size_t i = 0; i < problem.mass.size(); ++i)
    right.segment<3>(static_cast<Eigen::Index>(3 * i)) +=
        problem.mass[i] * problem.ballistic.segment<3>(static_cast<Eigen::Index>(3 * i));
  const VecX direct = denseH(problem).ldlt().solve(right);
  EXPECT_LT((s.free - direct).lpNorm<Eigen::Infinity>(), tolerance * direct.lpNorm<Eigen::Infinity>());
}

TEST(ImplicitSolver, FreeMotionOfALinearCorotatedBarIsThatOfADirectSolve) {
  Bar bar(MaterialModel::LinearCorotated);
  expectFreeMotionIsThatOfADirectSolve(bar.problem, 1e-13, 1e-10);
}

/// Its stiffness is so large against its mass that factors in single precision say nothing.
TEST(ImplicitSolver, FreeMotionOfABarAlmostWithoutMassIsThatOfADirectSolve) {
  Bar bar(MaterialModel::LinearCorotated);
  for (double& mass : bar.problem.mass) mass *= 1e-6;
  expectFreeMotionIsThatOfADirectSolve(bar.problem, 1e-9, 1e-6);
}

void expectFreeMotionStands(ImplicitProblem problem, double mostWork) {
  ImplicitSolver solver({1e-8, 100, 1e-2, mostWork});
  ImplicitSolution s;
  EXPECT_TRUE(solver.solveFree(problem, s));
  problem.elastic.linearize(s.free);
  VecX gradient = VecX::Zero(s.free.size()), momentum = gradient;
  problem.elastic.addGradient(gradient);
  for (std::size_t i = 0; i < problem.mass.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(3 * i);
    gradient.segment<3>(at) += problem.mass[i] * (s.free - problem.ballistic).segment<3>(at);
    momentum.segment<3>(at) = problem.mass[i] * s.free.segment<3>(at);
  }
  EXPECT_LT(gradient.norm(), 1e-6 * momentum.norm());
}

TEST(ImplicitSolver, FreeMotionOfEveryLawStandsWhereTheGradientVanishes) {
  for (const MaterialModel model : {MaterialModel::FixedCorotated, MaterialModel::NeoHookean,
                                    MaterialModel::HenckyVonMises, MaterialModel::DruckerPrager}) {
    SCOPED_TRACE(static_cast<int>(model));
    expectFreeMotionStands(Bar(model).problem, 1e11);
  }
}

TEST(ImplicitSolver, FreeMotionOfClothStandsWhereTheGradientVanishes) {
  expectFreeMotionStands(Cloth().problem, 0);
  expectFreeMotionStands(Cloth().problem, 1e11);
}

/// Without contact the grid's momentum is that of ballistic motion, whatever the law: elasticity gives none.
TEST(ImplicitSolver, FreeMotionKeepsMomentum) {
  Bar bar(MaterialModel::FixedCorotated);
  ImplicitSolver solver({1e-10, 100, 1e-2});
  ImplicitSolution s;
  ASSERT_TRUE(solver.solveFree(bar.problem, s));
  Vec3 change = Vec3::Zero(), momentum = Vec3::Zero();
  for (std::size_t i = 0; i < bar.problem.mass.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(3 * i);
    change += bar.problem.mass[i] * (s.free - bar.problem.ballistic).segment<3>(at);
    momentum += bar.problem.mass[i] * bar.problem.ballistic.segment<3>(at);
  }
  EXPECT_LT(change.norm(), 1e-9 * momentum.norm());
}

TEST(ImplicitSolver, ContactOfGridAndBodyStandsWhereTheGradientVanishesAndKeepsMomentum) {
  enum class Way { ConjugateGradients, ContactSpace, Factors };
  for (const double mass : {0.001, 0.1, 10.0})
    for (const Way way : {Way::ConjugateGradients, Way::ContactSpace, Way::Factors}) {
      Bar bar(MaterialModel::LinearCorotated);
      const Vec3 origin(0.04, 0.02, -0.05);
      bar.touchBelow(0, origin);
      FreeRigidBody body(mass, mass * 1e-3, {Vec3::Zero(), Vec3(0, 0, 0.2)});
      bar.problem.rigid = &body;
      bar.problem.bodies = {1};
      ImplicitSettings settings{1e-9, 100, 1e-2};
      settings.mostWork = way == Way::ConjugateGradients ? 0 : 1e12;
      settings.contactSpaceShare = way == Way::ContactSpace ? 1e12 : 0;
      ImplicitSolver solver(settings);
      ImplicitSolution s;
      ASSERT_TRUE(solver.solveFree(bar.problem, s));
      s.freeBySolve |= way == Way::Factors;  // as if conjugate gradients had been slow
      solver.solveContact(bar.problem, s);
      EXPECT_TRUE(s.converged) << mass;
      EXPECT_EQ(s.inContactSpace, way == Way::ContactSpace);
      EXPECT_EQ(s.contactBySolve, way == Way::Factors);
      // Anew, from the velocities alone.
      VecX gradient = denseH(bar.problem) * (s.v - s.free);
      double total = 0;
      Vec3 given = Vec3::Zero();
      for (std::size_t c = 0; c < bar.problem.contacts.size(); ++c) {
        const ImplicitContact& contact = bar.problem.contacts[c];
        const Vec3 gamma = toEigen(contact::sapPotential(toLanes<double>(s.u[c]), contact.law).gamma);
        for (std::size_t n = 0; n < 27; ++n)
          gradient.segment<3>(3 * contact.node[n]) -= contact.weight[n] * gamma;
        total += gamma.norm();
        given += gamma;
      }
      ASSERT_GT(total, 0);
      EXPECT_LT(gradient.lpNorm<Eigen::Infinity>(), 1e-6 * total) << mass;
      Vec3 gained = Vec3::Zero();
      for (std::size_t i = 0; i < bar.problem.mass.size(); ++i)
        gained += bar.problem.mass[i] * (s.v - s.free).segment<3>(static_cast<Eigen::Index>(3 * i));
      EXPECT_LT((gained - given).norm(), 1e-6 * total) << mass;
    }
}

/// Masses below nothing outweigh the elasticity: H has no factor in any precision, and the step says so.
TEST(ImplicitSolver, AHessianWithoutAFactorIsSaid) {
  for (const double sign : {1.0, -1.0}) {
    Bar bar(MaterialModel::LinearCorotated);
    for (double& mass : bar.problem.mass) mass *= sign * (sign < 0 ? 1e6 : 1);
    ImplicitSettings settings{1e-9, 100, 1e-2};
    settings.mostWork = 1e12;
    ImplicitSolver solver(settings);
    ImplicitSolution s;
    const bool free = solver.solveFree(bar.problem, s);
    solver.solveContact(bar.problem, s);
    EXPECT_EQ(s.factored, sign > 0);
    EXPECT_TRUE(free || sign < 0);
  }
}

/// A bar falls on a light body. Stage 2 goes on in contact space for so many steps at most.
/// @param guess  of the first contact's impulse [N s]
ImplicitSolution landingBar(const Vec3& guess, int contactSpaceIterations) {
  Bar bar(MaterialModel::LinearCorotated);
  bar.touchBelow(0, {0.04, 0.02, -0.05});
  bar.problem.contacts.front().guess = guess;
  FreeRigidBody body(1, 1e-3, {Vec3::Zero(), Vec3(0, 0, 0.2)});
  bar.problem.rigid = &body;
  bar.problem.bodies = {1};
  ImplicitSettings settings{1e-9, 100, 1e-2};
  settings.contactSpaceShare = 1e12;
  settings.contactSpaceIterations = contactSpaceIterations;
  ImplicitSolver solver(settings);
  ImplicitSolution s;
  EXPECT_TRUE(solver.solveFree(bar.problem, s));
  solver.solveContact(bar.problem, s);
  EXPECT_TRUE(s.converged);
  return s;
}

/// Contact space begins without those that are open with the impulses of the step before. One that throws the bar off opens
/// all others.
TEST(ImplicitSolver, ContactsThatTheImpulsesOfTheStepBeforeWouldOpenTakePart) {
  const ImplicitSolution expected = landingBar(Vec3::Zero(), 100), found = landingBar({0, 0, 1}, 100);
  EXPECT_TRUE(expected.inContactSpace && found.inContactSpace);
  const auto acts = [](const Vec3& gamma) { return !gamma.isZero(0); };
  ASSERT_GT(std::count_if(expected.gamma.begin(), expected.gamma.end(), acts), 10);
  EXPECT_LT((found.v - expected.v).norm(), 1e-6 * expected.v.norm());
}

TEST(ImplicitSolver, WhatContactSpaceDoesNotFinishIsFinishedOnTheGrid) {
  const ImplicitSolution expected = landingBar(Vec3::Zero(), 100), found = landingBar(Vec3::Zero(), 1);
  EXPECT_TRUE(expected.inContactSpace);
  EXPECT_FALSE(found.inContactSpace);
  EXPECT_LT((found.v - expected.v).norm(), 1e-5 * expected.v.norm());  // what W may be wrong by
}

/// Contacts at every particle of a bar, and contact space between them.
struct ContactsEverywhere {
  /// @param each  contacts of a particle, as with several bodies
  explicit ContactsEverywhere(int each) {
    for (int k = 0; k < each; ++k)
      for (std::size_t p = 0; p < bar.places.size(); ++p) {
        ImplicitContact contact;
        contact.node = bar.nodes[p];
        contact.weight = bar.weights[p];
        bar.problem.contacts.push_back(contact);
      }
    hessian.begin(bar.problem, 1e12);
    hessian.linearize(bar.problem.ballistic);
    hessian.findBlocks();
    EXPECT_TRUE(hessian.factorize(GridHessian::Factor::Free));
    std::vector<int> chosen(bar.problem.contacts.size());
    std::iota(chosen.begin(), chosen.end(), 0);
    space.build(hessian, bar.problem.contacts, chosen);
    rows = static_cast<Eigen::Index>(3 * chosen.size());
    W.resize(rows, rows);
    std::vector<Vec3> column(chosen.size());
    for (Eigen::Index j = 0; j < rows; ++j) {
      space.apply(listed(VecX::Unit(rows, j)), column);
      W.col(j) = packed(column);
    }
  }

  std::vector<Vec3> listed(const VecX& packed) const {
    std::vector<Vec3> list;
    for (Eigen::Index i = 0; i < packed.size(); i += 3) list.push_back(packed.segment<3>(i));
    return list;
  }
  VecX packed(const std::vector<Vec3>& list) const {
    VecX all(static_cast<Eigen::Index>(3 * list.size()));
    for (std::size_t c = 0; c < list.size(); ++c) all.segment<3>(static_cast<Eigen::Index>(3 * c)) = list[c];
    return all;
  }

  Bar bar{MaterialModel::LinearCorotated};
  GridHessian hessian;
  ContactSpace space;
  Eigen::Index rows = 0;
  MatX W;
};

/// 256 contacts on 175 nodes: what does nothing to any of them must not gain energy, or Newton's steps follow it to no end.
TEST(ContactSpace, NoImpulseGainsEnergyWhereContactsAreMoreThanNodes) {
  const ContactsEverywhere at(2);
  ASSERT_GT(at.rows, static_cast<Eigen::Index>(3 * at.bar.problem.mass.size()));
  const VecX eigenvalues = Eigen::SelfAdjointEigenSolver<MatX>(at.W, Eigen::EigenvaluesOnly).eigenvalues();
  EXPECT_GT(eigenvalues.minCoeff(), 0) << eigenvalues.maxCoeff();
  EXPECT_LT(eigenvalues.minCoeff(), 1e-4 * eigenvalues.maxCoeff()) << "it is not what this is about";
}

/// As stiff as contacts are that grip, at every particle: what the grid does is hardly told apart from what they ask for, and the
/// step dy = (1 + GW)⁻¹ g is a small rest of g. Relative to W and G.
TEST(ContactSpace, StepsAreRightAlsoWhereTheyAreLittleOfWhatIsAskedFor) {
  ContactsEverywhere at(1);
  const MatX& W = at.W;
  for (const double stiffness : {1e2, 1e4, 1e6}) {  // in terms of what one contact meets
    const double G = stiffness / W.diagonal().mean();
    const VecX g = someVelocities(at.rows, 5);
    const std::vector<Mat3> curvatures(at.bar.places.size(), G * Mat3::Identity());
    std::vector<Vec3> p(at.bar.places.size());
    ASSERT_TRUE(at.space.reduce(curvatures, {}, at.listed(W * g), p));
    const VecX step = g - at.packed(p), expected = (MatX::Identity(at.rows, at.rows) + G * W).lu().solve(g);
    EXPECT_LT(step.dot(W * -g), 0) << stiffness;
    EXPECT_LT((W * (step - expected)).norm(), 2e-3 * (W * expected).norm()) << stiffness;
  }
}

/// What comes to W of each contact takes 1 + BᵀWB below nothing: neither precision has a factor.
TEST(ContactSpace, SaysWhereThereIsNoStep) {
  ContactsEverywhere at(1);
  const std::size_t contacts = at.bar.places.size();
  const double G = 1e3 / at.W.diagonal().mean();
  const std::vector<Mat3> curvatures(contacts, G * Mat3::Identity()),
      own(contacts, -1e3 * at.W.diagonal().maxCoeff() * Mat3::Identity());
  std::vector<Vec3> p(contacts, Vec3::Ones());
  EXPECT_FALSE(at.space.reduce(curvatures, own, at.listed(someVelocities(at.rows, 5)), p));
  for (const Vec3& impulse : p) EXPECT_TRUE(impulse.isZero(0));
}

/// What M (v − vⁿ − Δt g) + ∇E(v), with the law itself and not its tangents, lacks of the contacts' impulses, relative to them.
double lackAtEnd(ImplicitProblem& problem, const ImplicitSolution& s) {
  VecX gradient = VecX::Zero(s.v.size()), impulses = gradient;
  problem.elastic.linearize(s.v);
  problem.elastic.addGradient(gradient);
  for (std::size_t i = 0; i < problem.mass.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(3 * i);
    gradient.segment<3>(at) += problem.mass[i] * (s.v - problem.ballistic).segment<3>(at);
  }
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) problem.contacts[c].scatter(s.gamma[c], impulses);
  return (gradient - impulses).norm() / impulses.norm();
}

/// A bar that yields by 2 per cent of strain, or stiffens, and a body that presses it at 1 m/s: the tangents before contact do
/// not tell how it resists.
TEST(ImplicitSolver, ContactStandsByTheLawItselfWhereTangentsAreRepeated) {
  for (const MaterialModel model : {MaterialModel::HenckyVonMises, MaterialModel::NeoHookean})
    for (const double mostWork : {0.0, 1e12}) {
      const auto solve = [&](double tolerance) {
        Bar bar(model, 0.02);
        bar.touchBelow(0, {0.04, 0.02, -0.05});
        FreeRigidBody body(10, 0.01, {Vec3::Zero(), Vec3(0, 0, 1)});
        bar.problem.rigid = &body;
        bar.problem.bodies = {1};
        ImplicitSettings settings{1e-9, 100, 1e-2};
        settings.mostWork = mostWork;
        settings.tangentTolerance = tolerance;
        ImplicitSolver solver(settings);
        ImplicitSolution s;
        EXPECT_TRUE(solver.solveFree(bar.problem, s));
        solver.solveContact(bar.problem, s);
        EXPECT_TRUE(s.converged) << static_cast<int>(model);
        return std::pair(lackAtEnd(bar.problem, s), s.corrections);
      };
      const auto [byTangent, none] = solve(std::numeric_limits<double>::infinity());
      const auto [byLaw, corrections] = solve(1e-6);
      EXPECT_GT(byTangent, 0.01) << static_cast<int>(model);
      EXPECT_EQ(none, 0);
      EXPECT_LT(byLaw, 1e-5) << static_cast<int>(model);
      EXPECT_GE(corrections, 2) << static_cast<int>(model);
    }
}

}  // namespace
}  // namespace slipstick::mpm
