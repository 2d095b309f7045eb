// Names and parameters of the deformable materials. Their equations are in engine/mpm/materials.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

namespace slipstick {

enum class MaterialModel : std::uint8_t {
  FixedCorotated,
  NeoHookean,
  LinearCorotated,
  LinearCorotatedVonMises,  ///< Zong 2024, Algorithm 1: Frobenius bound η
  Hencky,
  HenckyVonMises,           ///< ‖dev τ‖ ≤ √(2/3) σ_y
  CorotatedHenckyVonMises,  ///< Yu's released dough: Hencky return map, fixed-corotated stress
};

/// YAML and reference-data names, in the order of MaterialModel.
inline constexpr std::array<std::string_view, 7> kMaterialNames = {
    "fixed_corotated", "neo_hookean",      "linear_corotated",          "linear_corotated_von_mises",
    "hencky",          "hencky_von_mises", "corotated_hencky_von_mises"};

struct MaterialParameters {
  MaterialModel model = MaterialModel::FixedCorotated;
  double E = 1e5;         ///< Young's modulus [Pa]
  double nu = 0.3;        ///< Poisson's ratio [-]
  double density = 1000;  ///< [kg/m³]
  /// σ_y of the Hencky models, η of linear_corotated_von_mises [Pa]
  double yieldStress = std::numeric_limits<double>::infinity();

  double mu() const { return E / (2 * (1 + nu)); }                                 ///< Lamé [Pa]
  double lambda() const { return E * nu / ((1 + nu) * (1 - 2 * nu)); }             ///< Lamé [Pa]
  double waveSpeed() const { return std::sqrt((lambda() + 2 * mu()) / density); }  ///< [m/s]
};

}  // namespace slipstick
