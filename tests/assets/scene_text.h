// A small valid scene that tests vary by replacing text.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "assets/scene_io.h"
#include "engine/compile/compile.h"
#include "tests/support/test_paths.h"

namespace slipstick::testing {

inline const std::string kScene = R"(title: A box falls on a table
time: {dt_ms: 5, duration: 2, substeps: auto}
grid: {spacing: 0.02}
contact: {friction: 0.4, dissipation: 2}
materials:
  gel: {model: neo_hookean, E: 1.0e5, nu: 0.3, density: 500}
deformables:
  jelly:
    material: gel
    shape: box
    size: [0.1, 0.1, 0.1]
    position: [0, 0, 0.3]
    sampling: {count: [4, 5, 6]}
bodies:
  table:
    contact: {friction: 0.7}
    shapes:
      - {name: top, shape: box, size: [1, 1, 0.1]}
      - {name: rail, shape: capsule, radius: 0.02, length: 1, position: [0, 0, 0.07], contact: {stiffness: 50}}
  block:
    base: free
    density: 1000
    position: [0, 0, 0.6]
    velocity: [0, 0, -1]
    shapes: [{shape: box, size: [0.1, 0.1, 0.1]}]
)";

/// The scene with the first `from` replaced by `to`; fails the test if `from` is not there.
inline std::string varied(const std::string& from, const std::string& to, std::string text = kScene) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

inline Result<assets::LoadedScene> parsed(const std::string& yaml,
                                          const std::vector<std::string>& overrides = {}) {
  return assets::parseScene(yaml, sourceDir() / "assets" / "scenes", "test.yaml",
                            {.overrides = overrides, .packagePaths = {}});
}

/// The message of the error that loading and compiling a text ends with, or "" when it succeeds.
inline std::string faultOf(const std::string& yaml, const std::vector<std::string>& overrides = {}) {
  Result<assets::LoadedScene> loaded = parsed(yaml, overrides);
  if (!loaded) return loaded.error().message();
  Result<CompiledScene> compiled = assets::compileLoaded(*loaded);
  return compiled ? "" : compiled.error().message();
}

/// Every message is one line with a place, a fault and a remedy.
inline void expectFault(const std::string& message, const std::vector<std::string>& parts) {
  EXPECT_NE(message, "");
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_NE(message.find("; "), std::string::npos) << message;
  for (const std::string& part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks: " << part;
}

/// A file in the test's own temporary folder.
inline std::filesystem::path writeFile(const std::string& name, const std::string& text) {
  const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "slipstick" / info->test_suite_name() / info->name();
  std::filesystem::create_directories(folder);
  std::ofstream(folder / name, std::ios::binary) << text;
  return folder / name;
}

}  // namespace slipstick::testing
