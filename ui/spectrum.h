// How much of a curve swings how fast.
#pragma once

#include <span>
#include <vector>

namespace slipstick::ui {

struct Spectrum {
  std::vector<double> frequency;  ///< [Hz], from 0
  std::vector<double> amplitude;  ///< of a sine of that frequency, in the unit of the values
  /// Index of the largest amplitude above zero frequency; 0 where there is none.
  std::size_t peak() const;
};

/// Of equally spaced values, dt apart [s], their mean removed, through a Hann window: a sine's peak stands at its
/// frequency with its amplitude, to 1 %. Empty for fewer than 8 values, or where one is missing.
Spectrum spectrumOf(std::span<const double> values, double dt);

}  // namespace slipstick::ui
