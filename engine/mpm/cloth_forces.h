// Cloth in double precision, triangle by triangle: the oracle's stress pass, and what people see of a cloth.
#pragma once

#include <vector>

#include "engine/model/cloth.h"
#include "engine/model/model.h"
#include "engine/mpm/backend.h"
#include "engine/mpm/particle_facts.h"
#include "engine/mpm/particle_state.h"

namespace slipstick::mpm {

/// What a cloth gives to the grid in one substep.
struct ClothForces {
  std::vector<Vec3> force;   ///< per vertex: of its triangles and hinges [N]
  std::vector<Vec3> couple;  ///< per triangle V P₃: the centroid's stress is V τ = V P₃ dᵀ [N m]
};

/// Requires a cloth and F as followVertices (or particlesAtStart) leaves it.
void computeClothForces(const Deformable& deformable, const ParticleState& particles, ClothForces& forces);

/// After the vertices have moved: F of the triangles, the return map of their directors (trial values in F's
/// last column), and their particles at the mean of the corners.
void followVertices(const Deformable& deformable, ParticleState& particles);

/// Adds elastic energy and stiffening of triangles and hinges.
void addClothFacts(const Deformable& deformable, const ParticleState& particles, DeformableSums& sums);

/// Stress and pressure of the cloth's particles, which `view` has room for. Triangles show √(3/2)‖dev τ‖ and
/// −tr τ/3 of τ = P Fᵀ; vertices the mean of their triangles, weighted by volume.
void lookAtCloth(const Deformable& deformable, const ParticleState& particles, SoftView& view);

}  // namespace slipstick::mpm
