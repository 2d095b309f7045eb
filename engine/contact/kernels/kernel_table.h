// The loops of the rigid solve that are compiled once per instruction set: plain structs of raw pointers and a
// table of functions. Nothing here has code: a function shared between variants could end up in the form that
// only the newest CPU understands. All variants give the same bits (engine/contact/kernels.cmake).
#pragma once

namespace slipstick::contact {

/// Contact points lie in packs of four, field after field, four doubles each; a pack belongs to one pair.
inline constexpr int kPointLanes = 4;
struct PointField {
  enum : int {
    R = 0,       ///< from the pair's origin, 3 [m]
    Normal = 3,  ///< 3; zero in lanes that fill up a pack
    // Lagged and similar potentials:
    Force = 6,          ///< f₀ [N]
    Stiffness = 7,      ///< [N/m]
    Dissipation = 8,    ///< [s/m]
    FrictionBound = 9,  ///< μ n₀ [N s]
    Epsilon = 10,       ///< [m/s]
    Friction = 11,      ///< μ [-]
    Step = 12,          ///< [s]
    // SAP, in the same places:
    Rt = 6,
    Rn = 7,
    VHat = 8,
    Count = 13
  };
};
inline constexpr int kPointPackDoubles = PointField::Count * kPointLanes;

/// What a point does at the velocities that it was asked about, in packs of their own.
struct PointResult {
  enum : int {
    Gamma = 0,     ///< 3 [N s]
    Velocity = 3,  ///< 3 [m/s]
    Count = 6
  };
};
inline constexpr int kResultPackDoubles = PointResult::Count * kPointLanes;

/// A pair's packs.
struct PackRange {
  int begin = 0, end = 0;
};

/// The pairs of one island that touch in points.
struct PointArgs {
  const double* packs = nullptr;
  const PackRange* ranges = nullptr;  ///< per pair of the problem
  const int* pairs = nullptr;
  int count = 0;
  const double* V =
      nullptr;  ///< per pair of the problem, 6: relative velocity at its origin, (angular, linear)
  const double* dV = nullptr;  ///< likewise, its change along the search direction; slopes only
  double* results = nullptr;   ///< PointResult of the packs; impulses only
};

/// One shape of the contact potential.
struct PointLoops {
  /// γ and u of every point. @param wrench  per pair of the problem, 6: about its origin
  void (*impulses)(const PointArgs&, double* wrench);
  /// Σ Sᵀ G S, u = S V. @param K  per pair of the problem, 6 × 6 column-major
  void (*hessians)(const PointArgs&, double* K);
  /// Σ ℓ(u) [J]
  double (*cost)(const PointArgs&);
  /// Slope and curvature of Σ ℓ along dV at V + α dV.
  void (*slope)(const PointArgs&, double alpha, double* first, double* second);
};

/// Dense panels, column-major: width × width lower triangle above rows − width further rows.
struct PanelLoops {
  /// Cholesky factor of the triangle, and the rows below divided by it. @return false: a pivot is not positive
  bool (*factorize)(double* panel, int rows, int width);
  /// C = A Bᵀ. @param A  rows × inner and B  columns × inner, both with `stride` from column to column
  /// @param C  rows × columns, without gaps
  void (*multiply)(const double* A, int rows, const double* B, int columns, int inner, int stride, double* C);
  /// own ← L⁻¹ own, then below ← below − (rows under the triangle) own
  void (*forward)(const double* panel, int rows, int width, double* own, double* below);
  /// own ← L⁻ᵀ (own − (rows under the triangle)ᵀ below)
  void (*backward)(const double* panel, int rows, int width, double* own, const double* below);
  /// Aᵗ K B of a symmetric 6 × 6 matrix moved from a pair's origin: to = X(a)ᵀ K X(b), where X(r) moves a
  /// velocity by r. @param a, b  origin − body's origin [m]
  void (*move)(const double* K, const double* a, const double* b, double* to);
};

struct RigidKernels {
  const char* instructionSet;
  PointLoops lagged, similar, sap;
  PanelLoops panels;
};

extern const RigidKernels kBaseRigidKernels, kAvx2RigidKernels, kAvx512RigidKernels;

}  // namespace slipstick::contact
