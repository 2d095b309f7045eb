// Particles where a device has them, for pictures that do not take them by way of this machine's memory.
#pragma once

#include <cstddef>
#include <memory>

namespace slipstick {

/// How a source lays n particles out, in floats: x y z of each [m], then n values of each quantity, in the order
/// and the units of Snapshot.
struct ParticleColumns {
  enum Column : int { Speed = 3, Stress, Pressure, PlasticStrain, Count };
  static constexpr std::size_t floats(std::size_t particles) { return std::size_t{Count} * particles; }
  /// Where a column begins.
  static constexpr std::size_t first(Column column, std::size_t particles) {
    return static_cast<std::size_t>(column) * particles;
  }
};

/// A buffer that somebody draws from, seen from the thread that draws.
class DrawBuffer {
 public:
  virtual ~DrawBuffer() = default;
  virtual unsigned glName() const = 0;  ///< OpenGL's, of the context that is current
  /// Fills it from this machine's memory.
  virtual void write(const void* data, std::size_t bytes) = 0;
  /// What a device keeps of it from its first copy on; has to go before the buffer does.
  std::shared_ptr<void> registration;
};

/// The particles of one step. It keeps their memory from being used again, no longer than the device lives.
class ParticleSource {
 public:
  virtual ~ParticleSource() = default;
  /// Fills a buffer that has room for the columns; from any thread.
  /// @return false where it cannot: the buffer is on another GPU, or the device is gone
  virtual bool copyTo(DrawBuffer& buffer) const = 0;
};

}  // namespace slipstick
