// Kernels by the names that their writers gave them, for errors and tables.
#pragma once

#include <string>
#include <typeinfo>

namespace slipstick::gpu {

/// A mangled symbol or type in the words of the source, without namespaces: "Update<Memoryless<Hencky> >".
std::string shortName(const std::string& mangled);

template <class Kernel>
std::string kernelName() {
  return shortName(typeid(Kernel).name());
}

}  // namespace slipstick::gpu
