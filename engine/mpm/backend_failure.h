// How a backend says that it cannot go on.
#pragma once

#include <stdexcept>
#include <utility>

#include "engine/foundation/result.h"

namespace slipstick::mpm {

/// What a backend computes on is lost, has no memory left or refuses to work: no fault of the scene, and another
/// backend can go on. Any function of a Backend may throw it. An advance() that does has changed nothing; whether the
/// live particles can still be saved, only trying tells.
class BackendFailure : public std::runtime_error {
 public:
  /// @param error  of code DeviceFailure
  explicit BackendFailure(Error error) : std::runtime_error(error.message()), error_(std::move(error)) {}
  const Error& error() const { return error_; }

 private:
  Error error_;
};

}  // namespace slipstick::mpm
