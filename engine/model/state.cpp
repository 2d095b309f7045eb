#include "engine/model/state.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/foundation/require.h"
#include "engine/lanes/hash.h"

namespace slipstick {

namespace {

/// Multiply–rotate hash over 64-bit words: every bit of every word reaches the result, and order matters. Not
/// for secrets.
class WordHash {
 public:
  void add(std::uint64_t word) {
    value_ ^= word * 0x9e3779b97f4a7c15ull;
    value_ = std::rotl(value_, 27) * 0xff51afd7ed558ccdull + 0x165667b19e3779f9ull;
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }

  /// Any fixed-size matrix or dynamic vector, column by column. The size goes in first, so that arrays cannot
  /// trade entries.
  template <class Derived>
  void add(const Eigen::DenseBase<Derived>& matrix) {
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
      for (Eigen::Index i = 0; i < matrix.rows(); ++i) add(static_cast<double>(matrix(i, j)));
    }
  }
  void addSized(const VecX& vector) {
    add(static_cast<std::uint64_t>(vector.size()));
    add(vector);
  }
  template <class T>
  void addSized(const std::vector<T>& entries) {
    add(static_cast<std::uint64_t>(entries.size()));
    for (const T& entry : entries) add(entry);
  }

  std::uint64_t value() const {
    std::uint64_t x = value_;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ull;
    return x ^ (x >> 29);
  }

 private:
  std::uint64_t value_ = 0x27d4eb2f165667c5ull;
};

/// The words of one particle in the order of lanes::HashWord.
class ParticleWords {
 public:
  /// All bits of the number.
  void addBits(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    words_[count_++] = static_cast<std::uint32_t>(bits);
    words_[count_++] = static_cast<std::uint32_t>(bits >> 32);
  }
  /// The bits of the nearest float, and those of what it leaves of the number: nothing, in the states of
  /// backends that compute in float.
  void add(double number) {
    const auto nearest = static_cast<float>(number);
    const double rest = number - static_cast<double>(nearest);
    if (rest != 0) rest_ += lanes::mixBits(std::bit_cast<std::uint64_t>(rest) + count_);
    words_[count_++] = std::bit_cast<std::uint32_t>(nearest);
  }
  std::uint64_t hash(int particle) const {
    std::uint64_t sum = rest_;
    for (int w = 0; w < lanes::HashWord::Count; w += 2)
      sum +=
          lanes::hashOfPair(w, words_[static_cast<std::size_t>(w)], words_[static_cast<std::size_t>(w) + 1]);
    return lanes::particleHash(sum, particle);
  }

 private:
  std::array<std::uint32_t, lanes::HashWord::Count> words_{};
  std::size_t count_ = 0;
  std::uint64_t rest_ = 0;
};

template <class T>
std::size_t bytesOf(const std::vector<T>& entries) {
  return entries.size() * sizeof(T);
}

std::size_t bytesOf(const VecX& vector) {
  return static_cast<std::size_t>(vector.size()) * sizeof(double);
}

struct CommandApplier {
  const Model& model;
  State& state;

  void operator()(const SetExternalForce& command) const {
    SIM_REQUIRE(command.body >= 0 && static_cast<std::size_t>(command.body) < state.externalForces.size(),
                command.body, state.externalForces.size());
    state.externalForces[static_cast<std::size_t>(command.body)] = {command.p_B, command.force_W};
  }
  void operator()(const SetFriction& command) const {
    SIM_REQUIRE(command.geometry >= 0 && static_cast<std::size_t>(command.geometry) < model.geometries.size(),
                command.geometry, model.geometries.size());
    SIM_REQUIRE(command.friction >= 0, command.friction);
    state.friction[static_cast<std::size_t>(command.geometry)] = command.friction;
  }
  void operator()(const SetGravity& command) const { state.gravity = command.gravity; }
};

}  // namespace

State State::initial(const Model& model) {
  State state;
  state.q = model.initialQ;
  state.v = model.initialV;
  state.controllerQ = model.initialQ;
  state.gravity = model.gravity;
  state.friction.assign(model.geometries.size(), std::numeric_limits<double>::quiet_NaN());
  state.externalForces.resize(model.tree.bodies.size());

  const std::size_t count = model.particleCount();
  state.particles.x = model.particles.x;
  state.particles.v = model.particles.v;
  state.particles.C = model.particles.C;
  state.particles.F.assign(count, Mat3::Identity());
  state.particles.plastic.assign(count, 0.0);
  state.particles.internal.assign(count, Eigen::Vector2d::Zero());
  for (const Deformable& d : model.deformables) {
    if (d.material.model == MaterialModel::Snow)
      std::fill(state.particles.internal.begin() + d.begin, state.particles.internal.begin() + d.end,
                Eigen::Vector2d(1, 0));
    if (!d.cloth) continue;
    const Vec3* x = state.particles.x.data() + d.begin;
    for (int t = 0; t < d.cloth->triangleCount(); ++t)
      state.particles.F[static_cast<std::size_t>(d.begin + d.cloth->vertices + t)] =
          triangleDeformation(*d.cloth, t, x, triangleNormal(*d.cloth, t, x));
  }
  return state;
}

std::size_t State::byteCount() const {
  return sizeof(State) + bytesOf(q) + bytesOf(v) + bytesOf(particles.x) + bytesOf(particles.v) +
         bytesOf(particles.F) + bytesOf(particles.C) + bytesOf(particles.plastic) +
         bytesOf(particles.internal) + bytesOf(controllerQ) + bytesOf(constraintImpulses) +
         bytesOf(friction) + bytesOf(externalForces);
}

std::uint64_t hashOf(const ParticleState& particles) {
  std::uint64_t hash = 0;
  for (std::size_t p = 0; p < particles.x.size(); ++p) {
    ParticleWords words;
    for (int i = 0; i < 3; ++i) words.addBits(particles.x[p](i));
    for (int i = 0; i < 3; ++i) words.add(particles.v[p](i));
    for (int i = 0; i < 9; ++i) words.add(particles.F[p](i / 3, i % 3));
    for (int i = 0; i < 9; ++i) words.add(particles.C[p](i / 3, i % 3));
    words.add(particles.plastic[p]);
    for (int i = 0; i < 2; ++i) words.add(particles.internal[p](i));
    hash += words.hash(static_cast<int>(p));
  }
  return hash;
}

std::uint64_t hashOf(const State& state) {
  return hashOf(state, hashOf(state.particles));
}

std::uint64_t hashOf(const State& state, std::uint64_t particleHash) {
  WordHash hash;
  hash.add(state.step);
  hash.add(state.time);
  hash.addSized(state.q);
  hash.addSized(state.v);
  hash.add(particleHash);
  hash.addSized(state.controllerQ);
  hash.addSized(state.constraintImpulses);
  hash.add(state.gravity);
  hash.addSized(state.friction);
  for (const State::ExternalForce& force : state.externalForces) {
    hash.add(force.p_B);
    hash.add(force.force_W);
  }
  return hash.value();
}

void apply(const Command& command, const Model& model, State& state) {
  std::visit(CommandApplier{model, state}, command);
}

}  // namespace slipstick
