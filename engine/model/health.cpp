#include "engine/model/health.h"

#include <bit>

#include "engine/foundation/require.h"
#include "engine/model/method_rows.h"

namespace slipstick {
namespace {

constexpr HealthFlags bitsOf(Health flag) {
  return static_cast<HealthFlags>(flag);
}

/// A method's own flag of either kind.
constexpr Health eitherOf(std::size_t index) {
  return static_cast<Health>(bitsOf(ownFlag(index)) | bitsOf(ownRefusal(index)));
}

/// Where the method is not known that raised it.
const HealthInfo& unknown(std::size_t index) {
  static constexpr auto row = [](std::size_t i, std::string_view name) {
    return HealthInfo{eitherOf(i), name, "Flag of another method",
                      "a method that is not known here raised it",
                      "open it with a program that has the method"};
  };
  static constexpr std::array<HealthInfo, kOwnFlags> kRows = {row(0, "Own0"), row(1, "Own1"), row(2, "Own2"),
                                                              row(3, "Own3"), row(4, "Own4"), row(5, "Own5"),
                                                              row(6, "Own6"), row(7, "Own7")};
  return kRows[index];
}

std::size_t placeOf(Health flag) {
  const auto bit = static_cast<std::size_t>(std::countr_zero(bitsOf(flag)));
  const std::size_t firstOwn = static_cast<std::size_t>(std::countr_zero(bitsOf(ownFlag(0))));
  if (bit >= firstOwn) return kHealthCount + (bit - firstOwn) % kOwnFlags;
  SIM_REQUIRE(bit < kHealthCount, bit);
  return bit;
}

}  // namespace

const std::array<HealthInfo, kHealthCount> kHealthInfo = {{
    {Health::NotConverged, "NotConverged", "Not converged", "a solve hit its iteration cap",
     "raise solver.max_iterations, loosen solver.relative_tolerance or shorten time.dt_ms"},
    {Health::NonFinite, "NonFinite", "Not a finite number", "the step was refused: its state was not finite",
     "shorten time.dt_ms, set time.substeps to auto or lower the contact stiffness; check masses and start "
     "positions",
     Severity::Refusal},
    {Health::CflExceeded, "CflExceeded", "Substep too long",
     "a substep is too long for the material or the speed", "set time.substeps to auto or raise it"},
    {Health::ParticlesOutside, "ParticlesOutside", "Particles outside",
     "particles left the range of the grid", "put something under them, or end the run earlier",
     Severity::Refusal},
    {Health::ActuatorSaturated, "ActuatorSaturated", "Actuator saturated",
     "an actuator runs at its effort limit",
     "slow the path, lower the gains or raise the joint's effort limit", Severity::Information},
    {Health::IkFailed, "IkFailed", "Goal out of reach", "an end-effector goal is out of reach",
     "move the path into the workspace or change the start pose", Severity::Warning},
    {Health::EnergyGained, "EnergyGained", "Energy gained", "contact gave energy that nothing put in",
     "set solver.method to strong or implicit, or shorten time.dt_ms"},
    {Health::FastBody, "FastBody", "Body too fast",
     "something moves through more than what is in its way in one step",
     "shorten time.dt_ms, slow it down or make the thin part thicker"},
    {Health::TooThin, "TooThin", "Shape too thin",
     "particles are deeper in a shape than half of its thickness",
     "make the shape thicker, raise contact.stiffness_factor or shorten time.dt_ms"},
    {Health::FactorFailed, "FactorFailed", "Factorization failed", "a linear system could not be factored",
     "shorten time.dt_ms; check masses, inertias and stiffness for zeros"},
}};

std::string HealthInfo::line() const {
  return std::string(what) + ": " + std::string(remedy);
}

Health flagAt(std::size_t place) {
  return place < kHealthCount ? kHealthInfo[place].flag : eitherOf(place - kHealthCount);
}

const HealthInfo& infoAt(std::size_t place, const MethodRows* own) {
  if (place < kHealthCount) return kHealthInfo[place];
  const std::size_t index = place - kHealthCount;
  return own != nullptr && index < own->flags.size() ? own->flags[index] : unknown(index);
}

const HealthInfo& infoOf(Health flag, const MethodRows* own) {
  return infoAt(placeOf(flag), own);
}

std::vector<const HealthInfo*> raisedIn(HealthFlags flags, const MethodRows* own) {
  std::vector<const HealthInfo*> infos;
  for (std::size_t place = 0; place < kHealthPlaces; ++place)
    if (has(flags, flagAt(place))) infos.push_back(&infoAt(place, own));
  return infos;
}

HealthFlags flagsFrom(Severity least, const MethodRows* own) {
  HealthFlags flags = 0;
  for (std::size_t place = 0; place < kHealthPlaces; ++place)
    if (const HealthInfo& info = infoAt(place, own); info.severity >= least) raise(flags, info.flag);
  // Whoever raised it: the step of a refusal does not count.
  for (std::size_t index = 0; index < kOwnFlags; ++index) raise(flags, ownRefusal(index));
  return flags;
}

bool refused(HealthFlags flags) {
  return (flags & flagsFrom(Severity::Refusal)) != 0;
}

}  // namespace slipstick
