// The loops that are compiled once per instruction set, as plain structs of raw pointers and a table of
// functions. Nothing here has code: a function shared between variants could end up in the form that only the
// newest CPU understands.
#pragma once

#include <cstdint>

#include "engine/geometry/geometry_shape.h"
#include "engine/model/material.h"
#include "engine/mpm/kernels/contact_arrays.h"

namespace slipstick::mpm {

/// Particles lie in packs of 16: field after field, 16 floats each (array of structures of arrays).
inline constexpr int kPackLanes = 16;
struct PackField {
  enum : int {
    X = 0,          ///< position relative to the block's corner, high part (PositionFormat), 3 [m]
    XLow = 3,       ///< its low part, 3 [m]
    V = 6,          ///< velocity, 3 [m/s]
    F = 9,          ///< elastic deformation gradient, 9, rows first [-]
    C = 18,         ///< affine velocity, 9 [1/s]
    Tau = 27,       ///< Kirchhoff stress of F, 6: xx yy zz xy xz yz [Pa]; or of cloth:
    Force = 27,     ///< on a vertex, 3; 0 for a centroid [N]
    Couple = 30,    ///< V P₃ of a centroid, 3; 0 for a vertex [N m]
    Mass = 33,      ///< [kg]; 0 in the lanes that fill up a pack
    Volume = 34,    ///< V⁰ [m³]
    Plastic = 35,   ///< accumulated plastic strain [-]
    Internal = 36,  ///< the material's internal variables, 2
    Count = 38
  };
};
inline constexpr int kPackFloats = PackField::Count * kPackLanes;

/// A block's private nodes: its own 4³, one more on the lower side and three on the upper (two for the
/// spline's width, one each for particles that drift after the sort). Four floats per node: three components
/// and the mass.
inline constexpr int kTileEdge = 8;
inline constexpr int kTileNodes = kTileEdge * kTileEdge * kTileEdge;
inline constexpr int kTileFloats = 4 * kTileNodes;

/// The tile's nodes [lower, upper) per axis that particles touch; nothing at first.
struct TileBox {
  int lower[3] = {kTileEdge, kTileEdge, kTileEdge}, upper[3] = {0, 0, 0};
  /// Bit n: it overlaps the block of the grid from which it is the tile at offset n, see TileAround. Set by clear().
  unsigned overlaps = 0;
};

/// The constants of a material; see MaterialConstants.
struct MaterialFloats {
  float mu, lambda, strainLimit, law[4];
};

/// Particles of one block and one deformable.
struct RangeArgs {
  float* particles;              ///< first pack
  int count;                     ///< particles, without the last pack's filling
  float corner[3];               ///< of the block, whose tile begins one node before it [m]
  float coarse;                  ///< step of the positions' high parts [m]
  float roundCoarse, roundFine;  ///< adding and subtracting them rounds to PositionFormat's steps
  float* tile;
  float dt, h;  ///< [s], [m]
  MaterialFloats material;
  float apicDamping;
  float domain;  ///< largest |x| per axis [m]
};

struct RangeReport {
  float maxSpeedSquared;
  int nonFinite;  ///< any of x, v, F is NaN or infinite (C is part of F's update)
  int outside;    ///< a position beyond the domain
  int leftTile;   ///< a particle's nodes are no longer in the tile: sort anew
};

/// A tile that may overlap a block of the grid.
struct TileAround {
  int block;   ///< of particles, whose tile it is
  int offset;  ///< of that block from the grid's, (i−1, j−1, k−1) as 9i + 3j + k
};

/// One block of the grid and the tiles around it.
struct ReduceArgs {
  const float* tiles;    ///< kTileFloats for each block of particles
  const TileBox* boxes;  ///< for each block of particles
  const TileAround* around;
  int count;             ///< of them
  bool wasZero;          ///< all nodes are zero as they stand
  float* nodes;          ///< 4³ nodes × (velocity, mass): v* = mv/m + gravityStep
  float gravityStep[3];  ///< δt g [m/s]
};

struct DetectArgs {
  const float* particles;
  int count;
  int firstSlot;  ///< of the range's first particle
  GeometryShape<float> shape;
  float R_GW[9];  ///< world → geometry
  float p_GX[3];  ///< the block's corner in the geometry's frame [m]
  float reach;    ///< how far outside a particle is still of interest [m]
};

struct RawContact {
  int slot;  ///< of the particle
  int geometry;
  float phi;  ///< < DetectArgs::reach [m]
  float normal_G[3];
};

/// Particles of one block and one deformable, to be summed up.
struct FactsArgs {
  const float* particles;       ///< first pack
  const std::int32_t* indices;  ///< of the particles, slot by slot
  int count;                    ///< particles, without the last pack's filling
  double corner[3];             ///< of the block [m]
  double h;                     ///< [m]
  MaterialFloats material;
};

/// Sums over a range; DeformableSums says what each means.
struct RangeSums {
  double mass, volume, kineticEnergy, elasticEnergy;
  double moment[3], momentum[3], angularMomentum[3];
  double lower[3], upper[3];
  float maxSpeedSquared;
  float stiffening;
  std::uint64_t hash;
};

/// What the mesh knows of the particles in a pack of cloth, field after field. A lane that fills up a pack counts as
/// what it copies.
struct ClothLaneField {
  enum : int {
    RestInverse = 0,  ///< D_m^{-1} of a triangle: (1,1), (1,2), (2,2) [1/m]
    Volume = 3,       ///< of the whole triangle [m³]; 0: a vertex, with another lane's numbers in the rest
    Count = 4
  };
};
inline constexpr int kClothLaneFloats = ClothLaneField::Count * kPackLanes;
/// Hinges of a cloth lie in packs of 16 in the mesh's order.
struct HingeField {
  enum : int { Stiffness = 0, RestAngle = 1, Count = 2 };  ///< [N m], [rad]
};
inline constexpr int kHingeFloats = HingeField::Count * kPackLanes;

/// Over the elements of one call.
struct ClothSums {
  double energy;     ///< [J]
  float stiffening;  ///< of triangles, as RangeSums::stiffening [-]
};

/// Particles of one block and one cloth.
struct ClothTriangleArgs {
  float* particles;  ///< first pack
  int count;         ///< particles, without the last pack's filling
  bool store;        ///< false: sums alone, and nothing else is written
  // Lane by lane, from the first pack on:
  const float* lanes;            ///< kClothLaneFloats per pack
  const std::int32_t* corners;   ///< vertices: per pack 3 × 16; all lanes are valid
  const std::int32_t* elements;  ///< triangle, or −1: a vertex
  const float* vertices;  ///< from the sheet's origin, 8 floats per vertex: x y z –, their rest – [m]
  float* forces;          ///< 4 floats per corner, triangle by triangle [N]
  double origin[3];       ///< of the sheet [m]
  double corner[3];       ///< of the block [m]
  double coarse, roundCoarse, roundFine;  ///< of PositionFormat
  float h;                                ///< [m]
  MaterialFloats material;
  ClothSums* sums;  ///< null, or to be added to
};

/// Hinges of one cloth.
struct ClothHingeArgs {
  const float* packs;
  const std::int32_t* corners;  ///< vertices: per pack 4 × 16; all lanes are valid
  const float* vertices;        ///< as ClothTriangleArgs::vertices
  float* forces;                ///< 4 floats per corner, hinge by hinge [N]
  int count;                    ///< without the last pack's filling
  ClothSums* sums;              ///< null, or to be set
};

/// Particles between the same 27 nodes.
struct CurvatureArgs {
  static constexpr int kNodes = 27;
  const double* shapes;  ///< b: 27 × 3 per particle, column-major
  const double*
      stiffness;  ///< C: 12 × 9 per particle, column-major; row 4 l + i of column k + 3 m, entry (i, l) by (k, m)
  int stride;  ///< numbers from one particle's to the next one's
  int count;
  const double* x;  ///< three velocities per node, and a zero
  double* result;   ///< added to, likewise
};

/// Deformation gradients side by side.
struct DecomposeArgs {
  static constexpr int kLanes = 4;
  int packs;
  const double* F;  ///< 9 × 4 per pack: entry (i, k) of lane l at 4 (i + 3 k) + l
  double *U, *V;    ///< of F = U diag(σ) Vᵀ, see svd3(), likewise
  double* sigma;    ///< 3 × 4 per pack
};

struct KernelTable {
  const char* instructionSet;
  /// Extends the box by the nodes that the range's particles touch.
  void (*bound)(const RangeArgs&, TileBox&);
  /// Zero where the box is, and above and below it; says which blocks it overlaps.
  void (*clear)(float* tile, TileBox&);
  /// P2G: adds mass and momentum of the range to its tile.
  void (*scatter)(const RangeArgs&);
  /// Sums the tiles that overlap a block, in their order, and takes the free-motion step. @return the nodes with
  /// mass: bit n of node n
  std::uint64_t (*reduce)(const ReduceArgs&);
  /// Particles of the range with φ < 0. @param out  room for `count`. @return how many
  int (*detect)(const DetectArgs&, RawContact* out);
  // By MaterialModel:
  void (*stress[kPointMaterials])(const RangeArgs&);  ///< τ from F
  /// G2P from the tile's velocities, then x, F, τ and C
  void (*gather[kPointMaterials])(const RangeArgs&, RangeReport&);
  void (*facts[kPointMaterials])(const FactsArgs&, RangeSums&);
  // Cloth:
  void (*factsCloth)(const FactsArgs&, RangeSums&);  ///< without energy
  void (*scatterCloth)(const RangeArgs&);
  /// G2P; the grid carries the last column of F along, the mesh decides about the rest.
  void (*gatherCloth)(const RangeArgs&, RangeReport&);
  /// Of triangles, once all vertices have moved: centroids, F with its return map, V P₃, and forces on vertices.
  /// @return whether a centroid has left its tile
  int (*clothTriangles)(const ClothTriangleArgs&);
  void (*clothHinges)(const ClothHingeArgs&);
  /// Implicit steps: adds H x, see ElasticGrid.
  void (*curvature)(const CurvatureArgs&);
  void (*decompose)(const DecomposeArgs&);
  ContactLoops<float> contact;
};

extern const KernelTable kBaseKernels, kAvx2Kernels, kAvx512Kernels;

}  // namespace slipstick::mpm
