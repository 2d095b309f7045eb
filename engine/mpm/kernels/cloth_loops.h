// The loops over cloth, besides those of loops.h and under its rules.
#pragma once

#include "engine/mpm/kernels/loops.h"
#include "engine/mpm/materials/cloth.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {
namespace {

SIM_HD V3<Pack> loadDirector(const float* pack) {
  const auto at = [pack](int row) { return Pack::load(pack + (PackField::F + 3 * row + 2) * kPackLanes); };
  return {at(0), at(1), at(2)};
}

/// Vertices bring the impulses of their triangles with their momentum; the directors' stress V P₃ dᵀ acts
/// where the centroids are.
void scatterCloth(const RangeArgs& args) {
  const Pack dt(args.dt), scale = stressImpulseScale(dt, Pack(1.0f), Pack(1.0f / args.h));
  for (int first = 0; first < args.count; first += kPackLanes) {
    const float* pack = args.particles + (first / kPackLanes) * kPackFloats;
    const Pack mass = Pack::load(pack + PackField::Mass * kPackLanes);
    const V3<Pack> momentum = mass * loadV3(pack, PackField::V) + dt * loadV3(pack, PackField::Force);
    const M3<Pack> stress = outer(loadV3(pack, PackField::Couple), loadDirector(pack));
    scatterPack(args, pack, lanesOf(args.count, first), momentum,
                affineMomentum(mass, loadM3(pack, PackField::C), scale, stress));
  }
}

void gatherCloth(const RangeArgs& args, RangeReport& report) {
  const Pack dt(args.dt), invH(1.0f / args.h);
  MotionChecks checks;
  for (int first = 0; first < args.count; first += kPackLanes) {
    float* pack = args.particles + (first / kPackLanes) * kPackFloats;
    const Gathered g = gatherPack(stencilsOf(pack, invH), args);
    const V3<Pack> moved = move(pack, dt * g.v, args);
    const V3<Pack> d = loadDirector(pack), director = d + dt * (g.L * d);
    storeV3(pack, PackField::V, g.v);
    storeM3(pack, PackField::C, affineVelocity(g.L, Pack(args.apicDamping)));
    for (int row = 0; row < 3; ++row) director[row].store(field(pack, PackField::F + 3 * row + 2));
    checks.add(args, moved, g.v, dot(director, director));
  }
  checks.addTo(report);
}

/// Motion, volume and hash; the energy of a cloth belongs to its triangles and hinges.
void factsCloth(const FactsArgs& args, RangeSums& sums) {
  for (int first = 0; first < args.count; first += kPackLanes) {
    const float* pack = args.particles + (first / kPackLanes) * kPackFloats;
    const PackPositions at = positionsOf(pack, args.corner);
    addMotion(args, pack, at, sums);
    sums.volume += sumOf(volumesOf(pack) * determinant(loadM3(pack, PackField::F)));
    sums.hash += hashOfLanes(pack, at, args.indices + first, lanesOf(args.count, first));
  }
}

/// The first corner of 16 elements, from the sheet's origin, and the others from the first: differences of
/// positions are far smaller than these, and their rest counts.
template <int kCorners>
struct Corners {
  V3<Pack> first, firstRest;
  V3<Pack> edge[kCorners - 1];
};

/// @param vertices  as ClothTriangleArgs::vertices   @param index  16 of each corner
template <int kCorners>
SIM_HD Corners<kCorners> loadCorners(const float* vertices, const std::int32_t* index) {
  V3<Pack> x[kCorners], rest[kCorners];
  for (int c = 0; c < kCorners; ++c) {
    alignas(64) float lanes[6][kPackLanes];
    for (int l = 0; l < kPackLanes; ++l) {
      const float* vertex = vertices + 8 * index[c * kPackLanes + l];
      const Quad at = loadQuad(vertex), low = loadQuad(vertex + 4);
      for (int a = 0; a < 3; ++a) lanes[a][l] = at[a], lanes[3 + a][l] = low[a];
    }
    x[c] = {Pack::load(lanes[0]), Pack::load(lanes[1]), Pack::load(lanes[2])};
    rest[c] = {Pack::load(lanes[3]), Pack::load(lanes[4]), Pack::load(lanes[5])};
  }
  Corners<kCorners> corners{x[0], rest[0], {}};
  for (int c = 1; c < kCorners; ++c) corners.edge[c - 1] = (x[c] - x[0]) + (rest[c] - rest[0]);
  return corners;
}

/// Σ over the elements of a pack that are there.
SIM_HD double sumOf(const Pack& a, int lanes) {
  double sum = 0;
  for (int l = 0; l < lanes; ++l) sum += static_cast<double>(a[l]);
  return sum;
}

/// Forces on the corners of 16 elements, lane by lane.
template <int kCorners>
struct LaneForces {
  alignas(64) float at[kCorners][3][kPackLanes];

  SIM_HD explicit LaneForces(const V3<Pack> (&force)[kCorners]) {
    for (int c = 0; c < kCorners; ++c)
      for (int a = 0; a < 3; ++a) force[c][a].store(at[c][a]);
  }
  SIM_HD void store(int lane, float* to) const {
    for (int c = 0; c < kCorners; ++c)
      storeQuad(to + 4 * c, Quad{at[c][0][lane], at[c][1][lane], at[c][2][lane], 0});
  }
};

/// Puts the triangles' centroids, first corner plus the way from there, into the pack; see PositionFormat.
/// @return the high parts
SIM_HD V3<Pack> storeCentroids(const ClothTriangleArgs& args, float* pack, const Pack::Mask& triangles,
                               const V3<Pack>& first, const V3<Pack>& toCentre) {
  V3<Pack> high;
  for (int a = 0; a < 3; ++a) {
    alignas(64) float from[kPackLanes], way[kPackLanes], highPart[kPackLanes], lowPart[kPackLanes];
    first[a].store(from);
    toCentre[a].store(way);
    for (int l = 0; l < kPackLanes; ++l) {
      const double x = args.origin[a] + (static_cast<double>(from[l]) + static_cast<double>(way[l]));
      const double local = ((x + args.roundFine) - args.roundFine) - args.corner[a];
      const double nearest = (local + args.roundCoarse) - args.roundCoarse, rest = local - nearest;
      const double half = rest >= 0.5 * args.coarse ? args.coarse : 0;  // a half goes up
      highPart[l] = static_cast<float>(nearest + half);
      lowPart[l] = static_cast<float>(rest - half);
    }
    float *x = field(pack, PackField::X + a), *low = field(pack, PackField::XLow + a);
    high[a] = select(triangles, Pack::load(highPart), Pack::load(x));
    high[a].store(x);
    select(triangles, Pack::load(lowPart), Pack::load(low)).store(low);
  }
  return high;
}

int clothTriangles(const ClothTriangleArgs& args) {
  const MaterialConstants<Pack> constants = constantsOf(args.material);
  const Pack invH(1.0f / args.h), zero(0.0f);
  Pack::Mask inTile = invH <= invH;
  for (int first = 0; first < args.count; first += kPackLanes) {
    const int lanes = lanesOf(args.count, first);
    const std::int32_t* element = args.elements + first;
    if (element[lanes - 1] < 0) continue;  // vertices come first
    float* pack = args.particles + (first / kPackLanes) * kPackFloats;
    const float* mesh = args.lanes + (first / kPackLanes) * kClothLaneFloats;
    const Corners<3> corners = loadCorners<3>(args.vertices, args.corners + first * 3);
    const V3<Pack>&edge1 = corners.edge[0], &edge2 = corners.edge[1];
    const V3<Pack> constant = loadV3(mesh, ClothLaneField::RestInverse);
    const Pack inverse[3] = {constant.x, constant.y, constant.z};
    const Pack volume = Pack::load(mesh + ClothLaneField::Volume * kPackLanes);
    const Pack::Mask triangles = volume > zero;
    const V3<Pack> f1 = inverse[0] * edge1, f2 = inverse[1] * edge1 + inverse[2] * edge2;
    const ClothFactors<Pack> f = returnedDirector(clothFactors(f1, f2, loadDirector(pack)), constants);

    if (args.sums != nullptr) {
      args.sums->energy += sumOf(volume * clothEnergy(f, constants), lanes);
      raiseTo(select(triangles, clothStiffening(f, constants), zero), lanes, args.sums->stiffening);
    }
    if (!args.store) continue;

    const ClothStress<Pack> P = clothStress(f, constants);
    const CornerForces<Pack> forces = cornerForces(P, inverse, volume);
    const V3<Pack> corner[3] = {-(forces.corner1 + forces.corner2), forces.corner1, forces.corner2};
    const LaneForces<3> stored(corner);
    for (int l = 0; l < lanes; ++l)
      if (element[l] >= 0) stored.store(l, args.forces + 4 * 3 * element[l]);
    const M3<Pack> F = fromColumns(f1, f2, f.director());
    storeM3(pack, PackField::F, selectMatrix(triangles, F, loadM3(pack, PackField::F)));
    storeV3(pack, PackField::Couple, volume * P.p3);

    const V3<Pack> toCentre = corners.firstRest + Pack(1.0f / 3) * (edge1 + edge2);
    const V3<Pack> centre = storeCentroids(args, pack, triangles, corners.first, toCentre);
    for (int a = 0; a < 3; ++a) {
      // Its particle may find itself in the next cell, by rounding: keep clear of the last ones' ends.
      const Pack cells = centre[a] * invH - Pack(kTileStart);
      inTile = inTile & (floor(cells - Pack(0.501f)) >= zero) &
               (floor(cells - Pack(0.499f)) <= Pack(static_cast<float>(kTileEdge - 3)));
    }
  }
  return any(!inTile);
}

void clothHinges(const ClothHingeArgs& args) {
  if (args.sums != nullptr) *args.sums = {0, 1};
  for (int first = 0; first < args.count; first += kPackLanes) {
    const float* pack = args.packs + (first / kPackLanes) * kHingeFloats;
    const Corners<4> corners = loadCorners<4>(args.vertices, args.corners + first * 4);
    const V3<Pack> origin{Pack(0.0f), Pack(0.0f), Pack(0.0f)};
    const HingeAngle<Pack> h = hingeAngle(origin, corners.edge[0], corners.edge[1], corners.edge[2]);
    const Pack stiffness = Pack::load(pack + HingeField::Stiffness * kPackLanes);
    const Pack bend = Pack::load(pack + HingeField::RestAngle * kPackLanes) - h.angle;
    const Pack moment = stiffness * bend;
    if (args.sums != nullptr)
      args.sums->energy += sumOf(Pack(0.5f) * moment * bend, lanesOf(args.count, first));
    const V3<Pack> force[4] = {moment * h.a, moment * h.b, moment * h.left, moment * h.right};
    const LaneForces<4> stored(force);
    for (int l = 0; l < lanesOf(args.count, first); ++l) stored.store(l, args.forces + 4 * 4 * (first + l));
  }
}

}  // namespace
}  // namespace SIM_ISA
}  // namespace slipstick::mpm
