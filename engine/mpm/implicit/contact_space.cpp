#include "engine/mpm/implicit/contact_space.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "engine/foundation/set_size.h"

namespace slipstick::mpm {
namespace {

/// The impulse at the minimum of ½(u − b)ᵀW⁻¹(u − b) + ℓ_c(u), from u on, by Newton steps that are halved until they lead
/// down.
Vec3 minimizeAlone(const ImplicitContact& contact, const Mat3& W, const Vec3& b, Vec3 u) {
  constexpr int kMaxSteps = 8, kMaxHalvings = 12;
  constexpr double kEnough = 1e-4;  // of the impulse
  const Mat3 K = W.inverse();
  ImplicitContact::Linear at = contact.linearize(u);
  for (int step = 0; step < kMaxSteps; ++step) {
    const Vec3 own = K * (u - b), gradient = own - at.gamma;
    if (gradient.norm() <= kEnough * std::max(own.norm(), at.gamma.norm())) break;
    const Vec3 du = -(K + at.G).inverse() * gradient;
    const double energy = 0.5 * own.dot(u - b) + at.value;
    double alpha = 1;
    for (int halving = 0; halving < kMaxHalvings; ++halving, alpha /= 2) {
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
                         std::span<const int> chosen) {
  std::vector<numerics::NodeWeights> rows;
  for (const int c : chosen) {
    const ImplicitContact& contact = contacts[static_cast<std::size_t>(c)];
    rows.push_back({contact.touched(), contact.weights()});
  }
  std::vector<int> order;
  H.findCompliance(rows, grid_.W, grid_.rounded, order);
  // Where contacts are more than nodes, W is singular, and rounding in single precision can make it indefinite: impulses in its
  // null space would lower ℓ without bound. Errors of 6e-8 in each of n rows amount to some 2√n of that.
  constexpr double kRounding = 1e-5;
  grid_.W.diagonal() *= 1 + kRounding;
  grid_.rounded.diagonal() = grid_.W.diagonal().cast<float>();
  chosen_.clear();
  row_.assign(contacts.size(), 0);
  for (const int k : order) {
    const int c = chosen[static_cast<std::size_t>(k)];
    row_[static_cast<std::size_t>(c)] = static_cast<Eigen::Index>(3 * chosen_.size());
    chosen_.push_back(c);
  }
  gives_ = false;
  mobility_.clear();
}

void ContactSpace::pack(std::span<const Vec3> x) const {
  setSize(packed_, grid_.W.rows());
  for (std::size_t k = 0; k < chosen_.size(); ++k)
    packed_.segment<3>(static_cast<Eigen::Index>(3 * k)) = x[static_cast<std::size_t>(chosen_[k])];
}

void ContactSpace::unpack(const VecX& packed, std::span<Vec3> x) const {
  for (std::size_t k = 0; k < chosen_.size(); ++k)
    x[static_cast<std::size_t>(chosen_[k])] = packed.segment<3>(static_cast<Eigen::Index>(3 * k));
}

void ContactSpace::multiply(const MatX& A, std::span<const Vec3> x, std::span<Vec3> Ax) const {
  pack(x);
  setSize(product_, packed_.size());
  Dense<double>::multiplySymmetric(A, packed_, product_);
  std::fill(Ax.begin(), Ax.end(), Vec3::Zero());
  unpack(product_, Ax);
}

void ContactSpace::apply(std::span<const Vec3> x, std::span<Vec3> Wx) const {
  multiply(grid_.W, x, Wx);
}

void ContactSpace::applyCoupled(std::span<const Vec3> x, std::span<Vec3> Wx) const {
  multiply(coupled().W, x, Wx);
}

Mat3 ContactSpace::own(std::size_t contact) const {
  return coupled().W.block<3, 3>(row_[contact], row_[contact]).selfadjointView<Eigen::Lower>();
}

/// Adds J_r A_r⁻¹ J_rᵀ.
void ContactSpace::setMobility(std::span<const ImplicitContact> contacts,
                               std::span<const multibody::Mat6> mobility, std::size_t bodies) {
  if (mobility_.size() == mobility.size() && std::equal(mobility.begin(), mobility.end(), mobility_.begin()))
    return;
  mobility_.assign(mobility.begin(), mobility.end());
  std::vector<int> touching;  // contacts on bodies
  for (const int c : chosen_)
    if (contacts[static_cast<std::size_t>(c)].body >= 0) touching.push_back(c);
  gives_ = !touching.empty();
  if (!gives_) return;
  auto coupled = grid_;  // an assignment would resize what is there
  coupled_ = std::move(coupled);
  const auto rows = static_cast<Eigen::Index>(3 * touching.size()),
             columns = static_cast<Eigen::Index>(6 * bodies);
  MatX J = MatX::Zero(rows, columns), A(columns, columns), JA(rows, columns),
       together = MatX::Zero(rows, rows);
  for (std::size_t i = 0; i < touching.size(); ++i) {
    const ImplicitContact& contact = contacts[static_cast<std::size_t>(touching[i])];
    J.block<3, 6>(static_cast<Eigen::Index>(3 * i), 6 * contact.body) = contact.bodyJacobian();
  }
  for (std::size_t a = 0; a < bodies; ++a)
    for (std::size_t b = 0; b < bodies; ++b)
      A.block<6, 6>(static_cast<Eigen::Index>(6 * a), static_cast<Eigen::Index>(6 * b)) =
          mobility[a * bodies + b];
  Dense<double>::multiply(J, A, JA);
  Dense<double>::addProductTransposed(JA, J, together);
  for (std::size_t j = 0; j < touching.size(); ++j)
    for (std::size_t i = j; i < touching.size(); ++i) {
      const Eigen::Index row = row_[static_cast<std::size_t>(touching[i])],
                         column = row_[static_cast<std::size_t>(touching[j])];
      auto block = coupled_.W.block<3, 3>(row, column);
      block += together.block<3, 3>(static_cast<Eigen::Index>(3 * i), static_cast<Eigen::Index>(3 * j));
      coupled_.rounded.block<3, 3>(row, column) = block.cast<float>();
    }
}

bool ContactSpace::reduce(std::span<const Mat3> G, std::span<const Mat3> own, std::span<const Vec3> d,
                          std::span<Vec3> p) {
  findRoots(G);
  Eigen::Index at = 0;
  for (const Root& root : roots_) at += root.count;
  VecX x(at);
  at = 0;
  for (const Root& root : roots_) {
    x.segment(at, root.count).noalias() =
        root.columns.leftCols(root.count).transpose() * d[static_cast<std::size_t>(root.contact)];
    at += root.count;
  }
  std::fill(p.begin(), p.end(), Vec3::Zero());
  VecX answer;
  if (!solve(single_, own, x, answer) && !solve(double_, own, x, answer)) return false;
  at = 0;
  for (const Root& root : roots_) {
    p[static_cast<std::size_t>(root.contact)].noalias() =
        root.columns.leftCols(root.count) * answer.segment(at, root.count);
    at += root.count;
  }
  return true;
}

/// x = (1 + BᵀWB)⁻¹ r by a factor in the precision of A, which takes it, repeated until it is good enough: nodes that boundaries
/// hold are a million times as stiff as what moves with them. For the step dy = g − Bx that r = BᵀWg asks for, x is BᵀW dy, but for
/// what is left of r, and dyᵀWg is dyᵀW dy + xᵀ(x + rest): with a rest less than x, not than r, which may be much larger, it leads
/// downhill.
/// @return false where that does not get there
template <class Matrix>
bool ContactSpace::solve(Matrix& A, std::span<const Mat3> own, const VecX& r, VecX& x) {
  constexpr double kEnough = 1e-3;  // is left of r, in terms of x
  constexpr int kMaxRefinements = 4;
  using Real = typename Matrix::Scalar;
  fill(A, own, r.size());
  if (!Dense<Real>::factorize(A)) return false;
  setSize(x, r.size());
  x.setZero();
  VecX rest = r;
  for (int refinement = 0; refinement <= kMaxRefinements; ++refinement) {
    Eigen::Matrix<Real, Eigen::Dynamic, 1> y = rest.cast<Real>();
    Dense<Real>::solveLowerFor(A, y);
    Dense<Real>::solveTransposedFor(A, y);
    x += y.template cast<double>();
    rest = r - reduced(own, x);
    if (rest.norm() <= kEnough * x.norm()) return true;
  }
  return false;
}

/// A = 1 + BᵀWB, its lower triangle.
template <class Matrix>
void ContactSpace::fill(Matrix& A, std::span<const Mat3> own, Eigen::Index size) {
  using Real = typename Matrix::Scalar;
  using Lanes = Eigen::Array<Real, 4, 3>;  // rows: three count
  const auto& W = coupled().in(Real());
  setSize(A, size, size);
  Eigen::Index column = 0;
  for (std::size_t j = 0; j < roots_.size(); column += roots_[j++].count) {
    const Root& b = roots_[j];
    Mat3 itself = this->own(static_cast<std::size_t>(b.contact));
    if (!own.empty()) itself += own[static_cast<std::size_t>(b.contact)];
    A.block(column, column, b.count, b.count) =
        (b.columns.transpose() * itself * b.columns).topLeftCorner(b.count, b.count).template cast<Real>();
    const Eigen::Index first = row_[static_cast<std::size_t>(b.contact)];
    Lanes B = Lanes::Zero();
    B.template topRows<3>() = b.columns.transpose().cast<Real>();
    Eigen::Index row = column + b.count;
    for (std::size_t i = j + 1; i < roots_.size(); row += roots_[i++].count) {
      const Root& a = roots_[i];
      const auto w = W.template block<3, 3>(row_[static_cast<std::size_t>(a.contact)], first);
      const Eigen::Matrix<Real, 3, 3> columns = a.columns.cast<Real>();
      Lanes between = Lanes::Zero();  // transposed
      for (int m = 0; m < 3; ++m) {
        const Eigen::Array<Real, 4, 1> BW = w(m, 0) * B.col(0) + w(m, 1) * B.col(1) + w(m, 2) * B.col(2);
        for (int k = 0; k < 3; ++k) between.col(k) += columns(m, k) * BW;
      }
      for (int l = 0; l < b.count; ++l)
        for (int k = 0; k < a.count; ++k) A(row + k, column + l) = between(l, k);
    }
  }
  A.diagonal().array() += 1;
}

/// (1 + BᵀWB) x
VecX ContactSpace::reduced(std::span<const Mat3> own, const VecX& x) const {
  setSize(packed_, grid_.W.rows());
  packed_.setZero();
  setSize(product_, grid_.W.rows());
  Eigen::Index at = 0;
  for (const Root& root : roots_) {
    packed_.segment<3>(row_[static_cast<std::size_t>(root.contact)]).noalias() =
        root.columns.leftCols(root.count) * x.segment(at, root.count);
    at += root.count;
  }
  Dense<double>::multiplySymmetric(coupled().W, packed_, product_);
  VecX Ax = x;
  at = 0;
  for (const Root& root : roots_) {
    const auto contact = static_cast<std::size_t>(root.contact);
    Vec3 u = product_.segment<3>(row_[contact]);
    if (!own.empty()) u += own[contact] * packed_.segment<3>(row_[contact]);
    Ax.segment(at, root.count).noalias() += root.columns.leftCols(root.count).transpose() * u;
    at += root.count;
  }
  return Ax;
}

/// G = B Bᵀ with a column for each direction that resists: none where a contact is open, one without friction, two where it
/// slides.
void ContactSpace::findRoots(std::span<const Mat3> G) {
  constexpr double kNothing = 1e-13;
  roots_.clear();
  Eigen::SelfAdjointEigenSolver<Mat3> eigen;
  for (const int contact : chosen_) {
    const Mat3& curvature = G[static_cast<std::size_t>(contact)];
    if (curvature.isZero(0)) continue;
    eigen.computeDirect(curvature);  // ascending
    Root root{contact, 0, Mat3::Zero()};
    for (int k = 2; k >= 0 && eigen.eigenvalues()[k] > kNothing * eigen.eigenvalues()[2]; --k)
      root.columns.col(root.count++) = std::sqrt(eigen.eigenvalues()[k]) * eigen.eigenvectors().col(k);
    roots_.push_back(root);
  }
}

/// A column of W's lower triangle tells what a contact does to those behind it, and what they do to it: that of one sweep is
/// seen to in the next, so that W is read once in each.
void ContactSpace::sweep(std::span<const ImplicitContact> contacts, int times, std::span<Vec3> y,
                         std::span<Vec3> u) const {
  const MatX& W = coupled().W;
  const Eigen::Index rows = W.rows();
  pack(u);
  VecX& velocity = packed_;
  VecX& changes = product_;
  setSize(changes, rows);
  changes.setZero();  // in the last sweep, or this one
  const auto learnFromBehind = [&](Eigen::Index at) {
    const Eigen::Index next = at + 3;
    velocity.segment<3>(at).noalias() +=
        W.block(next, at, rows - next, 3).transpose() * changes.tail(rows - next);
  };
  for (int sweep = 0; sweep < times; ++sweep)
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      const auto contact = static_cast<std::size_t>(chosen_[k]);
      const auto at = static_cast<Eigen::Index>(3 * k), next = at + 3;
      if (sweep > 0) learnFromBehind(at);
      const Mat3 itself = own(contact);
      const Vec3 here = velocity.segment<3>(at);
      const Vec3 change =
          minimizeAlone(contacts[contact], itself, here - itself * y[contact], here) - y[contact];
      changes.segment<3>(at) = change;
      if (change.isZero(0)) continue;
      y[contact] += change;
      velocity.segment<3>(at) += itself * change;
      velocity.tail(rows - next).noalias() += W.block(next, at, rows - next, 3) * change;
    }
  for (Eigen::Index at = 0; at < rows; at += 3) learnFromBehind(at);
  unpack(velocity, u);
}

}  // namespace slipstick::mpm
