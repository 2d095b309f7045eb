#include "engine/mpm/particle_state.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "engine/foundation/require.h"
#include "engine/model/cloth.h"
#include "engine/model/node_words.h"
#include "engine/model/step_failure.h"

namespace slipstick::mpm {

namespace {

/// The memory of an entry is its numbers, a matrix's column by column, as in NodeField.
template <class Entry>
NodeField fieldOf(FieldSpec spec, const std::vector<Entry>& entries) {
  const auto size = static_cast<std::size_t>(spec.size());
  SIM_REQUIRE(sizeof(Entry) == size * sizeof(double), spec.name);
  NodeField field{std::move(spec), std::vector<double>(entries.size() * size)};
  if (!entries.empty())
    std::memcpy(field.values.data(), entries.data(), field.values.size() * sizeof(double));
  return field;
}

template <class Entry>
void take(const SoftState& soft, const char* name, std::vector<Entry>& entries) {
  const NodeField* const field = soft.find(name);
  if (field == nullptr || field->values.size() * sizeof(double) != soft.x.size() * sizeof(Entry))
    throw StepFailure({ErrorCode::Unsupported, "this state was not made by a method with particles",
                       "its field '" + std::string(name) + "'", "choose the method that made it"});
  entries.resize(soft.x.size());
  if (!entries.empty())
    std::memcpy(static_cast<void*>(entries.data()), field->values.data(), entries.size() * sizeof(Entry));
}

void startCloth(const Deformable& d, ParticleState& particles) {
  const ClothMesh& mesh = *clothOf(d);
  const Vec3* const x = particles.x.data() + d.begin;
  for (int t = 0; t < mesh.triangleCount(); ++t)
    particles.F[static_cast<std::size_t>(d.begin + mesh.vertices + t)] =
        triangleDeformation(mesh, t, x, triangleNormal(mesh, t, x));
}

}  // namespace

ParticleState particlesAtStart(const Model& model) {
  const std::size_t count = model.nodeCount();
  ParticleState particles;
  particles.x = model.nodes.x;
  particles.v = model.nodes.v;
  particles.C = model.nodes.velocityGradient;
  particles.F.assign(count, Mat3::Identity());
  particles.plastic.assign(count, 0.0);
  particles.internal.assign(count, Eigen::Vector2d::Zero());
  for (const Deformable& d : model.deformables) {
    if (d.material.model == MaterialModel::Snow)
      std::fill(particles.internal.begin() + d.begin, particles.internal.begin() + d.end,
                Eigen::Vector2d(1, 0));
    if (clothOf(d)) startCloth(d, particles);
  }
  return particles;
}

void toSoftState(ParticleState&& particles, SoftState& soft) {
  soft.fields = {fieldOf({"F", 3, 3, "", "elastic deformation gradients, by columns"}, particles.F),
                 fieldOf({"C", 3, 3, "1/s", "affine velocities, by columns"}, particles.C),
                 fieldOf({"plastic", 1, 1, "", "accumulated plastic strain"}, particles.plastic),
                 fieldOf({"internal", 2, 1, "", "internal variables of the material"}, particles.internal)};
  soft.x = std::move(particles.x);
  soft.v = std::move(particles.v);
  soft.contacts = std::move(particles.contacts);
}

ParticleState particlesOf(const SoftState& soft) {
  ParticleState particles;
  SIM_REQUIRE(soft.v.size() == soft.x.size(), soft.v.size(), soft.x.size());
  particles.x = soft.x;
  particles.v = soft.v;
  take(soft, "F", particles.F);
  take(soft, "C", particles.C);
  take(soft, "plastic", particles.plastic);
  take(soft, "internal", particles.internal);
  particles.contacts = soft.contacts;
  return particles;
}

std::uint64_t hashOf(const ParticleState& particles) {
  std::uint64_t hash = slipstick::hashOf(particles.contacts);
  for (std::size_t p = 0; p < particles.x.size(); ++p) {
    NodeWords words;
    words.addPosition(particles.x[p]);
    words.addAll(particles.v[p]);
    for (const std::vector<Mat3>* matrices : {&particles.F, &particles.C})
      words.addAll((*matrices)[p].transpose().reshaped());
    words.add(particles.plastic[p]);
    words.addAll(particles.internal[p]);
    hash += words.hash(static_cast<int>(p));
  }
  return hash;
}

}  // namespace slipstick::mpm
