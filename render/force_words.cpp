#include "render/force_words.h"

#include <algorithm>
#include <cmath>

#include "engine/foundation/number_text.h"

namespace slipstick::render {

std::string shortName(const std::string& fullName) {
  const std::size_t dot = fullName.rfind('.');
  return dot == std::string::npos ? fullName : fullName.substr(dot + 1);
}

std::string bodyName(const Model& model, int body) {
  const std::string& full = model.tree.bodies[static_cast<std::size_t>(body)].name;
  const std::string brief = shortName(full);
  const auto same = std::count_if(model.tree.bodies.begin(), model.tree.bodies.end(),
                                  [&brief](const auto& other) { return shortName(other.name) == brief; });
  return same > 1 ? full : brief;
}

std::string number(double value) {
  if (value != 0 && (std::abs(value) >= 1e5 || std::abs(value) < 1e-3)) return scientific(value, 1);
  const int digits = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
  return fixed(value, std::clamp(2 - digits, 0, 4));
}

std::string newtons(double force) {
  if (std::abs(force) >= 1e4) return number(1e-3 * force) + " kN";
  if (std::abs(force) < 1) return fixed(force, std::abs(force) < 0.1 ? 3 : 2) + " N";
  return number(force) + " N";
}

namespace {

struct LawWords {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(const CompliantLaw& law) const {
    return "compliant, k = " + number(law.stiffness) + " N/m, d = " + number(law.dissipation) + " s/m";
  }
  std::string operator()(const BarrierLaw& law) const {
    return "barrier within " + number(1e3 * law.activationDistance) + " mm";
  }
  std::string operator()(const HardLaw&) const { return "hard"; }
};

}  // namespace

std::string lawInWords(const ForceLaw& law) {
  return std::visit(LawWords{}, law);
}

std::string sideName(const Model& model, const PairSide& side) {
  return side.isRigid() ? bodyName(model, side.body) : fullNameOf(model, side);
}

std::string pairName(const Model& model, const ContactPair& pair) {
  return sideName(model, pair.a) + " ↔ " + sideName(model, pair.b) + (pair.isSelf() ? " (self)" : "");
}

}  // namespace slipstick::render
