#include "engine/mpm/contact_space.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

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

void multiply(const MatX& A, std::span<const Vec3> x, std::span<Vec3> Ax) {
  if (x.empty()) return;
  const Eigen::Map<const VecX> from(x[0].data(), A.cols());
  Eigen::Map<VecX>(Ax[0].data(), A.rows()).noalias() = A * from;
}

}  // namespace

void ContactSpace::build(const GridCholesky& H, std::span<const ImplicitContact> contacts) {
  std::vector<GridCholesky::Row> rows;
  for (const ImplicitContact& c : contacts) rows.push_back({c.touched(), c.weights()});
  H.findCompliance(rows, W_);
  coupled_ = W_;
  mobility_.clear();
}

void ContactSpace::apply(std::span<const Vec3> x, std::span<Vec3> Wx) const {
  multiply(W_, x, Wx);
}

void ContactSpace::applyCoupled(std::span<const Vec3> x, std::span<Vec3> Wx) const {
  multiply(coupled_, x, Wx);
}

void ContactSpace::setMobility(std::span<const ImplicitContact> contacts,
                               std::span<const multibody::Mat6> mobility, std::size_t bodies) {
  if (mobility_.size() == mobility.size() && std::equal(mobility.begin(), mobility.end(), mobility_.begin()))
    return;
  mobility_.assign(mobility.begin(), mobility.end());
  coupled_ = W_;
  for (std::size_t i = 0; bodies > 0 && i < contacts.size(); ++i) {
    const ImplicitContact& a = contacts[i];
    if (a.body < 0) continue;
    answers_.clear();  // of this contact to impulses on each body
    for (std::size_t b = 0; b < bodies; ++b)
      answers_.push_back(a.bodyJacobian() * mobility[static_cast<std::size_t>(a.body) * bodies + b]);
    for (std::size_t j = 0; j <= i; ++j) {
      const ImplicitContact& b = contacts[j];
      if (b.body < 0) continue;
      const Eigen::Matrix<double, 3, 6>& answer = answers_[static_cast<std::size_t>(b.body)];
      const Mat3 together = answer.leftCols<3>() * skew(b.arm) + answer.rightCols<3>();
      const auto row = static_cast<Eigen::Index>(3 * i), column = static_cast<Eigen::Index>(3 * j);
      coupled_.block<3, 3>(row, column) += together;
      if (i != j) coupled_.block<3, 3>(column, row) += together.transpose();
    }
  }
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
    Eigen::Index row = column;
    for (std::size_t i = j; i < roots_.size(); row += roots_[i++].count) {
      const Root& a = roots_[i];
      Mat3 W = coupled_.block<3, 3>(3 * a.contact, 3 * b.contact);
      if (i == j && !own.empty()) W += own[static_cast<std::size_t>(a.contact)];
      const Mat3 between = a.columns.transpose() * (W * b.columns).eval();
      matrix_.block(row, column, a.count, b.count) = between.topLeftCorner(a.count, b.count);
    }
    column += b.count;
  }
  matrix_.diagonal().array() += 1;
  std::fill(p.begin(), p.end(), Vec3::Zero());
  if (!dense::factorize(matrix_)) return;
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
  if (u.empty()) return;
  Eigen::Map<VecX> all(u[0].data(), coupled_.rows());
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const auto at = static_cast<Eigen::Index>(3 * c);
    const Mat3 W = coupled_.block<3, 3>(at, at);
    const Vec3 change = minimizeAlone(contacts[c], W, u[c] - W * y[c], u[c]) - y[c];
    if (change.isZero(0)) continue;
    y[c] += change;
    all.noalias() += coupled_.middleCols<3>(at) * change;
  }
}

}  // namespace slipstick::mpm
