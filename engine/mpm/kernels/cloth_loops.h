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

template <int kCorners>
SIM_HD Corners<kCorners> loadCorners(const ClothArgs& args, int first) {
  const std::int32_t* index = args.corners + first * kCorners;
  V3<Pack> x[kCorners], rest[kCorners];
  for (int c = 0; c < kCorners; ++c) {
    alignas(64) float lanes[6][kPackLanes];
    for (int l = 0; l < kPackLanes; ++l) {
      const float* vertex = args.vertices + 8 * index[c * kPackLanes + l];
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

template <int kCorners>
SIM_HD void storeForces(const ClothArgs& args, int first, const V3<Pack> (&force)[kCorners]) {
  alignas(64) float lanes[kCorners][3][kPackLanes];
  for (int c = 0; c < kCorners; ++c)
    for (int a = 0; a < 3; ++a) force[c][a].store(lanes[c][a]);
  const int count = lanesOf(args.count, first);
  for (int l = 0; l < count; ++l)
    for (int c = 0; c < kCorners; ++c)
      storeQuad(args.forces + 4 * ((first + l) * kCorners + c),
                Quad{lanes[c][0][l], lanes[c][1][l], lanes[c][2][l], 0});
}

int clothTriangles(const ClothArgs& args) {
  const MaterialConstants<Pack> constants = constantsOf(args.material);
  const Pack invH(1.0f / args.h);
  Pack::Mask inTile = invH <= invH;
  if (args.sums != nullptr) *args.sums = {0, 1};
  for (int first = 0; first < args.count; first += kPackLanes) {
    float* pack = args.packs + (first / kPackLanes) * kTriangleFloats;
    const Corners<3> corners = loadCorners<3>(args, first);
    const V3<Pack>&edge1 = corners.edge[0], &edge2 = corners.edge[1];
    const V3<Pack> toCentre = corners.firstRest + Pack(1.0f / 3) * (edge1 + edge2);
    const V3<Pack> constant = loadV3(pack, TriangleField::RestInverse);
    const Pack inverse[3] = {constant.x, constant.y, constant.z};
    const V3<Pack> f1 = inverse[0] * edge1, f2 = inverse[1] * edge1 + inverse[2] * edge2;
    const M3<Pack> trial = loadM3(pack, TriangleField::F);
    const ClothFactors<Pack> f = returnedDirector(clothFactors(f1, f2, trial.col(2)), constants);
    const ClothStress<Pack> P = clothStress(f, constants);
    const Pack volume = Pack::load(field(pack, TriangleField::Volume));
    const CornerForces<Pack> forces = cornerForces(P, inverse, volume);
    const V3<Pack> corner[3] = {-(forces.corner1 + forces.corner2), forces.corner1, forces.corner2};
    storeForces(args, first, corner);
    storeV3(pack, TriangleField::X, corners.first);
    storeV3(pack, TriangleField::XRest, toCentre);
    storeM3(pack, TriangleField::F, fromColumns(f1, f2, f.director()));
    storeV3(pack, TriangleField::Couple, volume * P.p3);

    if (args.sums != nullptr) {
      const int lanes = lanesOf(args.count, first);
      args.sums->energy += sumOf(volume * clothEnergy(f, constants), lanes);
      raiseTo(clothStiffening(f, constants), lanes, args.sums->stiffening);
    }

    const V3<Pack> tile = loadV3(pack, TriangleField::TileBase), centre = corners.first + toCentre;
    for (int a = 0; a < 3; ++a) {
      // Its particle may find itself in the next cell, by rounding: keep clear of the last ones' ends.
      const Pack cells = centre[a] * invH - tile[a];
      inTile = inTile & (floor(cells - Pack(0.501f)) >= Pack(0.0f)) &
               (floor(cells - Pack(0.499f)) <= Pack(static_cast<float>(kTileEdge - 3)));
    }
  }
  return any(!inTile);
}

void clothHinges(const ClothArgs& args) {
  if (args.sums != nullptr) *args.sums = {0, 1};
  for (int first = 0; first < args.count; first += kPackLanes) {
    const float* pack = args.packs + (first / kPackLanes) * kHingeFloats;
    const Corners<4> corners = loadCorners<4>(args, first);
    const V3<Pack> origin{Pack(0.0f), Pack(0.0f), Pack(0.0f)};
    const HingeAngle<Pack> h = hingeAngle(origin, corners.edge[0], corners.edge[1], corners.edge[2]);
    const Pack stiffness = Pack::load(pack + HingeField::Stiffness * kPackLanes);
    const Pack bend = Pack::load(pack + HingeField::RestAngle * kPackLanes) - h.angle;
    const Pack moment = stiffness * bend;
    if (args.sums != nullptr)
      args.sums->energy += sumOf(Pack(0.5f) * moment * bend, lanesOf(args.count, first));
    const V3<Pack> force[4] = {moment * h.a, moment * h.b, moment * h.left, moment * h.right};
    storeForces(args, first, force);
  }
}

}  // namespace
}  // namespace SIM_ISA
}  // namespace slipstick::mpm
