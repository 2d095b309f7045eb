#include "engine/facts/force_law.h"

#include <cmath>
#include <type_traits>
#include <variant>

namespace slipstick {

namespace {

struct Numbers {
  std::array<double, 2> operator()(const CompliantLaw& law) const { return {law.stiffness, law.dissipation}; }
  std::array<double, 2> operator()(const BarrierLaw& law) const {
    return {law.activationDistance, law.stiffness};
  }
  std::array<double, 2> operator()(std::monostate) const { return {}; }
  std::array<double, 2> operator()(const HardLaw&) const { return {}; }
};

constexpr std::array<std::string_view, std::variant_size_v<ForceLaw>> kNames = {"", "compliant", "barrier",
                                                                                "hard"};
static_assert(std::is_same_v<ForceLaw, std::variant<std::monostate, CompliantLaw, BarrierLaw, HardLaw>>,
              "a new law stands at the end: files have the places of the others");

}  // namespace

std::uint8_t lawCode(const ForceLaw& law) {
  return static_cast<std::uint8_t>(law.index());
}

std::string_view lawName(const ForceLaw& law) {
  return kNames[law.index()];
}

std::array<double, 2> lawNumbers(const ForceLaw& law) {
  return std::visit(Numbers{}, law);
}

std::optional<ForceLaw> lawFrom(std::uint8_t code, const std::array<double, 2>& numbers) {
  const auto [first, second] = numbers;
  if (!std::isfinite(first) || !std::isfinite(second)) return std::nullopt;
  const std::array<ForceLaw, kNames.size()> laws = {std::monostate{}, CompliantLaw{first, second},
                                                    BarrierLaw{first, second}, HardLaw{}};
  return code < laws.size() ? std::optional(laws[code]) : std::nullopt;
}

}  // namespace slipstick
