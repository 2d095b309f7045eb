#include "gpu/kernel_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <regex>

namespace slipstick::gpu {

std::string shortName(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  static const std::regex qualifier(R"((\w+|\(anonymous namespace\))::)");
  return std::regex_replace(status == 0 ? text.get() : mangled, qualifier, "");
}

}  // namespace slipstick::gpu
