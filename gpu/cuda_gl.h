// From CUDA's memory into OpenGL's, where one GPU has both.
#pragma once

#include <cstddef>

#include "engine/model/particle_source.h"

namespace slipstick::gpu {

/// In the thread whose OpenGL context has the buffer. Waits for the copy: then the memory may be written again, and no
/// event has to watch over it. Device to device that takes about a tenth of a millisecond for a million particles.
/// @param from  memory of CUDA device `device`
/// @return false where the context draws elsewhere, or the device fails; that is no error: whoever runs kernels on
/// a lost device is told by them
bool copyToGl(int device, const void* from, std::size_t bytes, DrawBuffer& buffer) noexcept;

}  // namespace slipstick::gpu
