#include "engine/model/snapshot.h"

#include "engine/model/byte_count.h"

namespace slipstick {

const std::array<HealthInfo, 6> kHealthInfo = {{
    {Health::NotConverged, "NotConverged",
     "a solve hit its iteration cap: raise solver.max_iterations, loosen solver.relative_tolerance or "
     "shorten time.dt_ms"},
    {Health::NonFinite, "NonFinite",
     "the step was refused: shorten time.dt_ms, set time.substeps to auto or lower the contact stiffness; "
     "check masses and start positions"},
    {Health::CflExceeded, "CflExceeded",
     "a substep is too long for the material or the speed: set time.substeps to auto or raise it"},
    {Health::ParticlesOutside, "ParticlesOutside",
     "particles left the range of the grid: put something under them, or end the run earlier"},
    {Health::ActuatorSaturated, "ActuatorSaturated",
     "an actuator runs at its effort limit: slow the path, lower the gains or raise the joint's effort "
     "limit"},
    {Health::IkFailed, "IkFailed",
     "an end-effector goal is out of reach: move the path into the workspace or change the start pose"},
}};

namespace {
using slipstick::bytesOf;

std::size_t bytesOf(const std::vector<PressurePatch>& patches) {
  std::size_t bytes = 0;
  for (const PressurePatch& patch : patches)
    bytes += sizeof patch + bytesOf(patch.vertices) + bytesOf(patch.polygonEnds);
  return bytes;
}
}  // namespace

std::size_t StepFacts::byteCount() const {
  return sizeof(StepFacts) + bytesOf(X_WB) + bytesOf(V_WB) + bytesOf(q) + bytesOf(v) + bytesOf(tau) +
         bytesOf(contactWrench) + bytesOf(contactRemainder) + bytesOf(boundaryForce) + bytesOf(driven) +
         bytesOf(goals) + bytesOf(sensors) + bytesOf(deformables) + contactSolve.byteCount() +
         rigidSolve.byteCount() + bytesOf(saturatedJoints) + bytesOf(unreachedGoals);
}

std::size_t Snapshot::byteCount() const {
  return sizeof(Snapshot) - sizeof(StepFacts) + StepFacts::byteCount() + bytesOf(particles) + bytesOf(speed) +
         bytesOf(stress) + bytesOf(pressure) + bytesOf(plasticStrain) + bytesOf(contacts) + bytesOf(patches);
}

}  // namespace slipstick
