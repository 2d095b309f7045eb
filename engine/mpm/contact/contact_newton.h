// The exact Newton step of the contact problem, reduced to contact space. With lumped M, W = J M⁻¹ Jᵀ couples
// the contacts p and q by the scalar Σ_i w_ip w_iq / m_i times I, and by the Woodbury identity, with S S = G
// and z = M⁻¹ ∇ℓ,
//   (M + Jᵀ G J)⁻¹ ∇ℓ = z − M⁻¹ Jᵀ S (I + S W S)⁻¹ S J z.
// I + S W S is positive definite also where contacts are open (G = 0) and never worse conditioned than the
// problem. In double.
//
// Where boundaries fix directions Q_i of node i (a projector), the step keeps to the others: M⁻¹ becomes
// M⁻¹ (1 − Q), and W loses Σ_i w_ip w_iq / m_i Q_i. Where contacts touch rigid bodies whose velocities are unknowns, too, W
// gains J_r H_r⁻¹ J_rᵀ, H_r the Hessian of the rigid side.
#pragma once

#include <Eigen/Cholesky>
#include <utility>

#include "engine/foundation/math.h"
#include "engine/mpm/contact/contact_layout.h"

namespace slipstick::mpm {

/// For at most kMaxNewtonContacts contacts.
template <class Real>
class ContactSpaceNewton {
 public:
  void clear() { ready_ = corrected_ = false; }

  /// Directions that cannot move; before every reduce() where there are any.
  /// @param nodes  where, and `fixed` the projectors there
  void fix(const ContactLayout<Real>& layout, const std::vector<Real>& mass,
           const std::vector<std::size_t>& nodes, const std::vector<Mat3>& fixed) {
    corrected_ = !nodes.empty();
    if (!corrected_) return;
    clearCorrection(layout.contacts);
    indexOf_.assign(mass.size(), -1);
    for (std::size_t n = 0; n < nodes.size(); ++n) indexOf_[nodes[n]] = static_cast<int>(n);
    if (touching_.size() < nodes.size()) touching_.resize(nodes.size());
    for (auto& list : touching_) list.clear();
    for (const Stencil& s : layout.stencils)
      for (std::size_t j = 0; j < 27; ++j) {
        const int n = indexOf_[static_cast<std::size_t>(s.node[j])];
        if (n < 0) continue;
        for (int p = s.begin; p < s.end; ++p)
          touching_[static_cast<std::size_t>(n)].push_back({p, double(layout.weight(s, j, p))});
      }
    for (std::size_t n = 0; n < nodes.size(); ++n)
      for (const Share& p : touching_[n])
        for (const Share& q : touching_[n])
          if (p.contact >= q.contact)
            correction_.template block<3, 3>(3 * p.contact, 3 * q.contact) -=
                p.weight * q.weight / double(mass[nodes[n]]) * fixed[n];
  }

  /// Bodies that give way; after fix(), before every reduce() where there are any.
  /// @param mobility  [body · bodies + other body]: velocity of the one per impulse on the other, (angular, linear)
  void couple(const ContactLayout<Real>& layout, const std::vector<multibody::Mat6>& mobility,
              std::size_t bodies) {
    if (!std::exchange(corrected_, true)) clearCorrection(layout.contacts);
    const auto jacobian = [&](std::size_t p) {
      Eigen::Matrix<double, 3, 6> J;
      J << -skew(Vec3(double(layout.arm[p].x), double(layout.arm[p].y), double(layout.arm[p].z))),
          Mat3::Identity();
      return J;
    };
    for (int q = 0; q < layout.contacts; ++q) {
      const auto indexQ = static_cast<std::size_t>(q);
      if (layout.body[indexQ] < 0) continue;
      const Eigen::Matrix<double, 3, 6> Jq = jacobian(indexQ);
      for (int p = q; p < layout.contacts; ++p) {
        const auto indexP = static_cast<std::size_t>(p);
        if (layout.body[indexP] < 0) continue;
        const multibody::Mat6& between = mobility[static_cast<std::size_t>(layout.body[indexP]) * bodies +
                                                  static_cast<std::size_t>(layout.body[indexQ])];
        correction_.template block<3, 3>(3 * p, 3 * q) +=
            jacobian(indexP).lazyProduct(between).lazyProduct(Jq.transpose());
      }
    }
  }

  /// Curvature of one contact, before reduce().
  void setHessian(int contactIndex, const contact::LaggedPotential<double>& at, const V3<double>& normal) {
    if (roots_.empty()) roots_.resize(kMaxNewtonContacts);
    const M3<double> root = contact::hessianRoot(at, normal);
    roots_[static_cast<std::size_t>(contactIndex)] =
        Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(root.a);
  }

  /// y = S (I + S W S)⁻¹ S jz per contact, jz = J M⁻¹ ∇ℓ.
  /// @return false where I + S W S has no factor: y is not touched
  [[nodiscard]] bool reduce(const ContactLayout<Real>& layout, const std::vector<Real>& mass,
                            const Columns3<Real>& jz, Quads<Real>& y) {
    const int n = layout.contacts;
    reserve();
    if (!ready_) buildDelassus(layout, mass);
    const auto root = [&](int p) -> const Mat3& { return roots_[static_cast<std::size_t>(p)]; };
    for (int p = 0; p < n; ++p) {
      const V3<Real> a = jz.at(static_cast<std::size_t>(p));
      vector_.segment<3>(3 * p).noalias() = root(p) * Vec3(double(a.x), double(a.y), double(a.z));
    }
    auto matrix = matrix_.topLeftCorner(3 * n, 3 * n);
    for (int q = 0; q < n; ++q)
      for (int p = q; p < n; ++p)
        matrix.template block<3, 3>(3 * p, 3 * q).noalias() = delassus_(p, q) * (root(p) * root(q)).eval();
    if (corrected_)
      for (int q = 0; q < n; ++q)
        for (int p = q; p < n; ++p)
          matrix.template block<3, 3>(3 * p, 3 * q) +=
              root(p) * correction_.template block<3, 3>(3 * p, 3 * q) * root(q);
    matrix.diagonal().array() += 1;
    Eigen::Ref<MatX> inPlace(matrix);
    const Eigen::LLT<Eigen::Ref<MatX>> factor(inPlace);
    if (factor.info() != Eigen::Success) return false;
    auto solved = vector_.head(3 * n);
    factor.matrixL().solveInPlace(solved);
    factor.matrixU().solveInPlace(solved);
    for (int p = 0; p < n; ++p) {
      const Vec3 c = root(p) * vector_.segment<3>(3 * p);
      y[static_cast<std::size_t>(p)] = quad<Real>({Real(c.x()), Real(c.y()), Real(c.z())});
    }
    return true;
  }

 private:
  void clearCorrection(int contacts) {
    if (correction_.rows() < 3 * contacts) correction_.resize(3 * kMaxNewtonContacts, 3 * kMaxNewtonContacts);
    correction_.topLeftCorner(3 * contacts, 3 * contacts).setZero();
  }

  void reserve() {
    if (vector_.size() > 0) return;  // the last of them
    delassus_.resize(kMaxNewtonContacts, kMaxNewtonContacts);
    matrix_.resize(3 * kMaxNewtonContacts, 3 * kMaxNewtonContacts);
    vector_.resize(3 * kMaxNewtonContacts);
    ready_ = false;
  }

  void buildDelassus(const ContactLayout<Real>& layout, const std::vector<Real>& mass) {
    delassus_.setZero();
    for (const Stencil& a : layout.stencils)
      for (const Stencil& b : layout.stencils) {
        if (b.begin > a.begin) break;
        for (std::size_t i = 0; i < 27; ++i)
          for (std::size_t j = 0; j < 27; ++j)
            if (a.node[i] == b.node[j])
              couple(layout, a, i, b, j, 1 / double(mass[static_cast<std::size_t>(a.node[i])]));
      }
    ready_ = true;
  }

  /// Adds one shared node's w_ip w_iq / m_i for all contacts of two stencils (lower triangle).
  void couple(const ContactLayout<Real>& layout, const Stencil& a, std::size_t i, const Stencil& b,
              std::size_t j, double inverseMass) {
    for (int p = a.begin; p < a.end; ++p)
      for (int q = b.begin; q < b.end; ++q)
        delassus_(p, q) += double(layout.weight(a, i, p)) * double(layout.weight(b, j, q)) * inverseMass;
  }

  MatX delassus_;  // [1/kg], contacts × contacts
  MatX matrix_;    // I + S W S
  VecX vector_;
  std::vector<Mat3> roots_;
  bool ready_ = false;

  /// A contact that a node with fixed directions touches.
  struct Share {
    int contact;
    double weight;
  };
  MatX correction_;  // what W ⊗ 1 loses by fixed directions and gains by bodies that give way, lower triangle
  std::vector<int> indexOf_;
  std::vector<std::vector<Share>> touching_;
  bool corrected_ = false;
};

}  // namespace slipstick::mpm
