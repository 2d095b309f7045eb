// Stress and tangent of cloth for implicit solves, triangle by triangle (law and stress: cloth.h). In double.
#pragma once

#include "engine/mpm/materials/constants.h"
#include "engine/mpm/materials/tangent.h"

namespace slipstick::mpm {

/// @param F  of a triangle: two columns in the sheet, and the director
/// @param C  the Hessian of Ψ by F, without its negative directions: cloth that is pressed together in its plane gives way
/// sideways [Pa]
ElasticResponse linearizeCloth(const Mat3& F, const MaterialConstants<double>& constants, Mat9& C);

}  // namespace slipstick::mpm
