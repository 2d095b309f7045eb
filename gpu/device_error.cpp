#include "gpu/device_error.h"

namespace slipstick::gpu {
namespace {

std::string placeOf(std::string_view executor, const std::string& call) {
  return call.empty() ? std::string(executor) : std::string(executor) + ", " + call;
}

}  // namespace

Error outOfDeviceMemory(std::string_view executor, std::size_t bytes) {
  return {ErrorCode::DeviceFailure, "the device has no " + std::to_string(bytes) + " bytes of memory left",
          std::string(executor),
          "close other programs that use it, take fewer particles, or compute on the CPU (--backend cpu)"};
}

Error deviceLost(std::string_view executor, const std::string& call, const std::string& reason) {
  return {ErrorCode::DeviceFailure, "the device was lost" + (reason.empty() ? "" : ": " + reason),
          placeOf(executor, call), "compute on the CPU (--backend cpu)"};
}

Error deviceRefused(std::string_view executor, const std::string& call, const std::string& reason) {
  return {ErrorCode::DeviceFailure, "the device refused: " + reason, placeOf(executor, call),
          "start again, update the NVIDIA driver, or compute on the CPU (--backend cpu)"};
}

}  // namespace slipstick::gpu
