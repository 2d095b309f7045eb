// The fold between two triangles that share an edge.
#pragma once

#include "engine/lanes/lane.h"

namespace slipstick::lanes {
inline namespace SIM_ISA {

/// Angle between two triangles and its derivatives with respect to their corners.
template <class T>
struct HingeAngle {
  T angle;                  ///< in (−π, π]; 0 = flat, positive where the left corner is below [rad]
  V3<T> a, b, left, right;  ///< gradient [rad/m]
};

/// Triangles (a, b, left) and (b, a, right) share the edge a → b.
template <class T>
SIM_HD HingeAngle<T> hingeAngle(const V3<T>& a, const V3<T>& b, const V3<T>& left, const V3<T>& right) {
  const T least(1e-24f);  // of crushed triangles [m⁴]
  const V3<T> edge = b - a;
  const T length = sqrt(max(dot(edge, edge), least)), inverse = T(1) / length;
  const V3<T> n1 = cross(edge, left - a), n2 = cross(right - a, edge);
  const V3<T> up1 = (T(1) / max(dot(n1, n1), least)) * n1, up2 = (T(1) / max(dot(n2, n2), least)) * n2;
  HingeAngle<T> h;
  h.angle = atan2(inverse * dot(cross(n1, n2), edge), dot(n1, n2));
  h.left = -length * up1;
  h.right = -length * up2;
  h.a = -inverse * (dot(left - b, edge) * up1 + dot(right - b, edge) * up2);
  h.b = inverse * (dot(left - a, edge) * up1 + dot(right - a, edge) * up2);
  return h;
}

}  // namespace SIM_ISA
}  // namespace slipstick::lanes
