#include "engine/mpm/backends/cpu_contacts.h"

#include <algorithm>
#include <bit>

#include "engine/contact/potential.h"
#include "engine/lanes/eigen_lanes.h"
#include "engine/mpm/bspline.h"
#include "engine/mpm/contact/rigid_substep.h"
#include "engine/mpm/particle_health.h"

namespace slipstick::mpm {
namespace {

/// What one thread takes at a time.
constexpr std::size_t kContactsTogether = 32, kBlocksTogether = 4, kNodesTogether = 512;

/// Of the blocks around a particle's, the one that holds a node counted from its corner.
std::size_t neighbourOf(int i, int j, int k) {
  return static_cast<std::size_t>(9 * (blockOf(i) + 1) + 3 * (blockOf(j) + 1) + blockOf(k) + 1);
}

int placeInBlock(int i, int j, int k) {
  return (withinBlock(i) * kBlockEdge + withinBlock(j)) * kBlockEdge + withinBlock(k);
}

}  // namespace

bool CpuContacts::assemble(float dt, const std::vector<BlockContacts>& found, const ParticleBlocks& blocks,
                           const std::vector<StepGeometry<float>>& geometries, const StepInput& motion,
                           CpuGrid& grid) {
  problem_.dt = dt;
  problem_.stop = motion.stop;
  problem_.stictionSpeed = static_cast<float>(model_.stictionSpeed);
  problem_.stictionSoftness = static_cast<float>(model_.stictionSoftness);
  listFound(found, blocks, geometries);
  const std::size_t count = found_.size();
  problem_.contacts.resize(count);
  detected_.resize(count);
  places_.resize(count);
  if (count == 0) return false;

  shareOut(&team_, count, kContactsTogether, [&](std::size_t c) { describe(c, blocks, geometries, motion); });
  touched_.assign(blocks.gridBlocks.size(), 0);
  for (std::size_t c = 0; c < count; ++c)
    if (c == 0 || found_[c].block != found_[c - 1].block || places_[c].base != places_[c - 1].base)
      touchNodes(found_[c], places_[c], grid.massive());
  numberNodes();
  shareOut(&team_, touchedBlocks_.size(), kBlocksTogether,
           [&](std::size_t b) { describeNodes(b, blocks, grid.nodes()); });
  shareOut(&team_, count, kContactsTogether, [&](std::size_t c) { linkNodes(c); });
  problem_.rigid = nullptr;
  if (motion.rigid != nullptr) coupleContacts(*motion.rigid, detected_, problem_);
  addBoundaryFriction(problem_);
  return true;
}

/// What is outside of a shape is in contact only if it is held from the other side.
void CpuContacts::listFound(const std::vector<BlockContacts>& found, const ParticleBlocks& blocks,
                            const std::vector<StepGeometry<float>>& geometries) {
  found_.clear();
  for (std::size_t b = 0; b < blocks.blocks.size(); ++b)
    for (const RawContact& raw : found[b].all()) {
      const Found contact{&raw, &blocks.blocks[b]};
      if (raw.phi < 0 || heldSideOf(contact, blocks, geometries).isHeld) found_.push_back(contact);
    }
}

HeldSide<float> CpuContacts::heldSideOf(const Found& found, const ParticleBlocks& blocks,
                                        const std::vector<StepGeometry<float>>& geometries) const {
  const RawContact& raw = *found.raw;
  const StepGeometry<float>& geometry = geometries[static_cast<std::size_t>(raw.geometry)];
  if (!(geometry.heldReach > 0)) return {};
  const int particle = blocks.particleOfSlot[static_cast<std::size_t>(raw.slot)];
  const V3<float> impulse = last_.of(particle, raw.geometry);
  if (raw.phi >= 0 && dot(impulse, impulse) == 0) return {};
  const Vec3 x = blocks.position(raw.slot, *found.block);
  const Vec3 v = toEigen(blocks.vector(raw.slot, PackField::V)) - geometry.velocityAt(x);
  const Pose X_GW = geometry.X_WG.inverse();
  const SignedDistance<float> nearest{raw.phi, {raw.normal_G[0], raw.normal_G[1], raw.normal_G[2]}};
  return heldSide<float>(geometry.shape, toLanes<float>(Vec3(X_GW * x)), nearest,
                         toLanes<float>(Vec3(X_GW.R * toEigen(impulse))),
                         toLanes<float>(Vec3(static_cast<double>(problem_.dt) * (X_GW.R * v))),
                         geometry.heldReach);
}

/// Everything about a contact but its nodes.
void CpuContacts::describe(std::size_t contact, const ParticleBlocks& blocks,
                           const std::vector<StepGeometry<float>>& geometries, const StepInput& motion) {
  const RawContact& raw = *found_[contact].raw;
  const StepGeometry<float>& geometry = geometries[static_cast<std::size_t>(raw.geometry)];
  const int particle = blocks.particleOfSlot[static_cast<std::size_t>(raw.slot)];
  const std::size_t deformable = model_.deformableOf(static_cast<std::size_t>(particle));
  const ContactLaw& law =
      motion.laws[deformable * model_.geometries.size() + static_cast<std::size_t>(geometry.index)];
  const Vec3 x = blocks.position(raw.slot, *found_[contact].block);
  const HeldSide<float> held = heldSideOf(found_[contact], blocks, geometries);
  const float depth = held.isHeld ? held.depth : -raw.phi;
  const Vec3 normal =
      geometry.X_WG.R *
      (held.isHeld ? toEigen(held.normal) : Vec3(raw.normal_G[0], raw.normal_G[1], raw.normal_G[2]));
  const Vec3 vBody = geometry.velocityAt(x);

  ContactPoint<float>& point = problem_.contacts[contact];
  point.normal = toLanes<float>(normal);
  point.vBody = toLanes<float>(vBody);
  point.stiffness = static_cast<float>(law.stiffness);
  point.dissipation = static_cast<float>(law.dissipation);
  point.friction = static_cast<float>(law.friction);
  point.f0 = point.stiffness * depth;
  const double vn0 = normal.dot(toEigen(blocks.vector(raw.slot, PackField::V)) - vBody);
  point.n0 = contact::laggedNormalImpulse(point.f0, point.dissipation, static_cast<float>(vn0), problem_.dt);
  point.guess = last_.of(particle, geometry.index);
  point.bound = point.body = -1;
  detected_[contact] = {particle, geometry.index, geometry.body,  static_cast<double>(depth),
                        x,        normal,         geometry.p_WB0, static_cast<double>(held.middle)};

  const Bspline<float> b =
      bspline(blocks.vector(raw.slot, PackField::X), blocks.vector(raw.slot, PackField::XLow),
              1.0f / static_cast<float>(model_.gridSpacing));
  Place& place = places_[contact];
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    place.base[axis] = static_cast<int>(b.base[a]);
    std::copy_n(b.w[a], 3, place.w[axis].begin());
  }
}

/// Weights within rounding of zero may belong to nodes without mass: these take no part.
void CpuContacts::touchNodes(const Found& found, const Place& place, const std::vector<NodeMask>& massive) {
  const auto& [x, y, z] = place.base;
  const unsigned along = 7u << withinBlock(z), below = along & 15u, above = along >> kBlockEdge;
  for (int i = x; i < x + 3; ++i)
    for (int j = y; j < y + 3; ++j) {
      const int row = placeInBlock(i, j, 0);
      const std::size_t n = neighbourOf(i, j, z);
      const auto touch = [&](std::size_t neighbour, unsigned nodes) {
        const auto g = static_cast<std::size_t>(found.block->gridBlocks[neighbour]);
        touched_[g] |= NodeMask{nodes} << row & massive[g];
      };
      touch(n, below);
      if (above != 0) touch(n + 1, above);
    }
  // The middle one always has mass, unless that is too small a number; linkNodes() relies on it.
  const auto middle = static_cast<std::size_t>(found.block->gridBlocks[neighbourOf(x + 1, y + 1, z + 1)]);
  touched_[middle] |= NodeMask{1} << placeInBlock(x + 1, y + 1, z + 1);
}

/// Block by block of the grid, and node by node in each.
void CpuContacts::numberNodes() {
  touchedBlocks_.clear();
  numbering_.resize(touched_.size());
  int count = 0;
  for (std::size_t g = 0; g < touched_.size(); ++g) {
    if (touched_[g] == 0) continue;
    numbering_[g] = static_cast<int>(touchedBlocks_.size());
    touchedBlocks_.push_back({g, count});
    count += std::popcount(touched_[g]);
  }
  numbers_.resize(touchedBlocks_.size() * kBlockNodes);
  const auto nodes = static_cast<std::size_t>(count);
  gridNode_.resize(nodes);
  nodeAt_.resize(nodes);
  problem_.vStar.resize(nodes);
  problem_.mass.resize(nodes);
  problem_.bounds.resize(boundaries_.nodes().empty() ? 0 : nodes);
  problem_.change.resize(changed_.empty() ? 0 : nodes);
}

void CpuContacts::linkNodes(std::size_t contact) {
  const ParticleBlock& block = *found_[contact].block;
  const Place& place = places_[contact];
  ContactPoint<float>& point = problem_.contacts[contact];
  const auto& [x, y, z] = place.base;
  // Blocks in which all that the particle weighs is without mass have no numbers.
  const auto number = [&](int i, int j, int k) {
    const auto g = static_cast<std::size_t>(block.gridBlocks[neighbourOf(i, j, k)]);
    return touched_[g] == 0
               ? -1
               : numbers_[static_cast<std::size_t>(numbering_[g] * kBlockNodes + placeInBlock(i, j, k))];
  };
  const int middle = number(x + 1, y + 1, z + 1);
  std::size_t n = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k, ++n) {
        const int node = number(x + i, y + j, z + k);
        const auto w = [&](std::size_t axis, int at) { return place.w[axis][static_cast<std::size_t>(at)]; };
        point.node[n] = node < 0 ? middle : node;
        point.weight[n] = node < 0 ? 0 : w(0, i) * w(1, j) * w(2, k);
      }
}

void CpuContacts::describeNodes(std::size_t touchedBlock, const ParticleBlocks& blocks,
                                const AlignedVector<float>& nodes) {
  const auto [g, firstNode] = touchedBlocks_[touchedBlock];
  int* const numbers = numbers_.data() + touchedBlock * kBlockNodes;
  std::fill_n(numbers, kBlockNodes, -1);
  auto i = static_cast<std::size_t>(firstNode);
  for (NodeMask left = touched_[g]; left != 0; left &= left - 1, ++i) {
    const int place = std::countr_zero(left), gridNode = static_cast<int>(g) * kBlockNodes + place;
    numbers[place] = static_cast<int>(i);
    gridNode_[i] = gridNode;
    nodeAt_[i] = model_.gridSpacing * blocks.nodeAt(gridNode);
    const float* node = nodes.data() + static_cast<std::ptrdiff_t>(gridNode) * 4;
    problem_.vStar[i] = {node[0], node[1], node[2]};
    problem_.mass[i] = node[3];
    if (!changed_.empty())
      problem_.change[i] =
          changed_[g] >> place & 1 ? changes_[static_cast<std::size_t>(gridNode)] : V3<float>{0, 0, 0};
    if (!problem_.bounds.empty())
      problem_.bounds[i] = boundaries_.boundsAt(static_cast<std::size_t>(gridNode));
  }
}

void CpuContacts::solve(CpuGrid& grid) {
  solver_.solve(problem_, contactSettings(model_.solver), solution_);
  float* const nodes = grid.nodes().data();
  // Where rigid velocities are frozen, impulses of the substep before serve as well, and the oracle has no other start.
  const bool remember = problem_.rigid != nullptr;
  remember ? void(changed_ = touched_) : changed_.clear();
  changes_.resize(changed_.size() * kBlockNodes);
  shareOut(&team_, gridNode_.size(), kNodesTogether, [&](std::size_t i) {
    if (remember) changes_[static_cast<std::size_t>(gridNode_[i])] = solution_.v[i] - problem_.vStar[i];
    for (int a = 0; a < 3; ++a) nodes[static_cast<std::ptrdiff_t>(gridNode_[i]) * 4 + a] = solution_.v[i][a];
  });
}

void CpuContacts::enter(const std::vector<StepGeometry<float>>& geometries, StepAccount& account) {
  last_.forget();
  if (detected_.empty()) return account.addFreeSubstep();
  outcome_.enter(problem_, solution_, detected_, nodeAt_, account);
  for (std::size_t c = 0; c < detected_.size(); ++c) {
    const float reach = geometries[static_cast<std::size_t>(detected_[c].geometry)].heldReach;
    last_.add(detected_[c].particle, detected_[c].geometry,
              rememberedImpulse(solution_.gamma[c], problem_.contacts[c].normal, reach));
  }
}

}  // namespace slipstick::mpm
