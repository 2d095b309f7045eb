// Float backends against the reference data, which knows how much of a deviation is rounding.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/mpm/backend.h"

namespace slipstick::testing {

using MakeBackend = std::function<std::unique_ptr<mpm::Backend>(std::shared_ptr<const Model>)>;

/// "within about 10× of float_noise" (reference README).
inline constexpr double kNoiseFactor = 10;

/// Steps every scene of a file of reference data and expects x, v, F, q and the wrenches within ten times the float
/// noise on record. @param file  below tests/data
/// @param factorOf  instead of ten, by the scene's material. @return how many scenes there are
int expectScenesWithinNoise(
    const std::string& file, const MakeBackend& make,
    const std::function<double(const std::string& material)>& factorOf = [](const std::string&) {
      return kNoiseFactor;
    });

}  // namespace slipstick::testing
