#include "engine/mpm/particle_state.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/model/step_failure.h"
#include "tests/support/same_bits.h"

namespace slipstick::mpm {
namespace {

ParticleState randomParticles(std::size_t count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto fill = [&](auto& entries) {
    for (auto& entry : entries)
      for (double& x : entry.reshaped()) x = number(random);
  };
  ParticleState p;
  p.x.resize(count);
  p.v.resize(count);
  p.F.resize(count);
  p.C.resize(count);
  p.internal.resize(count);
  for (auto* vectors : {&p.x, &p.v}) fill(*vectors);
  for (auto* matrices : {&p.F, &p.C}) fill(*matrices);
  fill(p.internal);
  for (std::size_t i = 0; i < count; ++i) p.plastic.push_back(number(random));
  p.contacts = {{0, 1, {1, 2, 3}}, {static_cast<int>(count) - 1, 0, {4, 5, 6}}};
  return p;
}

TEST(ParticleState, IsTheSameAgainAfterItWasASoftState) {
  const ParticleState particles = randomParticles(7);
  SoftState soft;
  soft.x.resize(3);  // what it held is gone
  soft.fields = {{{"F", 1, 1}, {1, 2, 3}}};
  toSoftState(ParticleState(particles), soft);
  EXPECT_TRUE(testing::sameBits(particlesOf(soft), particles));
  EXPECT_EQ(soft.find("F")->values[9 + 1], particles.F[1](1, 0)) << "column by column";
}

/// Backends tell the hash of their particles, keyframes have a SoftState: a replay compares one with the other.
TEST(ParticleState, HasTheHashOfItsSoftState) {
  const ParticleState particles = randomParticles(7);
  SoftState soft;
  toSoftState(ParticleState(particles), soft);
  EXPECT_EQ(hashOf(soft), hashOf(particles));
}

TEST(ParticleState, IsNotMadeOfWhatAnotherMethodRemembers) {
  SoftState soft;
  toSoftState(randomParticles(7), soft);
  soft.fields[1].spec.name = "stretch";
  EXPECT_THROW((void)particlesOf(soft), StepFailure);
  soft.fields[1].spec.name = "C";
  soft.fields[1].values.pop_back();
  EXPECT_THROW((void)particlesOf(soft), StepFailure);
}

}  // namespace
}  // namespace slipstick::mpm
