#include "gpu/cuda_gl.h"

#include <cuda_gl_interop.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>

namespace slipstick::gpu {
namespace {

/// Of the thread that draws, and independent of the one that kernels run in.
const cudaStream_t kStream = cudaStreamPerThread;

/// Whether a call succeeded. What it leaves behind where it did not must not be found by a later check.
bool succeeds(cudaError_t status) {
  if (status != cudaSuccess) static_cast<void>(cudaGetLastError());
  return status == cudaSuccess;
}

/// Whether the OpenGL context that is current draws on a device.
bool drawsOn(int device) {
  std::array<int, 16> devices{};
  unsigned count = 0;
  if (!succeeds(cudaGLGetDevices(&count, devices.data(), devices.size(), cudaGLDeviceListAll))) return false;
  return std::find(devices.begin(), devices.begin() + count, device) != devices.begin() + count;
}

/// An OpenGL buffer as a device knows it: not at all, where the two have not the same GPU.
class GlRegistration {
 public:
  GlRegistration(int device, unsigned buffer) : device_(device) {
    if (!drawsOn(device)) return;
    if (!succeeds(cudaGraphicsGLRegisterBuffer(&resource_, buffer, cudaGraphicsRegisterFlagsWriteDiscard)))
      resource_ = nullptr;
  }
  ~GlRegistration() {
    if (resource_ && succeeds(cudaSetDevice(device_)))
      static_cast<void>(succeeds(cudaGraphicsUnregisterResource(resource_)));
  }
  GlRegistration(const GlRegistration&) = delete;
  GlRegistration& operator=(const GlRegistration&) = delete;

  int device() const { return device_; }

  bool fill(const void* from, std::size_t bytes) {
    if (!resource_ || !succeeds(cudaGraphicsMapResources(1, &resource_, kStream))) return false;
    void* to = nullptr;
    std::size_t capacity = 0;
    const bool copied = succeeds(cudaGraphicsResourceGetMappedPointer(&to, &capacity, resource_)) &&
                        capacity >= bytes &&
                        succeeds(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, kStream));
    // Whatever has happened, the buffer is OpenGL's again.
    const bool returned = succeeds(cudaGraphicsUnmapResources(1, &resource_, kStream));
    return succeeds(cudaStreamSynchronize(kStream)) && copied && returned;
  }

 private:
  int device_;
  cudaGraphicsResource_t resource_ = nullptr;
};

}  // namespace

bool copyToGl(int device, const void* from, std::size_t bytes, DrawBuffer& buffer) noexcept {
  if (!succeeds(cudaSetDevice(device))) return false;  // each thread has a current device of its own
  // Nobody but this file registers buffers.
  auto* known = static_cast<GlRegistration*>(buffer.registration.get());
  if (!known || known->device() != device) {
    buffer.registration.reset();  // of another device, before this one takes the buffer
    const auto made = std::make_shared<GlRegistration>(device, buffer.glName());
    buffer.registration = made;
    known = made.get();
  }
  return known->fill(from, bytes);
}

}  // namespace slipstick::gpu
