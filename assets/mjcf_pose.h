// How MJCF writes where things are: five ways for orientations, segments from point to point, angles in either unit.
#pragma once

#include <optional>

#include "assets/mjcf_document.h"
#include "engine/foundation/math.h"

namespace slipstick::assets {

/// The smallest rotation that takes z to a direction, which is not zero; half a turn about x where it is −z.
Mat3 rotationOfZ(const Vec3& direction);

/// Three turns in the order of <compiler eulerseq>.
Mat3 rotationOfEuler(const Vec3& angles, const MjcfCompiler& compiler);

/// Orientation of an item: that of the innermost element that writes one, in its quat, axisangle, euler, xyaxes or
/// zaxis; identity where none does.
Mat3 rotationOf(const MjcfItem& item, const MjcfCompiler& compiler);

/// `pos` and orientation.
Pose poseOf(const MjcfItem& item, const MjcfCompiler& compiler);

/// Of an item with `fromto`: it lies in the middle of the segment; z points, as in MuJoCo, to the first point.
struct MjcfSegment {
  Pose X;
  double halfLength = 0;  ///< [m]
};
std::optional<MjcfSegment> segmentOf(const MjcfItem& item);

}  // namespace slipstick::assets
