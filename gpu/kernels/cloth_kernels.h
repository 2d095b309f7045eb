// The mesh between a cloth's particles, once per substep after they have moved: the vertices' positions, the
// forces of triangles and hinges on their corners, and what of them each vertex gets. A triangle's particle
// is set to the centroid and takes F and the couple V P₃ (engine/mpm/materials/cloth.h).
#pragma once

#include "engine/lanes/hinge.h"
#include "engine/mpm/materials/cloth.h"
#include "gpu/kernels/facts_kernels.h"

namespace slipstick::gpu {

struct DeviceTriangle {
  int particle;
  int deformable;
  int corner[3];         ///< into ClothView::vertices
  float restInverse[3];  ///< D_m^{-1}: (1,1), (1,2), (2,2) [1/m]
  float volume;          ///< of the whole triangle [m³]
};

struct DeviceHinge {
  int corner[4];               ///< edge a, b, left, right; into ClothView::vertices
  float stiffness, restAngle;  ///< [N m], [rad]
};

struct alignas(16) DeviceForce {
  float x, y, z, unused;
};

/// All cloths of a model, one after the other. An element is a triangle or, behind all of these, a hinge.
struct ClothView {
  int vertexCount, triangleCount, hingeCount;
  const int* particleOfVertex;
  const DeviceTriangle* triangles;
  const DeviceHinge* hinges;
  const int* firstForce;     ///< per vertex, and the end: into forceOfVertex
  const int* forceOfVertex;  ///< into forces: triangles before hinges, in the mesh's order
  DevicePoint* vertices;     ///< where they are now, exactly [m]
  DeviceForce* forces;       ///< three per triangle, then four per hinge [N]

  /// Differences of exact positions: no origin has to be near, and no sort changes a bit.
  SIM_HD V3<float> edge(int from, int to) const {
    const DevicePoint &a = vertices[from], &b = vertices[to];
    return {static_cast<float>(b.x - a.x), static_cast<float>(b.y - a.y), static_cast<float>(b.z - a.z)};
  }
  SIM_HD void setForce(int place, const V3<float>& f) const { forces[place] = {f.x, f.y, f.z, 0}; }
};

/// A triangle as it lies in space.
struct TriangleNow {
  V3<float> edge1, edge2;
  V3<float> f1, f2;                  ///< the first columns of F
  mpm::ClothFactors<float> factors;  ///< of F, its director returned

  SIM_HD TriangleNow(const ClothView& cloth, const GridView& grid, const DeviceTriangle& t)
      : edge1(cloth.edge(t.corner[0], t.corner[1])),
        edge2(cloth.edge(t.corner[0], t.corner[2])),
        f1(t.restInverse[0] * edge1),
        f2(t.restInverse[1] * edge1 + t.restInverse[2] * edge2) {
    const int slot = grid.slotOfParticle[t.particle];
    const V3<float> director{grid.at.at(PackField::F + 2, slot), grid.at.at(PackField::F + 5, slot),
                             grid.at.at(PackField::F + 8, slot)};
    factors =
        returnedDirector(mpm::clothFactors(f1, f2, director), constantsOf(grid.deformables[t.deformable]));
  }
};

SIM_HD lanes::HingeAngle<float> angleOf(const ClothView& cloth, const DeviceHinge& h) {
  return lanes::hingeAngle(V3<float>{0, 0, 0}, cloth.edge(h.corner[0], h.corner[1]),
                           cloth.edge(h.corner[0], h.corner[2]), cloth.edge(h.corner[0], h.corner[3]));
}

struct CollectVertices {
  static constexpr int kThreads = kPlainThreads;
  GridView grid;
  ClothView cloth;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, cloth.vertexCount, [&](int v) {
      if (grid.stopped()) return;
      const V3<double> x = positionOf(grid, grid.slotOfParticle[cloth.particleOfVertex[v]]);
      cloth.vertices[v] = {x.x, x.y, x.z};
    });
  }
};

/// Of triangles, which also take the return map of their directors and go to their centroids.
struct FindTriangleForces {
  static constexpr int kThreads = kPlainThreads;
  GridView grid;
  ClothView cloth;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, cloth.triangleCount, [&](int i) {
      if (!grid.stopped()) triangle(i);
    });
  }

 private:
  SIM_HD void triangle(int i) const {
    const DeviceTriangle& t = cloth.triangles[i];
    const TriangleNow now(cloth, grid, t);
    const mpm::ClothStress<float> P = clothStress(now.factors, constantsOf(grid.deformables[t.deformable]));
    const mpm::CornerForces<float> force = cornerForces(P, t.restInverse, t.volume);
    cloth.setForce(3 * i, -(force.corner1 + force.corner2));
    cloth.setForce(3 * i + 1, force.corner1);
    cloth.setForce(3 * i + 2, force.corner2);
    const int slot = grid.slotOfParticle[t.particle];
    grid.at.set(PackField::F, slot, lanes::fromColumns(now.f1, now.f2, now.factors.director()));
    grid.at.set(PackField::Force, slot, V3<float>{0, 0, 0});
    grid.at.set(PackField::Couple, slot, t.volume * P.p3);
    putAt(slot, t);
  }

  /// The particle goes to the middle of the corners.
  SIM_HD void putAt(int slot, const DeviceTriangle& t) const {
    const DevicePoint &a = cloth.vertices[t.corner[0]], &b = cloth.vertices[t.corner[1]],
                      &c = cloth.vertices[t.corner[2]];
    const double centre[3] = {a.x + ((b.x - a.x) + (c.x - a.x)) / 3, a.y + ((b.y - a.y) + (c.y - a.y)) / 3,
                              a.z + ((b.z - a.z) + (c.z - a.z)) / 3};
    const BlockPlace place = placeOfBlock(grid.blockKeys[grid.blockOfSlot[slot]]);
    const int block[3] = {place.x, place.y, place.z};
    const float invH = static_cast<float>(1.0 / grid.h);
    for (int axis = 0; axis < 3; ++axis) {
      const double rounded = (centre[axis] + grid.roundFine) - grid.roundFine;
      const mpm::FixedPoint<float> x = splitPosition(grid, rounded - cornerAlong(grid, block[axis]));
      grid.at.at(PackField::X + axis, slot) = x.high;
      grid.at.at(PackField::XLow + axis, slot) = x.low;
      // A particle may find itself in the next cell, by rounding: keep clear of the last ones' ends.
      const float cells = x.high * invH + 1;
      if (!(lanes::floor(cells - 0.501f) >= 0 &&
            lanes::floor(cells - 0.499f) < static_cast<float>(kCellEdge)))
        raiseTo(&grid.counts->leftTile, 1);
    }
  }
};

/// A kernel of its own: beside the triangles' its registers would not do.
struct FindHingeForces {
  static constexpr int kThreads = kPlainThreads;
  GridView grid;
  ClothView cloth;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, cloth.hingeCount, [&](int i) {
      if (grid.stopped()) return;
      const DeviceHinge& h = cloth.hinges[i];
      const lanes::HingeAngle<float> now = angleOf(cloth, h);
      const float moment = h.stiffness * (h.restAngle - now.angle);
      const int first = 3 * cloth.triangleCount + 4 * i;
      cloth.setForce(first, moment * now.a);
      cloth.setForce(first + 1, moment * now.b);
      cloth.setForce(first + 2, moment * now.left);
      cloth.setForce(first + 3, moment * now.right);
    });
  }
};

/// The sum of each vertex's forces. A vertex has no director for the grid to carry, and no couple: it gets
/// back those that it started with, so that nothing is left of a substep that is no state.
struct SumVertexForces {
  static constexpr int kThreads = kPlainThreads;
  GridView grid;
  ClothView cloth;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, cloth.vertexCount, [&](int v) {
      if (grid.stopped()) return;
      V3<float> sum{0, 0, 0};
      for (int i = cloth.firstForce[v]; i < cloth.firstForce[v + 1]; ++i) {
        const DeviceForce& f = cloth.forces[cloth.forceOfVertex[i]];
        sum += V3<float>{f.x, f.y, f.z};
      }
      const int slot = grid.slotOfParticle[cloth.particleOfVertex[v]];
      grid.at.set(PackField::Force, slot, sum);
      grid.at.set(PackField::Couple, slot, V3<float>{0, 0, 0});
      for (int row = 0; row < 3; ++row) grid.at.at(PackField::F + 3 * row + 2, slot) = row == 2 ? 1.0f : 0.0f;
    });
  }
};

/// Energy and stiffening of the elements that a chunk names, of what the particles are: the same whichever
/// sort or substep they come from.
struct FindClothFacts {
  static constexpr int kThreads = 128;
  GridView grid;
  ClothView cloth;
  const FactsChunk* chunks;  ///< of elements
  mpm::ClothSums* sums;      ///< per chunk

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    if (grid.stopped()) return;
    const FactsChunk chunk = chunks[team.index()];
    mpm::ClothSums& out = sums[team.index()];
    team.each([&](int thread) {
      if (thread == 0) out.stiffening = 1;
    });
    const Sums<1> energy = team.template sums<1>(chunk.end - chunk.begin,
                                                 [&](int i) { return ofElement(chunk.begin + i, out); });
    team.each([&](int thread) {
      if (thread == 0) out.energy = energy.value[0];
    });
  }

 private:
  SIM_HD Sums<1> ofElement(int i, mpm::ClothSums& out) const {
    if (i >= cloth.triangleCount) {
      const DeviceHinge& h = cloth.hinges[i - cloth.triangleCount];
      const float bend = h.restAngle - angleOf(cloth, h).angle;
      return {{static_cast<double>(0.5f * h.stiffness * bend * bend)}};
    }
    const DeviceTriangle& t = cloth.triangles[i];
    const mpm::MaterialConstants<float> m = constantsOf(grid.deformables[t.deformable]);
    const TriangleNow now(cloth, grid, t);
    raiseTo(&out.stiffening, clothStiffening(now.factors, m));
    return {{static_cast<double>(t.volume * clothEnergy(now.factors, m))}};
  }
};

}  // namespace slipstick::gpu
