#include "engine/mpm/contact_space.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/foundation/dense_blas.h"

namespace slipstick::mpm {
namespace {

/// The impulse at the minimum of ½(u − b)ᵀW⁻¹(u − b) + ℓ_c(u), from u on, by Newton steps that are halved until they lead
/// down.
Vec3 minimizeAlone(const ImplicitContact& contact, const Mat3& W, const Vec3& b, Vec3 u) {
  constexpr int kMostSteps = 8, kMostHalvings = 12;
  constexpr double kEnough = 1e-4;  // of the impulse
  const Mat3 K = W.inverse();
  ImplicitContact::Linear at = contact.linearize(u);
  for (int step = 0; step < kMostSteps; ++step) {
    const Vec3 own = K * (u - b), gradient = own - at.gamma;
    if (gradient.norm() <= kEnough * std::max(own.norm(), at.gamma.norm())) break;
    const Vec3 du = -(K + at.G).inverse() * gradient;
    const double energy = 0.5 * own.dot(u - b) + at.value;
    double alpha = 1;
    for (int halving = 0; halving < kMostHalvings; ++halving, alpha /= 2) {
      const Vec3 next = u + alpha * du;
      const ImplicitContact::Linear there = contact.linearize(next);
      if (0.5 * (next - b).dot(K * (next - b)) + there.value >= energy) continue;
      u = next;
      at = there;
      break;
    }
  }
  return at.gamma;
}

}  // namespace

void ContactSpace::build(const GridHessian& H, std::span<const ImplicitContact> contacts,
                         std::vector<int> chosen) {
  chosen_ = std::move(chosen);
  slot_.assign(contacts.size(), 0);
  std::vector<NodeWeights> rows;
  for (const int c : chosen_) {
    const auto at = static_cast<std::size_t>(c);
    slot_[at] = static_cast<Eigen::Index>(rows.size());
    rows.push_back({contacts[at].touched(), contacts[at].weights()});
  }
  H.findCompliance(rows, W_);
  coupled_ = W_;
  mobility_.clear();
}

void ContactSpace::multiply(const MatX& A, std::span<const Vec3> x, std::span<Vec3> Ax) const {
  packed_.resize(A.rows());
  for (const int c : chosen_)
    packed_.segment<3>(3 * slot_[static_cast<std::size_t>(c)]) = x[static_cast<std::size_t>(c)];
  packed_ = A * packed_;
  std::fill(Ax.begin(), Ax.end(), Vec3::Zero());
  for (const int c : chosen_)
    Ax[static_cast<std::size_t>(c)] = packed_.segment<3>(3 * slot_[static_cast<std::size_t>(c)]);
}

void ContactSpace::apply(std::span<const Vec3> x, std::span<Vec3> Wx) const {
  multiply(W_, x, Wx);
}

void ContactSpace::applyCoupled(std::span<const Vec3> x, std::span<Vec3> Wx) const {
  multiply(coupled_, x, Wx);
}

/// Adds J_r A_r⁻¹ J_rᵀ.
void ContactSpace::setMobility(std::span<const ImplicitContact> contacts,
                               std::span<const multibody::Mat6> mobility, std::size_t bodies) {
  if (mobility_.size() == mobility.size() && std::equal(mobility.begin(), mobility.end(), mobility_.begin()))
    return;
  mobility_.assign(mobility.begin(), mobility.end());
  coupled_ = W_;
  std::vector<int> touching;  // contacts on bodies
  for (const int c : chosen_)
    if (contacts[static_cast<std::size_t>(c)].body >= 0) touching.push_back(c);
  const auto rows = static_cast<Eigen::Index>(3 * touching.size()),
             columns = static_cast<Eigen::Index>(6 * bodies);
  MatX J = MatX::Zero(rows, columns), A(columns, columns), JA(rows, columns), together(rows, rows);
  for (std::size_t i = 0; i < touching.size(); ++i) {
    const ImplicitContact& contact = contacts[static_cast<std::size_t>(touching[i])];
    J.block<3, 6>(static_cast<Eigen::Index>(3 * i), 6 * contact.body) = contact.bodyJacobian();
  }
  for (std::size_t a = 0; a < bodies; ++a)
    for (std::size_t b = 0; b < bodies; ++b)
      A.block<6, 6>(static_cast<Eigen::Index>(6 * a), static_cast<Eigen::Index>(6 * b)) =
          mobility[a * bodies + b];
  Dense<double>::multiply(J, A, JA);
  together.setZero();
  Dense<double>::addProductTransposed(JA, J, together);
  for (std::size_t j = 0; j < touching.size(); ++j)
    for (std::size_t i = 0; i < touching.size(); ++i)
      coupled_.block<3, 3>(3 * slot_[static_cast<std::size_t>(touching[i])],
                           3 * slot_[static_cast<std::size_t>(touching[j])]) +=
          together.block<3, 3>(static_cast<Eigen::Index>(3 * i), static_cast<Eigen::Index>(3 * j));
}

void ContactSpace::reduce(std::span<const Mat3> G, std::span<const Mat3> own, std::span<const Vec3> d,
                          std::span<Vec3> p) {
  findRoots(G);
  Eigen::Index n = 0;
  for (const Root& root : roots_) n += root.count;
  matrix_.resize(n, n);
  VecX y(n);
  Eigen::Index column = 0;
  for (std::size_t j = 0; j < roots_.size(); ++j) {
    const Root& b = roots_[j];
    const auto Bj = b.columns.leftCols(b.count);
    y.segment(column, b.count).noalias() = Bj.transpose() * d[static_cast<std::size_t>(b.contact)];
    const Eigen::Index slot = slot_[static_cast<std::size_t>(b.contact)];
    answer_.noalias() = coupled_.middleCols<3>(3 * slot) * b.columns;
    if (!own.empty()) answer_.middleRows<3>(3 * slot) += own[static_cast<std::size_t>(b.contact)] * b.columns;
    Eigen::Index row = column;
    for (std::size_t i = j; i < roots_.size(); row += roots_[i++].count) {
      const Root& a = roots_[i];
      const Mat3 between =
          a.columns.transpose() * answer_.block<3, 3>(3 * slot_[static_cast<std::size_t>(a.contact)], 0);
      for (int l = 0; l < b.count; ++l)
        for (int k = 0; k < a.count; ++k) matrix_(row + k, column + l) = between(k, l);
    }
    column += b.count;
  }
  matrix_.diagonal().array() += 1;
  std::fill(p.begin(), p.end(), Vec3::Zero());
  if (!Dense<double>::factorize(matrix_)) return;
  matrix_.triangularView<Eigen::Lower>().solveInPlace(y);
  matrix_.triangularView<Eigen::Lower>().transpose().solveInPlace(y);
  column = 0;
  for (const Root& root : roots_) {
    p[static_cast<std::size_t>(root.contact)].noalias() =
        root.columns.leftCols(root.count) * y.segment(column, root.count);
    column += root.count;
  }
}

/// G = B Bᵀ with a column for each direction that resists: none where a contact is open, one without friction, two where it
/// slides.
void ContactSpace::findRoots(std::span<const Mat3> G) {
  constexpr double kNothing = 1e-13;
  roots_.clear();
  Eigen::SelfAdjointEigenSolver<Mat3> eigen;
  for (std::size_t c = 0; c < G.size(); ++c) {
    if (G[c].isZero(0)) continue;
    eigen.computeDirect(G[c]);  // ascending
    Root root{static_cast<int>(c), 0, Mat3::Zero()};
    for (int k = 2; k >= 0 && eigen.eigenvalues()[k] > kNothing * eigen.eigenvalues()[2]; --k)
      root.columns.col(root.count++) = std::sqrt(eigen.eigenvalues()[k]) * eigen.eigenvectors().col(k);
    roots_.push_back(root);
  }
}

void ContactSpace::sweep(std::span<const ImplicitContact> contacts, std::span<Vec3> y,
                         std::span<Vec3> u) const {
  packed_.resize(coupled_.rows());
  for (const int c : chosen_)
    packed_.segment<3>(3 * slot_[static_cast<std::size_t>(c)]) = u[static_cast<std::size_t>(c)];
  for (const int c : chosen_) {
    const auto contact = static_cast<std::size_t>(c);
    const Eigen::Index at = 3 * slot_[contact];
    const Mat3 W = coupled_.block<3, 3>(at, at);
    const Vec3 here = packed_.segment<3>(at);
    const Vec3 change = minimizeAlone(contacts[contact], W, here - W * y[contact], here) - y[contact];
    if (change.isZero(0)) continue;
    y[contact] += change;
    packed_.noalias() += coupled_.middleCols<3>(at) * change;
  }
  for (const int c : chosen_)
    u[static_cast<std::size_t>(c)] = packed_.segment<3>(3 * slot_[static_cast<std::size_t>(c)]);
}

}  // namespace slipstick::mpm
