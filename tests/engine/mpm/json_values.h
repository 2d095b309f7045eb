// Reference data to Eigen types.
#pragma once

#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/foundation/math.h"
#include "engine/foundation/require.h"
#include "engine/model/material.h"

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

inline MaterialModel materialModel(const nlohmann::json& name) {
  for (std::size_t i = 0; i < kMaterialNames.size(); ++i)
    if (kMaterialNames[i] == name.get<std::string>()) return static_cast<MaterialModel>(i);
  SIM_REQUIRE(false && "a material of the reference that the engine does not have");
  return {};
}

/// As many internal variables as the material has; the others are zero.
inline Eigen::Vector2d internal(const nlohmann::json& q) {
  Eigen::Vector2d values = Eigen::Vector2d::Zero();
  for (std::size_t i = 0; i < q.size(); ++i) values(static_cast<Eigen::Index>(i)) = q[i].get<double>();
  return values;
}

/// Parameters by the reference's names; null is infinite.
inline MaterialParameters materialParameters(const nlohmann::json& name, const nlohmann::json& p,
                                             double density) {
  MaterialParameters m;
  m.model = materialModel(name);
  m.density = density;
  const auto read = [&](const char* key, double& value) {
    if (p.contains(key))
      value = p.at(key).is_null() ? std::numeric_limits<double>::infinity() : p.at(key).get<double>();
  };
  read("E", m.E);
  read("nu", m.nu);
  read("sigma_y", m.yieldStress);
  read("eta", m.model == MaterialModel::Liquid ? m.viscosity : m.yieldStress);
  constexpr std::array kHardening = {"h0", "h1", "h2", "h3"};
  for (std::size_t i = 0; i < kHardening.size(); ++i) read(kHardening[i], m.sandHardening[i]);
  read("theta_c", m.snowCompression);
  read("theta_s", m.snowStretch);
  read("xi", m.snowHardening);
  read("gamma", m.tait);
  read("J_max", m.largestJ);
  if (p.contains("B")) m.bulkModulus = m.tait * p.at("B").get<double>();
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
