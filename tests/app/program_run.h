// Runs the real program as a person does, and keeps what it said.
#pragma once

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/test_paths.h"

namespace slipstick::testing {

inline std::string readText(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

inline std::size_t lineCount(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// An empty folder of its own for each test, removed afterwards; with a scene that takes milliseconds.
class ProgramTest : public ::testing::Test {
 protected:
  struct Outcome {
    int status = -1;
    std::string out, err;
  };

  ProgramTest() {
    std::string name = (std::filesystem::temp_directory_path() / "slipstick_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    std::ofstream(folder_ / "drop.yaml") << R"(title: a soft cube falls on a table
time: {dt_ms: 5, duration: 0.1}
grid: {spacing: 0.05}
materials:
  gel: {model: fixed_corotated, E: 1e4, nu: 0.3, density: 1000}
deformables:
  cube: {material: gel, shape: box, size: [0.1, 0.1, 0.1], position: [0, 0, 0.055], sampling: {count: [4, 4, 4]}}
bodies:
  table: {shapes: [{name: top, shape: plane}]}
  puck: {base: free, mass: 0.5, position: [1, 0, 1], shapes: [{name: ball, shape: sphere, radius: 0.05}]}
)";
  }
  ~ProgramTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  /// @param arguments  for the shell, after the program's name
  Outcome run(const std::string& arguments, const std::string& environment = "") const {
    const std::string command = "cd '" + folder_.string() + "' && " + environment + " '" + program_.string() +
                                "' " + arguments + " >out.txt 2>err.txt </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, readText(folder_ / "out.txt"),
            readText(folder_ / "err.txt")};
  }

  /// A shell script in the folder, for what is to be called in place of a program.
  void writeProgram(const std::string& name, const std::string& commands) const {
    const std::filesystem::path file = folder_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "#!/bin/sh\n" << commands << '\n';
    std::filesystem::permissions(file, std::filesystem::perms::owner_exec,
                                 std::filesystem::perm_options::add);
  }

  std::filesystem::path folder_;
  std::filesystem::path program_ = program();  ///< that run() runs
};

}  // namespace slipstick::testing
