// Contacts in one step on the device: where geometries are in each substep, the kernels from detection to the grid's new
// velocities, and those that sum up at its end who got what.
#pragma once

#include <vector>

#include "engine/mpm/contact/contact_problem.h"
#include "engine/mpm/step_geometry.h"
#include "gpu/contact_kernels.h"
#include "gpu/kernels/detect_kernels.h"
#include "gpu/outcome_memory.h"
#include "gpu/particle_store.h"
#include "gpu/shape_memory.h"

namespace slipstick::gpu {

class ContactStep {
 public:
  ContactStep(const Model& model, Executor& executor);

  /// Whether the model has anything to touch.
  bool any() const { return !model_.geometries.empty() && model_.nodeCount() > 0; }
  /// Memory for what attempts have asked for so far. @return whether anything was allocated
  bool makeRoom(int substeps, int blocks, int gridBlocks);
  void placeUploads(CopyLayout& layout, int substeps);
  void placeReadBack(CopyLayout& layout, int substeps);
  int contactCapacity() const { return contactCapacity_; }
  /// Grows the capacities to what the counts say. @return whether they were too small
  bool grow(const GridCounts& counts);

  /// Where everything will be in each substep, into the memory that is uploaded.
  void prepare(const mpm::StepInput& input, double dt, int substeps);
  /// Between v* on the grid and what particles take from it.
  template <class Exec>
  void recordSubstep(Exec& executor, const GridView& grid, const BoundaryView& boundaries,
                     const LastImpulsesView& last, int substep, float dt);
  /// After the last substep.
  template <class Exec>
  void recordSums(Exec& executor, const GridView& grid, int substeps) {
    if (any() && substeps > 0) outcome_.recordSums(executor, grid, geometries_.device, substeps);
  }

  /// After the read-back: writes what contacts gave, as StepAccount::finish() does.
  void finish(const GridCounts& counts, int substeps, mpm::StepAccount& account, SoftOutcome& result) const;
  /// Per block of nodes: those that contacts decide about; null where nothing can touch.
  const std::uint64_t* touched() const { return any() ? view_.touched : nullptr; }

 private:
  void layOut(int blocks, int gridBlocks);

  const Model& model_;
  int contactCapacity_ = 256, nodeCapacity_ = 1024, blockCapacity_ = 0, gridBlockCapacity_ = 0;
  DetectView view_{};
  ContactMemory solve_{};
  DeviceArray<std::byte> memory_;
  ShapeMemory shapeMemory_;
  std::vector<GeometryShape<float>> shapes_;  ///< per geometry, meshes in device memory
  std::vector<double> heldReaches_;           ///< per geometry
  Copied<DeviceGeometry> geometries_;         ///< per substep
  Copied<DeviceLaw> laws_;
  OutcomeMemory outcome_;
  std::vector<mpm::StepGeometry<float>> started_;
};

template <class Exec>
void ContactStep::recordSubstep(Exec& executor, const GridView& grid, const BoundaryView& boundaries,
                                const LastImpulsesView& last, int substep, float dt) {
  DetectView d = view_;
  d.grid = grid;
  d.last = last;
  d.boundaries = boundaries;
  d.contacts.boundList = boundaries.bounds;
  d.geometries = geometries_.device + static_cast<std::ptrdiff_t>(substep) * d.geometryCount;
  d.laws = laws_.device;
  outcome_.show(d, substep);
  d.contacts.dt = dt;
  d.contacts.stictionSpeed = static_cast<float>(model_.stictionSpeed);
  d.contacts.stictionSoftness = static_cast<float>(model_.stictionSoftness);
  const int perSlot = teamsFor(grid.particles), perGridBlock = teamsFor(grid.gridBlockCapacity);
  executor.launch(PlaceBlocks{d}, teamsFor(grid.blockCapacity * d.geometryCount));
  executor.launch(CountContacts{d}, perSlot);
  executor.exclusiveScan(d.found, d.before, grid.particles);
  executor.launch(JudgeContacts{d}, 1);
  executor.clear(d.touched, sizeof(std::uint64_t) * static_cast<std::size_t>(grid.gridBlockCapacity));
  executor.launch(WriteContacts{d}, perSlot);
  executor.launch(CountTouched{d}, perGridBlock);
  executor.exclusiveScan(d.touchedCount, d.firstNode, grid.gridBlockCapacity);
  executor.launch(JudgeNodes{d}, 1);
  executor.launch(WriteNodes{d}, teamsFor(grid.gridBlockCapacity * kBlockNodes));
  executor.launch(LinkContacts{d}, teamsFor(27 * contactCapacity_));
  const mpm::ContactSolverSettings settings = mpm::contactSettings(model_.solver);
  const DeviceSolveSettings solver{settings.solver, settings.relativeTolerance, settings.absoluteTolerance,
                                   settings.maxIterations, settings.lagIterations};
  launchContactSolve(executor, d.contacts, solve_, solver, thresholdsOn(executor));
  executor.launch(JudgeSolve{d}, 1);
  executor.launch(ApplyContacts{d}, teamsFor(nodeCapacity_));
  executor.launch(RememberImpulses{d}, teamsFor(std::max(grid.particles, contactCapacity_)));
  outcome_.recordSubstep(executor, d, solve_, substep);
}

}  // namespace slipstick::gpu
