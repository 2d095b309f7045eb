// A layer of particles that slides and presses into a plane: contact problems of any size and stiffness,
// without MPM.
#pragma once

#include <cmath>
#include <map>
#include <random>

#include "engine/contact/potential.h"
#include "engine/foundation/math.h"
#include "engine/mpm/contact/contact_problem.h"

namespace slipstick::mpm {

struct SyntheticLayer {
  int side = 15;                ///< side × side particles touch the plane
  double stiffness = 0;         ///< k [N/m]; 0: stiffnessPerMass · particle mass
  double stiffnessPerMass = 0;  ///< [1/s²]
  double dissipation = 0;       ///< [s/m]
  double friction = 0.5;
  unsigned seed = 1;
};

struct LayerPlaces {
  std::vector<Vec3> nodes, contacts;  ///< [m]
};

/// Particles at two per cell and axis in three layers above z = 0, of which the lowest touches; h = 2 cm, ρ =
/// 1000 kg/m³, δt = 1 ms, sliding at 0.5 m/s and approaching at 0.2 m/s, with some noise.
/// @param places  if given, receives where nodes and contacts are
template <class Real>
ContactProblem<Real> syntheticLayer(const SyntheticLayer& layer, LayerPlaces* places = nullptr) {
  const double h = 0.02, spacing = h / 2, dt = 1e-3, particleMass = 1000 * spacing * spacing * spacing;
  const double k = layer.stiffness > 0 ? layer.stiffness : layer.stiffnessPerMass * particleMass;
  std::mt19937 random(layer.seed);
  std::uniform_real_distribution<double> noise(-1, 1);
  struct Node {
    double mass = 0;
    V3<double> momentum{0, 0, 0};
    bool touched = false;
  };
  std::map<std::array<int, 3>, Node> grid;
  struct Particle {
    V3<double> x;
    double penetration;
    V3<double> v;
    std::array<std::array<int, 3>, 27> node;
    std::array<double, 27> weight;
  };
  std::vector<Particle> particles;
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < layer.side; ++y)
      for (int x = 0; x < layer.side; ++x) {
        const V3<double> p = {spacing * (x + 0.5 + 0.3 * noise(random)),
                              spacing * (y + 0.5 + 0.3 * noise(random)),
                              spacing * (z - 0.05 + 0.04 * noise(random))};
        Particle q;
        q.x = p;
        q.penetration = -p.z;
        q.v = {0.5 + 0.05 * noise(random), 0.05 * noise(random), -0.2 + 0.05 * noise(random)};
        std::array<std::array<double, 3>, 3> w{};
        std::array<int, 3> base{};
        for (std::size_t a = 0; a < 3; ++a) {
          const double s = p[int(a)] / h;
          base[a] = static_cast<int>(std::floor(s - 0.5));
          const double f = s - base[a];
          w[a] = {0.5 * (1.5 - f) * (1.5 - f), 0.75 - (f - 1) * (f - 1), 0.5 * (f - 0.5) * (f - 0.5)};
        }
        std::size_t j = 0;
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b)
            for (int c = 0; c < 3; ++c, ++j) {
              q.node[j] = {base[0] + a, base[1] + b, base[2] + c};
              q.weight[j] = w[0][std::size_t(a)] * w[1][std::size_t(b)] * w[2][std::size_t(c)];
              Node& node = grid[q.node[j]];
              node.mass += q.weight[j] * particleMass;
              node.momentum += q.weight[j] * particleMass * q.v;
              node.touched = node.touched || z == 0;
            }
        if (z == 0) particles.push_back(q);
      }
  ContactProblem<Real> problem;
  problem.dt = Real(dt), problem.stictionSpeed = Real(1e-3), problem.stictionSoftness = Real(1e-3);
  std::map<std::array<int, 3>, int> index;
  const auto real = [](const V3<double>& v) { return V3<Real>{Real(v.x), Real(v.y), Real(v.z)}; };
  for (const auto& [key, node] : grid) {
    if (!node.touched) continue;
    index[key] = static_cast<int>(problem.mass.size());
    if (places != nullptr) places->nodes.push_back(h * Vec3(key[0], key[1], key[2]));
    problem.mass.push_back(Real(node.mass));
    problem.vStar.push_back(real((1 / node.mass) * node.momentum));
  }
  for (const Particle& q : particles) {
    if (places != nullptr) places->contacts.emplace_back(q.x.x, q.x.y, q.x.z);
    const double f0 = k * std::max(q.penetration, 1e-6);
    ContactPoint<Real> point{};
    point.normal = {0, 0, 1};
    point.vBody = {0, 0, 0};
    point.f0 = Real(f0), point.stiffness = Real(k), point.dissipation = Real(layer.dissipation);
    point.friction = Real(layer.friction);
    point.n0 = Real(contact::laggedNormalImpulse(f0, layer.dissipation, q.v.z, dt));
    for (std::size_t j = 0; j < 27; ++j)
      point.node[j] = index.at(q.node[j]), point.weight[j] = Real(q.weight[j]);
    problem.contacts.push_back(point);
  }
  return problem;
}

}  // namespace slipstick::mpm
