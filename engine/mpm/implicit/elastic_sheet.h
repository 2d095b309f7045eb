// The elastic energy of cloth as a function of the grid's velocities at the end of an implicit step. Vertices go with the
// grid, the directors of triangles with its gradient at the centroids (Jiang et al. 2017): points, each of them linear in v,
//   x(v) = x + Δt Σ_i w_i v_i,   d(v) = d + Δt 4/h² Σ_i w_ip ((x_i − x_p)·d) v_i.
// A triangle's F is linear in three vertices and its director, a hinge's angle θ a function of four vertices:
//   E(v) = Σ V Ψ(F(v)) + Σ ½ k (θ(v) − θ₀)².
// Hessians are those of Ψ without negative directions, and k ∇θ ∇θᵀ (Gauss–Newton). Nodes have three velocities each, side
// by side in one vector.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "engine/mpm/materials/cloth_tangent.h"

namespace slipstick::mpm {

class ElasticSheet {
 public:
  struct Point {
    Vec3 x;  ///< at v = 0 [m]; a director has no unit
    std::array<int, 27> node;
    std::array<double, 27> weight;  ///< ∂x/∂v [s], of a director [s/m]
  };
  struct Triangle {
    MaterialConstants<double> constants;
    double volume;                  ///< [m³]
    std::array<int, 4> points;      ///< corners, and the director
    Eigen::Matrix<double, 4, 3> G;  ///< F = Σ_k x_k G_k, rows [1/m], of the director [1]
  };
  struct Hinge {
    std::array<int, 4> points;  ///< as lanes::hingeAngle takes them
    double stiffness;           ///< k [N m]
    double restAngle;           ///< θ₀ [rad]
  };

  void clear();
  int add(const Point& point);
  void add(const Triangle& triangle);
  void add(const Hinge& hinge);
  /// Triangles and hinges.
  std::size_t size() const { return elements_.size(); }

  /// Forces and tangents at v, which the functions below take. @return E(v) [J]
  double linearize(const VecX& v);
  /// Forces alone: tangents stay those of linearize(). @return E(v) [J]
  double findStress(const VecX& v);
  /// Adds ∇E.
  void addGradient(VecX& gradient) const;
  /// Adds H x.
  void addCurvature(const VecX& x, VecX& Hx) const;
  /// Adds the nodes' diagonal blocks of H.
  void addBlocks(std::vector<Mat3>& blocks) const;

  /// H is the sum of one element for each triangle and hinge, between these nodes.
  std::span<const int> nodesOf(std::size_t element) const { return elements_[element].nodes; }
  /// @param K  entry (3 i + a, 3 j + b) between nodes i and j of the element
  void findElement(std::size_t element, MatX& K) const;

 private:
  using Mat12 = Eigen::Matrix<double, 12, 12>;
  struct Element {
    int triangle = -1, hinge = -1;  ///< one of them
    std::array<int, 4> points;
    std::vector<int> nodes;               ///< of all its points
    Eigen::Matrix<double, -1, 4> weight;  ///< of the nodes in each point
  };
  struct TriangleState {
    Mat3 P = Mat3::Zero();  ///< V ∂Ψ/∂F [J]
    Mat9 C = Mat9::Zero();  ///< V ∂²Ψ/∂F² [J]
  };
  struct HingeState {
    Eigen::Matrix<double, 3, 4> force = Eigen::Matrix<double, 3, 4>::Zero();  ///< k (θ − θ₀) ∇θ [N]
    Eigen::Matrix<double, 3, 4> gradient =
        Eigen::Matrix<double, 3, 4>::Zero();  ///< of the tangent: ∇θ [rad/m]
  };

  void addElement(Element element);
  double evaluate(const VecX& v, bool tangents);
  void movePoints(const VecX& v, std::vector<Vec3>& change) const;
  void scatter(const std::vector<Vec3>& forces, VecX& v) const;
  Mat12 tangentOf(const Element& element) const;

  std::vector<Point> points_;
  std::vector<Triangle> triangles_;
  std::vector<Hinge> hinges_;
  std::vector<Element> elements_;
  std::vector<TriangleState> triangleStates_;
  std::vector<HingeState> hingeStates_;
  mutable std::vector<Vec3> change_, force_;  ///< scratch, per point
};

}  // namespace slipstick::mpm
