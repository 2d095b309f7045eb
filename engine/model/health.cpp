#include "engine/model/health.h"

#include <bit>

namespace slipstick {

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

const HealthInfo& infoOf(Health flag) {
  return kHealthInfo[static_cast<std::size_t>(std::countr_zero(static_cast<std::uint32_t>(flag)))];
}

HealthFlags flagsFrom(Severity least) {
  HealthFlags flags = 0;
  for (const HealthInfo& info : kHealthInfo)
    if (info.severity >= least) raise(flags, info.flag);
  return flags;
}

bool refused(HealthFlags flags) {
  return (flags & flagsFrom(Severity::Refusal)) != 0;
}

}  // namespace slipstick
