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
  DruckerPrager,            ///< sand: Klár et al. 2016 with volume correction
  Snow,                     ///< Stomakhin et al. 2013
  Liquid,                   ///< weakly compressible: Tait pressure and viscosity
  Cloth,                    ///< Jiang et al. 2017: lives on triangles, see engine/model/cloth.h
};
/// Models whose stress depends on one particle alone: all before Cloth.
inline constexpr int kPointMaterials = static_cast<int>(MaterialModel::Cloth);

/// YAML and reference-data names, in the order of MaterialModel.
inline constexpr std::array<std::string_view, kPointMaterials + 1> kMaterialNames = {
    "fixed_corotated",
    "neo_hookean",
    "linear_corotated",
    "linear_corotated_von_mises",
    "hencky",
    "hencky_von_mises",
    "corotated_hencky_von_mises",
    "drucker_prager",
    "snow",
    "liquid",
    "cloth"};

struct MaterialParameters {
  MaterialModel model = MaterialModel::FixedCorotated;
  double E = 1e5;         ///< Young's modulus [Pa]
  double nu = 0.3;        ///< Poisson's ratio [-]
  double density = 1000;  ///< [kg/m³]
  /// σ_y of the Hencky models, η of linear_corotated_von_mises [Pa]
  double yieldStress = std::numeric_limits<double>::infinity();

  /// Sand: friction angle h₀ + (h₁ q − h₃) e^{−h₂ q}, q the accumulated plastic flow; h₀, h₁, h₃ in degrees.
  std::array<double, 4> sandHardening = {35, 9, 0.2, 10};

  double snowCompression = 2.5e-2;  ///< θ_c: largest elastic compression [-]
  double snowStretch = 7.5e-3;      ///< θ_s: largest elastic stretch [-]
  double snowHardening = 10;        ///< ξ [-]

  double bulkModulus = 1e5;  ///< liquid: K = γ B of p = B (J^{−γ} − 1) [Pa]
  double tait = 7;           ///< liquid: γ [-]
  double viscosity = 0;      ///< liquid: η [Pa s]
  /// Liquid: J is kept below it. 1 removes tension, so that a liquid parts; infinity keeps it.
  double largestJ = 1;

  double thickness = 1e-3;       ///< cloth [m]
  double normalStiffness = 1e5;  ///< cloth: K, resists compression of the thickness [Pa]
  double shearStiffness = 0;     ///< cloth: γ, resists shear between layers [Pa]
  double layerFriction = 0;      ///< cloth: c_F between layers [-]
  double bendingStiffness = 0;   ///< cloth: of a plate, D [N m]

  double mu() const { return E / (2 * (1 + nu)); }                      ///< Lamé [Pa]
  double lambda() const { return E * nu / ((1 + nu) * (1 - 2 * nu)); }  ///< Lamé [Pa]
  /// Of compression waves at rest; cloth: within the sheet or, when it is pressed flat, across it, whichever
  /// is faster [m/s].
  double waveSpeed() const {
    double modulus = lambda() + 2 * mu();
    if (model == MaterialModel::Liquid) modulus = bulkModulus;
    if (model == MaterialModel::Cloth) modulus = std::fmax(modulus, 2 * normalStiffness);
    return std::sqrt(modulus / density);
  }
  /// What contact with rigid things takes for its stiffness unless the scene names one [Pa].
  double contactModulus() const { return model == MaterialModel::Liquid ? bulkModulus : E; }
};

}  // namespace slipstick
