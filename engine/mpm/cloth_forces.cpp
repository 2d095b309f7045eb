#include "engine/mpm/cloth_forces.h"

#include <cmath>

#include "engine/lanes/eigen_lanes.h"
#include "engine/model/cloth.h"
#include "engine/mpm/materials/cloth.h"

namespace slipstick::mpm {
namespace {

MaterialConstants<double> constantsOf(const Deformable& d) {
  return materialNumbers(d.material).as<double, double>();
}

ClothFactors<double> factorsOf(const Mat3& F) {
  return clothFactors(toLanes<double>(Vec3(F.col(0))), toLanes<double>(Vec3(F.col(1))),
                      toLanes<double>(Vec3(F.col(2))));
}

/// Index of triangle t's particle.
std::size_t centroid(const Deformable& d, const ClothMesh& mesh, int t) {
  return static_cast<std::size_t>(d.begin + mesh.vertices + t);
}

HingeAngle<double> angleOf(const ClothMesh::Hinge& hinge, const Vec3* x) {
  const auto corner = [&](std::size_t c) { return toLanes<double>(x[hinge.vertices[c]]); };
  return hingeAngle(corner(0), corner(1), corner(2), corner(3));
}

void addHingeForces(const ClothMesh& mesh, const Vec3* x, std::vector<Vec3>& force) {
  for (const ClothMesh::Hinge& hinge : mesh.hinges) {
    const HingeAngle<double> h = angleOf(hinge, x);
    const double moment = -hinge.stiffness * (h.angle - hinge.restAngle);
    const V3<double> gradient[4] = {h.a, h.b, h.left, h.right};
    for (std::size_t c = 0; c < 4; ++c)
      force[static_cast<std::size_t>(hinge.vertices[c])] += moment * toEigen(gradient[c]);
  }
}

/// Means of the triangles' values at the vertices.
void spreadToVertices(const Deformable& d, std::vector<float>& values) {
  const ClothMesh& mesh = *clothOf(d);
  std::vector<double> sum(static_cast<std::size_t>(mesh.vertices)), volume(sum.size());
  for (int t = 0; t < mesh.triangleCount(); ++t)
    for (const int v : mesh.triangles[static_cast<std::size_t>(t)]) {
      const double V = mesh.volume[static_cast<std::size_t>(t)];
      sum[static_cast<std::size_t>(v)] += V * static_cast<double>(values[centroid(d, mesh, t)]);
      volume[static_cast<std::size_t>(v)] += V;
    }
  for (std::size_t v = 0; v < sum.size(); ++v)
    values[static_cast<std::size_t>(d.begin) + v] = static_cast<float>(sum[v] / volume[v]);
}

}  // namespace

void computeClothForces(const Deformable& d, const ParticleState& particles, ClothForces& forces) {
  const ClothMesh& mesh = *clothOf(d);
  const MaterialConstants<double> constants = constantsOf(d);
  forces.force.assign(static_cast<std::size_t>(mesh.vertices), Vec3::Zero());
  forces.couple.resize(mesh.triangles.size());
  for (int t = 0; t < mesh.triangleCount(); ++t) {
    const auto i = static_cast<std::size_t>(t);
    const ClothStress<double> P = clothStress(factorsOf(particles.F[centroid(d, mesh, t)]), constants);
    const double inverse[3] = {mesh.restInverse[i](0, 0), mesh.restInverse[i](0, 1),
                               mesh.restInverse[i](1, 1)};
    const CornerForces<double> f = cornerForces(P, inverse, mesh.volume[i]);
    const Eigen::Vector3i& corners = mesh.triangles[i];
    forces.force[static_cast<std::size_t>(corners[0])] -= toEigen(f.corner1 + f.corner2);
    forces.force[static_cast<std::size_t>(corners[1])] += toEigen(f.corner1);
    forces.force[static_cast<std::size_t>(corners[2])] += toEigen(f.corner2);
    forces.couple[i] = mesh.volume[i] * toEigen(P.p3);
  }
  addHingeForces(mesh, particles.x.data() + d.begin, forces.force);
}

void followVertices(const Deformable& d, ParticleState& particles) {
  const ClothMesh& mesh = *clothOf(d);
  const MaterialConstants<double> constants = constantsOf(d);
  const Vec3* x = particles.x.data() + d.begin;
  for (int t = 0; t < mesh.triangleCount(); ++t) {
    const std::size_t p = centroid(d, mesh, t);
    Mat3 F = triangleDeformation(mesh, t, x, particles.F[p].col(2));
    F.col(2) = toEigen(returnedDirector(factorsOf(F), constants).director());
    particles.F[p] = F;
    const Eigen::Vector3i& corners = mesh.triangles[static_cast<std::size_t>(t)];
    particles.x[p] = (x[corners[0]] + x[corners[1]] + x[corners[2]]) / 3;
  }
}

void addClothFacts(const Deformable& d, const ParticleState& particles, DeformableSums& sums) {
  const ClothMesh& mesh = *clothOf(d);
  const MaterialConstants<double> constants = constantsOf(d);
  for (int t = 0; t < mesh.triangleCount(); ++t) {
    const ClothFactors<double> f = factorsOf(particles.F[centroid(d, mesh, t)]);
    sums.elasticEnergy += mesh.volume[static_cast<std::size_t>(t)] * clothEnergy(f, constants);
    sums.stiffening = std::max(sums.stiffening, clothStiffening(f, constants));
  }
  const Vec3* x = particles.x.data() + d.begin;
  for (const ClothMesh::Hinge& hinge : mesh.hinges) {
    const double bend = angleOf(hinge, x).angle - hinge.restAngle;
    sums.elasticEnergy += 0.5 * hinge.stiffness * bend * bend;
  }
}

void lookAtCloth(const Deformable& d, const ParticleState& particles, SoftView& view) {
  const ClothMesh& mesh = *clothOf(d);
  const MaterialConstants<double> constants = constantsOf(d);
  for (int t = 0; t < mesh.triangleCount(); ++t) {
    const std::size_t p = centroid(d, mesh, t);
    const ClothStress<double> P = clothStress(factorsOf(particles.F[p]), constants);
    Mat3 stress;
    stress << toEigen(P.p1), toEigen(P.p2), toEigen(P.p3);
    const Mat3 tau = stress * particles.F[p].transpose();
    const double mean = tau.trace() / 3;
    view.stress[p] = static_cast<float>(std::sqrt(1.5) * (tau - mean * Mat3::Identity()).norm());
    view.pressure[p] = static_cast<float>(-mean);
  }
  spreadToVertices(d, view.stress);
  spreadToVertices(d, view.pressure);
}

}  // namespace slipstick::mpm
