// A locale that writes 0,5 for a half, as much of the world does.
#pragma once

#include <filesystem>
#include <string>

namespace slipstick::testing {

/// de_DE.UTF-8, built into a folder of its own (a bare system has no such locale), for the C library and, in
/// the environment, for programs that are started. Both are as before afterwards. Fails the test if it cannot
/// be had.
class CommaLocale {
 public:
  CommaLocale();
  ~CommaLocale();
  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;

  /// Assignments for the shell, before the program's name.
  std::string environment() const;

 private:
  std::filesystem::path folder_;
  std::string before_;  ///< of setlocale(LC_ALL)
};

}  // namespace slipstick::testing
