// What people see of particles: as mpm::lookAt, in float and where the particles are.
#pragma once

#include "engine/model/particle_source.h"
#include "gpu/kernels/cloth_kernels.h"

namespace slipstick::gpu {

/// Of particles in the model's order.
struct LookView {
  using Column = ParticleColumns::Column;
  float* columns;  ///< laid out as ParticleColumns says
  int particles;

  SIM_HD float& position(int axis, int particle) const {
    return columns[3 * static_cast<std::int64_t>(particle) + axis];
  }
  SIM_HD float& at(Column column, int particle) const {
    return columns[static_cast<std::int64_t>(column) * particles + particle];
  }
  /// @param tau  Kirchhoff stress [Pa]
  SIM_HD void setStress(int particle, const M3<float>& tau) const {
    at(ParticleColumns::Stress, particle) = lanes::sqrt(1.5f * squaredNorm(deviator(tau)));
    at(ParticleColumns::Pressure, particle) = -trace(tau) * (1.0f / 3);
  }
};

/// Everything but what the stress of a cloth decides.
struct LookAtParticles {
  static constexpr int kThreads = kPlainThreads;
  GridView grid;
  LookView look;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, grid.particles, [&](int slot) {
      const int particle = grid.particleOfSlot[slot];
      const V3<double> x = positionOf(grid, slot);
      for (int axis = 0; axis < 3; ++axis) look.position(axis, particle) = static_cast<float>(x[axis]);
      const V3<float> v = grid.at.vector(PackField::V, slot);
      look.at(ParticleColumns::Speed, particle) = lanes::sqrt(dot(v, v));
      look.at(ParticleColumns::PlasticStrain, particle) = grid.at.at(PackField::Plastic, slot);
      const DeviceDeformable& d = grid.deformables[grid.deformableOfParticle[particle]];
      if (d.cloth < 0) look.setStress(particle, stressOf(grid, d, slot));
    });
  }
};

/// τ = P Fᵀ of triangles, at their particles.
struct LookAtTriangles {
  static constexpr int kThreads = kPlainThreads;
  GridView grid;
  ClothView cloth;
  LookView look;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, cloth.triangleCount, [&](int i) {
      const DeviceTriangle& t = cloth.triangles[i];
      const M3<float> F = grid.at.matrix(PackField::F, grid.slotOfParticle[t.particle]);
      const mpm::ClothStress<float> P = clothStress(mpm::clothFactors(F.col(0), F.col(1), F.col(2)),
                                                    constantsOf(grid.deformables[t.deformable]));
      look.setStress(t.particle, lanes::fromColumns(P.p1, P.p2, P.p3) * transpose(F));
    });
  }
};

/// Vertices have the mean of their triangles, weighted by volume. After LookAtTriangles.
struct LookAtVertices {
  static constexpr int kThreads = kPlainThreads;
  ClothView cloth;
  LookView look;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, cloth.vertexCount, [&](int v) {
      float stress = 0, pressure = 0, volume = 0;
      for (int i = cloth.firstForce[v]; i < cloth.firstForce[v + 1]; ++i) {
        const int triangle = cloth.forceOfVertex[i] / 3;
        if (triangle >= cloth.triangleCount) break;  // hinges follow
        const DeviceTriangle& t = cloth.triangles[triangle];
        stress += t.volume * look.at(ParticleColumns::Stress, t.particle);
        pressure += t.volume * look.at(ParticleColumns::Pressure, t.particle);
        volume += t.volume;
      }
      const int particle = cloth.particleOfVertex[v];
      look.at(ParticleColumns::Stress, particle) = stress / volume;
      look.at(ParticleColumns::Pressure, particle) = pressure / volume;
    });
  }
};

}  // namespace slipstick::gpu
