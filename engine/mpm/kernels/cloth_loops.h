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
    const V3<Pack> x = loadV3(pack, PackField::X);
    const Gathered g = gatherPack(bspline(x, invH), args);
    const V3<Pack> moved = x + dt * g.v, d = loadDirector(pack), director = d + dt * (g.L * d);
    storeV3(pack, PackField::X, moved);
    storeV3(pack, PackField::V, g.v);
    storeM3(pack, PackField::C, affineVelocity(g.L, Pack(args.apicDamping)));
    for (int row = 0; row < 3; ++row) director[row].store(field(pack, PackField::F + 3 * row + 2));
    checks.add(args, moved, g.v, dot(director, director));
  }
  checks.addTo(report);
}

template <int kCorners>
SIM_HD void loadCorners(const ClothArgs& args, int first, V3<Pack> (&x)[kCorners]) {
  const std::int32_t* index = args.corners + first * kCorners;
  for (int c = 0; c < kCorners; ++c) {
    alignas(64) float lanes[3][kPackLanes];
    for (int l = 0; l < kPackLanes; ++l) {
      const Quad at = loadQuad(args.vertices + 4 * index[c * kPackLanes + l]);
      for (int a = 0; a < 3; ++a) lanes[a][l] = at[a];
    }
    x[c] = {Pack::load(lanes[0]), Pack::load(lanes[1]), Pack::load(lanes[2])};
  }
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
  for (int first = 0; first < args.count; first += kPackLanes) {
    float* pack = args.packs + (first / kPackLanes) * kTriangleFloats;
    V3<Pack> x[3];
    loadCorners(args, first, x);
    const V3<Pack> centre = Pack(1.0f / 3) * (x[0] + x[1] + x[2]);
    const V3<Pack> edge1 = x[1] - x[0], edge2 = x[2] - x[0];
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
    storeV3(pack, TriangleField::X, centre);
    storeM3(pack, TriangleField::F, fromColumns(f1, f2, f.director()));
    storeV3(pack, TriangleField::Couple, volume * P.p3);

    const Bspline<Pack> b = bspline(centre, invH);
    const V3<Pack> tile = loadV3(pack, TriangleField::TileBase);
    for (int a = 0; a < 3; ++a) {
      const Pack node = b.base[a] - tile[a];
      inTile = inTile & (node >= Pack(0.0f)) & (node <= Pack(static_cast<float>(kTileEdge - 3)));
    }
  }
  return any(!inTile);
}

void clothHinges(const ClothArgs& args) {
  for (int first = 0; first < args.count; first += kPackLanes) {
    const float* pack = args.packs + (first / kPackLanes) * kHingeFloats;
    V3<Pack> x[4];
    loadCorners(args, first, x);
    const HingeAngle<Pack> h = hingeAngle(x[0], x[1], x[2], x[3]);
    const Pack stiffness = Pack::load(pack + HingeField::Stiffness * kPackLanes);
    const Pack moment = stiffness * (Pack::load(pack + HingeField::RestAngle * kPackLanes) - h.angle);
    const V3<Pack> force[4] = {moment * h.a, moment * h.b, moment * h.left, moment * h.right};
    storeForces(args, first, force);
  }
}

}  // namespace
}  // namespace SIM_ISA
}  // namespace slipstick::mpm
