// How a device fails, in the words that every executor uses.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/model/step_failure.h"

namespace slipstick::gpu {

/// A device that failed: out of memory, lost, or a call that it refused. Caught where the backend is stepped.
class DeviceError : public StepFailure {
 public:
  using StepFailure::StepFailure;
};

// `executor` is its name(). `call` is what was asked for last, "kernel Scale" or "cudaMalloc"; may be empty.

/// `bytes` of device memory were asked for in vain.
Error outOfDeviceMemory(std::string_view executor, std::size_t bytes);
/// Nothing runs on the device any more. @param reason  what the driver says, may be empty
Error deviceLost(std::string_view executor, const std::string& call, const std::string& reason);
/// One call failed, and the device lives.
Error deviceRefused(std::string_view executor, const std::string& call, const std::string& reason);

}  // namespace slipstick::gpu
