// Reference data to Eigen types.
#pragma once

#include <limits>
#include <nlohmann/json.hpp>

#include "engine/model/material.h"
#include "engine/model/math.h"

namespace slipstick::testing {

inline Vec3 vec3(const nlohmann::json& j) {
  return Vec3(j.at(0).get<double>(), j.at(1).get<double>(), j.at(2).get<double>());
}

/// Rows of rows.
inline Mat3 mat3(const nlohmann::json& j) {
  Mat3 m;
  for (std::size_t i = 0; i < 3; ++i) m.row(static_cast<int>(i)) = vec3(j.at(i)).transpose();
  return m;
}

/// Index of a material's name in kMaterialNames, or −1 for materials that the engine does not have yet.
inline int materialIndex(const nlohmann::json& name) {
  for (std::size_t i = 0; i < kMaterialNames.size(); ++i)
    if (kMaterialNames[i] == name.get<std::string>()) return static_cast<int>(i);
  return -1;
}

/// Parameters by the reference's names; null is infinite.
inline MaterialParameters materialParameters(const nlohmann::json& name, const nlohmann::json& p,
                                             double density) {
  MaterialParameters m;
  m.model = static_cast<MaterialModel>(materialIndex(name));
  m.E = p.at("E");
  m.nu = p.at("nu");
  m.density = density;
  for (const char* key : {"eta", "sigma_y"})
    if (p.contains(key) && !p.at(key).is_null()) m.yieldStress = p.at(key);
  return m;
}

/// Largest absolute entry of a nested array of numbers.
inline double largest(const nlohmann::json& j) {
  if (j.is_number()) return std::abs(j.get<double>());
  double most = 0;
  for (const auto& item : j) most = std::max(most, largest(item));
  return most;
}

}  // namespace slipstick::testing
