// Names and parameters of the deformable materials. Their equations are in engine/mpm/materials.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
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

/// What is to be known of a model besides its equations.
struct MaterialFacts {
  MaterialModel model;
  std::string_view name;  ///< in YAML and reference data
  std::array<std::string_view, 7>
      keys;                  ///< of its parameters in scenes, without density; empty after the last
  bool movesFreely = false;  ///< it bends or flows so freely that its parts go their own ways
  bool keepsItsColor =
      false;  ///< people know it by its colour: it is not coloured by stress unless they ask for it
  bool hasGrains = false;  ///< its particles are drawn in several sizes
};

/// A row for each, in the order of MaterialModel.
inline constexpr std::array<MaterialFacts, kPointMaterials + 1> kMaterials = {{
    {.model = MaterialModel::FixedCorotated, .name = "fixed_corotated", .keys = {"E", "nu"}},
    {.model = MaterialModel::NeoHookean, .name = "neo_hookean", .keys = {"E", "nu"}},
    {.model = MaterialModel::LinearCorotated, .name = "linear_corotated", .keys = {"E", "nu"}},
    {.model = MaterialModel::LinearCorotatedVonMises,
     .name = "linear_corotated_von_mises",
     .keys = {"E", "nu", "yield_stress"}},
    {.model = MaterialModel::Hencky, .name = "hencky", .keys = {"E", "nu"}},
    {.model = MaterialModel::HenckyVonMises, .name = "hencky_von_mises", .keys = {"E", "nu", "yield_stress"}},
    {.model = MaterialModel::CorotatedHenckyVonMises,
     .name = "corotated_hencky_von_mises",
     .keys = {"E", "nu", "yield_stress"}},
    {.model = MaterialModel::DruckerPrager,
     .name = "drucker_prager",
     .keys = {"E", "nu", "friction_angle_deg", "hardening_deg"},
     .movesFreely = true,
     .keepsItsColor = true,
     .hasGrains = true},
    {.model = MaterialModel::Snow,
     .name = "snow",
     .keys = {"E", "nu", "critical_compression", "critical_stretch", "hardening"},
     .keepsItsColor = true},
    {.model = MaterialModel::Liquid,
     .name = "liquid",
     .keys = {"bulk_modulus", "exponent", "viscosity", "tension"},
     .movesFreely = true,
     .keepsItsColor = true},
    {.model = MaterialModel::Cloth,
     .name = "cloth",
     .keys = {"E", "nu", "thickness", "normal_stiffness", "shear_stiffness", "layer_friction",
              "bending_stiffness"},
     .movesFreely = true,
     .keepsItsColor = true},
}};

constexpr const MaterialFacts& materialFacts(MaterialModel model) {
  return kMaterials[static_cast<std::size_t>(model)];
}

/// Whether a parameter of scenes is one of the model's.
constexpr bool hasParameter(const MaterialFacts& facts, std::string_view key) {
  for (const std::string_view own : facts.keys)
    if (!own.empty() && own == key) return true;
  return false;
}

/// Their names, in the order of MaterialModel.
inline constexpr auto kMaterialNames = [] {
  std::array<std::string_view, kMaterials.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kMaterials[i].name;
  return names;
}();

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
