// The linker keeps one copy of a function that several objects share. If a kernel object shared one with the
// rest of the program, that copy could be the one compiled for AVX-512, and an older CPU would stop on it.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>

#include "tests/support/test_paths.h"

namespace {

std::string outputOf(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> buffer;
  while (pipe && std::fgets(buffer.data(), buffer.size(), pipe.get()) != nullptr) text += buffer.data();
  return text;
}

/// @param folder, prefix  of the objects, one per instruction set
void expectNoSharedFunctions(const std::string& folder, const std::string& prefix) {
  const auto objects =
      slipstick::testing::program().parent_path().parent_path() / "engine/CMakeFiles/engine.dir" / folder;
  int checked = 0;
  for (const std::string variant : {"base", "avx2", "avx512"}) {
    const auto object = objects / (prefix + variant + ".cpp.o");
    if (!std::filesystem::exists(object)) continue;  // not built for this processor
    std::istringstream symbols(outputOf("nm '" + object.string() + "'"));
    int defined = 0;
    for (std::string line; std::getline(symbols, line); ++defined) {
      const bool weak = line.find(" W ") != std::string::npos || line.find(" V ") != std::string::npos ||
                        line.find(" u ") != std::string::npos;
      const std::string ownNamespace = std::to_string(variant.size()) + variant;  // as names are mangled
      if (weak) {
        EXPECT_NE(line.find(ownNamespace), std::string::npos) << variant << ": " << line;
      }
    }
    EXPECT_GT(defined, 5) << object;
    ++checked;
  }
  EXPECT_GE(checked, 1) << "no kernel objects under " << objects;
}

}  // namespace

TEST(Kernels, ShareNoInlineFunctionWithOtherInstructionSets) {
  ASSERT_FALSE(outputOf("nm --version").empty())
      << "nm is missing: package binutils, which every compiler needs";
  expectNoSharedFunctions("mpm/kernels", "kernels_");
  expectNoSharedFunctions("contact/kernels", "rigid_kernels_");
}
