// The loops that are compiled once per instruction set, as plain structs of raw pointers and a table of
// functions. Nothing here has code: a function shared between variants could end up in the form that only the
// newest CPU understands.
#pragma once

#include <cstdint>

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
    Tau = 24,       ///< Kirchhoff stress of F, 6: xx yy zz xy xz yz [Pa]; or of cloth:
    Force = 24,     ///< on a vertex, 3; 0 for a centroid [N]
    Couple = 27,    ///< V P₃ of a centroid, 3; 0 for a vertex [N m]
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

/// Triangles of a cloth lie in packs of 16 in the mesh's order.
struct TriangleField {
  enum : int {
    RestInverse = 0,  ///< D_m^{-1}: (1,1), (1,2), (2,2) [1/m]
    Volume = 3,       ///< of the whole triangle [m³]
    TileBase = 4,     ///< grid node at the corner of the tile that holds its particle, 3
    X = 7,            ///< centroid, 3 [m]
    F = 10,           ///< 9, rows first; the last column is the director, on entry before its return map
    Couple = 19,      ///< V P₃, 3 [N m]
    Count = 22
  };
};
inline constexpr int kTriangleFloats = TriangleField::Count * kPackLanes;
/// Hinges likewise.
struct HingeField {
  enum : int { Stiffness = 0, RestAngle = 1, Count = 2 };  ///< [N m], [rad]
};
inline constexpr int kHingeFloats = HingeField::Count * kPackLanes;

/// Triangles or hinges of one cloth.
struct ClothArgs {
  float* packs;
  const std::int32_t* corners;  ///< vertices: per pack 3 (hinges: 4) × 16; all lanes are valid
  const float* vertices;        ///< positions, 4 floats per vertex [m]
  float* forces;                ///< 4 floats per corner, element by element [N]
  int count;                    ///< triangles or hinges, without the last pack's filling
  float h;                      ///< [m]
  MaterialFloats material;
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
  // Cloth:
  void (*scatterCloth)(const RangeArgs&);
  /// G2P; the grid carries the last column of F along, the mesh decides about the rest.
  void (*gatherCloth)(const RangeArgs&, RangeReport&);
  /// Centroids, F with its return map, and forces. @return whether a centroid has left its tile
  int (*clothTriangles)(const ClothArgs&);
  void (*clothHinges)(const ClothArgs&);
};

extern const KernelTable kBaseKernels, kAvx2Kernels, kAvx512Kernels;

}  // namespace slipstick::mpm
