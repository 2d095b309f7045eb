// The elastic energy of particles as a function of the grid's velocities at the end of an implicit step (Zong 2024, Eq. 14,
// 16): with the MLS gradient of the transfers,
//   F_p(v) = F_p + Σ_i v_i b_ipᵀ,   b_ip = Δt 4/h² w_ip F_pᵀ (x_i − x_p),   E(v) = Σ_p V_p Ψ(F_p(v)).
// Its gradient is Σ V P b, its Hessian H = Σ V BᵀC B with the projected tangents C. Cloth has its own terms, see
// ElasticSheet. Nodes have three velocities each, side by side in one vector.
#pragma once

#include <array>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/mpm/implicit/elastic_sheet.h"
#include "engine/mpm/materials/tangent.h"

namespace slipstick::mpm {

class ElasticGrid {
 public:
  struct Particle {
    ImplicitElasticity law;
    double volume;  ///< V⁰ [m³]
    Mat3 F;         ///< at the step's start
    std::array<int, 27> node;
    std::array<Vec3, 27> b;  ///< [s/m]
  };

  void clear();
  void add(const Particle& particle);
  /// Cloth takes part in all that follows.
  ElasticSheet& cloth() { return cloth_; }
  /// Particles, and elements of cloth.
  std::size_t size() const { return points_ + cloth_.size(); }
  /// Whether E is quadratic in v.
  bool isQuadratic() const;

  /// Stresses and tangents at v, which the functions below take. Cloth's are projected always. @return E(v) [J]
  double linearize(const VecX& v, Tangents tangents = Tangents::Projected);
  /// The stresses alone: tangents stay those of linearize(). @return E(v) [J]
  double findStress(const VecX& v);
  /// Adds ∇E.
  void addGradient(VecX& gradient) const;
  /// Adds H x.
  void addCurvature(const VecX& x, VecX& Hx) const;
  /// Adds the nodes' diagonal blocks of H.
  void addBlocks(std::vector<Mat3>& blocks) const;

  /// Nodes of the elements that H is the sum of, one for each set that particles share, and those of cloth. They are valid
  /// until something is added.
  std::vector<std::span<const int>> elements() const;
  /// @param K  of float or double, entry (3 i + a, 3 j + b) between nodes i and j of the element; only blocks with i ≥ j count
  template <class Matrix>
  void findElement(std::size_t element, Matrix& K) const;

 private:
  struct Point {
    ImplicitElasticity law;
    double volume;
    Mat3 F;
    Mat3 P = Mat3::Zero();  ///< where it was linearised last [Pa]
    /// V C there [J], as CurvatureArgs::stiffness has it: entry (i, l) of stress by entry (k, m) of F in row 4 l + i of column k + 3 m.
    Eigen::Array<double, 12, 9> stiffness = Eigen::Array<double, 12, 9>::Zero();
  };
  /// The particles of 27 nodes.
  struct Element {
    std::array<int, 27> nodes;
    std::vector<Point> points;
    MatX shapes;  ///< row i, columns 3 p to 3 p + 2: b_i of point p
  };
  /// A vector for each node of an element, and a zero after it.
  using Nodal = Eigen::Array<double, 4, 27>;
  template <class Respond>
  double evaluate(const VecX& v, const Respond& respond);
  static Nodal gather(const Element& element, const VecX& v);
  static void scatter(const Nodal& nodal, const Element& element, VecX& v);

  std::vector<Element> elements_;
  std::size_t points_ = 0;
  std::unordered_map<int, std::size_t> middle_;  ///< element by its middle node
  ElasticSheet cloth_;
};

}  // namespace slipstick::mpm
