// How what steps a model says that it cannot go on.
#pragma once

#include <stdexcept>
#include <utility>

#include "engine/foundation/result.h"

namespace slipstick {

/// What a method computes on is lost, has no memory left or refuses to work: no fault of the scene, and another backend can
/// go on. Any function of a Stepper or of what it steps with may throw it. A step that does has changed nothing; whether the
/// live state can still be saved, only trying tells.
class StepFailure : public std::runtime_error {
 public:
  /// @param error  of code DeviceFailure; of Unsupported where a state is that of another method
  explicit StepFailure(Error error) : std::runtime_error(error.message()), error_(std::move(error)) {}
  const Error& error() const { return error_; }

 private:
  Error error_;
};

}  // namespace slipstick
