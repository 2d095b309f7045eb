// The lanes that reals of one precision are computed in: floats sixteen at a time, doubles one by one.
#pragma once

#include "engine/lanes/pack.h"

namespace slipstick::lanes {
inline namespace SIM_ISA {

template <class Real>
struct LaneOf {
  using type = Real;
  static constexpr int kLanes = 1;
  SIM_HD static Real load(const Real* p) { return *p; }
  SIM_HD static void store(Real value, Real* p) { *p = value; }
};
template <>
struct LaneOf<float> {
  using type = Pack;
  static constexpr int kLanes = Pack::kLanes;
  SIM_HD static Pack load(const float* p) { return Pack::load(p); }
  SIM_HD static void store(Pack value, float* p) { value.store(p); }
};

}  // namespace SIM_ISA
}  // namespace slipstick::lanes
