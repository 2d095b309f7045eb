// The loops that are compiled once per instruction set, as plain structs of raw pointers and a table of
// functions. Nothing here has code: a function shared between variants could end up in the form that only the
// newest CPU understands.
#pragma once

#include "engine/geometry/geometry_shape.h"
#include "engine/model/material.h"

namespace slipstick::mpm {

/// Particles lie in packs of 16: field after field, 16 floats each (array of structures of arrays).
inline constexpr int kPackLanes = 16;
struct PackField {
  enum : int {
    X = 0,          ///< position, 3 [m]
    V = 3,          ///< velocity, 3 [m/s]
    F = 6,          ///< elastic deformation gradient, 9, rows first [-]
    C = 15,         ///< affine velocity, 9 [1/s]
    Tau = 24,       ///< Kirchhoff stress of F, 6: xx yy zz xy xz yz [Pa]
    Mass = 30,      ///< [kg]; 0 in the lanes that fill up a pack
    Volume = 31,    ///< V⁰ [m³]
    Plastic = 32,   ///< accumulated plastic strain [-]
    Internal = 33,  ///< the material's internal variables, 2
    Count = 35
  };
};
inline constexpr int kPackFloats = PackField::Count * kPackLanes;

/// A block's private nodes: its own 4³, one more on the lower side and three on the upper (two for the
/// spline's width, one each for particles that drift after the sort). Four floats per node: three components
/// and the mass.
inline constexpr int kTileEdge = 8;
inline constexpr int kTileNodes = kTileEdge * kTileEdge * kTileEdge;
inline constexpr int kTileFloats = 4 * kTileNodes;

/// The constants of a material; see MaterialConstants.
struct MaterialFloats {
  float mu, lambda, strainLimit, law[4];
};

/// Particles of one block and one deformable.
struct RangeArgs {
  float* particles;  ///< first pack
  int count;         ///< particles, without the last pack's filling
  int tileBase[3];   ///< grid node at the tile's corner
  float* tile;
  float dt, h;  ///< [s], [m]
  MaterialFloats material;
  float apicDamping;
  float domain;  ///< largest |x| per axis [m]
};

struct RangeReport {
  float maxSpeedSquared;
  int nonFinite;  ///< any of x, F is NaN or infinite (C is part of F's update)
  int outside;    ///< a position beyond the domain
  int leftTile;   ///< a particle's nodes are no longer in the tile: sort anew
};

/// One block of the grid and the tiles around it.
struct ReduceArgs {
  const float* tiles[27];  ///< tile of the block at offset (i−1, j−1, k−1), index 9i + 3j + k, or null
  float* nodes;            ///< 4³ nodes × (velocity, mass): v* = mv/m + gravityStep
  float gravityStep[3];    ///< δt g [m/s]
};

struct DetectArgs {
  const float* particles;
  int count;
  int firstSlot;  ///< of the range's first particle
  GeometryShape<float> shape;
  float R_GW[9], p_GW[3];  ///< world → geometry
};

struct RawContact {
  int slot;  ///< of the particle
  int geometry;
  float phi;  ///< < 0 [m]
  float normal_G[3];
};

struct MeasureArgs {
  const float* F;         ///< one pack: 9 × 16
  const float* C;         ///< 9 × 16 [1/s]
  const float* internal;  ///< 2 × 16
  MaterialFloats material;
  float* vonMises;  ///< 16 [Pa]
  float* pressure;  ///< 16 [Pa]
  float* energy;    ///< 16, per initial volume [J/m³]
};

struct KernelTable {
  const char* instructionSet;
  /// P2G: adds mass and momentum of the range to its tile.
  void (*scatter)(const RangeArgs&);
  /// Sums the tiles that overlap a block, in fixed order, and takes the free-motion step. @return nodes with
  /// mass
  int (*reduce)(const ReduceArgs&);
  /// Particles of the range with φ < 0. @param out  room for `count`. @return how many
  int (*detect)(const DetectArgs&, RawContact* out);
  // By MaterialModel:
  void (*stress[kPointMaterials])(const RangeArgs&);  ///< τ from F
  /// G2P from the tile's velocities, then x, F, τ and C
  void (*gather[kPointMaterials])(const RangeArgs&, RangeReport&);
  void (*measure[kPointMaterials])(const MeasureArgs&);
};

extern const KernelTable kBaseKernels, kAvx2Kernels, kAvx512Kernels;

}  // namespace slipstick::mpm
