// A programmer's mistake stops the program and prints the values, in release builds too.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace slipstick::detail {

template <class... Values>
[[noreturn]] void requireFailed(const char* condition, const char* file, int line, const Values&... values) {
  std::cerr << file << ':' << line << ": required: " << condition;
  ((std::cerr << "  [" << values << ']'), ...);
  std::cerr << std::endl;
  std::abort();
}

}  // namespace slipstick::detail

/// SIM_REQUIRE(condition, values…): aborts with the condition and the values when it does not hold.
#define SIM_REQUIRE(condition, ...)                                                                  \
  do {                                                                                               \
    if (!(condition)) [[unlikely]]                                                                   \
      ::slipstick::detail::requireFailed(#condition, __FILE__, __LINE__ __VA_OPT__(, ) __VA_ARGS__); \
  } while (false)
