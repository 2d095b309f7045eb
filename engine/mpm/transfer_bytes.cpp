#include "engine/mpm/transfer_bytes.h"
#include "engine/model/cloth.h"

#include "engine/mpm/kernels/kernel_table.h"

namespace slipstick::mpm {
namespace {

// Floats per particle. The widths follow from the places in PackField.
constexpr int kPosition = PackField::V - PackField::X;  // both parts
constexpr int kVelocity = PackField::F - PackField::V;
constexpr int kDeformation = PackField::C - PackField::F;
constexpr int kAffine = PackField::Tau - PackField::C;
constexpr int kStress = PackField::Mass - PackField::Tau;  // of a solid; or force and couple of a cloth
constexpr int kMass = PackField::Volume - PackField::Mass;
constexpr int kVolume = PackField::Plastic - PackField::Volume;
constexpr int kPlasticState = PackField::Count - PackField::Plastic;
constexpr int kDirector = 3;  // last column of F

/// Floats of one particle that a substep reads and writes.
struct ParticleTransfer {
  int scatter;      // P2G reads
  int gather;       // G2P reads
  int gatherWrite;  // G2P writes
  constexpr int floats() const { return scatter + gather + gatherWrite; }
};
constexpr ParticleTransfer kSolid = {
    kPosition + kVelocity + kAffine + kStress + kMass + kVolume, kPosition + kDeformation + kPlasticState,
    kPosition + kVelocity + kDeformation + kAffine + kStress + kPlasticState};
constexpr ParticleTransfer kCloth = {kPosition + kVelocity + kAffine + kMass + kStress + kDirector,
                                     kPosition + kDirector, kPosition + kVelocity + kAffine + kDirector};
/// Of a node: written and read in P2G's tile, on the grid, and in G2P's tile.
constexpr int kNode = 4 * 2 * 3;

}  // namespace

double transferBytes(const Model& model, double activeNodes) {
  double floats = kNode * activeNodes;
  for (const Deformable& d : model.deformables)
    floats += static_cast<double>(d.end - d.begin) * (clothOf(d) ? kCloth : kSolid).floats();
  return static_cast<double>(sizeof(float)) * floats;
}

std::size_t particleBytes(const Model& model) {
  return sizeof(float) * PackField::Count * model.nodeCount();
}

}  // namespace slipstick::mpm
