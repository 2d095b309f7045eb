// That the element math needs nothing of a GPU that would make it slow, as the assembler reports it; and,
// where a device is, that it computes there what it computes here.
#include "tests/gpu/element_math.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <regex>
#include <set>

#include "gpu/device.h"
#include "gpu/kernel_name.h"

namespace slipstick::gpu::testing {
namespace {

/// What one kernel needs on one architecture.
struct Resources {
  std::string element, architecture;
  int stack = -1, spillStores = -1, spillLoads = -1;  ///< [B]
  int registers = -1;
};

/// From what `ptxas -v` wrote.
std::vector<Resources> readResources(const std::string& file) {
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  static const std::regex entry(
      "Compiling entry function '([^']+)' for '([^']+)'[^\\n]*\\n"
      "[^\\n]*Function properties[^\\n]*\\n"
      "\\s*(\\d+) bytes stack frame, (\\d+) bytes spill stores, (\\d+) bytes spill loads\\n"
      "[^\\n]*Used (\\d+) registers");
  static const std::regex kernel(R"(.*perThread<(.*[^ ]) ?>\(.*)");
  std::vector<Resources> found;
  for (std::sregex_iterator m(text.begin(), text.end(), entry), end; m != end; ++m)
    found.push_back({std::regex_replace(shortName((*m)[1]), kernel, "$1"), (*m)[2], std::stoi((*m)[3]),
                     std::stoi((*m)[4]), std::stoi((*m)[5]), std::stoi((*m)[6])});
  return found;
}

std::string nameOf(const Element& element) {
  return shortName(element.type->name());
}

std::vector<float> randomInputs(int count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> in(static_cast<std::size_t>(count) * kElementInputs);
  for (float& x : in) x = uniform(random);
  return in;
}

TEST(ElementMath, NeedsNoLocalMemoryOnAnyArchitecture) {
  const std::vector<Resources> kernels = readResources(SLIPSTICK_ELEMENT_RESOURCES);
  std::set<std::string> architectures;
  for (const Resources& k : kernels) {
    architectures.insert(k.architecture);
    std::cout << k.architecture << "  " << k.registers << " registers  " << k.element << '\n';
    EXPECT_EQ(k.spillStores, 0) << k.element << " on " << k.architecture;
    EXPECT_EQ(k.spillLoads, 0) << k.element << " on " << k.architecture;
    EXPECT_EQ(k.stack, 0) << k.element << " on " << k.architecture;
  }
  ASSERT_FALSE(architectures.empty()) << SLIPSTICK_ELEMENT_RESOURCES;
  for (const std::string& architecture : architectures)
    for (const Element& element : elementMath())
      EXPECT_EQ(std::count_if(kernels.begin(), kernels.end(),
                              [&](const Resources& k) {
                                return k.architecture == architecture && k.element == nameOf(element);
                              }),
                1)
          << nameOf(element) << " on " << architecture;
}

/// Guards the listing: a kernel whose work the compiler could leave out would need nothing.
TEST(ElementMath, EveryElementGivesFiniteNumbersThatDependOnItsInputs) {
  const std::vector<float> in = randomInputs(2);
  for (const Element& element : elementMath()) {
    std::vector<float> first(kElementOutputs), second(kElementOutputs);
    element.onHost(in.data(), first.data());
    element.onHost(in.data() + kElementInputs, second.data());
    for (const float x : first) EXPECT_TRUE(std::isfinite(x)) << nameOf(element);
    EXPECT_NE(first, second) << nameOf(element);
  }
}

TEST(OnDeviceElementMath, ComputesWhatTheHostComputes) {
  if (cudaDevices().empty()) GTEST_SKIP() << "no CUDA device: " << noDeviceReason();
  constexpr int kCount = 1000;
  const std::vector<float> in = randomInputs(kCount);
  for (const Element& element : elementMath()) {
    std::vector<float> host(kCount * kElementOutputs), device(host);
    for (std::size_t i = 0; i < kCount; ++i)
      element.onHost(in.data() + i * kElementInputs, host.data() + i * kElementOutputs);
    ASSERT_EQ(element.onDevice(in.data(), device.data(), kCount), "") << nameOf(element);
    for (std::size_t i = 0; i < host.size(); ++i)
      ASSERT_NEAR(device[i], host[i], 1e-3f * std::max(1.0f, std::abs(host[i])))
          << nameOf(element) << ", output " << i % kElementOutputs;
  }
}

}  // namespace
}  // namespace slipstick::gpu::testing
