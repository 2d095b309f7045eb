// The contact problem of one substep, gathered from packs and grid blocks, and its solution applied to the
// grid.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "engine/mpm/backends/cpu_grid.h"
#include "engine/mpm/contact/contact_outcome.h"
#include "engine/mpm/contact/contact_problem.h"
#include "engine/mpm/contact/held_side.h"
#include "engine/mpm/contact/last_impulses.h"
#include "engine/mpm/particle_blocks.h"
#include "engine/mpm/step_account.h"
#include "engine/mpm/step_geometry.h"

namespace slipstick::mpm {

/// What the detection found in one particle block. Keeps its room.
class BlockContacts {
 public:
  void clear() { count_ = 0; }
  /// Where up to `most` further contacts may be written, of which add() then takes in the first.
  RawContact* room(int most) {
    const std::size_t needed = count_ + static_cast<std::size_t>(most);
    if (contacts_.size() < needed) contacts_.resize(needed);
    return contacts_.data() + count_;
  }
  void add(int count) { count_ += static_cast<std::size_t>(count); }
  std::span<const RawContact> all() const { return std::span(contacts_).first(count_); }

 private:
  std::vector<RawContact> contacts_;
  std::size_t count_ = 0;
};

class CpuContacts {
 public:
  /// @param boundaries  of the present step; it and the team must outlive this
  CpuContacts(const Model& model, const BoundaryNodes& boundaries, ThreadTeam& team)
      : model_(model), boundaries_(boundaries), team_(team), solver_(&team) {}

  /// What the last substep's contacts gave: the first guess of the next.
  LastImpulses<float>& lastImpulses() { return last_; }

  /// Nodes have other numbers from now on.
  void forgetNodes() { changed_.clear(); }

  /// Builds the problem of all detected contacts. @return whether there are any
  bool assemble(float dt, const std::vector<BlockContacts>& found, const ParticleBlocks& blocks,
                const std::vector<StepGeometry<float>>& geometries, const StepInput& motion, CpuGrid& grid);
  /// The nodes whose velocities solve() decides, per grid block.
  const std::vector<NodeMask>& touched() const { return touched_; }
  /// After assemble() has found contacts: their nodes receive the velocities solved for. Reads and writes no others.
  void solve(CpuGrid& grid);
  /// What they gave to bodies and boundaries, after solve(); or that nothing touched.
  void enter(const std::vector<StepGeometry<float>>& geometries, StepAccount& account);

 private:
  /// A contact of the problem before its nodes have numbers.
  struct Found {
    const RawContact* raw;
    const ParticleBlock* block;
  };
  /// Normals and depths of contacts with sides that are not the nearest ones, and what else the detection cannot know.
  HeldSide<float> heldSideOf(const Found& found, const ParticleBlocks& blocks,
                             const std::vector<StepGeometry<float>>& geometries) const;
  /// Where the 27 nodes of a contact's particle begin, counted from the corner of its block, and their weights.
  struct Place {
    std::array<int, 3> base;
    std::array<std::array<float, 3>, 3> w;  ///< per axis
  };

  struct TouchedBlock {
    std::size_t gridBlock;
    int firstNode;  ///< of the problem
  };

  void listFound(const std::vector<BlockContacts>& found, const ParticleBlocks& blocks,
                 const std::vector<StepGeometry<float>>& geometries);
  void describe(std::size_t contact, const ParticleBlocks& blocks,
                const std::vector<StepGeometry<float>>& geometries, const StepInput& motion);
  void touchNodes(const Found& found, const Place& place, const std::vector<NodeMask>& massive);
  void numberNodes();
  void linkNodes(std::size_t contact);
  void describeNodes(std::size_t touchedBlock, const ParticleBlocks& blocks,
                     const AlignedVector<float>& nodes);

  const Model& model_;
  const BoundaryNodes& boundaries_;
  ThreadTeam& team_;
  ContactProblem<float> problem_;
  ContactSolution<float> solution_;
  ContactSolver<float> solver_;
  ContactOutcome<float> outcome_;
  std::vector<Found> found_;
  std::vector<Place> places_;              ///< per contact
  std::vector<DetectedContact> detected_;  ///< per contact
  LastImpulses<float> last_;
  std::vector<NodeMask> touched_;  ///< per grid block
  std::vector<TouchedBlock> touchedBlocks_;
  std::vector<int> numbering_;      ///< per grid block, into touchedBlocks_ if it is touched
  std::vector<int> numbers_;        ///< per touched block and node: which problem node it is; −1 = none
  std::vector<int> gridNode_;       ///< per problem node
  std::vector<NodeMask> changed_;   ///< per grid block: nodes that contacts of the last substep touched; …
  std::vector<V3<float>> changes_;  ///< … and per node of the grid what they changed its velocity by [m/s]
  std::vector<Vec3> nodeAt_;        ///< per problem node [m]
};

}  // namespace slipstick::mpm
