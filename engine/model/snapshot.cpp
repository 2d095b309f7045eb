#include "engine/model/snapshot.h"

#include "engine/foundation/byte_count.h"

namespace slipstick {

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
         bytesOf(goals) + bytesOf(ownObservables) + bytesOf(sensors) + bytesOf(deformables) +
         contactSolve.byteCount() + rigidSolve.byteCount() + bytesOf(saturatedJoints) +
         bytesOf(unreachedGoals) + bytesOf(healthNotes);
}

std::size_t Snapshot::byteCount() const {
  return sizeof(Snapshot) - sizeof(StepFacts) + StepFacts::byteCount() + bytesOf(particles) + bytesOf(speed) +
         bytesOf(stress) + bytesOf(pressure) + bytesOf(plasticStrain) + bytesOf(contacts) + bytesOf(patches);
}

}  // namespace slipstick
