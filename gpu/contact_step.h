// Contacts in one step on the device: where geometries are in each substep, the kernels from detection to the grid's new
// velocities, and a log that comes back once per step, from which the host sums up who got what.
#pragma once

#include <vector>

#include "engine/lanes/eigen_lanes.h"
#include "engine/mpm/boundary_nodes.h"
#include "engine/mpm/contact_outcome.h"
#include "engine/mpm/step_geometry.h"
#include "gpu/contact_kernels.h"
#include "gpu/kernels/detect_kernels.h"
#include "gpu/particle_store.h"
#include "gpu/shape_memory.h"

namespace slipstick::gpu {

class ContactStep {
 public:
  ContactStep(const Model& model, Executor& executor);

  /// Whether the model has anything to touch.
  bool any() const { return !model_.geometries.empty() && model_.particleCount() > 0; }
  /// Rooms for what attempts have asked for so far. @return whether anything was allocated
  bool makeRoom(int substeps, int blocks, int gridBlocks);
  int contactRoom() const { return contactRoom_; }
  /// Grows the rooms to what the counts say. @return whether they were too small
  bool grow(const GridCounts& counts);

  /// Where everything will be in each substep, into the memory that recordUploads() copies from.
  void prepare(const mpm::StepInput& input, double dt, int substeps);
  void recordUploads(int substeps);
  /// Between v* on the grid and what particles take from it.
  template <class Exec>
  void recordSubstep(Exec& executor, const GridView& grid, const BoundaryView& boundaries,
                     const LastImpulsesView& last, int substep, float dt);
  void recordDownloads(int substeps);

  /// After the read-back: enters all substeps in the account.
  void enter(const mpm::StepInput& input, double dt, int substeps, mpm::StepAccount& account);
  /// Per block of nodes: those that contacts decide about; null where nothing can touch.
  const std::uint64_t* touched() const { return any() ? view_.touched : nullptr; }
  /// What each contact got in the last substep.
  void lastImpulses(int substeps, std::vector<ParticleState::ContactImpulse>& impulses) const;

 private:
  void layOut(int blocks, int gridBlocks);
  void enterSubstep(int substep, mpm::StepAccount& account);
  void rebuildContacts(int substep);
  void rebuildNodes(int substep);
  const ContactRecord* contactsOf(int substep) const {
    return hostContacts_.data() + static_cast<std::ptrdiff_t>(substep) * contactRoom_;
  }

  const Model& model_;
  Executor& executor_;
  int contactRoom_ = 256, nodeRoom_ = 1024, blockRoom_ = 0, gridBlockRoom_ = 0;
  DetectView view_{};
  ContactMemory solve_{};
  DeviceArray<std::byte> memory_;
  ShapeMemory shapeMemory_;
  std::vector<GeometryShape<float>> shapes_;  ///< per geometry, meshes in device memory
  PinnedArray<DeviceGeometry> hostGeometries_;
  PinnedArray<DeviceLaw> hostLaws_;
  DeviceArray<DeviceGeometry> geometries_;
  DeviceArray<DeviceLaw> laws_;
  // The log, a room per substep.
  DeviceArray<ContactRecord> contacts_;
  DeviceArray<NodeRecord> nodes_;
  DeviceArray<SolveReport> reports_;
  DeviceArray<int> boundaryContacts_;
  PinnedArray<ContactRecord> hostContacts_;
  PinnedArray<NodeRecord> hostNodes_;
  PinnedArray<SolveReport> hostReports_;
  PinnedArray<int> hostBoundaryContacts_;
  // Of the step on the host.
  std::vector<mpm::StepGeometry<float>> started_;
  mpm::ContactProblem<float> problem_;
  mpm::ContactSolution<float> solution_;
  mpm::ContactOutcome<float> outcome_;
  std::vector<mpm::DetectedContact> detected_;
  std::vector<Vec3> nodeAt_;
  std::vector<mpm::FrozenBoundary> frozen_;
  std::vector<mpm::NodeBound> bounds_;
  std::vector<std::pair<std::size_t, std::size_t>> boundsOf_;  ///< per node: into bounds_, begin and end
};

template <class Exec>
void ContactStep::recordSubstep(Exec& executor, const GridView& grid, const BoundaryView& boundaries,
                                const LastImpulsesView& last, int substep, float dt) {
  DetectView d = view_;
  d.grid = grid;
  d.last = last;
  d.boundaries = boundaries;
  d.contacts.boundList = boundaries.bounds;
  d.geometries = geometries_.data() + static_cast<std::ptrdiff_t>(substep) * d.geometryCount;
  d.laws = laws_.data();
  d.contacts.dt = dt;
  d.contacts.stictionSpeed = static_cast<float>(model_.stictionSpeed);
  const int perSlot = teamsFor(grid.particles), perGridBlock = teamsFor(grid.gridBlockRoom);
  executor.launch(PlaceBlocks{d}, teamsFor(grid.blockRoom * d.geometryCount));
  executor.launch(CountContacts{d}, perSlot);
  executor.exclusiveScan(d.found, d.before, grid.particles);
  executor.launch(JudgeContacts{d}, 1);
  executor.clear(d.touched, sizeof(std::uint64_t) * static_cast<std::size_t>(grid.gridBlockRoom));
  executor.launch(WriteContacts{d}, perSlot);
  executor.launch(CountTouched{d}, perGridBlock);
  executor.exclusiveScan(d.touchedCount, d.firstNode, grid.gridBlockRoom);
  executor.launch(JudgeNodes{d}, 1);
  executor.launch(WriteNodes{d}, teamsFor(grid.gridBlockRoom * kBlockNodes));
  executor.launch(LinkContacts{d}, teamsFor(27 * contactRoom_));
  const mpm::ContactSolverSettings settings = mpm::contactSettings(model_.solver);
  const DeviceSolveSettings solver{settings.solver, settings.relativeTolerance, settings.absoluteTolerance,
                                   settings.maxIterations, settings.lagIterations};
  launchContactSolve(executor, d.contacts, solve_, solver, thresholdsOn(executor));
  executor.launch(JudgeSolve{d}, 1);
  executor.launch(ApplyContacts{d}, teamsFor(nodeRoom_));
  executor.launch(RememberImpulses{d}, teamsFor(std::max(grid.particles, contactRoom_)));
  const auto row = static_cast<std::ptrdiff_t>(substep);
  executor.launch(LogContacts{d, contacts_.data() + row * contactRoom_, nodes_.data() + row * nodeRoom_,
                              reports_.data() + row, boundaryContacts_.data() + row},
                  teamsFor(std::max(contactRoom_, nodeRoom_)));
}

}  // namespace slipstick::gpu
