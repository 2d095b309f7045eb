// Sums over all particles and the hash of the state: what a step returns of them.
#pragma once

#include <cstring>

#include "engine/lanes/hash.h"
#include "gpu/kernels/transfer_kernels.h"

namespace slipstick::gpu {

/// Particles of one deformable, in the model's order, that one team sums up.
struct FactsChunk {
  int deformable, begin, end;
};
inline constexpr int kFactsChunk = 1024;

/// As DeformableSums, of one chunk.
struct FactsSums {
  enum : int {
    Mass,
    Moment,
    Momentum = Moment + 3,
    AngularMomentum = Momentum + 3,
    Kinetic = AngularMomentum + 3,
    Elastic,
    Volume,
    Count
  };
  double sum[Count];
  /// Bounding box as numbers that only rise: ordered(−lower), ordered(upper).
  std::uint64_t box[6];
  float maxSpeedSquared, stiffening;
  std::uint64_t hash;
};

/// Bits of a double in its order; not of NaN.
SIM_HD std::uint64_t ordered(double x) {
  std::uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
}
SIM_HD double fromOrdered(std::uint64_t bits) {
  const std::uint64_t plain = bits >> 63 != 0 ? bits & ~(std::uint64_t{1} << 63) : ~bits;
  double x;
  memcpy(&x, &plain, sizeof x);
  return x;
}

/// A particle's position, exactly [m].
SIM_HD V3<double> positionOf(const GridView& grid, int slot) {
  const BlockPlace place = placeOfBlock(grid.blockKeys[grid.blockOfSlot[slot]]);
  const int block[3] = {place.x, place.y, place.z};
  V3<double> x;
  for (int a = 0; a < 3; ++a)
    x[a] = (cornerAlong(grid, block[a]) + static_cast<double>(grid.at.at(PackField::X + a, slot))) +
           static_cast<double>(grid.at.at(PackField::XLow + a, slot));
  return x;
}

struct FindFacts {
  static constexpr int kThreads = 128;
  GridView grid;
  LastImpulsesView last;
  const FactsChunk* chunks;
  FactsSums* sums;  ///< per chunk

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    if (grid.stopped()) return;
    const FactsChunk chunk = chunks[team.index()];
    const DeviceDeformable& d = grid.deformables[chunk.deformable];
    FactsSums& out = sums[team.index()];
    team.each([&](int thread) {
      if (thread == 0) out = {{}, {}, 0, 1, 0};
    });
    const auto total = team.template sums<FactsSums::Count>(
        chunk.end - chunk.begin, [&](int i) { return ofParticle(d, chunk.begin + i, out); });
    team.each([&](int thread) {
      if (thread < FactsSums::Count) out.sum[thread] = total.value[thread];
    });
  }

 private:
  SIM_HD Sums<FactsSums::Count> ofParticle(const DeviceDeformable& d, int particle, FactsSums& out) const {
    const DeviceParticles& at = grid.at;
    const int slot = grid.slotOfParticle[particle];
    const V3<double> x = positionOf(grid, slot);
    const V3<double> v = doubles(at.vector(PackField::V, slot));
    const double m = static_cast<double>(at.at(PackField::Mass, slot)), D = grid.h * grid.h / 4;
    Sums<FactsSums::Count> s = Sums<FactsSums::Count>::zero();
    const auto put = [&s](int first, const V3<double>& value) {
      for (int a = 0; a < 3; ++a) s.value[first + a] = value[a];
    };
    const auto C = [&](int i, int j) { return static_cast<double>(at.at(PackField::C + 3 * i + j, slot)); };
    double affine = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) affine += C(i, j) * C(i, j);
    const V3<double> spin{C(2, 1) - C(1, 2), C(0, 2) - C(2, 0), C(1, 0) - C(0, 1)};
    s.value[FactsSums::Mass] = m;
    put(FactsSums::Moment, m * x);
    put(FactsSums::Momentum, m * v);
    put(FactsSums::AngularMomentum, m * (cross(x, v) + D * spin));
    s.value[FactsSums::Kinetic] = 0.5 * m * (dot(v, v) + D * affine);
    const M3<float> F = at.matrix(PackField::F, slot);
    const double volume = static_cast<double>(at.at(PackField::Volume, slot));
    s.value[FactsSums::Volume] = volume * static_cast<double>(determinant(F));
    for (int a = 0; a < 3; ++a) {
      raiseTo(&out.box[a], ordered(-x[a]));
      raiseTo(&out.box[3 + a], ordered(x[a]));
    }
    raiseTo(&out.maxSpeedSquared, static_cast<float>(dot(v, v)));
    addTo(&out.hash, hashOf(slot, particle, x) + hashOfImpulses(particle));
    if (d.cloth < 0) s.value[FactsSums::Elastic] = volume * ofMaterial(d, slot, F, out);
    return s;
  }

  /// Raises the stiffening. @return Ψ [J/m³]
  SIM_HD double ofMaterial(const DeviceDeformable& d, int slot, const M3<float>& F, FactsSums& out) const {
    const mpm::Internal<float> q = internalOf(grid.at, slot);
    const mpm::MaterialConstants<float> m = constantsOf(d);
    float stiffening = 1, energy = 0;
    mpm::withMaterial(static_cast<MaterialModel>(d.model), [&](auto material) {
      stiffening = material.stiffening(F, q, m);
      energy = material.energy(F, q, m);
    });
    raiseTo(&out.stiffening, stiffening);
    return static_cast<double>(energy);
  }

  SIM_HD std::uint64_t hashOfImpulses(int particle) const {
    std::uint64_t sum = 0;
    for (int i = last.first[particle]; i < last.first[particle] + last.count[particle]; ++i)
      sum += lanes::contactHash(particle, last.geometry[i], doubles(last.impulse(i)));
    return sum;
  }

  SIM_HD std::uint64_t hashOf(int slot, int particle, const V3<double>& x) const {
    using lanes::HashWord;
    const auto word = [&](int w) -> std::uint32_t {
      std::uint32_t bits;
      if (w < HashWord::V) {
        const double coordinate = x[w / 2];
        std::uint64_t both;
        memcpy(&both, &coordinate, sizeof both);
        return static_cast<std::uint32_t>(w % 2 == 0 ? both : both >> 32);
      }
      // The other words are fields of the packs, in the same order but for τ, mass and volume.
      const int field =
          w < HashWord::Plastic ? PackField::V + w - HashWord::V : PackField::Plastic + w - HashWord::Plastic;
      const float value = grid.at.at(field, slot);
      memcpy(&bits, &value, sizeof bits);
      return bits;
    };
    std::uint64_t sum = 0;
    for (int w = 0; w < HashWord::Count; w += 2) sum += lanes::hashOfPair(w, word(w), word(w + 1));
    return lanes::particleHash(sum, particle);
  }
};

}  // namespace slipstick::gpu
